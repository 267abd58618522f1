/// What references stand for.
enum References {
    /// The character of one of the five entities that need no declaration (4.6).
    @inline(__always)
    static func predefined(_ bytes: Span<UInt8>, _ name: Range<Int>) -> UInt8? {
        let start = name.lowerBound
        switch name.count {
        case 2 where bytes[start &+ 1] == 0x74:  // lt, gt
            if bytes[start] == 0x6C { return ASCII.lessThan }
            return bytes[start] == 0x67 ? ASCII.greaterThan : nil
        case 3 where bytes[start] == 0x61 && bytes[start &+ 1] == 0x6D && bytes[start &+ 2] == 0x70:  // amp
            return ASCII.ampersand
        case 4 where bytes[start &+ 2] == 0x6F:
            // apos, quot
            if bytes[start] == 0x61, bytes[start &+ 1] == 0x70, bytes[start &+ 3] == 0x73 { return ASCII.singleQuote }
            if bytes[start] == 0x71, bytes[start &+ 1] == 0x75, bytes[start &+ 3] == 0x74 { return ASCII.doubleQuote }
            return nil
        default:
            return nil
        }
    }

    /// Appends the character that a reference stands for, in UTF-8.
    ///
    /// A reference that is none of XML's own is appended as it is written: what it means, only a DTD knows that we don't
    /// read.
    /// - Parameter start: The offset of the `&` of a reference that the scanner has checked.
    /// - Returns: The offset behind the `;`.
    static func append(_ bytes: Span<UInt8>, at start: Int, to output: inout [UInt8], keepsForeign: Bool) -> Int {
        var end = start &+ 1
        while bytes[end] != ASCII.semicolon { end &+= 1 }
        if bytes[start &+ 1] == ASCII.hash {
            appendScalar(bytes, start &+ 2..<end, to: &output)
        } else if let character = predefined(bytes, start &+ 1..<end) {
            output.append(character)
        } else if keepsForeign {
            output.append(bytes, from: start, count: end &+ 1 &- start)
        }
        return end &+ 1
    }

    private static func appendScalar(_ bytes: Span<UInt8>, _ digits: Range<Int>, to output: inout [UInt8]) {
        let isHexadecimal = bytes[digits.lowerBound] == ASCII.x
        var value: UInt32 = 0
        for index in digits.lowerBound &+ (isHexadecimal ? 1 : 0)..<digits.upperBound {
            value = value &* (isHexadecimal ? 16 : 10) &+ (bytes[index].hexadecimalDigit ?? 0)
        }
        guard let scalar = Unicode.Scalar(value) else { return }
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
