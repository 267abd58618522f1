import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import Testing
import XMLTV

/// Texts with child elements, such as `<title>Text <b>bold</b></title>`.
@Suite struct MarkedUpTextTests {
    private static let records = """
        <channel id="one.test"><display-name>up <i>and</i> down</display-name><display-name>One</display-name></channel>
        <programme start="20260328180000 +0000" stop="20260328190000 +0000" channel="one.test">
          <desc>
            First <b>line</b>
            second<i> line </i> <u>end</u>.
          </desc>
          <title lang="en"> Text
            <b>bold</b> </title>
          <title>Plain</title>
          <sub-title><i>A</i><b>B</b> <i>C</i></sub-title>
          <category>Big <b>Film</b></category><category>Drama</category>
          <keyword>x<b/>y</keyword>
        </programme>
        """

    private func exported(_ guide: GuideStore, _ options: ExportOptions = ExportOptions()) throws -> String {
        let output = OutputBuffer()
        var exporter = XMLTVExporter(options, to: output.append)
        try guide.export(ExportSelection(), to: &exporter)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test func scannerAndModelAgreeOnTextElements() {
        for name in XMLTVName.allCases {
            expectEqual(name.namesText, ContentElement(name: "\(name.text)").isTextElement, "\(name)")
        }
    }

    @Test func shownTextIsTheTextContent() throws {
        let guide = try ImportedGuide(Self.records)
        let detail = try #require(try guide.onlyAiring())
        expectEqual(detail.airing.title, "Text bold")
        expectEqual(detail.airing.subtitle, "AB C")
        expectEqual(detail.airing.description, "First line\nsecond line end.")
        expectEqual(Set(detail.airing.categories), ["Big Film", "Drama"])
        expectEqual(detail.programme.titles.first, LocalizedText("Text bold", language: "en"))
        expectEqual(detail.programme.keywords.map(\.text), ["xy"])
        try expectEqual(guide.lines(of: "one.test").first?.hasSuffix("Text bold"), true)
        try expectEqual(guide.findings().filter { $0.contains("emptytitle") }, [])
        try expectEqual(
            guide.store.station(StationID("one.test"))?.station.displayNames.map(\.text), ["One", "up and down"])
    }

    @Test func searchFindsTextInChildElements() throws {
        let guide = try ImportedGuide(Self.records)
        try guide.store.refreshSearchIndex()
        let found = try guide.store.search(SearchQuery(words: "bold", now: ImportedGuide.now, order: .start)).matches
        expectEqual(found.count, 1)
    }

    @Test func exportKeepsOneSpaceAtEdgesOfChildElements() throws {
        let guide = try ImportedGuide(Self.records)
        let text = try exported(guide.store)
        expectText(
            text,
            contains: [
                "<title lang=\"en\">Text <b>bold</b></title>", "<sub-title><i>A</i><b>B</b> <i>C</i></sub-title>",
                "<display-name>up <i>and</i> down</display-name>",
                "<desc>First <b>line</b>\nsecond<i> line </i><u>end</u>.</desc>",
            ])
    }

    @Test(arguments: [
        ("Late<b> </b>News", "Late News"), ("Up<b> <i>and</i></b> down", "Up and down"),
        ("<b>Late</b> <i>News</i>", "Late News"), ("Late<b>News</b>", "LateNews"), ("<b> Late </b>", "Late"),
        ("Late<b/> <i/> News", "Late News"),
    ])
    func whiteSpaceBetweenWordsIsKeptAsOneSpace(written: String, shown: String) throws {
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000 +0000" channel="one.test"><title>\(written)</title></programme>
            """)
        try expectEqual(guide.onlyAiring()?.airing.title, shown)
    }

    @Test func calendarShowsTheTextContent() throws {
        let guide = try ImportedGuide(Self.records)
        let output = OutputBuffer()
        var exporter = CalendarExporter(name: "TV", generator: "test", now: ImportedGuide.now, to: output.append)
        try guide.store.export(ExportSelection(), to: &exporter)
        let text = String(decoding: output.bytes, as: UTF8.self)
        expectText(text, contains: ["SUMMARY:Text bold\r\n", "CATEGORIES:Big Film,Drama\r\n"])
    }

    /// Eight times as many pieces may take 24 times as long, but not 64 times.
    @Test func textInManyPiecesIsReadInLinearTime() throws {
        func seconds(_ pieces: Int) throws -> Double {
            let text = String(repeating: "<![CDATA[ab]]>", count: pieces)
            let clock = ContinuousClock()
            let time = try clock.measure {
                let guide = try ImportedGuide(
                    """
                    <programme start="20260328180000 +0000" channel="one.test"><title>T</title><desc><b/>\(text)</desc></programme>
                    """)
                try expectEqual(guide.onlyAiring()?.airing.description?.utf8.count, 2 * pieces)
            }
            return time / .seconds(1)
        }
        _ = try seconds(1000)
        let (few, many) = (try seconds(12_500), try seconds(100_000))
        #expect(many < 24 * max(few, 0.01), "\(few) s, \(many) s")
    }

    /// Expects that an export, imported again, gives the same guide, which this returns with the export.
    private func expectRoundTrip(
        of first: ImportedGuide, _ options: ExportOptions = ExportOptions()
    ) throws -> (guide: ImportedGuide, bytes: [UInt8]) {
        let bytes = Array(try exported(first.store, options).utf8)
        let second = try ImportedGuide(bytes: bytes)
        var (before, after) = try (RecordedGuide(first.store), RecordedGuide(second.store))
        before.dropGenerator()
        after.dropGenerator()
        expectEqual(before, after, "\(before.difference(to: after))")
        return (second, bytes)
    }

    /// Each text is in a programme of its own.
    @Test func everyTextRoundTripsThroughExport() throws {
        let names = [
            "title", "sub-title", "desc", "date", "category", "keyword", "language", "orig-language", "length", "url",
            "country", "episode-num", "premiere", "last-chance", "review", "image",
        ]
        let variants = [
            "up <i>and</i> down", "<i>up</i><b>down</b>", "<i>up</i> <b>down</b>", "<z>up</z>\n<a> down</a>",
        ]
        let texts = names.flatMap { name in variants.map { "<\(name)>\($0)</\(name)>" } }
        let programmes = texts.enumerated().map { index, text in
            let station = "\(index).test"
            return "<programme start=\"20260328180000 +0000\" channel=\"\(station)\"><title/>\(text)</programme>"
        }
        let guide = try ImportedGuide(programmes.joined(separator: "\n"))
        expectEqual(guide.outcome.report.airingsStored, texts.count)
        _ = try expectRoundTrip(of: guide, ExportOptions(addsRequired: false))
    }

    @Test func exportedGuideReimportsUnchanged() throws {
        let (second, bytes) = try expectRoundTrip(of: ImportedGuide(Self.records))
        let generation = try second.store.version().generation
        _ = try second.importing(bytes)
        try expectEqual(second.store.version().generation, generation)
    }

    @Test func strictExportKeepsTheTextContent() throws {
        let guide = try ImportedGuide(Self.records)
        let text = try exported(guide.store, ExportOptions(isStrict: true))
        expectText(text, contains: ["<title lang=\"en\">Text bold</title>"])
    }

    @Test func exportForPlayersEncodesURLs() throws {
        let guide = try ImportedGuide(
            """
            <channel id="one.test"><display-name>One</display-name><icon src="http://a.test/my logo.png"/><icon src="/storage/My Logo.png"/></channel>
            <programme start="20260328180000 +0000" stop="20260328190000 +0000" channel="one.test">
              <title>T</title><icon src="http://a.test/a%20b c.png"/><image>http://a.test/ä.png</image>
            </programme>
            """)
        let shown = try exported(guide.store, ExportOptions(times: .shown))
        // A local path must not change.
        expectText(shown, contains: ["src=\"http://a.test/my%20logo.png\"", "<icon src=\"/storage/My Logo.png\" />"])
        let json = OutputBuffer()
        var exporter = JSONExporter(ExportOptions(times: .shown), to: json.append)
        try guide.store.export(ExportSelection(), to: &exporter)
        let lines = String(decoding: json.bytes, as: UTF8.self)
        expectText(lines, contains: ["http://a.test/my%20logo.png", "http://a.test/%C3%A4.png"])
        expectText(shown, contains: ["src=\"http://a.test/a%20b%20c.png\"", "http://a.test/%C3%A4.png</image>"])
        expectText(try exported(guide.store), contains: ["src=\"http://a.test/my logo.png\""])
    }
}
