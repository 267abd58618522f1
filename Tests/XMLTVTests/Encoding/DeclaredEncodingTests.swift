import Foundation
import Testing
import XMLTV

/// Documents that declare an encoding, in the ways in which guides do.
@Suite struct DeclaredEncodingTests {
    static let cases = EncodingGuessTests.cases

    @Test(arguments: cases, [1, 64, Int.max])
    func declaredEncodingIsRead(_ sample: (LanguageText, encoding: String), chunk: Int) throws {
        let document = Self.document(sample.0.text, declaring: sample.encoding)
        let bytes = try #require(IconvOracle.bytes(of: document, in: sample.encoding))
        let run = DecodingRun(bytes, chunk: chunk, room: chunk == 1 ? 32 : 5000)
        #expect(run.text == document && run.fault == nil)
        // windows-1252 may show through ISO-8859-1, nothing else.
        #expect(run.kinds.allSatisfy { $0 == .windows1252 })
    }

    /// The same texts with the bytes of UTF-8.
    @Test(arguments: cases, [1, Int.max])
    func declarationOfALegacyEncodingLosesToUTF8(_ sample: (LanguageText, encoding: String), chunk: Int) {
        let document = Self.document(sample.0.text, declaring: sample.encoding)
        let run = DecodingRun(Array(document.utf8), chunk: chunk)
        #expect(run.text == document && run.encoding == nil)
        let note = run.notes.first
        #expect(run.kinds == [.contradicted] && note?.declared == sample.encoding && note?.used == "UTF-8")
    }

    /// Pairs of encodings of which the declared one can't read all of the text; others it reads as nonsense, and the
    /// bytes can't show that.
    @Test(arguments: [
        ("GB18030", "Shift_JIS"), ("GB18030", "euc-jp"), ("BIG5-HKSCS", "EUC-KR"), ("BIG5-HKSCS", "euc-jp"),
        ("CP949", "Shift_JIS"), ("EUC-JP-MS", "Shift_JIS"), ("CP932", "Big5"), ("CP932", "EUC-KR"), ("CP932", "euc-jp"),
        ("KOI8-R", "Big5"), ("windows-1251", "windows-1255"), ("windows-1256", "ISO-8859-8"),
    ])
    func declarationThatTheBytesContradictIsNotBelieved(encoding: String, declared: String) throws {
        let sample = try #require(LanguageText.all.first { $0.encodings.contains(encoding) })
        let document = Self.document(sample.text, declaring: declared)
        let bytes = try #require(IconvOracle.bytes(of: document, in: encoding))
        let run = DecodingRun(bytes)
        #expect(run.text == document)
        #expect(run.kinds == [.contradicted] && run.notes.first?.used == encoding)
    }

    /// The guide that says ISO-8859-1 and is UTF-8.
    @Test(.enabled(if: SharedFolder.exists, "needs the real guides of ../shared/data"))
    func realGuideThatLiesIsUTF8() throws {
        let path = "jellyfin_Jellyfin.XmlTv/tests/Jellyfin.XmlTv.Tests/Test_Data/UK_Data.xml.gz"
        let bytes = try SharedFolder.bytes(of: SharedFolder.url.appending(path: path))
        let run = DecodingRun(bytes)
        #expect(run.text == String(decoding: bytes, as: UTF8.self) && run.kinds == [.contradicted])
    }

    /// A text of one character may be both, and the declaration decides.
    @Test func littleEvidenceOfUTF8LosesToTheDeclaration() {
        // U+0422 U+0412 in ISO-8859-5, U+00B2 in UTF-8.
        let run = DecodingRun(Array(Self.document("", declaring: "ISO-8859-5").utf8) + [0xC2, 0xB2])
        #expect(run.text.hasSuffix("\u{422}\u{412}") && run.notes.isEmpty)
    }

    /// Texts of which all is UTF-8 but some bytes, as where a description was cut within a character.
    @Test func strayBytesDoNotSaveTheDeclaration() {
        let text = String(repeating: "<title>\u{E9}t\u{E9}</title>", count: 20)
        let document = Array(Self.document(text, declaring: "ISO-8859-1").utf8)
        let run = DecodingRun(document + [0xC3] + Array("</tv>".utf8))
        #expect(run.kinds == [.contradicted] && run.text.contains("\u{E9}t\u{E9}") && run.strays == 1)
    }

    /// Nothing is decided while only ASCII comes, and what comes late decides all the same.
    @Test(arguments: [10, 70_000, 300_000])
    func lateTextDecides(after count: Int) throws {
        let document = Self.document(
            String(repeating: "x", count: count) + LanguageText.all[0].text, declaring: "ISO-8859-1")
        let utf8 = DecodingRun(Array(document.utf8), chunk: 4096)
        #expect(utf8.text == document && utf8.kinds == [.contradicted] && utf8.notes.first?.offset ?? 0 > count)
        let latin = DecodingRun(try #require(IconvOracle.bytes(of: document, in: "ISO-8859-1")), chunk: 4096)
        #expect(latin.text == document && latin.kinds.isEmpty && latin.encoding == "windows-1252")
    }

    /// The first characters look like UTF-8; what follows within 64 KiB says that they are none.
    @Test(arguments: [1, 100, Int.max])
    func whatFollowsDecidesToo(chunk: Int) throws {
        let text = "\u{C3}\u{A9}" + String(repeating: " ", count: 5000) + String(repeating: "\u{E9} ", count: 30)
        let document = Self.document(text, declaring: "ISO-8859-1")
        let run = DecodingRun(try #require(IconvOracle.bytes(of: document, in: "ISO-8859-1")), chunk: chunk)
        #expect(run.text == document && run.notes.isEmpty)
    }

    private static func document(_ text: String, declaring encoding: String) -> String {
        "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<tv><title>\(text)</title></tv>"
    }
}
