import CollectionLayout
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Tests of focus movement: 600 points per hour, two visible hours from +60 minutes on.
@Suite struct FocusTests {
    private let viewport: Viewport
    private let visible: TimeWindow
    private let layout: GuideLayout

    /// Row 0: half hours. Row 1: one airing from +70 to +600. Row 2: a gap until +100, an airing until +110, another until
    /// +150, then a gap. Row 3: empty.
    private let source = GuideSchedules([
        rowSchedule(0, (0..<24).map { airing($0, window($0 * 30, $0 * 30 + 30)) }),
        rowSchedule(
            1,
            [
                airing(100, window(0, 70), row: 1), airing(101, window(70, 600), row: 1),
                airing(102, window(600, 660), row: 1),
            ]),
        rowSchedule(2, [airing(200, window(100, 110), row: 2), airing(201, window(110, 150), row: 2)]),
        rowSchedule(3, []),
    ])

    init() throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        layout = try GuideLayout(metrics: metrics, window: window(0, 720), rowCount: 4)
        viewport = try Viewport(x: 600, y: 0, width: 1300, height: 400)
        visible = layout.visibleTime(in: viewport)
        expectEqual(visible, window(60, 180))
    }

    private func navigator(focusesGaps: Bool = true) -> GuideNavigator {
        GuideNavigator(layout, source: source, focusesGaps: focusesGaps)
    }

    private func focus(_ row: Int, _ minute: Int64, focusesGaps: Bool = true) throws -> GuideFocus {
        try #require(
            navigator(focusesGaps: focusesGaps).focus(inRow: row, anchor: minutes(minute), visible: visible))
    }

    private func step(_ move: FocusMove, _ focus: GuideFocus, x: Double = 600, focusesGaps: Bool = true) throws
        -> FocusStep
    {
        let viewport = try Viewport(x: x, y: 0, width: 1300, height: 400)
        return navigator(focusesGaps: focusesGaps).step(move, from: focus, in: viewport, now: minutes(95))
    }

    @Test func verticalMovesKeepAnchorThroughLongAiring() throws {
        let start = try focus(0, 135)
        expectEqual(start.airing, AiringID(4))
        let long = try step(.nextRow, start).focus
        expectEqual(long.airing, AiringID(101))
        expectEqual(long.anchor, minutes(135))
        let short = try step(.nextRow, long).focus
        expectEqual(short.airing, AiringID(201))
        expectEqual(short.anchor, minutes(135))
        try expectEqual(step(.previousRow, step(.previousRow, short).focus).focus, start)
        try expectEqual(step(.previousRow, start).focus, start)
    }

    @Test func gapIsFocusedOrSkippedForLargestOverlap() throws {
        try expectEqual(focus(2, 80).airing, nil)
        try expectEqual(focus(2, 80).cell, window(0, 100))
        let other = try focus(2, 80, focusesGaps: false)
        #expect(other.airing == AiringID(201) && other.anchor == minutes(80))  // 40 visible minutes, not 10
        try expectEqual(focus(3, 80, focusesGaps: false).airing, nil)  // no other cell
    }

    @Test func stopBelongsToTheNextAiring() throws {
        try expectEqual(focus(0, 90).airing, AiringID(3))
        try expectEqual(focus(2, 110).airing, AiringID(201))
    }

    @Test func laterAndEarlierMoveToAdjacentCellAndAnchor() throws {
        let next = try step(.later, try focus(0, 70))
        expectEqual(next.focus.airing, AiringID(3))
        expectEqual(next.focus.anchor, minutes(90))
        expectEqual(next.contentOffset.x, 600)
        let previous = try step(.earlier, next.focus)
        expectEqual(previous.focus.airing, AiringID(2))
        expectEqual(previous.focus.anchor, minutes(60))
        // A move to an invisible cell scrolls by the length of the airing.
        let left = try step(.earlier, previous.focus)
        expectEqual(left.focus.airing, AiringID(1))
        expectEqual(left.contentOffset.x, 300)
        expectEqual(left.focus.anchor, minutes(30))
        let right = try step(.later, try focus(0, 170))
        expectEqual(right.focus.airing, AiringID(6))
        expectEqual(right.contentOffset.x, 900)
    }

    @Test func moveAcrossLongAiringScrollsAtMostOneHour() throws {
        var step = FocusStep(focus: try focus(1, 100), contentOffset: Point(x: 600, y: 0))
        var offsets: [Double] = []
        while step.focus.airing == AiringID(101), offsets.count < 20 {
            step = try self.step(.later, step.focus, x: step.contentOffset.x)
            offsets.append(step.contentOffset.x)
        }
        // The visible time starts at 60, 120, 180, … 480 minutes, after which the next airing begins within an hour.
        expectEqual(offsets, [1200, 1800, 2400, 3000, 3600, 4200, 4800, 5400])
        expectEqual(step.focus.airing, AiringID(102))
        expectEqual(step.focus.anchor, minutes(600))
        let back = try self.step(.earlier, step.focus, x: 5400)
        expectEqual(back.focus.airing, AiringID(101))
        expectEqual(back.contentOffset.x, 5400 - 600)
        expectEqual(back.focus.anchor, minutes(480))
        let further = try self.step(.earlier, back.focus, x: back.contentOffset.x)
        expectEqual(further.focus.airing, AiringID(101))
        expectEqual(further.contentOffset.x, 4200)
    }

    @Test func clusterMembersAreFocusedIndividually() throws {
        let clustered = try GuideLayout(
            metrics: layout.metrics, window: layout.window, rowCount: 4, clusters: ClusterPolicy(leastWidth: 350))
        let navigator = GuideNavigator(clustered, source: source)
        let first = try #require(navigator.focus(inRow: 0, anchor: minutes(65), visible: visible))
        expectEqual(first.airing, AiringID(2))
        expectEqual(navigator.step(.later, from: first, in: viewport).focus.airing, AiringID(3))
    }

    @Test func pageRowAndNowMovesScroll() throws {
        let start = try focus(0, 70)
        let page = try step(.pageLater, start)
        expectEqual(page.contentOffset.x, 1800)
        expectEqual(page.focus.anchor, minutes(190))
        expectEqual(page.focus.airing, AiringID(6))
        try expectEqual(step(.pageEarlier, page.focus, x: 1800).focus, start)
        try expectEqual(step(.lastRow, start).focus.row, 3)
        try expectEqual(step(.firstRow, try focus(3, 70)).focus, start)
        try expectEqual(step(.rowsDown, start).focus.row, 3)
        let now = try step(.now, try focus(0, 700), x: 5000)
        // Now is at a quarter of the view.
        expectEqual(now.focus.airing, AiringID(3))
        expectEqual(now.contentOffset.x, 650)
        try expectEqual(step(.now, start).contentOffset.x, 600)
    }

    @Test func arrowKeysFollowOrientationAndDirection() throws {
        func moves(_ axis: Axis, _ direction: LayoutDirection) throws -> [FocusMove] {
            let layout = try GuideLayout(
                metrics: layout.metrics, window: layout.window, rowCount: 4, timeAxis: axis, direction: direction)
            return [ArrowKey.left, .right, .up, .down].map(layout.move(for:))
        }
        try expectEqual(moves(.horizontal, .leftToRight), [.earlier, .later, .previousRow, .nextRow])
        try expectEqual(moves(.horizontal, .rightToLeft), [.later, .earlier, .previousRow, .nextRow])
        try expectEqual(moves(.vertical, .leftToRight), [.previousRow, .nextRow, .earlier, .later])
        try expectEqual(moves(.vertical, .rightToLeft), [.nextRow, .previousRow, .earlier, .later])
    }

    @Test func focusIsRestoredByAiringThenByAnchor() throws {
        let focus = try focus(0, 135)  // airing 4, 120 … 150
        // The stations are swapped and the airing begins later.
        let moved = GuideSchedules([rowSchedule(9, []), rowSchedule(0, [airing(4, window(140, 170))])])
        let navigator = GuideNavigator(
            try GuideLayout(metrics: layout.metrics, window: layout.window, rowCount: 2), source: moved)
        let kept = try #require(navigator.restored(focus, visible: visible))
        expectEqual(kept.row, 1)
        expectEqual(kept.airing, AiringID(4))
        expectEqual(kept.anchor, minutes(140))
        let other = GuideSchedules([rowSchedule(0, [airing(77, window(100, 200))])])
        let replaced = GuideNavigator(layout, source: other).restored(focus, visible: visible)
        expectEqual(replaced?.airing, AiringID(77))
        expectEqual(replaced?.anchor, minutes(135))
        expectEqual(GuideNavigator(layout, source: GuideSchedules([])).restored(focus, visible: visible), nil)
    }

    @Test(arguments: [Int64.min, .max, 0, -1_000_000_000])
    func extremeFocusDoesNotTrap(seconds: Int64) throws {
        let anchor = Instant(secondsSince1970: seconds)
        let extreme = GuideFocus(
            row: seconds < 0 ? .min : .max, station: StationID("s0"), airing: nil,
            cell: TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max)),
            anchor: anchor)
        let inside = GuideFocus(row: 1, station: StationID("s1"), airing: nil, cell: extreme.cell, anchor: anchor)
        for move in FocusMove.allCases {
            for focus in [extreme, inside] {
                let step = navigator().step(move, from: focus, in: viewport, now: anchor)
                #expect(step.contentOffset.x.isFinite)
            }
        }
        _ = navigator().restored(extreme, visible: visible)
    }

    @Test func moveReturnsScrolledViewToFocus() throws {
        // +300 … +420 is visible, with the long airing of row 1 but without the airing of row 2 at the anchor.
        let long = try step(.nextRow, try focus(0, 135), x: 3000)
        expectEqual(long.focus.airing, AiringID(101))
        expectEqual(long.contentOffset.x, 3000)
        let short = try step(.nextRow, long.focus, x: 3000)
        expectEqual(short.focus.airing, AiringID(201))
        expectEqual(short.contentOffset.x, 1350)
        // Row 3 is at 280 … 360, so a view of height 130 has offset 230. Its gap has no adjacent cell: scroll by an hour.
        let low = try Viewport(x: 600, y: 0, width: 1300, height: 130)
        let later = navigator().step(.later, from: try focus(3, 135), in: low)
        expectEqual(later.contentOffset, Point(x: 1200, y: 230))
        expectEqual(later.focus.row, 3)
    }

    @Test func focusKeepsRowIfStationIsInTwoRows() throws {
        let again = RowSchedule(
            row: 2, stationName: "", schedule: Schedule(station: StationID("s0"), airings: [airing(7, window(0, 720))]))
        let twice = GuideSchedules([rowSchedule(0, []), rowSchedule(1, []), again])
        let navigator = GuideNavigator(layout, source: twice)
        let focus = try #require(navigator.focus(inRow: 2, anchor: minutes(100), visible: visible))
        expectEqual(focus.station, StationID("s0"))
        expectEqual(navigator.restored(focus, visible: visible), focus)
    }
}
