import CollectionLayout
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Properties of every guide. The argument of a failing test is its seed.
@Suite struct PropertyTests {
    @Test(arguments: UInt64(1)...40)
    func cellsTileTheirRow(seed: UInt64) throws {
        let guide = try RandomGuide(seed: seed)
        let whole = guide.layout.page(in: try guide.layout.everything(), of: guide.content).elements
        for row in 0..<guide.layout.rowCount {
            let cells = whole.filter { $0.row == row && ($0.kind == .airing || $0.kind == .gap) }
                .sorted { ($0.frame.minX, $0.frame.maxX) < ($1.frame.minX, $1.frame.maxX) }
            #expect(zip(cells, cells.dropFirst()).allSatisfy { $0.frame.maxX == $1.frame.minX })
            expectEqual(cells.last?.frame.maxX, guide.layout.contentSize.width)
            let origin = guide.layout.x(of: guide.layout.window.start)
            #expect(abs((cells.first?.frame.minX ?? -1) - origin) <= 0.5 / guide.layout.metrics.scale)
        }
    }

    @Test(arguments: UInt64(1)...40)
    func rectangleQueryEqualsBruteForce(seed: UInt64) throws {
        let guide = try RandomGuide(seed: seed)
        var random = SeededGenerator(seed: seed &* 7919)
        let unbounded = Rect(minX: -1e7, minY: -1e7, maxX: 1e7, maxY: 1e7)
        for _ in 0..<10 {
            let viewport = try guide.viewport(using: &random)
            let all = guide.layout.page(in: unbounded, at: viewport, of: guide.content).elements
            let expected = all.filter { $0.frame.intersects(viewport.rect) }
            expectEqual(guide.layout.page(in: viewport, of: guide.content).elements, expected)
        }
    }

    @Test(arguments: UInt64(1)...20)
    func demandSufficesForViewport(seed: UInt64) throws {
        let guide = try RandomGuide(seed: seed)
        var random = SeededGenerator(seed: seed &* 104_729)
        for _ in 0..<10 {
            let viewport = try guide.viewport(using: &random)
            let demand = guide.layout.demand(of: viewport)
            let read = guide.schedules.filter { demand.rows.contains($0.row) }.map { schedule in
                rowSchedule(schedule.row, schedule.schedule.airings.filter { $0.window.overlaps(demand.window) })
            }
            let content = GuideContent(
                schedules: read, coverage: demand.window, marks: GuideMarks(guide.marks), now: guide.now)
            let found = guide.layout.page(in: viewport, of: content).elements
            let expected = guide.layout.page(in: viewport, of: guide.content).elements
            expectEqual(found.map { VisiblePart($0, in: viewport) }, expected.map { VisiblePart($0, in: viewport) })
        }
    }

    @Test(arguments: UInt64(1)...20)
    func splittingTheRectangleSplitsTheResult(seed: UInt64) throws {
        let guide = try RandomGuide(seed: seed)
        var random = SeededGenerator(seed: seed &* 15_485_863)
        for _ in 0..<10 {
            let viewport = try guide.viewport(using: &random)
            let rect = viewport.rect
            let middle = Double.random(in: rect.minX...rect.maxX, using: &random).rounded()
            guard middle > rect.minX, middle < rect.maxX else { continue }
            let left = Rect(minX: rect.minX, minY: rect.minY, maxX: middle, maxY: rect.maxY)
            let right = Rect(minX: middle, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
            let halves = [left, right].flatMap { guide.layout.page(in: $0, at: viewport, of: guide.content).elements }
            let whole = guide.layout.page(in: viewport, of: guide.content).elements
            expectEqual(Set(halves), Set(whole))
        }
    }

    @Test(arguments: UInt64(1)...20)
    func instantAtXInvertsX(seed: UInt64) throws {
        let guide = try RandomGuide(seed: seed)
        let layout = guide.layout
        var random = SeededGenerator(seed: seed &* 32_452_843)
        for _ in 0..<500 {
            let instant = layout.window.start.advanced(by: .random(in: -50_000...200_000, using: &random))
            expectEqual(layout.instant(atX: layout.x(of: instant)), instant)
            expectEqual(layout.instant(atX: layout.x(of: instant).nextDown), instant.advanced(by: -1))
            let x = Double.random(in: -1000...layout.contentSize.width + 1000, using: &random)
            let found = layout.instant(atX: x)
            #expect(layout.x(of: found) <= x && x < layout.x(of: found.advanced(by: 1)))
        }
    }

    /// Known faults: scanning all cells, and preparing everything on each scroll.
    @Test func costDependsOnVisibleContent() throws {
        func cost(rows: Int, airings: Int64) throws -> LayoutCost {
            let layout = try GuideLayout.example(window: window(0, airings * 30), rows: rows)
            let schedules = (0..<rows).map { row in
                rowSchedule(row, (0..<airings).map { airing($0, window($0 * 30, $0 * 30 + 30), row: row) })
            }
            let marks = (0..<airings).map { hourMark(minutes($0 * 30)) }
            let content = GuideContent(
                schedules: schedules, coverage: layout.window, marks: GuideMarks(marks), now: minutes(60))
            return layout.page(in: try Viewport(x: 2000, y: 300, width: 1200, height: 400), of: content).cost
        }
        let small = try cost(rows: 10, airings: 20)
        let large = try cost(rows: 100, airings: 400)
        expectEqual(small, large)
        // 400 points intersect at most 6 rows of 90, and 1200 points at most 5 cells of 400. Each row also has a station and a
        // thumbnail; the header has at most 5 marks, a corner and a now-line.
        #expect(large.sections <= 6 && large.items <= 30 + 5)
        #expect(large.attributes <= 6 * (5 + 2) + 5 + 2)
    }

    /// Returns the visible part of an element, because gaps are known only within the time that was read.
    private struct VisiblePart: Equatable {
        let kind: GuideElement.Kind
        let row: Int?
        let airing: AiringID?
        let label: String?
        let minX: Double
        let maxX: Double
        let visible: [Double]

        init(_ element: GuideElement, in viewport: Viewport) {
            let isGap = element.kind == .gap
            let visibleRect = viewport.rect
            kind = element.kind
            row = element.row
            airing = element.airing?.id
            label = element.label
            minX = isGap ? max(element.frame.minX, visibleRect.minX) : element.frame.minX
            maxX = isGap ? min(element.frame.maxX, visibleRect.maxX) : element.frame.maxX
            visible = isGap ? [] : [element.visibleStart, element.visibleEnd]
        }
    }
}
