import EPGImport
import EPGModel
import TestSupport
import Testing
import XMLTV

/// Tests of the output of each record, by the DTD and Rules.md, XMLTV 1.
@Suite struct XMLTVExporterTests {
    private func programme(_ airing: ExportedAiring, _ options: ExportOptions = ExportOptions()) throws -> XMLTVElement
    {
        try #require(try records(WrittenGuide(airings: [airing]), options).last)
    }

    private func channel(
        _ nodes: [ContentNode], _ options: ExportOptions = ExportOptions()
    ) throws -> XMLTVElement {
        try #require(try records(WrittenGuide(stations: [("one.test", nodes)]), options).last)
    }

    /// Returns the elements of the output, starting with `<tv>`.
    private func records(_ guide: WrittenGuide, _ options: ExportOptions = ExportOptions()) throws -> [XMLTVElement] {
        var reader = XMLTVReader(ChunkSource(Array(try guide.xmltv(options).utf8)))
        var records: [XMLTVElement] = []
        while try reader.next() != nil { records.append(reader.element) }
        return records
    }

    @Test func guideStartsWithDeclarationAndDoctype() throws {
        let text = try WrittenGuide().xmltv(ExportOptions(generator: "swift-epg/9"))
        #expect(
            text.split(separator: "\n") == [
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!DOCTYPE tv SYSTEM \"xmltv.dtd\">",
                "<tv generator-info-name=\"swift-epg/9\">", "</tv>",
            ])
    }

    @Test func sourceHeaderIsKeptWithItsGenerator() throws {
        let header = [
            ContentAttribute(name: "source-info-name", value: "A & B"),
            ContentAttribute(name: "generator-info-name", value: "them"),
            ContentAttribute(name: "x-region", value: "q"),
        ]
        let lossless = try #require(try records(WrittenGuide(header: header)).first)
        #expect(lossless.attributes.map(\.name) == ["source-info-name", "generator-info-name", "x-region"])
        #expect(lossless.attributes.map(\.value) == ["A & B", "them", "q"])
        let strict = try #require(try records(WrittenGuide(header: header), ExportOptions(isStrict: true)).first)
        #expect(strict.attributes.map(\.name) == ["source-info-name", "generator-info-name"])
    }

    @Test func stationWithoutNameGetsItsIdentifierAsName() throws {
        let element = try channel([.element("icon", ["src": "a.png"])])
        #expect(element.children.count == 2)
        guard case .element(let first) = element.children.first else {
            Issue.record("no element")
            return
        }
        #expect((first.name, first.text) == ("display-name", "one.test"))
        #expect(try channel([], ExportOptions(addsRequired: false)).children.isEmpty)
    }

    @Test func stationAttributesRoundTrip() throws {
        let nodes: [ContentNode] = [.text("display-name", "One"), .text("lcn", "7.1"), .text("@x-group", "a\"b")]
        let element = try channel(nodes)
        #expect(element.attributes.map(\.name) == ["id", "x-group"])
        #expect(element[attribute: "x-group"] == "a\"b")
        #expect(element.child("lcn")?.text == "7.1")
        let strict = try channel(nodes, ExportOptions(isStrict: true))
        #expect(strict.attributes.map(\.name) == ["id"])
        #expect(strict.child("lcn") == nil)
    }

    @Test func timesAreInUTC() throws {
        let element = try programme(.evening(.text("title", "News")))
        #expect(element[attribute: "start"] == "20261025180000 +0000")
        #expect(element[attribute: "stop"] == "20261025190000 +0000")
        #expect(element[attribute: "channel"] == "one.test")
        #expect(element[attribute: "clumpidx"] == nil)
    }

    @Test func publishedTimesReplaceRepairedTimes() throws {
        let published = PublishedTimes(start: .six.advanced(by: -60), stop: .seven.advanced(by: 600))
        let element = try programme(.evening(published: published))
        #expect(element[attribute: "start"] == "20261025175900 +0000")
        #expect(element[attribute: "stop"] == "20261025191000 +0000")
        let shown = try programme(.evening(published: published), ExportOptions(times: .shown))
        #expect(shown[attribute: "start"] == "20261025180000 +0000")
        #expect(shown[attribute: "stop"] == "20261025190000 +0000")
    }

    @Test(arguments: [nil, PublishedTimes(start: .six, stop: nil)])
    func inferredStopIsNotPublished(published: PublishedTimes?) throws {
        let airing = ExportedAiring.evening(published: published, isStopInferred: true)
        #expect(try programme(airing)[attribute: "stop"] == nil)
        #expect(try programme(airing, ExportOptions(times: .shown))[attribute: "stop"] == "20261025190000 +0000")
    }

    @Test func stopBeforeTheStartIsKeptUnlessStrict() throws {
        let airing = ExportedAiring.evening(
            published: PublishedTimes(start: .six, stop: .six.advanced(by: -1800)), isStopInferred: true)
        #expect(try programme(airing)[attribute: "stop"] == "20261025173000 +0000")
        #expect(try programme(airing, ExportOptions(isStrict: true))[attribute: "stop"] == nil)
    }

    @Test func clumpPositionIsWritten() throws {
        #expect(try programme(.evening(clump: Clump(index: 1, count: 2)))[attribute: "clumpidx"] == "1/2")
    }

    /// Three of four members exist and share 3,600 s, so that each gets 1,200 s.
    @Test func clumpMembersGetEqualSharesInShownTimes() throws {
        let members = [0, 1, 3].map { ExportedAiring.evening(clump: Clump(index: $0, count: 4)) }
        var other = ExportedAiring.evening()
        other.station = StationID("two.test")
        let records = try records(WrittenGuide(airings: members + [other]), ExportOptions(times: .shown))
        let programmes = records.filter { $0.name == "programme" }
        #expect(
            programmes.map { $0[attribute: "start"]?.prefix(12) } == [
                "202610251800", "202610251820", "202610251840", "202610251800",
            ])
        #expect(
            programmes.map { $0[attribute: "stop"]?.prefix(12) } == [
                "202610251820", "202610251840", "202610251900", "202610251900",
            ])
        #expect(programmes.allSatisfy { $0[attribute: "clumpidx"] == nil })
    }

    @Test func emptySharesAreSkipped() throws {
        let members = (0..<2).map { index in
            var member = ExportedAiring.evening(clump: Clump(index: index, count: 2))
            member.window = TimeWindow(start: .six, end: .six.advanced(by: 1))
            return member
        }
        let shown = try records(WrittenGuide(airings: members), ExportOptions(times: .shown))
        #expect(shown.filter { $0.name == "programme" }.count == 1)
    }

    @Test func transmissionAttributesAreKept() throws {
        let transmission = [
            ContentAttribute(name: "showview", value: "12"), ContentAttribute(name: "catchup-id", value: "<7>"),
        ]
        let lossless = try programme(.evening(transmission: transmission))
        #expect(lossless[attribute: "showview"] == "12")
        #expect(lossless[attribute: "catchup-id"] == "<7>")
        let strict = try programme(.evening(transmission: transmission), ExportOptions(isStrict: true))
        #expect(strict.attributes.map(\.name) == ["start", "stop", "channel", "showview"])
    }

    @Test func programmeWithoutTitleGetsEmptyTitle() throws {
        let element = try programme(.evening(.text("desc", "Something")))
        #expect(element.children.count == 2)
        guard case .element(let title) = element.children.first else {
            Issue.record("no element")
            return
        }
        #expect((title.name, title.children.count) == ("title", 0))
    }

    @Test func textIsEscaped() throws {
        let airing = ExportedAiring.evening(.text("title", "a<b&c>]]>\"'"), .text("desc", "one\ntwo", ["lang": "<\">"]))
        let element = try programme(airing)
        #expect(element.child("title")?.text == "a<b&c>]]>\"'")
        #expect(element.child("desc")?.text == "one\ntwo")
        #expect(element.child("desc")?[attribute: "lang"] == "<\">")
    }

    @Test func contentOutsideDTDIsKeptUnlessStrict() throws {
        let airing = ExportedAiring.evening(
            .text("title", "News", ["x-id": "1"]), .element("live"),
            .element("x-mood", ["level": "3"], [.text("x-colour", "blue")]))
        let lossless = try programme(airing)
        #expect(lossless.child("x-mood")?.child("x-colour")?.text == "blue")
        #expect(lossless.child("live") != nil)
        #expect(lossless.child("title")?[attribute: "x-id"] == "1")
        let strict = try programme(airing, ExportOptions(isStrict: true))
        #expect(strict.children.count == 1)
        #expect(strict.child("title")?.attributes.isEmpty == true)
    }

    /// U+FFFD is a name character in the fifth edition of XML but not in the fourth. A prefix must be declared.
    @Test func shownExportOmitsNonPortableNames() throws {
        let airing = ExportedAiring.evening(
            transmission: [ContentAttribute(name: "show\u{FFFD}view", value: "1")],
            .text("title", "News", ["la\u{FFFD}g": "en", "xml:lang": "en", "xml:la\u{FFFD}g": "en"]),
            .text("a:desc", "Something"),
            .element("x-mood", [:], [.text("x-col\u{F6}r", "blue")]))
        let shown = try programme(airing, ExportOptions(times: .shown))
        #expect(shown.attributes.map(\.name) == ["start", "stop", "channel"])
        #expect(shown.child("title")?.attributes.map(\.name) == ["xml:lang"])
        #expect(shown.child("a:desc") == nil)
        #expect(shown.child("x-mood")?.children.isEmpty == true)
        let published = try programme(airing)
        #expect(published.child("title")?[attribute: "la\u{FFFD}g"] == "en")
        #expect(published.child("a:desc")?.text == "Something")
    }

    @Test func startOutsideFourDigitYearsIsSkippedAndCounted() throws {
        var airing = ExportedAiring.evening(.text("title", "Late"))
        airing.window = TimeWindow(
            start: Instant(secondsSince1970: 253_402_300_800), end: Instant(secondsSince1970: 253_402_300_801))
        let output = OutputBuffer()
        var exporter = XMLTVExporter(to: output.append)
        try WrittenGuide(airings: [airing, .evening()]).export(to: &exporter)
        #expect(exporter.omittedCount == 1)
        #expect(output.text.split(separator: "<programme").count == 2)
    }

    @Test func bytesAreDeliveredInPieces() throws {
        var longest = 0
        var exporter = XMLTVExporter(to: { longest = max(longest, $0.count) })
        let airing = ExportedAiring.evening(.text("desc", String(repeating: "long ", count: 1000)))
        try WrittenGuide(airings: Array(repeating: airing, count: 200)).export(to: &exporter)
        #expect(longest < 80 << 10)
    }

    @Test func errorOfSinkIsRethrown() {
        struct Full: Error {}
        var exporter = XMLTVExporter(to: { _ in throw Full() })
        #expect(throws: Full.self) { try WrittenGuide().export(to: &exporter) }
    }
}

/// Tests that a strict export of any feed is valid according to libxml2.
@Suite(.needs(.xmltvDTD))
struct StrictExportTests {
    @Test func randomContentsBecomeValid() throws {
        var source = RandomFeed(seed: 7)
        let guide = source.guide(stations: 60, airings: 400)
        #expect(try Validator.dtdErrors(in: guide.xmltv()) != "")
        #expect(try Validator.dtdErrors(in: guide.xmltv(ExportOptions(isStrict: true))) == "")
    }

    @Test func validContentIsUnchanged() throws {
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
        #expect(try Validator.dtdErrors(in: strict) == "")
    }

    /// Each argument would make the document invalid. The order of elements is always that of the DTD.
    @Test(arguments: [
        [ContentNode.element("icon")], [.text("length", "90")], [.text("length", "90", ["units": "days"])],
        [.element("rating")], [.element("star-rating", [:], [.element("icon", ["src": "s"])])], [.text("review", "r")],
        [.text("date", "1"), .text("date", "2")], [.element("new", [:], [.text("yes")])],
        [.text("category", "c", ["x": "1"])],
        [.element("subtitles", ["type": "braille"])], [.text("image", "i", ["size": "XL"])], [.text("loose text")],
        [.element("desc", [:], [.element("b", [:], [.text("bold")])])],
        [.element("credits", [:], [.text("stuntman", "x")])], [.element("credits"), .element("credits")],
    ])
    func strictExportOmitsInvalidContent(nodes: [ContentNode]) throws {
        var airing = ExportedAiring.evening()
        airing.nodes = [.text("title", "T")] + nodes
        let guide = WrittenGuide(stations: [("one.test", [])], airings: [airing])
        #expect(try Validator.dtdErrors(in: guide.xmltv()) != "")
        #expect(try Validator.dtdErrors(in: guide.xmltv(ExportOptions(isStrict: true))) == "")
    }
}
