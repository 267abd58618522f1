@testable import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing

/// Tests of each repair with a feed of fictional stations, as an import stores it (Rules.md, rules 2, 3, 6, and 14 to 18).
@Suite struct RepairedFeedTests {
    /// Returns a `<programme>` of the station `kestrel.example` on 2026-03-29 or, with hours above 24, the day after.
    private static func programme(_ start: String, _ stop: String, _ title: String, _ details: String = "") -> String {
        let attributes = "start=\"\(Self.time(start))\" stop=\"\(Self.time(stop))\" channel=\"kestrel.example\""
        return "<programme \(attributes)><title>\(title)</title>\(details)</programme>"
    }

    /// `20260329223000 +0000` for `22:30`.
    private static func time(_ text: String) -> String {
        let numbers = text.split(separator: ":").compactMap { Int($0) }
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "202603\(29 + numbers[0] / 24)\(padded(numbers[0] % 24))\(padded(numbers[1]))00 +0000"
    }

    private func guide(_ programmes: [String], options: ImportOptions = ImportOptions()) throws -> ImportedGuide {
        let channel = "<channel id=\"kestrel.example\"><display-name>Kestrel</display-name></channel>\n"
        return try ImportedGuide(channel + programmes.joined(separator: "\n"), options: options)
    }

    private func lines(_ guide: ImportedGuide) throws -> [String] {
        try guide.airings(of: "kestrel.example").map { airing in
            NormalizerNotation.text(airing.window) + " " + airing.title + (airing.isContinuation ? " (continued)" : "")
        }
    }

    /// Programmes, the schedule, and the repairs in the order of the log.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let programmes: [String]
        let lines: [String]
        var repairs: [String]?
        var stored: Int?
    }

    private static let rows: [Row] = [
        Row(
            testDescription: "an evening without durations is shown",
            programmes: [
                programme("18:00", "19:00", "News"), programme("19:00", "19:00", "Tadpole Street"),
                programme("19:25", "19:25", "Moss &amp; Fern"), programme("20:00", "21:00", "Film"),
            ],
            lines: [
                "18:00-19:00 News", "19:00-19:25 Tadpole Street", "19:25-20:00 Moss & Fern", "20:00-21:00 Film",
            ], repairs: ["zerolength inferredStop", "zerolength inferredStop"], stored: 4),
        Row(
            testDescription: "a programme across midnight stops on the next day",
            programmes: [programme("23:50", "00:02", "Moth Patrol"), programme("30:00", "31:00", "Breakfast")],
            lines: ["23:50-24:02 Moth Patrol", "30:00-31:00 Breakfast"], repairs: ["badstop inferredStop"]),
        Row(
            testDescription: "a long broadcast wins against a short listing that leaves a gap",
            programmes: [
                programme("22:30", "23:00", "Live: Harbour League"),
                programme("22:30", "26:45", "Harbour League Cricket"), programme("26:45", "27:30", "Night Thoughts"),
            ], lines: ["22:30-26:45 Harbour League Cricket", "26:45-27:30 Night Thoughts"]),
        Row(
            testDescription: "a programme continues after an inset",
            programmes: [programme("15:00", "23:00", "Sports Day"), programme("18:00", "22:00", "Election Night")],
            lines: [
                "15:00-18:00 Sports Day", "18:00-22:00 Election Night", "22:00-23:00 Sports Day (continued)",
            ], repairs: ["overlap continued", "overlap trimmedStop"], stored: 2),
        Row(
            testDescription: "the name of the station is no programme",
            programmes: [
                programme("10:00", "12:00", "KESTREL", "<desc>All the programmes of the day, live</desc>"),
                programme("10:00", "10:30", "News"),
            ], lines: ["10:00-10:30 News", "10:30-12:00 KESTREL (continued)"], repairs: ["overlap continued"], stored: 2
        ),
        Row(
            testDescription: "punctuation is no title",
            programmes: [
                programme("20:00", "21:00", "- …", "<desc>All the programmes of the day, live</desc>"),
                programme("20:00", "20:30", "News"),
            ], lines: ["20:00-20:30 News", "20:30-21:00 - … (continued)"],
            repairs: ["emptytitle kept", "overlap continued"], stored: 2),
        Row(
            testDescription: "a broken stop cuts no good listing",
            programmes: [
                programme("20:00", "20:46", "Lighthouse Keepers"), programme("20:05", "19:50", "Broken"),
                programme("20:50", "21:30", "News"),
            ], lines: ["20:00-20:46 Lighthouse Keepers", "20:50-21:30 News"]),
    ]

    @Test(arguments: rows)
    private func feedIsRepaired(_ row: Row) throws {
        let guide = try guide(row.programmes)
        try expectEqual(lines(guide), row.lines)
        if let repairs = row.repairs {
            try expectEqual(guide.diagnostics().map { "\($0.keyword.rawValue) \($0.action.rawValue)" }, repairs)
        }
        if let stored = row.stored { expectEqual(guide.outcome.report.airingsStored, stored) }
    }

    @Test func guideWhoseTimesCarryNothingIsRejectedByDefault() throws {
        let programmes =
            (0..<100).map { Self.programme("06:00", "06:00", "Programme \($0)") }
            + (8..<20).map { Self.programme("\($0):00", "\($0 + 1):00", "News") }
        let error = expectThrows(GuideFileError.self) { _ = try guide(programmes) }
        expectEqual(error?.reason, .withoutTimes(100, of: 112))
        var options = ImportOptions()
        options.acceptsMissingTimes = true
        let accepted = try guide(programmes, options: options)
        expectAddsUp(accepted.outcome.report)
        try expectEqual(lines(accepted).count, 13)
        _ = try guide(Array(programmes.dropFirst()))
    }

    @Test(arguments: ["Le ca\u{FFFD}\u{FFFD} du port", "Le cafÃ© du port", "Le café &amp;amp; le port"])
    func intactTextWinsAgainstDamagedText(damaged: String) throws {
        let intact = "<desc>Le café du port</desc>"
        let options = { () -> ImportOptions in
            var options = ImportOptions()
            options.repairsTexts = false
            return options
        }()
        for order in [[intact, "<desc>\(damaged)</desc>"], ["<desc>\(damaged)</desc>", intact]] {
            let guide = try guide(order.map { Self.programme("20:00", "21:00", "Le port", $0) }, options: options)
            try expectEqual(
                guide.onlyAiring(of: "kestrel.example")?.programme.descriptions.map(\.text), ["Le café du port"])
        }
    }

    @Test func textEncodedTwiceIsDecodedOnceMore() throws {
        let programmes = [
            Self.programme("20:00", "21:00", "Outchefâ€™d", "<desc>CafÃ© «Zur MÃ¼hle»</desc><desc>CafÃ©</desc>")
        ]
        let repaired = try guide(programmes)
        let detail = try #require(try repaired.onlyAiring(of: "kestrel.example"))
        expectEqual(detail.airing.title, "Outchef’d")
        // The first description has characters that were not encoded twice.
        expectEqual(detail.programme.descriptions.map(\.text), ["CafÃ© «Zur MÃ¼hle»", "Café"])
        try expectEqual(repaired.diagnostics().map(\.keyword), [.doubleencoding])
        var options = ImportOptions()
        options.repairsTexts = false
        let kept = try guide(programmes, options: options)
        try expectEqual(kept.onlyAiring(of: "kestrel.example")?.airing.title, "Outchefâ€™d")
        try expectEmpty(kept.diagnostics())
    }

    /// Also a text with markup, and of programmes with the same content only those whose bytes need it.
    @Test(
        arguments: [
            (["NoÃ«l <b>CafÃ©</b>"], [1]), (["Café", "CafÃ©", "CafÃ©"], [2, 3]), (["CafÃ©", "Café"], [1]),
        ] as [([String], [Int])])
    func everyRepairedTextIsReported(titles: [String], reported: [Int]) throws {
        let guide = try guide(
            titles.enumerated().map { Self.programme("1\($0):00", "1\($0 + 1):00", $1, "") })
        try expectEqual(Set(guide.airings(of: "kestrel.example").map(\.title)).count, 1)
        let lines = try guide.diagnostics().filter { $0.keyword == .doubleencoding }.map(\.line)
        expectEqual(lines.count, reported.count)
        let first = try #require(lines.first)
        expectEqual(lines.map { $0 - first }, reported.map { $0 - reported[0] })
    }

    @Test(
        arguments: [
            ("xmltv_ns", ["0.38.", "0.37."], [.doublebill]),
            ("SxxExx", ["s1e39", "S01E38"], [.doublebill]),
            ("xmltv_ns", ["S01E39", "S01E38"], [.badepisode, .badepisode, .doublebill]),
        ] as [(String, [String], [Diagnostic.Keyword])])
    func differentEpisodesShareTheirTime(system: String, numbers: [String], keywords: [Diagnostic.Keyword]) throws {
        let guide = try guide(
            numbers.map {
                Self.programme(
                    "20:00", "20:30", "Moss &amp; Fern", "<episode-num system=\"\(system)\">\($0)</episode-num>")
            })
        let airings = try guide.airings(of: "kestrel.example")
        expectEqual(airings.map(\.clump), [Clump(index: 0, count: 2), Clump(index: 1, count: 2)])
        let episodes = try airings.map { try guide.store.airing($0.id)?.airing.episode }
        expectEqual(episodes, ["S1 E38", "S1 E39"])
        expectEqual(try guide.diagnostics().map(\.keyword).sorted { $0.rawValue < $1.rawValue }, keywords)
    }

    @Test func oneOfTwoSchedulesIsShownWhole() throws {
        let first = (6..<24).map { Self.programme("\($0):00", "\($0 + 1):00", "Hour \($0)") }
        let second = (6..<24).map { Self.programme("\($0):20", "\($0):55", "Other \($0)") }
        let guide = try guide(first + second)
        try expectEqual(lines(guide).count, first.count)
        #expect(try lines(guide).allSatisfy { $0.contains("Hour") })
        try expectEqual(guide.diagnostics().count { $0.keyword == .twoschedules }, 1)
        try expectEqual(guide.store.quality(ofSource: "feed").whole, 18 * 3600)
    }

    @Test(arguments: [
        [
            programme("06:00", "06:00", "Dawn"), programme("15:00", "23:00", "Sports Day"),
            programme("18:00", "22:00", "Election Night"), programme("23:50", "00:02", "Moth Patrol"),
            programme("25:00", "26:00", "Tide Tables"), programme("25:00", "27:00", "Night Ferry"),
        ],
        // Half hours whose times were rounded down to hours.
        (6..<12).flatMap {
            [
                programme("\($0):00", "\($0):00", "First \($0)"),
                programme("\($0):00", "\($0 + 1):00", "Second \($0)"),
            ]
        },
    ])
    private func publishedTimesImportedAgainGiveTheSameGuide(_ programmes: [String]) throws {
        let guide = try guide(programmes)
        var bytes: [UInt8] = []
        var exporter = XMLTVExporter(ExportOptions(times: .published)) { bytes += $0 }
        try guide.store.export(ExportSelection(), to: &exporter)
        let again = try ImportedGuide(bytes: bytes)
        try expectEqual(lines(again), lines(guide))
        try expectEqual(
            again.airings(of: "kestrel.example").map(\.clump), guide.airings(of: "kestrel.example").map(\.clump))
    }
}

/// Rules.md, rules 15 and 18.
@Suite struct TextDamageTests {
    static let pairs = [
        ("Outchefâ€™d", "Outchef’d"), ("CafÃ©", "Café"), ("FRANÃ‡AIS", "FRANÇAIS"),
        ("Ð\u{9D}Ð¾Ð²Ð¾Ñ\u{81}Ñ‚Ð¸", "Новости"),
        ("Ã\u{A0} la carte", "à la carte"), ("caf\u{C3}\u{A9} \u{E2}\u{80}\u{99}", "café ’"), ("â‚¬ 5", "€ 5"),
    ]

    @Test(arguments: pairs) func textEncodedTwiceIsDecoded(text: String, decoded: String) {
        expectEqual(
            TextDamage.decodedOnceMore(Array(text.utf8).span).map { String(decoding: $0, as: UTF8.self) }, decoded)
    }

    @Test(arguments: [
        "", "News", "Café", "CAFÉ…", "«CAFÉ»", "IRMÃ”", "NÃO", "AMANHÃ…", "à la carte", "Ångström", "新闻", "Новости",
        // Only a part was encoded twice.
        "CafÃ© 新闻", "CafÃ© é",
        // The encodings differ, a control character results, and the text ends in a character.
        "â€™ \u{E2}\u{80}\u{99}", "Â\u{85}Ã©", "CafÃ",
    ])
    func otherTextIsKept(text: String) {
        expectEqual(TextDamage.decodedOnceMore(Array(text.utf8).span), nil)
    }

    @Test(arguments: [
        ("Café", 4, 0), ("新闻", 2, 0), ("\u{FFFD}a\u{FFFD}", 3, 2), ("â€™", 3, 1), ("A &amp; B", 9, 1),
        ("AT&T; & Co", 10, 0),
        ("&#39;&quot;&", 12, 2),
    ])
    func charactersAndDamageAreCounted(text: String, characters: Int, damage: Int) {
        let count = TextDamage.count(Array(text.utf8).span)
        expectEqual(count.characters, characters)
        expectEqual(count.damage, damage)
    }
}
