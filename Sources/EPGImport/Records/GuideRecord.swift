package import EPGModel

/// A record of a guide that isn't XMLTV: what its decoder hands to the import.
package enum GuideRecord: Hashable, Sendable {
    /// What the guide says of itself, as attributes of `<tv>`.
    case header([ContentAttribute])
    /// A station: its identifier, and the nodes that `<channel>` would hold (see ``Station/nodes``).
    case station(StationID, nodes: [ContentNode], line: Int)
    case airing(AiringRecord)
    /// A record that can't be read; it costs itself only.
    case unreadable(Diagnostic)
}

/// One transmission, as `<programme>` would say it.
package struct AiringRecord: Hashable, Sendable {
    /// A time as a guide gives it.
    package enum Time: Hashable, Sendable {
        /// In any form that ``XMLTVTime`` reads, ISO 8601 among them.
        case text(String)
        case instant(Instant)
    }

    package var station: StationID
    package var start: Time
    package var stop: Time?
    package var clump: Clump?
    /// The attributes of the transmission: `showview`, `catchup-id` …
    package var transmission: [ContentAttribute]
    /// What `<programme>` would hold: title, sub-title, desc …, in any order.
    package var nodes: [ContentNode]
    /// From 1; 0 where the format has no lines.
    package var line: Int

    package init(
        station: StationID, start: Time, stop: Time? = nil, clump: Clump? = nil,
        transmission: [ContentAttribute] = [], nodes: [ContentNode] = [], line: Int = 0
    ) {
        self.station = station
        self.start = start
        self.stop = stop
        self.clump = clump
        self.transmission = transmission
        self.nodes = nodes
        self.line = line
    }
}

/// Reads the records of a guide one after the other.
package protocol GuideRecordReader {
    /// The next record; `nil` at the end.
    ///
    /// - Throws: An error that says why the file can't be read on, and where.
    mutating func next() throws -> GuideRecord?

    /// Bytes that are held beside the record, because later ones need them.
    var heldBytes: Int { get }
}
