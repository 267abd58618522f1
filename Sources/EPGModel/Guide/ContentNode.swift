/// A piece of content beyond the typed model: an element of the feed with its attributes and children, or a text.
public enum ContentNode: Hashable, Sendable {
    case element(ContentElement)
    /// A text between elements, or the only one.
    case text(String)
}

/// An element as the feed wrote it, without the white space around its texts.
public struct ContentElement: Hashable, Sendable {
    public var name: String
    public var attributes: [ContentAttribute]
    /// Elements and texts in order.
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

    public var elements: [ContentElement] { children.elements }

    /// The child elements of that name, in order.
    public func elements(named name: String) -> [ContentElement] { elements.filter { $0.name == name } }

    /// The texts directly in the element, with a blank between them.
    public var text: String {
        var pieces: [String] = []
        for case .text(let piece) in children { pieces.append(piece) }
        return pieces.joined(separator: " ")
    }

    /// All texts in the element and its descendants, one after the other: `Text bold`.
    package var textContent: String {
        children.reduce(into: "") { text, child in
            switch child {
            case .text(let piece): text += piece
            case .element(let element): text += element.textContent
            }
        }
    }

    /// The elements of programmes and channels whose content is a text, by `xmltv.dtd`.
    private static let textNames: Set = [
        "title", "sub-title", "desc", "date", "category", "keyword", "language", "orig-language", "length", "url",
        "country", "episode-num", "premiere", "last-chance", "review", "image", "display-name",
    ]

    package var isTextElement: Bool { Self.textNames.contains(name) }

    /// Whether it is a text with child elements in it, such as `<title>Text <b>bold</b></title>`.
    package var isMarkedUpText: Bool { !elements.isEmpty && isTextElement }

    /// The element with its text content alone; `nil` where it has none.
    package var withoutMarkup: ContentElement? {
        let text = textContent
        return text.isEmpty ? nil : ContentElement(name: name, attributes: attributes, children: [.text(text)])
    }

    /// Percent-encodes the URLs of the element and of its descendants: those of `<icon>`, `<url>`, `<image>` and
    /// `<review type="url">` (``Swift/String/percentEncodedURL``).
    package mutating func encodeURLs() {
        switch name {
        case "icon":
            if let index = attributes.firstIndex(where: { $0.name == "src" }) {
                attributes[index].value = attributes[index].value.percentEncodedURL
            }
        case "url", "image",
            "review" where self[attribute: "type"] == "url":
            if children.count == 1, case .text(let url) = children[0] { children[0] = .text(url.percentEncodedURL) }
        default: break
        }
        children = children.encodingURLs
    }
}

/// An attribute of an element, its references resolved.
public struct ContentAttribute: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension [ContentNode] {
    package var elements: [ContentElement] {
        compactMap { node in
            if case .element(let element) = node { element } else { nil }
        }
    }

    /// The nodes with their URLs percent-encoded (``ContentElement/encodeURLs()``).
    package var encodingURLs: [ContentNode] {
        map { node in
            guard case .element(var element) = node else { return node }
            element.encodeURLs()
            return .element(element)
        }
    }
}
