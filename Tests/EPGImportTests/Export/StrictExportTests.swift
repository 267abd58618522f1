import EPGImport
import EPGModel
import Testing

/// What a strict export leaves of any feed is valid; libxml2 is the judge.
@Suite(.enabled(if: Validator.hasXMLLint, Comment(rawValue: Validator.noXMLLint)))
struct StrictExportTests {
    @Test func randomContentsBecomeValid() throws {
        var source = RandomFeed(seed: 7)
        let guide = source.guide(stations: 60, airings: 400)
        #expect(try Validator.complaints(byDTDAbout: guide.xmltv()) != "")
        #expect(try Validator.complaints(byDTDAbout: guide.xmltv(ExportOptions(isStrict: true))) == "")
    }

    @Test func contentThatIsValidStaysAsItIs() throws {
        let nodes: [ContentNode] = [
            .text("title", "A", ["lang": "en"]), .text("title", "B", ["lang": "de"]), .text("sub-title", "S"),
            .text("desc", "D"),
            .element(
                "credits", [:],
                [
                    .text("director", "X"),
                    .element(
                        "actor", ["role": "R", "guest": "yes"],
                        [
                            .text("Y"), .text("image", "y.png", ["type": "person", "size": "1", "orient": "P"]),
                            .text("url", "u"),
                        ]),
                    .text("guest", "Z"),
                ]), .text("date", "2020"), .text("category", "Film"), .text("keyword", "k"), .text("language", "en"),
            .text("orig-language", "fr"), .text("length", "90", ["units": "minutes"]),
            .element("icon", ["src": "i.png", "width": "1", "height": "2"]), .text("url", "u", ["system": "imdb"]),
            .text("country", "FR"), .text("episode-num", "1.2.", ["system": "xmltv_ns"]),
            .element("video", [:], ["present", "colour", "aspect", "quality"].map { .text($0, "yes") }),
            .element("audio", [:], [.text("present", "yes"), .text("stereo", "dolby")]),
            .element("previously-shown", ["start": "2019", "channel": "two.test"]), .element("premiere"),
            .text("last-chance", "now"), .element("new"),
            .element("subtitles", ["type": "teletext"], [.text("language", "en")]), .element("subtitles"),
            .element("rating", ["system": "FSK"], [.text("value", "12"), .element("icon", ["src": "12.png"])]),
            .element("star-rating", [:], [.text("value", "0/5")]),
            .text("review", "Good", ["type": "text", "source": "s", "reviewer": "r", "lang": "en"]),
            .text("image", "p.png", ["type": "poster", "size": "3", "orient": "L", "system": "tmdb"]),
        ]
        var airing = ExportedAiring.evening()
        airing.nodes = nodes
        let guide = WrittenGuide(stations: [("one.test", [.text("display-name", "One")])], airings: [airing])
        let strict = try guide.xmltv(ExportOptions(isStrict: true))
        #expect(strict == (try guide.xmltv()))
        #expect(try Validator.complaints(byDTDAbout: strict) == "")
    }

    /// Each of these would make the document invalid. The order of elements is always that of the DTD.
    @Test(arguments: [
        [ContentNode.element("icon")], [.text("length", "90")], [.text("length", "90", ["units": "days"])],
        [.element("rating")], [.element("star-rating", [:], [.element("icon", ["src": "s"])])], [.text("review", "r")],
        [.text("date", "1"), .text("date", "2")], [.element("new", [:], [.text("yes")])],
        [.text("category", "c", ["x": "1"])],
        [.element("subtitles", ["type": "braille"])], [.text("image", "i", ["size": "XL"])], [.text("loose text")],
        [.element("desc", [:], [.element("b", [:], [.text("bold")])])],
        [.element("credits", [:], [.text("stuntman", "x")])], [.element("credits"), .element("credits")],
    ])
    func whatTheDTDForbidsIsLeftOut(nodes: [ContentNode]) throws {
        var airing = ExportedAiring.evening()
        airing.nodes = [.text("title", "T")] + nodes
        let guide = WrittenGuide(stations: [("one.test", [])], airings: [airing])
        #expect(try Validator.complaints(byDTDAbout: guide.xmltv()) != "")
        #expect(try Validator.complaints(byDTDAbout: guide.xmltv(ExportOptions(isStrict: true))) == "")
    }
}
