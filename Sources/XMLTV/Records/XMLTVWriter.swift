/// A streaming writer of XMLTV in UTF-8 that writes one record at a time in constant memory.
///
/// ```swift
/// var writer = XMLTVWriter()
/// writer.begin(attributes: [.init("generator-info-name", "me")])
/// writer.write(XMLTVElement("channel", attributes: [.init("id", "one.example")]))
/// writer.end()
/// let bytes = writer.takeBytes()
/// ```
///
/// ``XMLTVReader`` reads back exactly what was written, except text that consists of white space only, and C1 controls.
/// The bytes accumulate until ``takeBytes()`` returns them.
///
/// The writer drops characters that XML can't represent (most control characters, U+FFFE, and U+FFFF) and elements and
/// attributes with an invalid name, including their content. Of two attributes with the same name, it keeps the first. C1
/// controls (U+0080 to U+009F), most of which are bytes of windows-1252, become the characters of these bytes, or are
/// dropped.
public struct XMLTVWriter: Sendable {
    /// The state of the document.
    private enum Stage { case empty, open, closed }

    /// Spaces per nesting level; `nil` adds no white space inside a record.
    public let indent: Int?
    /// The number of accumulated bytes.
    public var count: Int { bytes.count }

    private var bytes: [UInt8] = []
    private var stage = Stage.empty

    /// Creates a writer that puts each element on a separate line, as the XMLTV project's programs do.
    ///
    /// An element that holds text is written on one line, because white space in it would be part of the text.
    /// - Parameter indent: Spaces per nesting level, at most 16; the default is 2. `nil` adds no white space inside a
    ///   record.
    public init(indent: Int? = 2) {
        self.indent = indent.map { min(max($0, 0), 16) }
    }

    /// Writes the XML declaration and the start tag of `<tv>`.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of `<tv>`.
    ///   - doctype: Whether to write `<!DOCTYPE tv SYSTEM "xmltv.dtd">`, which validators require. The default is
    ///     `true`.
    /// - Precondition: Nothing has been written.
    public mutating func begin(attributes: [XMLTVElement.Attribute] = [], doctype: Bool = true) {
        precondition(stage == .empty, "A guide begins once")
        stage = .open
        bytes.append(markup: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        if doctype { bytes.append(markup: "<!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n\n") }
        bytes.append(markup: "<tv")
        append(attributes)
        bytes.append(markup: ">\n")
    }

    /// Writes a record: a channel, a programme, or an element that the DTD doesn't allow there.
    ///
    /// - Precondition: The guide has begun but not ended.
    /// - Complexity: O(bytes of the element).
    public mutating func write(_ element: XMLTVElement) {
        precondition(stage == .open, "A record is written between begin and end")
        guard XMLNames.isName(element.name) else { return }
        append(element, level: indent == nil ? nil : 1)
        if indent == nil { bytes.append(ASCII.lineFeed) }
    }

    /// Writes `</tv>`.
    ///
    /// - Precondition: The guide has begun but not ended.
    public mutating func end() {
        precondition(stage == .open, "A guide ends once, after it began")
        stage = .closed
        bytes.append(markup: "</tv>\n")
    }

    /// Returns the accumulated bytes and starts a new buffer.
    public mutating func takeBytes() -> [UInt8] {
        let taken = bytes
        bytes = []
        bytes.reserveCapacity(taken.count)
        return taken
    }
}

extension XMLTVWriter {
    /// Writes an element.
    ///
    /// - Parameter level: The nesting level; `nil` inside text, where no white space is added.
    private mutating func append(_ element: XMLTVElement, level: Int?) {
        appendIndent(level)
        bytes.append(ASCII.lessThan)
        bytes.append(contentsOf: element.name.utf8)
        append(element.attributes)
        let content = Content(of: element)
        if content == .nothing {
            bytes.append(markup: " />")
        } else {
            bytes.append(ASCII.greaterThan)
            let inner = content == .elements ? level.map { $0 + 1 } : nil
            if inner != nil { bytes.append(ASCII.lineFeed) }
            append(element.children, level: inner)
            if inner != nil { appendIndent(level) }
            bytes.append(markup: "</")
            bytes.append(contentsOf: element.name.utf8)
            bytes.append(ASCII.greaterThan)
        }
        if level != nil { bytes.append(ASCII.lineFeed) }
    }

    private mutating func append(_ children: [XMLTVElement.Child], level: Int?) {
        for child in children {
            switch child {
            case .element(let element):
                if XMLNames.isName(element.name) { append(element, level: level) }
            case .text(let text):
                // The writer's own indentation replaces white space between elements.
                if level == nil { bytes.append(escaping: text, for: .text) }
            }
        }
    }

    private mutating func append(_ attributes: [XMLTVElement.Attribute]) {
        var seen: Set<String> = []
        for attribute in attributes
        where XMLNames.isName(attribute.name) && (attributes.count < 2 || seen.insert(attribute.name).inserted) {
            bytes.append(ASCII.space)
            bytes.append(contentsOf: attribute.name.utf8)
            bytes.append(markup: "=\"")
            bytes.append(escaping: attribute.value, for: .attribute)
            bytes.append(ASCII.doubleQuote)
        }
    }

    private mutating func appendIndent(_ level: Int?) {
        guard let level, let indent else { return }
        bytes.append(contentsOf: repeatElement(ASCII.space, count: level * indent))
    }

    /// The kind of an element's content, which determines its layout.
    private enum Content {
        case nothing
        /// Elements with only white space between them.
        case elements
        case text

        init(of element: XMLTVElement) {
            var hasElements = false
            var hasSpace = false
            for child in element.children {
                switch child {
                case .element(let inner):
                    if XMLNames.isName(inner.name) { hasElements = true }
                case .text(let text):
                    for byte in text.utf8 {
                        guard byte.isXMLSpace else {
                            self = .text
                            return
                        }
                        hasSpace = true
                    }
                }
            }
            // Between child elements of a text, white space would be part of the text.
            let isElements = hasElements && !XMLTVName.textElementNames.contains(element.name)
            self = isElements ? .elements : hasElements || hasSpace ? .text : .nothing
        }
    }
}

extension XMLTVWriter {
    /// Returns the bytes that ``write(_:)`` writes for a record, for callers that write records later.
    package static func bytes(of record: XMLTVElement, indent: Int? = 2) -> [UInt8] {
        var writer = XMLTVWriter(indent: indent)
        writer.stage = .open
        writer.write(record)
        return writer.bytes
    }

    /// Writes bytes that ``bytes(of:indent:)`` returned for the same indent.
    ///
    /// - Precondition: The guide has begun but not ended.
    package mutating func write(bytes record: some Collection<UInt8>) {
        precondition(stage == .open, "A record is written between begin and end")
        bytes.append(contentsOf: record)
    }
}

/// The position of a text in a document, which determines what must be escaped.
private enum EscapedPlace {
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
    fileprivate mutating func append(markup: String) {
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
    fileprivate mutating func append(escaping text: String, for place: EscapedPlace) {
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
