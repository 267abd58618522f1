import Testing
import XMLTV

/// What the names mean that guides give to encodings, as browsers read them (WHATWG, Encoding Standard).
@Suite struct EncodingNameTests {
    /// Bytes that only the larger encoding has, and their character in its code chart.
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
    func nameIsUnderstood(_ name: String, bytes: [UInt8], text: String) {
        let run = DecodingRun(Array("<?xml version='1.0' encoding='\(name)'?><tv>".utf8) + bytes)
        #expect(run.text.hasSuffix("<tv>\(text)"))
        #expect(run.kinds.allSatisfy { $0 == .windows1252 })
    }

    /// Declarations that XML doesn't allow.
    @Test(arguments: [
        "<?xml version='1.0' encoding=' windows-1251 '?>", "<?xml encoding=windows-1251?>",
        "\n <?xml version='1.0' encoding='windows-1251'?>", "<?XML VERSION='1.0' ENCODING='WINDOWS-1251' ?>",
        "<?xml encoding=\"windows-1251\" version='1.0'?>", "<?xml version='1.0' encoding = \"'windows-1251'\"?>",
        "<?xml version='1.0' encoding='windows-1251'>", "<?xml version='1.0' encoding=\"windows-1251?>",
        "<?xml version='1.0' encoding='windows 1251'?>",
    ])
    func brokenDeclarationIsUnderstood(_ declaration: String) {
        let run = DecodingRun(Array("\(declaration)<tv>".utf8) + [0xCF])
        #expect(run.text == "\(declaration)<tv>\u{41F}" && run.notes.isEmpty)
    }

    @Test(arguments: [
        "none", "x-user-defined", "IBM037", "UTF-7", "//IGNORE", "../../x", "8859", "iso-8859-12", "é", "%s",
    ])
    func unknownNameIsNotBelieved(_ name: String) throws {
        let document = "<?xml version='1.0' encoding='\(name)'?><tv>\u{E9}"
        let run = DecodingRun(Array(document.utf8))
        #expect(run.text == document && run.fault == nil)
        // `8859` is read as its first part, and loses to the bytes; of `é` nothing is left.
        let kinds: [EncodingNote.Kind] = name == "8859" ? [.contradicted] : name == "é" ? [] : [.unknownName]
        #expect(run.kinds == kinds)
        #expect(run.notes.allSatisfy { $0.declared == name && $0.used == "UTF-8" })
    }

    @Test func unknownNameIsAnErrorInTheStrictMode() {
        let document = Array("<?xml version='1.0' encoding='none'?><tv/>".utf8)
        #expect(DecodingRun(document, repairs: false).fault == .unknownEncoding("none"))
    }

    /// A hostile declaration costs no more than another.
    @Test func longNameIsCut() {
        let name = String(repeating: "x", count: 5000)
        let run = DecodingRun(Array("<?xml version='1.0' encoding='\(name)'?><tv/>".utf8))
        #expect(run.notes.allSatisfy { $0.declared?.utf8.count ?? 0 <= 64 } && run.fault == nil)
    }
}
