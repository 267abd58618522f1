import XMLTV

/// The bytes of JSON strings.
enum JSONText {
    /// The end of the run of characters that need no look: ASCII without `"`, `\` and control characters (DEL among
    /// them, which is escaped in what is written).
    @inline(__always)
    static func endOfPlain(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            let byte = bytes[index]
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            index &+= 1
        }
        return index
    }

    /// The length of the character beyond ASCII at an offset; 0 where the bytes are no UTF-8 (Unicode 15, table 3-7).
    @inline(__always)
    static func characterLength(_ bytes: Span<UInt8>, at offset: Int, to end: Int) -> Int {
        let first = bytes[offset]
        let second = offset + 1 < end ? bytes[offset + 1] : 0
        let length: Int
        let range: ClosedRange<UInt8>
        switch first {
        case 0xC2...0xDF: (length, range) = (2, 0x80...0xBF)
        case 0xE0: (length, range) = (3, 0xA0...0xBF)
        case 0xED: (length, range) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, range) = (3, 0x80...0xBF)
        case 0xF0: (length, range) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, range) = (4, 0x80...0xBF)
        case 0xF4: (length, range) = (4, 0x80...0x8F)
        default: return 0
        }
        guard range.contains(second), offset + length <= end else { return 0 }
        for index in 2..<max(2, length) where bytes[offset + index] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// What a hexadecimal digit stands for.
    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Whether a byte can't follow a number or a word: a letter, a digit, a sign or a point.
    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The text of a string that was scanned.
    ///
    /// - Parameter range: Between the quotation marks.
    static func string(_ bytes: Span<UInt8>, _ range: Range<Int>, _ flags: JSONToken.Flags) -> String {
        if flags.isEmpty || flags == .illFormed {
            var copy: [UInt8] = []
            copy.append(bytes, from: range.lowerBound, count: range.count)
            return String(decoding: copy, as: UTF8.self)
        }
        return String(decoding: unescaped(bytes, range), as: UTF8.self)
    }

    /// The bytes of a string with its escapes resolved.
    private static func unescaped(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                index += 1
                continue
            }
            let letter = bytes[index + 1]
            index += 2
            switch letter {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var unit = codeUnit(bytes, at: index)
                index += 4
                if (0xD800...0xDBFF).contains(unit), let low = lowSurrogate(bytes, at: index, to: range.upperBound) {
                    unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
                    index += 6
                }
                let scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            default: text.append(letter)
            }
        }
        return text
    }

    /// The number of the four digits at a place.
    private static func codeUnit(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 4 | (hexValue(bytes[index + $1]) ?? 0) }
    }

    /// The second half of a pair, if it is written at a place.
    private static func lowSurrogate(_ bytes: Span<UInt8>, at index: Int, to end: Int) -> UInt32? {
        guard index + 6 <= end, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        let unit = codeUnit(bytes, at: index + 2)
        return (0xDC00...0xDFFF).contains(unit) ? unit : nil
    }
}
