import EPGModel
import XMLTV

extension [ContentNode] {
    /// Appends an element with a text, unless the text is missing or empty.
    ///
    /// - Parameter attributes: Attributes without a value are omitted.
    mutating func append(
        _ name: String, _ text: String?, _ attributes: (name: String, value: String?)...
    ) {
        guard let text, !text.isEmpty else { return }
        append(name, attributes, children: [.text(text)])
    }

    /// Appends an element without text.
    mutating func append(
        element name: String, _ attributes: (name: String, value: String?)..., children: [ContentNode] = []
    ) {
        append(name, attributes, children: children)
    }

    /// Appends an element that contains only a child with a text, unless the text is missing or empty.
    mutating func append(
        _ name: String, _ attributes: (name: String, value: String?)..., child: String, _ text: String?
    ) {
        var children: [ContentNode] = []
        children.append(child, text)
        if !children.isEmpty { append(name, attributes, children: children) }
    }

    private mutating func append(
        _ name: String, _ attributes: [(name: String, value: String?)], children: [ContentNode]
    ) {
        let attributes = attributes.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : ContentAttribute(name: name, value: $0) }
        }
        append(.element(ContentElement(name: name, attributes: attributes, children: children)))
    }

    /// Returns the first element with a name.
    func element(named name: String) -> ContentElement? { elements.first { $0.name == name } }
}

extension Instant {
    /// Parses an ISO 8601 time. A time without a zone is in UTC. Fails if it has no time of day.
    init?(iso8601 text: String) {
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(text)
            guard time.precision >= .hour else { return nil }
            self.init(secondsSince1970: time.secondsSince1970)
        } catch {
            // The caller reports the invalid time.
            return nil
        }
    }
}

extension ContentNode {
    /// The approximate memory of the node and its descendants in bytes.
    var heldBytes: Int {
        switch self {
        case .text(let text): MemoryLayout<ContentNode>.stride + text.heldBytes
        case .element(let element):
            MemoryLayout<ContentNode>.stride + element.name.heldBytes
                + element.attributes.reduce(element.attributes.isEmpty ? 0 : 32) {
                    $0 + MemoryLayout<ContentAttribute>.stride + $1.name.heldBytes + $1.value.heldBytes
                }
                + element.children.reduce(element.children.isEmpty ? 0 : 32) { $0 + $1.heldBytes }
        }
    }
}

extension String {
    /// The memory of the string in bytes in addition to its value, which holds up to 15 bytes inline.
    var heldBytes: Int { utf8.count <= 15 ? 0 : 32 + utf8.count }
}
