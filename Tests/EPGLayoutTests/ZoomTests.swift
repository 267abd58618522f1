import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of zoom, paging and prefetching.
@Suite struct ZoomTests {
    private func grid(
        _ axis: Axis = .horizontal, _ direction: LayoutDirection = .leftToRight, thumbnails: Double = 0
    ) throws -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40,
            thumbnails: thumbnails > 0 ? .scrolling(width: thumbnails) : .none)
        return try GuideLayout(
            metrics: metrics, window: window(0, 24 * 60), rowCount: 100, timeAxis: axis, direction: direction)
    }

    @Test func zoomKeepsInstantUnderPointer() throws {
        let grid = try grid()
        let viewport = try Viewport(x: 1000, y: 80, width: 800, height: 400)
        // Content x 1300 is 2 h after the start; at 1200 points per hour it is 100 + 2400, so the offset is 2500 - 300.
        let zoomed = try grid.zoomed(toPointsPerHour: 1200)
        let offset = grid.contentOffset(keepingInstantAt: Point(x: 300, y: 50), in: viewport, zoomed: zoomed)
        expectEqual(offset, Point(x: 2200, y: 80))
        // Zooming out again restores the offset.
        let there = try Viewport(x: offset.x, y: offset.y, width: 800, height: 400)
        expectEqual(
            zoomed.contentOffset(keepingInstantAt: Point(x: 300, y: 50), in: there, zoomed: grid), Point(x: 1000, y: 80)
        )
    }

    @Test func pointerOverStationsKeepsFirstVisibleInstant() throws {
        let grid = try grid()
        let viewport = try Viewport(x: 600, y: 0, width: 800, height: 400)
        let zoomed = try grid.zoomed(toPointsPerHour: 300)
        // The columns end at content x 700, an hour after the start: 100 + 300 must stay 100 right of the offset.
        expectEqual(grid.contentOffset(keepingInstantAt: Point(x: 20, y: 50), in: viewport, zoomed: zoomed).x, 300)
    }

    @Test(arguments: [
        (Axis.horizontal, LayoutDirection.leftToRight), (.horizontal, .rightToLeft), (.vertical, .leftToRight),
    ])
    func zoomKeepsInstantInEveryOrientation(axis: Axis, direction: LayoutDirection) throws {
        let grid = try grid(axis, direction, thumbnails: 50)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<1000 {
            let viewport = try Viewport(
                x: .random(in: 3000...6000, using: &random), y: .random(in: 2000...4000, using: &random), width: 700,
                height: 700)
            let pointer = Point(x: .random(in: 150...550, using: &random), y: .random(in: 150...550, using: &random))
            let zoomed = try grid.zoomed(toPointsPerHour: .random(in: 400...5000, using: &random))
            let offset = grid.contentOffset(keepingInstantAt: pointer, in: viewport, zoomed: zoomed)
            let size = zoomed.contentSize
            guard offset.x > 0, offset.y > 0, offset.x < size.width - 700, offset.y < size.height - 700 else {
                continue
            }
            let before = grid.presentation.solved(viewport.rect.origin + pointer).x
            let after = zoomed.presentation.solved(offset + pointer).x
            let hours = (before - grid.timeOrigin) / 600
            #expect(abs((after - zoomed.timeOrigin) / zoomed.metrics.pointsPerHour - hours) < 1e-3)
        }
    }

    @Test func excessiveZoomIsRejectedAndOffsetsStayInContent() throws {
        let grid = try grid()
        #expect(throws: GuideLayoutError.self) { try grid.zoomed(toPointsPerHour: .nan) }
        let viewport = try Viewport(x: 14_000, y: 0, width: 800, height: 400)
        let zoomed = try grid.zoomed(toPointsPerHour: 0.01)
        for pointer in [Point(x: .nan, y: .nan), Point(x: 1e300, y: 0), Point(x: -.infinity, y: 0)] {
            expectEqual(grid.contentOffset(keepingInstantAt: pointer, in: viewport, zoomed: zoomed).x, 0)
        }
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

    @Test func prefetchFollowsMovement() throws {
        let grid = try grid()
        let viewport = try Viewport(x: 2000, y: 1640, width: 600, height: 400)
        let later = grid.prefetchDemands(in: viewport, movingBy: Point(x: 5, y: 0))
        #expect(later.count == 1 && later[0].rows == 19..<26)
        // 2600 … 3200 is +250 … +310 minutes, extended by a point on both sides.
        expectEqual(later[0].window.start, minutes(250).advanced(by: -6))
        #expect(abs(minutes(310).seconds(to: later[0].window.end)) <= 7)
        let down = grid.prefetchDemands(in: viewport, movingBy: Point(x: 0, y: 9))
        #expect(down.count == 1 && down[0].rows.lowerBound == 24 && down[0].rows.upperBound == 31)
        expectEqual(grid.prefetchDemands(in: viewport, movingBy: Point(x: -1, y: -1)).count, 2)
        #expect(grid.prefetchDemands(in: viewport, movingBy: .zero).isEmpty)
        let end = try Viewport(x: 14_500 - 600, y: 0, width: 600, height: 400)
        #expect(grid.prefetchDemands(in: end, movingBy: Point(x: 1, y: .nan), pages: 1e300).isEmpty)
        #expect(grid.prefetchDemands(in: end, movingBy: Point(x: 1, y: -1)).isEmpty)
        let beyond = try Viewport(x: 20_000, y: -900, width: 600, height: 400)
        #expect(grid.prefetchDemands(in: beyond, movingBy: Point(x: 1, y: -1)).isEmpty)
    }

    @Test func prefetchFollowsOrientationAndDirection() throws {
        // From right to left, the left is later: 1400 … 2000 of 14,500 is 12,500 … 13,100 from the right.
        let mirrored = try grid(.horizontal, .rightToLeft)
        let viewport = try Viewport(x: 2000, y: 1640, width: 600, height: 400)
        let left = mirrored.prefetchDemands(in: viewport, movingBy: Point(x: -5, y: 0))
        expectEqual(left.map(\.rows), [19..<26])
        #expect(abs(minutes(1240).seconds(to: try #require(left.first).window.start)) <= 7)
        #expect(abs(minutes(1300).seconds(to: try #require(left.first).window.end)) <= 7)
        let downwards = try grid(.vertical)
        let viewportInGuide = try Viewport(x: 1640, y: 2000, width: 400, height: 600)
        let later = downwards.prefetchDemands(in: viewportInGuide, movingBy: Point(x: 0, y: 5), pages: 2)
        expectEqual(later.map(\.rows), [19..<26])
        #expect(abs(minutes(250).seconds(to: try #require(later.first).window.start)) <= 7)
        #expect(abs(minutes(370).seconds(to: try #require(later.first).window.end)) <= 7)
        // In a diagonal movement the strip of rows includes the corner, so that nothing is read twice.
        let both = downwards.prefetchDemands(in: viewportInGuide, movingBy: Point(x: 5, y: 5))
        expectEqual(both.map(\.rows), [19..<26, 24..<31])
        #expect(abs(minutes(310).seconds(to: try #require(both.last).window.end)) <= 7)
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
