import EPGModel
import EPGRefresh
import Testing

@Suite struct BodyHasherTests {
    private func hash(_ bytes: [UInt8], cutAt size: Int) -> String {
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
        let text = hash(bytes, cutAt: max(count, 1))
        #expect(text.count == 32)
        #expect(UInt64(text.prefix(16), radix: 16) == expected.high)
        #expect(UInt64(text.suffix(16), radix: 16) == expected.low)
    }

    @Test(arguments: [1000, 16_384, 1_048_575, 1_048_577])
    func cutsOfTheStreamDoNotMatter(size: Int) {
        let bytes = bytes(2_500_000)
        #expect(hash(bytes, cutAt: size) == hash(bytes, cutAt: bytes.count))
    }

    @Test func everyChangeOfAByteAndOfTheLengthIsSeen() {
        var bytes = bytes(1_048_600)
        var seen: Set = [hash(bytes, cutAt: 65_536), hash(bytes + [0], cutAt: 65_536)]
        for place in [0, 1_048_575, 1_048_576, 1_048_599] {
            bytes[place] ^= 1
            seen.insert(hash(bytes, cutAt: 65_536))
            bytes[place] ^= 1
        }
        #expect(seen.count == 6)
    }
}
