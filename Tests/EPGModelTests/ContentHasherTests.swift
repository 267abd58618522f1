import EPGModel
import TestSupport
import Testing

@Suite struct ContentHasherTests {
    private let hasher = ContentHasher(key: ContentHash(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))

    private func bytes(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    @Test func hashDependsOnBytesOnly() {
        let content = bytes(100)
        let padded = [0] + content + [0]
        expectEqual(hasher.hash(content.span), hasher.hash(padded.span.extracting(1..<101)))
    }

    @Test(arguments: [1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100]) func everyBitChangesBothHalves(count: Int) {
        var content = bytes(count)
        let original = hasher.hash(content.span)
        var seen: Set<ContentHash> = [original]
        for bit in 0..<count * 8 {
            content[bit / 8] ^= 1 << UInt8(bit % 8)
            let changed = hasher.hash(content.span)
            #expect(changed.high != original.high && changed.low != original.low)
            #expect(seen.insert(changed).inserted)
            content[bit / 8] ^= 1 << UInt8(bit % 8)
        }
    }

    @Test func runsOfZerosHaveDifferentHashes() {
        let zeros = [UInt8](repeating: 0, count: 200)
        let hashes = Set((0...200).map { hasher.hash(zeros.span.extracting(0..<$0)) })
        expectEqual(hashes.count, 201)
    }

    @Test func keyAndSeedChangeHash() {
        let content = bytes(40)
        let other = ContentHasher(key: ContentHash(high: 0x0123_4567_89AB_CDEF, low: 1))
        #expect(hasher.hash(content.span) != other.hash(content.span))
        let seed = ContentHash(high: 0, low: 1)
        #expect(hasher.hash(content.span, after: seed) != hasher.hash(content.span))
    }

    @Test func twentyThousandShortContentsDoNotCollide() {
        var seen: Set<UInt64> = []
        var content = [UInt8](repeating: 0x20, count: 12)
        for number in 0..<20_000 {
            content[0] = UInt8(truncatingIfNeeded: number)
            content[11] = UInt8(truncatingIfNeeded: number >> 8)
            seen.insert(hasher.hash(content.span).low)
        }
        expectEqual(seen.count, 20_000)
    }
}
