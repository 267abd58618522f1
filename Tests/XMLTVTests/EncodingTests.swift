import TestSupport
import Testing
import XMLTV

@Suite struct EncodingTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let encoding: String
        let bytes: [UInt8]
        let text: String

        init(_ encoding: String, _ bytes: [UInt8], _ text: String) {
            self.encoding = encoding
            self.bytes = bytes
            self.text = text
        }

        var testDescription: String { encoding }

        var document: [UInt8] {
            Array("<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<tv>".utf8) + bytes + Array("</tv>".utf8)
        }
    }

    /// By the code charts of the encodings.
    static let samples: [Sample] = [
        Sample("ISO-8859-1", [0x47, 0x72, 0xFC, 0xDF, 0x65], "Gr\u{FC}\u{DF}e"),
        Sample("iso-8859-2", [0xB3], "\u{142}"),
        Sample("ISO-8859-5", [0xBF], "\u{41F}"),
        Sample("ISO-8859-8", [0xE0], "\u{5D0}"),
        Sample("ISO-8859-9", [0xFE], "\u{15F}"),
        Sample("ISO-8859-15", [0xA4], "\u{20AC}"),
        Sample("windows-1250", [0x9C], "\u{15B}"),
        Sample("windows-1251", [0xCF], "\u{41F}"),
        Sample("Windows-1252", [0x80, 0x93, 0xE9, 0x94], "\u{20AC}\u{201C}\u{E9}\u{201D}"),
        Sample("windows-1253", [0xC1], "\u{391}"),
        Sample("windows-1254", [0xFE], "\u{15F}"),
        Sample("windows-1255", [0xE0], "\u{5D0}"),
        Sample("windows-1256", [0xC7], "\u{627}"),
        Sample("windows-1257", [0xE0], "\u{105}"),
        Sample("KOI8-R", [0xF0], "\u{41F}"),
        Sample("KOI8-U", [0xA7], "\u{457}"),
        Sample("TIS-620", [0xA1], "\u{E01}"),
        Sample("GB18030", [0xC4, 0xE3, 0x94, 0x39, 0xFC, 0x36], "\u{4F60}\u{1F600}"),
        Sample("gb2312", [0xC4, 0xE3], "\u{4F60}"),
        Sample("Big5", [0xA4, 0xA4], "\u{4E2D}"),
        Sample("EUC-KR", [0xB0, 0xA1], "\u{AC00}"),
        Sample("EUC-JP", [0xC6, 0xFC], "\u{65E5}"),
        Sample("Shift_JIS", [0x93, 0xFA], "\u{65E5}"),
        Sample("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "\u{65E5}"),
        Sample("UTF-8", Array("\u{E9}\u{1F600}".utf8), "\u{E9}\u{1F600}"),
        Sample("utf8", Array("\u{E9}".utf8), "\u{E9}"),
        Sample("us-ascii", [0x61], "a"),
    ]

    @Test(arguments: samples, [1, 2, 3, 1 << 20])
    func documentIsDecoded(_ sample: Sample, chunk: Int) throws {
        try expectEqual(Self.text(ChunkSource(sample.document) { chunk }), sample.text)
    }

    /// Every Unicode encoding in both byte orders, with and without a mark (XML 1.0, appendix F).
    @Test(arguments: [true, false], [true, false])
    func wideEncodingsAreDetected(isBigEndian: Bool, hasMark: Bool) throws {
        let text = "\n<tv>\u{E9}\u{4E2D}\u{1F600}</tv>"
        for declaration in ["<?xml version='1.0'?>", "<?xml version='1.0' encoding='UTF-16'?>", ""] {
            let units = Array(((hasMark ? "\u{FEFF}" : "") + declaration + text).utf16)
            let bytes = units.flatMap { Self.bytes(UInt32($0), width: 2, isBigEndian) }
            try expectEqual(Self.text(ChunkSource(bytes)), "\u{E9}\u{4E2D}\u{1F600}")
        }
        for declaration in ["<?xml version='1.0'?>", "<?xml version='1.0' encoding='UTF-32'?>"] {
            let scalars = ((hasMark ? "\u{FEFF}" : "") + declaration + text).unicodeScalars
            let bytes = scalars.flatMap { Self.bytes($0.value, width: 4, isBigEndian) }
            try expectEqual(Self.text(ChunkSource(bytes)), "\u{E9}\u{4E2D}\u{1F600}")
        }
    }

    /// Bytes that the encoding leaves unassigned, or that end within a character.
    @Test(arguments: [
        Sample("Shift_JIS", [0x93], ""), Sample("EUC-KR", [0xFF], ""), Sample("GB18030", [0x81, 0x20], ""),
        Sample("ISO-8859-8", [0xA1], ""), Sample("windows-1255", [0xFF], ""),
    ])
    func bytesInvalidInEncodingAreRejected(_ sample: Sample) {
        let fault = ScannerReading.read(sample.document).fault
        expectEqual(fault?.reason, .invalidInEncoding(sample.encoding))
        expectEqual(fault?.line, 2)
    }

    @Test func invalidUTF16IsRejected() {
        func utf16(_ units: [UInt16]) -> [UInt8] { units.flatMap { Self.bytes(UInt32($0), width: 2, true) } }
        let unpaired = utf16([0xFEFF] + Array("<tv>".utf16) + [0xD83D] + Array("</tv>".utf16))
        expectEqual(ScannerReading.read(unpaired).fault?.reason, .invalidInEncoding("UTF-16BE"))
        let whole = utf16(Array("\u{FEFF}<tv/>".utf16))
        expectEqual(ScannerReading.read(whole).fault, nil)
        expectEqual(ScannerReading.read(whole + [0]).fault?.reason, .unexpectedEnd(inside: "within a character"))
    }

    /// Text before unconvertible bytes is scanned first, for any chunks.
    @Test func firstFaultIsReported() {
        let declaration = "<?xml version='1.0' encoding='windows-1255'?>"
        let beginning = Array("\(declaration)<tv><a>\(String(repeating: "x", count: 5000))".utf8)
        var chunks = [beginning, Array("</b>".utf8), [0xFF]]
        let source = ChunkSource { chunks.isEmpty ? nil : chunks.removeFirst() }
        expectEqual(ScannerReading.read(source).reading.fault?.reason, .mismatchedEnd(expected: "a", found: "b"))
    }

    /// windows-1258 writes accents after their letters, so the converter holds letters back.
    @Test func letterHeldBackByConverterIsNotLost() throws {
        let sample = Sample("windows-1258", [0x61, 0xCC, 0x62], "\u{E0}b")
        try expectEqual(Self.text(ChunkSource(sample.document)), "\u{E0}b")
        expectEqual(ScannerReading.read(sample.document + [0x61]).fault?.reason, .contentAfterRoot)
    }

    /// An unterminated or misplaced declaration has no effect on the encoding.
    @Test(arguments: [
        "<?xml version='1.0'>", "<?xml >", "<?xml?>", "<?xml", "<?xml ?", "<?>", "<?xml encoding='x", "<?xml \u{301}?>",
    ])
    func brokenDeclarationIsRejected(_ text: String) {
        expectEqual(ScannerReading.read(text + "<tv/>").isAccepted, false)
        expectEqual(ScannerReading.read(text).isAccepted, false)
    }

    @Test func encodingIsReportedAlsoOfALongDeclaration() throws {
        let declaration = "<?xml version='1.0'\(String(repeating: " ", count: 700))encoding='ISO-8859-1' ?>"
        let document = Array("\(declaration)<tv>".utf8) + [0xE9] + Array("</tv>".utf8)
        try expectEqual(Self.text(ChunkSource(document)), "\u{E9}")
        for (sample, expected) in [(Self.samples[0], "ISO-8859-1"), (Self.samples[24], nil)] {
            expectEqual(ScannerReading.read(ChunkSource(sample.document)).encoding, expected)
        }
    }

    private static func text(_ source: ChunkSource) throws -> String {
        var scanner = XMLScanner(source)
        var output: [UInt8] = []
        while try scanner.next() != nil {
            for token in scanner.tokens where token.kind == .text { scanner.append(token, to: &output) }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func bytes(_ value: UInt32, width: Int, _ isBigEndian: Bool) -> [UInt8] {
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}
