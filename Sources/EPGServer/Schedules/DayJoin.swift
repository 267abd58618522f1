import EPGModel
import EPGRender

/// Puts the days of a row together to what overlaps a window.
struct DayJoin {
    private let window: TimeWindow
    private(set) var joined: ArraySlice<GridAiring> = []

    init(_ window: TimeWindow) {
        self.window = window
    }

    /// Adds the airings of the next day; one that is on at midnight stands in both days.
    ///
    /// - Complexity: O(log airings) for the first day, and O(airings of the window) for others.
    mutating func append(_ day: [GridAiring]) {
        let first = day.partitioningIndex { $0.end > window.start }
        let end = day.partitioningIndex { $0.start >= window.end }
        guard first < end else { return }
        guard let last = joined.last else {
            joined = day[first..<end]
            return
        }
        joined += day[first..<end].drop { $0.start < last.end || $0.id == last.id }
    }
}

extension TimeWindow {
    /// The days since 1970, in UTC, that the window touches.
    var daysSince1970: Range<Int32> {
        guard !isEmpty else { return 0..<0 }
        let first = start.secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400).quotient
        let last = (end.secondsSince1970 - 1).quotientAndRemainderFloored(dividingBy: 86_400).quotient
        return Int32(clamping: first)..<Int32(clamping: last + 1)
    }

    /// From the beginning of the first of some days to the end of the last.
    init(daysSince1970 days: Range<Int32>) {
        self.init(
            start: Instant(secondsSince1970: Int64(days.lowerBound) * 86_400),
            end: Instant(secondsSince1970: Int64(days.upperBound) * 86_400))
    }
}
