/// SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012): who sees hashes doesn't learn the key.
struct SipHash {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    /// - Parameters:
    ///   - low: The first eight bytes of the key, the first one lowest.
    ///   - high: The others.
    static func hash(_ bytes: some Collection<UInt8>, low: UInt64, high: UInt64) -> UInt64 {
        var state = SipHash(low: low, high: high)
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) << (8 * (count % 8))
            count += 1
            if count % 8 == 0 {
                state.take(word)
                word = 0
            }
        }
        // The last word has the length in its highest byte.
        state.take(word | count << 56)
        return state.finish()
    }

    private init(low: UInt64, high: UInt64) {
        v0 = low ^ 0x736f_6d65_7073_6575
        v1 = high ^ 0x646f_7261_6e64_6f6d
        v2 = low ^ 0x6c79_6765_6e65_7261
        v3 = high ^ 0x7465_6462_7974_6573
    }

    private mutating func take(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    private mutating func finish() -> UInt64 {
        v2 ^= 0xff
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
        v0 &+= v1
        v1 = v1.rotated(by: 13) ^ v0
        v0 = v0.rotated(by: 32)
        v2 &+= v3
        v3 = v3.rotated(by: 16) ^ v2
        v0 &+= v3
        v3 = v3.rotated(by: 21) ^ v0
        v2 &+= v1
        v1 = v1.rotated(by: 17) ^ v2
        v2 = v2.rotated(by: 32)
    }
}

extension UInt64 {
    fileprivate func rotated(by bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}
