import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel
import Testing

/// The samples of the documentation of `EPGLayout`.
@Suite struct GuideSamples {
    /// 18:00 to 22:00 on October 24, 2026, in UTC.
    private let evening = TimeWindow(
        start: Instant(secondsSince1970: 1_792_864_800), end: Instant(secondsSince1970: 1_792_864_800 + 4 * 3600))

    private func marks(of zone: Zone) -> GuideMarks {
        let marks = GuideMarks(
            zone.hourMarks(in: evening).map { mark in
                TimeMark(
                    instant: mark.instant, label: mark.label,
                    kind: mark.kind == .hour ? .hour : .halfHour)
            }
                + zone.dayMarks(in: evening).map { mark in
                    TimeMark(instant: mark.instant, label: mark.label, kind: .day)
                })
        return marks
    }

    @Test func clientCreatesMarksOfTimeZone() {
        let hours = marks(of: .utc).hours
        #expect(hours.map(\.label) == ["18:00", "18:30", "19:00", "19:30", "20:00", "20:30", "21:00", "21:30"])
        #expect(hours.map(\.kind).prefix(2) == [.hour, .halfHour])
        #expect(marks(of: .utc).days.isEmpty)
    }

    /// 240 points per hour: an airing from 18:00 to 18:30 is 120 wide, next to the station column of 120 points.
    @Test func pageHasCellsOfViewport() throws {
        let station = StationID("harbour")
        let now = evening.start.advanced(by: 600)
        let marks = marks(of: .utc)
        let schedules = [
            RowSchedule(
                row: 0, stationName: "Harbour One",
                schedule: Schedule(
                    station: station,
                    airings: [
                        Airing(
                            id: AiringID(1), station: station,
                            window: TimeWindow(start: evening.start, end: evening.start.advanced(by: 1800)),
                            title: "Evening News", categories: [])
                    ]))
        ]
        let metrics = try GuideMetrics(
            pointsPerHour: 240, rowHeight: 56, stationColumnWidth: 120,
            headerHeight: 32, lineHeight: 18)
        let layout = try GuideLayout(
            metrics: metrics, window: evening, rowCount: schedules.count)
        let content = GuideContent(
            schedules: schedules, coverage: evening, marks: marks, now: now)
        let viewport = try Viewport(x: 0, y: 0, width: 640, height: 206)
        for element in layout.page(in: viewport, of: content).elements {
            print(element.kind, element.frame)
        }
        let cells = layout.page(in: viewport, of: content).elements.filter { $0.kind == .airing }
        #expect(cells.map(\.frame) == [Rect(x: 120, y: 32, width: 120, height: 56)])
    }
}
