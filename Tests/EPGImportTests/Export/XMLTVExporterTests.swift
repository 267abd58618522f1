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

    /// Returns the elements of the output, starting with `<tv>`.
    private func records(_ guide: WrittenGuide, _ options: ExportOptions = ExportOptions()) throws -> [XMLTVElement] {
        var reader = XMLTVReader(ChunkSource(Array(try guide.xmltv(options).utf8)))
        var records: [XMLTVElement] = []
        while try reader.next() != nil { records.append(reader.element) }
        return records
    }

    @Test func guideStartsWithDeclarationAndDoctype() throws {
        let text = try WrittenGuide().xmltv(ExportOptions(generator: "swift-epg/9"))
        expectEqual(
            text.split(separator: "\n"),
            [
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
        expectEqual(lossless.attributes.map(\.name), ["source-info-name", "generator-info-name", "x-region"])
        expectEqual(lossless.attributes.map(\.value), ["A & B", "them", "q"])
        let strict = try #require(try records(WrittenGuide(header: header), ExportOptions(isStrict: true)).first)
        expectEqual(strict.attributes.map(\.name), ["source-info-name", "generator-info-name"])
    }

    /// A record, the options, and the output of the record.
    private struct Row<Record: Sendable>: CustomTestStringConvertible {
        let testDescription: String
        let record: Record
        let options: ExportOptions
        let output: String

        init(_ rule: String, _ record: Record, _ options: ExportOptions = ExportOptions(), is output: String) {
            (testDescription, self.record, self.options, self.output) = (rule, record, options, output)
        }
    }

    private static let strict = ExportOptions(isStrict: true)
    private static let shown = ExportOptions(times: .shown)

    private static let stationRows: [Row<[ContentNode]>] = [
        Row(
            "station without a name gets its identifier as name", [.element("icon", ["src": "a.png"])],
            is: "<channel id='one.test'><display-name>one.test</display-name><icon src='a.png'/></channel>"),
        Row("no name is required", [], ExportOptions(addsRequired: false), is: "<channel id='one.test'/>"),
        Row(
            "attributes and elements outside the DTD are kept", otherStation,
            is: "<channel id='one.test' x-group='a\"b'><display-name>One</display-name><lcn>7.1</lcn></channel>"),
        Row(
            "unless strict", otherStation, strict,
            is: "<channel id='one.test'><display-name>One</display-name></channel>"),
    ]
    private static let otherStation: [ContentNode] = [
        .text("display-name", "One"), .text("lcn", "7.1"), .text("@x-group", "a\"b"),
    ]

    @Test(arguments: stationRows)
    private func stationFollowsOptions(_ row: Row<[ContentNode]>) throws {
        let guide = WrittenGuide(stations: [("one.test", row.record)])
        try expectEqual(records(guide, row.options).last?.line, row.output)
    }

    private static let repaired = ExportedAiring.evening(
        published: PublishedTimes(start: .six.advanced(by: -60), stop: .seven.advanced(by: 600)))
    private static let inferred: [ExportedAiring] = [nil, PublishedTimes(start: .six, stop: nil)].map {
        .evening(published: $0, isStopInferred: true)
    }
    private static let reversed = ExportedAiring.evening(
        published: PublishedTimes(start: .six, stop: .six.advanced(by: -1800)), isStopInferred: true)
    private static let transmission = ExportedAiring.evening(transmission: [
        ContentAttribute(name: "showview", value: "12"), ContentAttribute(name: "catchup-id", value: "<7>"),
    ])

    private static let attributeRows: [Row<ExportedAiring>] = [
        Row(
            "times are in UTC", .evening(.text("title", "News")),
            is: "start=20261025180000 +0000, stop=20261025190000 +0000, channel=one.test"),
        Row(
            "published times replace repaired times", repaired,
            is: "start=20261025175900 +0000, stop=20261025191000 +0000, channel=one.test"),
        Row(
            "shown times are the repaired times", repaired, shown,
            is: "start=20261025180000 +0000, stop=20261025190000 +0000, channel=one.test"),
        Row("inferred stop is not published", inferred[0], is: "start=20261025180000 +0000, channel=one.test"),
        Row(
            "inferred stop of a published start is not published", inferred[1],
            is: "start=20261025180000 +0000, channel=one.test"),
        Row(
            "inferred stop is shown", inferred[0], shown,
            is: "start=20261025180000 +0000, stop=20261025190000 +0000, channel=one.test"),
        Row(
            "inferred stop of a published start is shown", inferred[1], shown,
            is: "start=20261025180000 +0000, stop=20261025190000 +0000, channel=one.test"),
        Row(
            "stop before the start is kept", reversed,
            is: "start=20261025180000 +0000, stop=20261025173000 +0000, channel=one.test"),
        Row("unless strict", reversed, strict, is: "start=20261025180000 +0000, channel=one.test"),
        Row(
            "clump position is written", .evening(clump: Clump(index: 1, count: 2)),
            is: "start=20261025180000 +0000, stop=20261025190000 +0000, channel=one.test, clumpidx=1/2"),
        Row(
            "transmission attributes are kept", transmission,
            is: "start=20261025180000 +0000, stop=20261025190000 +0000, channel=one.test, showview=12, catchup-id=<7>"),
        Row(
            "those outside the DTD unless strict", transmission, strict,
            is: "start=20261025180000 +0000, stop=20261025190000 +0000, channel=one.test, showview=12"),
    ]

    @Test(arguments: attributeRows)
    private func attributesOfProgrammeFollowOptions(_ row: Row<ExportedAiring>) throws {
        let attributes = try programme(row.record, row.options).attributes
        expectEqual(attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ", "), row.output)
    }

    private static let otherContent = ExportedAiring.evening(
        .text("title", "News", ["x-id": "1"]), .element("live"),
        .element("x-mood", ["level": "3"], [.text("x-colour", "blue")]))

    private static let contentRows: [Row<ExportedAiring>] = [
        Row(
            "programme without a title gets an empty title", .evening(.text("desc", "Something")),
            is: "<title/><desc>Something</desc>"),
        Row(
            "text is escaped",
            .evening(.text("title", "a<b&c>]]>\"'"), .text("desc", "one\ntwo", ["lang": "<\">"])),
            is: "<title>a<b&c>]]>\"'</title><desc lang='<\">'>one\ntwo</desc>"),
        Row(
            "content outside the DTD is kept", otherContent,
            is: "<title x-id='1'>News</title><live/><x-mood level='3'><x-colour>blue</x-colour></x-mood>"),
        Row("unless strict", otherContent, strict, is: "<title>News</title>"),
    ]

    @Test(arguments: contentRows)
    private func contentOfProgrammeFollowsOptions(_ row: Row<ExportedAiring>) throws {
        try expectEqual(programme(row.record, row.options).children.map(\.line).joined(), row.output)
    }

    /// Three of four members exist and share 3,600 s, so that each gets 1,200 s.
    @Test func clumpMembersGetEqualSharesInShownTimes() throws {
        let members = [0, 1, 3].map { ExportedAiring.evening(clump: Clump(index: $0, count: 4)) }
        var other = ExportedAiring.evening()
        other.station = StationID("two.test")
        let records = try records(WrittenGuide(airings: members + [other]), ExportOptions(times: .shown))
        let programmes = records.filter { $0.name == "programme" }
        expectEqual(
            programmes.map { $0[attribute: "start"]?.prefix(12) },
            [
                "202610251800", "202610251820", "202610251840", "202610251800",
            ])
        expectEqual(
            programmes.map { $0[attribute: "stop"]?.prefix(12) },
            [
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
        expectEqual(shown.filter { $0.name == "programme" }.count, 1)
    }

    /// U+FFFD is a name character in the fifth edition of XML but not in the fourth. A prefix must be declared.
    @Test func shownExportOmitsNonPortableNames() throws {
        let airing = ExportedAiring.evening(
            transmission: [ContentAttribute(name: "show\u{FFFD}view", value: "1")],
            .text("title", "News", ["la\u{FFFD}g": "en", "xml:lang": "en", "xml:la\u{FFFD}g": "en"]),
            .text("a:desc", "Something"),
            .element("x-mood", [:], [.text("x-col\u{F6}r", "blue")]))
        let shown = try programme(airing, ExportOptions(times: .shown))
        expectEqual(shown.attributes.map(\.name), ["start", "stop", "channel"])
        expectEqual(shown.child("title")?.attributes.map(\.name), ["xml:lang"])
        expectEqual(shown.child("a:desc"), nil)
        expectEqual(shown.child("x-mood")?.children.isEmpty, true)
        let published = try programme(airing)
        expectEqual(published.child("title")?[attribute: "la\u{FFFD}g"], "en")
        expectEqual(published.child("a:desc")?.text, "Something")
    }

    @Test func startOutsideFourDigitYearsIsSkippedAndCounted() throws {
        var airing = ExportedAiring.evening(.text("title", "Late"))
        airing.window = TimeWindow(
            start: Instant(secondsSince1970: 253_402_300_800), end: Instant(secondsSince1970: 253_402_300_801))
        let output = OutputBuffer()
        var exporter = XMLTVExporter(to: output.append)
        try WrittenGuide(airings: [airing, .evening()]).export(to: &exporter)
        expectEqual(exporter.omittedCount, 1)
        expectEqual(output.text.split(separator: "<programme").count, 2)
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
        expectThrows(Full.self) { try WrittenGuide().export(to: &exporter) }
    }
}

extension XMLTVElement {
    /// The element as unescaped XML.
    fileprivate var line: String {
        let tag = name + attributes.map { " \($0.name)='\($0.value)'" }.joined()
        return children.isEmpty ? "<\(tag)/>" : "<\(tag)>\(children.map(\.line).joined())</\(name)>"
    }
}

extension XMLTVElement.Child {
    fileprivate var line: String {
        switch self {
        case .text(let text): text
        case .element(let element): element.line
        }
    }
}

/// Tests that a strict export of any feed is valid according to libxml2.
@Suite(.needs(.xmltvDTD))
struct StrictExportTests {
    @Test func randomContentsBecomeValid() throws {
        var source = RandomFeed(seed: 7)
        let guide = source.guide(stations: 60, airings: 400)
        #expect(try Validator.dtdErrors(in: guide.xmltv()) != "")
        try expectEqual(Validator.dtdErrors(in: guide.xmltv(ExportOptions(isStrict: true))), "")
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
        expectEqual(strict, try guide.xmltv())
        try expectEqual(Validator.dtdErrors(in: strict), "")
    }

    /// Each argument would make the document invalid. Elements always have the order of the DTD.
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
        try expectEqual(Validator.dtdErrors(in: guide.xmltv(ExportOptions(isStrict: true))), "")
    }
}
