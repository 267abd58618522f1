import CollectionLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of extreme numbers: initializers throw typed errors, and accepted values never trap.
@Suite struct RobustnessTests {
    @Test(arguments: [0, -1, .nan, .infinity, -.infinity, 1e300])
    func invalidDimensionIsRejected(value: Double) {
        #expect(throws: GuideLayoutError.self) {
            try GuideMetrics(pointsPerHour: value, rowHeight: 10, stationColumnWidth: 10, headerHeight: 10)
        }
        #expect(throws: GuideLayoutError.self) {
            try GuideMetrics(pointsPerHour: 100, rowHeight: value, stationColumnWidth: 10, headerHeight: 10)
        }
        #expect(throws: GuideLayoutError.self) {
            try GuideMetrics(pointsPerHour: 100, rowHeight: 10, stationColumnWidth: 10, headerHeight: 10, scale: value)
        }
        #expect(throws: GuideLayoutError.self) { try Viewport(x: 0, y: 0, width: value, height: 10) }
        #expect(throws: GuideLayoutError.self) { try Viewport(x: 0, y: 0, width: 10, height: value) }
    }

    @Test(arguments: [-1, .nan, .infinity])
    func negativeOrInfiniteLengthIsRejected(value: Double) {
        #expect(throws: GuideLayoutError.self) {
            try GuideMetrics(pointsPerHour: 100, rowHeight: 10, stationColumnWidth: value, headerHeight: 10)
        }
        #expect(throws: GuideLayoutError.self) {
            try GuideMetrics(
                pointsPerHour: 100, rowHeight: 10, stationColumnWidth: 10, headerHeight: 10,
                thumbnails: .sticky(width: value))
        }
    }

    @Test func errorMessageContainsValueAndRange() throws {
        let error = #expect(throws: GuideLayoutError.self) {
            try GuideMetrics(pointsPerHour: 100, rowHeight: -2, stationColumnWidth: 10, headerHeight: 10)
        }
        expectEqual(error, .measureOutOfRange(.rowHeight, value: -2, allowed: 0.01...1_000_000))
        expectEqual(error?.description, "rowHeight is -2.0 but must be from 0.01 to 1000000.0")
    }

    @Test func excessiveWindowAndRowCountAreRejected() throws {
        let metrics = try GuideMetrics(pointsPerHour: 100, rowHeight: 10, stationColumnWidth: 10, headerHeight: 10)
        let allTime = TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max))
        #expect(throws: GuideLayoutError.windowTooLong(seconds: .max, limit: GuideLayout.longestWindow)) {
            try GuideLayout(metrics: metrics, window: allTime, rowCount: 1)
        }
        #expect(throws: GuideLayoutError.self) { try GuideLayout(metrics: metrics, window: window(0, 1), rowCount: -1) }
        #expect(throws: GuideLayoutError.self) {
            try GuideLayout(metrics: metrics, window: window(0, 1), rowCount: .max)
        }
    }

    @Test(arguments: [0.01, 1, 1_000_000])
    func instantsRemainDistinctInLongestWindow(pointsPerHour: Double) throws {
        let metrics = try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: 10, stationColumnWidth: 1_000_000, headerHeight: 10)
        let range = TimeWindow(start: dayStart, end: dayStart.advanced(by: GuideLayout.longestWindow))
        let layout = try GuideLayout(metrics: metrics, window: range, rowCount: GuideLayout.maximumRowCount)
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let instant = dayStart.advanced(by: .random(in: 0...GuideLayout.longestWindow, using: &random))
            expectEqual(layout.instant(atX: layout.x(of: instant)), instant)
        }
    }

    @Test(arguments: [-1e15, -1, 0, 5e5, 1e15])
    func extremeOffsetsDoNotTrap(offset: Double) throws {
        let layout = try GuideLayout.example(window: window(0, 240), rows: 1_000_000_000)
        let viewport = try Viewport(x: offset, y: offset, width: 1e12, height: 10)
        let demand = layout.demand(of: viewport)
        #expect(demand.rows.count <= 2)
        _ = layout.elements(in: viewport, schedules: [rowSchedule(.max, []), rowSchedule(-5, [])], now: minutes(5))
        _ = layout.place(atX: offset, y: offset, in: viewport)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func anyXHasAnInstantButNothingToHit(x: Double) throws {
        let layout = try GuideLayout.example(window: window(0, 240))
        _ = layout.instant(atX: x)
        expectEqual(layout.place(atX: x, y: x, in: try layout.everything()), nil)
        expectEqual(layout.instant(atX: .nan), layout.window.start)
    }

    @Test func extremeInstantsDoNotTrap() throws {
        let layout = try GuideLayout.example(window: window(0, 240))
        let ends = [
            airing(
                1, TimeWindow(start: Instant(secondsSince1970: .min), end: minutes(10)),
                clump: Clump(index: 0, count: 2)),
            airing(
                2, TimeWindow(start: Instant(secondsSince1970: .min), end: minutes(10)),
                clump: Clump(index: 1, count: 2)),
            airing(3, TimeWindow(start: minutes(10), end: Instant(secondsSince1970: .max))),
        ]
        let marks = [hourMark(Instant(secondsSince1970: .min)), hourMark(Instant(secondsSince1970: .max))]
        let elements = layout.elements(
            in: try layout.everything(), schedules: [rowSchedule(0, ends)], marks: marks,
            now: Instant(secondsSince1970: .max))
        expectEqual(elements.compactMap(\.airing?.id.rawValue), [2, 3])
        expectEqual(elements.count { $0.kind == .hourHeader }, 1)
    }

    /// A source that returns invalid results.
    private struct InvalidSource: GuideSource {
        let rowCount: Int

        func slices(inRows rows: Range<Int>, during window: TimeWindow) -> [GuideSlice] {
            [5, 0, .max, 0, -1, .min].map { row in
                let schedule = rowSchedule(row, [EPGLayoutTests.airing(1, window)])
                return GuideSlice(schedule: schedule, firstItem: row < 0 ? .min : .max)
            }
        }

        func airingCount(inRow row: Int) -> Int { -7 }
        func airing(_ item: Int, inRow row: Int) -> Airing? {
            EPGLayoutTests.airing(1, EPGLayoutTests.window(-900, 900))
        }
        func row(of station: StationID) -> Int? { .max }
        func item(of airing: AiringID, inRow row: Int) -> Int? { .min }
    }

    @Test(arguments: [-3, 0, 2, Int.max])
    func invalidSourceDoesNotTrapOrDuplicateElements(rowCount: Int) throws {
        let source = InvalidSource(rowCount: rowCount)
        let grid = try GuideLayout.example(window: window(0, 240), rows: 2)
        var layout = GuideGridLayout(grid, source: source, now: minutes(5))
        let bounds = Rect(x: 0, y: 0, width: 1000, height: 300)
        layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
        let attributes = layout.attributes(in: bounds)
        expectEqual(Set(attributes.map(\.element)).count, attributes.count)
        #expect(attributes.allSatisfy { $0.indexPath.section == 0 || $0.element.isOfWholeGuide })
        for element in attributes.map(\.element) { _ = layout.attributes(of: element) }
        _ = layout.tick(to: minutes(9))
        expectEqual(layout.grid.rowCount, 2)
        expectEqual(GuideCounts(source).itemCount(inSection: 0), 0)
        let navigator = GuideNavigator(grid, source: source)
        let viewport = try Viewport(x: 0, y: 0, width: 1000, height: 300)
        let focus = GuideFocus(
            row: 1, station: StationID("s0"), airing: AiringID(1), cell: window(0, 9), anchor: minutes(5))
        for move in FocusMove.allCases { _ = navigator.step(move, from: focus, in: viewport) }
        _ = navigator.restored(focus, visible: window(0, 100))
    }
}
