package import EPGModel

/// The JSON documents that stores keep in addition to their columns, in SQLite as well as PostgreSQL.
///
/// A document is an object with the members of Documentation/epg-json.md that no column holds. Equal content has equal
/// documents, byte by byte.
package enum StoredDocument {
    /// An error for a document that cannot be read: the database is damaged, or another program wrote it.
    package struct Damage: Error, Hashable, Sendable {
        /// The description of the damage.
        package let detail: String

        package init(detail: String) {
            self.detail = detail
        }
    }

    /// The empty document.
    package static let empty = Array("{}".utf8)

    /// Returns the document of a station: all its elements.
    package static func nodes(_ nodes: [ContentNode]) -> [UInt8] {
        var bytes: [UInt8] = []
        ElementJSON.append(object: nodes.canonical, to: &bytes)
        return bytes
    }

    /// Returns the document of the attributes of a transmission, a guide, or a lineup, in the given order.
    package static func attributes(_ attributes: [ContentAttribute]) -> [UInt8] {
        var bytes: [UInt8] = []
        ElementJSON.append(object: attributes, to: &bytes)
        return bytes
    }

    /// The kinds of documents.
    package enum Kind: Hashable, Sendable {
        case nodes, attributes, texts
        /// A JSON object that the store does not read.
        case any

        /// Whether a document is of this kind.
        package func isReadable(_ bytes: [UInt8]) -> Bool {
            do throws(Damage) {
                switch self {
                case .nodes: _ = try StoredDocument.nodes(bytes)
                case .attributes: _ = try StoredDocument.attributes(bytes)
                case .texts: _ = try StoredDocument.texts(bytes)
                case .any: _ = try StoredDocument.object(bytes)
                }
                return true
            } catch {
                return false
            }
        }
    }

    /// Returns the JSON bytes of an array of strings.
    package static func texts(_ texts: [String]) -> [UInt8] {
        var json = JSONWriter()
        json.write(texts)
        return json.takeBytes()
    }

    /// Returns the JSON bytes of an array of identifiers of airings, as strings.
    package static func identifiers(_ airings: [AiringID]) -> [UInt8] { texts(airings.map(\.description)) }

    /// Returns the identifiers that ``identifiers(_:)-([AiringID])`` wrote.
    ///
    /// - Throws: ``Damage``.
    package static func identifiers(_ bytes: [UInt8]) throws(Damage) -> [AiringID] {
        try texts(bytes).compactMap { Int64($0) }.map { AiringID($0) }
    }

    /// Returns the nodes of a document without columns, such as a station's.
    ///
    /// - Throws: ``Damage``.
    package static func nodes(_ bytes: [UInt8]) throws(Damage) -> [ContentNode] {
        try read(bytes) { node throws(EPGJSONFault) in try ElementJSON.nodes(of: node) }
    }

    /// Returns the attributes that ``attributes(_:)-([ContentAttribute])`` wrote.
    ///
    /// - Throws: ``Damage``.
    package static func attributes(_ bytes: [UInt8]) throws(Damage) -> [ContentAttribute] {
        try read(bytes) { node throws(EPGJSONFault) in try ElementJSON.attributes(of: node) }
    }

    /// Returns the texts that ``texts(_:)-([String])`` wrote.
    ///
    /// - Throws: ``Damage``.
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
        let object = try object(bytes)
        do throws(EPGJSONFault) {
            return try body(object)
        } catch {
            throw Damage(detail: error.quote)
        }
    }

    static func object(_ bytes: [UInt8]) throws(Damage) -> JSONNode {
        let node = try node(bytes)
        guard node.kind == .object else { throw Damage(detail: "not a JSON object") }
        return node
    }

    private static func node(_ bytes: [UInt8]) throws(Damage) -> JSONNode {
        do throws(JSONError) {
            return try JSONNode(parsing: bytes)
        } catch {
            throw Damage(detail: "\(error)")
        }
    }
}

extension StoredProgramme {
    /// Creates a programme from nodes in any order, with all texts in the document.
    package init(_ nodes: [ContentNode], marks: AiringMarks = []) {
        self.init(marks: marks, document: StoredDocument.nodes(nodes))
    }

    /// The texts of the columns by the names of their elements.
    private var columns: [String: String] {
        var columns: [String: String] = [:]
        if !title.isEmpty { columns["title"] = title }
        columns["sub-title"] = subtitle
        columns["desc"] = description
        return columns
    }

    /// Returns the nodes of the programme in canonical order.
    ///
    /// - Throws: ``StoredDocument/Damage``.
    package func nodes() throws(StoredDocument.Damage) -> [ContentNode] {
        var columns = columns
        var nodes: [ContentNode] = []
        // The shortest document, `{}`, needs no parsing.
        if document.count > 2 {
            nodes = try StoredDocument.read(document) { object throws(EPGJSONFault) in
                try ElementJSON.nodes(of: object, &columns)
            }
        }
        var place = 0
        for name in ElementJSON.columnNames {
            // If the document has no element of that name, the column's text is the only one.
            guard let text = columns[name] else { continue }
            let rank = ElementOrder.rank(ofElement: name)
            while place < nodes.count, nodes[place].rank < rank { place += 1 }
            nodes.insert(.element(ContentElement(name: name, children: [.text(text)])), at: place)
        }
        return nodes
    }

    /// Appends the programme as a JSON object: the document with the texts of the columns inserted.
    ///
    /// This takes a fifth of the time of reading and writing the nodes.
    /// - Throws: ``StoredDocument/Damage``.
    package func appendJSON(to bytes: inout [UInt8]) throws(StoredDocument.Damage) {
        let object = try StoredDocument.object(document)
        // Token offsets are relative to the first byte of the value, without leading white space.
        let document = object.record.bytes
        let columns = columns
        var missing = ElementJSON.columnNames.filter { columns[$0] != nil && object[$0] == nil }[...]
        bytes.append(UInt8(ascii: "{"))
        var copied = 1
        for place in object.children(of: .object) {
            let (key, value) = (object.record.tokens[place], place + 1)
            let name = object.record.text(key)
            let rank = name == ElementJSON.text ? -1 : Int(ElementOrder.rank(ofElement: ElementJSON.name(of: name)))
            while let column = missing.first, ElementOrder.rank(ofElement: column) < rank {
                bytes += document[copied..<Int(key.offset) - 1]
                copied = Int(key.offset) - 1
                ElementJSON.append(text: columns[column] ?? "", ofOnly: column, to: &bytes)
                bytes.append(UInt8(ascii: ","))
                missing = missing.dropFirst()
            }
            guard let text = columns[name] else { continue }
            let end = Int(object.record.tokens[value].next)
            guard let null = object.record.tokens[value..<end].first(where: { $0.kind == .null }) else { continue }
            bytes += document[copied..<Int(null.offset)]
            JSONText.append(quoted: text, to: &bytes)
            copied = Int(null.offset) + 4
        }
        bytes += document[copied..<document.count - 1]
        for column in missing {
            ElementJSON.appendComma(to: &bytes)
            ElementJSON.append(text: columns[column] ?? "", ofOnly: column, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension ContentNode {
    /// The rank among siblings. Text precedes all elements.
    fileprivate var rank: Int {
        if case .element(let element) = self { Int(ElementOrder.rank(ofElement: element.name)) } else { -1 }
    }
}
