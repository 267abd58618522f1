import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Reads of windows, rows, current airings and the span of the guide.
    static let reading: [StoreRule] = [
        StoreRule("A window of rows contains the same airings as a filter over all airings") { guide in
            var generator = SeededGenerator(seed: 42)
            var records: [String] = []
            for station in 0..<6 {
                var minute = Int.random(in: 0...60, using: &generator)
                while minute < 40 * 60 {
                    let end = minute + Int.random(in: 1...120, using: &generator)
                    records.append(
                        "s\(station) \(minute / 60):\(minute % 60)-\(end / 60):\(end % 60) T\(records.count % 17)")
                    minute = end + (Bool.random(using: &generator) ? 0 : Int.random(in: 0...90, using: &generator))
                }
            }
            try guide.importing(records)
            let all = try guide.stations(inRows: 0..<6).map { row in
                try guide.schedule(of: row.station.id, during: Day.allTime).airings
            }
            expectEqual(all.map(\.count).reduce(0, +), records.count)
            for _ in 0..<300 {
                let start = Day.instant("0:\(Int.random(in: -60...2500, using: &generator))")
                let window = TimeWindow(
                    start: start, end: start.advanced(by: Int64.random(in: 0...20_000, using: &generator)))
                let first = Int.random(in: 0...6, using: &generator)
                let rows = first..<Int.random(in: first...8, using: &generator)
                let result = try guide.schedules(inRows: rows, during: window)
                expectEqual(result.map(\.row), Array(rows.clamped(to: 0..<6)))
                for row in result {
                    let expected = all[row.row].filter { $0.window.overlaps(window) }
                    expectEqual(row.schedule.airings.map(\.id), expected.map(\.id))
                    try expectEqual(guide.schedule(of: row.schedule.station, during: window).airings, expected)
                }
            }
        },
        StoreRule("Windows are half-open") { guide in
            try guide.importing(["one 20:00-21:00 A", "one 21:00-22:00 B"])
            func titles(_ window: String) throws -> [String] {
                try guide.schedules(inRows: 0..<1, during: Day.window(window)).flatMap { $0.schedule.airings }
                    .map(\.title)
            }
            try expectEqual(titles("20:00-21:00"), ["A"])
            try expectEqual(titles("21:00-22:00"), ["B"])
            try expectEqual(titles("20:59-21:01"), ["A", "B"])
            try expectEqual(titles("22:00-23:00"), [])
            try expectEqual(titles("19:00-20:00"), [])
            try expectEqual(titles("21:00-21:00"), [])
        },
        StoreRule("A window includes an airing that began before it") { guide in
            try guide.importing(["one 2:00-25:30 Marathon", "one 25:30-26:00 News"])
            let result = try guide.schedules(inRows: 0..<1, during: Day.window("25:00-25:10"))
            expectEqual(result.first?.schedule.airings.map(\.title), ["Marathon"])
        },
        StoreRule("A station without airings in the window has a row") { guide in
            try guide.importing([
                "<channel id=\"none\"><display-name>None</display-name></channel>", "one 20:00-21:00 A",
            ])
            let result = try guide.schedules(inRows: 0..<10, during: Day.window("10:00-11:00"))
            expectEqual(result.map(\.stationName), ["None", "one"])
            #expect(result.allSatisfy { $0.schedule.airings.isEmpty })
        },
        StoreRule("Extreme instants and nonexistent rows are valid arguments") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            let extremes = TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max))
            try expectEqual(guide.schedules(inRows: Int.min..<Int.max, during: extremes).count, 1)
            try expectEqual(guide.schedules(inRows: -5..<0, during: extremes), [])
            try expectEqual(guide.nowAndNext(at: extremes.end, inRows: 0..<1).first?.now.isEmpty, true)
            try expectEqual(guide.nowAndNext(at: extremes.start, inRows: 0..<1).first?.next?.title, "A")
            try expectEqual(guide.schedule(of: StationID("nobody"), during: extremes).airings, [])
        },
        StoreRule("Now is the airing at the instant, and next is the first airing that starts after it") { guide in
            func clump(_ title: String, _ index: Int) -> String {
                "<programme start=\"20260328220000\" stop=\"20260328230000\" clumpidx=\"\(index)/2\" channel=\"one\">"
                    + "<title>\(title)</title></programme>"
            }
            try guide.importing([
                "one 20:00-21:00 A", "one 21:00-21:30 B", clump("C1", 0), clump("C2", 1), "one 23:00-24:00 D",
            ])
            for (clock, now, next) in [
                ("19:59", [], "A"), ("20:00", ["A"], "B"), ("20:59", ["A"], "B"), ("21:00", ["B"], "C1"),
                ("21:30", [], "C1"),
                ("22:00", ["C1", "C2"], "D"), ("22:59", ["C1", "C2"], "D"), ("23:30", ["D"], nil), ("24:00", [], nil),
            ] as [(String, [String], String?)] {
                let result = try #require(try guide.nowAndNext(at: Day.instant(clock), inRows: 0..<1).first)
                expectEqual(result.now.map(\.title), now)
                expectEqual(result.next?.title, next)
            }
        },
        StoreRule("The span of a guide reaches from its first start to its last stop") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 05:00-06:00 B", "two 06:00-07:00 C"])
            try guide.importing(["three 22:00-26:30 D"], as: Source(name: "other"))
            try expectEqual(guide.guideSpan(), Day.window("05:00-26:30"))
        },
        StoreRule("An empty guide returns empty results") { guide in
            try guide.refreshSearchIndex()
            let now = Day.instant("20:00")
            try expectEqual(guide.guideSpan(), nil)
            try expectEqual(guide.schedules(inRows: 0..<2, during: Day.allTime), [])
            try expectEqual(guide.station(StationID("one")), nil)
            for filter in [
                StationFilter(), StationFilter(text: "a"), StationFilter(group: "a"), StationFilter(lineup: "a"),
            ] {
                try expectEqual(guide.stations(filter, offset: 0, limit: 10), (0, []))
            }
            try expectEqual(guide.stationGroups(), [])
            try expectEqual(guide.categories(), [])
            try expectEqual(guide.search(SearchQuery(words: "news", now: now)), SearchResults())
            try expectEqual(guide.showings(of: AiringID(1), after: now, limit: 10), [])
            try expectEqual(guide.sources(), [])
            try expectEqual(guide.version().generation, Generation(0))
            try expectEqual(guide.version().since, nil)
        },
        StoreRule("Categories count programmes, the most frequent first") { guide in
            func record(_ hour: Int, _ title: String, _ categories: [String]) -> String {
                "<programme start=\"\(Day.stamp("\(hour):00"))\" stop=\"\(Day.stamp("\(hour + 1):00"))\" channel=\"one\">"
                    + "<title>\(title)</title>" + categories.map { "<category>\($0)</category>" }.joined()
                    + "</programme>"
            }
            // The news is one programme, regardless of the number of airings.
            try guide.importing([
                record(1, "News", ["News"]), record(2, "News", ["News"]), record(3, "Alien", ["Film", "Horror"]),
                record(4, "Solaris", ["Film", "News"]), record(5, "Chess", ["Sport"]), record(6, "Nothing", []),
                record(7, "Empty", [""]),
            ])
            try expectEqual(
                guide.categories(),
                [
                    NameCount(name: "Film", count: 2), NameCount(name: "News", count: 1),
                    NameCount(name: "Sport", count: 1),
                ])
        },
        // The codes of ETSI EN 300 468, table 28: 0x10 drama, 0x12 adventure, 0x23 documentary, 0x55 cartoons.
        StoreRule("The genre follows from all categories, the date and the episode") { guide in
            let cases: [(elements: String, code: UInt8, form: ProgrammeGenre.Form)] = [
                ("<category>Drama</category><category>Movie</category><category>Action</category>", 0x12, .film),
                ("<category>Drama</category><category>Series</category>", 0x10, .series),
                ("<category>Drama</category><date>1994</date>", 0x10, .dated),
                ("<category>Drama</category><date>20261024</date>", 0x10, .unknown),
                (
                    "<category>Drama</category><date>1994</date><episode-num system=\"xmltv_ns\">0.4.</episode-num>",
                    0x10, .series
                ),
                ("<category>Drama</category><episode-num>S02E05</episode-num>", 0x10, .series),
                ("<category>Movie</category><category>Cartoon</category>", 0x55, .film),
                ("<category>Dokumentarfilm</category>", 0x23, .unknown),
                ("<category>Bold <b>drama</b></category>", 0x10, .unknown), ("<category>Wow</category>", 0, .unknown),
                ("", 0, .unknown),
            ]
            try guide.importing(
                cases.enumerated().map { hour, element in
                    "<programme start=\"\(Day.stamp("\(hour):00"))\" stop=\"\(Day.stamp("\(hour + 1):00"))\" channel=\"one\">"
                        + "<title>\(hour)</title>\(element.elements)</programme>"
                })
            let expected = cases.map { ProgrammeGenre(code: $0.code, form: $0.form) }
            let window = TimeWindow(start: Day.instant("0:00"), end: Day.instant("23:00"))
            try expectEqual(
                guide.schedules(inRows: 0..<1, during: window).first?.schedule.airings.map(\.genre), expected)
            try expectEqual(guide.schedule(of: StationID("one"), during: window).airings.map(\.genre), expected)
            let numbers = try guide.outlines(inRows: [0], during: window)[0].map { $0.map(\.programme) } ?? []
            let briefs = Dictionary(
                uniqueKeysWithValues: try guide.briefs(ofProgrammes: numbers).map { ($0.number, $0.genre) })
            expectEqual(numbers.map { briefs[$0] }, expected)
        },
        StoreRule("Each generation has a unique nonce") { guide in
            let guides = try (0..<2).map { _ in try guide.another(["one 20:00-21:00 A"]) }
            let versions = try guides.map { try $0.version() }
            expectEqual(versions[0].generation, versions[1].generation)
            #expect(versions[0].nonce != versions[1].nonce)
            expectEqual(versions.map(\.since), [Day.now, Day.now])
            try guides[0].importing(["one 20:00-21:00 B"])
            #expect(try guides[0].version().nonce != versions[0].nonce)
            #expect(try guides[0].version().generation > versions[0].generation)
            // The log contains the nonces of earlier generations of this guide only.
            try expectEqual(guides[0].version(of: versions[0].generation), versions[0])
            try expectEqual(guides[0].version(of: Generation(3)), nil)
        },
        StoreRule("Outlines and briefs agree with the schedules of several sources") { guide in
            for seed in 1...UInt64(TestScope.cases(30)) {
                var generator = SeededGenerator(seed: seed)
                let guide = try guide.another()
                for feed in OverlayOracle.random(using: &generator) {
                    try guide.importing(
                        feed.broadcasts.flatMap(\.elements), as: Source(name: feed.name, priority: feed.priority))
                }
                let windows = (0..<20).map { _ in
                    let start = Day.instant("0:\(Int.random(in: -30...900, using: &generator))")
                    return TimeWindow(
                        start: start, end: start.advanced(by: 60 * Int64.random(in: 0...200, using: &generator)))
                }
                try guide.storage.read { reading in
                    for window in windows { try reading.expectAgreement(inRows: 0..<3, during: window) }
                }
            }
        },
        StoreRule("Outlines and briefs include clumps and marks") { guide in
            try guide.importing(
                text: """
                    <tv><programme start="20260328200000 +0000" stop="20260328210000 +0000" channel="one" clumpidx="0/2">
                    <title>A</title><sub-title>a</sub-title><category>News</category><new/></programme>
                    <programme start="20260328200000 +0000" stop="20260328210000 +0000" channel="one" clumpidx="1/2">
                    <title>B S2</title><sub-title>Folge 5</sub-title><previously-shown/><live/></programme>
                    <programme start="20260328210000 +0000" channel="two"><title>C</title></programme></tv>
                    """)
            let day = TimeWindow(start: Day.instant("0:00"), end: Day.instant("23:59"))
            try guide.expectAgreement(inRows: 0..<2, during: day)
            let outlines = try guide.outlines(inRow: 0, during: day)
            expectEqual(outlines.map(\.isInClump), [true, true])
            try expectEqual(guide.outlines(inRow: 1, during: day).map(\.isStopInferred), [true])
            let briefs = try guide.briefs(ofProgrammes: outlines.map(\.programme) + [999])
            expectEqual(briefs.map(\.title).sorted(), ["A", "B S2"])
            let first = try #require(briefs.first { $0.title == "A" })
            expectEqual((first.subtitle, first.category, first.marks), ("a", "News", .new))
            let second = try #require(try guide.airings().first { $0.title == "B S2" })
            expectEqual(second.marks, [.live, .repeated])
            let detail = try #require(try guide.airing(second.id))
            expectEqual(AiringMarks(detail.programme), second.marks)
            expectEqual([detail.airing.episode, detail.airing.episodeSource?.rawValue], ["S2 E5", "subtitle"])
        },
        StoreRule("Contents differ if anything in an airing differs, and are equal again with it") { guide in
            func contents(_ attributes: String, _ elements: String) throws -> [AiringContent] {
                try guide.importing(
                    text: """
                        <tv><programme start="20260328200000 +0000" \(attributes) channel="one">\(elements)</programme>
                        <programme start="20260328220000 +0000" stop="20260328230000 +0000" channel="one"><title>Z</title>
                        </programme></tv>
                        """)
                let contents = try guide.contents(inRows: 0..<5, during: Day.allTime)
                expectEqual(Array(contents.keys), [0])
                let outlines = try guide.outlines(inRow: 0, during: Day.allTime)
                expectEqual(contents[0]?.map(\.window), outlines.map(\.window))
                expectEqual(contents[0]?.map(\.id), outlines.map(\.id))
                return contents[0] ?? []
            }
            let stop = "stop=\"20260328210000 +0000\""
            let variants = [
                (stop, "<title>A</title>"), (stop, "<title>B</title>"), (stop, "<title>A</title><new/>"),
                (stop, "<title>A</title><sub-title>S</sub-title>"), (stop, "<title>A</title><desc>S</desc>"),
                (stop, "<title>A</title><category>S</category>"), (stop, "<title lang=\"en\">A</title>"),
                (stop, "<title>A</title><rating><value>12</value></rating>"),
                ("stop=\"20260328213000 +0000\"", "<title>A</title>"),
                // Longer than it can be shown, and without a stop.
                ("stop=\"20260328223000 +0000\"", "<title>A</title>"), ("", "<title>A</title>"),
            ]
            let found = try variants.map { try contents($0.0, $0.1) }
            expectEqual(Set(found.compactMap { $0.first?.hash }).count, variants.count)
            expectEqual(Set(found.compactMap { $0.last?.hash }).count, 1)
            try expectEqual(variants.map { try contents($0.0, $0.1) }, found)
        },
        StoreRule("Outlines of an empty window are empty") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            let empty = TimeWindow(start: Day.instant("20:30"), end: Day.instant("20:30"))
            try expectEqual(guide.outlines(inRow: 5, during: Day.allTime), [])
            try expectEqual(guide.outlines(inRow: 0, during: empty), [])
            try expectEqual(guide.briefs(ofProgrammes: []), [])
        },
        StoreRule("Something is on from the start of an airing until its stop") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 20:30-21:30 B"])
            for (clock, isOn) in [
                ("19:59", false), ("20:00", true), ("21:00", true), ("21:29", true), ("21:30", false),
            ] {
                try expectEqual(guide.isAnythingOn(at: Day.instant(clock)), isOn, "\(clock)")
            }
            try expectEqual(guide.another().isAnythingOn(at: Day.instant("20:00")), false)
        },
        StoreRule("Briefs omit missing programmes") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            let numbers = try guide.outlines(inRow: 0, during: Day.allTime).map(\.programme)
            try expectEqual(guide.briefs(ofProgrammes: numbers + [0, -1, .max]).map(\.number), numbers)
        },
        StoreRule("The change log has the version of a generation for one week") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            let first = try guide.version()
            try guide.importing(["one 20:00-21:00 B"], now: Day.now.advanced(by: 86_400))
            try expectEqual(guide.version(of: first.generation), first)
            try guide.importing(["one 20:00-21:00 C"], now: Day.now.advanced(by: 9 * 86_400))
            try expectEqual(guide.version(of: first.generation), nil)
            try expectEqual(guide.version(of: Generation(3)), guide.version())
        },
        StoreRule("A new guide counts generations and airings from 1") { guide in
            try expectEqual(guide.generation(), Generation(0))
            let outcome = try guide.importing(["one 20:00-21:00 A", "one 21:00-22:00 B"])
            expectEqual(outcome.generation, Generation(1))
            try expectEqual(guide.generation(), Generation(1))
            try expectEqual(guide.airings().map(\.id), [AiringID(1), AiringID(2)])
        },
    ]
}

extension GuideReading {
    /// Checks outlines and briefs against schedules.
    fileprivate func expectAgreement(inRows rows: Range<Int>, during window: TimeWindow) throws {
        let schedules = try self.schedules(inRows: rows, during: window)
        let outlines = try schedules.map { try self.outlines(inRow: $0.row, during: window) }
        let numbers = Set(outlines.joined().map(\.programme))
        let briefs = Dictionary(
            uniqueKeysWithValues: try self.briefs(ofProgrammes: Array(numbers)).map { ($0.number, $0) })
        for (outline, schedule) in zip(outlines, schedules) {
            expectEqual(outline.count, schedule.schedule.airings.count)
            for (short, airing) in zip(outline, schedule.schedule.airings) {
                let brief = try #require(briefs[short.programme])
                expectEqual((short.id, short.window), (airing.id, airing.window))
                expectEqual((short.isInClump, short.isStopInferred), (airing.clump != nil, airing.isStopInferred))
                expectEqual((brief.title, brief.subtitle), (airing.title, airing.subtitle))
                expectEqual((brief.category, brief.marks), (airing.categories.first, airing.marks))
            }
        }
    }
}
