package import EPGModel

/// Hands on only those airings that start in a window, and counts them.
///
/// Windows that touch then share no airing: the days of a guide add up to the whole.
package struct StartingAirings<Visitor: GuideVisitor>: GuideVisitor {
    package private(set) var visitor: Visitor
    /// How many airings were handed on.
    package private(set) var count = 0
    /// The start of the last airing of all stations that was handed on.
    package private(set) var lastStart: Instant?
    private let window: TimeWindow

    package init(in window: TimeWindow, for visitor: Visitor) {
        self.window = window
        self.visitor = visitor
    }

    package mutating func begin(header: [ContentAttribute]) throws { try visitor.begin(header: header) }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        try visitor.station(row, nodes: nodes)
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
        let start = airing.window.start
        guard window.contains(start) else { return }
        count += 1
        lastStart = max(lastStart ?? start, start)
        try visitor.airing(airing)
    }

    package mutating func end() throws { try visitor.end() }
}
