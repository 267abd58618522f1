package import EPGModel
import XMLTV

/// The representation of elements in EPG JSON (Documentation/epg-json.md, "Elements").
///
/// ```
/// element   a string: its text
///           true: an empty element
///           an object: "@name" an attribute, "text" its text, anything else child elements;
///                      "content" texts and objects of child elements, in order
/// elements  an array of elements, or a single one
/// ```
///
/// In input, a number is read as text, and `null` and `false` mean that there is no such element.
package enum ElementJSON {
    /// The member for the text of an element.
    package static let text = "text"
    /// The member for mixed content, whose order matters.
    package static let content = "content"
    /// The member of a guide's first line that announces a line of type `end`.
    package static let end = "end"

    /// The elements of a programme whose text may be stored only in a column, in canonical order.
    static let columnNames = ["title", "sub-title", "desc"]

    /// Members of lines and elements that are not child elements.
    private static let reserved: Set<String> = ["type", "version", "id", text, content, end]

    /// The maximum number of attributes of an element, as in XMLTV.
    private static let maximumAttributeCount = 64

    /// Returns the key of a child element: its name, prefixed with `<` if the name alone has another meaning.
    package static func key(of name: String) -> String {
        let first = name.utf8.first
        let isSpecial = first == UInt8(ascii: "@") || first == UInt8(ascii: "<") || reserved.contains(name)
        return isSpecial ? "<" + name : name
    }

    /// Returns the name of the child element for a key.
    package static func name(of key: String) -> String {
        key.utf8.first == UInt8(ascii: "<") ? String(Substring(key.utf8.dropFirst())) : key
    }
}

// MARK: - Writing

extension ElementJSON {
    /// Appends a comma unless an object or array starts here.
    @inline(__always)
    package static func appendComma(to bytes: inout [UInt8]) {
        if bytes.last != UInt8(ascii: "{"), bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
    }

    /// Appends a key and a colon, after a comma unless it is the first member of its object.
    package static func append(key: String, to bytes: inout [UInt8]) {
        appendComma(to: &bytes)
        JSONText.append(quoted: key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends a member for the only element of a name, which contains only text.
    static func append(text: String, ofOnly name: String, to bytes: inout [UInt8]) {
        JSONText.append(quoted: name, to: &bytes)
        bytes.append(contentsOf: ":[".utf8)
        JSONText.append(quoted: text, to: &bytes)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends nodes as an object.
    ///
    /// - Parameter nodes: In canonical order.
    package static func append(object nodes: [ContentNode], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        append(nodes, to: &bytes, isRecord: true)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends attributes as members of an object.
    package static func append(_ attributes: [ContentAttribute], to bytes: inout [UInt8]) {
        for attribute in attributes {
            append(key: key(of: attribute.name), to: &bytes)
            JSONText.append(quoted: attribute.value, to: &bytes)
        }
    }

    /// Appends attributes as an object.
    package static func append(object attributes: [ContentAttribute], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        append(attributes, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends nodes as members of an object: the text, and an array for each element name.
    ///
    /// - Parameters:
    ///   - nodes: Nodes in canonical order, in which elements of one name are adjacent.
    ///   - isRecord: Whether the object is a station or programme, whose elements `@name` represent attributes.
    package static func append(_ nodes: [ContentNode], to bytes: inout [UInt8], isRecord: Bool) {
        for case .text(let text) in nodes {
            append(key: Self.text, to: &bytes)
            JSONText.append(quoted: text, to: &bytes)
        }
        for group in nodes.elements.groups {
            let first = group[group.startIndex]
            if isRecord, group.count == 1, let value = first.attributeValue {
                append(key: first.name, to: &bytes)
                JSONText.append(quoted: value, to: &bytes)
                continue
            }
            append(key: key(of: first.name), to: &bytes)
            bytes.append(UInt8(ascii: "["))
            for element in group {
                appendComma(to: &bytes)
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// Appends an element as a value: `true`, a string, or an object.
    package static func append(_ element: ContentElement, to bytes: inout [UInt8]) {
        if element.attributes.isEmpty {
            if element.children.isEmpty { return bytes.append(contentsOf: "true".utf8) }
            if let text = element.onlyText { return JSONText.append(quoted: text, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "{"))
        for attribute in element.attributes {
            append(key: "@" + attribute.name, to: &bytes)
            JSONText.append(quoted: attribute.value, to: &bytes)
        }
        if element.needsOrder {
            append(key: content, to: &bytes)
            append(inOrder: element.children, to: &bytes)
        } else {
            append(element.children, to: &bytes, isRecord: false)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends texts as strings and elements as objects of one member.
    private static func append(inOrder nodes: [ContentNode], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for node in nodes {
            appendComma(to: &bytes)
            switch node {
            case .text(let text): JSONText.append(quoted: text, to: &bytes)
            case .element(let element):
                bytes.append(UInt8(ascii: "{"))
                append(key: key(of: element.name), to: &bytes)
                append(element, to: &bytes)
                bytes.append(UInt8(ascii: "}"))
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }
}

extension [ContentElement] {
    /// The groups of adjacent elements with the same name, compared byte by byte.
    fileprivate var groups: [ArraySlice<ContentElement>] {
        var groups: [ArraySlice<ContentElement>] = []
        var rest = self[...]
        while let first = rest.first {
            let group = rest.prefix { $0.name.utf8.elementsEqual(first.name.utf8) }
            groups.append(group)
            rest = rest[group.endIndex...]
        }
        return groups
    }
}

extension ContentElement {
    /// Whether the children are anything but one text followed by the elements of each name.
    fileprivate var needsOrder: Bool {
        let elements = elements
        guard !elements.isEmpty else { return false }
        let texts = children.count - elements.count
        if case .element = children[0], texts > 0 { return true }
        let names = elements.groups.map { Array($0[$0.startIndex].name.utf8) }
        return texts > 1 || Set(names).count < names.count
    }

    /// The value of an attribute that is stored as an element `@name`; `nil` for any other element.
    fileprivate var attributeValue: String? {
        name.utf8.first == UInt8(ascii: "@") && attributes.isEmpty ? onlyText : nil
    }

    /// The text of an element that has no other children.
    fileprivate var onlyText: String? {
        if children.count == 1, case .text(let text) = children[0] { text } else { nil }
    }
}

// MARK: - Reading

extension ElementJSON {
    /// Returns the nodes of an object: of a programme, or of a station without the members of its line.
    ///
    /// - Parameter isSkipped: Returns whether a key is a member of the line itself, and is skipped.
    /// - Throws: ``EPGJSONFault`` for an invalid element or attribute.
    package static func nodes(
        of object: JSONNode, isSkipped: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentNode] {
        var columns: [String: String] = [:]
        return try nodes(of: object, &columns, isSkipped: isSkipped)
    }

    /// Returns the nodes of an object.
    ///
    /// - Parameter columns: The texts of columns by the name of the element whose text is `null`. On return, only those
    ///   remain for which the object has no member. Otherwise, `null` means that there is no such element.
    static func nodes(
        of object: JSONNode, _ columns: inout [String: String], isSkipped: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentNode] {
        var nodes: [ContentNode] = []
        for place in object.children(of: .object) {
            let (key, value) = object.member(at: place)
            if isSkipped(key) { continue }
            if key.utf8.first == UInt8(ascii: "@") {
                try checkLength(of: key)
                // Attributes of the record in XMLTV are stored as elements of that name.
                for text in try texts(of: value, key) {
                    nodes.append(.element(ContentElement(name: key, children: [.text(text)])))
                }
            } else {
                try append(key, value, to: &nodes, &columns)
                columns[key] = nil
            }
        }
        return nodes
    }

    /// Returns the elements of a member.
    ///
    /// - Throws: ``EPGJSONFault`` for an invalid element or attribute.
    static func elements(named key: String, _ value: JSONNode) throws(EPGJSONFault) -> [ContentNode] {
        var (nodes, noColumns): ([ContentNode], [String: String]) = ([], [:])
        try append(key, value, to: &nodes, &noColumns)
        return nodes
    }

    /// Returns the attributes of an object whose members are names and texts.
    ///
    /// - Parameter isSkipped: Returns whether a key is a member of the line itself, and is skipped.
    /// - Throws: ``EPGJSONFault`` for a value that is not text, and for more than 64 attributes.
    package static func attributes(
        of object: JSONNode, isSkipped: (String) -> Bool = { _ in false }
    ) throws(EPGJSONFault) -> [ContentAttribute] {
        var attributes: [ContentAttribute] = []
        for (key, value) in object.members where !isSkipped(key) {
            try set(name(of: key), value, key, in: &attributes)
        }
        return attributes
    }

    /// Appends the content of a member: texts or child elements.
    private static func append(
        _ key: String, _ value: JSONNode, to nodes: inout [ContentNode], _ columns: inout [String: String]
    ) throws(EPGJSONFault) {
        if key == text {
            let texts = try texts(of: value, key)
            if !texts.isEmpty { nodes.append(.text(texts.joined(separator: " "))) }
            return
        }
        guard value.kind == .array else { return try append(element: key, value, to: &nodes, &columns) }
        for place in value.children(of: .array) {
            let element = JSONNode(value.record, at: place)
            guard element.kind != .array else { throw EPGJSONFault(.notvalid, "\(key): an array within an array") }
            try append(element: key, element, to: &nodes, &columns)
        }
    }

    private static func append(
        element key: String, _ value: JSONNode, to nodes: inout [ContentNode], _ columns: inout [String: String]
    ) throws(EPGJSONFault) {
        var element = ContentElement(name: name(of: key))
        try checkLength(of: element.name)
        switch value.kind {
        case .null:
            guard let text = columns.removeValue(forKey: element.name) else { return }
            element.children = [.text(text)]
        case .bool: guard value.bool == true else { return }
        case .object: try fill(&element, from: value, &columns)
        default: element.children = [.text(value.text ?? "")]
        }
        nodes.append(.element(element))
    }

    private static func fill(
        _ element: inout ContentElement, from object: JSONNode, _ columns: inout [String: String]
    ) throws(EPGJSONFault) {
        for place in object.children(of: .object) {
            let (key, value) = object.member(at: place)
            if key.utf8.first == UInt8(ascii: "@") {
                try set(String(Substring(key.utf8.dropFirst())), value, key, in: &element.attributes)
            } else if key == text, value.kind == .null {
                if let text = columns.removeValue(forKey: element.name) { element.children.append(.text(text)) }
            } else if key == content {
                try appendInOrder(value, to: &element.children)
            } else {
                try append(key, value, to: &element.children, &columns)
            }
        }
    }

    /// Appends the content of an array of texts and objects.
    private static func appendInOrder(_ value: JSONNode, to nodes: inout [ContentNode]) throws(EPGJSONFault) {
        guard value.kind == .array else { throw EPGJSONFault(.notvalid, "\(content): not an array") }
        var noColumns: [String: String] = [:]
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

    /// Sets an attribute. The last one of a name wins.
    private static func set(
        _ name: String, _ value: JSONNode, _ key: String, in attributes: inout [ContentAttribute]
    ) throws(EPGJSONFault) {
        guard value.kind != .null else { return }
        guard let text = value.text else { throw EPGJSONFault(.notvalid, "\(key): not a string") }
        try checkLength(of: name)
        if let place = attributes.firstIndex(where: { $0.name == name }) {
            attributes[place].value = text
            return
        }
        guard attributes.count < maximumAttributeCount else {
            throw EPGJSONFault(.notvalid, "\(key): more than \(maximumAttributeCount) attributes")
        }
        attributes.append(ContentAttribute(name: name, value: text))
    }

    /// Checks that a name is not longer than ``XMLTokenRecord`` allows.
    private static func checkLength(of name: String) throws(EPGJSONFault) {
        guard name.utf8.count > XMLTokenRecord.maximumNameCount else { return }
        throw EPGJSONFault(
            .notvalid, "a name has \(name.utf8.count) bytes; the maximum is \(XMLTokenRecord.maximumNameCount)")
    }

    private static func texts(of value: JSONNode, _ key: String) throws(EPGJSONFault) -> [String] {
        if value.kind == .null { return [] }
        let texts = (value.kind == .array ? value.elements : [value]).map(\.text)
        guard !texts.contains(nil) else { throw EPGJSONFault(.notvalid, "\(key): not a string") }
        return texts.compactMap(\.self)
    }
}

/// An error for an invalid element, attribute, or line of EPG JSON. In a guide, it affects only its own line.
package struct EPGJSONFault: Error, Hashable {
    /// The keyword of the diagnostic.
    package let keyword: Diagnostic.Keyword
    /// The invalid text, or the member and what is expected, at most 200 characters.
    package let quote: String

    package init(_ keyword: Diagnostic.Keyword, _ quote: String) {
        self.keyword = keyword
        self.quote = String(quote.prefix(200))
    }
}
