import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing

/// An invalid programme is skipped with a diagnostic for its line. The counts of the report always add up.
@Suite struct SkippedRecordTests {
    private static let validProgramme =
        "<programme start=\"20260328180000 +0000\" stop=\"20260328190000 +0000\" channel=\"a\"><title>T</title></programme>"

    @Test(
        arguments: [
            ("channel=\"a\"", "badstart", ""),
            ("start=\"\" channel=\"a\"", "badstart", ""),
            ("start=\"null\" channel=\"a\"", "badstart", "null"),
            ("start=\"20260230200000 +0000\" channel=\"a\"", "badstart", "20260230200000 +0000"),
            ("start=\"20260328250000 +0000\" channel=\"a\"", "badstart", "20260328250000 +0000"),
            ("start=\"20260328200000 XYZT\" channel=\"a\"", "invalidtimezone", "20260328200000 XYZT"),
            ("start=\"20260328200000 +9900\" channel=\"a\"", "invalidtimezone", "20260328200000 +9900"),
            ("start=\"20260328200000 +0000\"", "unknownid", nil),
            ("start=\"20260328200000 +0000\" channel=\"\"", "unknownid", nil),
        ] as [(String, String, String?)])
    func programmeWithoutStartOrChannelIsSkipped(attributes: String, keyword: String, quote: String?) throws {
        let guide = try ImportedGuide(
            "\(Self.validProgramme)\n\n<programme\n \(attributes)><title>Bad</title></programme>\n")
        let report = guide.outcome.report
        expectEqual(report.programmesRead, 2)
        expectEqual(report.airingsStored, 1)
        expectEqual(report.skipped.map { "\($0.key.rawValue) \($0.value)" }, ["\(keyword) 1"])
        expectAddsUp(report)
        let skipped = try #require(try guide.diagnostics().first { $0.action == .skipped })
        expectEqual(skipped.line, 5)
        expectEqual(skipped.keyword.rawValue, keyword)
        expectEqual(skipped.severity, .error)
        expectEqual(skipped.quote, quote)
    }

    @Test(arguments: [
        ("null", "badstop"), ("", "badstop"), ("20260328206100", "badstop"), ("20260328203000 NOPE", "invalidtimezone"),
    ])
    func invalidStopIsInferredAndReported(stop: String, keyword: String) throws {
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000 +0000" stop="\(stop)" channel="a"><title>A</title></programme>
            <programme start="20260328190000 +0000" stop="20260328200000 +0000" channel="a"><title>B</title></programme>
            """)
        let airings = try guide.airings(of: "a")
        try expectEqual(
            guide.lines(of: "a"),
            [
                "2026-03-28T18:00:00Z 2026-03-28T19:00:00Z A", "2026-03-28T19:00:00Z 2026-03-28T20:00:00Z B",
            ])
        expectEqual(airings.map(\.isStopInferred), [true, false])
        expectEqual(
            airings.first?.published, PublishedTimes(start: Instant(secondsSince1970: 1_774_720_800), stop: nil))
        let found = try guide.diagnostics()
        #expect(found.contains { $0.keyword.rawValue == keyword && $0.line == 3 && $0.quote == stop })
        #expect(found.contains { $0.keyword == .missingstop && $0.line == 3 && $0.action == .inferredStop })
        expectAddsUp(guide.outcome.report)
    }

    @Test(arguments: [
        ("<title>  </title>", "emptytitle"), ("<title/>", "emptytitle"), ("", "emptytitle"),
        ("<title>T</title><title lang=\"de\"/>", "emptytitle"), ("<title>T</title><desc/>", "emptydescription"),
        ("<title>T</title><desc>  \n </desc>", "emptydescription"),
        ("<title>T</title><category/>", "emptyelement"), ("<title>T</title><date />", "emptyelement"),
        ("<title>T</title><episode-num system=\"xmltv_ns\"> </episode-num>", "emptyelement"),
        ("<title>T</title><credits><actor role=\"x\"/></credits>", "emptyelement"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">S1</episode-num>", "badepisode"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">1.2.3.4</episode-num>", "badepisode"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">0/1/2..</episode-num>", "badepisode"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">0.1000000.</episode-num>", "badepisode"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">0.1/1000000.</episode-num>", "badepisode"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">0.-1.</episode-num>", "badepisode"),
    ])
    func invalidContentIsKeptAndReported(content: String, keyword: String) throws {
        let guide = try ImportedGuide(
            "<programme start=\"20260328180000 +0000\" stop=\"20260328190000 +0000\" channel=\"a\">\(content)</programme>"
        )
        expectEqual(guide.outcome.report.airingsStored, 1)
        try expectContains(guide.findings(), "3 \(keyword) kept")
    }

    @Test(arguments: ["0 . 12/13 . 0/3", "1.2", "..", " . 4 . ", "0/2.0/3.0/1", "999999.0.", "/"])
    func validEpisodeNumberIsNotReported(number: String) throws {
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000 +0000" stop="20260328190000 +0000" channel="a"><title>T</title>
            <episode-num system="xmltv_ns">\(number)</episode-num></programme>
            """)
        expectEqual(guide.outcome.report.diagnostics[.badepisode], nil)
    }

    @Test func reportHasASampleOfEachKindOfInvalidTime() throws {
        let times = ["null", "null", "20260328200000 XYZT", "tomorrow"]
        let guide = try ImportedGuide(
            times.map { "<programme start=\"\($0)\" stop=\"?\" channel=\"a\"><title>T</title></programme>" }.joined())
        expectEqual(guide.outcome.report.samples, [.badstart: "null", .invalidtimezone: "20260328200000 XYZT"])
    }

    @Test func unknownRecordIsReportedOnce() throws {
        let guide = try ImportedGuide("<x-ad>buy</x-ad>\n\(Self.validProgramme)\n<x-ad/>")
        try expectEqual(guide.findings().filter { $0.contains("notvalid") }, ["3 notvalid skipped"])
        expectEqual(guide.outcome.report.airingsStored, 1)
    }

    @Test(arguments: [
        ("0/2", "1/2", ["0/2", "1/2"]), ("0/1", "0/1", []), ("1/2", "0/2", ["0/2", "1/2"]),
        (" 0/2", "1 / 2", ["0/2", "1/2"]),
    ])
    func clumpPartsShareTheirWindow(first: String, second: String, clumps: [String]) throws {
        let guide = try ImportedGuide(
            [first, second].enumerated().map { index, clump in
                "<programme start=\"20260328180000 +0000\" stop=\"20260328190000 +0000\" clumpidx=\"\(clump)\" channel=\"a\">"
                    + "<title>T\(index)</title></programme>"
            }.joined(separator: "\n"))
        let found = try guide.airings(of: "a").compactMap { $0.clump.map { "\($0.index)/\($0.count)" } }
        expectEqual(found, clumps)
        expectAddsUp(guide.outcome.report)
    }

    @Test func invalidClumpIsKeptAsAttribute() throws {
        let guide = try ImportedGuide(
            "<programme start=\"20260328180000 +0000\" clumpidx=\"x\" channel=\"one.test\"><title>T</title></programme>"
        )
        try expectEqual(guide.onlyAiring()?.transmission.map(\.value), ["x"])
    }
}

/// A malformed guide loses only its broken parts, and reports them with their lines.
@Suite struct RecoveryImportTests {
    private static func programme(_ hour: Int, _ title: String) -> String {
        "<programme start=\"202603281\(hour)0000 +0000\" stop=\"202603281\(hour + 1)0000 +0000\" channel=\"a\">"
            + "<title>\(title)</title></programme>"
    }

    @Test func everyBrokenProgrammeIsCounted() throws {
        let broken = String(
            repeating: "<programme start=\"20260328110000 +0000\" channel=\"a\"><title>Bad</b></programme>\n",
            count: 2500)
        let guide = try ImportedGuide(Self.programme(0, "First") + broken + Self.programme(2, "Last"))
        let report = guide.outcome.report
        expectEqual([report.programmesRead, report.airingsStored], [2502, 2])
        expectEqual(report.skipped, [.notwell: 2500])
        expectEqual(report.diagnostics[.notwell], 2500)
        expectAddsUp(report)
    }

    @Test(arguments: [
        ("Tom & Jerry", "Tom & Jerry", "badentity"), ("Caf&eacute;", "Café", "badentity"),
        ("A &unknown; B", "A &unknown; B", "badentity"), ("A\u{1}B", "AB", "notwell"),
    ])
    func faultyTitleIsReadAsIntended(written: String, title: String, keyword: String) throws {
        let guide = try ImportedGuide(Self.programme(0, written) + "\n" + Self.programme(1, "Next"))
        try expectEqual(guide.airings(of: "a").map(\.title), [title, "Next"])
        try expectContains(guide.findings(), "3 \(keyword) kept")
        expectAddsUp(guide.outcome.report)
    }

    @Test(arguments: [
        "<programme start=\"20260328110000 +0000\" channel=\"a\"><title>Bad</desc></programme>",
        "<programme start=\"20260328110000 +0000\" channel=\"a\"><title>Bad</title>",
        "<programme start=\"20260328110000 +0000 channel=\"a\"><title>Bad</title></programme>",
        "<programme start=\"20260328110000 +0000\" channel=\"a\"><title>Bad < worse</title></programme>",
    ])
    func brokenProgrammeAffectsOnlyItself(broken: String) throws {
        let guide = try ImportedGuide(
            [Self.programme(0, "First"), broken, Self.programme(2, "Last")].joined(separator: "\n"))
        try expectEqual(guide.airings(of: "a").map(\.title), ["First", "Last"])
        let report = guide.outcome.report
        expectEqual(report.programmesRead, 3)
        expectEqual(report.airingsStored, 2)
        expectEqual(report.skipped[.notwell], 1)
        expectAddsUp(report)
        try expectContains(guide.findings(), "4 notwell skipped")
    }

    /// A server wrote a guide over a longer one.
    @Test(arguments: [
        "tle>Old</title></programme>\n\(programme(1, "Old"))\n</tv>\n", "\n\(programme(1, "Old"))\n</tv>\n",
        "title>Old</title></programme>\n\(programme(1, "Old"))\n<programme start=\"2026",
    ])
    func restOfAnOlderFileIsReportedAndNotImported(rest: String) throws {
        let guide = try ImportedGuide(bytes: Array("<tv>\(Self.programme(0, "New"))</tv>\(rest)".utf8))
        try expectEqual(guide.airings(of: "a").map(\.title), ["New"])
        expectEqual(guide.outcome.report.diagnostics, [.notwell: 1, .unknownid: 1])
        let found = try guide.diagnostics().first { $0.keyword == .notwell }
        let count = rest.utf8.count - (rest.hasPrefix("\n") ? 1 : 0)
        expectText(found?.quote ?? "", contains: ["skipped content after </tv>: “", "”, \(count) bytes"])
    }

    /// A guide, the requested encoding, the titles, and a finding.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var encoding: String?
        let titles: [String]
        var finding: String?
    }

    @Test func leafWithoutEndTagCostsNothing() throws {
        let guide = try ImportedGuide(
            """
            <channel id="a"><display-name>Harbour<icon src="a.png"/></channel>
            <programme start="20260328110000 +0000" stop="20260328120000 +0000" channel="a">
            <title>Tide tables</title><desc>Read aloud.
            <category>Nature</category></programme>
            """)
        try expectEqual(guide.store.station(StationID("a"))?.station.name, "Harbour")
        let airing = try #require(try guide.onlyAiring(of: "a"))
        expectEqual(airing.programme.descriptions.map(\.text), ["Read aloud."])
        expectEqual(airing.programme.categories.map(\.text), ["Nature"])
        expectEqual(guide.outcome.report.diagnostics, [.notwell: 2])
    }

    /// Returns a guide whose only title consists of bytes. Its declaration names UTF-8.
    private static func guide(title: [UInt8], isDeclared: Bool = true) -> [UInt8] {
        let declaration = isDeclared ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" : ""
        let text = "\(declaration)<tv>\(programme(0, "@"))</tv>"
        return Array(text.utf8).flatMap { $0 == UInt8(ascii: "@") ? title : [$0] }
    }

    private static let rows: [Row] = [
        Row(
            testDescription: "invalid UTF-8 is read as windows-1252",
            bytes: guide(title: Array("Grüße, Caf".utf8) + [0xE9], isDeclared: false), titles: ["Grüße, Café"],
            finding: "1 badutf8 kept"),
        // `windows-1251` (made with Python's codec).
        Row(
            testDescription: "bytes override the declared encoding",
            bytes: guide(title: [
                0xCD, 0xEE, 0xE2, 0xEE, 0xF1, 0xF2, 0xE8, 0x20, 0xE8, 0x20, 0xEF, 0xEE, 0xE3, 0xEE, 0xE4, 0xE0, 0x20,
                0xED, 0xE0, 0x20, 0xE7, 0xE0, 0xE2, 0xF2, 0xF0, 0xE0,
            ]), titles: ["Новости и погода на завтра"], finding: "0 badutf8 kept"),
        Row(
            testDescription: "requested encoding is used", bytes: guide(title: [0xB4, 0xD0]), encoding: "ISO-8859-5",
            titles: ["Да"]),
        Row(
            testDescription: "concatenated guides are both read",
            bytes: Array(
                """
                <?xml version="1.0"?><tv>\(programme(0, "One"))</tv>
                <?xml version="1.0"?><tv>\(programme(1, "Two"))</tv>

                """.utf8), titles: ["One", "Two"], finding: "2 notwell kept"),
    ]

    /// In a file of one line, the line alone would not help.
    @Test func brokenRecordInALongLineIsLocatedByItsByte() throws {
        let head = "<tv>" + Self.programme(0, "First") + Self.programme(1, "Second")
        let guide = try ImportedGuide(bytes: Array("\(head)<programme><title>Bad</b></programme></tv>".utf8))
        let found = try guide.diagnostics().first { $0.action == .skipped }
        expectText(found?.quote ?? "", contains: ["(byte \(head.utf8.count))"])
    }

    @Test(arguments: rows)
    private func unusualGuideIsReadAsIntended(_ row: Row) throws {
        var options = ImportOptions()
        options.encoding = row.encoding
        let guide = try ImportedGuide(bytes: row.bytes, options: options)
        try expectEqual(guide.airings(of: "a").map(\.title), row.titles)
        if let finding = row.finding { try expectContains(guide.findings(), finding) }
    }
}
