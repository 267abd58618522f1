public import EPGModel

/// The guide grid as a pure function: stations down, time across, a viewport over it.
///
/// Content coordinates begin at the upper leading corner. The station column and the header are part of the content and
/// stay in sight while it scrolls; the first instant stands after the columns, the first row below the header.
///
/// It takes two steps, so that only what is visible is ever read: ``demand(of:)`` tells which rows and which stretch of
/// time a viewport needs, and ``page(in:of:)`` makes the elements of what was read for it.
public struct GuideLayout: Hashable, Sendable {
    public let metrics: GuideMetrics
    /// The stretch of time that the guide spans.
    public let window: TimeWindow
    /// The number of stations.
    public let rowCount: Int

    /// The longest window in seconds, about 34,000 years: up to here two seconds never get the same x.
    public static let longestWindow: Int64 = 1 << 40
    /// The greatest number of rows.
    public static let greatestRowCount = 1_000_000_000

    /// A layout.
    ///
    /// - Throws: ``GuideLayoutError`` where the window exceeds ``longestWindow``, or the number of rows is negative or
    ///   exceeds ``greatestRowCount``.
    public init(metrics: GuideMetrics, window: TimeWindow, rowCount: Int) throws(GuideLayoutError) {
        guard window.seconds <= GuideLayout.longestWindow else {
            throw .windowTooLong(seconds: window.seconds, limit: GuideLayout.longestWindow)
        }
        guard (0...GuideLayout.greatestRowCount).contains(rowCount) else {
            throw .rowCountOutOfRange(rowCount, allowed: 0...GuideLayout.greatestRowCount)
        }
        self.metrics = metrics
        self.window = window
        self.rowCount = rowCount
    }

    /// Columns + window · points per hour, and header + rows + the spacing between rows (facts, layout 2).
    public var contentSize: Size {
        Size(width: metrics.pixels.snapped(x(of: window.end)), height: metrics.pixels.snapped(contentHeight))
    }

    // MARK: - Rows

    /// The distance from the upper edge of one row to that of the next.
    private var rowPitch: Double { metrics.rowHeight + metrics.rowSpacing }

    private var contentHeight: Double {
        metrics.headerHeight + max(0, Double(rowCount) * rowPitch - metrics.rowSpacing)
    }

    /// The snapped upper and lower edges of a row.
    func edges(ofRow row: Int) -> (minY: Double, maxY: Double) {
        let top = metrics.headerHeight + Double(row) * rowPitch
        return (metrics.pixels.snapped(top), metrics.pixels.snapped(top + metrics.rowHeight))
    }

    /// The rows that may have a pixel between two heights: a pixel more on both sides, because edges are snapped.
    func rows(fromY minY: Double, toY maxY: Double) -> Range<Int> {
        let pixel = metrics.pixels.pixel
        let first = ((minY - pixel - metrics.headerHeight) / rowPitch).floored
        let last = ((maxY + pixel - metrics.headerHeight) / rowPitch).floored
        guard last >= 0, rowCount > 0, first < Double(rowCount) else { return 0..<0 }
        return Int(first, clampedTo: 0...rowCount - 1)..<Int(last, clampedTo: 0...rowCount - 1) + 1
    }

    /// The row at a height, or `nil` above the first, below the last, and in the space between two.
    func row(atY y: Double) -> Int? {
        rows(fromY: y, toY: y).first { row in
            let edges = edges(ofRow: row)
            return edges.minY <= y && y < edges.maxY
        }
    }
}
