import EPGModel
import XMLTV

extension XMLTVElement {
    /// Returns the element's attributes and children as nodes of a stored document. An attribute becomes an element
    /// `@name`.
    func contentNodes(without identifier: String) -> [ContentNode] {
        let extra = attributes.filter { $0.name != identifier }.map { attribute in
            ContentNode.element(ContentElement(name: "@" + attribute.name, children: [.text(attribute.value)]))
        }
        let nodes = children.compactMap { child -> ContentNode? in
            guard case .element(let element) = child else { return child.contentNode }
            let unchanged = element.unchangedContent
            return unchanged.isMarkedUpText ? .element(unchanged.normalizedMarkup) : element.contentNode
        }
        return nodes + extra
    }

    /// The element with its white space unchanged.
    private var unchangedContent: ContentElement {
        ContentElement(
            name: name, attributes: attributes.map { ContentAttribute(name: $0.name, value: $0.value) },
            children: children.map { child in
                switch child {
                case .text(let text): .text(text)
                case .element(let element): .element(element.unchangedContent)
                }
            })
    }
}

extension XMLTVElement {
    /// The element as a node, with its texts trimmed and without line breaks.
    var contentNode: ContentNode {
        .element(
            ContentElement(
                name: name, attributes: attributes.map { ContentAttribute(name: $0.name, value: $0.value) },
                children: children.compactMap(\.contentNode)))
    }
}

extension XMLTVElement.Child {
    /// The child as a node, or `nil` for white space.
    fileprivate var contentNode: ContentNode? {
        switch self {
        case .text(let text):
            var bytes: [UInt8] = []
            TextNormalizer.append(Array(text.utf8), isDescription: false, to: &bytes)
            return bytes.isEmpty ? nil : .text(String(decoding: bytes, as: UTF8.self))
        case .element(let element):
            return element.contentNode
        }
    }
}
