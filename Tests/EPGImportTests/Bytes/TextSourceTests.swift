import EPGImport
import Testing
import XMLTV

@Suite struct TextSourceTests {
    /// A way to write characters: a name, and the bytes of a scalar by the Unicode Standard, section 3.10.
    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let mark: [UInt8]
        let encode: @Sendable (Unicode.Scalar) -> [UInt8]

        func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.flatMap(encode) }
    }

    private static func units16(_ scalar: Unicode.Scalar) -> [UInt16] { Array(String(scalar).utf16) }
    private static func units32(_ scalar: Unicode.Scalar) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
    }

    static let forms = [
        Form(testDescription: "UTF-16LE", mark: [0xFF, 0xFE]) { scalar in
            units16(scalar).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        },
        Form(testDescription: "UTF-16BE", mark: [0xFE, 0xFF]) { scalar in
            units16(scalar).flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        },
        Form(testDescription: "UTF-32LE", mark: [0xFF, 0xFE, 0, 0]) { Array(units32($0).reversed()) },
        Form(testDescription: "UTF-32BE", mark: [0, 0, 0xFE, 0xFF]) { units32($0) },
    ]

    private static let text = "{\"title\": \"Ünïcode 中文 😀\"}\n"

    /// Bytes that come in pieces of a length.
    private func source(_ bytes: [UInt8], inPiecesOf size: Int) -> ChunkSource {
        var rest = bytes[...]
        return ChunkSource {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }

    @Test(arguments: forms, [(1, 5000), (3, 1), (4097, 33), (1 << 20, 5000)])
    func wideTextBecomesUTF8WithItsMarkAndWithoutInWhateverPieces(_ form: Form, _ sizes: (piece: Int, asked: Int)) {
        let text = String(repeating: Self.text, count: sizes.piece < 4096 ? 3 : 3000)
        for mark in [form.mark, []] {
            let bytes = source(mark + form.bytes(text), inPiecesOf: sizes.piece)
            let result = Outpouring(TextSource(bytes), piece: sizes.asked)
            #expect(result.fault == nil)
            #expect(result.bytes == Array(text.utf8))
        }
    }

    @Test(arguments: ["", "a", "{}", "\u{FEFF}{}", "Grüße 中文", "\0\0", "\u{1}"])
    func otherTextPassesAsItIs(_ text: String) {
        let bytes = Array(text.utf8) + [0xFF, 0x80, 0xC3]
        #expect(Outpouring(TextSource(ChunkSource(bytes))).bytes == bytes)
    }

    /// The bytes are those of Python: `'Привет'.encode('cp1251')`, `'日本'.encode('shift_jis')`, `'€'.encode('latin9')`.
    @Test(
        arguments: [
            ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"), ("CP1251", [0xCF], "П"),
            ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"), ("iso-8859-15", [0xA4], "€"),
            ("utf-8", [0xC3, 0xA9], "é"), ("UTF-16LE", [0x2D, 0x4E], "中"), ("utf-16be", [0x4E, 0x2D], "中"),
            // Without a mark and without ASCII the usual order; with ASCII the zeros tell.
            ("UTF-16", [0x2D, 0x4E], "中"), ("UTF-16", [0x00, 0x7B, 0x4E, 0x2D], "{中"),
            ("UTF-16", [0x7B, 0x00, 0x2D, 0x4E], "{中"),
        ] as [(String, [UInt8], String)])
    func whatIsSaidIsBelieved(_ encoding: String, _ bytes: [UInt8], _ text: String) {
        let result = Outpouring(TextSource(ChunkSource(bytes), encoding: encoding))
        #expect(result.fault == nil)
        #expect(String(decoding: result.bytes, as: UTF8.self) == text)
    }

    @Test func markIsBelievedMoreThanWhatIsSaid() {
        let source = TextSource(ChunkSource([0xFF, 0xFE, 0x2D, 0x4E]), encoding: "windows-1251")
        #expect(Outpouring(source).bytes == Array("中".utf8))
        #expect(source.remarks.take().map(\.kind) == [.contradicted])
    }

    @Test func sequenceThatIsNoCharacterIsReplacedAndCounted() {
        // A low surrogate alone.
        let source = TextSource(ChunkSource([0x7B, 0x00, 0x00, 0xDC, 0x7D, 0x00]))
        #expect(Outpouring(source).bytes == Array("{\u{FFFD}}".utf8))
        #expect(source.remarks.take().map(\.kind) == [.replaced(1)])
        #expect(source.remarks.take().isEmpty)
    }

    @Test func sequenceThatIsNoCharacterIsAFaultToTheStrict() {
        let result = Outpouring(TextSource(ChunkSource([0x7B, 0x00, 0x00, 0xDC, 0x7D, 0x00]), repairs: false))
        #expect(result.bytes == Array("{".utf8))
        guard case .damaged("UTF-16LE", _) = result.fault else {
            Issue.record("\(String(describing: result.fault))")
            return
        }
    }

    @Test func textThatEndsWithinACharacterIsCutOffToTheStrict() {
        let result = Outpouring(TextSource(ChunkSource([0x7B, 0x00, 0x7D]), repairs: false))
        #expect(result.bytes == Array("{".utf8))
        guard case .cutOff = result.fault else {
            Issue.record("\(String(describing: result.fault))")
            return
        }
    }

    @Test func faultOfTheBytesComesBehindWhatWasRead() {
        struct Failing: ByteSource {
            var rest: [UInt8]
            mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
                guard !rest.isEmpty else { throw .tooLarge("enough") }
                buffer[offset] = rest.removeFirst()
                return 1
            }
        }
        let text = String(repeating: Self.text, count: 100)
        for bytes in [Self.forms[0].bytes(text), Array(text.utf8)] {
            let result = Outpouring(TextSource(Failing(rest: bytes)))
            #expect(result.bytes == Array(text.utf8))
            #expect(result.fault == .tooLarge("enough"))
        }
    }

    @Test func nameThatNobodyKnowsIsAFault() {
        let result = Outpouring(TextSource(ChunkSource([0x7B, 0x7D]), encoding: "klingon"))
        #expect(result.bytes.isEmpty && result.fault != nil)
    }
}
