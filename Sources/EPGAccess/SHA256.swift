/// SHA-256 (FIPS 180-4, 6.2), by which tokens and sessions are stored. They are random, so that a fast hash is enough.
package enum SHA256 {
    /// Returns the hash of a text in UTF-8: 64 lowercase hexadecimal digits.
    package static func hexadecimal(of text: String) -> String {
        hexadecimal(hash(Array(text.utf8)))
    }

    /// Returns two lowercase hexadecimal digits for each byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the 32 bytes of the hash.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        let padded = padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) { mix(padded[start..<start + 64], into: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Pads a message with a bit, zeros, and its length in bits (FIPS 180-4, 5.1.1).
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        let zeros = (119 - message.count % 64) % 64
        let bits = UInt64(message.count) * 8
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        return message + [0x80] + [UInt8](repeating: 0, count: zeros) + length
    }

    /// Processes a block of 64 bytes (FIPS 180-4, 6.2.2).
    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { offset in
            block[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (one, two) = (words[index - 15], words[index - 2])
            let small = rotated(one, by: 7) ^ rotated(one, by: 18) ^ one >> 3
            let large = rotated(two, by: 17) ^ rotated(two, by: 19) ^ two >> 10
            words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
        }
        var values = state
        for index in 0..<64 {
            let (a, e) = (values[0], values[4])
            let choice = e & values[5] ^ ~e & values[6]
            let majority = a & values[1] ^ a & values[2] ^ values[1] & values[2]
            let sumE = rotated(e, by: 6) ^ rotated(e, by: 11) ^ rotated(e, by: 25)
            let sumA = rotated(a, by: 2) ^ rotated(a, by: 13) ^ rotated(a, by: 22)
            let first = values[7] &+ sumE &+ choice &+ constants[index] &+ words[index]
            values = [first &+ sumA &+ majority, a, values[1], values[2], values[3] &+ first, e, values[5], values[6]]
        }
        for index in 0..<8 { state[index] &+= values[index] }
    }

    private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

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
