/// A character beyond ASCII, read and checked.
enum UTF8Scan {
    /// The character at an offset whose byte is at least 0x80, and its length.
    ///
    /// Checks what UTF-8 demands (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF) and
    /// what XML allows of it (U+FFFE and U+FFFF not).
    /// - Returns: `nil` where the bytes of the window end within the character.
    @inline(__always)
    static func character(
        in bytes: Span<UInt8>, at offset: Int, limit: Int
    ) throws(ScanFault) -> (scalar: UInt32, length: Int)? {
        let first = UInt32(bytes[offset])
        let length: Int
        var scalar: UInt32
        let least: UInt32
        switch first {
        case 0xC2...0xDF: (length, scalar, least) = (2, first & 0x1F, 0x80)
        case 0xE0...0xEF: (length, scalar, least) = (3, first & 0x0F, 0x800)
        case 0xF0...0xF4: (length, scalar, least) = (4, first & 0x07, 0x10000)
        default: throw ScanFault(reason: .invalidUTF8, offset: offset)
        }
        for index in 1..<length {
            let byte = bytes[offset &+ index]
            guard byte & 0xC0 == 0x80 else {
                if offset &+ index >= limit { return nil }
                throw ScanFault(reason: .invalidUTF8, offset: offset)
            }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        guard scalar >= least, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else {
            throw ScanFault(reason: .invalidUTF8, offset: offset)
        }
        guard scalar != 0xFFFE, scalar != 0xFFFF else {
            throw ScanFault(reason: .invalidCharacter(scalar), offset: offset)
        }
        return (scalar, length)
    }

    /// Bytes of the character at an offset whose byte is at least 0x80, if it is one of two or three bytes, whole and
    /// allowed; 0 for all that needs a closer look.
    @inline(__always)
    static func lengthOfUsual(in bytes: Span<UInt8>, at offset: Int) -> Int {
        let first = bytes[offset]
        let second = bytes[offset &+ 1]
        guard second & 0xC0 == 0x80 else { return 0 }
        if first < 0xE0 { return first >= 0xC2 ? 2 : 0 }
        let third = bytes[offset &+ 2]
        // Overlong forms begin with E0 80, surrogates with ED A0; U+FFFE is EF BF BE.
        guard first < 0xF0, third & 0xC0 == 0x80, first != 0xE0 || second >= 0xA0, first != 0xED || second < 0xA0,
            first != 0xEF || second != 0xBF
        else { return 0 }
        return 3
    }

    /// The end of the run of characters beyond ASCII that begins at an offset.
    /// - Returns: `nil` where the bytes of the window end within a character.
    @inline(__always)
    static func endOfRun(in bytes: Span<UInt8>, from offset: Int, limit: Int) throws(ScanFault) -> Int? {
        var index = offset
        while bytes[index] >= 0x80 {
            guard let character = try character(in: bytes, at: index, limit: limit) else { return nil }
            index &+= character.length
        }
        return index
    }
}
