/// A piece of content beyond the typed model: an element of the feed with its attributes and children, or a text.
public enum ContentNode: Hashable, Sendable {
    /// An element with everything in it.
    case element(ContentElement)
    /// A text between elements, or the only one.
    case text(String)
}

/// An element as the feed wrote it, without the white space around its texts.
public struct ContentElement: Hashable, Sendable {
    /// As the feed writes it.
    public var name: String
    /// None by default.
    public var attributes: [ContentAttribute]
    /// Elements and texts in order; none by default.
    public var children: [ContentNode]

    public init(name: String, attributes: [ContentAttribute] = [], children: [ContentNode] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The value of the first attribute of that name.
    public subscript(attribute name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The texts directly in the element, one after the other with a blank between them.
    public var text: String {
        var pieces: [String] = []
        for case .text(let piece) in children { pieces.append(piece) }
        return pieces.joined(separator: " ")
    }

    /// The child elements of that name, in order.
    public func elements(named name: String) -> [ContentElement] {
        elements.filter { $0.name == name }
    }

    /// The child elements, in order.
    public var elements: [ContentElement] {
        children.compactMap { node in
            if case .element(let element) = node { element } else { nil }
        }
    }
}

/// A name and a value.
public struct ContentAttribute: Hashable, Sendable {
    /// As the feed writes it.
    public var name: String
    /// As it is meant: references are resolved.
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
