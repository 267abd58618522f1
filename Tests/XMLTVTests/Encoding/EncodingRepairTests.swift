import TestSupport
import Testing
import XMLTV

/// Wide encodings, byte order marks, requested encodings, and invalid sequences.
@Suite struct EncodingRepairTests {
    private static let text = "<tv>\u{E9}\u{4E2D}\u{1F600}</tv>"

    /// All byte orders, with and without a mark, regardless of the declaration.
    @Test(
        arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"],
        ["", "<?xml version='1.0'?>", "UTF-16", "UTF-8", "windows-1251", "utf-32", "none"])
    func wideEncodingsAreDetectedFromBytes(encoding: String, declared: String) throws {
        let isName = !declared.isEmpty && !declared.hasPrefix("<")
        let declaration = isName ? "<?xml version='1.0' encoding='\(declared)'?>" : declared
        // UTF-32 can't be detected if the first character is white space.
        let document = declaration + Self.text
        for mark in ["", "\u{FEFF}"] {
            let bytes = try #require(IconvOracle.bytes(of: mark + document, in: encoding))
            for chunk in [1, Int.max] {
                let run = DecodingRun(bytes, chunk: chunk)
                expectEqual(run.text, document)
                expectEqual(run.encoding, encoding)
                let agrees = !isName || encoding.hasPrefix(declared.uppercased())
                let kind: EncodingNote.Kind = declared == "none" ? .unknownName : .contradicted
                let note = EncodingNote(kind: kind, declared: declared, used: encoding, offset: 0)
                expectEqual(run.notes, agrees ? [] : [note])
            }
        }
    }

    /// .NET writes strings with this declaration, whatever encoding is used afterwards.
    @Test(arguments: ["utf-16", "UTF-32", "UCS-2", "unicode"])
    func singleByteEncodingsAreNotWide(declared: String) {
        let document = "<?xml version='1.0' encoding='\(declared)'?>\(Self.text)"
        let run = DecodingRun(Array(document.utf8))
        expectEqual(run.text, document)
        expectEqual(run.notes, [EncodingNote(kind: .contradicted, declared: declared, used: "UTF-8", offset: 0)])
    }

    @Test func utf8MarkOverridesDeclaration() {
        let document = "<?xml version='1.0' encoding='KOI8-R'?>\(Self.text)"
        let run = DecodingRun([0xEF, 0xBB, 0xBF] + Array(document.utf8))
        expectEqual(run.text, document)
        expectEqual(run.kinds, [.contradicted])
        expectEqual(run.encoding, nil)
        let plain = DecodingRun([0xEF, 0xBB, 0xBF] + Array(Self.text.utf8))
        expectEqual(plain.text, Self.text)
        expectEmpty(plain.notes)
    }

    // MARK: - Requested encodings

    @Test(arguments: [true, false])
    func requestedEncodingOverridesDeclaration(repairs: Bool) throws {
        for declaration in ["", "<?xml version='1.0' encoding='UTF-8'?>", "<?xml version='1.0' encoding='KOI8-R'?>"] {
            let document = "\(declaration)<tv>\u{41F}\u{440}</tv>"
            let bytes = try #require(IconvOracle.bytes(of: document, in: "WINDOWS-1251"))
            let run = DecodingRun(bytes, repairs: repairs, encoding: "cp1251")
            expectEqual(run.text, document)
            expectEmpty(run.notes)
            expectEqual(run.fault, nil)
        }
        let document = "<?xml version='1.0' encoding='ISO-8859-1'?>\(Self.text)"
        expectEqual(DecodingRun(Array(document.utf8), repairs: repairs, encoding: "utf8").text, document)
        for name in ["UTF-16", "utf-16le"] {
            let bytes = try #require(IconvOracle.bytes(of: "x\(Self.text)", in: "UTF-16LE"))
            expectEqual(DecodingRun(bytes, repairs: repairs, encoding: name).text, "x\(Self.text)")
        }
        let big = try #require(IconvOracle.bytes(of: Self.text, in: "UTF-16BE"))
        expectEqual(DecodingRun(big, repairs: repairs, encoding: "utf-16").text, Self.text)
    }

    /// Bytes whose encoding would otherwise be guessed to be windows-1252.
    @Test func requestedUTF8IsNotReconsidered() throws {
        let bytes = try #require(IconvOracle.bytes(of: LanguageText.all[0].text, in: "ISO-8859-1"))
        expectEqual(DecodingRun(bytes, encoding: "UTF-8").encoding, nil)
        expectEqual(DecodingRun(bytes).encoding, "windows-1252")
    }

    @Test func markOverridesRequestedEncoding() throws {
        let bytes = try #require(IconvOracle.bytes(of: "\u{FEFF}\(Self.text)", in: "UTF-16BE"))
        let run = DecodingRun(bytes, encoding: "KOI8-R")
        expectEqual(run.text, Self.text)
        expectEqual(run.notes, [EncodingNote(kind: .contradicted, declared: "KOI8-R", used: "UTF-16BE", offset: 0)])
    }

    @Test(arguments: [true, false])
    func unknownRequestedEncodingIsAnError(repairs: Bool) {
        for name in ["none", "", "UTF-8//IGNORE"] {
            let run = DecodingRun(Array(Self.text.utf8), repairs: repairs, encoding: name)
            expectEqual(run.fault, .unknownEncoding(name))
            expectEmpty(run.text)
        }
    }

    // MARK: - Invalid sequences

    /// By the code charts: unassigned or isolated bytes, and the expected text.
    @Test(
        arguments: [
            ("Shift_JIS", [0x93, 0x3C], "\u{FFFD}<", 1), ("Shift_JIS", [0x41, 0x93], "A\u{FFFD}", 1),
            ("EUC-KR", [0xFF, 0x41], "\u{FFFD}A", 1),
            ("EUC-KR", [0xB0, 0xA1, 0xFE, 0xFE, 0xB0, 0xA1], "\u{AC00}\u{FFFD}\u{AC00}", 1),
            ("GB18030", [0x81, 0x20], "\u{FFFD} ", 1), ("GB18030", [0xFF, 0xFF, 0x41], "\u{FFFD}\u{FFFD}A", 2),
            ("ISO-8859-8", [0xA1, 0xE0], "\u{FFFD}\u{5D0}", 1),
            ("windows-1255", [0xFF, 0xE0, 0xFF], "\u{FFFD}\u{5D0}\u{FFFD}", 2),
            ("windows-1252", [0x81, 0xE9], "\u{FFFD}\u{E9}", 1),
            // A letter that the converter holds back for its accent precedes the following text.
            ("windows-1258", [0x61, 0xD2, 0x61], "a\u{309}a", 0), ("windows-1255", [0xF9, 0xFF], "\u{5E9}\u{FFFD}", 1),
        ] as [(String, [UInt8], String, Int)])
    func invalidSequenceIsReplaced(_ encoding: String, bytes: [UInt8], text: String, count: Int) {
        let head = Array("<?xml version='1.0' encoding='\(encoding)'?>".utf8)
        for chunk in [1, Int.max] {
            let run = DecodingRun(head + bytes, chunk: chunk)
            expectEqual(run.text, String(decoding: head, as: UTF8.self) + text)
            expectEqual(run.kinds, count == 0 ? [] : [.replaced(count)])
            expectEqual(run.fault, nil)
        }
    }

    @Test func incompleteUTF16CharacterIsReplaced() {
        let head: [UInt8] = [0xFE, 0xFF, 0x00, 0x3C]
        expectEqual(DecodingRun(head + [0xD8, 0x3D, 0x00, 0x41]).text, "<\u{FFFD}A")
        expectEqual(DecodingRun(head + [0x00, 0x41, 0x00]).text, "<A\u{FFFD}")
        expectEqual(DecodingRun(head + [0x00, 0x41, 0xD8, 0x3D]).text, "<A\u{FFFD}")
    }

    /// A single note at the end reports the number of replaced sequences.
    @Test func replacedSequencesAreCounted() {
        let head = "<?xml version='1.0' encoding='GBK'?>"
        let bytes = Array(
            repeatElement([UInt8]([0xC4, 0xE3, 0xC4, 0xE3, 0xC4, 0xE3, 0xC4, 0xE3, 0xC4, 0xE3, 0xFF]), count: 10_000))
        let run = DecodingRun(Array(head.utf8) + bytes.joined(), chunk: 1000, bufferSize: 100)
        let text = "\u{4F60}\u{4F60}\u{4F60}\u{4F60}\u{4F60}\u{FFFD}"
        expectEqual(run.text, head + String(repeating: text, count: 10_000))
        let note = EncodingNote(
            kind: .replaced(10_000), declared: "GBK", used: "GB18030", offset: head.utf8.count + 10)
        expectEqual(run.notes, [note])
    }

    @Test func windows1252InISO88591IsNotedOnce() {
        let head = Array("<?xml version='1.0' encoding='ISO-8859-1'?>\u{20}".utf8)
        let run = DecodingRun(head + [0xE9, 0x80, 0x20, 0x93])
        expectSuffix(run.text, "\u{E9}\u{20AC} \u{201C}")
        let note = EncodingNote(
            kind: .windows1252, declared: "ISO-8859-1", used: "windows-1252", offset: head.count + 1)
        expectEqual(run.notes, [note])
    }

    /// A read fault is reported after everything before it has been delivered.
    @Test func readFaultFollowsDecodedBytes() {
        for declared in ["UTF-8", "GBK", "ISO-8859-1"] {
            let bytes = Array("<?xml version='1.0' encoding='\(declared)'?><tv>".utf8) + [0xC3, 0xA9]
            var source = DecodedSource(
                FailingSource(bytes: bytes + [UInt8](repeating: 0x20, count: 1100)), repairs: true)
            var buffer = [UInt8](repeating: 0, count: 64)
            var got = 0
            #expect(throws: XMLError.Reason.unreadable(.truncated(format: "test"))) {
                for _ in 0..<1000 { got += try source.read(into: &buffer, at: 0, upTo: 64) }
            }
            #expect(got >= bytes.count + 1100)
        }
    }

    private struct FailingSource: ByteSource {
        var bytes: [UInt8]

        mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
            guard !bytes.isEmpty else { throw .truncated(format: "test") }
            let taken = min(count, bytes.count)
            buffer.replaceSubrange(offset..<offset + taken, with: bytes[..<taken])
            bytes.removeFirst(taken)
            return taken
        }
    }
}
