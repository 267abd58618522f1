import EPGImport
import EPGModel
import EPGStore
import Testing

/// A guide that isn't well-formed loses what is broken and nothing else, and says so with the line.
@Suite struct RecoveryImportTests {
    private static func programme(_ hour: Int, _ title: String) -> String {
        "<programme start=\"202603281\(hour)0000 +0000\" stop=\"202603281\(hour + 1)0000 +0000\" channel=\"a\">"
            + "<title>\(title)</title></programme>"
    }

    @Test(arguments: [
        ("Tom & Jerry", "Tom & Jerry", "badentity"), ("Caf&eacute;", "Café", "badentity"),
        ("A &unknown; B", "A &unknown; B", "badentity"), ("A\u{1}B", "AB", "notwell"),
    ])
    func aTitleIsReadAsItIsMeant(written: String, title: String, keyword: String) throws {
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
    func aBrokenProgrammeCostsItself(broken: String) throws {
        let guide = try ImportedGuide(
            [Self.programme(0, "First"), broken, Self.programme(2, "Last")].joined(separator: "\n"))
        #expect(try guide.airings(of: "a").map(\.title) == ["First", "Last"])
        let report = guide.outcome.report
        #expect((report.programmesRead, report.airingsStored, report.skipped[.notwell]) == (3, 2, 1))
        #expect(report.addsUp)
        #expect(try guide.findings().contains("4 notwell skipped"))
    }

    @Test func aByteThatIsNoUTF8IsReadAsWindows1252() throws {
        var bytes = Array("<tv>\(Self.programme(0, "Grüße, Caf?"))</tv>".utf8)
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "?")))
        bytes[place] = 0xE9
        let guide = try ImportedGuide(bytes: bytes)
        #expect(try guide.airings(of: "a").map(\.title) == ["Grüße, Café"])
        #expect(try guide.findings().contains("1 badutf8 kept"))
    }

    /// `windows-1251` under a declaration that says UTF-8 (made with Python's codec).
    @Test func bytesWinAgainstTheDeclaration() throws {
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

    @Test func theUserSaysInWhichEncodingItIs() throws {
        var options = ImportOptions()
        options.encoding = "ISO-8859-5"
        let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><tv>\(Self.programme(0, "@"))</tv>"
        let bytes = Array(text.utf8).flatMap { $0 == UInt8(ascii: "@") ? [0xB4, 0xD0] : [$0] }
        #expect(try ImportedGuide(bytes: bytes, options: options).airings(of: "a").map(\.title) == ["Да"])
    }

    @Test func twoGuidesInOneFileAreBothRead() throws {
        let text = "<?xml version=\"1.0\"?><tv>\(Self.programme(0, "One"))</tv>\n"
        let second = "<?xml version=\"1.0\"?><tv>\(Self.programme(1, "Two"))</tv>\n"
        let guide = try ImportedGuide(bytes: Array((text + second).utf8))
        #expect(try guide.airings(of: "a").map(\.title) == ["One", "Two"])
        #expect(try guide.findings().contains("2 notwell kept"))
    }
}
