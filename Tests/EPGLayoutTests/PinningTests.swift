import CollectionLayout
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// Tests of pinned elements, drawing order and hit testing.
@Suite struct PinningTests {
    private let layout: GuideLayout
    private let schedules = (0..<5).map { rowSchedule($0, [airing(Int64($0), window(0, 240), row: $0)]) }
    private let marks = (0..<5).map { hourMark(minutes(Int64($0) * 60)) }

    init() throws {
        layout = try GuideLayout.example(window: window(0, 240), rows: 5)
    }

    private func elements(x: Double, y: Double) throws -> [GuideElement] {
        layout.elements(
            in: try Viewport(x: x, y: y, width: 800, height: 200), schedules: schedules, marks: marks, now: minutes(90))
    }

    @Test(arguments: [(0.0, 0.0, 0.0, 0.0), (500, 120, 500, 120), (-70, -20, 0, 0), (9000, 9000, 3400, 440)])
    func columnAndHeaderArePinnedWithinContent(
        offsetX: Double, offsetY: Double, columnX: Double, headerY: Double
    ) throws {
        let viewport = try Viewport(x: offsetX, y: offsetY, width: 800, height: 200)
        let everywhere = Rect(minX: -1e5, minY: -1e5, maxX: 1e5, maxY: 1e5)
        let content = GuideContent(schedules: schedules, coverage: layout.window, marks: GuideMarks(marks))
        let elements = layout.page(in: everywhere, at: viewport, of: content).elements
        expectEqual(
            elements.filter { $0.kind == .station }.map(\.frame.minX), [columnX, columnX, columnX, columnX, columnX])
        expectEqual(Set(elements.filter { $0.kind == .hourHeader }.map(\.frame.minY)), [headerY])
        let corner = try #require(elements.first { $0.kind == .corner })
        expectEqual(corner.frame.minX, columnX)
        expectEqual(corner.frame.minY, headerY)
    }

    @Test func thumbnailScrollsOrIsPinned() throws {
        expectEqual(Set(try elements(x: 150, y: 0).filter { $0.kind == .thumbnail }.map(\.frame.minX)), [100])
        try expectEqual(elements(x: 600, y: 0).contains { $0.kind == .thumbnail }, false)
        let metrics = try GuideMetrics(
            pointsPerHour: 800, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40,
            thumbnails: .sticky(width: 200))
        let sticky = try GuideLayout(metrics: metrics, window: window(0, 240), rowCount: 5)
        let viewport = try Viewport(x: 600, y: 0, width: 800, height: 200)
        let thumbnails = sticky.elements(in: viewport, schedules: schedules).filter { $0.kind == .thumbnail }
        expectEqual(Set(thumbnails.map(\.frame.minX)), [700])
        expectEqual(Set(thumbnails.map(\.frame.maxX)), [900])
        #expect(thumbnails.allSatisfy { $0.zIndex == ZBand.pinned.rawValue })
    }

    @Test func bandsAreInDrawingOrder() throws {
        let kinds = try elements(x: 500, y: 0).map(\.kind)
        let order: [GuideElement.Kind] = [
            .daySeparator, .gap, .airing, .thumbnail, .nowLine, .station, .hourHeader, .corner,
        ]
        let ranks = kinds.compactMap { order.firstIndex(of: $0) }
        expectEqual(ranks, ranks.sorted())
        expectEqual(ranks.count, kinds.count)
        expectEqual(kinds.last, .corner)
    }

    @Test func drawingOrderIsIndependentOfInputOrder() throws {
        let viewport = try layout.everything()
        let forward = layout.elements(in: viewport, schedules: schedules, marks: marks, now: minutes(90))
        let backward = layout.elements(
            in: viewport, schedules: schedules.reversed(), marks: marks.reversed(), now: minutes(90))
        expectEqual(forward, backward)
    }

    // visible edge 500 + 100 = 600; the cell spans 300 … 3500.
    @Test(arguments: [(0.0, 0.0, 300.0), (500, 300, 600), (3300, 3100, 3400), (3390, 3100, 3490)])
    func titleFollowsVisibleEdgeUntilMinimumWidth(
        offset: Double, inset: Double, visibleStart: Double
    ) throws {
        let cell = try #require(try elements(x: offset, y: 0).first { $0.kind == .airing })
        expectEqual(cell.leadingTextInset(leastTextWidth: 100), inset)
        expectEqual(cell.visibleStart, visibleStart)
    }

    @Test func visiblePartEndsAtTheTrailingEdge() throws {
        let cell = try #require(try elements(x: 500, y: 0).first { $0.kind == .airing })
        expectEqual(cell.visibleEnd, 1300)
    }

    /// Known fault: an inverse x → t that ignores the header width.
    @Test func pointHitsForemostHalfOpenElement() throws {
        let viewport = try Viewport(x: 500, y: 100, width: 800, height: 300)
        expectEqual(layout.place(atX: 550, y: 110, in: viewport), .corner)
        expectEqual(layout.place(atX: 700, y: 110, in: viewport), .header(minutes(30)))
        expectEqual(layout.place(atX: 599, y: 145, in: viewport), .station(row: 1))
        expectEqual(layout.place(atX: 1100, y: 145, in: viewport), .schedule(row: 1, minutes(60)))
        expectEqual(layout.place(atX: 1099.99, y: 145, in: viewport), .schedule(row: 1, minutes(60).advanced(by: -1)))
        expectEqual(layout.place(atX: 700, y: 215, in: viewport), nil)  // between rows 1 and 2
        expectEqual(layout.place(atX: 3500, y: 145, in: viewport), nil)  // the window's end
        expectEqual(layout.place(atX: 200, y: 145, in: try layout.everything()), .thumbnail(row: 1))
    }

    @Test func pointAtStopHitsNextAiringAndIgnoresNowLine() throws {
        let schedules = [rowSchedule(0, [airing(1, window(0, 60)), airing(2, window(60, 120))])]
        let elements = layout.elements(in: try layout.everything(), schedules: schedules, now: minutes(60))
        expectEqual(elements.foremost(atX: 1099.9, y: 50)?.airing?.id.rawValue, 1)
        expectEqual(elements.foremost(atX: 1100, y: 50)?.airing?.id.rawValue, 2)
        expectEqual(elements.foremost(atX: 1101, y: 50)?.airing?.id.rawValue, 2)
        expectEqual(elements.foremost(atX: 50, y: 50)?.kind, .station)
        expectEqual(elements.foremost(atX: 50, y: 10)?.kind, .corner)
    }
}
