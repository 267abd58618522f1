import TestSupport
import Testing
import XMLTV

@Suite struct ErrorPositionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let document: String
        let reason: XMLError.Reason
        let line: Int

        init(_ document: String, _ reason: XMLError.Reason, line: Int = 1) {
            self.document = document
            self.reason = reason
            self.line = line
        }

        var testDescription: String { document.debugDescription }
    }

    /// Each document breaks the rule of XML 1.0 that its reason names.
    static let faults: [Case] = [
        Case("<tv>\n<a>\n</b>\n</tv>", .mismatchedEnd(expected: "a", found: "b"), line: 3),
        Case("<tv>\n\n</ab>", .mismatchedEnd(expected: "tv", found: "ab"), line: 3),
        Case("<tv a='1'\nb='2'\na='3'/>", .duplicateAttribute("a"), line: 3),
        Case("<tv>\r\n<a b='<'/></tv>", .lessThanInAttribute, line: 2),
        Case("<tv>\n R&D </tv>", .badReference, line: 2),
        Case("<tv>&</tv>", .badReference),
        Case("<tv>&#;</tv>", .badReference),
        Case("<tv>&#x;</tv>", .badReference),
        Case("<tv>&#X41;</tv>", .badReference),
        Case("<tv>&#4A;</tv>", .badReference),
        Case("<tv>&#0;</tv>", .badCharacterReference),
        Case("<tv>&#xD800;</tv>", .badCharacterReference),
        Case("<tv>&#xFFFE;</tv>", .badCharacterReference),
        Case("<tv>&#x110000;</tv>", .badCharacterReference),
        Case("<tv>&#4294967361;</tv>", .badCharacterReference),
        Case("<tv>&#18446744073709551681;</tv>", .badCharacterReference),
        Case("<tv>\n\n\n&nbsp;</tv>", .undeclaredEntity("nbsp"), line: 4),
        Case("<tv a='&eacute;'/>", .undeclaredEntity("eacute")),
        Case("<?xml version='1.0' standalone='yes'?><!DOCTYPE tv SYSTEM 'x'><tv>&a;</tv>", .undeclaredEntity("a")),
        Case("<tv>\n]]></tv>", .cdataEndInText, line: 2),
        Case("<tv><!-- a -- b --></tv>", .doubleHyphenInComment),
        Case("<tv><!-- a ---></tv>", .doubleHyphenInComment),
        Case("<?XML a?><tv/>", .reservedTarget),
        Case("<tv/><?xml version='1.0'?>", .badDeclaration),
        Case(" <?xml version='1.0'?><tv/>", .badDeclaration),
        Case("<?xml encoding='UTF-8'?><tv/>", .badDeclaration),
        Case("<?xml version='1.0' standalone='maybe'?><tv/>", .badDeclaration),
        Case("<?xml version='1.0'standalone='yes'?><tv/>", .badDeclaration),
        Case("<?xml version='1.1'?><tv/>", .unsupportedVersion("1.1")),
        Case("<?xml version='2.0'?><tv/>", .unsupportedVersion("2.0")),
        Case("<!DOCTYPE tv><!DOCTYPE tv><tv/>", .misplacedDoctype),
        Case("<tv><!DOCTYPE tv></tv>", .misplacedDoctype),
        Case("<tv/>\n<tv/>", .contentAfterRoot, line: 2),
        Case("<tv/>\n\nx", .contentAfterRoot, line: 3),
        Case("<tv/>\n</tv>", .contentAfterRoot, line: 2),
        Case("", .empty),
        Case("\u{FEFF}", .empty),
        Case("not xml", .expected("'<'")),
        Case("<html><br></html>", .mismatchedEnd(expected: "br", found: "html")),
        Case("<tv>\n\u{1}</tv>", .invalidCharacter(1), line: 2),
        Case("<tv>\0</tv>", .invalidCharacter(0)),
        Case("<tv a='\u{8}'/>", .invalidCharacter(8)),
        Case("<!--\n\u{B}--><tv/>", .invalidCharacter(0xB), line: 2),
        Case("<tv><![CDATA[\u{C}]]></tv>", .invalidCharacter(0xC)),
        Case("<tv>\u{FFFF}</tv>", .invalidCharacter(0xFFFF)),
        Case("<tv a=b/>", .expected("a quoted value")),
        Case("<tv a/>", .expected("'=' after the name of an attribute")),
        Case("<tv a='1'b='2'/>", .expected("white space, '>' or '/>'")),
        Case("<tv / >", .expected("'>' after '/'")),
        Case("< tv/>", .expected("the name of an element")),
        Case("<1/>", .expected("the name of an element")),
        Case("<tv></ tv>", .expected("the name of an element")),
        Case("<tv><!a></tv>", .expected("a comment, CDATA section or DOCTYPE")),
        Case("<tv><? a?></tv>", .expected("the name of a processing instruction")),
        Case("<![CDATA[a]]><tv/>", .expected("the document's element")),
        Case("</tv>", .expected("the document's element")),
        Case("<!DOCTYPE tv SYSTEM><tv/>", .expected("a quoted name")),
        Case("<!DOCTYPE tv PUBLIC '{' 'x'><tv/>", .expected("a character of a public identifier")),
        Case("<!DOCTYPE tv [\n<!ENTITY % a 'b'>]><tv/>", .entityDeclaration, line: 2),
        Case("<?xml version='1.0' encoding='no-such'?><tv/>", .unknownEncoding("no-such")),
        Case(
            "<?xml version='1.0' encoding='utf-16'?><tv/>",
            .contradictoryEncoding(declared: "utf-16", found: "8-bit characters")),
    ]

    @Test(arguments: faults)
    func errorHasReasonAndLine(_ fault: Case) {
        let found = ScannerReading.read(fault.document).fault
        expectEqual(found?.reason, fault.reason)
        expectEqual(found?.line, fault.line)
    }

    /// The position is correct for any chunks and any amount of preceding text.
    @Test(arguments: [1, 3, 1000, 15 * repetitions])
    func linesAreCountedAcrossChunks(_ chunk: Int) {
        let before = String(repeating: "<a>\n<b c='\n'/></a>\n", count: Self.repetitions)
        let document = Array("<tv>\n\(before)<x></y></tv>".utf8)
        let fault = ScannerReading.read(ChunkSource(document) { chunk }).reading.fault
        expectEqual(fault?.line, 3 * Self.repetitions + 2)
        expectEqual(fault?.offset, 5 + before.utf8.count + 5)
    }

    /// How often the preceding three lines of 19 bytes occur.
    private static let repetitions = TestScope.current >= .integration ? 20_000 : 4000

    @Test func lineOfChildIsThatOfItsStart() throws {
        var scanner = XMLScanner(ChunkSource(Array("<?xml version='1.0'?>\n<tv>\n\n<a>\n\n</a> <b/>\n<c/></tv>".utf8)))
        var lines: [Int] = []
        while let piece = try scanner.next() {
            if piece == .child { lines.append(scanner.line()) }
        }
        expectEqual(lines, [4, 6, 7])
    }

    /// Bytes that Unicode's table 3-7 doesn't allow.
    @Test(arguments: [
        [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80], [0x80], [0xBF], [0xC3, 0x20], [0xE4, 0xB8, 0x20], [0xF0, 0x9F, 0x98, 0x20],
        [0xFF], [0xFE],
    ])
    func invalidUTF8IsRejected(_ bytes: [UInt8]) {
        let contexts = [("<tv>\na", "</tv>"), ("<tv\na='", "'/>"), ("<tv><!--\n", "--></tv>"), ("<tv>\n<x", "/></tv>")]
        for (before, after) in contexts {
            let fault = ScannerReading.read(Array(before.utf8) + bytes + Array(after.utf8)).fault
            expectEqual(fault?.reason, .invalidUTF8, "after \(before)")
            expectEqual(fault?.line, 2)
        }
    }

    @Test func everyErrorMessageStartsWithItsLine() {
        for fault in Self.faults {
            let message = ScannerReading.read(fault.document).fault?.description ?? ""
            expectPrefix(message, "line \(fault.line): ")
            // The shortest reason is "expected '>'".
            #expect(message.count >= 20)
        }
    }
}
