/// The airings of one station, sorted by start and not overlapping.
public struct Schedule: Hashable, Sendable {
    public let station: StationID
    /// In order of start; those of a clump share a window, in the order of the clump.
    public let airings: [Airing]

    /// - Precondition: The airings are sorted, each starts no earlier than the one before it stops, and only those of
    ///   one clump share a window. Use ``init(checking:of:)`` for airings from outside.
    /// - Complexity: O(n).
    public init(station: StationID, airings: [Airing]) {
        precondition(Schedule.firstOverlap(in: airings) == nil, "the airings of a schedule can't overlap")
        self.station = station
        self.airings = airings
    }

    /// - Throws: ``ScheduleOverlap`` with the first two airings in conflict.
    public init(checking airings: [Airing], of station: StationID) throws(ScheduleOverlap) {
        if let index = Schedule.firstOverlap(in: airings) {
            throw ScheduleOverlap(first: airings[index - 1].id, second: airings[index].id)
        }
        self.station = station
        self.airings = airings
    }

    /// The airings and the gaps between them that tile a window (facts, rule 7).
    ///
    /// Airings keep their own times, even where they reach beyond the window; gaps are cut at its edges. The airings of
    /// a clump are one segment. An empty window has no segments.
    /// - Complexity: O(log n + k) for k segments.
    public func segments(in window: TimeWindow) -> [ScheduleSegment] {
        guard !window.isEmpty else { return [] }
        var segments: [ScheduleSegment] = []
        var reached = window.start
        var index = airings.partitioningIndex { $0.window.end > window.start }
        while index < airings.count, airings[index].window.start < window.end {
            let shared = airings[index].window
            var end = index + 1
            while end < airings.count, airings[end].window == shared { end += 1 }
            if shared.start > reached { segments.append(.gap(TimeWindow(start: reached, end: shared.start))) }
            segments.append(.airings(airings[index..<end]))
            reached = max(reached, shared.end)
            index = end
        }
        if reached < window.end { segments.append(.gap(TimeWindow(start: reached, end: window.end))) }
        return segments
    }

    /// The index of the first airing in conflict with the one before it.
    private static func firstOverlap(in airings: [Airing]) -> Int? {
        guard airings.count > 1 else { return nil }
        return (1..<airings.count).first { index in
            let (previous, current) = (airings[index - 1], airings[index])
            if current.window == previous.window, let first = previous.clump, let second = current.clump {
                return second.index <= first.index
            }
            return current.window.start < previous.window.end || current.window.start < previous.window.start
        }
    }
}

/// A part of a schedule.
public enum ScheduleSegment: Hashable, Sendable {
    /// One airing, or those that share one window.
    case airings(ArraySlice<Airing>)
    case gap(TimeWindow)
}

/// Two airings of one station at the same time.
public struct ScheduleOverlap: Error, Hashable, Sendable {
    public let first: AiringID
    /// It starts before the first has stopped.
    public let second: AiringID
}

extension RandomAccessCollection {
    /// The first index at which a predicate that is false, then true, holds.
    ///
    /// - Complexity: O(log n).
    @inlinable package func partitioningIndex(
        where belongsInSecondPartition: (Element) throws -> Bool
    ) rethrows -> Index {
        var low = startIndex
        var remaining = count
        while remaining > 0 {
            let half = remaining / 2
            let middle = index(low, offsetBy: half)
            if try belongsInSecondPartition(self[middle]) {
                remaining = half
            } else {
                low = index(after: middle)
                remaining -= half + 1
            }
        }
        return low
    }
}
