import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of paging, and of the offsets that show instants and rows.
@Suite struct PagingTests {
    private func grid(
        _ axis: Axis = .horizontal, _ direction: LayoutDirection = .leftToRight, thumbnails: Double = 0
    ) throws -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40,
            thumbnails: thumbnails > 0 ? .scrolling(width: thumbnails) : .none)
        return try GuideLayout(
            metrics: metrics, window: window(0, 24 * 60), rowCount: 100, timeAxis: axis, direction: direction)
    }

    @Test func pageIsVisibleTimeInHalfHours() throws {
        let grid = try grid()
        // 800 − 100 points are 70 minutes, so a page is an hour.
        let viewport = try Viewport(x: 600, y: 0, width: 800, height: 400)
        expectEqual(grid.visibleTime(in: viewport), window(60, 130))
        expectEqual(grid.contentOffset(pagingBy: 1, in: viewport), Point(x: 1200, y: 0))
        expectEqual(grid.contentOffset(pagingBy: -5, in: viewport), Point(x: 0, y: 0))
        expectEqual(grid.contentOffset(pagingBy: .max, in: viewport), Point(x: 14_500 - 800, y: 0))
        expectEqual(grid.contentOffset(showing: minutes(300), in: viewport), Point(x: 3000, y: 0))
    }

    @Test func rowBecomesVisibleBelowHeaderOrAboveBottom() throws {
        let grid = try grid()
        let viewport = try Viewport(x: 0, y: 800, width: 800, height: 400)  // rows 10 … 14 below the header
        expectEqual(grid.visibleRows(in: viewport), 10..<15)
        expectEqual(grid.contentOffset(showingRow: 12, in: viewport).y, 800)
        expectEqual(grid.contentOffset(showingRow: 9, in: viewport).y, 720)
        expectEqual(grid.contentOffset(showingRow: 15, in: viewport).y, 40 + 16 * 80 - 400)
        expectEqual(grid.contentOffset(showingRow: .max, in: viewport).y, 8040 - 400)
    }

    @Test func firstInstantShowsScrollingThumbnails() throws {
        let grid = try grid(thumbnails: 50)
        let viewport = try Viewport(x: 650, y: 0, width: 800, height: 400)
        expectEqual(grid.visibleTime(in: viewport), window(60, 130))
        expectEqual(grid.contentOffset(showing: minutes(60), in: viewport).x, 650)
        expectEqual(grid.contentOffset(showing: minutes(0), in: viewport).x, 0)
        expectEqual(grid.contentOffset(pagingBy: -1, in: viewport).x, 0)
    }

    /// Half hours of 166.65 points begin between device pixels, which must not accumulate from page to page.
    @Test(arguments: [
        (Axis.horizontal, LayoutDirection.leftToRight), (.horizontal, .rightToLeft), (.vertical, .leftToRight),
    ])
    func pagingDoesNotDrift(axis: Axis, direction: LayoutDirection) throws {
        let metrics = try GuideMetrics(pointsPerHour: 333.3, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        let grid = try GuideLayout(
            metrics: metrics, window: window(0, 14 * 1440), rowCount: 1, timeAxis: axis, direction: direction)
        // 767 − 100 points are 2 hours and 4 seconds.
        let size = axis == .horizontal ? (767.0, 120.0) : (120.0, 767.0)
        var viewport = try Viewport(
            x: direction == .rightToLeft ? grid.contentSize.width - size.0 : 0, y: 0, width: size.0, height: size.1)
        for page in 1...160 {
            viewport = grid.viewport(viewport, at: grid.contentOffset(pagingBy: 1, in: viewport))
            expectEqual(grid.visibleTime(in: viewport).start, minutes(Int64(page) * 120))
        }
        for _ in 1...160 {
            viewport = grid.viewport(viewport, at: grid.contentOffset(pagingBy: -1, in: viewport))
        }
        expectEqual(grid.visibleTime(in: viewport).start, minutes(0))
    }
}
