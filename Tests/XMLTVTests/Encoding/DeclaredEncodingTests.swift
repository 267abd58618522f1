import Foundation
import TestSupport
import Testing
import XMLTV

/// Documents that declare an encoding, in the ways found in guides.
@Suite struct DeclaredEncodingTests {
    static let cases = EncodingGuessTests.cases

    @Test(arguments: cases, [1, 64, Int.max])
    func declaredEncodingIsUsed(_ sample: (LanguageText, encoding: String), chunk: Int) throws {
        let document = Self.document(sample.0.text, declaring: sample.encoding)
        let bytes = try #require(IconvOracle.bytes(of: document, in: sample.encoding))
        let run = DecodingRun(bytes, chunk: chunk, bufferSize: chunk == 1 ? 32 : 5000)
        expectEqual(run.text, document)
        expectEqual(run.fault, nil)
        // Only windows-1252 may replace ISO-8859-1.
        #expect(run.kinds.allSatisfy { $0 == .windows1252 })
    }

    /// The same texts in UTF-8.
    @Test(arguments: cases, [1, Int.max])
    func utf8OverridesDeclaredLegacyEncoding(_ sample: (LanguageText, encoding: String), chunk: Int) {
        let document = Self.document(sample.0.text, declaring: sample.encoding)
        let run = DecodingRun(Array(document.utf8), chunk: chunk)
        expectEqual(run.text, document)
        expectEqual(run.encoding, nil)
        let note = run.notes.first
        expectEqual(run.kinds, [.contradicted])
        expectEqual(note?.declared, sample.encoding)
        expectEqual(note?.used, "UTF-8")
    }

    /// Pairs of encodings such that text in the first is partly invalid in the declared second. For other pairs, the
    /// bytes are valid in both encodings, so that a wrong declaration can't be detected.
    @Test(arguments: [
        ("GB18030", "Shift_JIS"), ("GB18030", "euc-jp"), ("BIG5-HKSCS", "EUC-KR"), ("BIG5-HKSCS", "euc-jp"),
        ("CP949", "Shift_JIS"), ("EUC-JP-MS", "Shift_JIS"), ("CP932", "Big5"), ("CP932", "EUC-KR"), ("CP932", "euc-jp"),
        ("KOI8-R", "Big5"), ("windows-1251", "windows-1255"), ("windows-1256", "ISO-8859-8"),
    ])
    func contradictedDeclarationIsIgnored(encoding: String, declared: String) throws {
        let sample = try #require(LanguageText.all.first { $0.encodings.contains(encoding) })
        let document = Self.document(sample.text, declaring: declared)
        let bytes = try #require(IconvOracle.bytes(of: document, in: encoding))
        let run = DecodingRun(bytes)
        expectEqual(run.text, document)
        expectEqual(run.kinds, [.contradicted])
        expectEqual(run.notes.first?.used, encoding)
    }

    /// A guide that declares ISO-8859-1 and is UTF-8.
    @Test(.needs(.sharedData()))
    func realGuideWithWrongDeclarationIsReadAsUTF8() throws {
        let path = "jellyfin_Jellyfin.XmlTv/tests/Jellyfin.XmlTv.Tests/Test_Data/UK_Data.xml.gz"
        let bytes = try SharedFolder.bytes(of: PackageFiles.sharedData.appending(path: path))
        let run = DecodingRun(bytes)
        expectEqual(run.text, String(decoding: bytes, as: UTF8.self))
        expectEqual(run.kinds, [.contradicted])
    }

    /// The bytes of a single character may be valid in both encodings, so the declaration decides.
    @Test func declarationOverridesWeakEvidenceOfUTF8() {
        // U+0422 U+0412 in ISO-8859-5, U+00B2 in UTF-8.
        let run = DecodingRun(Array(Self.document("", declaring: "ISO-8859-5").utf8) + [0xC2, 0xB2])
        expectSuffix(run.text, "\u{422}\u{412}")
        expectEmpty(run.notes)
    }

    /// A text that is UTF-8 except for a few bytes, as if a description was truncated within a character.
    @Test func strayBytesDoNotRestoreTheDeclaration() {
        let text = String(repeating: "<title>\u{E9}t\u{E9}</title>", count: 20)
        let document = Array(Self.document(text, declaring: "ISO-8859-1").utf8)
        let run = DecodingRun(document + [0xC3] + Array("</tv>".utf8))
        expectEqual(run.kinds, [.contradicted])
        expectText(run.text, contains: ["\u{E9}t\u{E9}"])
        expectEqual(run.strays, 1)
    }

    /// While all bytes are ASCII, the encoding stays undecided, however late other bytes follow.
    @Test(arguments: [10, 70_000, 300_000])
    func firstNonASCIITextDecides(after count: Int) throws {
        let document = Self.document(
            String(repeating: "x", count: count) + LanguageText.all[0].text, declaring: "ISO-8859-1")
        let utf8 = DecodingRun(Array(document.utf8), chunk: 4096)
        expectEqual(utf8.text, document)
        expectEqual(utf8.kinds, [.contradicted])
        #expect(utf8.notes.first?.offset ?? 0 > count)
        let latin = DecodingRun(try #require(IconvOracle.bytes(of: document, in: "ISO-8859-1")), chunk: 4096)
        expectEqual(latin.text, document)
        expectEmpty(latin.kinds)
        expectEqual(latin.encoding, "windows-1252")
    }

    /// The first characters look like UTF-8, but the following 64 KiB show that they aren't.
    @Test(arguments: [1, 100, Int.max])
    func decisionConsidersFollowing64KiB(chunk: Int) throws {
        let text = "\u{C3}\u{A9}" + String(repeating: " ", count: 5000) + String(repeating: "\u{E9} ", count: 30)
        let document = Self.document(text, declaring: "ISO-8859-1")
        let run = DecodingRun(try #require(IconvOracle.bytes(of: document, in: "ISO-8859-1")), chunk: chunk)
        expectEqual(run.text, document)
        expectEmpty(run.notes)
    }

    private static func document(_ text: String, declaring encoding: String) -> String {
        "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<tv><title>\(text)</title></tv>"
    }
}

/// The meaning of encoding names in guides, as in browsers (WHATWG Encoding Standard).
@Suite struct EncodingNameTests {
    /// Bytes that only the larger encoding defines, and their character in its code chart.
    @Test(
        arguments: [
            ("ISO-8859-1", [0x93], "\u{201C}"), ("iso8859-1", [0x80], "\u{20AC}"), ("latin1", [0xE9], "\u{E9}"),
            ("ISO_8859-1:1987", [0x85], "\u{2026}"), ("8859_1", [0xE9], "\u{E9}"), ("cp1252", [0x92], "\u{2019}"),
            ("ansi", [0x96], "\u{2013}"), ("Windows 1252", [0xFC], "\u{FC}"), ("WINDOWS1251", [0xCF], "\u{41F}"),
            ("cp-1250", [0x9C], "\u{15B}"), ("x-cp1251", [0xCF], "\u{41F}"), ("latin2", [0xB3], "\u{142}"),
            ("ISO-8859-9", [0x80], "\u{20AC}"), ("latin5", [0xFE], "\u{15F}"), ("iso-8859-8-i", [0xE0], "\u{5D0}"),
            ("iso885915", [0xA4], "\u{20AC}"), ("TIS-620", [0x80], "\u{20AC}"), ("ISO-8859-11", [0xA1], "\u{E01}"),
            ("gb2312", [0x81, 0x40], "\u{4E02}"), ("GBK", [0x94, 0x39, 0xFC, 0x36], "\u{1F600}"),
            ("x-gbk", [0xC4, 0xE3], "\u{4F60}"), ("GB_2312-80", [0xC4, 0xE3], "\u{4F60}"),
            ("euc-kr", [0x8C, 0x63], "\u{B620}"), ("ks_c_5601-1987", [0xB0, 0xA1], "\u{AC00}"),
            ("x-windows-949", [0xB0, 0xA1], "\u{AC00}"), ("korean", [0xB0, 0xA1], "\u{AC00}"),
            ("Shift_JIS", [0x87, 0x40], "\u{2460}"), ("x-sjis", [0x93, 0xFA], "\u{65E5}"),
            ("windows-31j", [0xFA, 0x40], "\u{2170}"), ("MS_Kanji", [0x5C, 0x93, 0xFA], "\\\u{65E5}"),
            ("euc-jp", [0xAD, 0xA1], "\u{2460}"), ("x-x-big5", [0x88, 0x56], "\u{100}"),
            ("csBig5", [0xA4, 0xA4], "\u{4E2D}"), ("big5", [0xA4, 0xA4], "\u{4E2D}"),
            ("cp950", [0xA3, 0xE1], "\u{20AC}"), ("KOI8_R", [0xF0], "\u{41F}"), ("koi8", [0xF0], "\u{41F}"),
            ("macintosh", [0x8E], "\u{E9}"), ("IBM866", [0x8F], "\u{41F}"), ("cp852", [0x82], "\u{E9}"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "\u{65E5}"),
            ("utf8", [0xC3, 0xA9], "\u{E9}"), ("UTF_8", [0xC3, 0xA9], "\u{E9}"), ("US-ASCII", [0xC3, 0xA9], "\u{E9}"),
        ] as [(String, [UInt8], String)])
    func encodingNameIsRecognized(_ name: String, bytes: [UInt8], text: String) {
        let run = DecodingRun(Array("<?xml version='1.0' encoding='\(name)'?><tv>".utf8) + bytes)
        expectSuffix(run.text, "<tv>\(text)")
        #expect(run.kinds.allSatisfy { $0 == .windows1252 })
    }

    /// Malformed declarations.
    @Test(arguments: [
        "<?xml version='1.0' encoding=' windows-1251 '?>", "<?xml encoding=windows-1251?>",
        "\n <?xml version='1.0' encoding='windows-1251'?>", "<?XML VERSION='1.0' ENCODING='WINDOWS-1251' ?>",
        "<?xml encoding=\"windows-1251\" version='1.0'?>", "<?xml version='1.0' encoding = \"'windows-1251'\"?>",
        "<?xml version='1.0' encoding='windows-1251'>", "<?xml version='1.0' encoding=\"windows-1251?>",
        "<?xml version='1.0' encoding='windows 1251'?>",
    ])
    func brokenDeclarationIsRecognized(_ declaration: String) {
        let run = DecodingRun(Array("\(declaration)<tv>".utf8) + [0xCF])
        expectEqual(run.text, "\(declaration)<tv>\u{41F}")
        expectEmpty(run.notes)
    }

    @Test(arguments: [
        "none", "x-user-defined", "IBM037", "UTF-7", "//IGNORE", "../../x", "8859", "iso-8859-12", "é", "%s",
    ])
    func unknownNameIsIgnored(_ name: String) throws {
        let document = "<?xml version='1.0' encoding='\(name)'?><tv>\u{E9}"
        let run = DecodingRun(Array(document.utf8))
        expectEqual(run.text, document)
        expectEqual(run.fault, nil)
        // `8859` is read as part 1, but the bytes contradict it. `é` normalizes to an empty name.
        let kinds: [EncodingNote.Kind] = name == "8859" ? [.contradicted] : name == "é" ? [] : [.unknownName]
        expectEqual(run.kinds, kinds)
        #expect(run.notes.allSatisfy { $0.declared == name && $0.used == "UTF-8" })
    }

    @Test func unknownNameIsAnErrorInStrictMode() {
        let document = Array("<?xml version='1.0' encoding='none'?><tv/>".utf8)
        expectEqual(DecodingRun(document, repairs: false).fault, .unknownEncoding("none"))
    }

    /// A hostile declaration costs no more time than any other.
    @Test func longNameIsTruncated() {
        let name = String(repeating: "x", count: 5000)
        let run = DecodingRun(Array("<?xml version='1.0' encoding='\(name)'?><tv/>".utf8))
        #expect(run.notes.allSatisfy { $0.declared?.utf8.count ?? 0 <= 64 })
        expectEqual(run.fault, nil)
    }
}
