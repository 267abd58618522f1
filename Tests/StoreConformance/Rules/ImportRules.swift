import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Replaced and kept airings of an import, and the import log.
    static let imports: [StoreRule] = [
        StoreRule("An import replaces only the range that its listings cover") { guide in
            try guide.importing(evening)
            let outcome = try guide.importing(["one 19:00-19:30 N", "one 19:30-21:00 O"])
            try expectEqual(guide.lines(), ["18:00-19:00 A", "19:00-19:30 N", "19:30-21:00 O", "21:00-22:00 D"])
            expectEqual((outcome.airings.changed, outcome.airings.inserted, outcome.airings.removed), (1, 1, 1))
        },
        StoreRule("A station that a guide does not list keeps its schedule") { guide in
            try guide.importing(evening)
            try guide.importing(["one 20:00-21:00 N"])
            try expectEqual(guide.lines(of: "two"), ["20:00-21:00 X"])
            try expectEqual(guide.stationCount(), 2)
            // A declared station without programmes covers nothing.
            try guide.importing(["<channel id=\"two\"/>", "one 20:00-21:00 N"])
            try expectEqual(guide.lines(of: "two"), ["20:00-21:00 X"])
        },
        StoreRule("A guide without airings removes nothing") { guide in
            try guide.importing(evening)
            let before = try guide.contents()
            try expectEqual(guide.importing([]).changedGuide, false)
            try expectEqual(guide.contents(), before)
        },
        StoreRule("An airing that reaches into new listings is cut and keeps its published stop") { guide in
            try guide.importing(["one 18:00-20:00 A", "one 20:00-22:00 Long"])
            try guide.importing(["one 21:00-21:30 N"])
            try expectEqual(guide.lines(), ["18:00-20:00 A", "20:00-21:00 Long", "21:00-21:30 N"])
            let long = try #require(try guide.airings().first { $0.title == "Long" })
            expectEqual(long.published, PublishedTimes(start: Day.instant("20:00"), stop: Day.instant("22:00")))
            expectEqual(long.isStopInferred, false)
            try expectEqual(guide.importing(["one 21:00-21:30 N"]).changedGuide, false)
        },
        StoreRule("An inferred stop that new listings cut is not a published stop") { guide in
            // The last airing has no stop, so one hour is assumed. The next import has an airing half an hour later.
            try guide.importing(["one 20:00-? Open"])
            try expectEqual(guide.lines(), ["20:00-21:00? Open"])
            try guide.importing(["one 20:30-21:30 N"])
            let open = try #require(try guide.airings().first { $0.title == "Open" })
            expectEqual(open.window, Day.window("20:00-20:30"))
            expectEqual(open.isStopInferred, true)
            expectEqual(open.published, PublishedTimes(start: Day.instant("20:00"), stop: nil))
        },
        StoreRule("A missing stop is inferred from the next stored start") { guide in
            try guide.importing(["one 20:20-21:00 Stored", "one 21:00-22:00 Later"])
            try guide.importing(["one 19:00-20:00 N", "one 20:00-? Tail"])
            try expectEqual(
                guide.lines(),
                ["19:00-20:00 N", "20:00-20:20? Tail", "20:20-21:00 Stored", "21:00-22:00 Later"])
            try expectEqual(guide.importing(["one 19:00-20:00 N", "one 20:00-? Tail"]).changedGuide, false)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("An implausibly late stop does not widen the range that an import replaces") { guide in
            try guide.importing(["one 30:00-31:00 Tomorrow"])
            try guide.importing(["one 20:00-21:00 N", "one 21:00-21000:00 Forever"])
            try expectEqual(guide.lines(), ["20:00-21:00 N", "21:00-30:00 Forever", "30:00-31:00 Tomorrow"])
            let forever = try #require(try guide.airings().first { $0.title == "Forever" })
            expectEqual(forever.published?.stop, Day.instant("21000:00"))
        },
        StoreRule("A clump is replaced as a whole") { guide in
            func clump(_ title: String, _ index: String) -> String {
                "<programme start=\"20260328200000\" stop=\"20260328210000\" clumpidx=\"\(index)\" channel=\"one\">"
                    + "<title>\(title)</title></programme>"
            }
            try guide.importing([clump("A", "0/2"), clump("B", "1/2"), "one 21:00-22:00 C"])
            try expectEqual(guide.lines(), ["20:00-21:00 A", "20:00-21:00 B", "21:00-22:00 C"])
            try guide.importing(["one 20:00-21:00 Single"])
            try expectEqual(guide.lines(), ["20:00-21:00 Single", "21:00-22:00 C"])
            try guide.importing([clump("A", "0/3"), clump("B", "1/3"), clump("D", "2/3")])
            try expectEqual(guide.airings().compactMap { $0.clump?.count }, [3, 3, 3])
            // An airing that starts within a clump cuts all its parts.
            try guide.importing(["one 20:30-21:00 N"])
            try expectEqual(
                guide.lines(),
                ["20:00-20:30 A", "20:00-20:30 B", "20:00-20:30 D", "20:30-21:00 N", "21:00-22:00 C"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Importing part of the same guide changes nothing") { guide in
            let airings = (0..<24).flatMap { hour in
                ["one \(hour * 3):00-\(hour * 3 + 2):00 A\(hour)", "two \(hour * 3):00-? B\(hour)"]
            }
            try guide.importing(airings)
            let before = try guide.contents()
            for window in ["0:00-24:00", "10:00-11:00", "20:30-44:30", "71:00-90:00"] {
                try guide.importing(airings, options: ImportOptions(window: Day.window(window)))
                try expectEqual(guide.contents(), before, "\(window)")
            }
        },
        StoreRule("Importing an unchanged guide keeps the generation and all contents") { guide in
            let first = try guide.importing(untidy)
            expectEqual((first.changedGuide, first.generation), (true, Generation(1)))
            let before = try guide.contents()
            let found = try guide.findings(of: first)
            for _ in 0..<3 {
                let again = try guide.importing(untidy)
                expectEqual(again.changedGuide, false)
                expectEqual(again.generation, Generation(1))
                expectEqual(again.report, first.report)
                expectEqual(again.airingsUnchanged, first.report.airingsStored)
                expectEqual(again.airings.inserted + again.airings.changed + again.airings.removed, 0)
                expectEqual(again.stationsInserted + again.stationsChanged + again.programmesInserted, 0)
                try expectEqual(guide.findings(of: again), found)
            }
            try expectEqual(guide.contents(), before)
        },
        StoreRule("The same airings in another order change nothing") { guide in
            let airings = (0..<12).flatMap { hour in
                [
                    "one \(hour):00-\(hour):30 A\(hour)", "two \(hour):00-\(hour):45 B\(hour)",
                    "one \(hour):30-? C\(hour)",
                ]
            }
            // The file defines the order of stations, so the first two records keep their places.
            try guide.importing(airings)
            let before = try guide.contents()
            let grouped = airings.filter { $0.hasPrefix("one") } + airings.filter { $0.hasPrefix("two") }
            try expectEqual(guide.importing(grouped).changedGuide, false)
            try expectEqual(guide.importing(Array(airings[..<2]) + airings[2...].reversed()).changedGuide, false)
            try expectEqual(guide.contents(), before)
        },
        StoreRule("The same content in equivalent XML changes nothing") { guide in
            let head = "<programme start=\"20260328200000 +0000\" stop=\"20260328210000 +0000\" channel=\"one\""
            let spellings = [
                head + "><title lang=\"en\">A &amp; B</title><desc>One. Two.</desc><new/></programme>",
                head
                    + ">\n  <title lang='en'><![CDATA[A & B]]></title>\n <desc> One.\t Two.\n</desc>\n <new></new>\n</programme>",
                head
                    + "><!-- x --><title lang=\"&#x65;n\">A &#38; B</title><desc>One. <!-- y -->Two.</desc><new /></programme >",
            ]
            try guide.importing([spellings[0]])
            let before = try guide.contents()
            for spelling in spellings {
                try expectEqual(guide.importing([spelling]).changedGuide, false)
                try expectEqual(guide.contents(), before)
            }
        },
        StoreRule("New findings about the same guide are logged and leave the guide unchanged") { guide in
            try guide.importing(["one 20:00-21:00 News"])
            let before = try guide.contents()
            let outcome = try guide.importing(["one 20:00-21:00 News", "<programme channel=\"one\"/>"])
            expectEqual((outcome.changedGuide, outcome.generation), (false, Generation(1)))
            try expectEqual(guide.contents(), before)
            #expect(try guide.findings(of: outcome).contains { $0.line == 4 })
        },
        StoreRule("The import log contains dropped listings with their titles") { guide in
            let outcome = try guide.importing([
                "one 20:00-21:00 Short", "one 20:00-21:00 Rich / Better: With a long description that tells it all.",
            ])
            expectEqual(outcome.report.dropped, [.overlap: 1])
            let dropped = try #require(try guide.findings(of: outcome).first { $0.action == .dropped })
            expectEqual((dropped.listing?.title, dropped.other?.title), ("Short", "Rich"))
            expectEqual((dropped.keyword, dropped.severity, dropped.line), (.overlap, .error, 3))
            expectEqual(dropped.station, StationID("one"))
            expectEqual(dropped.listing?.start, Day.instant("20:00"))
            expectEqual(dropped.listing?.stop, Day.instant("21:00"))
            expectEqual(dropped.other?.start, Day.instant("20:00"))
            // The dropped listing has no airing, but its content is stored.
            let programme = try #require(dropped.listing?.programme)
            try expectEqual(guide.briefs(ofProgrammes: [programme]).map(\.title), ["Short"])
        },
        StoreRule("The import log contains trimmed listings with their new windows") { guide in
            let outcome = try guide.importing(["one 20:00-21:05 A", "one 21:00-22:00 B"])
            let trimmed = try #require(try guide.findings(of: outcome).first { $0.action == .trimmedStop })
            expectEqual(trimmed.window, Day.window("20:00-21:00"))
            expectEqual((trimmed.listing?.title, trimmed.other?.title), ("A", "B"))
            expectEqual(trimmed.severity, .warning)
            let airing = try #require(try guide.airings().first)
            expectEqual(airing.published, PublishedTimes(start: Day.instant("20:00"), stop: Day.instant("21:05")))
        },
        StoreRule("An import with the same findings as the last import returns those findings") { guide in
            let airings = ["one 20:00-21:05 A", "one 21:00-22:00 B", "one 22:00-? C"]
            let first = try guide.importing(airings)
            let found = try guide.findings(of: first)
            let again = try guide.importing(airings)
            try expectEqual(guide.findings(of: again), found)
            // A different guide with the same findings at the same lines.
            let other = try guide.importing(airings + ["two 20:00-21:00 X"])
            expectEqual(other.changedGuide, true)
            try expectEqual(
                guide.findings(of: other).filter { $0.station == StationID("one") },
                found.filter { $0.station == StationID("one") })
        },
        StoreRule("The import log keeps the findings of the last import") { guide in
            try guide.storage.write(waiting: .forOthers) { writer in
                for _ in 0..<120 { try writer.importing(text: Day.guide(["one 20:00-? A"])) }
            }
            try expectEqual(guide.check().problems, [])
            let last = try guide.importing(["one 20:00-? A"])
            #expect(try guide.findings(of: last).contains { $0.keyword == .missingstop })
        },
        StoreRule("The counts of an import match the change log") { guide in
            for seed in 1...UInt64(TestScope.cases(20)) {
                var generator = SeededGenerator(seed: seed)
                let guide = try guide.another(["one 00:00-01:00 A", "two 00:00-01:00 A"])
                for round in 0..<10 {
                    var airings: [String] = []
                    for station in ["one", "two"] {
                        var minute = Int.random(in: 0..<30, using: &generator)
                        while minute < 24 * 60 {
                            let end = minute + Int.random(in: 1..<8, using: &generator) * 15
                            let title = "T\(Int.random(in: 0..<12, using: &generator))"
                            airings.append(
                                "\(station) \(minute / 60):\(minute % 60)-\(end / 60):\(end % 60) \(title)")
                            minute = end
                        }
                    }
                    let known = try guide.generation()
                    let outcome = try guide.importing(airings)
                    let changes = try #require(try guide.changes(since: known))
                    expectEqual(outcome.airings, changes.difference, "round \(round)")
                }
            }
        },
        StoreRule("Each source has a summary of its last import") { guide in
            let later = Day.instant("19:00")
            try guide.importing(["one 20:00-21:00 A"], as: Source(name: "b"))
            try guide.importing(["two 20:00-21:00 A", "two 21:00-22:00 B"], as: Source(name: "a"))
            try guide.importing(
                text: Day.guide(["one 20:00-21:00 A", "one 21:00-22:00 B", "one 21:00-22:00 B"]), as: Source(name: "b"),
                now: later)
            try guide.save(Source(name: "c"))
            let sources = try guide.sources()
            expectEqual(sources.filter { $0.lastImport != nil }.map(\.source.name), ["a", "b"])
            let summaries = sources.compactMap(\.lastImport)
            expectEqual(summaries.map(\.at), [Day.now, later])
            expectEqual(summaries.map(\.read), [2, 3])
            expectEqual(summaries.map(\.stored), [2, 2])
            expectEqual(summaries.map(\.inserted), [2, 1])
            expectEqual(summaries.map { [$0.dropped, $0.changed, $0.removed] }, [[0, 0, 0], [0, 0, 0]])
            let generation = try guide.generation()
            expectEqual(summaries.last?.generation, generation)
            // The log has all imports, newest first.
            let log = try guide.imports(ofSource: "b", limit: 5)
            expectEqual(log.map(\.at), [later, Day.now])
            expectEqual((log.first, Set(log.map(\.id)).count), (summaries.last, 2))
            try expectEqual(guide.imports(ofSource: "b", limit: 1), Array(log.prefix(1)))
            try expectEqual(
                (guide.imports(ofSource: "c", limit: 5), guide.imports(ofSource: "d", limit: 5)), ([], []))
        },
    ]
}

private let evening = [
    "one 18:00-19:00 A", "one 19:00-20:00 B", "one 20:00-21:00 C", "one 21:00-22:00 D", "two 20:00-21:00 X",
]

/// A guide that needs every kind of repair.
private let untidy = [
    "one 20:00-21:00 News / Late: With weather.", "one 21:00-? Film", "one 22:00-22:00 Marker",
    "one 22:00-23:00 Talk", "one 22:00-23:00 Talk", "one 22:30-23:30 Music", "two 20:00-? Film",
    "two 20:30-21:30 Gold",
    "<programme start=\"20260328200000\" channel=\"three\" catchup-id=\"7\"><title>T</title></programme>",
    "<channel id=\"four\"><display-name>Four</display-name></channel>", "<programme channel=\"one\"/>",
]

extension GuideUnderTest {
    /// Returns the findings of an import.
    fileprivate func findings(of outcome: ImportOutcome) throws -> [Diagnostic] {
        var found: [Diagnostic] = []
        try diagnostics(ofImport: outcome.importID) { diagnostic in
            found.append(diagnostic)
            return true
        }
        return found
    }
}

extension GuideChanges {
    /// The number of airings that changed in each way.
    fileprivate var difference: AiringDifference {
        var difference = AiringDifference()
        for station in stations {
            guard case .airings(let airings) = station.extent else { continue }
            for airing in airings {
                switch airing.kind {
                case .inserted: difference.inserted += 1
                case .removed: difference.removed += 1
                case .moved: difference.moved += 1
                case .changed: difference.changed += 1
                }
            }
        }
        return difference
    }
}
