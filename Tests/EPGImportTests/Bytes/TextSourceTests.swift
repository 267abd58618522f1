import EPGImport
import TestSupport
import Testing
import XMLTV

@Suite struct TextSourceTests {
    /// A character encoding: a name, and the bytes of a scalar by the Unicode Standard, section 3.10.
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

    /// Returns a source of bytes that arrive in chunks of a size.
    private func source(_ bytes: [UInt8], inPiecesOf size: Int) -> ChunkSource {
        var rest = bytes[...]
        return ChunkSource {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }

    @Test(arguments: forms, [(1, 5000), (3, 1), (4097, 33), (1 << 20, 5000)])
    func wideTextBecomesUTF8WithAndWithoutMarkInAnyChunks(_ form: Form, _ sizes: (piece: Int, requested: Int)) {
        let text = String(repeating: Self.text, count: sizes.piece < 4096 ? 3 : 3000)
        for mark in [form.mark, []] {
            let bytes = source(mark + form.bytes(text), inPiecesOf: sizes.piece)
            let result = ReadResult(TextSource(bytes), piece: sizes.requested)
            expectEqual(result.fault, nil)
            expectEqual(result.bytes, Array(text.utf8))
        }
    }

    @Test(arguments: ["", "a", "{}", "\u{FEFF}{}", "Grüße 中文", "\0\0", "\u{1}"])
    func otherTextIsUnchanged(_ text: String) {
        let bytes = Array(text.utf8) + [0xFF, 0x80, 0xC3]
        expectEqual(ReadResult(TextSource(ChunkSource(bytes))).bytes, bytes)
    }

    /// Python gives the bytes: `'Привет'.encode('cp1251')`, `'日本'.encode('shift_jis')`, `'€'.encode('latin9')`.
    @Test(
        arguments: [
            ("windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"), ("CP1251", [0xCF], "П"),
            ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"), ("iso-8859-15", [0xA4], "€"),
            ("utf-8", [0xC3, 0xA9], "é"), ("UTF-16LE", [0x2D, 0x4E], "中"), ("utf-16be", [0x4E, 0x2D], "中"),
            // Without a mark, zero bytes of ASCII characters show the byte order. Otherwise, it is little-endian.
            ("UTF-16", [0x2D, 0x4E], "中"), ("UTF-16", [0x00, 0x7B, 0x4E, 0x2D], "{中"),
            ("UTF-16", [0x7B, 0x00, 0x2D, 0x4E], "{中"),
        ] as [(String, [UInt8], String)])
    func specifiedEncodingIsUsed(_ encoding: String, _ bytes: [UInt8], _ text: String) {
        let result = ReadResult(TextSource(ChunkSource(bytes), encoding: encoding))
        expectEqual(result.fault, nil)
        expectEqual(String(decoding: result.bytes, as: UTF8.self), text)
    }

    @Test func byteOrderMarkOverridesSpecifiedEncoding() {
        let source = TextSource(ChunkSource([0xFF, 0xFE, 0x2D, 0x4E]), encoding: "windows-1251")
        expectEqual(ReadResult(source).bytes, Array("中".utf8))
        expectEqual(source.remarks.drainNotes().map(\.kind), [.contradicted])
    }

    @Test func invalidSequenceIsReplacedAndCounted() {
        // An unpaired low surrogate.
        let source = TextSource(ChunkSource([0x7B, 0x00, 0x00, 0xDC, 0x7D, 0x00]))
        expectEqual(ReadResult(source).bytes, Array("{\u{FFFD}}".utf8))
        expectEqual(source.remarks.drainNotes().map(\.kind), [.replaced(1)])
        expectEmpty(source.remarks.drainNotes())
    }

    @Test func strictSourceReportsInvalidSequenceOrTruncatedCharacter() {
        let invalid = ReadResult(TextSource(ChunkSource([0x7B, 0x00, 0x00, 0xDC, 0x7D, 0x00]), repairs: false))
        let truncated = ReadResult(TextSource(ChunkSource([0x7B, 0x00, 0x7D]), repairs: false))
        expectEqual([invalid.bytes, truncated.bytes], [Array("{".utf8), Array("{".utf8)])
        guard case .damaged("UTF-16LE", _) = invalid.fault, case .truncated = truncated.fault else {
            Issue.record("\(String(describing: invalid.fault)), \(String(describing: truncated.fault))")
            return
        }
    }

    @Test func readFaultFollowsPrecedingBytes() {
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
            let result = ReadResult(TextSource(Failing(rest: bytes)))
            expectEqual(result.bytes, Array(text.utf8))
            expectEqual(result.fault, .tooLarge("enough"))
        }
    }

    @Test func unknownEncodingNameIsAFault() {
        let result = ReadResult(TextSource(ChunkSource([0x7B, 0x7D]), encoding: "klingon"))
        expectEmpty(result.bytes)
        #expect(result.fault != nil)
    }
}

@Suite struct UncompressedSourceTests {
    @Test func uncompressedBytesAreUnchanged() {
        for count in [0, 1, 2, 3, 5, 100, 4095, 4096, 4097, 20_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 + 60) }
            var source = DecompressedSource(ChunkSource(bytes))
            expectEmpty(source.layers())
            let result = ReadResult(source)
            expectEqual(result.fault, nil)
            expectEqual(result.bytes, bytes)
        }
    }

    /// After the first 4 KiB, each call goes directly to the underlying source, without copying.
    @Test func readsGoDirectlyToUnderlyingSource() throws {
        let calls = Calls()
        var source = DecompressedSource(RecordingSource(calls: calls))
        var buffer = [UInt8](repeating: 0, count: 300_000)
        try expectEqual(source.read(into: &buffer, at: 10, upTo: 200_000), 4096)
        expectEqual(calls.recorded, [.init(offset: 0, count: 4096)])
        try expectEqual(source.read(into: &buffer, at: 77, upTo: 200_000), 200_000)
        try expectEqual(source.read(into: &buffer, at: 1, upTo: 3), 3)
        expectEqual(calls.recorded.dropFirst(), [.init(offset: 77, count: 200_000), .init(offset: 1, count: 3)])
        expectEqual(buffer[10], UInt8(ascii: "<"))
        expectEqual(buffer[77 + 199_999], UInt8(ascii: "<"))
    }

    @Test func bytesBeforeFaultAreDeliveredFirst() {
        let fault = ByteFault.truncated(format: "test")
        let result = ReadResult(DecompressedSource(FailingSource(bytes: Array("<tv>".utf8), fault: fault)))
        expectEqual(result.bytes, Array("<tv>".utf8))
        expectEqual(result.fault, fault)
    }

    @Test func peekDoesNotConsume() throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        var source = PeekedSource(ChunkSource(bytes))
        try expectEqual(source.peek(10), bytes[0..<10])
        try expectEqual(Array(source.peek(100_000)), Array(bytes[0..<4096]))
        try expectEmpty(source.peek(0))
        var buffer = [UInt8](repeating: 0, count: 3)
        try expectEqual(source.read(into: &buffer, at: 0, upTo: 3), 3)
        try expectEqual(Array(source.peek(5)), Array(bytes[3..<8]))
        try expectEqual(Array(source.peek()), Array(bytes[3..<4099]))
        expectEqual(buffer + ReadResult(source).bytes, bytes)
        // All bytes of a short source.
        var short = PeekedSource(ChunkSource([1, 2]))
        try expectEqual(short.peek(), [1, 2])
        expectEqual(ReadResult(short).bytes, [1, 2])
    }

    @Test func peekAndReadThrowTheSameFault() {
        let fault = ByteFault.truncated(format: "test")
        var source = PeekedSource(FailingSource(bytes: [], fault: fault))
        #expect(throws: fault) { try source.peek() }
        expectEqual(ReadResult(source).fault, fault)
    }
}

private final class Calls {
    struct Call: Hashable {
        let offset: Int
        let count: Int
    }
    var recorded: [Call] = []
}

/// A source that returns as many `<` as requested and records the calls.
private struct RecordingSource: ByteSource {
    let calls: Calls

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        calls.recorded.append(.init(offset: offset, count: count))
        for index in offset..<offset + count { buffer[index] = UInt8(ascii: "<") }
        return count
    }
}

/// A source of some bytes, followed by a fault.
private struct FailingSource: ByteSource {
    var bytes: [UInt8]
    let fault: ByteFault

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        if bytes.isEmpty { throw fault }
        buffer[offset] = bytes.removeFirst()
        return 1
    }
}
