import CollectionLayout
import EPGModel

/// The position of an element for assistive technologies (GridRules.md).
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
    public func accessibility(of element: GuideElement, marks: GuideMarks) -> GuideAccessibility? {
        let line = line(of: element)
        func place(_ column: Int, _ span: Int = 1) -> GuideAccessibility {
            timeAxis == .horizontal
                ? GuideAccessibility(rowIndex: line, rowSpan: 1, columnIndex: column, columnSpan: span)
                : GuideAccessibility(rowIndex: column, rowSpan: span, columnIndex: line, columnSpan: 1)
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
            return place(headColumns + start + 1, end - start + 1)
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
