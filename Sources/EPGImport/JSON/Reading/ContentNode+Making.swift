import EPGModel

extension [ContentNode] {
    /// Appends an element with a text; nothing where there is no text.
    ///
    /// - Parameter attributes: Those that have a value are set.
    mutating func append(
        _ name: String, _ text: String?, _ attributes: (name: String, value: String?)...
    ) {
        guard let text, !text.isEmpty else { return }
        append(
            .element(ContentElement(name: name, attributes: .having(attributes), children: [.text(text)])))
    }

    /// Appends an element that holds no text.
    mutating func append(
        element name: String, _ attributes: (name: String, value: String?)..., children: [ContentNode] = []
    ) {
        append(.element(ContentElement(name: name, attributes: .having(attributes), children: children)))
    }

    /// The first element of that name.
    func element(named name: String) -> ContentElement? {
        for case .element(let element) in self where element.name == name { return element }
        return nil
    }
}

extension [ContentAttribute] {
    /// The attributes that have a value.
    fileprivate static func having(_ pairs: [(name: String, value: String?)]) -> [ContentAttribute] {
        pairs.compactMap { pair in
            pair.value.flatMap { $0.isEmpty ? nil : ContentAttribute(name: pair.name, value: $0) }
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
