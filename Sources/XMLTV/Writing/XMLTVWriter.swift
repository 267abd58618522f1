/// Writes a guide as XMLTV in UTF-8, record by record, in memory that doesn't grow.
///
/// ```swift
/// var writer = XMLTVWriter()
/// writer.begin(attributes: [.init("generator-info-name", "me")])
/// writer.write(XMLTVElement("channel", attributes: [.init("id", "one.example")]))
/// writer.end()
/// let bytes = writer.takeBytes()
/// ```
///
/// What ``XMLTVReader`` reads of it is what was written, but for texts that are nothing but white space. The bytes gather until
/// ``takeBytes()`` hands them out.
///
/// XML has no way to write some characters (most control characters, U+FFFE and U+FFFF): they are left out. An element
/// or attribute whose name XML doesn't allow is left out with all that it holds, and of two attributes of one name the
/// first stands.
public struct XMLTVWriter: Sendable {
    /// Where the document stands.
    private enum Stage { case empty, open, closed }

    /// Blanks for each level of elements; `nil` adds no white space inside a record.
    public let indent: Int?
    /// How many bytes wait to be taken.
    public var count: Int { bytes.count }

    private var bytes: [UInt8] = []
    private var stage = Stage.empty

    /// A writer that puts each element on a line of its own, as the XMLTV project's programs do.
    ///
    /// An element that holds text is written in one line: white space in it would be part of the text.
    /// - Parameter indent: Blanks for each level, at most 16; the default is 2. `nil` adds no white space inside a record.
    public init(indent: Int? = 2) {
        self.indent = indent.map { min(max($0, 0), 16) }
    }

    /// Writes the XML declaration and the start of `<tv>`.
    ///
    /// - Parameters:
    ///   - attributes: Those of `<tv>`.
    ///   - doctype: Whether `<!DOCTYPE tv SYSTEM "xmltv.dtd">` is written, which validators ask for. The default is yes.
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

    /// Writes a record: a channel, a programme, or an element that the DTD doesn't have there.
    ///
    /// - Precondition: The guide has begun and not ended.
    /// - Complexity: O(bytes of the element).
    public mutating func write(_ element: XMLTVElement) {
        precondition(stage == .open, "A record is written between begin and end")
        guard XMLNames.isName(element.name) else { return }
        append(element, level: indent == nil ? nil : 1)
        if indent == nil { bytes.append(ASCII.lineFeed) }
    }

    /// Writes `</tv>`.
    ///
    /// - Precondition: The guide has begun and not ended.
    public mutating func end() {
        precondition(stage == .open, "A guide ends once, after it began")
        stage = .closed
        bytes.append(markup: "</tv>\n")
    }

    /// Hands out the bytes that have gathered, and begins to gather anew.
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
    /// - Parameter level: How far it is indented; `nil` inside a text, where no white space is added.
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
                // White space between elements gives way to our own.
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

    /// What an element holds, as far as its layout depends on it.
    private enum Content {
        case nothing
        /// Elements, with nothing but white space between them.
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
            // Between the child elements of a text, white space would be part of it.
            let isElements = hasElements && !XMLTVName.textElementNames.contains(element.name)
            self = isElements ? .elements : hasElements || hasSpace ? .text : .nothing
        }
    }
}

extension XMLTVWriter {
    /// The bytes that ``write(_:)`` writes for a record: for who keeps records and writes them later.
    package static func bytes(of record: XMLTVElement, indent: Int? = 2) -> [UInt8] {
        var writer = XMLTVWriter(indent: indent)
        writer.stage = .open
        writer.write(record)
        return writer.bytes
    }

    /// Writes bytes that ``bytes(of:indent:)`` made with the same indent.
    ///
    /// - Precondition: The guide has begun and not ended.
    package mutating func write(bytes record: some Collection<UInt8>) {
        precondition(stage == .open, "A record is written between begin and end")
        bytes.append(contentsOf: record)
    }
}
