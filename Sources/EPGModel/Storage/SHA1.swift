/// SHA-1 (FIPS 180-4, 6.1), which Schedules Direct requires for passwords, and which names pictures: unlike with
/// ``ContentHasher``, finding a second text with a given hash is infeasible.
package enum SHA1 {
    /// Returns the hash of a text in UTF-8: 40 lowercase hexadecimal digits.
    package static func hexadecimal(_ text: String) -> String {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let message = padded(Array(text.utf8))
        for start in stride(from: 0, to: message.count, by: 64) {
            mix(message[start..<start + 64], into: &state)
        }
        return state.map(\.hexadecimal).joined()
    }

    /// Pads a message with a bit, zeros, and its length in bits (FIPS 180-4, 5.1.1).
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        let zeros = (119 - bytes.count % 64) % 64
        let bits = UInt64(bytes.count) * 8
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        return bytes + [0x80] + [UInt8](repeating: 0, count: zeros) + length
    }

    /// Processes a block of 64 bytes (FIPS 180-4, 6.1.2).
    private static func mix(_ chunk: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: chunk.startIndex, to: chunk.endIndex, by: 4).map { offset in
            chunk[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (f, k): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let sum = rotated(a, by: 5) &+ f &+ e &+ k &+ words[index]
            (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, sum)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }

    private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits, with leading zeros.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
