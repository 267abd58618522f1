import Testing

@testable import EPGModel

/// A stored document becomes a programme: what the DTD knows goes to properties, the rest to extras, and nothing is lost.
@Suite struct ProgrammeContentTests {
    private func element(
        _ name: String, _ text: String? = nil, _ attributes: [(String, String)] = [], _ children: [ContentNode] = []
    ) -> ContentNode {
        .element(
            ContentElement(
                name: name, attributes: attributes.map { ContentAttribute(name: $0.0, value: $0.1) },
                children: (text.map { [.text($0)] } ?? []) + children))
    }

    @Test func everyElementOfTheDTDHasItsProperty() {
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
                images: [.init(address: "https://a.test/jo.png", type: "person")],
                urls: [WebLink(address: "https://a.test/jo", system: "a")]),
        ]
        expected.date = "1999"
        expected.categories = [LocalizedText("Film", language: "en")]
        expected.keywords = [LocalizedText("railway")]
        expected.language = LocalizedText("English")
        expected.originalLanguage = LocalizedText("German", language: "en")
        expected.length = .init(value: "90", units: "minutes")
        expected.icons = [Icon(source: "i.png", width: "10", height: "20")]
        expected.urls = [WebLink(address: "https://a.test")]
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
        expected.images = [.init(address: "p.jpg", type: "poster", size: "3", orientation: "P", system: "s")]
        #expect(programme == expected)
    }

    @Test func whatTheDTDHasNoRoomForIsAnExtraAsItStands() {
        let nodes = [
            element("date", "2000", [("x-kind", "made")]), element("new", "really"),
            element("icon", nil, [("width", "5")]), element("season", "2"), element("x-mood", nil, [("level", "3")]),
            .text("loose"), element("title", nil, [], [element("b", "bold")]),
            element("rating", nil, [], [element("icon", nil, [("src", "p")])]),
            element("video", nil, [], [element("depth", "3D")]), element("credits", nil, [], [element("singer", "M")]),
        ]
        let programme = Programme(nodes: nodes)
        #expect(programme.extras == nodes)
    }

    @Test func whatTheDTDAllowsOnceIsKeptTheSecondTime() {
        let names = ["date", "language", "orig-language", "length", "premiere", "last-chance"]
        let nodes = names.flatMap { [element($0, "first"), element($0, "second")] }
        #expect(Programme(nodes: nodes).extras == names.map { element($0, "second") })
        #expect(Programme(nodes: [element("new"), element("new")]).extras == [element("new")])
    }

    @Test(arguments: 0..<80) func noTextAndNoAttributeIsEverLost(seed: UInt64) {
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
        // `guest` is yes or no in the typed model; its other values make an extra of the person.
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
        let lost = marks.filter { !description.contains($0) }
        #expect(lost.isEmpty)
    }
}
