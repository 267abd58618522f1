import CollectionLayout
@testable import EPGLayout
import EPGModel

/// 2026-03-29T00:00:00Z, the start of most test guides.
let dayStart = Instant(secondsSince1970: 1_774_742_400)

/// Returns an instant a number of minutes after ``dayStart``.
func minutes(_ count: Int64) -> Instant { dayStart.advanced(by: count * 60) }

func window(_ from: Int64, _ to: Int64) -> TimeWindow { TimeWindow(start: minutes(from), end: minutes(to)) }

func airing(_ id: Int64, _ range: TimeWindow, row: Int = 0, clump: Clump? = nil) -> Airing {
    Airing(id: AiringID(id), station: StationID("s\(row)"), window: range, clump: clump, title: "Title \(id)")
}

func rowSchedule(_ row: Int, _ airings: [Airing]) -> RowSchedule {
    RowSchedule(
        row: row, stationName: "Station \(row)",
        schedule: Schedule(station: StationID("s\(row)"), airings: airings))
}

func hourMark(_ instant: Instant, _ label: String = "") -> TimeMark {
    TimeMark(instant: instant, label: label, kind: .hour)
}

extension GuideLayout {
    /// The grid of the example in GridRules.md: 400 points per half hour, a station column of 100 and thumbnails of 200.
    static func example(window range: TimeWindow, rows: Int = 1) throws -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: 800, rowHeight: 80, rowSpacing: 10, stationColumnWidth: 100, headerHeight: 40,
            thumbnails: .scrolling(width: 200))
        return try GuideLayout(metrics: metrics, window: range, rowCount: rows)
    }

    /// Returns a viewport of the complete content.
    func everything() throws -> Viewport {
        try Viewport(x: 0, y: 0, width: max(1, contentSize.width), height: max(1, contentSize.height))
    }
}

extension [GuideElement] {
    /// Returns the foremost element at a point of the content, ignoring lines. Cells are half-open in time, also if time runs from
    /// right to left.
    func foremost(atX x: Double, y: Double) -> GuideElement? {
        inDrawingOrder().last { element in
            guard element.kind != .nowLine, element.kind != .daySeparator else { return false }
            let frame = element.frame
            guard element.isTimeReversed else { return frame.contains(x: x, y: y) }
            return frame.minX < x && x <= frame.maxX && frame.minY <= y && y < frame.maxY
        }
    }
}

extension GuideLayout {
    /// Returns the elements of a viewport, from schedules for at least its demand.
    func elements(
        in viewport: Viewport, schedules: [RowSchedule], marks: [TimeMark] = [], now: Instant? = nil
    ) -> [GuideElement] {
        let content = GuideContent(
            schedules: schedules, coverage: demand(of: viewport).window, marks: GuideMarks(marks), now: now)
        return page(in: viewport, of: content).elements
    }
}
