import XMLTV

extension [UInt8] {
    /// Appends a JSON string with everything escaped that must be (RFC 8259, 7) or had better be.
    ///
    /// Escaped are quotation mark, backslash, control characters (U+0000…U+001F and U+007F…U+009F), line and paragraph
    /// separators (U+2028, U+2029, which end a line in JavaScript) and the marks of text direction and the byte order
    /// mark, which a reader can't see.
    package mutating func append(quoted text: String) {
        var text = text
        text.makeContiguousUTF8()
        let bytes = text.utf8.span
        append(UInt8(ascii: "\""))
        var index = 0
        while index < bytes.count {
            let plain = JSONText.endOfPlain(bytes, from: index, to: bytes.count)
            if plain > index { append(bytes, from: index, count: plain - index) }
            index = plain
            guard index < bytes.count else { break }
            let byte = bytes[index]
            if byte < 0x80 {
                append(escaped: byte)
                index += 1
            } else {
                index += append(character: bytes, at: index)
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Appends an ASCII character that a string can't hold as it is.
    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
        case 0x08: append(contentsOf: "\\b".utf8)
        case 0x09: append(contentsOf: "\\t".utf8)
        case 0x0A: append(contentsOf: "\\n".utf8)
        case 0x0C: append(contentsOf: "\\f".utf8)
        case 0x0D: append(contentsOf: "\\r".utf8)
        default: append(codeUnit: UInt32(byte))
        }
    }

    /// Appends a character beyond ASCII; returns its length.
    private mutating func append(character bytes: Span<UInt8>, at index: Int) -> Int {
        let length = Swift.max(JSONText.characterLength(bytes, at: index, to: bytes.count), 1)
        if length == 2 || length == 3 {
            let first = UInt32(bytes[index])
            let second = UInt32(bytes[index + 1] & 0x3F)
            let scalar =
                length == 2
                ? (first & 0x1F) << 6 | second
                : (first & 0x0F) << 12 | second << 6 | UInt32(bytes[index + 2] & 0x3F)
            switch scalar {
            case 0x80...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                append(codeUnit: scalar)
                return length
            default: break
            }
        }
        append(bytes, from: index, count: length)
        return length
    }

    /// Appends `\uXXXX`.
    private mutating func append(codeUnit: UInt32) {
        append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: codeUnit >> shift & 0xF)
            append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}
