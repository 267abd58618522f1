/// Names for the ASCII characters of markup.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let exclamation: UInt8 = 0x21
    static let doubleQuote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let ampersand: UInt8 = 0x26
    static let singleQuote: UInt8 = 0x27
    static let hyphen: UInt8 = 0x2D
    static let slash: UInt8 = 0x2F
    static let semicolon: UInt8 = 0x3B
    static let lessThan: UInt8 = 0x3C
    static let equals: UInt8 = 0x3D
    static let greaterThan: UInt8 = 0x3E
    static let question: UInt8 = 0x3F
    static let openBracket: UInt8 = 0x5B
    static let closeBracket: UInt8 = 0x5D
    static let x: UInt8 = 0x78
}

extension UInt8 {
    /// White space (XML 1.0, [3]): space, tab, line feed, carriage return.
    @inline(__always)
    var isXMLSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D
    }

    /// An ASCII character that may start a name (XML 1.0, [4]): a letter, `_`, or `:`.
    @inline(__always)
    var isASCIINameStart: Bool {
        (self | 0x20) &- 0x61 < 26 || self == 0x5F || self == 0x3A
    }

    /// An ASCII character that may occur in a name (XML 1.0, [4a]): also digits, `-`, and `.`.
    @inline(__always)
    var isASCIIName: Bool {
        isASCIINameStart || self &- 0x30 < 10 || self == 0x2D || self == 0x2E
    }

    /// The value of the hexadecimal digit.
    var hexadecimalDigit: UInt32? {
        switch self {
        case 0x30...0x39: UInt32(self) - 0x30
        case 0x41...0x46: UInt32(self) - 0x41 + 10
        case 0x61...0x66: UInt32(self) - 0x61 + 10
        default: nil
        }
    }
}

extension UInt32 {
    /// A character allowed in XML 1.0, fifth edition, production [2].
    var isXMLCharacter: Bool {
        switch self {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// A non-ASCII character that may start a name: XML 1.0, fifth edition, production [4].
    var isNameStart: Bool {
        switch self {
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
            0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// A non-ASCII character that may occur in a name: production [4a].
    var isName: Bool {
        isNameStart || self == 0xB7 || (0x0300...0x036F).contains(self) || (0x203F...0x2040).contains(self)
    }
}

/// Scans of eight bytes at a time: the result has the top bit set in each byte that needs a closer look.
///
/// Subtraction borrows from the next byte only past a byte that is itself a hit. The lowest hit is therefore always
/// correct, and only that one is used.
package enum ByteScan {
    @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101
    @usableFromInline static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Finds an ASCII character. Non-ASCII bytes may be hits, too.
    @inlinable @inline(__always)
    static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        (word ^ (ones &* UInt64(byte))) &- ones
    }

    /// Finds control characters below a space. Non-ASCII bytes may be hits, too.
    @inlinable @inline(__always)
    static func control(_ word: UInt64) -> UInt64 { word &- ones &* 0x20 }

    /// Finds, in text, `<`, `&`, `]`, control characters, and non-ASCII bytes.
    @inline(__always)
    static func text(_ word: UInt64) -> UInt64 {
        (equal(word, ASCII.lessThan) | equal(word, ASCII.ampersand) | equal(word, ASCII.closeBracket)
            | control(word) | word) & highBits
    }

    /// Finds, in attribute values, the quote, `<`, `&`, control characters, and non-ASCII bytes.
    @inline(__always)
    static func attribute(_ word: UInt64, quote: UInt8) -> UInt64 {
        (equal(word, quote) | equal(word, ASCII.lessThan) | equal(word, ASCII.ampersand) | control(word) | word)
            & highBits
    }

    /// Finds, in comments and similar markup, one byte, control characters, and non-ASCII bytes.
    @inline(__always)
    static func plain(_ word: UInt64, until byte: UInt8) -> UInt64 {
        (equal(word, byte) | control(word) | word) & highBits
    }

    /// Finds, in JSON strings, `"`, `\`, control characters, DEL, and non-ASCII bytes.
    @inlinable @inline(__always)
    package static func json(_ word: UInt64) -> UInt64 {
        (equal(word, 0x22) | equal(word, 0x5C) | equal(word, 0x7F) | control(word) | word) & highBits
    }

    /// Finds `<`.
    @inline(__always)
    static func lessThan(_ word: UInt64) -> UInt64 { equal(word, ASCII.lessThan) & ~word & highBits }

    /// Returns whether a byte is below a space or, where runs of spaces aren't allowed, whether two spaces are
    /// adjacent.
    @inline(__always)
    fileprivate static func needsCleaning(_ word: UInt64, allowsRunsOfSpaces: Bool) -> Bool {
        if control(word) & ~word & highBits != 0 { return true }
        if allowsRunsOfSpaces { return false }
        // Adjacent spaces. The byte-by-byte loop discards false hits caused by a borrow.
        let blanks = equal(word, ASCII.space) & ~word & highBits
        return blanks & (blanks << 8) != 0
    }
}

extension Span<UInt8> {
    /// Returns the number of line feeds in a range.
    ///
    /// - Complexity: O(bytes), 16 at a time: the optimizer vectorizes the inner loop because its count fits into a
    ///   byte.
    func lineFeeds(in range: Range<Int>) -> Int {
        precondition(range.upperBound <= count && range.lowerBound >= 0)
        var total = 0
        var index = range.lowerBound
        while index < range.upperBound {
            let end = Swift.min(index &+ 255, range.upperBound)
            var some: UInt8 = 0
            while index < end {
                some &+= unsafe self[unchecked: index] == ASCII.lineFeed ? 1 : 0
                index &+= 1
            }
            total &+= Int(some)
        }
        return total
    }

    /// Returns whether a range holds no control characters and, unless they are allowed, no two consecutive spaces.
    package func isClean(_ range: Range<Int>, allowsRunsOfSpaces: Bool) -> Bool {
        var index = range.lowerBound
        var previous: UInt8 = 0
        while index < range.upperBound {
            if index &+ 8 <= range.upperBound,
                !ByteScan.needsCleaning(eightBytes(at: index), allowsRunsOfSpaces: allowsRunsOfSpaces),
                allowsRunsOfSpaces || previous != ASCII.space || self[index] != ASCII.space
            {
                index &+= 8
                previous = self[index &- 1]
                continue
            }
            // Check the bytes one by one, up to the next eight.
            let end = Swift.min(index &+ 8, range.upperBound)
            while index < end {
                let byte = self[index]
                if byte < ASCII.space || byte == ASCII.space && previous == ASCII.space && !allowsRunsOfSpaces {
                    return false
                }
                previous = byte
                index &+= 1
            }
        }
        return true
    }
}

/// Decoding and validation of UTF-8.
enum UTF8Scan {
    /// Decodes the non-ASCII character at an offset, and returns it with its length.
    ///
    /// Validates UTF-8 (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF) and what XML
    /// excludes (U+FFFE and U+FFFF).
    /// - Returns: `nil` if the window ends within the character.
    @inline(__always)
    static func character(
        in bytes: Span<UInt8>, at offset: Int, limit: Int
    ) throws(ScanFault) -> (scalar: UInt32, length: Int)? {
        let first = UInt32(bytes[offset])
        let length: Int
        var scalar: UInt32
        let minimum: UInt32
        switch first {
        case 0xC2...0xDF: (length, scalar, minimum) = (2, first & 0x1F, 0x80)
        case 0xE0...0xEF: (length, scalar, minimum) = (3, first & 0x0F, 0x800)
        case 0xF0...0xF4: (length, scalar, minimum) = (4, first & 0x07, 0x10000)
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
        guard scalar >= minimum, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else {
            throw ScanFault(reason: .invalidUTF8, offset: offset)
        }
        guard scalar != 0xFFFE, scalar != 0xFFFF else {
            throw ScanFault(reason: .invalidCharacter(scalar), offset: offset)
        }
        return (scalar, length)
    }

    /// Returns the length of the non-ASCII character at an offset if it is a complete, valid one of two or three bytes,
    /// or 0 if it needs a closer look.
    @inline(__always)
    static func lengthOfCommonCharacter(in bytes: Span<UInt8>, at offset: Int) -> Int {
        let first = bytes[offset]
        let second = bytes[offset &+ 1]
        guard second & 0xC0 == 0x80 else { return 0 }
        if first < 0xE0 { return first >= 0xC2 ? 2 : 0 }
        let third = bytes[offset &+ 2]
        // Overlong forms start with E0 80 and surrogates with ED A0. U+FFFE is EF BF BE.
        guard first < 0xF0, third & 0xC0 == 0x80, first != 0xE0 || second >= 0xA0, first != 0xED || second < 0xA0,
            first != 0xEF || second != 0xBF
        else { return 0 }
        return 3
    }

    /// Returns the end of the run of non-ASCII characters that starts at an offset.
    /// - Returns: `nil` if the window ends within a character.
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

/// Rules for names of elements and attributes.
enum XMLNames {
    /// Returns whether a text is a name: XML 1.0, fifth edition, production [5].
    ///
    /// - Complexity: O(bytes of the text).
    static func isName(_ text: String) -> Bool {
        var isFirst = true
        for scalar in text.unicodeScalars {
            let value = scalar.value
            let isAllowed: Bool
            if value < 0x80 {
                let byte = UInt8(truncatingIfNeeded: value)
                isAllowed = isFirst ? byte.isASCIINameStart : byte.isASCIIName
            } else {
                isAllowed = isFirst ? value.isNameStart : value.isName
            }
            guard isAllowed else { return false }
            isFirst = false
        }
        return !isFirst
    }
}
