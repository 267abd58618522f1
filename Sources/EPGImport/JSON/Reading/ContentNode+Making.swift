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
