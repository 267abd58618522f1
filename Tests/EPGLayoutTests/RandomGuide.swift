import CollectionLayout
import EPGLayout
import EPGModel
import TestSupport
import Testing

/// A guide with random dimensions and random schedules that extend beyond its window.
struct RandomGuide {
    let layout: GuideLayout
    let schedules: [RowSchedule]
    let marks: [TimeMark]
    let now: Instant

    /// - Parameter isVaried: Whether the guide is small and has groups, clusters, and a random
    ///   orientation and direction.
    init(seed: UInt64, isVaried: Bool = false) throws {
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
            end: dayStart.advanced(by: start + .random(in: 1...(isVaried ? 20_000 : 90_000), using: &random)))
        let rows = Int.random(in: 0...(isVaried ? 5 : 12), using: &random)
        layout =
            isVaried
            ? try RandomGuide.varied(metrics: metrics, window: range, rows: rows, using: &random)
            : try GuideLayout(metrics: metrics, window: range, rowCount: rows)
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

    private static func varied(
        metrics: GuideMetrics, window: TimeWindow, rows: Int, using random: inout SeededGenerator
    ) throws -> GuideLayout {
        let groups = (0..<rows).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
            .map { GuideGroup(firstRow: $0, title: "Group \($0)") }
        let clusters = try ClusterPolicy(leastWidth: .random(in: 5...80, using: &random))
        return try GuideLayout(
            metrics: metrics, window: window, rowCount: rows, groups: groups.reversed(),
            timeAxis: Axis.allCases.randomElement(using: &random) ?? .horizontal,
            direction: LayoutDirection.allCases.randomElement(using: &random) ?? .leftToRight,
            clusters: Bool.random(using: &random) ? clusters : nil)
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

    /// The complete content.
    var content: GuideContent {
        GuideContent(schedules: schedules, coverage: layout.window, marks: GuideMarks(marks), now: now)
    }

    /// Returns a random viewport over the content or partly outside.
    func viewport(using random: inout SeededGenerator) throws -> Viewport {
        let size = layout.contentSize
        return try Viewport(
            x: .random(in: -200...size.width + 100, using: &random),
            y: .random(in: -50...size.height + 50, using: &random),
            width: .random(in: 0.5...900, using: &random), height: .random(in: 0.5...400, using: &random))
    }
}

/// Checks a property with the cases of one of ten batches, a thousand for a release, several for each varied guide. Records
/// violations with the seed of the guide.
///
/// - Parameter holds: Returns whether the property holds; `nil` for a case that does not apply, which is not counted.
func eachCase(
    of batch: UInt64, perGuide: Int = 10, _ holds: (RandomGuide, inout SeededGenerator) throws -> Bool?
) rethrows {
    let count = TestScope.cases(1000)
    var seed = batch * 10_000
    let end = seed + 1000
    var reached = 0
    while reached < count, seed < end {
        guard let guide = try? RandomGuide(seed: seed, isVaried: true) else {
            Issue.record("seed \(seed) gives an invalid guide")
            return
        }
        var random = SeededGenerator(seed: seed &* 7919)
        for _ in 0..<perGuide {
            guard let isKept = try holds(guide, &random) else { continue }
            reached += 1
            guard isKept else {
                Issue.record("the property does not hold for seed \(seed)")
                return
            }
        }
        seed += 1
    }
    #expect(reached >= count, "too few applicable cases")
}

/// Calls a closure for the varied guides of one of ten batches, with separate random numbers. Records violations with the
/// seed of the guide.
///
/// - Parameter count: The number of guides for a release; smaller scopes have fewer.
func eachGuide(
    of batch: UInt64, count: Int = 50, _ body: (RandomGuide, inout SeededGenerator) throws -> Bool
) rethrows {
    let count = UInt64(TestScope.cases(count))
    for seed in batch * count..<(batch + 1) * count {
        guard let guide = try? RandomGuide(seed: seed, isVaried: true) else {
            Issue.record("seed \(seed) gives an invalid guide")
            continue
        }
        var random = SeededGenerator(seed: seed &* 7919)
        if try !body(guide, &random) { Issue.record("the property does not hold for seed \(seed)") }
    }
}
