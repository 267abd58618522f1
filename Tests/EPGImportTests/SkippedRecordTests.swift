import EPGImport
import EPGModel
import EPGStore
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
        #expect((report.programmesRead, report.airingsStored) == (2, 1))
        #expect(report.skipped.map { "\($0.key.rawValue) \($0.value)" } == ["\(keyword) 1"])
        #expect(report.addsUp)
        let skipped = try #require(try guide.diagnostics().first { $0.action == .skipped })
        #expect((skipped.line, skipped.keyword.rawValue, skipped.severity) == (5, keyword, .error))
        #expect(skipped.quote == quote)
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
        #expect(
            try guide.lines(of: "a") == [
                "2026-03-28T18:00:00Z 2026-03-28T19:00:00Z A", "2026-03-28T19:00:00Z 2026-03-28T20:00:00Z B",
            ])
        #expect(airings.map(\.isStopInferred) == [true, false])
        #expect(airings.first?.published == PublishedTimes(start: Instant(secondsSince1970: 1_774_720_800), stop: nil))
        let found = try guide.diagnostics()
        #expect(found.contains { $0.keyword.rawValue == keyword && $0.line == 3 && $0.quote == stop })
        #expect(found.contains { $0.keyword == .missingstop && $0.line == 3 && $0.action == .inferredStop })
        #expect(guide.outcome.report.addsUp)
    }

    @Test(arguments: [
        ("<title>  </title>", "emptytitle"), ("<title/>", "emptytitle"), ("", "emptytitle"),
        ("<title>T</title><title lang=\"de\"/>", "emptytitle"), ("<title>T</title><desc/>", "emptydescription"),
        ("<title>T</title><desc>  \n </desc>", "emptydescription"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">S1</episode-num>", "badepisode"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">1.2.3.4</episode-num>", "badepisode"),
        ("<title>T</title><episode-num system=\"xmltv_ns\">0/1/2..</episode-num>", "badepisode"),
    ])
    func invalidContentIsKeptAndReported(content: String, keyword: String) throws {
        let guide = try ImportedGuide(
            "<programme start=\"20260328180000 +0000\" stop=\"20260328190000 +0000\" channel=\"a\">\(content)</programme>"
        )
        #expect(guide.outcome.report.airingsStored == 1)
        #expect(try guide.findings().contains("3 \(keyword) kept"))
    }

    @Test(arguments: ["0 . 12/13 . 0/3", "1.2", "..", " . 4 . ", "0/2.0/3.0/1"])
    func validEpisodeNumberIsNotReported(number: String) throws {
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000 +0000" stop="20260328190000 +0000" channel="a"><title>T</title>
            <episode-num system="xmltv_ns">\(number)</episode-num></programme>
            """)
        #expect(guide.outcome.report.diagnostics[.badepisode] == nil)
    }

    @Test func unknownRecordIsReportedOnce() throws {
        let guide = try ImportedGuide("<x-ad>buy</x-ad>\n\(Self.validProgramme)\n<x-ad/>")
        #expect(try guide.findings().filter { $0.contains("notvalid") } == ["3 notvalid skipped"])
        #expect(guide.outcome.report.airingsStored == 1)
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
        #expect(found == clumps)
        #expect(guide.outcome.report.addsUp)
    }

    @Test func invalidClumpIsKeptAsAttribute() throws {
        let guide = try ImportedGuide(
            "<programme start=\"20260328180000 +0000\" clumpidx=\"x\" channel=\"one.test\"><title>T</title></programme>"
        )
        #expect(try guide.onlyAiring()?.transmission.map(\.value) == ["x"])
    }
}

/// A malformed guide loses only its broken parts, and reports them with their lines.
@Suite struct RecoveryImportTests {
    private static func programme(_ hour: Int, _ title: String) -> String {
        "<programme start=\"202603281\(hour)0000 +0000\" stop=\"202603281\(hour + 1)0000 +0000\" channel=\"a\">"
            + "<title>\(title)</title></programme>"
    }

    @Test(arguments: [
        ("Tom & Jerry", "Tom & Jerry", "badentity"), ("Caf&eacute;", "Café", "badentity"),
        ("A &unknown; B", "A &unknown; B", "badentity"), ("A\u{1}B", "AB", "notwell"),
    ])
    func faultyTitleIsReadAsIntended(written: String, title: String, keyword: String) throws {
        let guide = try ImportedGuide(Self.programme(0, written) + "\n" + Self.programme(1, "Next"))
        #expect(try guide.airings(of: "a").map(\.title) == [title, "Next"])
        #expect(try guide.findings().contains("3 \(keyword) kept"))
        #expect(guide.outcome.report.addsUp)
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
        #expect(try guide.airings(of: "a").map(\.title) == ["First", "Last"])
        let report = guide.outcome.report
        #expect((report.programmesRead, report.airingsStored, report.skipped[.notwell]) == (3, 2, 1))
        #expect(report.addsUp)
        #expect(try guide.findings().contains("4 notwell skipped"))
    }

    @Test func invalidUTF8IsReadAsWindows1252() throws {
        var bytes = Array("<tv>\(Self.programme(0, "Grüße, Caf?"))</tv>".utf8)
        let index = try #require(bytes.lastIndex(of: UInt8(ascii: "?")))
        bytes[index] = 0xE9
        let guide = try ImportedGuide(bytes: bytes)
        #expect(try guide.airings(of: "a").map(\.title) == ["Grüße, Café"])
        #expect(try guide.findings().contains("1 badutf8 kept"))
    }

    /// `windows-1251` with a declaration of UTF-8 (made with Python's codec).
    @Test func bytesOverrideDeclaredEncoding() throws {
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><tv>\(Self.programme(0, "@"))</tv>"
        let title: [UInt8] = [
            0xCD, 0xEE, 0xE2, 0xEE, 0xF1, 0xF2, 0xE8, 0x20, 0xE8, 0x20, 0xEF, 0xEE, 0xE3, 0xEE, 0xE4, 0xE0, 0x20, 0xED,
            0xE0,
            0x20, 0xE7, 0xE0, 0xE2, 0xF2, 0xF0, 0xE0,
        ]
        let bytes = Array(text.utf8).flatMap { $0 == UInt8(ascii: "@") ? title : [$0] }
        let guide = try ImportedGuide(bytes: bytes)
        #expect(try guide.airings(of: "a").map(\.title) == ["Новости и погода на завтра"])
        #expect(try guide.findings().contains("0 badutf8 kept"))
    }

    @Test func requestedEncodingIsUsed() throws {
        var options = ImportOptions()
        options.encoding = "ISO-8859-5"
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><tv>\(Self.programme(0, "@"))</tv>"
        let bytes = Array(text.utf8).flatMap { $0 == UInt8(ascii: "@") ? [0xB4, 0xD0] : [$0] }
        #expect(try ImportedGuide(bytes: bytes, options: options).airings(of: "a").map(\.title) == ["Да"])
    }

    @Test func concatenatedGuidesAreBothRead() throws {
        let text = "<?xml version=\"1.0\"?><tv>\(Self.programme(0, "One"))</tv>\n"
        let second = "<?xml version=\"1.0\"?><tv>\(Self.programme(1, "Two"))</tv>\n"
        let guide = try ImportedGuide(bytes: Array((text + second).utf8))
        #expect(try guide.airings(of: "a").map(\.title) == ["One", "Two"])
        #expect(try guide.findings().contains("2 notwell kept"))
    }
}
