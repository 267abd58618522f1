import Foundation
import TestSupport
import Testing
import XMLTV

/// Documents that declare no encoding and aren't UTF-8.
@Suite struct EncodingGuessTests {
    static let cases = LanguageText.all.flatMap { text in text.encodings.map { (text, $0) } }

    @Test(arguments: cases)
    func undeclaredEncodingIsGuessedFromText(_ sample: LanguageText, encoding: String) throws {
        for text in [sample.text, String(sample.text.prefix(50))] {
            let document = "<tv>\n<programme><title>\(text)</title></programme>\n</tv>\n"
            let run = DecodingRun(try #require(IconvOracle.bytes(of: document, in: encoding)))
            // Two or three bytes may be read one by one, with the same result.
            expectEqual(run.text, document, "\(run.encoding ?? "none")")
            if let encoding = run.encoding {
                expectEqual(
                    run.notes, [EncodingNote(kind: .guessed, declared: nil, used: encoding, offset: Self.first(run))])
            }
        }
    }

    /// A declaration of UTF-8 is ignored.
    @Test(arguments: cases.filter { $0.1 != "ISO-8859-1" })
    func wrongUTF8DeclarationIsIgnored(_ sample: LanguageText, encoding: String) throws {
        let document = "<?xml version='1.0' encoding='utf-8'?><tv><title>\(sample.text)</title></tv>"
        let run = DecodingRun(try #require(IconvOracle.bytes(of: document, in: encoding)))
        expectEqual(run.text, document)
        let note = run.encoding.map {
            EncodingNote(kind: .guessed, declared: "utf-8", used: $0, offset: Self.first(run))
        }
        expectEqual(run.notes, [note].compactMap(\.self))
    }

    /// A guess depends on the bytes, not on the chunks.
    @Test(arguments: cases.filter { ["KOI8-R", "GB18030", "EUC-JP-MS", "windows-1252"].contains($0.1) }, [1, 1000])
    func chunkSizesDoNotMatter(_ sample: (LanguageText, encoding: String), chunk: Int) throws {
        let record = "<title>\(sample.0.text)</title>\n"
        let document = "<tv>" + String(repeating: record, count: 20)
        let bytes = try #require(IconvOracle.bytes(of: document, in: sample.encoding))
        let run = DecodingRun(bytes, chunk: chunk, bufferSize: 100)
        expectEqual(run.text, document)
        expectEqual(run.notes, DecodingRun(bytes).notes)
    }

    /// Guides of ../shared/data, converted there from UTF-8. iconv gives the expected text.
    @Test(
        .needs(.sharedData()),
        arguments: [
            ("ru_windows-1251", "WINDOWS-1251"), ("ar_windows-1256", "WINDOWS-1256"), ("fr_iso-8859-1", "ISO-8859-1"),
            ("hu_iso-8859-2", "ISO-8859-2"), ("he_iso-8859-8", "ISO-8859-8"), ("ko_euc-kr", "EUC-KR"),
            ("zh_gb18030", "GB18030"),
        ], [0, 50_000])
    func encodingOfRealGuideIsGuessed(_ guide: (name: String, encoding: String), from offset: Int) throws {
        let file = PackageFiles.sharedData.appending(path: "derived/\(guide.name).xml")
        let whole = try SharedFolder.bytes(of: file)
        let declaration = (whole.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
        // Another part of the guide, from the start of a line.
        let start = whole[max(declaration, min(offset, whole.count / 2))...].firstIndex(of: UInt8(ascii: "\n")) ?? 0
        let bytes = Array(whole[(offset == 0 ? declaration : start)...])
        let expected = String(decoding: try #require(IconvOracle.utf8(of: bytes, from: guide.encoding)), as: UTF8.self)
        expectEqual(DecodingRun(bytes).text, expected)
    }

    /// Text that is mostly UTF-8 stays UTF-8, and the scanner handles stray bytes.
    @Test(arguments: LanguageText.all)
    func strayByteInUTF8KeepsTheEncoding(_ sample: LanguageText) {
        let text = Array("<title>\(sample.text)</title>".utf8)
        for bytes in [text + [0xE9] + text, [0xE9] + text, text + [0xE9]] {
            let run = DecodingRun(bytes)
            expectEqual(run.encoding, nil)
            expectEmpty(run.notes)
            expectEqual(run.strays, 1)
        }
    }

    @Test func fewInvalidBytesAreLeftToTheScanner() {
        let run = DecodingRun(Array("<tv>Caf".utf8) + [0xE9] + Array("</tv>".utf8))
        expectEqual(run.text, "<tv>Caf\u{E9}</tv>")
        expectEqual(run.encoding, nil)
        expectEmpty(run.notes)
    }

    /// Files may be concatenated from sources in different encodings.
    @Test func latePartInAnotherEncodingIsRepairedByteByByte() throws {
        let beginning = Array(LanguageText.all[0].text.utf8)
        let part = Array("<title>Fr\u{FC}h</title>".unicodeScalars.map { UInt8($0.value) })
        let run = DecodingRun(beginning + part + beginning)
        expectEqual(run.text, "\(LanguageText.all[0].text)<title>Fr\u{FC}h</title>\(LanguageText.all[0].text)")
    }

    /// Random bytes decode to some text, completely.
    @Test(arguments: 0..<(TestScope.current >= .integration ? 16 : 4))
    func anyBytesAreReadWithoutTrap(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bytes = (0..<3000).map { _ in UInt8(truncatingIfNeeded: random.next()) | (seed % 2 == 0 ? 0x80 : 0) }
        let heads = [
            "<tv>", "<?xml encoding='gbk'?>", "<?xml encoding='iso-2022-jp'?>", "<?xml encoding='windows-1258'?>",
        ]
        let document = Array(heads[Int(seed % 4)].utf8) + bytes
        let run = DecodingRun(document, bufferSize: 40)
        expectEqual(run.fault, nil)
        #expect(!run.text.isEmpty)
        let split = DecodingRun(document, chunk: 3)
        expectEqual(split.text, run.text)
        expectEqual(split.notes, run.notes)
    }

    /// Returns the position of the first non-ASCII character, which is the same in both encodings.
    private static func first(_ run: DecodingRun) -> Int {
        run.text.utf8.firstIndex { $0 >= 0x80 }.map { run.text.utf8.distance(from: run.text.startIndex, to: $0) } ?? 0
    }
}
