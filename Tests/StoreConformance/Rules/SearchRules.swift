import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Searches find words in every script, and only shown airings.
    static let searches: [StoreRule] = [
        StoreRule("A search finds words, prefixes and phrases in every script") { guide in
            try guide.importSearchable(listings)
            for (words, titles) in [
                // Chinese: two characters in the middle, a complete title, and the description.
                ("新闻", ["晚间新闻联播"]), ("晚间新闻联播", ["晚间新闻联播"]), ("国内", ["晚间新闻联播"]), ("闻新", []),
                ("ニュース", ["新しい世界ニュース"]), ("世界", ["新しい世界ニュース"]), ("뉴스", ["오늘의 뉴스데스크"]),
                ("เที่ยง", ["ข่าวเที่ยงวันนี้"]), ("ข่าว", ["ข่าวเที่ยงวันนี้"]), ("الأخبار", ["نشرة الأخبار"]),
                ("новости", ["Новости дня"]), ("ДНЯ", ["Новости дня"]), ("חדשות", ["חדשות הערב"]),
                ("ΕΛΛΗΝΙΚΆ", ["Ελληνικά Νέα"]),
                // Accents and case are ignored.
                ("cafe creme", ["Café Crème"]), ("CAFÉ", ["Café Crème"]), ("munster", ["News Tonight"]),
                ("ÉTÉ", ["Café Crème"]),
                ("uber", ["Nightly News"]),
                // All words must occur, in title, sub-title and description together.
                ("news krieg", ["Nightly News"]), ("munster gold", ["News Tonight"]), ("news drama", []),
                ("tonight gold", ["News Tonight"]), ("plage cafe", ["Café Crème"]),
                // A word matches only complete words, unless a star makes it a prefix.
                ("night", []), ("nigh*", ["Nightly News"]), ("newsr*", ["Newsroom"]), ("新*", ["晚间新闻联播", "新しい世界ニュース"]),
                // A phrase matches words in the same order.
                ("\"News Tonight\"", ["News Tonight"]), ("\"tonight news\"", ["Tonight News"]), ("\"news gold\"", []),
                ("\"新闻联播\"", ["晚间新闻联播"]), ("\"news tonight\" gold", ["News Tonight"]),
            ] as [(String, [String])] {
                try expectEqual(guide.titles(words, at: Day.instant("19:00")), titles)
            }
        },
        StoreRule("A search returns current and upcoming airings first, then past airings") { guide in
            try guide.importSearchable(listings)
            try expectEqual(
                guide.titles("news", at: Day.instant("19:00")),
                ["News Tonight", "Tonight News", "Nightly News"])
            try expectEqual(
                guide.titles("new*", at: Day.instant("19:00")),
                [
                    "News Tonight", "Newsroom", "Tonight News", "Nightly News",
                ])
            let other = try guide.another()
            try other.importSearchable((10..<24).map { "one \($0):00-\($0 + 1):00 Hourly" })
            let found = try other.search(
                SearchQuery(words: "hourly", now: Day.instant("20:00"), order: .start, limit: 6)
            ).matches
            // An airing that stops now is past.
            expectEqual(
                found.map { Day.line($0.airing) },
                [
                    "20:00-21:00 Hourly", "21:00-22:00 Hourly", "22:00-23:00 Hourly", "23:00-24:00 Hourly",
                    "19:00-20:00 Hourly", "18:00-19:00 Hourly",
                ])
        },
        StoreRule("A search accepts any text") { guide in
            try guide.importSearchable(listings)
            for words: String in [
                "", " ", "*", "**", "\"", "\"\"", "\"news", "news\"", "AND", "OR", "NOT", "NEAR", "NEAR(", "news AND",
                "NOT news",
                "news OR gold", "(", ")", "news)", "{title}: x", "title:news", "title : news", "-news", "+news",
                "^news",
                "news^2",
                "news*gold", "*news", "new**", "'", "'; DROP TABLE airing; --", "a\"b\"c\"d", "\\", "news\\", ":", "-",
                "_",
                "%",
                "🎬", "news\u{0}gold", "\u{0}", "\u{FFFF}", "\u{200B}", "\u{301}", "C++", "news\nnews", "ا", "l'été",
            ] {
                _ = try guide.titles(words, at: Day.instant("19:00"))
            }
        },
        StoreRule("A search rejects texts that are too long and prefixes that are too short") { guide in
            try guide.importSearchable(listings)
            try expectEqual(guide.titles(String(repeating: "news ", count: 200), at: Day.instant("19:00")).count, 3)
            #expect(throws: SearchExpressionError.tooLong(limit: 2048)) {
                try guide.titles(String(repeating: "新闻", count: 500), at: Day.instant("19:00"))
            }
            #expect(throws: SearchExpressionError.prefixTooShort("n")) {
                try guide.titles("n* N*", at: Day.instant("19:00"))
            }
        },
        StoreRule("A search has no operators") { guide in
            try guide.importSearchable(listings)
            let title = ["C++ for AND OR NOT NEAR people"]
            for words in ["and or not near", "NEAR", "NOT people", "c++", "\"and or\""] {
                try expectEqual(guide.titles(words, at: Day.instant("19:00")), title)
            }
        },
        StoreRule("The limit of a search is at least one") { guide in
            try guide.importSearchable(listings)
            for limit: Int in [Int.min, -1, 0, 1] {
                try expectEqual(guide.titles("news", at: Day.instant("19:00"), limit: limit), ["News Tonight"])
            }
        },
        StoreRule("The limit of a search may be the largest number") { guide in
            try guide.importSearchable(listings)
            try expectEqual(guide.titles("news", at: Day.instant("19:00"), limit: .max).count, 3)
        },
        StoreRule("A match contains its airing as the grid shows it") { guide in
            try guide.importSearchable(listings)
            let match = try #require(
                try guide.search(SearchQuery(words: "gold", now: Day.instant("19:00"), order: .start)).matches.first)
            expectEqual(match.airing, (try guide.airings().first { $0.title == "News Tonight" }))
            expectEqual(match.stationName, "one")
            expectEqual((match.airing.subtitle, match.airing.description), ("Münster", "Gold."))
        },
        StoreRule("A search finds the airings of the last import") { guide in
            try guide.importing(["one 20:00-21:00 Alpha"])
            try guide.refreshSearchIndex()
            try expectEqual(guide.isSearchIndexCurrent(), true)
            try guide.importing(["one 20:00-21:00 Beta", "one 21:00-22:00 Alpha"])
            try guide.refreshSearchIndex()
            try expectEqual(guide.titles("beta"), ["Beta"])
            try expectEqual(guide.titles("alpha"), ["Alpha"])
            try expectEqual(guide.isSearchIndexCurrent(), true)
        },
        StoreRule("An import adds its programmes to the search index, and a cancelled one adds none") { guide in
            for title in ["Alpha", "Beta"] {
                try guide.importing(["one 20:00-21:00 \(title)"])
                try expectEqual(guide.isSearchIndexCurrent(), true)
                try guide.withSession { session in
                    try session.addSample()
                    session.cancel()
                }
                try expectEqual(guide.isSearchIndexCurrent(), true)
                try expectEqual((guide.titles(title), guide.titles("sample")), ([title], []))
            }
        },
        StoreRule("A search with an incomplete last word finds longer words") { guide in
            try guide.importing(["one 20:00-21:00 Evening News", "one 21:00-22:00 Evening Film"])
            try guide.refreshSearchIndex()
            var query = SearchQuery(words: "evening ne", now: Day.now, order: .start)
            try expectEqual(guide.search(query).matches.map(\.airing.title), [])
            query.lastWord = .prefix
            try expectEqual(guide.search(query).matches.map(\.airing.title), ["Evening News"])
            query.words = "ne evening"
            try expectEqual(guide.search(query).matches.map(\.airing.title), [])
        },
        StoreRule("A misspelled word leads to titles with the nearest word, and nothing plausible leads to none") {
            guide in
            try guide.importSearchable(
                listings + [
                    "three 20:00-21:00 Real Housewives of Carrow", "three 21:00-22:00 Desperate Housewives",
                    "three 22:00-23:00 Second Violin: Desparate strings.", "three 23:00-24:00 Violin",
                ])
            for (words, suggestions) in [
                // One letter is too many, missing, or wrong, or two letters are in the wrong order.
                ("housewivess", ["Housewives"]), ("housewivs", ["Housewives"]), ("Housewifes", ["Housewives"]),
                ("huosewives", ["Housewives"]),
                // The words of one title lead to the title, and correct words stay.
                ("desperte", ["Desperate Housewives"]), ("real housewifes", ["Real Housewives of Carrow"]),
                ("\"secnd violin\"", ["Second Violin"]), ("violn", ["Violin"]), ("newsromo", ["Newsroom"]),
                ("creme cafee", ["Café Crème"]), ("новоти", ["Новости дня"]),
                // Nothing is similar, or only a word of a description; and a search that finds something needs none.
                ("xylophonic", []), ("zzzzqqqq", []), ("stringz", []), ("ho", []), ("violin", []),
                ("real xylophonic", []),
                ("新聞早安", []), ("新闻 housewifes", []), ("вагон", []), ("", []), ("\"", []), ("👍", []), ("news*", []),
            ] as [(String, [String])] {
                try expectEqual(guide.suggestions(for: SearchQuery(words: words, now: Day.now)), suggestions, words)
            }
            for words: String in [
                "a\"b\"c", "newz\u{0}gold", "l'étée", "1\u{FE0F}\u{20E3}x", "ข่าวว", "NEAR(newz", "\u{301}abcd",
            ] {
                _ = try guide.suggestions(for: SearchQuery(words: words, lastWord: .prefix, now: Day.now))
            }
            try expectEqual(
                guide.another().suggestions(for: SearchQuery(words: "housewifes", now: Day.now)), [])
        },
        StoreRule("A search of an empty guide finds nothing") { (guide) throws in
            let query = SearchQuery(words: "alpha", now: Day.now)
            try expectEqual(guide.search(query), SearchResults())
            try expectEqual(guide.titles("alpha"), [])
        },
        // Vowel signs of Indic scripts belong to words, Arabic and Hebrew points are optional, and a variation selector is not a
        // letter.
        StoreRule("A search treats combining marks by the rules of their scripts") { guide in
            let titles = [
                "बच्चों के लिए", "काला पत्थर", "हिन्दी", "مُسَلْسَل", "مسلسل", "שָׁלוֹם", "1\u{FE0F}\u{20E3}", "กิน", "กัน", "cafe\u{301}",
            ]
            try guide.importSearchable(titles.enumerated().map { "one \($0 + 10):00-\($0 + 11):00 \($1)" })
            for (words, found) in [
                ("के", ["बच्चों के लिए"]), ("काला", ["काला पत्थर"]), ("हि*", ["हिन्दी"]), ("का*", ["काला पत्थर"]),
                ("مسلسل", ["مُسَلْسَل", "مسلسل"]), ("مُسَلْسَل", ["مُسَلْسَل", "مسلسل"]), ("שלום", ["שָׁלוֹם"]),
                ("1", ["1\u{FE0F}\u{20E3}"]),
                ("กิน", ["กิน"]), ("cafe", ["cafe\u{301}"]),
            ] as [(String, [String])] {
                try expectEqual(Set(guide.titles(words)), Set(found))
            }
        },
        StoreRule("A search does not find airings that an import withdrew") { guide in
            try guide.importing([
                "one 20:00-21:00 Alpha", "two 20:00-21:00 Beta", "one 21:00-22:00 Gamma", "two 19:00-20:30 Delta",
            ])
            try guide.importing(["one 20:00-21:00 Omega", "two 20:00-21:00 Beta", "one 21:30-22:00 Gamma"])
            try guide.refreshSearchIndex()
            try expectEqual(guide.check().isIntact, true)
            try expectEqual((guide.titles("alpha"), guide.titles("omega")), ([], ["Omega"]))
        },
        StoreRule("A search does not find airings outside the imported window") { guide in
            let today = ImportOptions(window: TimeWindow(start: Day.instant("20:00"), end: Day.instant("20:30")))
            // The second programme is read but is outside the window. The second import is completely rolled back.
            for _ in 0..<2 { try guide.importing(["one 20:00-21:00 Alpha", "one 21:00-22:00 Beta"], options: today) }
            try guide.importing(["two 20:00-21:00 Gamma"], as: Source(name: "other"))
            try guide.refreshSearchIndex()
            try expectEqual(guide.titles("gamma"), ["Gamma"])
            try expectEqual(guide.titles("beta"), [])
            try expectEqual(guide.isSearchIndexCurrent(), true)
        },
        StoreRule("An unchanged import keeps the search index current") { guide in
            // The first import of each round changes nothing. A search must still find the airings of the second import.
            try guide.importing(["one 20:00-21:00 Alpha"])
            try guide.refreshSearchIndex()
            for round in 0..<3 {
                try guide.importing(["one 20:00-21:00 Alpha"])
                try guide.importing(["one 20:00-21:00 Alpha", "one 21:00-22:00 Round\(round)"])
                try guide.refreshSearchIndex()
                try expectEqual(guide.titles("round\(round)"), ["Round\(round)"])
                try expectEqual(guide.titles("alpha"), ["Alpha"])
                try expectEqual(guide.isSearchIndexCurrent(), true)
            }
        },
        StoreRule("A search does not find pruned or removed airings") { guide in
            try guide.importing(["one 20:00-21:00 Alpha", "one 21:00-22:00 Beta"])
            try guide.importing(["two 20:00-23:00 Gamma"], as: Source(name: "other"))
            try guide.refreshSearchIndex()
            _ = try guide.prune(before: Day.instant("21:00"))
            try expectEqual(guide.titles("alpha"), [])
            try expectEqual(guide.titles("beta"), ["Beta"])
            try expectEqual(guide.removeSource(named: "other"), true)
            try expectEqual(guide.titles("gamma"), [])
            try guide.refreshSearchIndex()
            try expectEqual(guide.titles("beta"), ["Beta"])
            try expectEqual(guide.isSearchIndexCurrent(), true)
        },
        StoreRule("A search finds airings of the shown source") { guide in
            try guide.importing(["one 20:00-21:00 Alpha Film"], as: Source(name: "first"))
            try guide.importing(["one 20:00-22:00 Beta Film"], as: Source(name: "second"))
            try guide.refreshSearchIndex()
            try expectEqual(guide.titles("film"), ["Beta Film"])
            _ = try guide.removeSource(named: "second")
            try guide.refreshSearchIndex()
            try expectEqual(guide.titles("film"), ["Alpha Film"])
        },
        StoreRule("A search is exact after many imports") { guide in
            var generator = SeededGenerator(seed: 3)
            let words = (0..<40).map { "word\($0)" }
            for round in 0..<15 {
                let start = Int.random(in: 0..<20, using: &generator)
                try guide.importing(
                    (start..<start + 10).map { hour in
                        "one \(hour):00-\(hour):50 \(words.randomElement(using: &generator) ?? "") "
                            + (words.randomElement(using: &generator) ?? "")
                    })
                if round % 4 == 3 { _ = try guide.prune(before: Day.instant("\(round):00")) }
            }
            try guide.refreshSearchIndex()
            let grown = try words.map { try guide.search(SearchQuery(words: $0, now: Day.now, order: .start)).matches }
            // A search must find every airing with the word, and no other.
            let airings = try guide.airings()
            let wrong = zip(words, grown).filter { word, matches in
                let expected = airings.filter { $0.title.split(separator: " ").contains(Substring(word)) }.map(\.id)
                return Set(matches.map(\.airing.id)) != Set(expected)
            }
            expectEqual(wrong.map(\.0), [])
        },
        StoreRule("Showings are the other airings of a programme sorted by start") { guide in
            try guide.importSearchable(repeats)
            for (clock, lines) in [
                (
                    "18:30",
                    ["one 18:00-19:00 News", "two 19:00-20:30 News", "three 22:00-23:00 News", "two 23:00-24:00 News"]
                ),
                ("20:29", ["two 19:00-20:30 News", "three 22:00-23:00 News", "two 23:00-24:00 News"]),
                ("20:30", ["three 22:00-23:00 News", "two 23:00-24:00 News"]), ("24:00", []),
            ] as [(String, [String])] {
                try expectEqual(guide.newsShowings(after: clock), lines)
                try expectEqual(guide.newsShowings(after: clock, limit: 1), Array(lines.prefix(1)))
            }
        },
        StoreRule("A limit below one returns no showings") { guide in
            try guide.importSearchable(repeats)
            try expectEqual(guide.newsShowings(after: "18:30", limit: 0), [])
            try expectEqual(guide.newsShowings(after: "18:30", limit: -1), [])
        },
        StoreRule("A missing airing has no showings") { guide in
            try guide.importSearchable(repeats)
            try expectEqual(guide.showings(of: AiringID(999_999), after: Day.instant("10:00"), limit: 9), [])
        },
    ]
}

/// Titles in many scripts.
private let listings = [
    "one 17:00-18:00 Nightly News: Über den Krieg und das Wetter.", "one 20:00-21:00 News Tonight / Münster: Gold.",
    "one 21:00-22:00 晚间新闻联播: 今天的国内新闻。", "one 22:00-23:00 新しい世界ニュース", "one 23:00-24:00 오늘의 뉴스데스크",
    "one 24:00-25:00 ข่าวเที่ยงวันนี้", "one 25:00-26:00 نشرة الأخبار", "one 26:00-27:00 Новости дня",
    "one 27:00-28:00 Café Crème: L'été à la plage.", "one 28:00-29:00 C++ for AND OR NOT NEAR people",
    "one 29:00-30:00 Tonight News", "two 20:00-21:00 Newsroom: A drama.", "two 21:00-22:00 חדשות הערב",
    "two 22:00-23:00 Ελληνικά Νέα", "two 23:00-24:00 Title Only",
]

/// Several airings of the news.
private let repeats = [
    "one 18:00-19:00 News", "one 20:00-21:00 News", "one 21:00-22:00 Film", "two 19:00-20:30 News",
    "two 23:00-24:00 News", "two 24:00-25:00 News: Other.", "three 22:00-23:00 News",
]

extension GuideUnderTest {
    /// Returns the titles of the matches in order.
    fileprivate func titles(_ words: String, at now: Instant = Day.now, limit: Int = 50) throws -> [String] {
        try search(SearchQuery(words: words, now: now, order: .start, limit: limit)).matches.map(\.airing.title)
    }

    /// Returns the other airings of the news at 20:00 with their stations.
    fileprivate func newsShowings(after clock: String, limit: Int = 10) throws -> [String] {
        let id = try #require(try airings().first { Day.clock($0.window.start) == "20:00" }?.id)
        return try showings(of: id, after: Day.instant(clock), limit: limit)
            .map { "\($0.stationName) \(Day.line($0.airing))" }
    }
}
