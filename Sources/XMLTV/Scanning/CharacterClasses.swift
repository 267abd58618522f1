/// The bytes of markup, by what they are called.
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
    /// White space (XML 1.0, [3]): blank, tab, line feed, carriage return.
    @inline(__always)
    var isXMLSpace: Bool {
        self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D
    }

    /// An ASCII character that may begin a name (XML 1.0, [4]): a letter, `_` or `:`.
    @inline(__always)
    var isASCIINameStart: Bool {
        (self | 0x20) &- 0x61 < 26 || self == 0x5F || self == 0x3A
    }

    /// An ASCII character that may stand in a name (XML 1.0, [4a]): also digits, `-` and `.`.
    @inline(__always)
    var isASCIIName: Bool {
        isASCIINameStart || self &- 0x30 < 10 || self == 0x2D || self == 0x2E
    }

    /// The value of a hexadecimal digit.
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
    /// A character of XML 1.0, fifth edition, production [2].
    var isXMLCharacter: Bool {
        switch self {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// A character beyond ASCII that may begin a name: XML 1.0, fifth edition, production [4].
    var isNameStart: Bool {
        switch self {
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
            0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// A character beyond ASCII that may stand in a name: production [4a].
    var isName: Bool {
        isNameStart || self == 0xB7 || (0x0300...0x036F).contains(self) || (0x203F...0x2040).contains(self)
    }
}

/// Eight bytes looked at together: a bit is set at the top of each byte that wants a closer look.
///
/// Subtracting borrows from the next byte only below a byte that is a hit itself, so the lowest hit is always true,
/// and only that one is used.
enum ByteScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference
    }

    @inline(__always)
    private static func control(_ word: UInt64) -> UInt64 {
        (word &- ones &* 0x20) & ~word
    }

    /// In a text: `<`, `&`, `]`, control characters, and whatever is beyond ASCII.
    @inline(__always)
    static func text(_ word: UInt64) -> UInt64 {
        (equal(word, ASCII.lessThan) | equal(word, ASCII.ampersand) | equal(word, ASCII.closeBracket)
            | control(word) | word) & tops
    }

    /// In the value of an attribute: the quote, `<`, `&`, control characters, and whatever is beyond ASCII.
    @inline(__always)
    static func attribute(_ word: UInt64, quote: UInt8) -> UInt64 {
        (equal(word, quote) | equal(word, ASCII.lessThan) | equal(word, ASCII.ampersand) | control(word) | word) & tops
    }

    /// In comments and the like: one byte, control characters, and whatever is beyond ASCII.
    @inline(__always)
    static func plain(_ word: UInt64, until byte: UInt8) -> UInt64 {
        (equal(word, byte) | control(word) | word) & tops
    }

    /// `<` alone.
    @inline(__always)
    static func lessThan(_ word: UInt64) -> UInt64 { equal(word, ASCII.lessThan) & tops }

    /// Whether a byte is below a blank, or, where runs of them aren't allowed, two blanks stand together.
    @inline(__always)
    fileprivate static func isUnclean(_ word: UInt64, allowsRunsOfBlanks: Bool) -> Bool {
        if control(word) & tops != 0 { return true }
        if allowsRunsOfBlanks { return false }
        // A blank beside a blank; a hit that only a borrow made is found to be none by the loop over bytes.
        let blanks = equal(word, ASCII.space) & tops
        return blanks & (blanks << 8) != 0
    }
}

extension Span<UInt8> {
    /// How many bytes of a range are line feeds.
    ///
    /// - Complexity: O(bytes), 16 at a time: the optimizer vectorizes the inner loop, whose count fits into a byte.
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

    /// Whether a range holds no control characters and, unless they are allowed, no two blanks in a row.
    package func isClean(_ range: Range<Int>, allowsRunsOfBlanks: Bool) -> Bool {
        var index = range.lowerBound
        var previous: UInt8 = 0
        while index < range.upperBound {
            if index &+ 8 <= range.upperBound,
                !ByteScan.isUnclean(eightBytes(at: index), allowsRunsOfBlanks: allowsRunsOfBlanks),
                allowsRunsOfBlanks || previous != ASCII.space || self[index] != ASCII.space
            {
                index &+= 8
                previous = self[index &- 1]
                continue
            }
            // Only the bytes can tell; they are looked at one by one up to the next eight.
            let end = Swift.min(index &+ 8, range.upperBound)
            while index < end {
                let byte = self[index]
                if byte < ASCII.space || byte == ASCII.space && previous == ASCII.space && !allowsRunsOfBlanks {
                    return false
                }
                previous = byte
                index &+= 1
            }
        }
        return true
    }
}
