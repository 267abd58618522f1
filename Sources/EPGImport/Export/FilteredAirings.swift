package import EPGModel

/// Passes on only the airings that meet a condition, and counts them.
package struct FilteredAirings<Visitor: GuideVisitor>: GuideVisitor {
    package private(set) var visitor: Visitor
    /// The number of airings that were passed on.
    package private(set) var count = 0
    /// The start of the last airing of all stations that was passed on.
    package private(set) var lastStart: Instant?
    private let isIncluded: (ExportedAiring) -> Bool

    /// Passes on the airings for which `isIncluded` returns `true`, in their order.
    package init(for visitor: Visitor, where isIncluded: @escaping (ExportedAiring) -> Bool) {
        self.visitor = visitor
        self.isIncluded = isIncluded
    }

    /// Passes on the airings that start in a window.
    ///
    /// Windows that touch then share no airing: the days of a guide add up to the whole.
    package init(startingIn window: TimeWindow, for visitor: Visitor) {
        self.init(for: visitor) { window.contains($0.window.start) }
    }

    package mutating func begin(header: [ContentAttribute]) throws { try visitor.begin(header: header) }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        try visitor.station(row, nodes: nodes)
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
        guard isIncluded(airing) else { return }
        count += 1
        lastStart = max(lastStart ?? airing.window.start, airing.window.start)
        try visitor.airing(airing)
    }

    package mutating func end() throws { try visitor.end() }
}
