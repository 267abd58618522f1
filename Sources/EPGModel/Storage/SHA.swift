/// SHA-1 (FIPS 180-4, 6.1), which Schedules Direct requires for passwords, and which names pictures: unlike with
/// ``ContentHasher``, finding a second text with a given hash is infeasible.
package enum SHA1 {
    /// Returns the hash of a text in UTF-8: 40 lowercase hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        let start: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        return SHABlocks.hash(text, from: start, mix)
    }

    /// Processes a block (FIPS 180-4, 6.1.2).
    private static func mix(_ block: [UInt32], into state: inout [UInt32]) {
        var words = block
        for index in 16..<80 {
            let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(word.rotated(right: 31))
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
            let sum = a.rotated(right: 27) &+ f &+ e &+ k &+ words[index]
            (e, d, c, b, a) = (d, c, b.rotated(right: 2), a, sum)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }
}

/// SHA-256 (FIPS 180-4, 6.2), by which tokens and sessions are stored. They are random, so that a fast hash is enough.
package enum SHA256 {
    /// Returns the hash of a text in UTF-8: 64 lowercase hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        let start: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
        ]
        return SHABlocks.hash(text, from: start, mix)
    }

    /// Processes a block (FIPS 180-4, 6.2.2).
    private static func mix(_ block: [UInt32], into state: inout [UInt32]) {
        var words = block
        for index in 16..<64 {
            let (one, two) = (words[index - 15], words[index - 2])
            let small = one.rotated(right: 7) ^ one.rotated(right: 18) ^ one >> 3
            let large = two.rotated(right: 17) ^ two.rotated(right: 19) ^ two >> 10
            words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
        }
        var values = state
        for index in 0..<64 {
            let (a, e) = (values[0], values[4])
            let choice = e & values[5] ^ ~e & values[6]
            let majority = a & values[1] ^ a & values[2] ^ values[1] & values[2]
            let sumE = e.rotated(right: 6) ^ e.rotated(right: 11) ^ e.rotated(right: 25)
            let sumA = a.rotated(right: 2) ^ a.rotated(right: 13) ^ a.rotated(right: 22)
            let first = values[7] &+ sumE &+ choice &+ constants[index] &+ words[index]
            values = [first &+ sumA &+ majority, a, values[1], values[2], values[3] &+ first, e, values[5], values[6]]
        }
        for index in 0..<8 { state[index] &+= values[index] }
    }

    /// FIPS 180-4, 4.2.2.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

/// What SHA-1 and SHA-256 share: blocks of 64 bytes, read as sixteen words.
private enum SHABlocks {
    /// Returns the hash of a text in UTF-8 in hexadecimal digits.
    ///
    /// - Parameter mix: Processes a block.
    static func hash(_ text: String, from start: [UInt32], _ mix: ([UInt32], inout [UInt32]) -> Void) -> String {
        var state = start
        let message = padded(Array(text.utf8))
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = stride(from: start, to: start + 64, by: 4).map { offset in
                message[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }
            mix(words, &state)
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
}

extension UInt32 {
    fileprivate func rotated(right bits: UInt32) -> UInt32 { self >> bits | self << (32 - bits) }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits, with leading zeros.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
