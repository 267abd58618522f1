import CollectionLayout
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Tests of accessibility indexes and spans.
@Suite struct AccessibilityTests {
    private let marks = GuideMarks(
        (0..<8).map {
            TimeMark(instant: minutes($0 * 30), label: "", kind: $0.isMultiple(of: 2) ? .hour : .halfHour)
        })

    private func elements(_ airings: [Airing], now: Int64? = nil) throws -> (GuideLayout, [GuideElement]) {
        let layout = try GuideLayout.example(window: window(0, 240), rows: 2)
        let content = GuideContent(
            schedules: [rowSchedule(1, airings)], coverage: layout.window, marks: marks, now: now.map(minutes))
        return (layout, layout.page(in: try layout.everything(), of: content).elements)
    }

    @Test func indexesAreOneBasedAndIncludeHeaderAndColumns() throws {
        let (layout, elements) = try elements([airing(1, window(60, 150), row: 1)])
        let cells = elements.compactMap { element in
            layout.accessibility(of: element, marks: marks).map { (element, $0) }
        }
        let airing = try #require(cells.first { $0.0.kind == .airing }?.1)
        // Columns: station, thumbnail, then half hours; +60 is the third of them, and +120 … +150 the fifth.
        expectEqual(airing.rowIndex, 3)
        expectEqual(airing.columnIndex, 5)
        expectEqual(airing.columnSpan, 3)
        expectEqual(airing.rowSpan, 1)
        let station = try #require(cells.first { $0.0.kind == .station }?.1)
        expectEqual(station.rowIndex, 3)
        expectEqual(station.columnIndex, 1)
        let headers = cells.filter { $0.0.kind == .hourHeader || $0.0.kind == .halfHourHeader }
        #expect(headers.map(\.1.columnIndex).sorted() == Array(3...10) && headers.allSatisfy { $0.1.rowIndex == 1 })
        expectEqual(layout.accessibilityRowCount(marks), 3)
        expectEqual(layout.accessibilityColumnCount(marks), 10)
        expectEqual(cells.first { $0.0.kind == .corner }?.1.columnSpan, 2)
        expectEqual(layout.accessibilityColumnCount(GuideMarks()), 3)
    }

    @Test func clippedAiringSpansVisibleColumnsAndLinesHaveNoPlace() throws {
        let (layout, elements) = try elements([airing(1, window(-60, 300), row: 1)], now: 10)
        let cell = try #require(elements.first { $0.kind == .airing })
        let info = try #require(layout.accessibility(of: cell, marks: marks))
        expectEqual(info.columnIndex, 3)
        expectEqual(info.columnSpan, 8)
        let line = try #require(elements.first { $0.kind == .nowLine })
        expectEqual(layout.accessibility(of: line, marks: marks), nil)
    }

    @Test(arguments: Axis.allCases)
    func groupHeadersHaveSeparateRows(axis: Axis) throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        let layout = try GuideLayout(
            metrics: metrics, window: window(0, 240), rowCount: 4,
            groups: [GuideGroup(firstRow: 1, title: "A"), GuideGroup(firstRow: 3, title: "B")], timeAxis: axis)
        let schedules = (0..<4).map { rowSchedule($0, []) }
        let elements = layout.elements(in: try layout.everything(), schedules: schedules)
        func lines(_ kind: GuideElement.Kind) -> [Int] {
            elements.filter { $0.kind == kind }.compactMap { layout.accessibility(of: $0, marks: marks) }
                .map { axis == .horizontal ? $0.rowIndex : $0.columnIndex }
        }
        // Hours 1, station 0, header A, stations 1 and 2, header B, station 3.
        expectEqual(lines(.station), [2, 4, 5, 7])
        expectEqual(lines(.groupHeader), [3, 6])
        expectEqual(lines(.gap), [2, 4, 5, 7])
        expectEqual(lines(.corner), [1])
        let counts = (layout.accessibilityRowCount(marks), layout.accessibilityColumnCount(marks))
        #expect(counts == (axis == .horizontal ? (7, 9) : (9, 7)))
    }

    @Test func verticalTimeSwapsRowsAndColumns() throws {
        let metrics = try GuideMetrics(pointsPerHour: 600, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        let layout = try GuideLayout(metrics: metrics, window: window(0, 240), rowCount: 2, timeAxis: .vertical)
        let elements = layout.elements(
            in: try layout.everything(), schedules: [rowSchedule(1, [airing(1, window(60, 150), row: 1)])])
        let cell = try #require(elements.first { $0.kind == .airing })
        let info = try #require(layout.accessibility(of: cell, marks: marks))
        // Station 1 is the third column; +60 … +150 are half hours 3 to 5, below the stations' row.
        expectEqual(info.rowIndex, 4)
        expectEqual(info.rowSpan, 3)
        expectEqual(info.columnIndex, 3)
        expectEqual(info.columnSpan, 1)
    }
}
