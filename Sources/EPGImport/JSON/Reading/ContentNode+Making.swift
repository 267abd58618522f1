import EPGModel
import XMLTV

extension [ContentNode] {
    /// Appends an element with a text; nothing where there is no text.
    ///
    /// - Parameter attributes: Those that have a value are set.
    mutating func append(
        _ name: String, _ text: String?, _ attributes: (name: String, value: String?)...
    ) {
        guard let text, !text.isEmpty else { return }
        append(name, attributes, children: [.text(text)])
    }

    /// Appends an element that holds no text.
    mutating func append(
        element name: String, _ attributes: (name: String, value: String?)..., children: [ContentNode] = []
    ) {
        append(name, attributes, children: children)
    }

    /// Appends an element whose only content is a child with a text; nothing where there is no text.
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

    /// The first element of that name.
    func element(named name: String) -> ContentElement? { elements.first { $0.name == name } }
}

extension Instant {
    /// The instant of an ISO 8601 time; one without a zone is in UTC. `nil` where it is no time of a day.
    init?(iso8601 text: String) {
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(text)
            guard time.precision >= .hour else { return nil }
            self.init(secondsSince1970: time.secondsSince1970)
        } catch {
            // Whoever asks reports what can't be read.
            return nil
        }
    }
}

extension ContentNode {
    /// Bytes that the node takes in memory, about, with all that is in it.
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
    /// Bytes that the text takes beside its value; up to 15 stand in that.
    var heldBytes: Int { utf8.count <= 15 ? 0 : 32 + utf8.count }
}
