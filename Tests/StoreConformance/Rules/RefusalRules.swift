import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Imports that fail, or that a safeguard or a limit rejects, leave the guide unchanged.
    static let refusals: [StoreRule] = [
        StoreRule("An import of an invalid file changes nothing") { guide in
            for kind: String in badFiles.keys.sorted() {
                let guide = try guide.another(evening)
                let before = try guide.snapshot()
                let text = try #require(badFiles[kind])
                var strict = ImportOptions()
                strict.isStrict = true
                #expect(throws: (any Error).self) { try guide.importing(text: text, options: strict) }
                #expect(throws: (any Error).self) {
                    try guide.importing(text: text, as: Source(name: "new one"), options: strict)
                }
                try expectEqual(guide.snapshot(), before)
                // The next import is not affected.
                try expectEqual(guide.importing(evening).changedGuide, false)
                try expectEqual(guide.importing(text: next).report.airingsStored, 300)
                try expectEqual(guide.check().problems, [])
            }
        },
        StoreRule("An invalid file leaves an empty guide empty") { (guide) throws in
            #expect(throws: (any Error).self) { try guide.importing(text: "nothing") }
            try expectEqual(guide.stationCount(), 0)
            try expectEqual(guide.generation(), Generation(0))
            try expectEqual(guide.sources(), [])
        },
        StoreRule("A search finds nothing of an invalid file") { guide in
            try guide.importing(evening)
            try guide.refreshSearchIndex()
            let text = try #require(badFiles["cut within the last tag"])
            #expect(throws: (any Error).self) { try guide.importing(text: text) }
            try guide.importing(["one 20:00-21:00 A", "one 21:00-22:00 Fresh"])
            try guide.refreshSearchIndex()
            func titles(_ words: String) throws -> [String] {
                try guide.search(SearchQuery(words: words, now: Day.now, order: .start)).matches.map(\.airing.title)
            }
            try expectEqual(titles("Fresh"), ["Fresh"])
            try expectEqual(titles("New"), [])
            try expectEqual(titles("A"), ["A"])
        },
        StoreRule("A safeguard accepts the first import of a source") { guide in
            try expectEqual(guide.importing(["one 20:00-21:00 A"], share: 50).airings.inserted, 1)
            // Listings of another source do not count, either.
            let other = try guide.another(quarters(0..<7))
            try other.importing(
                text: Day.guide(["s1 20:00-21:00 A"]), as: Source(name: "other"), options: options(50))
        },
        StoreRule("A safeguard accepts a guide that advanced by some days") { (guide) throws in
            for days: Int in [1, 3, 6, 30] {
                try expectEqual(guide.refusal(of: quarters(days..<days + 7), day: Int64(days)), nil)
            }
        },
        StoreRule("A safeguard accepts a guide that ends earlier") { (guide) throws in
            for days: Int in [1, 2, 6] {
                // Airings after its end remain.
                try expectEqual(guide.refusal(of: quarters(0..<days)), nil)
            }
        },
        StoreRule("A safeguard accepts a smaller guide if the stored guide is in the past") { (guide) throws in
            try expectEqual(guide.refusal(of: quarters(9..<12, stations: 0..<1), day: 9), nil)
        },
        StoreRule("A safeguard accepts a guide that is itself in the past") { (guide) throws in
            try expectEqual(guide.refusal(of: quarters(0..<2, stations: 0..<2), day: 3), nil)
        },
        StoreRule("A safeguard of 50% accepts half of the stations") { (guide) throws in
            try expectEqual(guide.refusal(of: quarters(0..<7, stations: 0..<5)), nil)
        },
        StoreRule("A safeguard accepts new stations in place of missing ones") { (guide) throws in
            try expectEqual(guide.refusal(of: quarters(0..<7, stations: 8..<18)), nil)
        },
        StoreRule("A safeguard does not count stations that are no longer selected") { (guide) throws in
            try expectEqual(guide.refusal(of: quarters(0..<7), stations: ["s1"]), nil)
            #expect(try guide.refusal(of: quarters(0..<7, stations: 1..<2), stations: ["s?"]) != nil)
        },
        StoreRule("A safeguard compares each station within its own range") { (guide) throws in
            // `s0` has the week, the other stations have one day.
            let airings = quarters(0..<1, stations: 1..<10) + quarters(0..<7, stations: 0..<1)
            try expectEqual(guide.refusal(of: airings), nil)
        },
        StoreRule("An import without a safeguard accepts everything") { (guide) throws in
            try expectEqual(guide.refusal(of: quarters(0..<7, stations: 0..<1), share: nil), nil)
            try expectEqual(guide.refusal(of: [], share: nil), nil)
        },
        StoreRule("A safeguard rejects fewer stations than its share") { guide in
            for (stations, share, isRefused) in [
                (4, 50, true), (5, 51, true), (9, 91, true), (9, 90, false), (1, 10, false), (1, 0, false),
            ] as [(Int, Int, Bool)] {
                let refusal = try guide.refusal(of: quarters(0..<7, stations: 0..<stations), share: share)
                let expected = RefusedImport.fewStations(found: stations, stored: 10, share: share)
                expectEqual(refusal, (isRefused ? expected : nil))
            }
        },
        StoreRule("A safeguard rejects fewer airings than its share") { (guide) throws in
            // The first and the last of the 28 airings of each station. The first three have stopped at 18:00.
            let thin = quarters(0..<7).enumerated().filter { $0.offset % 28 == 0 || $0.offset % 28 == 27 }
            try expectEqual(
                guide.refusal(of: thin.map(\.element)),
                RefusedImport.fewAirings(found: 10, stored: 250, share: 50))
        },
        StoreRule("A safeguard compares only airings that have not stopped") { (guide) throws in
            // On the sixth day at 18:00, each station has five future airings: one on that day and four on the seventh.
            let few = quarters(0..<7, stations: 0..<4)
            try expectEqual(
                guide.refusal(of: few, day: 5), RefusedImport.fewStations(found: 4, stored: 10, share: 50))
            try expectEqual(guide.refusal(of: few, day: 7), nil)
        },
        StoreRule("A safeguard rejects a guide without airings regardless of its share") { guide in
            for share: Int in [0, 50, 100] {
                try expectEqual(guide.refusal(of: [], share: share), RefusedImport.empty(programmesRead: 0))
                let declared = ["<channel id=\"s1\"><display-name>One</display-name></channel>"]
                try expectEqual(guide.refusal(of: declared, share: share), RefusedImport.empty(programmesRead: 0))
                let guide = try guide.another()
                #expect(throws: RefusedImport.empty(programmesRead: 1)) {
                    try guide.importing(["one 20:00-21:00 A"], share: share, stations: ["two"])
                }
                try expectEqual(guide.sources(), [])
            }
        },
        StoreRule("The counts of a safeguard equal a count of individual airings") { guide in
            for seed in 1...UInt64(TestScope.cases(60)) {
                var generator = SeededGenerator(seed: seed)
                func random() -> [String] {
                    quarters(0..<4, stations: 0..<6).filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
                        .filter { $0.hasPrefix("s0") || Bool.random(using: &generator) }
                }
                let (old, new) = (random(), random())
                let now = Day.instant("30:00")
                let guide = try guide.another(old)
                let sizes = sizes(old, new, now: now)
                var outcome: RefusedImport?
                do {
                    try guide.importing(text: Day.guide(new), options: options(100), now: now)
                } catch let refusal as RefusedImport {
                    outcome = refusal
                }
                let expected: RefusedImport? =
                    if new.isEmpty { RefusedImport.empty(programmesRead: 0) } else {
                        ImportSafeguard(minimumShare: 100).refusal(found: sizes.found, stored: sizes.stored)
                    }
                expectEqual(outcome, expected)
            }
        },
        StoreRule("An import that exceeds a limit of the store changes nothing") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 20:00-21:00 B"])
            let before = try guide.snapshot()
            let edition = ["one 21:00-22:00 C", "three 21:00-22:00 D"]
            var options = ImportOptions()
            options.limits.programmes = 3
            #expect(throws: ExceededImportLimit(.storedAirings, value: 3)) {
                try guide.importing(edition, options: options)
            }
            options = ImportOptions()
            options.limits.stations = 2
            #expect(throws: ExceededImportLimit(.storedStations, value: 2)) {
                try guide.importing(edition, options: options)
            }
            try expectEqual(guide.snapshot(), before)
            options.limits.stations = 3
            options.limits.programmes = 4
            try expectEqual(guide.importing(edition, options: options).airings.inserted, 2)
        },
    ]
}

private let evening = ["one 20:00-21:00 A", "one 21:00-22:05 B", "one 22:00-23:00 C", "two 20:00-? X"]
private let next = Day.guide((0..<300).map { "s\($0 / 30) \($0):00-\($0):30 N\($0): New." })

private let badFiles: [String: String] = [
    "cut in the middle of a programme": String(next.prefix(next.count / 2)),
    "cut within the last tag": String(next.dropLast(4)),
    "not well-formed in the middle": next.replacing(">N150<", with: ">N150 & more<"),
    "a different root": next.replacing("<tv>", with: "<guide>").replacing("</tv>", with: "</guide>"),
    "an entity bomb": "<!DOCTYPE tv [<!ENTITY a \"&b;&b;\">]>" + next.dropFirst(39),
    "absurd nesting": next.replacing("</tv>", with: String(repeating: "<a>", count: 50)),
    "an HTML page": "<!DOCTYPE html><html><body>502</body></html>",
    "empty": "",
    "content after the root": next + "<tv/>",
]

/// Airings of six hours, four per day and station, from midnight to midnight. Day 0 is 2026-03-28, the day of ``Day/now``.
private func quarters(_ days: Range<Int>, stations: Range<Int> = 0..<10) -> [String] {
    stations.flatMap { station in
        days.flatMap { day in
            (0..<4).map { quarter in
                let hour = day * 24 + quarter * 6
                return "s\(station) \(hour):00-\(hour + 6):00 T\(station).\(hour)"
            }
        }
    }
}

private func options(_ share: Int?, stations: [String] = []) -> ImportOptions {
    var options = ImportOptions(stations: stations.map { WildcardPattern($0) })
    options.minimumShare = share
    return options
}

extension GuideUnderTest {
    /// Imports with a safeguard, a number of days after ``Day/now``.
    @discardableResult
    fileprivate func importing(
        _ airings: [String], share: Int?, stations: [String] = [], day: Int64 = 0
    ) throws -> ImportOutcome {
        try importing(
            airings, options: options(share, stations: stations), now: Day.now.advanced(by: day * 86_400))
    }

    /// Imports into a guide with one week of ten stations. Checks that a refused import changes nothing.
    fileprivate func refusal(
        of airings: [String], share: Int? = 50, stations: [String] = [], day: Int64 = 0
    ) throws -> RefusedImport? {
        let stored = quarters(0..<7)
        // Refused imports leave this guide in its first generation. After an accepted one, the next call needs another guide.
        let generation = try generation()
        let guide = generation > Generation(1) ? try another(stored) : self
        if generation == Generation(0) { try importing(stored) }
        let before = try guide.snapshot()
        do {
            try guide.importing(airings, share: share, stations: stations, day: day)
            try expectEqual(guide.check().problems, [])
            return nil
        } catch let refusal as RefusedImport {
            try expectEqual(guide.snapshot(), before)
            // The next import is not affected.
            try expectEqual(guide.importing(stored, share: share).changedGuide, false)
            try expectEqual(guide.check().problems, [])
            return refusal
        }
    }
}

/// Returns the sizes that a safeguard compares, counted airing by airing.
private func sizes(
    _ old: [String], _ new: [String], now: Instant
) -> (found: (stations: Int, airings: Int), stored: (stations: Int, airings: Int)) {
    func windows(_ lines: [String]) -> [Substring: [TimeWindow]] {
        Dictionary(grouping: lines) { $0.prefix(2) }.mapValues { lines in
            lines.map { Day.window(String($0.split(separator: " ")[1])) }
        }
    }
    func size(_ stations: [[TimeWindow]]) -> (stations: Int, airings: Int) {
        (stations.count { !$0.isEmpty }, stations.reduce(0) { $0 + $1.count })
    }
    let (before, after) = (windows(old), windows(new))
    let all = after.values.joined()
    guard let start = all.map(\.start).min(), let end = all.map(\.end).max() else {
        return ((0, 0), (0, 0))
    }
    let stored = before.map { station, airings in
        let own = after[station]
        let from = own?.map(\.start).min() ?? start
        let to = own?.map(\.end).max() ?? end
        return airings.filter { $0.end > max(now, from) && $0.start < to && (own == nil || $0.start >= from) }
    }
    return (size(after.values.map { $0.filter { $0.end > now } }), size(stored))
}
