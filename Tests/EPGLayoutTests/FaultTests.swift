import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Faults of known grids (GridRules.md) that no other suite covers. Of the others, cumulative x, rounded times,
/// closed intervals and programmes that began earlier are in `RowTests`, the now-line and the counts of hours in
/// `GeometryTests`, the inverse in `PinningTests`, scanning and staleness in `GridLayoutTests`.
@Suite struct FaultTests {
    private func layout(pointsPerHour: Double, days: Int64, scale: Double = 1) throws -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: 60, stationColumnWidth: 100, headerHeight: 40, scale: scale)
        return try GuideLayout(metrics: metrics, window: window(0, days * 1440), rowCount: 1)
    }

    /// Hours as Float32 are too coarse: steps are 0.11 s after a fortnight (336 h) and 28 s after 10 years.
    @Test func secondsRemainDistinctAfterTenYears() throws {
        let layout = try layout(pointsPerHour: 3600, days: 3653)
        let instant = minutes(3652 * 1440).advanced(by: 7)
        expectEqual(layout.x(of: instant), 100 + 3652 * 86_400 + 7)
        expectEqual(layout.instant(atX: layout.x(of: instant)), instant)
    }

    /// Truncating x and width separately opens one-pixel seams; here 1/7 of an hour is 14.2857 points.
    @Test func cellsOfSeventhOfHourHaveNoSeams() throws {
        let layout = try layout(pointsPerHour: 100, days: 1)
        let airings = (0..<7).map {
            airing(
                Int64($0),
                TimeWindow(
                    start: dayStart.advanced(by: Int64($0) * 3600 / 7),
                    end: dayStart.advanced(by: (Int64($0) + 1) * 3600 / 7)))
        }
        let cells = layout.elements(in: try layout.everything(), schedules: [rowSchedule(0, airings)])
            .filter { $0.kind == .airing }.map(\.frame)
        expectEqual(cells.map(\.minX), [100, 114, 129, 143, 157, 171, 186])
        expectEqual(cells.map(\.maxX), [114, 129, 143, 157, 171, 186, 200])
    }

    /// Days of 86,400,000 ms put airings after a clock change an hour off; the layout uses instants only.
    @Test func airingAfterClockChangeIsAtItsInstant() throws {
        // London, 2026-10-25: a day of 25 hours; 23:00 GMT is 24 hours after its midnight, 00:00 BST.
        let midnight = Instant(secondsSince1970: 1_792_882_800)
        let metrics = try GuideMetrics(pointsPerHour: 100, rowHeight: 60, stationColumnWidth: 0, headerHeight: 0)
        let layout = try GuideLayout(
            metrics: metrics, window: TimeWindow(start: midnight, end: midnight.advanced(by: 25 * 3600)), rowCount: 1)
        let late = TimeWindow(start: midnight.advanced(by: 24 * 3600), end: midnight.advanced(by: 25 * 3600))
        let cells = layout.elements(in: try layout.everything(), schedules: [rowSchedule(0, [airing(1, late)])])
        expectEqual(cells.first { $0.kind == .airing }?.frame, Rect(minX: 2400, minY: 0, maxX: 2500, maxY: 60))
    }

    /// Positions do not depend on preceding cells: a thousand short airings do not move the next one.
    @Test func shortAiringsDoNotShiftNextAiring() throws {
        let layout = try layout(pointsPerHour: 333.3, days: 1, scale: 1.5)
        let short = (0..<1000).map { index in
            airing(
                Int64(index),
                TimeWindow(
                    start: dayStart.advanced(by: Int64(index) * 7), end: dayStart.advanced(by: Int64(index) * 7 + 7)))
        }
        let all = short + [airing(5000, window(120, 180))]
        let cells = layout.elements(in: try layout.everything(), schedules: [rowSchedule(0, all)])
        // 100 + 2 · 333.3 = 766.6; · 1.5 = 1149.9, so pixel 1150.
        expectEqual(cells.first { $0.airing?.id == AiringID(5000) }?.frame.minX, 1150 / 1.5)
    }

    /// A point exactly at the stop hits the next airing in every orientation and direction.
    @Test(arguments: Axis.allCases, LayoutDirection.allCases)
    func pointAtStopHitsNextAiring(axis: Axis, direction: LayoutDirection) throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        let layout = try GuideLayout(
            metrics: metrics, window: window(0, 120), rowCount: 1, timeAxis: axis, direction: direction)
        // An hour after the start: 700 points along the axis of time.
        let mirrored = direction == .rightToLeft
        let point: Point =
            switch axis {
            case .horizontal: Point(x: mirrored ? 1300 - 700 : 700, y: 60)
            case .vertical: Point(x: 60, y: 700)
            }
        let place = layout.place(atX: point.x, y: point.y, in: try layout.everything())
        expectEqual(place, .schedule(row: 0, minutes(60)))
    }

    @Test func rightToLeftTitleStaysVisible() throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        let layout = try GuideLayout(
            metrics: metrics, window: window(0, 120), rowCount: 1, direction: .rightToLeft)
        // The content is 1300 wide and 500 … 900 is visible, with the station column at 800 … 900. The cell spans 0 … 1200.
        let viewport = try Viewport(x: 500, y: 0, width: 400, height: 120)
        let elements = layout.elements(in: viewport, schedules: [rowSchedule(0, [airing(1, window(0, 120))])])
        let cell = try #require(elements.first { $0.kind == .airing })
        expectEqual(cell.frame.minX, 0)
        expectEqual(cell.frame.maxX, 1200)
        expectEqual(cell.visibleStart, 800)
        expectEqual(cell.visibleEnd, 500)
        expectEqual(cell.leadingTextInset(leastTextWidth: 100), 400)
    }

    /// Frames behave like the geometry: from right to left, the left edge of an airing is its stop.
    @Test func foremostElementAtStopIsNextAiringAlsoRightToLeft() throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        let layout = try GuideLayout(
            metrics: metrics, window: window(0, 120), rowCount: 1, direction: .rightToLeft)
        let row = rowSchedule(0, [airing(1, window(0, 60)), airing(2, window(60, 120))])
        // Content 1300 wide: the first hour is 600 … 1200, the second 0 … 600, the station 1200 … 1300.
        let elements = layout.elements(in: try layout.everything(), schedules: [row])
        expectEqual(elements.foremost(atX: 600, y: 60)?.airing?.id.rawValue, 2)
        expectEqual(elements.foremost(atX: 600.01, y: 60)?.airing?.id.rawValue, 1)
        expectEqual(elements.foremost(atX: 1200, y: 60)?.airing?.id.rawValue, 1)
        expectEqual(elements.foremost(atX: 1300, y: 60)?.kind, .station)
        expectEqual(elements.foremost(atX: 0, y: 60), nil)
    }

    @Test(arguments: [(19.0, 0), (20, 1), (45, 2), (80, 4)])
    func textLinesDependOnCellHeight(height: Double, lines: Int) throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: height, stationColumnWidth: 100, headerHeight: 40)
        let layout = try GuideLayout(metrics: metrics, window: window(0, 120), rowCount: 1)
        let elements = layout.elements(
            in: try layout.everything(), schedules: [rowSchedule(0, [airing(1, window(0, 60))])])
        let cell = try #require(elements.first { $0.kind == .airing })
        expectEqual(cell.textLines, lines)
    }

    @Test func verticalTextLinesDependOnCellLength() throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: 200, stationColumnWidth: 100, headerHeight: 40)
        let layout = try GuideLayout(metrics: metrics, window: window(0, 120), rowCount: 1, timeAxis: .vertical)
        let row = rowSchedule(0, [airing(1, window(0, 5)), airing(2, window(5, 65))])
        let cells = layout.elements(in: try layout.everything(), schedules: [row]).filter { $0.kind == .airing }
        expectEqual(cells.map(\.textLines), [2, 30])  // 50 and 600 points of lines of 20
    }
}
