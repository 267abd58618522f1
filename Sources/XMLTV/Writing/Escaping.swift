/// Where a text stands in a document: what has to be escaped depends on it.
enum EscapedPlace {
    /// Between tags.
    case text
    /// In double quotes.
    case attribute
}

/// The bytes below 64 that may have to be escaped, a bit each: controls, `"`, `&`, `<` and `>`.
private let bytesToEscape: UInt64 =
    0xFFFF_FFFF | 1 << UInt64(ASCII.doubleQuote) | 1 << UInt64(ASCII.ampersand) | 1 << UInt64(ASCII.lessThan)
    | 1 << UInt64(ASCII.greaterThan)

extension [UInt8] {
    /// Appends markup as it is.
    mutating func append(markup: String) {
        append(contentsOf: markup.utf8)
    }

    /// Appends a text so that a reader finds it again, character by character.
    ///
    /// `&`, `<` and `>` become references; so does a carriage return, which would be read as a line feed (XML 1.0, 2.11),
    /// and, in an attribute, the quote and white space other than blanks, which would be read as blanks (3.3.3). A
    /// character that XML doesn't have (production [2]) is left out.
    /// - Complexity: O(bytes of the text); a copy of each run that needs nothing.
    mutating func append(escaping text: String, for place: EscapedPlace) {
        let source = text.utf8.span
        var copied = 0
        var index = 0
        while index < source.count {
            let byte = source[index]
            guard byte < 0x40 && bytesToEscape >> UInt64(byte) & 1 == 1 || byte == 0xEF else {
                index &+= 1
                continue
            }
            var length = 1
            var replacement: String?
            switch byte {
            case ASCII.ampersand: replacement = "&amp;"
            case ASCII.lessThan: replacement = "&lt;"
            case ASCII.greaterThan: replacement = "&gt;"
            case ASCII.carriageReturn: replacement = "&#13;"
            case ASCII.doubleQuote: replacement = place == .attribute ? "&quot;" : nil
            case ASCII.lineFeed: replacement = place == .attribute ? "&#10;" : nil
            case ASCII.tab: replacement = place == .attribute ? "&#9;" : nil
            case 0..<ASCII.space: replacement = ""
            case 0xEF where source.isNonCharacter(at: index):
                replacement = ""
                length = 3
            default: break
            }
            if let replacement {
                append(source, from: copied, count: index &- copied)
                append(markup: replacement)
                copied = index &+ length
            }
            index &+= length
        }
        append(source, from: copied, count: source.count &- copied)
    }
}

extension Span<UInt8> {
    /// Whether U+FFFE or U+FFFF stands at a place: EF BF BE or EF BF BF.
    fileprivate func isNonCharacter(at index: Int) -> Bool {
        index &+ 2 < count && self[index &+ 1] == 0xBF && self[index &+ 2] >= 0xBE
    }
}
