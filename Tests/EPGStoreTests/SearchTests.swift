import EPGModel
import EPGStore
import Testing

/// Search finds words in every script, phrases and beginnings, whatever a person types.
@Suite struct SearchTests {
    private static let guide = [
        "one 17:00-18:00 Nightly News: Über den Krieg und das Wetter.", "one 20:00-21:00 News Tonight / Münster: Gold.",
        "one 21:00-22:00 晚间新闻联播: 今天的国内新闻。", "one 22:00-23:00 新しい世界ニュース", "one 23:00-24:00 오늘의 뉴스데스크",
        "one 24:00-25:00 ข่าวเที่ยงวันนี้", "one 25:00-26:00 نشرة الأخبار", "one 26:00-27:00 Новости дня",
        "one 27:00-28:00 Café Crème: L'été à la plage.", "one 28:00-29:00 C++ for AND OR NOT NEAR people",
        "one 29:00-30:00 Tonight News", "two 20:00-21:00 Newsroom: A drama.", "two 21:00-22:00 חדשות הערב",
        "two 22:00-23:00 Ελληνικά Νέα", "two 23:00-24:00 Title Only",
    ]

    private func search(_ words: String, limit: Int = 50) throws -> [String] {
        let scratch = try ScratchGuide(Self.guide)
        try scratch.store.refreshSearchIndex()
        return try scratch.store.search(SearchQuery(words: words, now: Day.instant("19:00"), limit: limit))
            .map(\.airing.title)
    }

    @Test(
        arguments: [
            // Chinese: two characters of the middle, a whole title, and the description.
            ("新闻", ["晚间新闻联播"]), ("晚间新闻联播", ["晚间新闻联播"]), ("国内", ["晚间新闻联播"]), ("闻新", []),
            ("ニュース", ["新しい世界ニュース"]), ("世界", ["新しい世界ニュース"]), ("뉴스", ["오늘의 뉴스데스크"]),
            ("เที่ยง", ["ข่าวเที่ยงวันนี้"]), ("ข่าว", ["ข่าวเที่ยงวันนี้"]), ("الأخبار", ["نشرة الأخبار"]),
            ("новости", ["Новости дня"]), ("ДНЯ", ["Новости дня"]), ("חדשות", ["חדשות הערב"]),
            ("ΕΛΛΗΝΙΚΆ", ["Ελληνικά Νέα"]),
            // Accents and case don't matter.
            ("cafe creme", ["Café Crème"]), ("CAFÉ", ["Café Crème"]), ("munster", ["News Tonight"]),
            ("ÉTÉ", ["Café Crème"]),
            ("uber", ["Nightly News"]),
            // All words must occur, in title, sub-title and description together.
            ("news krieg", ["Nightly News"]), ("munster gold", ["News Tonight"]), ("news drama", []),
            ("tonight gold", ["News Tonight"]), ("plage cafe", ["Café Crème"]),
            // A word is whole, unless a star says that it is a beginning.
            ("night", []), ("nigh*", ["Nightly News"]), ("newsr*", ["Newsroom"]), ("新*", ["晚间新闻联播", "新しい世界ニュース"]),
            // A phrase stands in this order.
            ("\"News Tonight\"", ["News Tonight"]), ("\"tonight news\"", ["Tonight News"]), ("\"news gold\"", []),
            ("\"新闻联播\"", ["晚间新闻联播"]), ("\"news tonight\" gold", ["News Tonight"]),
        ] as [(String, [String])])
    func wordsFindTitles(words: String, titles: [String]) throws {
        #expect(try search(words) == titles)
    }

    @Test func whatIsOnOrToComeStandsFirstThenWhatIsOverTheLatestFirst() throws {
        #expect(try search("news") == ["News Tonight", "Tonight News", "Nightly News"])
        #expect(try search("new*") == ["News Tonight", "Newsroom", "Tonight News", "Nightly News"])
        let scratch = try ScratchGuide((10..<24).map { "one \($0):00-\($0 + 1):00 Hourly" })
        try scratch.store.refreshSearchIndex()
        let found = try scratch.store.search(SearchQuery(words: "hourly", now: Day.instant("20:00"), limit: 6))
        // What stops just now is over.
        #expect(
            found.map { Day.line($0.airing) }
                == [
                    "20:00-21:00 Hourly", "21:00-22:00 Hourly", "22:00-23:00 Hourly", "23:00-24:00 Hourly",
                    "19:00-20:00 Hourly", "18:00-19:00 Hourly",
                ])
    }

    @Test(arguments: [
        "", " ", "*", "**", "\"", "\"\"", "\"news", "news\"", "AND", "OR", "NOT", "NEAR", "NEAR(", "news AND",
        "NOT news",
        "news OR gold", "(", ")", "news)", "{title}: x", "title:news", "title : news", "-news", "+news", "^news",
        "news^2",
        "news*gold", "*news", "new**", "'", "'; DROP TABLE airing; --", "a\"b\"c\"d", "\\", "news\\", ":", "-", "_",
        "%",
        "🎬", "news\u{0}gold", "\u{0}", "\u{FFFF}", "\u{200B}", "\u{301}", "C++", "news\nnews", "ا", "l'été",
    ])
    func noTextIsAnError(words: String) throws {
        _ = try search(words)
    }

    @Test func aLongQueryOfFewWordsIsASearchLikeAnother() throws {
        #expect(try search(String(repeating: "news ", count: 200)).count == 3)
        #expect(throws: SearchExpressionError.tooLong(limit: 2048)) {
            try search(String(repeating: "新闻", count: 500))
        }
        #expect(throws: SearchExpressionError.prefixTooShort("n")) { try search("n* N*") }
    }

    @Test func wordsOfTheSyntaxAreWordsToFind() throws {
        let title = ["C++ for AND OR NOT NEAR people"]
        for words in ["and or not near", "NEAR", "NOT people", "c++", "\"and or\""] {
            #expect(try search(words) == title)
        }
    }

    @Test(arguments: [Int.min, -1, 0, 1]) func aLimitIsAtLeastOne(limit: Int) throws {
        #expect(try search("news", limit: limit) == ["News Tonight"])
    }

    @Test func theLargestLimitIsALimit() throws {
        #expect(try search("news", limit: .max).count == 3)
    }

    @Test func aMatchTellsEverythingOfItsAiring() throws {
        let scratch = try ScratchGuide(Self.guide)
        try scratch.store.refreshSearchIndex()
        let match = try #require(
            try scratch.store.search(SearchQuery(words: "gold", now: Day.instant("19:00"))).first)
        #expect(match.airing == (try scratch.airings().first { $0.title == "News Tonight" }))
        #expect(match.stationName == "one")
        #expect((match.airing.subtitle, match.airing.description) == ("Münster", "Gold."))
    }
}
