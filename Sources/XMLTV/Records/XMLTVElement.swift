/// An element of a guide as strings: its name, attributes and children.
public struct XMLTVElement: Hashable, Sendable {
    /// A name and a value.
    public struct Attribute: Hashable, Sendable {
        /// As it is written, prefix and all.
        public var name: String
        /// With references resolved and white space as blanks.
        public var value: String
    }

    /// What stands in an element.
    public enum Child: Hashable, Sendable {
        case element(XMLTVElement)
        /// A text as it is written, with its white space; pieces that only comments or CDATA marks part are one.
        case text(String)
    }

    /// As it is written, prefix and all.
    public var name: String
    /// In the order of the guide.
    public var attributes: [Attribute] = []
    /// In the order of the guide.
    public var children: [Child] = []

    /// The value of the attribute of that name.
    public subscript(attribute name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The texts directly in the element, without white space at both ends.
    public var text: String {
        var result = ""
        for case .text(let text) in children { result += text }
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
        guard let first = result.firstIndex(where: { !isSpace($0) }),
            let last = result.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(result[first...last])
    }

    /// The first child element of that name.
    public func child(_ name: String) -> XMLTVElement? {
        children(name).first
    }

    /// The child elements of that name, in order.
    public func children(_ name: String) -> [XMLTVElement] {
        children.compactMap { child in
            if case .element(let element) = child, element.name == name { element } else { nil }
        }
    }
}

extension XMLTVElement {
    /// The element that begins at a token.
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
        // The root's start tag alone: its attributes are known, its children come later.
        if let element = open.first { self = element }
    }

    private static func name(of token: XMLToken, _ scanner: borrowing XMLScanner) -> String {
        var bytes: [UInt8] = []
        scanner.appendName(of: token, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
