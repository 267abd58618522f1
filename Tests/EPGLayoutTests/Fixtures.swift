import EPGLayout
import EPGModel

/// 2026-03-29T00:00:00Z, the start of most guides here.
let dayStart = Instant(secondsSince1970: 1_774_742_400)

/// An instant so many minutes after ``dayStart``.
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
    /// The grid of the facts' example: 400 points per half hour, a station column of 100 and thumbnails of 200.
    static func example(window range: TimeWindow, rows: Int = 1) throws -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: 800, rowHeight: 80, rowSpacing: 10, stationColumnWidth: 100, headerHeight: 40,
            thumbnails: .scrolling(width: 200))
        return try GuideLayout(metrics: metrics, window: range, rowCount: rows)
    }

    /// A viewport over all of the content.
    func everything() throws -> Viewport {
        try Viewport(x: 0, y: 0, width: contentSize.width, height: contentSize.height)
    }
}

/// SplitMix64 (S. Vigna), so that a seed gives the same cases everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A guide of random measures with random schedules that reach beyond its window on both sides.
struct RandomGuide {
    let layout: GuideLayout
    let schedules: [RowSchedule]
    let marks: [TimeMark]
    let now: Instant

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let thumbnails: [GuideMetrics.ThumbnailColumn] = [.none, .scrolling(width: 33.3), .sticky(width: 41.7)]
        let metrics = try GuideMetrics(
            pointsPerHour: .random(in: 40...900, using: &random), rowHeight: .random(in: 5...60, using: &random),
            rowSpacing: .random(in: 0...3, using: &random), stationColumnWidth: .random(in: 0...120, using: &random),
            headerHeight: .random(in: 0...40, using: &random),
            thumbnails: thumbnails.randomElement(using: &random) ?? .none,
            scale: [1, 1.5, 2, 3].randomElement(using: &random) ?? 1)
        let start = Int64.random(in: -10_000...10_000, using: &random)
        let range = TimeWindow(
            start: dayStart.advanced(by: start),
            end: dayStart.advanced(by: start + .random(in: 1...90_000, using: &random)))
        let rows = Int.random(in: 0...12, using: &random)
        layout = try GuideLayout(metrics: metrics, window: range, rowCount: rows)
        schedules = (0..<rows).map { RandomGuide.schedule(row: $0, around: range, using: &random) }
        marks =
            (-2..<60).map { index in
                TimeMark(
                    instant: minutes(Int64(index) * 30), label: "\(index)", kind: index % 2 == 0 ? .hour : .halfHour)
            } + [
                TimeMark(instant: minutes(0), label: "Sun", kind: .day),
                TimeMark(instant: minutes(1440), label: "Mon", kind: .day),
            ]
        now = dayStart.advanced(by: .random(in: -20_000...100_000, using: &random))
    }

    private static func schedule(
        row: Int, around range: TimeWindow, using random: inout SeededGenerator
    ) -> RowSchedule {
        var airings: [Airing] = []
        var reached = range.start.advanced(by: .random(in: -9000...9000, using: &random))
        var id = Int64(row) * 100_000
        while reached < range.end.advanced(by: 7200), airings.count < 400 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                reached = reached.advanced(by: .random(in: 1...20_000, using: &random))
            }
            let end = reached.advanced(by: .random(in: 1...5000, using: &random))
            let count = Int.random(in: 0..<10, using: &random) == 0 ? Int.random(in: 2...5, using: &random) : 1
            for index in 0..<count {
                id += 1
                let shared = TimeWindow(start: reached, end: end)
                airings.append(EPGLayoutTests.airing(id, shared, row: row, clump: Clump(index: index, count: count)))
            }
            reached = end
        }
        return rowSchedule(row, airings)
    }

    /// All content, as if everything had been read.
    var content: GuideContent {
        GuideContent(schedules: schedules, coverage: layout.window, marks: GuideMarks(marks), now: now)
    }

    /// A viewport somewhere over the content or beside it.
    func viewport(using random: inout SeededGenerator) throws -> Viewport {
        let size = layout.contentSize
        return try Viewport(
            x: .random(in: -200...size.width + 100, using: &random),
            y: .random(in: -50...size.height + 50, using: &random),
            width: .random(in: 0.5...900, using: &random), height: .random(in: 0.5...400, using: &random))
    }
}
