import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Ranked searches return the most relevant airings first, with the locations of the words.
    static let rankedSearches: [StoreRule] = [
        StoreRule("A ranked search returns upcoming airings first and ranks titles above sub-titles") { guide in
            let listings =
                ranked.filter { !$0.hasPrefix("three 20:00") } + others + ["four 20:00-21:00 Here: The moon."]
            try guide.importSearchable(listings)
            let results = try guide.search(SearchQuery(words: "moon", now: now))
            expectEqual(
                results.matches.map(\.airing.title),
                [
                    "The Moon", "Moon", "MOON", "On", "Later", "Here", "There", "Moon rise", "Moon set", "Past", "Old",
                ])
            expectEqual(results.total, 11)
            expectEqual(results.isTotalExact, true)
            expectEqual(results.matches.map(\.stationName).prefix(2), ["one", "two"])
            for match in results.matches {
                try expectEqual(
                    guide.stations(inRows: match.row..<match.row + 1).map(\.station.id),
                    [
                        match.airing.station
                    ])
            }
        },
        StoreRule("Pages of a ranked search are slices of all results") { guide in
            try guide.importSearchable(ranked.filter { !$0.hasPrefix("three 20:00") })
            let all = try guide.titles(SearchQuery(words: "moon", now: now))
            for (offset, limit) in [(0, 2), (2, 3), (9, 5), (11, 5), (-1, 1), (0, 0), (.max, .max)] as [(Int, Int)] {
                let query = SearchQuery(words: "moon", now: now, offset: offset, limit: limit)
                try expectEqual(guide.titles(query), Array(all.dropFirst(max(0, offset)).prefix(max(1, limit))))
                try expectEqual(guide.search(query).total, all.count)
            }
        },
        StoreRule("A ranked search ranks words in title and sub-title together above words in descriptions") { guide in
            try guide.importSearchable([
                "one 21:00-22:00 First: Blue moon.", "one 22:00-23:00 Blue / Moon", "one 23:00-24:00 Blue moon",
            ])
            let results = try guide.search(SearchQuery(words: "moon blue", now: now))
            expectEqual(results.matches.map(\.airing.title), ["Blue moon", "Blue", "First"])
        },
        StoreRule("Highlights are the byte ranges of the matched words") { guide in
            for (words, airing, texts) in [
                // ASCII: the bytes can be counted.
                (
                    "moon", "one 21:00-22:00 The Moon / Moonlight: A moon, moons and MOON.",
                    ["title: Moon", "description: moon|MOON"]
                ),
                ("moon*", "one 21:00-22:00 The Moon / Moonlight", ["title: Moon", "subtitle: Moonlight"]),
                ("\"blue moon\"", "one 21:00-22:00 Blue: A blue moon, no moon blue.", ["description: blue moon"]),
                ("blue moon", "one 21:00-22:00 Blue: A blue moon.", ["title: Blue", "description: blue|moon"]),
                // Composed and decomposed accents, case, umlauts.
                ("ete", "one 21:00-22:00 L'Été: C'est l'été à la plage.", ["title: Été", "description: été"]),
                ("creme", "one 21:00-22:00 Café Cre\u{300}me", ["title: Cre\u{300}me"]),
                (
                    "MÜNSTER", "one 21:00-22:00 Tatort / Munster: In Münster.",
                    ["subtitle: Munster", "description: Münster"]
                ),
                ("новости", "one 21:00-22:00 Новости дня", ["title: Новости"]),
                // Scripts without spaces: adjacent matches are one range.
                ("新闻", "one 21:00-22:00 晚间新闻联播: 今天的新闻。", ["title: 新闻", "description: 新闻"]),
                ("新", "one 21:00-22:00 新新闻", ["title: 新新"]), ("뉴스", "one 21:00-22:00 오늘의 뉴스데스크", ["title: 뉴스"]),
                ("เที่ยง", "one 21:00-22:00 ข่าวเที่ยงวันนี้", ["title: เที่ยง"]),
                ("news 新闻", "one 21:00-22:00 BBC News新闻 live", ["title: News新闻"]),
                ("live", "one 21:00-22:00 新闻 live 新", ["title: live"]),
                ("👍 moon", "one 21:00-22:00 👍👍 moon", ["title: moon"]),
            ] as [(String, String, [String])] {
                // The airing replaces the previous row's airing.
                try guide.importSearchable([airing])
                let match = try #require(try guide.search(SearchQuery(words: words, now: now)).matches.first)
                let highlights = try #require(match.highlights)
                let found = SearchMatch.Field.allCases.compactMap { field -> String? in
                    guard let ranges = highlights[field] else { return nil }
                    let text =
                        switch field {
                        case .title: match.airing.title
                        case .subtitle: match.airing.subtitle ?? ""
                        case .description: match.airing.description ?? ""
                        }
                    let bytes = Array(text.utf8)
                    let words = ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
                    return "\(field.rawValue): " + words.joined(separator: "|")
                }
                expectEqual(found.map { Array($0.utf8) }, texts.map { Array($0.utf8) }, "\(found)")
            }
        },
        StoreRule("A ranked search accepts any text") { guide in
            try guide.importSearchable(["one 21:00-22:00 Moon"])
            for words: String in [
                "", " ", "*", "\"", "\"\"", "!?", "\u{0}", "NEAR(", "a AND", "{title} :", "^moon", "-",
            ] {
                #expect(try guide.search(SearchQuery(words: words, now: now)).matches.count <= 1)
            }
        },
        StoreRule("A ranked search for a word in over ten thousand airings returns the next airings") { guide in
            // 120 stations have 96 airings each, more than a search counts. Every third station has a matching title at noon.
            var listings: [String] = []
            for station in 0..<120 {
                for quarter in 0..<96 {
                    let clock = { "\($0 / 4):\($0 % 4 == 0 ? "00" : "\($0 % 4 * 15)")" }
                    let title = station % 3 == 0 && quarter == 48 ? "Moon \(station)" : "S\(station)"
                    listings.append(
                        "s\(station) \(clock(quarter))-\(clock(quarter + 1)) \(title): The moon \(quarter).")
                }
            }
            try guide.importSearchable(listings)
            let results = try guide.search(SearchQuery(words: "moon", now: Day.instant("10:05"), limit: 200))
            try #require(results.matches.count == 200)
            expectEqual(results.isTotalExact, false)
            #expect(results.total >= 10_000)
            // The 40 matching titles come first, although they start later, then the airings that are on.
            #expect(results.matches.prefix(40).allSatisfy { $0.airing.title.hasPrefix("Moon") })
            let starts = results.matches.dropFirst(40).map { Day.clock($0.airing.window.start) }
            expectEqual(starts, Array(repeating: "10:00", count: 120) + Array(repeating: "10:15", count: 40))
            let second = try guide.search(
                SearchQuery(words: "moon", now: Day.instant("10:05"), offset: 30, limit: 50))
            expectEqual(second.matches, Array(results.matches[30..<80]))
        },
    ]
}

private let now = Day.instant("20:30")

/// Airings in the expected order of a search for `moon`.
private let ranked = [
    "one 20:00-21:00 The Moon", "two 22:00-23:00 Moon", "one 23:00-24:00 MOON", "two 20:00-21:00 On / A moon",
    "one 22:00-23:00 Later / Moon: Moon.", "three 20:00-21:00 Here: The moon.", "three 21:00-22:00 There: A moon.",
    // Past airings, also by rank, the latest first. An airing that stops now is past.
    "three 19:00-20:30 Moon rise", "one 18:00-19:00 Moon set", "two 19:00-20:00 Past / Moon",
    "two 17:00-18:00 Old: Moons and a moon.",
]
private let others = ["three 20:30-21:00 Sun: Moons.", "one 25:00-26:00 Moonlight"]

extension GuideUnderTest {
    /// Returns the titles of the matches in order.
    fileprivate func titles(_ query: SearchQuery) throws -> [String] {
        try search(query).matches.map(\.airing.title)
    }
}
