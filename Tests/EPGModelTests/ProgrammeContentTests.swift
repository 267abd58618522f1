import TestSupport
import Testing

@testable import EPGModel

/// Tests that a stored document becomes a programme without loss: DTD elements as properties, others as extras.
@Suite struct ProgrammeContentTests {
    private func element(
        _ name: String, _ text: String? = nil, _ attributes: [(String, String)] = [], _ children: [ContentNode] = []
    ) -> ContentNode {
        .element(
            ContentElement(
                name: name, attributes: attributes.map { ContentAttribute(name: $0.0, value: $0.1) },
                children: (text.map { [.text($0)] } ?? []) + children))
    }

    @Test func everyDTDElementHasProperty() {
        let programme = Programme(nodes: [
            element("title", "Night Train", [("lang", "en")]), element("title", "Nachtzug", [("lang", "de")]),
            element("sub-title", "Vienna"), element("desc", "A journey."),
            element(
                "credits", nil, [],
                [
                    element("director", "Ada Lind"),
                    element(
                        "actor", "Jo Park", [("role", "Guard"), ("guest", "yes")],
                        [
                            element("image", "https://a.test/jo.png", [("type", "person")]),
                            element("url", "https://a.test/jo", [("system", "a")]),
                        ]),
                ]),
            element("date", "1999"), element("category", "Film", [("lang", "en")]), element("keyword", "railway"),
            element("language", "English"), element("orig-language", "German", [("lang", "en")]),
            element("length", "90", [("units", "minutes")]),
            element("icon", nil, [("src", "i.png"), ("width", "10"), ("height", "20")]),
            element("url", "https://a.test"), element("country", "AT"),
            element("episode-num", "0.1.", [("system", "xmltv_ns")]), element("episode-num", "E2"),
            element("video", nil, [], [element("aspect", "16:9"), element("quality", "HDTV")]),
            element("audio", nil, [], [element("stereo", "dolby")]),
            element("previously-shown", nil, [("start", "1999"), ("channel", "two.test")]), element("premiere"),
            element("last-chance", "tonight"), element("new"),
            element("subtitles", nil, [("type", "teletext")], [element("language", "German")]),
            element(
                "rating", nil, [("system", "MPAA")], [element("value", "PG"), element("icon", nil, [("src", "p")])]),
            element("star-rating", nil, [], [element("value", "3 / 5")]),
            element("review", "Fine.", [("type", "text"), ("source", "S"), ("reviewer", "R"), ("lang", "en")]),
            element("image", "p.jpg", [("type", "poster"), ("size", "3"), ("orient", "P"), ("system", "s")]),
        ])
        var expected = Programme()
        expected.titles = [LocalizedText("Night Train", language: "en"), LocalizedText("Nachtzug", language: "de")]
        expected.subtitles = [LocalizedText("Vienna")]
        expected.descriptions = [LocalizedText("A journey.")]
        expected.credits = [
            .init(role: "director", name: "Ada Lind"),
            .init(
                role: "actor", name: "Jo Park", character: "Guard", isGuest: true,
                images: [.init(url: "https://a.test/jo.png", type: "person")],
                urls: [WebLink(url: "https://a.test/jo", system: "a")]),
        ]
        expected.date = "1999"
        expected.categories = [LocalizedText("Film", language: "en")]
        expected.keywords = [LocalizedText("railway")]
        expected.language = LocalizedText("English")
        expected.originalLanguage = LocalizedText("German", language: "en")
        expected.length = .init(value: "90", units: "minutes")
        expected.icons = [Icon(source: "i.png", width: "10", height: "20")]
        expected.urls = [WebLink(url: "https://a.test")]
        expected.countries = [LocalizedText("AT")]
        expected.episodeNumbers = [EpisodeNumber(value: "0.1.", system: "xmltv_ns"), EpisodeNumber(value: "E2")]
        expected.video = .init(aspect: "16:9", quality: "HDTV")
        expected.audio = .init(stereo: "dolby")
        expected.previouslyShown = .init(start: "1999", channel: "two.test")
        expected.premiere = LocalizedText("")
        expected.lastChance = LocalizedText("tonight")
        expected.isNew = true
        expected.captions = [.init(type: "teletext", language: LocalizedText("German"))]
        expected.ratings = [.init(system: "MPAA", value: "PG", icons: [Icon(source: "p")])]
        expected.starRatings = [.init(value: "3 / 5")]
        expected.reviews = [.init(type: "text", source: "S", reviewer: "R", language: "en", content: "Fine.")]
        expected.images = [.init(url: "p.jpg", type: "poster", size: "3", orientation: "P", system: "s")]
        expectEqual(programme, expected)
    }

    @Test func contentBeyondDTDIsKeptAsExtra() {
        let nodes = [
            element("date", "2000", [("x-kind", "made")]), element("new", "really"),
            element("icon", nil, [("width", "5")]), element("season", "2"), element("x-mood", nil, [("level", "3")]),
            .text("loose"), element("title", nil, [], [element("b", "bold")]),
            element("rating", nil, [], [element("icon", nil, [("src", "p")])]),
            element("video", nil, [], [element("depth", "3D")]), element("credits", nil, [], [element("singer", "M")]),
        ]
        let programme = Programme(nodes: nodes)
        expectEqual(programme.extras, nodes)
    }

    @Test func repeatedSingletonElementIsKeptAsExtra() {
        let names = ["date", "language", "orig-language", "length", "premiere", "last-chance"]
        let nodes = names.flatMap { [element($0, "first"), element($0, "second")] }
        expectEqual(Programme(nodes: nodes).extras, names.map { element($0, "second") })
        expectEqual(Programme(nodes: [element("new"), element("new")]).extras, [element("new")])
    }

    @Test(arguments: 0..<80) func textsAndAttributesAreNeverLost(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var mark = 0
        var marks: [String] = []
        func fresh() -> String {
            mark += 1
            marks.append("<\(mark)>")
            return "<\(mark)>"
        }
        let names = [
            "title", "desc", "credits", "actor", "category", "icon", "url", "rating", "value", "video", "aspect", "new",
            "live", "x-other",
        ]
        // The typed model supports `guest` with `yes` or `no`; other values make the person an extra.
        let attributeNames = [
            "lang", "src", "width", "system", "units", "type", "start", "channel", "role", "guest", "size", "orient",
            "x-other",
        ]
        func node(_ depth: Int) -> ContentNode {
            if depth > 1, Int.random(in: 0..<3, using: &generator) == 0 { return .text(fresh()) }
            let attributes = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                ContentAttribute(
                    name: attributeNames[Int.random(in: 0..<attributeNames.count, using: &generator)], value: fresh())
            }
            let children = depth < 4 ? (0..<Int.random(in: 0...3, using: &generator)).map { _ in node(depth + 1) } : []
            return .element(
                ContentElement(
                    name: names[Int.random(in: 0..<names.count, using: &generator)], attributes: attributes,
                    children: children))
        }
        let programme = Programme(nodes: (0..<12).map { _ in node(1) })
        let description = String(describing: programme)
        let found: Set<Substring> = Set(description.split(separator: "<").map { $0.prefix { $0 != ">" } })
        let lost: [String] = marks.filter { !found.contains($0.dropFirst().dropLast()) }
        #expect(lost.isEmpty)
    }
}

/// Hand-computed cases for Rules.md, rule 10.
@Suite struct EpisodePositionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        /// The numbers and totals of season, episode and part.
        var counts: [Int?]
        var label: String?

        init(_ text: String, _ counts: [Int?], _ label: String?) {
            (self.text, self.counts, self.label) = (text, counts, label)
        }

        var testDescription: String { text }
    }

    static let rows = [
        Row("0 . 12/13 . 0/3", [1, nil, 13, 13, 1, 3], "S1 E13 (1/3)"),
        Row("0.12/13.0/3", [1, nil, 13, 13, 1, 3], "S1 E13 (1/3)"),
        Row("1 . 4 .", [2, nil, 5, nil, nil, nil], "S2 E5"),
        Row("1.4", [2, nil, 5, nil, nil, nil], "S2 E5"),
        Row(". 4 .", [nil, nil, 5, nil, nil, nil], "E5"),
        Row("..0/1", [nil, nil, nil, nil, 1, 1], nil),
        Row("..1/2", [nil, nil, nil, nil, 2, 2], "(2/2)"),
        Row("2/5 . . ", [3, 5, nil, nil, nil, nil], "S3"),
        Row(" 0 / 2 . 0 / 8 . ", [1, 2, 1, 8, nil, nil], "S1 E1"),
        Row("./13.", [nil, nil, nil, 13, nil, nil], nil),
        Row("2025.0.", [2026, nil, 1, nil, nil, nil], "S2026 E1"),
        Row("999999.0.0", [1_000_000, nil, 1, nil, 1, nil], "S1000000 E1"),
    ]

    @Test(arguments: rows) func xmltvIndexesAreZeroBased(_ row: Row) throws {
        let position = try #require(EpisodePosition(xmltvNS: row.text))
        let counts = [position.season, position.episode, position.part].flatMap { [$0.number, $0.total] }
        expectEqual(counts, row.counts)
        expectEqual(position.label, row.label)
    }

    @Test(arguments: [
        "", " ", ".", "..", "/", "1.2.3.4", "S01E02", "1.x.", "-1.0.", "0.+1.", "+0.0.", "1/2/3..", "1000000..",
        "99999999999999999999..", "0.1.0/9999999999999999999", "１..", "1.5e3.",
    ])
    func invalidPositionsAreRejected(text: String) {
        expectEqual(EpisodePosition(xmltvNS: text), nil)
    }

    @Test(arguments: [
        ("S01E02", "S1 E2"), ("s1e2", "S1 E2"), (" S 01\tE 02 ", "S1 E2"), ("S00E03", "S0 E3"),
        ("S999999E0999999", "S999999 E999999"), ("S01E00", nil), ("SE2", nil), ("S1E", nil), ("S01E02E03", nil),
        ("S-1E2", nil), ("S1E1000000", nil), ("S1E99999999999999999999", nil), ("1E2", nil), ("S01", nil), ("", nil),
    ])
    func seasonAndEpisodeAreDigits(text: String, label: String?) {
        expectEqual(EpisodePosition(seasonAndEpisode: text)?.label, label)
    }

    @Test func onlyXMLTVSystemHasPosition() {
        expectEqual(EpisodeNumber(value: "0.1.", system: "xmltv_ns").position?.label, "S1 E2")
        expectEqual(EpisodeNumber(value: "0.1.", system: "onscreen").position, nil)
        // The default of the DTD.
        expectEqual(EpisodeNumber(value: "0.1.").system, "onscreen")
    }
}

@Suite struct RatingTests {
    @Test(
        arguments: [
            ("3 / 5", 0.6), ("0 / 5", 0), ("5/5", 1), ("7.5 / 10", 0.75), (" 1 /4 ", 0.25), ("4 / 4", 1),
            // Invalid ratings have no share.
            ("", nil), ("3", nil), ("3/", nil), ("/5", nil), ("6 / 5", nil), ("-1 / 5", nil), ("0 / 0", nil),
            ("5 / 0", nil), ("a / b", nil), ("3 / 5 / 7", nil), ("nan / 5", nil), ("3 / nan", nil), ("inf / inf", nil),
            ("1 / inf", nil), ("***", nil),
        ] as [(String, Double?)])
    func starRatingIsFractionOfMaximum(text: String, share: Double?) {
        expectEqual(Programme.Rating(value: text).share, share)
    }

    @Test(
        arguments: [
            ("90", "seconds", 90), ("22", "minutes", 1320), ("2", "hours", 7200), ("0", "minutes", 0),
            // Invalid lengths.
            ("90", nil, nil), ("90", "days", nil), ("", "minutes", nil), ("-5", "minutes", nil), ("1.5", "hours", nil),
            ("ninety", "minutes", nil),
            // Ten years or more are invalid.
            ("315360001", "seconds", nil), ("5256001", "minutes", nil), ("87601", "hours", nil),
            ("9223372036854775807", "hours", nil),
        ] as [(String, String?, Int64?)])
    func lengthUsesItsUnit(value: String, units: String?, seconds: Int64?) {
        expectEqual(Programme.Length(value: value, units: units).seconds, seconds)
    }
}

/// Tests of the choice among texts in several languages.
@Suite struct LocalizedTextTests {
    static let titles = [
        LocalizedText("Nachrichten", language: "de"), LocalizedText("News", language: "en_GB"),
        LocalizedText("The News", language: "EN"), LocalizedText("新闻"),
    ]

    @Test(
        arguments: [
            ([], "Nachrichten"), (["en"], "News"), (["en-GB"], "News"), (["EN-gb"], "News"), (["en-US"], "Nachrichten"),
            (["fr", "en"], "News"), (["fr"], "Nachrichten"), (["de-AT", "de"], "Nachrichten"), ([""], "Nachrichten"),
            (["e"], "Nachrichten"), (["-"], "Nachrichten"),
        ] as [([String], String)])
    func firstTextOfPreferredLanguageIsChosen(languages: [String], text: String) {
        expectEqual(Self.titles.text(preferring: languages), text)
    }

    @Test func emptyListHasNoText() {
        expectEqual([LocalizedText]().text(preferring: ["en"]), nil)
    }
}
