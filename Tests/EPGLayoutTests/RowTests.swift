import CollectionLayout
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Tests of the cells of a row (GridRules.md).
@Suite struct RowTests {
    private func cells(_ airings: [Airing], in range: TimeWindow) throws -> [GuideElement] {
        let layout = try GuideLayout.example(window: range)
        return layout.elements(in: try layout.everything(), schedules: [rowSchedule(0, airings)])
            .filter { $0.kind == .airing || $0.kind == .gap }
            .sorted { $0.frame.minX < $1.frame.minX }
    }

    @Test func emptyStationIsOneGap() throws {
        let cells = try cells([], in: window(0, 240))
        expectEqual(cells.map(\.kind), [.gap])
        expectEqual(cells.first?.frame, Rect(minX: 300, minY: 40, maxX: 3500, maxY: 120))
        expectEqual(cells.first?.shown, window(0, 240))
        expectEqual(cells.first?.isStartClipped, false)
        expectEqual(cells.first?.isEndClipped, false)
    }

    /// Known fault: cumulative x, with which a gap shifts the rest of the row.
    @Test func gapsAreCellsAndDoNotShiftAirings() throws {
        let cells = try cells([airing(1, window(30, 60)), airing(2, window(90, 120))], in: window(0, 180))
        expectEqual(cells.map(\.kind), [.gap, .airing, .gap, .airing, .gap])
        expectEqual(cells.map(\.frame.minX), [300, 700, 1100, 1500, 1900])
        expectEqual(cells.map(\.frame.maxX), [700, 1100, 1500, 1900, 2700])
    }

    /// Known fault: missing programmes that begin before the window.
    @Test func clippedAiringKeepsItsTimes() throws {
        let cells = try cells([airing(1, window(-600, 60)), airing(2, window(60, 900))], in: window(0, 120))
        expectEqual(cells.map(\.window), [window(-600, 60), window(60, 900)])
        expectEqual(cells.map(\.shown), [window(0, 60), window(60, 120)])
        expectEqual(cells.map(\.airing?.window), [window(-600, 60), window(60, 900)])
        expectEqual(cells.map(\.isStartClipped), [true, false])
        expectEqual(cells.map(\.isEndClipped), [false, true])
        expectEqual(cells.map(\.frame.minX), [300, 1100])
    }

    /// Known fault: closed intervals, with which two programmes are on at a boundary.
    @Test func airingThatOnlyTouchesWindowIsExcluded() throws {
        let cells = try cells([airing(1, window(-60, 0)), airing(2, window(120, 180))], in: window(0, 120))
        expectEqual(cells.map(\.kind), [.gap])
    }

    /// Known fault: times rounded to five minutes, with which short programmes disappear.
    @Test func shortAiringsRemainAddressable() throws {
        let oneSecond = TimeWindow(start: minutes(61), end: minutes(61).advanced(by: 1))
        let cells = try cells([airing(1, window(60, 61)), airing(2, oneSecond)], in: window(0, 120))
        expectEqual(cells.compactMap(\.airing?.id.rawValue), [1, 2])
        expectEqual(cells.first { $0.airing?.id.rawValue == 1 }?.frame.width, 13)  // 1100 … 1113.33
        expectEqual(cells.first { $0.airing?.id.rawValue == 2 }?.frame.width, 1)  // 1113.33 … 1113.56
        let narrow = try GuideLayout(
            metrics: GuideMetrics(pointsPerHour: 20, rowHeight: 1, stationColumnWidth: 10, headerHeight: 1),
            window: window(0, 120), rowCount: 1)
        let few = narrow.elements(in: try narrow.everything(), schedules: [rowSchedule(0, [airing(1, window(60, 61))])])
        expectEqual(few.first { $0.kind == .airing }?.frame, Rect(minX: 30, minY: 1, maxX: 30, maxY: 2))
    }

    @Test func clumpMembersShareWindowEqually() throws {
        do {
            let shared = window(60, 120)
            let members = (0..<3).map { airing(Int64($0), shared, clump: Clump(index: $0, count: 3)) }
            let cells = try cells(members, in: window(60, 120))
            expectEqual(cells.map(\.frame.minX), [300, 567, 833])  // 300, 566.67, 833.33 snapped
            expectEqual(cells.map(\.frame.maxX), [567, 833, 1100])
            expectEqual(cells.map(\.shown), [window(60, 80), window(80, 100), window(100, 120)])
            #expect(cells.allSatisfy { $0.window == shared && $0.airing?.window == shared })
        }
        // A clump is clipped by shares.
        do {
            let members = (0..<2).map { airing(Int64($0), window(-60, 60), clump: Clump(index: $0, count: 2)) }
            let cells = try cells(members, in: window(0, 120))
            expectEqual(cells.map(\.airing?.id.rawValue), [1, nil])
            let halved = try self.cells(members, in: window(-30, 30))
            expectEqual(halved.map(\.isStartClipped), [true, false])
            expectEqual(halved.map(\.isEndClipped), [false, true])
        }
    }

    @Test func gapAtEndOfCoverageIsClipped() throws {
        let layout = try GuideLayout.example(window: window(0, 240))
        let content = GuideContent(schedules: [rowSchedule(0, [])], coverage: window(60, 240))
        let gap = layout.page(in: try layout.everything(), of: content).elements.first { $0.kind == .gap }
        expectEqual(gap?.shown, window(60, 240))
        expectEqual(gap?.isStartClipped, true)
        expectEqual(gap?.isEndClipped, false)
    }

    @Test func textLineCountIsNumberOfLinesThatFit() throws {
        let cells = try cells([airing(1, window(0, 60))], in: window(0, 60))
        expectEqual(cells.map(\.textLines), [4])  // 80 points, 20 each
    }
}
