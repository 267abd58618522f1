public import EPGModel

/// An instant that the header names: a full hour, a half hour, or the first instant of a day in the viewer's zone.
///
/// The layout knows no zone. Who does (`EPGCalendar`) hands these in, and so a day of 23 or 25 hours, a repeated hour and
/// zones of 30 or 45 minutes need nothing here (facts, layout 2).
public struct TimeMark: Hashable, Sendable {
    /// What may begin at an instant.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// In the viewer's zone.
        case day, hour, halfHour
    }

    /// Where it stands on the time axis.
    public let instant: Instant
    /// What is written there: `01:00`, `01:00 BST`, `Sat 24 Oct`.
    public let label: String
    /// What begins there.
    public let kind: Kind

    public init(instant: Instant, label: String, kind: Kind) {
        self.instant = instant
        self.label = label
        self.kind = kind
    }
}

/// The marks of a guide in order of time.
public struct GuideMarks: Hashable, Sendable {
    /// Hours and half hours, in order.
    public let hours: [TimeMark]
    /// Days, in order.
    public let days: [TimeMark]

    /// Marks in any order.
    ///
    /// The last mark before the guide's window is worth handing in too: it names the hour and the day that are under way.
    /// Of two marks of one instant the one of the smaller kind (hour before half hour) and label is kept.
    /// - Complexity: O(n log n).
    public init(_ marks: [TimeMark] = []) {
        let sorted = marks.sorted {
            ($0.instant, $0.kind.rawValue, $0.label) < ($1.instant, $1.kind.rawValue, $1.label)
        }
        hours = GuideMarks.withoutRepeats(sorted.filter { $0.kind != .day })
        days = GuideMarks.withoutRepeats(sorted.filter { $0.kind == .day })
    }

    /// The last day that began at or before an instant.
    /// - Complexity: O(log n).
    public func day(at instant: Instant) -> TimeMark? {
        let next = days.partitioningIndex { $0.instant > instant }
        return next > 0 ? days[next - 1] : nil
    }

    private static func withoutRepeats(_ sorted: [TimeMark]) -> [TimeMark] {
        var kept: [TimeMark] = []
        for mark in sorted where kept.last?.instant != mark.instant {
            kept.append(mark)
        }
        return kept
    }
}
