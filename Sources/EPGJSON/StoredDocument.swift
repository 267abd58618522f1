package import EPGModel

/// The JSON documents that stores keep besides their columns, in SQLite and in PostgreSQL alike.
///
/// A document is an object with the members of Documentation/epg-json.md that no column carries. Equal contents have equal
/// documents, byte for byte.
package enum StoredDocument {
    /// A document that cannot be read: the database is damaged, or another program wrote it.
    package struct Damage: Error, Hashable, Sendable {
        /// What is wrong, in words.
        package let detail: String

        package init(detail: String) {
            self.detail = detail
        }
    }

    /// The document of what says nothing.
    package static let empty = Array("{}".utf8)

    /// The document of a station: all its elements.
    package static func nodes(_ nodes: [ContentNode]) -> [UInt8] {
        var bytes: [UInt8] = []
        ElementJSON.append(object: nodes.canonical, to: &bytes)
        return bytes
    }

    /// The document of the attributes of a transmission, a guide or a lineup, in the given order.
    package static func attributes(_ attributes: [ContentAttribute]) -> [UInt8] {
        var bytes: [UInt8] = []
        ElementJSON.append(object: attributes, to: &bytes)
        return bytes
    }

    /// An array of strings.
    package static func texts(_ texts: [String]) -> [UInt8] {
        var json = JSONWriter()
        json.write(texts)
        return json.takeBytes()
    }

    /// Returns the nodes of a document that no column completes, such as a station's.
    package static func nodes(_ bytes: [UInt8]) throws(Damage) -> [ContentNode] {
        try read(bytes) { node throws(EPGJSONFault) in try ElementJSON.nodes(of: node) }
    }

    /// Returns the attributes that ``attributes(_:)-([ContentAttribute])`` wrote.
    package static func attributes(_ bytes: [UInt8]) throws(Damage) -> [ContentAttribute] {
        try read(bytes) { node throws(EPGJSONFault) in try ElementJSON.attributes(of: node) }
    }

    /// Returns the texts that ``texts(_:)-([String])`` wrote.
    package static func texts(_ bytes: [UInt8]) throws(Damage) -> [String] {
        let node = try node(bytes)
        guard node.kind == .array else { throw Damage(detail: "not a JSON array") }
        var texts: [String] = []
        for element in node.elements {
            guard let text = element.string else { throw Damage(detail: "an array with something other than strings") }
            texts.append(text)
        }
        return texts
    }

    fileprivate static func read<Value>(
        _ bytes: [UInt8], _ body: (JSONNode) throws(EPGJSONFault) -> Value
    ) throws(Damage) -> Value {
        let node = try node(bytes)
        guard node.kind == .object else { throw Damage(detail: "not a JSON object") }
        do throws(EPGJSONFault) {
            return try body(node)
        } catch {
            throw Damage(detail: error.quote)
        }
    }

    private static func node(_ bytes: [UInt8]) throws(Damage) -> JSONNode {
        do throws(JSONError) {
            return try JSONNode(parsing: bytes)
        } catch {
            throw Damage(detail: "\(error)")
        }
    }
}

/// What a store keeps of a programme: the columns, and the document for everything else.
///
/// The first title, sub-title and description that are nothing but a text are columns. In the document `null` stands in their
/// place, or no member at all where there is one element without attributes. A text with child elements stays in the document;
/// the column then has a copy of its text content. The first category is in the document and in its column.
package struct ProgrammeDocument: Hashable, Sendable {
    /// Empty where the programme has none.
    package var title = ""
    package var subtitle: String?
    package var description: String?
    package var category: String?
    package var marks: AiringMarks = []
    /// The JSON.
    package var bytes: [UInt8] = []

    /// The columns and the document of a programme.
    ///
    /// - Parameter nodes: In any order. Texts are kept as they are.
    package init(_ nodes: [ContentNode]) {
        let nodes = nodes.canonical
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        var index = 0
        while index < nodes.count {
            guard case .element(let element) = nodes[index] else {
                ElementJSON.append([nodes[index]], to: &bytes, isFirst: &isFirst, isRecord: true)
                index += 1
                continue
            }
            let end = nodes[index...].firstIndex { !$0.isElement(named: element.name) } ?? nodes.endIndex
            append(Array(nodes[index..<end]), named: element.name, &isFirst)
            index = end
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Returns the nodes of a programme in canonical order.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - title: The column, and so are the others.
    /// - Throws: ``StoredDocument/Damage``.
    package static func nodes(
        _ bytes: [UInt8], title: String, subtitle: String?, description: String?
    ) throws(StoredDocument.Damage) -> [ContentNode] {
        var columns: [String: String] = [:]
        if !title.isEmpty { columns["title"] = title }
        columns["sub-title"] = subtitle
        columns["desc"] = description
        var nodes: [ContentNode] = []
        var absent = ["title", "sub-title", "desc"].filter { columns[$0] != nil }
        // Most documents hold something; the shortest, `{}`, needs no reading.
        if bytes.count > 2 {
            nodes = try StoredDocument.read(bytes) { object throws(EPGJSONFault) in
                absent.removeAll { object[$0] != nil }
                return try ElementJSON.nodes(of: object, columns: columns)
            }
        }
        var place = 0
        for name in absent {
            guard let text = columns[name] else { continue }
            let rank = ElementOrder.rank(ofElement: name)
            while place < nodes.count, nodes[place].rank < rank { place += 1 }
            nodes.insert(.element(ContentElement(name: name, children: [.text(text)])), at: place)
        }
        return nodes
    }

    /// Appends all elements of one name.
    private mutating func append(_ group: [ContentNode], named name: String, _ isFirst: inout Bool) {
        let columned = takeColumn(group, named: name)
        if columned == 0, group.count == 1, case .element(let only) = group[0], only.attributes.isEmpty { return }
        guard columned != nil else {
            return ElementJSON.append(group, to: &bytes, isFirst: &isFirst, isRecord: true)
        }
        ElementJSON.append(key: ElementJSON.key(of: name), to: &bytes, &isFirst)
        for (place, node) in group.enumerated() {
            bytes.append(place == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
            guard case .element(let element) = node else { continue }
            ElementJSON.append(element, isTextInColumn: place == columned, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Fills the column of a name; returns the place of the element whose text only the column has.
    private mutating func takeColumn(_ group: [ContentNode], named name: String) -> Int? {
        switch name {
        case "new": marks.insert(.new)
        case "premiere": marks.insert(.premiere)
        case "live": marks.insert(.live)
        default: break
        }
        for (place, node) in group.enumerated() {
            guard case .element(let element) = node, let text = element.columnText else { continue }
            let isWhole = !element.isMarkedUpText
            switch name {
            case "title": title = text
            case "sub-title": subtitle = text
            case "desc": description = text
            case "category":
                category = text
                return nil
            default: return nil
            }
            return isWhole ? place : nil
        }
        return nil
    }
}

extension ContentElement {
    /// The text for a column: the only text, or the text content of a marked-up text; `nil` where there is none.
    fileprivate var columnText: String? {
        if isMarkedUpText { return textContent.isEmpty ? nil : textContent }
        guard children.count == 1, case .text(let text) = children[0], !text.isEmpty else { return nil }
        return text
    }
}

extension ContentNode {
    /// The rank among siblings; a text is in front of all elements.
    fileprivate var rank: Int {
        if case .element(let element) = self { Int(ElementOrder.rank(ofElement: element.name)) } else { -1 }
    }
}
