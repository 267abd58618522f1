import EPGModel
import Testing

@testable import EPGRefresh

@Suite struct BodyHasherTests {
    private func hash(_ bytes: [UInt8], pieceSize size: Int) -> String {
        var hasher = BodyHasher()
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { hasher.append($0) }
        }
        return hasher.finish()
    }

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test(arguments: [0, 1, BodyHasher.chunkByteCount, 2 * BodyHasher.chunkByteCount + 77])
    func hashIsChainOfChunksAndLength(count: Int) {
        let bytes = bytes(count)
        var expected = BodyHasher.key
        for start in stride(from: 0, to: count, by: 1_048_576) {
            expected = ContentHasher(key: expected).hash(Array(bytes[start..<min(start + 1_048_576, count)]).span)
        }
        let length = withUnsafeBytes(of: UInt64(count).littleEndian) { Array($0) }
        expected = ContentHasher(key: expected).hash(length.span)
        let text = hash(bytes, pieceSize: max(count, 1))
        let halves = [text.prefix(16), text.dropFirst(16)].map { UInt64($0, radix: 16) }
        #expect((text.count, halves) == (32, [expected.high, expected.low]))
    }

    @Test(arguments: [1000, 16_384, 1_048_575, 1_048_577])
    func hashDoesNotDependOnPieceSizes(size: Int) {
        let bytes = bytes(2_500_000)
        #expect(hash(bytes, pieceSize: size) == hash(bytes, pieceSize: bytes.count))
    }

    @Test func changedByteOrLengthChangesTheHash() {
        var bytes = bytes(1_048_600)
        var seen: Set = [hash(bytes, pieceSize: 65_536), hash(bytes + [0], pieceSize: 65_536)]
        for index in [0, 1_048_575, 1_048_576, 1_048_599] {
            bytes[index] ^= 1
            seen.insert(hash(bytes, pieceSize: 65_536))
            bytes[index] ^= 1
        }
        #expect(seen.count == 6)
    }
}

@Suite struct BodyShapeTests {
    private func shape(_ text: String) -> BodyShape {
        let bytes = Array(text.utf8)
        return BodyShape(beginning: Array(bytes.prefix(4096)), end: Array(bytes.suffix(4096)))
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html></html>", true), ("\u{FEFF}\r\n <HTML lang=en>", true),
        ("<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"\">", true),
        ("<!-- made by hand --><html>", true), ("<head><title>x</title></head>", true),
        ("<script>location = 'x'</script>", true),
        // Guides.
        ("<tv></tv>", false), ("<?xml version=\"1.0\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n<tv></tv>", false),
        ("{\"html\": 1}", false), ("", false), ("html", false), ("<htmlx/>", false), ("<!-- <html> --><tv/>", false),
        ("\u{1F}\u{8B}", false),
    ])
    func webPageIsRecognizedByItsFirstTag(text: String, expected: Bool) {
        #expect(shape(text).isWebPage == expected)
    }

    @Test(
        arguments: [
            ("<html><head><title>Log in</title>", "Log in"),
            ("<HTML><TITLE lang='de'>\n Zu  Hause\u{7} </TITLE>", "Zu Hause"),
            ("<html><title></title>", nil), ("<html><title>no end", nil), ("<html>", nil),
            ("<html><title>\(String(repeating: "x", count: 200))</title>", String(repeating: "x", count: 80)),
        ] as [(String, String?)])
    func titleIsOneShortLine(text: String, expected: String?) {
        #expect(shape(text).pageTitle == expected)
    }

    @Test(arguments: [
        ("<tv></tv>", true), ("<tv></tv >\n<!-- made in 3 s -->\n", true), ("<tv/>", true), ("<tv a=\"1\"/>\n", true),
        ("<?xml version=\"1.0\"?><tv></tv>", true), ("<tv><programme></programme>", false), ("<tv></tv", false),
        ("<tv></t", false), ("<tv><channel id=\"a\"/>", false), ("<tv></tvx>", false), ("<?xml vers", false),
        ("<tv", false), ("<", false),
        ("{\"a\": [1]}\n", true), ("{\"a\": [1]", true), ("{\"a\": 1", false), ("[1, 2", false),
        ("\u{1F}\u{8B}x", true),
    ])
    func truncatedTextIsIncomplete(text: String, expected: Bool) {
        #expect(shape(text).mayBeComplete == expected)
    }

    @Test func completeUTF16TextIsAccepted() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x3C, 0, 0x74, 0, 0x76, 0]
        #expect(BodyShape(beginning: bytes, end: bytes).mayBeComplete)
    }
}
