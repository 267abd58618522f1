import EPGJSON
import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing
import XMLTV

@testable import EPGImport

/// The elements of a programme are stored in the order of the DTD, regardless of their order in the feed.
@Suite struct ContentOrderTests {
    /// Elements in the order of the DTD, followed by other elements by name.
    private static let children = [
        "<title lang=\"en\">One</title>", "<title lang=\"de\">Eins</title>", "<sub-title>Two</sub-title>",
        "<desc>Three</desc>", "<credits><director>D</director><actor role=\"R\">A</actor><actor>B</actor></credits>",
        "<date>1999</date>", "<category>C</category>", "<category>E</category>", "<length units=\"hours\">1</length>",
        "<icon src=\"i\"/>", "<country>F</country>", "<episode-num system=\"xmltv_ns\">1.2.</episode-num>",
        "<video><aspect>16:9</aspect><quality>HD</quality></video>", "<previously-shown/>", "<new/>",
        "<rating system=\"S\"><value>12</value><icon src=\"j\"/></rating>", "<live/>", "<aaa/>", "<bbb/>",
    ]

    private func encoder(of record: String) throws -> RecordEncoder {
        let text = "<tv><programme>" + record + "</programme></tv>"
        var reader = XMLTVReader(ChunkSource(Array(text.utf8)))
        var encoder = RecordEncoder()
        while let record = try reader.next() {
            guard record == .programme else { continue }
            let bytes = reader.scanner.bytes
            encoder.encode(
                reader.scanner.tokenArray.span, reader.firstElement + 1..<reader.scanner.tokenCount - 1, bytes.span,
                from: reader.scanner.recordStart)
        }
        return encoder
    }

    /// Returns everything that is stored for a record.
    private func stored(_ encoder: RecordEncoder) -> [String] {
        func text(_ range: Range<Int>?, _ bytes: [UInt8]) -> String {
            range.map { String(decoding: bytes[$0], as: UTF8.self) } ?? "–"
        }
        return [
            String(decoding: encoder.document, as: UTF8.self), text(encoder.title, encoder.texts),
            text(encoder.subtitle, encoder.texts),
            text(encoder.description, encoder.texts), text(encoder.category, encoder.texts),
            "\(encoder.contentHash(ContentHasher(key: ContentHash(high: 1, low: 2))))", "\(encoder.marks)",
            "\(encoder.findings)",
        ]
    }

    private func tree(of record: String) throws -> [ContentNode] {
        let text = "<tv><programme>" + record + "</programme></tv>"
        var reader = XMLTVReader(ChunkSource(Array(text.utf8)))
        while let record = try reader.next() {
            if record == .programme { return reader.element.contentNodes(without: "") }
        }
        return []
    }

    /// Returns what a store keeps of a programme.
    private func programme(_ nodes: [ContentNode]) -> StoredProgramme {
        var encoder = RecordEncoder()
        encoder.encode(nodes)
        func text(_ range: Range<Int>?) -> String? { range.map { String(decoding: encoder.texts[$0], as: UTF8.self) } }
        return StoredProgramme(
            title: text(encoder.title) ?? "", subtitle: text(encoder.subtitle),
            description: text(encoder.description), category: text(encoder.category), marks: encoder.marks,
            document: encoder.document)
    }

    /// Whatever a JSON feed has, the stored programme reads as nodes in canonical order that are stored in the same way.
    @Test(arguments: 0..<300) func everyTreeIsStoredAsItReads(seed: UInt64) throws {
        var random = RandomContent(seed: seed)
        let stored = programme(random.nodes(limit: 6, depth: 4))
        let nodes = try stored.nodes()
        expectEqual(nodes, nodes.canonical)
        #expect(programme(nodes) == stored)
        // The JSON of the programme equals the JSON of its nodes, byte by byte.
        var (spliced, written): ([UInt8], [UInt8]) = ([], [])
        try stored.appendJSON(to: &spliced)
        ElementJSON.append(object: nodes, to: &written)
        expectEqual(String(decoding: spliced, as: UTF8.self), String(decoding: written, as: UTF8.self))
    }

    @Test func textOfSingleElementIsStoredOnlyInColumn() throws {
        let stored = programme([.text("desc", "D"), .text("title", "T")])
        expectEqual(stored.document, StoredDocument.empty)
        expectEqual((stored.title, stored.subtitle, stored.description), ("T", nil, "D"))
        try expectEqual(stored.nodes(), [.text("title", "T"), .text("desc", "D")])
    }

    @Test func nullMarksTextInColumn() throws {
        let titles: [ContentNode] = [
            .text("title", "Erster", ["lang": "de"]), .text("title", "Second"), .text("category", "C"), .element("new"),
        ]
        let stored = programme(titles)
        expectEqual(
            String(decoding: stored.document, as: UTF8.self),
            #"{"title":[{"@lang":"de","text":null},"Second"],"category":["C"],"new":[true]}"#)
        expectEqual((stored.title, stored.category, stored.marks), ("Erster", "C", .new))
        try expectEqual(stored.nodes(), titles)
    }

    /// Another program can have added it. SQLite's `json_valid` accepts it.
    @Test func whitespaceAroundDocumentIsIgnored() throws {
        let nodes: [ContentNode] = [.text("title", "T"), .text("title", "Z", ["lang": "de"]), .element("new")]
        var stored = programme(nodes)
        var (plain, padded): ([UInt8], [UInt8]) = ([], [])
        try stored.appendJSON(to: &plain)
        stored.document = Array(" \n".utf8) + stored.document + Array("\t ".utf8)
        try stored.appendJSON(to: &padded)
        expectEqual(padded, plain)
        try expectEqual(stored.nodes(), nodes)
    }

    @Test func columnOfTextWithMarkupIsCopy() throws {
        let description = ContentNode.element("desc", [:], [.text("up "), .text("b", "and"), .text(" down")])
        let stored = programme([description])
        expectEqual(stored.description, "up and down")
        expectEqual(
            String(decoding: stored.document, as: UTF8.self), #"{"desc":[{"content":["up ",{"b":"and"}," down"]}]}"#)
        try expectEqual(stored.nodes(), [description])
    }

    /// Attributes of a record, texts outside of elements, and a name that XMLTV can't have, as JSON feeds have them.
    @Test func membersOfJSONRecordAreKept() throws {
        let nodes: [ContentNode] = [
            .text(" loose\n"), .text("title", "T"), .text("ends "), .text("@x", " v "), .text("@", "a"),
            .text("@", "b"),
            .element("@y"), .text("text", "t"),
        ]
        let stored = programme(nodes)
        expectEqual(
            String(decoding: stored.document, as: UTF8.self),
            #"{"text":"loose ends","<@":["a","b"],"@x":"v","<@y":[true],"<text":["t"]}"#)
        try expectEqual(
            stored.nodes(),
            [
                .text("loose ends"), .text("title", "T"), .text("@", "a"), .text("@", "b"), .text("@x", "v"),
                .element("@y"), .text("text", "t"),
            ])
    }

    @Test func dtdOrderIsStoredUnchanged() throws {
        let known = try encoder(of: Self.children.dropLast(2).joined())
        expectEqual(stored(known)[1...4], ["One", "Two", "Three", "C"])
        expectEqual(known.marks, [.new, .live, .repeated])
        // Written by hand from Documentation/epg-json.md and schema.sql.
        let document = #"""
            {"title":[{"@lang":"en","text":null},{"@lang":"de","text":"Eins"}],\#
            "credits":[{"director":["D"],"actor":[{"@role":"R","text":"A"},"B"]}],"date":["1999"],"category":["C","E"],\#
            "length":[{"@units":"hours","text":"1"}],"icon":[{"@src":"i"}],"country":["F"],\#
            "episode-num":[{"@system":"xmltv_ns","text":"1.2."}],"video":[{"aspect":["16:9"],"quality":["HD"]}],\#
            "previously-shown":[true],"new":[true],"rating":[{"@system":"S","value":["12"],"icon":[{"@src":"j"}]}],"live":[true]}
            """#
        expectEqual(stored(known)[0], document)
    }

    @Test func elementOrderDoesNotMatter() throws {
        var generator = SeededGenerator(seed: 31)
        // Elements with the same name keep their order.
        let movable = Self.children.filter { !$0.contains("de") && !$0.contains(">E<") }
        let expected = stored(try encoder(of: movable.joined()))
        for _ in 0..<80 {
            let shuffled = movable.shuffled(using: &generator)
            expectEqual(stored(try encoder(of: shuffled.joined())), expected, "\(shuffled)")
        }
    }

    @Test(arguments: [
        (
            "<credits><actor>B</actor><director>D</director><actor>A</actor></credits>",
            "<credits><director>D</director><actor>B</actor><actor>A</actor></credits>"
        ),
        (
            "<rating><icon src=\"i\"/><value>12</value></rating>", "<rating><value>12</value><icon src=\"i\"/></rating>"
        ),
        ("<icon height=\"2\" width=\"1\" src=\"i\"/>", "<icon src=\"i\" width=\"1\" height=\"2\"/>"),
        ("<title>T</title>loose", "loose<title>T</title>"),
        ("<desc>up <b>and</b> down</desc><date>1</date>", "<desc>up <b>and</b> down</desc><date>1</date>"),
        (
            "<date>1</date><desc>up <b>and</b> <a>down</a></desc>",
            "<desc>up <b>and</b> <a>down</a></desc><date>1</date>"
        ),
        ("<title>T</title><title/><title lang=\"de\"> </title>", "<title>T</title>"),
        ("<title> </title><desc>x</desc>", "<desc>x</desc>"),
        // Elements that say nothing without content are dropped, and those that they leave empty; a mark is kept.
        ("<category/><title>T</title><date/><sub-title> </sub-title><length units=\"hours\"/>", "<title>T</title>"),
        (
            "<credits><actor role=\"R\"/><director>D</director></credits><video><aspect/></video><rating><value/></rating>",
            "<credits><director>D</director></credits>"
        ),
        (
            "<premiere/><last-chance/><new/><previously-shown/><subtitles type=\"onscreen\"><language/></subtitles><zz/>",
            "<previously-shown/><premiere/><last-chance/><new/><subtitles type=\"onscreen\"/><zz/>"
        ),
        ("<credits>A<actor/></credits><desc>a<date/></desc>", "<desc>a<date/></desc><credits>A</credits>"),
        ("<date/><title/>", ""),
        ("<video>a <desc/>b<zz/></video>", "<video>a b<zz/></video>"),
        ("<credits><writer/><actor/></credits><title>T</title>", "<title>T</title><credits/>"),
        ("<zz/><aa/><zz a=\"1\"/>", "<aa/><zz/><zz a=\"1\"/>"),
        (
            "<audio><stereo>s</stereo><present>yes</present></audio><new/>",
            "<audio><present>yes</present><stereo>s</stereo></audio><new/>"
        ),
    ])
    func elementOutOfOrderIsMoved(given: String, expected: String) throws {
        expectEqual(stored(try encoder(of: given)).dropLast(), stored(try encoder(of: expected)).dropLast())
        var fromTree = RecordEncoder()
        fromTree.encode(try tree(of: given))
        expectEqual(stored(fromTree), stored(try encoder(of: given)))
    }

    @Test func treeAndTokensGiveSameStoredRecord() throws {
        var generator = SeededGenerator(seed: 32)
        for _ in 0..<80 {
            let record = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                Self.children.randomElement(using: &generator) ?? ""
            }.joined(separator: "\n ")
            var fromTree = RecordEncoder()
            fromTree.encode(try tree(of: record))
            expectEqual(stored(fromTree), stored(try encoder(of: record)), "\(record)")
        }
    }

    @Test func feedsWithDifferentElementOrderShareContent() throws {
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000 +0000" channel="a"><title>A</title><desc>B</desc><category>C</category></programme>
            <programme start="20260328190000 +0000" channel="a"><category>C</category><desc>B</desc><title>A</title></programme>
            """)
        expectEqual(guide.outcome.programmesInserted, 1)
        try expectEqual(guide.airings(of: "a").map(\.title), ["A", "A"])
    }

    @Test func transmissionAttributesHaveCanonicalOrder() throws {
        let guide = try ImportedGuide(
            """
            <programme x="2" showview="1" start="20260328180000 +0000" channel="one.test"><title>A</title></programme>
            """)
        try expectEqual(guide.onlyAiring()?.transmission.map(\.name), ["showview", "x"])
    }

    @Test func nameEqualToIdentifierIsDropped() throws {
        let named = try ImportedGuide("<channel id=\"one.test\"><display-name>one.test</display-name></channel>")
        let bare = try ImportedGuide("<channel id=\"one.test\"/>")
        let station = try #require(try named.store.station(StationID("one.test"))?.station)
        expectEqual(station, try bare.store.station(StationID("one.test"))?.station)
        expectEqual(station.name, "one.test")
    }
}
