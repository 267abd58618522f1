public import EPGModel

/// Options of an import: what to import, how to repair listings, and how to handle invalid files.
public struct ImportOptions: Sendable {
    /// Imports only programmes that overlap this window; `nil` imports all.
    public var window: TimeWindow?
    /// Earlier starts of ``window`` for some stations.
    package var starts: [StationID: Instant] = [:]
    /// Imports only stations whose identifier matches a pattern; empty imports all.
    public var stations: [WildcardPattern]
    /// How to repair listings that overlap or lack a stop.
    package var policy: NormalizationPolicy
    /// Whether to reject malformed documents rather than repair them. The default is `false`.
    public var isStrict = false
    /// Whether to import the intact part of a truncated file. The default is `false`, which rejects it.
    public var acceptsTruncation = false
    /// Whether to import a guide most of whose programmes have no time of their own (Rules.md, rule 20). The default is `false`,
    /// which rejects it.
    public var acceptsMissingTimes = false
    /// Whether to decode texts that were encoded as UTF-8 twice once more (Rules.md, rule 18). The default is `true`.
    public var repairsTexts = true
    /// The encoding, which overrides the declaration; `nil` detects it.
    public var encoding: String?
    /// The minimum share of the stored airings that the guide must contain to be accepted, in percent, 0…100; the guide
    /// must also contain at least one airing. `nil`, the default, accepts any guide. See ``ImportSafeguard``.
    public var minimumShare: Int?
    /// Limits on the size of the guide.
    public var limits = ImportLimits()
    /// A closure that receives the number of programmes read, after each 1,024 and at the end.
    public var progress: (@Sendable (_ programmes: Int) -> Void)?
    /// Whether to check records against the DTD, as a validator does.
    package var checksRules = false

    /// Creates options that import the complete guide by default.
    public init(window: TimeWindow? = nil, stations: [WildcardPattern] = []) {
        self.init(window: window, stations: stations, policy: .standard)
    }

    package init(window: TimeWindow? = nil, stations: [WildcardPattern] = [], policy: NormalizationPolicy) {
        self.window = window
        self.stations = stations
        self.policy = policy
    }

    /// The window that contains the windows of all stations.
    var widestWindow: TimeWindow? {
        window.map { TimeWindow(start: min($0.start, starts.values.min() ?? $0.start), end: $0.end) }
    }

    /// Returns the window of a station.
    func window(of station: StationID) -> TimeWindow? {
        window.map { TimeWindow(start: min($0.start, starts[station] ?? $0.start), end: $0.end) }
    }

    /// Returns the options, completed by the source's options.
    func completed(by source: Source) -> ImportOptions {
        var options = self
        if stations.isEmpty { options.stations = source.stations.map { WildcardPattern($0) } }
        options.encoding = encoding ?? source.encoding
        return options
    }

    /// The safeguard for the minimum share. It ignores stations that the options exclude.
    var safeguard: ImportSafeguard? {
        minimumShare.map { share in
            ImportSafeguard(minimumShare: share) { [stations] station in
                stations.isEmpty || stations.contains { $0.matches(station.rawValue) }
            }
        }
    }
}

/// The options for a guide or playlist that a client uploads, or that was downloaded for a preview.
package struct ImportRequest: Sendable {
    /// The name of the source.
    package var source: String
    /// The required format; `nil` accepts any.
    package var format: ImportFormat?
    /// The name of a playlist's lineup; `nil` uses the name of the source.
    package var lineup: String?
    /// Where the file comes from; `nil` for an upload.
    package var download: GuideDownload?
    /// The zone of times without a zone; `nil` uses the zone of the source, or UTC for a download.
    package var timeZone: String?
    /// Seconds between two refreshes of a download; `nil` for every run.
    package var interval: Int64?
    /// The Xtream account of a download; `nil` without one. The location is the URL of its server.
    package var account: SourceAccount?
    /// Whether refreshes add the guides that a downloaded playlist names as sources.
    package var followsGuides = false
    /// Seconds to add to all times; `nil` uses the shift of the source.
    package var shift: Int64?
    /// The options of the import.
    package var options: ImportOptions
    /// The instant for the import log.
    package var now: Instant

    /// Creates an order with the default options, for a guide or playlist in any format.
    package init(source: String, now: Instant) {
        self.source = source
        self.now = now
        options = ImportOptions()
    }
}

/// Where a file was downloaded, and how the next refresh recognizes it.
package struct GuideDownload: Hashable, Sendable {
    /// The requested URL.
    package var location: String
    /// The hash of the bytes.
    package var hash: String
    /// The `ETag` of the response; `nil` without one.
    package var entityTag: String?
    /// The `Last-Modified` of the response; `nil` without one.
    package var lastModified: String?
    /// The time of the request.
    package var date: Instant

    /// Creates the description of a download.
    package init(location: String, hash: String, entityTag: String?, lastModified: String?, date: Instant) {
        self.location = location
        self.hash = hash
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.date = date
    }
}

/// The file formats that an ``ImportRequest`` can require.
package enum ImportFormat: String, CaseIterable, Sendable, CustomStringConvertible {
    case xmltv, json, m3u

    package var description: String { rawValue }

    /// Returns whether this format includes a detected format.
    package func fits(_ format: GuideFormat) -> Bool {
        switch self {
        case .xmltv: format == .xmltv
        case .json: format == .json
        case .m3u: format == .playlist
        }
    }
}
