import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel

@testable import EPGRender

/// A made-up evening of three stations.
extension Picture {
    static let guide = Picture("guide-grid") { theme in
        let window = TimeWindow(start: instant(0), end: instant(240))
        let metrics = try GuideMetrics(
            pointsPerHour: 240, rowHeight: 56, rowSpacing: 2, stationColumnWidth: 120, headerHeight: 32, lineHeight: 18)
        let layout = try GuideLayout(metrics: metrics, window: window, rowCount: stations.count)
        let viewport = try Viewport(x: 40, y: 0, width: 640, height: 206)
        let marks = (0..<8).map { half in
            TimeMark(
                instant: instant(half * 30), label: "\(18 + half / 2):\(half % 2 == 0 ? "00" : "30")",
                kind: half % 2 == 0 ? .hour : .halfHour)
        }
        let day = TimeMark(instant: instant(0), label: "Sat 24 Oct", kind: .day)
        let content = GuideContent(
            schedules: schedules(), coverage: window, marks: GuideMarks(marks + [day]), now: instant(75))
        let picture = GuideSVG(layout: layout, viewport: viewport, theme: theme, zone: .utc, now: instant(75))
        return picture.text(of: layout.page(in: viewport, of: content).elements)
    }

    /// Minutes after 18:00 on 24 October 2026, in UTC.
    private static func instant(_ minutes: Int) -> Instant {
        Instant(secondsSince1970: 1_792_864_800 + Int64(minutes) * 60)
    }

    private typealias Entry = (start: Int, end: Int, title: String, category: String)

    private static let stations: [(name: String, entries: [Entry])] = [
        (
            "Harbour One",
            [
                (0, 30, "Evening News", "News"), (30, 90, "The Lighthouse", "Drama series"),
                (90, 210, "Night Ferry", "Film"), (210, 240, "Weather", "News"),
            ]
        ),
        ("Lakeside", [(0, 105, "Regatta", "Sport"), (105, 165, "Low Tide", "Documentary")]),
        (
            "Kids’ Corner",
            [
                (0, 20, "Bubbles", "Children"), (20, 45, "Little Otter", "Children"),
                (45, 120, "Song Boat", "Music"), (120, 240, "Quiz Quay", "Entertainment"),
            ]
        ),
    ]

    private static func schedules() -> [RowSchedule] {
        stations.enumerated().map { row, station in
            let id = StationID("station-\(row)")
            let airings = station.entries.enumerated().map { index, entry in
                Airing(
                    id: AiringID(Int64(row * 100 + index)), station: id,
                    window: TimeWindow(start: instant(entry.start), end: instant(entry.end)), title: entry.title,
                    categories: [entry.category])
            }
            return RowSchedule(
                row: row, stationName: station.name, schedule: Schedule(station: id, airings: airings))
        }
    }
}
