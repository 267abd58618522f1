extension Span<UInt8> {
    /// Returns whether the bytes contain some bytes.
    ///
    /// `contains` of the standard library builds a table for each search, which takes longer than the search for a word.
    ///
    /// - Complexity: O(*nm*) for a part of m bytes.
    package func contains(_ part: Span<UInt8>) -> Bool {
        guard count >= part.count else { return false }
        for start in 0...count - part.count {
            var index = 0
            while index < part.count, self[start + index] == part[index] { index += 1 }
            if index == part.count { return true }
        }
        return false
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit; `nil` for any other character.
    @inlinable package var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The two hexadecimal digits of the byte, in uppercase.
    package var hexDigits: String { (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true) }

    /// Whether the byte is an ASCII letter or digit.
    package var isASCIILetterOrDigit: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10 }
}

extension [UInt8] {
    /// The bytes in base64 (RFC 4648, 4).
    package var base64: [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var output: [UInt8] = []
        output.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let count = Swift.min(3, count - start)
            var group = 0
            for index in 0..<3 { group = group << 8 | (index < count ? Int(self[start + index]) : 0) }
            for index in 0..<4 {
                output.append(index <= count ? digits[group >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return output
    }
}
