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
