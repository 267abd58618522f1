package import EPGModel

/// Elements in EPG JSON (Documentation/epg-json.md, "Elements").
///
/// ```
/// element   a string: its text
///           true: nothing is in it
///           an object: "@name" an attribute, "text" its text, anything else child elements;
///                      "content" texts and objects of child elements, in their order
/// elements  an array of such, or one of them alone
/// ```
///
/// When reading, numbers count as their text; `null` and `false` mean that there is no such element.
package enum ElementJSON {
    /// The member that holds the text of an element.
    package static let text = "text"
    /// The member that holds texts and elements in their order, where that order matters.
    package static let content = "content"
    /// The member of a guide's first line that announces a line of the type `end`.
    package static let end = "end"

    /// Members of lines and elements that are not child elements.
    private static let reserved: Set<String> = ["type", "version", "id", text, content, end]

    /// Maximum number of attributes of an element, as in XMLTV.
    private static let maximumAttributeCount = 64

    /// Returns the key of a child element: its name, after a `<` where the name alone means something else.
    package static func key(of name: String) -> String {
        let first = name.utf8.first
        let isSpecial = first == UInt8(ascii: "@") || first == UInt8(ascii: "<") || reserved.contains(name)
        return isSpecial ? "<" + name : name
    }

    /// Returns the name of the child element that a key stands for.
    package static func name(of key: String) -> String {
        key.utf8.first == UInt8(ascii: "<") ? String(Substring(key.utf8.dropFirst())) : key
    }
}

// MARK: - Writing

extension ElementJSON {
    /// Appends a key and a colon, after a comma unless it is the first of its object.
    package static func append(key: String, to bytes: inout [UInt8], _ isFirst: inout Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONText.append(quoted: key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends nodes as an object.
    ///
    /// - Parameter nodes: In canonical order.
    package static func append(object nodes: [ContentNode], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        append(nodes, to: &bytes, isFirst: &isFirst, isRecord: true)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends attributes as members of an object.
    package static func append(
        _ attributes: [ContentAttribute], to bytes: inout [UInt8], isFirst: inout Bool
    ) {
        for attribute in attributes {
            append(key: key(of: attribute.name), to: &bytes, &isFirst)
            JSONText.append(quoted: attribute.value, to: &bytes)
        }
    }

    /// Appends attributes as an object.
    package static func append(object attributes: [ContentAttribute], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        append(attributes, to: &bytes, isFirst: &isFirst)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends nodes as members of an object: the text, and an array for each name of elements.
    ///
    /// - Parameters:
    ///   - nodes: In canonical order, in which elements of one name are neighbors.
    ///   - isRecord: Whether the object is a station or programme, whose elements `@name` stand for attributes.
    package static func append(
        _ nodes: [ContentNode], to bytes: inout [UInt8], isFirst: inout Bool, isRecord: Bool
    ) {
        var index = 0
        while index < nodes.count {
            guard case .element(let element) = nodes[index] else {
                if case .text(let text) = nodes[index] {
                    append(key: Self.text, to: &bytes, &isFirst)
                    JSONText.append(quoted: text, to: &bytes)
                }
                index += 1
                continue
            }
            let end = nodes[index...].firstIndex { !$0.isElement(named: element.name) } ?? nodes.endIndex
            if isRecord, end == index + 1, let value = element.attributeValue {
                append(key: element.name, to: &bytes, &isFirst)
                JSONText.append(quoted: value, to: &bytes)
            } else {
                append(key: key(of: element.name), to: &bytes, &isFirst)
                for (place, node) in nodes[index..<end].enumerated() {
                    bytes.append(place == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
                    if case .element(let element) = node { append(element, to: &bytes) }
                }
                bytes.append(UInt8(ascii: "]"))
            }
            index = end
        }
    }

    /// Appends an element as a value: `true`, a string or an object.
    ///
    /// - Parameter isTextInColumn: Whether to write `null` for the element's text, which a column of its own holds.
    package static func append(
        _ element: ContentElement, isTextInColumn: Bool = false, to bytes: inout [UInt8]
    ) {
        if element.attributes.isEmpty {
            if element.children.isEmpty {
                bytes.append(contentsOf: "true".utf8)
                return
            }
            if isTextInColumn {
                bytes.append(contentsOf: "null".utf8)
                return
            }
            if element.children.count == 1, case .text(let text) = element.children[0] {
                JSONText.append(quoted: text, to: &bytes)
                return
            }
        }
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for attribute in element.attributes {
            append(key: "@" + attribute.name, to: &bytes, &isFirst)
            JSONText.append(quoted: attribute.value, to: &bytes)
        }
        if isTextInColumn {
            append(key: text, to: &bytes, &isFirst)
            bytes.append(contentsOf: "null".utf8)
        } else if element.needsOrder {
            append(key: content, to: &bytes, &isFirst)
            append(inOrder: element.children, to: &bytes)
        } else {
            append(element.children, to: &bytes, isFirst: &isFirst, isRecord: false)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends texts as strings and elements as objects of one member.
    private static func append(inOrder nodes: [ContentNode], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (place, node) in nodes.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            switch node {
            case .text(let text): JSONText.append(quoted: text, to: &bytes)
            case .element(let element):
                bytes.append(UInt8(ascii: "{"))
                var isFirst = true
                append(key: key(of: element.name), to: &bytes, &isFirst)
                append(element, to: &bytes)
                bytes.append(UInt8(ascii: "}"))
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

extension ContentNode {
    /// Whether it is an element of that name, byte for byte.
    package func isElement(named name: String) -> Bool {
        if case .element(let element) = self { element.name.utf8.elementsEqual(name.utf8) } else { false }
    }
}

extension ContentElement {
    /// Whether the children are anything but a text followed by the elements of each name.
    fileprivate var needsOrder: Bool {
        let elements = elements
        guard !elements.isEmpty else { return false }
        if elements.count < children.count {
            guard case .text? = children.first, elements.count == children.count - 1 else { return true }
        }
        var seen: Set<String> = []
        var last: String?
        for element in elements where element.name != last {
            guard seen.insert(element.name).inserted else { return true }
            last = element.name
        }
        return false
    }

    /// The value of an attribute that is kept as an element `@name`; `nil` for any other element.
    fileprivate var attributeValue: String? {
        guard name.utf8.first == UInt8(ascii: "@"), attributes.isEmpty, children.count == 1,
            case .text(let text) = children[0]
        else { return nil }
        return text
    }
}

// MARK: - Reading

extension ElementJSON {
    /// Returns the nodes of an object: of a programme, or what a station has besides its own members.
    ///
    /// - Parameter isOwn: Whether a key is a member of the line itself.
    package static func nodes(
        of object: JSONNode, isOwn: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentNode] {
        var columns = ColumnTexts()
        return try nodes(of: object, &columns, isOwn: isOwn)
    }

    /// Returns the nodes of an object.
    ///
    /// - Parameter columns: The texts that `null` stands for. For other elements `null` means that there is none.
    static func nodes(
        of object: JSONNode, _ columns: inout ColumnTexts, isOwn: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentNode] {
        var nodes: [ContentNode] = []
        for (key, value) in object.members where !isOwn(key) {
            columns.note(member: key)
            if key.utf8.first == UInt8(ascii: "@") {
                // What XMLTV has as an attribute of the record is kept as an element of that name.
                for text in try texts(of: value, key) {
                    nodes.append(.element(ContentElement(name: key, children: [.text(text)])))
                }
            } else {
                try append(key, value, to: &nodes, &columns)
            }
        }
        return nodes
    }

    /// Returns the attributes of an object whose members are names and texts.
    package static func attributes(
        of object: JSONNode, isOwn: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentAttribute] {
        var attributes: [ContentAttribute] = []
        for (key, value) in object.members where !isOwn(key) {
            try set(name(of: key), value, key, in: &attributes)
        }
        return attributes
    }

    /// Appends what a member stands for: texts or child elements.
    private static func append(
        _ key: String, _ value: JSONNode, to nodes: inout [ContentNode], _ columns: inout ColumnTexts
    ) throws(EPGJSONFault) {
        if key == text {
            for text in try texts(of: value, key) { nodes.append(.text(text)) }
            return
        }
        let name = name(of: key)
        guard value.kind == .array else { return try appendElement(name, value, key, to: &nodes, &columns) }
        for element in value.elements {
            guard element.kind != .array else { throw EPGJSONFault(.notvalid, "\(key): an array within an array") }
            try appendElement(name, element, key, to: &nodes, &columns)
        }
    }

    private static func appendElement(
        _ name: String, _ value: JSONNode, _ key: String, to nodes: inout [ContentNode],
        _ columns: inout ColumnTexts
    ) throws(EPGJSONFault) {
        var element = ContentElement(name: name)
        switch value.kind {
        case .null:
            guard let text = columns.take(name) else { return }
            element.children = [.text(text)]
        case .bool: guard value.bool == true else { return }
        case .object: try fill(&element, from: value, &columns)
        default: element.children = [.text(value.text ?? "")]
        }
        nodes.append(.element(element))
    }

    private static func fill(
        _ element: inout ContentElement, from object: JSONNode, _ columns: inout ColumnTexts
    ) throws(EPGJSONFault) {
        for (key, value) in object.members {
            if key.utf8.first == UInt8(ascii: "@") {
                try set(String(Substring(key.utf8.dropFirst())), value, key, in: &element.attributes)
            } else if key == text, value.kind == .null {
                if let text = columns.take(element.name) { element.children.append(.text(text)) }
            } else if key == content {
                try appendInOrder(value, to: &element.children)
            } else {
                try append(key, value, to: &element.children, &columns)
            }
        }
    }

    /// Appends what an array of texts and objects stands for.
    private static func appendInOrder(_ value: JSONNode, to nodes: inout [ContentNode]) throws(EPGJSONFault) {
        guard value.kind == .array else { throw EPGJSONFault(.notvalid, "\(content): not an array") }
        var noColumns = ColumnTexts()
        for item in value.elements {
            if let text = item.text {
                nodes.append(.text(text))
            } else {
                guard item.kind == .object else {
                    throw EPGJSONFault(.notvalid, "\(content): neither a string nor an object")
                }
                for (key, value) in item.members { try append(key, value, to: &nodes, &noColumns) }
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
        guard attributes.count < maximumAttributeCount else {
            throw EPGJSONFault(.notvalid, "\(key): more than \(maximumAttributeCount) attributes")
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

/// An element, attribute or line of EPG JSON that cannot be read. In a guide it costs only its own line.
package struct EPGJSONFault: Error, Hashable {
    package let keyword: Diagnostic.Keyword
    /// The unreadable text, or the member and what it should be; at most 200 characters.
    package let quote: String

    package init(_ keyword: Diagnostic.Keyword, _ quote: String) {
        self.keyword = keyword
        self.quote = String(quote.prefix(200))
    }
}

/// The texts of a programme's columns, for the elements that they belong to.
struct ColumnTexts {
    /// The names of the elements that have a column for their text, in canonical order.
    static let names = ["title", "sub-title", "desc"]

    private var texts: [String?]
    /// Whether the document has a member of that name.
    private var hasMember = [false, false, false]

    /// No columns.
    init() {
        texts = [nil, nil, nil]
    }

    init(_ programme: StoredProgramme) {
        texts = [programme.title.isEmpty ? nil : programme.title, programme.subtitle, programme.description]
    }

    /// Notes that the document has a member.
    mutating func note(member key: String) {
        if let place = Self.names.firstIndex(of: key) { hasMember[place] = true }
    }

    /// Returns the text of the column for an element, once.
    mutating func take(_ name: String) -> String? {
        guard let place = Self.names.firstIndex(of: name) else { return nil }
        defer { texts[place] = nil }
        return texts[place]
    }

    /// The columns whose elements the document doesn't mention.
    var withoutMember: [(name: String, text: String)] {
        Self.names.indices.compactMap { place in
            hasMember[place] ? nil : texts[place].map { (Self.names[place], $0) }
        }
    }
}
