import CollectionLayout
public import EPGModel

/// Where an element stands for who doesn't see it, and the facts of what is spoken of it (facts, layout 2).
///
/// Rows and columns count from 1, as in ARIA's grids (chosen: the hours are row 1, then each header of a group and each
/// station has a row of its own; the station is column 1, the thumbnail, if there is one, column 2, and then comes a column
/// for each hour or half hour of the header). Where time runs downwards, rows and columns change places.
public struct GuideAccessibility: Hashable, Sendable {
    /// The first row that it is in, from 1.
    public let rowIndex: Int
    /// Over how many rows it goes, at least 1.
    public let rowSpan: Int
    /// The first column that it is in, from 1.
    public let columnIndex: Int
    /// Over how many columns it goes, at least 1.
    public let columnSpan: Int
    /// What is said of the times of an airing or a gap; `nil` for all else.
    public let spoken: SpokenRange?
}

/// The facts of a spoken time range; the words are a face's.
public struct SpokenRange: Hashable, Sendable {
    /// Where it stands to now.
    public enum Phase: Hashable, Sendable {
        /// It has stopped; 0 at the instant of its stop.
        case past(endedSecondsAgo: Int64)
        /// It is on; 0 passed at the instant of its start, and at least 1 left.
        case current(secondsPassed: Int64, secondsLeft: Int64)
        /// It has not begun; at least 1 until it does.
        case future(startsInSeconds: Int64)
    }

    /// The airing's own times, not those at which the guide's window cuts it.
    public let window: TimeWindow
    /// `nil` where now isn't known.
    public let phase: Phase?

    /// The facts at an instant; `nil` where now isn't known.
    public init(_ window: TimeWindow, now: Instant?) {
        self.window = window
        phase = now.map { now in
            if window.end <= now { return .past(endedSecondsAgo: window.end.seconds(to: now)) }
            if window.start > now { return .future(startsInSeconds: now.seconds(to: window.start)) }
            return .current(secondsPassed: window.start.seconds(to: now), secondsLeft: now.seconds(to: window.end))
        }
    }
}

extension GuideLayout {
    /// The number of rows for who doesn't see the grid: the hours, the headers of groups and the stations.
    public func accessibilityRowCount(_ marks: GuideMarks) -> Int {
        timeAxis == .horizontal ? stationLineCount : timeLineCount(marks)
    }

    /// The number of columns: the pinned ones and one for each hour or half hour of the header.
    public func accessibilityColumnCount(_ marks: GuideMarks) -> Int {
        timeAxis == .horizontal ? timeLineCount(marks) : stationLineCount
    }

    /// Where an element stands among rows and columns; `nil` for lines, which are nothing to come to.
    ///
    /// - Complexity: O(log n) in the number of marks.
    public func accessibility(of element: GuideElement, marks: GuideMarks, now: Instant?) -> GuideAccessibility? {
        let line = line(of: element)
        func place(_ column: Int, _ span: Int = 1, spoken: SpokenRange? = nil) -> GuideAccessibility {
            timeAxis == .horizontal
                ? GuideAccessibility(rowIndex: line, rowSpan: 1, columnIndex: column, columnSpan: span, spoken: spoken)
                : GuideAccessibility(rowIndex: column, rowSpan: span, columnIndex: line, columnSpan: 1, spoken: spoken)
        }
        switch element.kind {
        case .nowLine, .daySeparator: return nil
        case .corner, .station: return place(1, element.kind == .corner ? headColumns : 1)
        case .thumbnail: return place(2)
        case .groupHeader: return place(1, timeLineCount(marks))
        case .airing, .gap, .cluster, .hourHeader, .halfHourHeader:
            guard let shown = element.shown else { return nil }
            let last = max(shown.start, shown.end.advanced(by: -1))
            let (start, end) = (timeColumn(at: shown.start, marks), timeColumn(at: last, marks))
            let isSpoken = element.kind == .airing || element.kind == .gap || element.kind == .cluster
            return place(
                headColumns + start + 1, end - start + 1,
                spoken: isSpoken ? SpokenRange(element.window ?? shown, now: now) : nil)
        }
    }

    /// The row of an element where time runs to the right.
    private func line(of element: GuideElement) -> Int {
        guard let row = element.row else { return 1 }
        guard hasGroupHeaders, let group = rows.group(ofRow: row) else { return row + 2 }
        return row + 2 + group + (element.kind == .groupHeader ? 0 : 1)
    }

    private var stationLineCount: Int { 1 + rowCount + (hasGroupHeaders ? groups.count : 0) }

    private func timeLineCount(_ marks: GuideMarks) -> Int {
        headColumns + timeColumn(at: window.end.advanced(by: window.isEmpty ? 0 : -1), marks) + 1
    }

    private var headColumns: Int { metrics.thumbnails == .none ? 1 : 2 }

    /// The column of an instant among those of the header: that of the guide's start is 0, and each mark after it begins
    /// another.
    private func timeColumn(at instant: Instant, _ marks: GuideMarks) -> Int {
        func marksUpTo(_ instant: Instant) -> Int { marks.hours.partitioningIndex { $0.instant > instant } }
        return marksUpTo(instant) - marksUpTo(window.start)
    }
}
