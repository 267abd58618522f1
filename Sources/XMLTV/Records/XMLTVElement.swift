/// An element of a guide as strings: its name, attributes, and children.
public struct XMLTVElement: Hashable, Sendable {
    /// A name and a value.
    public struct Attribute: Hashable, Sendable {
        /// The name as written, including its prefix.
        public var name: String
        /// The value with references resolved and white space converted to spaces.
        public var value: String
    }

    /// The content of an element.
    public enum Child: Hashable, Sendable {
        /// A child element.
        case element(XMLTVElement)
        /// Text as written, including white space. Comments and CDATA boundaries don't split it.
        case text(String)
    }

    /// The name as written, including its prefix.
    public var name: String
    /// The attributes in document order.
    public var attributes: [Attribute] = []
    /// The children in document order.
    public var children: [Child] = []

    /// The value of the attribute with a name, or `nil` if there is none.
    ///
    /// - Complexity: O(attributes).
    public subscript(attribute name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The text directly in the element, without leading and trailing white space.
    public var text: String {
        var result = ""
        for case .text(let text) in children { result += text }
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
        guard let first = result.firstIndex(where: { !isSpace($0) }),
            let last = result.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(result[first...last])
    }

    /// Returns the first child element with a name, or `nil` if there is none.
    public func child(_ name: String) -> XMLTVElement? {
        children(name).first
    }

    /// Returns the child elements with a name, in order.
    public func children(_ name: String) -> [XMLTVElement] {
        children.compactMap { child in
            if case .element(let element) = child, element.name == name { element } else { nil }
        }
    }
}

extension XMLTVElement {
    /// Creates the element that starts at a token.
    init(_ scanner: borrowing XMLScanner, from start: Int) {
        self.init(name: "")
        var open: [XMLTVElement] = []
        var text: [UInt8] = []
        for index in start..<scanner.tokenCount {
            let token = scanner.token(index)
            switch token.kind {
            case .text, .cdata:
                scanner.append(token, to: &text)
                continue
            case .skippedEntity:
                text.append(ASCII.ampersand)
                scanner.append(token, to: &text)
                text.append(ASCII.semicolon)
                continue
            case .comment, .processingInstruction:
                continue
            case .start, .attribute, .end:
                break
            }
            if !text.isEmpty, let last = open.indices.last {
                open[last].children.append(.text(String(decoding: text, as: UTF8.self)))
                text.removeAll(keepingCapacity: true)
            }
            switch token.kind {
            case .start:
                open.append(XMLTVElement(name: Self.name(of: token, scanner)))
            case .attribute:
                var value: [UInt8] = []
                scanner.append(token, to: &value)
                let attribute = Attribute(
                    name: Self.name(of: token, scanner), value: String(decoding: value, as: UTF8.self))
                if let last = open.indices.last { open[last].attributes.append(attribute) }
            default:
                guard let element = open.popLast() else { return }
                guard let last = open.indices.last else {
                    self = element
                    return
                }
                open[last].children.append(.element(element))
            }
        }
        // For the root, only the start tag is known: its children follow later.
        if let element = open.first { self = element }
    }

    private static func name(of token: XMLToken, _ scanner: borrowing XMLScanner) -> String {
        var bytes: [UInt8] = []
        scanner.appendName(of: token, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension XMLTVElement {
    /// Creates an element with attributes and children.
    public init(_ name: String, attributes: [Attribute] = [], children: [Child] = []) {
        self.init(name: name)
        self.attributes = attributes
        self.children = children
    }

    /// Creates an element with text.
    public init(_ name: String, attributes: [Attribute] = [], text: String) {
        self.init(name, attributes: attributes, children: text.isEmpty ? [] : [.text(text)])
    }
}

extension XMLTVElement.Attribute {
    /// Creates an attribute.
    public init(_ name: String, _ value: String) {
        self.init(name: name, value: value)
    }
}
