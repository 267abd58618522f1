import EPGFiles
import EPGImport
import EPGModel
import TestSupport
import Testing
import XMLTV

/// A file that is not a guide is rejected with one clear sentence and the line.
@Suite struct BadFileTests {
    private static let head = "<?xml version=\"1.0\"?>\n<tv>\n"

    /// Returns the error message with which a file is rejected.
    private func rejection(of bytes: [UInt8], strictly: Bool = false, partially: Bool = false) -> String? {
        var options = ImportOptions()
        options.isStrict = strictly
        options.acceptsTruncation = partially
        do {
            _ = try ImportedGuide(bytes: bytes, options: options)
            return nil
        } catch let error as GuideFileError {
            return error.description
        } catch {
            return "another error: \(error)"
        }
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><body>404</body></html>", "line 1: this is an HTML page"),
        ("\u{FEFF}\n <html><p>x", "line 1: this is an HTML page"), (" [1]", "this JSON is not a guide"),
        (
            "{\"code\": 4003, \"message\": \"Invalid user.\"}",
            "this is an error response of a server, not a guide: Invalid user."
        ),
        ("#EXTM3U\n#EXTINF:-1,One\nhttp://a.test", "line 1: this is a playlist"), ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("hello, Kit", "line 1: unknown format: the text “hello, Kit”; supported are XMLTV, JSON"),
        ("(function () { open('/'); })();\n", "line 1: unknown format: JavaScript; supported"),
        // A truncated guide after other text.
        ("Warning: x\n<tv><channel id=\"a\">", "line 2: the document is truncated"),
        ("<rss><channel/></rss>", "line 1: not XMLTV: the root element is <rss>"),
        (head + "<channel id=\"a\">\n<display-name>A", "line 4: the document is truncated"),
        ("<!DOCTYPE tv [<!ENTITY a \"b\">]><tv/>", "line 1: the DOCTYPE declares entities"),
    ])
    func fileThatIsNotAGuideIsRejectedWithOneSentence(text: String, sentence: String) throws {
        let message = try #require(rejection(of: Array(text.utf8)))
        expectPrefix(message, sentence, "\(message)")
        expectText(message, lacks: ["\n"])
    }

    @Test(arguments: [
        (head + "<channel id=\"a\"></programme>", "line 3: </programme> ends <channel>"),
        (head + "<channel id=\"a & b\"/>", "line 3: '&' does not start a reference"),
        (head + String(repeating: "<a>", count: 100), "line 3: "),
        // XML 1.0, 4.1, WFC Entity Declared: without a DTD, the entity is not declared.
        (head + "<channel id=\"caf&eacute;\"/>", "line 3: the entity &eacute; is not declared"),
        (head + "</tv>\n<tv/>", "line 4: content after the end"),
        // In a long first line, the byte after the ampersand: 4 + 300 + 16.
        (
            "<tv>" + String(repeating: " ", count: 300) + "<channel id=\"a & b\"/>",
            "line 1, byte 320: '&' does not start a reference"
        ),
    ])
    func strictImportRejectsMalformedXML(text: String, sentence: String) throws {
        let message = try #require(rejection(of: Array(text.utf8), strictly: true))
        expectPrefix(message, sentence, "\(message)")
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 0x08, 0x00], "gzip"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"),
            ([0x42, 0x5A, 0x68, 0x39], "bzip2"), ([0x50, 0x4B, 0x03, 0x04], "zip"),
        ] as [([UInt8], String)])
    func damagedArchiveIsReportedWithItsFormat(bytes: [UInt8], format: String) throws {
        let message = try #require(rejection(of: bytes + [UInt8](repeating: 0, count: 100)))
        expectText(message, contains: ["damaged data (\(format))"])
    }

    /// Python's `zlib.compress(b"<tv></tv>")` and `gzip.compress(b"")`.
    @Test(
        arguments: [
            (
                [0x78, 0x9C, 0xB3, 0x29, 0x29, 0xB3, 0xB3, 0xD1, 0x07, 0x12, 0x00, 0x0E, 0xE1, 0x02, 0xF8],
                "line 1: unknown format: a zlib stream without a gzip header"
            ),
            (
                [
                    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00,
                    0x00, 0x00, 0x00, 0x00,
                ], "the gzip file is empty"
            ),
        ] as [([UInt8], String)])
    func compressedFileIsNamedForWhatItIs(bytes: [UInt8], sentence: String) {
        expectPrefix(rejection(of: bytes), sentence)
    }

    @Test func archiveWithoutGuideIsNotReportedAsDamaged() {
        // The end record of an empty zip archive (PKWARE's APPNOTE, 4.3.16).
        let bytes: [UInt8] = [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 0, count: 18)
        expectEqual(rejection(of: bytes), "this zip archive has no guide: it is empty")
    }

    @Test func anyBytesAreRejectedWithOneSentence() throws {
        let guide = try ImportedGuide("")
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<TestScope.cases(200) {
            let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let error = expectThrows(GuideFileError.self, "\(bytes)") { try guide.importing(bytes) }
            expectEqual(error?.description.contains("\n"), false, "\(bytes)")
        }
    }

    // MARK: - Truncated files

    private static let programme =
        "<programme start=\"20260328180000 +0000\" stop=\"20260328190000 +0000\" channel=\"a\"><title>T</title></programme>\n"

    @Test(arguments: ["", "<programme start=\"2026", "<programme start=\"20260328190000 +0000\" channel=\"a\"><ti"])
    func truncatedFileIsRejectedWithCountOfCompleteProgrammes(rest: String) throws {
        let bytes = Array((Self.head + Self.programme + rest).utf8)
        let message = try #require(rejection(of: bytes))
        expectSuffix(message, "; 1 programme before that is complete", "\(message)")
        // The program adds how to import the intact part.
        let error = expectThrows(GuideFileError.self) { try ImportedGuide(bytes: bytes) }
        expectEqual(error?.hasIntactPart, true)
    }

    @Test func truncatedFileWithoutProgrammesHasNoIntactPart() {
        let bytes = Array((Self.head + "<programme start=\"2026").utf8)
        let error = expectThrows(GuideFileError.self) { try ImportedGuide(bytes: bytes) }
        expectEqual(error?.description, "line 3: the document is truncated: it ends before </tv>")
        expectEqual(error?.hasIntactPart, false)
    }

    @Test func partialImportAcceptsIntactPartOfTruncatedFile() throws {
        var options = ImportOptions()
        options.acceptsTruncation = true
        let text = Self.head + Self.programme + "<programme start=\"20260328190000 +0000\" channel=\"a\"><ti"
        let guide = try ImportedGuide(bytes: Array(text.utf8), options: options)
        try expectEqual(guide.airings(of: "a").map(\.title), ["T"])
        try expectContains(guide.findings(), "4 notwell skipped")
        expectAddsUp(guide.outcome.report)
    }

    @Test func truncatedHTMLPageIsNotAGuide() throws {
        expectEqual(rejection(of: Array("<html><body>".utf8), partially: true)?.contains("HTML page"), true)
    }

    @Test func invalidUTF8IsRejectedWithItsLine() throws {
        let message = try #require(rejection(of: Array(Self.head.utf8) + [0x3C, 0xFF], strictly: true))
        expectPrefix(message, "line 3: ")
    }

    @Test func folderIsReportedAsUnreadable() throws {
        let guide = try ImportedGuide("")
        do throws(SystemFault) {
            let source = try FileSource(path: "/")
            let error = expectThrows(GuideFileError.self) {
                try GuideImporter(store: guide.store).importGuide(
                    source, as: Source(name: "x"), now: ImportedGuide.now)
            }
            expectEqual(error?.isUnreadable, true)
        } catch {
            // Some systems already fail to open a folder, which is also correct.
        }
    }

    @Test(arguments: [
        "<tv/>", "<tv></tv>", "\u{FEFF}<tv/>", "<?xml version=\"1.0\"?><!DOCTYPE tv SYSTEM \"xmltv.dtd\"><tv/>",
    ])
    func emptyGuideIsReportedWithoutProgrammes(text: String) throws {
        let guide = try ImportedGuide(bytes: Array(text.utf8))
        try expectEqual(guide.findings(), ["0 noprogrammes kept"])
        expectEqual(guide.outcome.changedGuide, false)
    }
}
