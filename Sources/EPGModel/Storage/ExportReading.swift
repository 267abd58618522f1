/// Gives a stored guide out, from one read transaction, without ever holding it in memory.
package protocol GuideExporting {
    /// Shows a visitor the header, then the stations, then the airings of each station in the same order, then the end.
    ///
    /// - Complexity: Memory for the keys of all stations and for one airing; for the times of one station where several
    ///   sources know it.
    /// - Throws: ``UnknownSource``, what the visitor throws, as it is, and the errors of the store.
    func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws
}

/// What a guide is given out to.
package protocol GuideVisitor {
    /// Begins: the attributes of `<tv>` of the only source, or none where there are several.
    mutating func begin(header: [ContentAttribute]) throws

    /// A station. All stations come before the first airing.
    ///
    /// - Parameter nodes: Its description as it is stored, in the order of the feed; empty where no feed declared it.
    mutating func station(_ station: StationRow, nodes: [ContentNode]) throws

    /// An airing; those of a station come one after the other, in order of start and part.
    mutating func airing(_ airing: ExportedAiring) throws

    /// Everything was shown.
    mutating func end() throws
}

/// What is to be given out of a guide.
package struct ExportSelection: Sendable {
    /// Airings that overlap it, with their whole times; `nil` for all.
    package var window: TimeWindow?
    /// The name of a source, for all that it says, shown or not; `nil` for what is shown. The stations are then those
    /// that it describes or has airings of.
    package var source: String?
    /// Which stations; `nil` for all.
    package var stations: (@Sendable (Station) -> Bool)?
    /// Whether stations come in the order of the rows; else by the source that describes them and their place in it.
    package var inRows = false

    package init() {}
}

/// An airing with everything that the feed says of its programme.
package struct ExportedAiring: Sendable {
    /// Where it is shown.
    package var station: StationID
    /// When it is on; where a better source speaks for a part of its time, what is left of it.
    package var window: TimeWindow
    /// What the feed said, where that differs from ``window``.
    package var published: PublishedTimes?
    /// The feed gave no usable stop: the one here was inferred.
    package var isStopInferred: Bool
    /// Its place among those that share the window; `nil` where it has the window for itself.
    package var clump: Clump?
    /// Attributes of the transmission (`showview`, `catchup-id` …), in the order of the feed.
    package var transmission: [ContentAttribute]
    /// The content of the programme.
    package var programme: StoredProgramme
    /// The name of the source that it came from.
    package var source: String

    package init(
        station: StationID, window: TimeWindow, published: PublishedTimes? = nil, isStopInferred: Bool = false,
        clump: Clump? = nil, transmission: [ContentAttribute] = [],
        programme: StoredProgramme, source: String
    ) {
        self.station = station
        self.window = window
        self.published = published
        self.isStopInferred = isStopInferred
        self.clump = clump
        self.transmission = transmission
        self.programme = programme
        self.source = source
    }
}

/// There is no source of the name that an export was to give out.
package struct UnknownSource: Error, Hashable, Sendable, CustomStringConvertible {
    /// As it was asked for.
    package let name: String

    package init(name: String) {
        self.name = name
    }

    package var description: String { "There is no source \(name). See epg source list." }
}
