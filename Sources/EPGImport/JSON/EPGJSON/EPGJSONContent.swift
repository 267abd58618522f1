import EPGModel

/// Reads content from EPG JSON: the inverse of what ``GuideJSONWriter`` writes.
///
/// ```
/// element   a string: its text
///           true: nothing is in it
///           an object: "@name" an attribute, "text" its text, anything else child elements;
///                      "content" texts and objects of child elements, in their order
/// elements  an array of such, or one of them alone
/// ```
///
/// Numbers count as their text; `null` and `false` say that there is no such element.
enum EPGJSONContent {
    /// Attributes of one element at most, as in XMLTV.
    private static let attributeLimit = 64

    /// The nodes of an object: of a programme, or what a station has beside its own members.
    ///
    /// - Parameter isOwn: Whether a key is a member of the line itself.
    static func nodes(
        of object: JSONNode, isOwn: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentNode] {
        var nodes: [ContentNode] = []
        for (key, value) in object.members where !isOwn(key) {
            if key.utf8.first == UInt8(ascii: "@") {
                // What XMLTV has as an attribute of the record is kept as an element of that name.
                for text in try texts(of: value, key) {
                    nodes.append(.element(ContentElement(name: key, children: [.text(text)])))
                }
            } else {
                try append(key, value, to: &nodes)
            }
        }
        return nodes
    }

    /// The attributes of an object whose members are names and texts.
    static func attributes(
        of object: JSONNode, isOwn: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentAttribute] {
        var attributes: [ContentAttribute] = []
        for (key, value) in object.members where !isOwn(key) {
            try set(EPGJSONName.name(of: key), value, key, in: &attributes)
        }
        return attributes
    }

    /// Appends what a member stands for: texts or child elements.
    private static func append(
        _ key: String, _ value: JSONNode, to nodes: inout [ContentNode]
    ) throws(EPGJSONFault) {
        if key == EPGJSONName.text {
            for text in try texts(of: value, key) { nodes.append(.text(text)) }
            return
        }
        let name = EPGJSONName.name(of: key)
        guard value.kind == .array else { return try appendElement(name, value, key, to: &nodes) }
        for element in value.elements {
            guard element.kind != .array else { throw EPGJSONFault(.notvalid, "\(key): an array within an array") }
            try appendElement(name, element, key, to: &nodes)
        }
    }

    private static func appendElement(
        _ name: String, _ value: JSONNode, _ key: String, to nodes: inout [ContentNode]
    ) throws(EPGJSONFault) {
        var element = ContentElement(name: name)
        switch value.token.kind {
        case .null, .false: return
        case .true: break
        case .object: try fill(&element, from: value)
        default: element.children = [.text(value.text ?? "")]
        }
        nodes.append(.element(element))
    }

    private static func fill(_ element: inout ContentElement, from object: JSONNode) throws(EPGJSONFault) {
        for (key, value) in object.members {
            if key.utf8.first == UInt8(ascii: "@") {
                try set(String(Substring(key.utf8.dropFirst())), value, key, in: &element.attributes)
            } else if key == EPGJSONName.content {
                try appendInOrder(value, to: &element.children)
            } else {
                try append(key, value, to: &element.children)
            }
        }
    }

    /// Appends what an array of texts and objects stands for.
    private static func appendInOrder(_ value: JSONNode, to nodes: inout [ContentNode]) throws(EPGJSONFault) {
        guard value.kind == .array else { throw EPGJSONFault(.notvalid, "\(EPGJSONName.content): not an array") }
        for item in value.elements {
            if let text = item.text {
                nodes.append(.text(text))
            } else {
                guard item.kind == .object else {
                    throw EPGJSONFault(.notvalid, "\(EPGJSONName.content): neither a string nor an object")
                }
                for (key, value) in item.members { try append(key, value, to: &nodes) }
            }
        }
    }

    /// Sets an attribute; of several of one name the last counts.
    private static func set(
        _ name: String, _ value: JSONNode, _ key: String, in attributes: inout [ContentAttribute]
    ) throws(EPGJSONFault) {
        guard value.kind != .null else { return }
        guard let text = value.text else { throw EPGJSONFault(.notvalid, "\(key): not a string") }
        if let place = attributes.firstIndex(where: { $0.name == name }) {
            attributes[place].value = text
            return
        }
        guard attributes.count < attributeLimit else {
            throw EPGJSONFault(.notvalid, "\(key): more than \(attributeLimit) attributes")
        }
        attributes.append(ContentAttribute(name: name, value: text))
    }

    private static func texts(of value: JSONNode, _ key: String) throws(EPGJSONFault) -> [String] {
        if value.kind == .null { return [] }
        if let text = value.text { return [text] }
        guard value.kind == .array else { throw EPGJSONFault(.notvalid, "\(key): not a string") }
        var texts: [String] = []
        for element in value.elements {
            guard let text = element.text else { throw EPGJSONFault(.notvalid, "\(key): not a string") }
            texts.append(text)
        }
        return texts
    }
}
