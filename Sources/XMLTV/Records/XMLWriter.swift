/// A writer of XML elements that escapes all text and attribute values, for formats in which a text is one line: SVG and Atom.
///
/// White space characters become spaces. Escapes and drops other characters as ``XMLTVWriter`` does.
package struct XMLWriter: Sendable {
    /// A name and its value; attributes with an empty value are omitted.
    package typealias Attribute = (name: String, value: String)

    /// The markup written so far in UTF-8.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer without markup.
    package init() {}

    /// The markup written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes the XML declaration.
    package mutating func declaration() { bytes.append(markup: "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n") }

    /// Writes an element with the content that a closure writes.
    package mutating func element(
        _ name: String, _ attributes: [Attribute] = [], content: (inout XMLWriter) throws -> Void
    ) rethrows {
        begin(name, attributes)
        bytes.append(ASCII.greaterThan)
        try content(&self)
        bytes.append(markup: "</\(name)>")
    }

    /// Writes an element that contains text.
    package mutating func element(_ name: String, _ attributes: [Attribute] = [], text: String) {
        element(name, attributes) { $0.append(text, for: .text) }
    }

    /// Writes an element without content.
    package mutating func element(_ name: String, _ attributes: [Attribute]) {
        begin(name, attributes)
        bytes.append(markup: "/>")
    }

    /// Begins a new line, for readable source text only.
    package mutating func lineBreak() { bytes.append(ASCII.lineFeed) }

    private mutating func begin(_ name: String, _ attributes: [Attribute]) {
        bytes.append(markup: "<\(name)")
        for (name, value) in attributes where !value.isEmpty {
            bytes.append(markup: " \(name)=\"")
            append(value, for: .attribute)
            bytes.append(ASCII.doubleQuote)
        }
    }

    private mutating func append(_ text: String, for place: XMLPlace) {
        let isLine = !text.utf8.contains { $0 < ASCII.space && $0.isXMLSpace }
        let line = isLine ? text : String(decoding: text.utf8.map { $0.isXMLSpace ? ASCII.space : $0 }, as: UTF8.self)
        bytes.append(escaping: line, for: place)
    }
}

/// The position of a text in a document, which determines what must be escaped.
package enum XMLPlace {
    /// Between tags.
    case text
    /// In double quotes.
    case attribute
}

/// The bytes below 64 that may need escaping, one bit each: control characters, `"`, `&`, `<`, and `>`.
private let bytesToEscape: UInt64 =
    0xFFFF_FFFF | 1 << UInt64(ASCII.doubleQuote) | 1 << UInt64(ASCII.ampersand) | 1 << UInt64(ASCII.lessThan)
    | 1 << UInt64(ASCII.greaterThan)

extension [UInt8] {
    /// Appends markup unchanged.
    mutating func append(markup: String) {
        append(contentsOf: markup.utf8)
    }

    /// Appends text so that a reader restores it exactly.
    ///
    /// `&`, `<`, and `>` become references. So does a carriage return, which a reader would convert to a line feed (XML
    /// 1.0, 2.11), and, in an attribute, the quote and white space other than spaces, which a reader would convert to
    /// spaces (3.3.3). Characters that XML doesn't allow (production [2]) are dropped. So are C1 controls, which could
    /// control a terminal, except that those that are bytes of a character in windows-1252 become that character: a wrong
    /// conversion made most of them.
    /// - Complexity: O(bytes of the text). Runs that need no escaping are copied.
    package mutating func append(escaping text: String, for place: XMLPlace) {
        let source = text.utf8.span
        var copied = 0
        var index = 0
        while index < source.count {
            let byte = source[index]
            guard byte < 0x40 && bytesToEscape >> UInt64(byte) & 1 == 1 || byte == 0xC2 || byte == 0xEF else {
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
            case 0xC2 where index &+ 1 < source.count && source[index &+ 1] < 0xA0:
                let character = Windows1252.character(source[index &+ 1])
                replacement = character == "\u{FFFD}" ? "" : String(character)
                length = 2
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
    /// Returns whether U+FFFE or U+FFFF is at an index: EF BF BE or EF BF BF.
    fileprivate func isNonCharacter(at index: Int) -> Bool {
        index &+ 2 < count && self[index &+ 1] == 0xBF && self[index &+ 2] >= 0xBE
    }
}
