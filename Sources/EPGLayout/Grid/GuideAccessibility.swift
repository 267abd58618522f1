import CollectionLayout
public import EPGModel

/// The position of an element for assistive technologies, and the data of its spoken time range (Rules.md, layout 2).
///
/// Rows and columns are 1-based, as in ARIA grids. The hours are row 1, followed by a row for each group header and each
/// station. The station is column 1, the thumbnail (if any) column 2, followed by a column for each hour or half hour of the
/// header. On a vertical time axis, rows and columns are swapped.
public struct GuideAccessibility: Hashable, Sendable {
    /// The 1-based first row.
    public let rowIndex: Int
    /// The number of rows, at least 1.
    public let rowSpan: Int
    /// The 1-based first column.
    public let columnIndex: Int
    /// The number of columns, at least 1.
    public let columnSpan: Int
    /// The times of an airing, a gap or a cluster; `nil` for other elements.
    public let spoken: SpokenRange?
}

/// The data of a spoken time range; the user interface provides the text.
public struct SpokenRange: Hashable, Sendable {
    /// The relation of a range to the current time.
    public enum Phase: Hashable, Sendable {
        /// The range has ended; 0 at its end.
        case past(endedSecondsAgo: Int64)
        /// The range is current; 0 seconds have passed at its start, and at least 1 is left.
        case current(secondsPassed: Int64, secondsLeft: Int64)
        /// The range has not begun; at least 1 second remains.
        case future(startsInSeconds: Int64)
    }

    /// The airing's own times, not clipped to the guide's window.
    public let window: TimeWindow
    /// The phase; `nil` if the current time is unknown.
    public let phase: Phase?

    /// Creates a range.
    /// - Parameter now: The current time; `nil` if unknown.
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
    /// Returns the number of accessibility rows: the hours, the group headers and the stations.
    public func accessibilityRowCount(_ marks: GuideMarks) -> Int {
        timeAxis == .horizontal ? stationLineCount : timeLineCount(marks)
    }

    /// Returns the number of accessibility columns: the pinned ones and one for each hour or half hour of the header.
    public func accessibilityColumnCount(_ marks: GuideMarks) -> Int {
        timeAxis == .horizontal ? timeLineCount(marks) : stationLineCount
    }

    /// Returns the accessibility position of an element; `nil` for lines, which are not accessible.
    ///
    /// - Complexity: O(log n) for n marks.
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

    /// Returns the row of an element on a horizontal time axis.
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

    /// Returns the 0-based header column of an instant. Each mark after the guide's start begins another column.
    private func timeColumn(at instant: Instant, _ marks: GuideMarks) -> Int {
        func marksUpTo(_ instant: Instant) -> Int { marks.hours.partitioningIndex { $0.instant > instant } }
        return marksUpTo(instant) - marksUpTo(window.start)
    }
}
