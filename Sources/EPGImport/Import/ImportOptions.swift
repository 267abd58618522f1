public import EPGModel

/// Which part of a guide is imported, how its listings are repaired, and what is taken of bad files.
public struct ImportOptions: Sendable {
    /// Only programmes that are on in this window; `nil` for all.
    public var window: TimeWindow?
    /// Only stations whose identifier matches one of these; empty for all.
    public var stations: [StationPattern]
    /// How listings that overlap or lack a stop are repaired.
    package var policy: NormalisationPolicy
    /// Whether a document that isn't well-formed is refused, rather than read as far as it is sound.
    public var isStrict = false
    /// Whether what is whole of a file that was cut off is taken; else the file is refused.
    public var takesPartial = false
    /// The encoding that is taken for granted, whatever the guide says; `nil` leaves it to its bytes.
    public var encoding: String?
    /// Percent of what stands that must come again so that the guide is taken, and at least one airing; `nil` takes
    /// whatever comes. See ``ImportSafeguard``.
    public var minimumShare: Int?
    /// How much the guide may bring.
    public var limits = ImportLimits()
    /// Hears how many programmes were read so far, after each 1,024 and at the end; `nil` for nobody.
    public var progress: (@Sendable (_ programmes: Int) -> Void)?
    /// Whether records are checked against the DTD, as a validator does.
    package var checksRules = false

    /// Takes all of a guide by default.
    public init(window: TimeWindow? = nil, stations: [StationPattern] = []) {
        self.init(window: window, stations: stations, policy: .standard)
    }

    package init(window: TimeWindow? = nil, stations: [StationPattern] = [], policy: NormalisationPolicy) {
        self.window = window
        self.stations = stations
        self.policy = policy
    }

    /// The options, and what the source says where they say nothing.
    func completed(by source: Source) -> ImportOptions {
        var options = self
        if stations.isEmpty { options.stations = source.stations.map { StationPattern($0) } }
        options.encoding = encoding ?? source.encoding
        return options
    }

    /// What the share asks for; stations that aren't taken by choice aren't missed.
    var safeguard: ImportSafeguard? {
        minimumShare.map { share in
            ImportSafeguard(minimumShare: share) { [stations] station in
                stations.isEmpty || stations.contains { $0.matches(station.rawValue) }
            }
        }
    }
}
