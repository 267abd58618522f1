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

extension StoredProgramme {
    /// The columns and the document of a programme.
    ///
    /// - Parameter nodes: In any order. Texts are kept as they are.
    package init(_ nodes: [ContentNode]) {
        self.init(document: [UInt8(ascii: "{")])
        let nodes = nodes.canonical
        var isFirst = true
        var index = 0
        while index < nodes.count {
            guard case .element(let element) = nodes[index] else {
                ElementJSON.append([nodes[index]], to: &document, isFirst: &isFirst, isRecord: true)
                index += 1
                continue
            }
            let end = nodes[index...].firstIndex { !$0.isElement(named: element.name) } ?? nodes.endIndex
            append(Array(nodes[index..<end]), named: element.name, &isFirst)
            index = end
        }
        document.append(UInt8(ascii: "}"))
    }

    /// Returns the nodes of the programme in canonical order.
    ///
    /// - Throws: ``StoredDocument/Damage``.
    package func nodes() throws(StoredDocument.Damage) -> [ContentNode] {
        var columns = ColumnTexts(self)
        // The shortest document, `{}`, needs no reading.
        var nodes: [ContentNode] = []
        if document.count > 2 {
            nodes = try StoredDocument.read(document) { object throws(EPGJSONFault) in
                try ElementJSON.nodes(of: object, &columns)
            }
        }
        var place = 0
        for column in columns.withoutMember {
            let rank = ElementOrder.rank(ofElement: column.name)
            while place < nodes.count, nodes[place].rank < rank { place += 1 }
            nodes.insert(.element(ContentElement(name: column.name, children: [.text(column.text)])), at: place)
        }
        return nodes
    }

    /// Appends the programme as a JSON object: the document, with the texts of the columns in their places.
    ///
    /// - Throws: ``StoredDocument/Damage``.
    package func appendJSON(to bytes: inout [UInt8]) throws(StoredDocument.Damage) {
        var columns = ColumnTexts(self)
        var members: [StoredMember] = []
        if document.count > 2 {
            members = try StoredDocument.read(document) { object throws(EPGJSONFault) in
                var members = object.rawMembers(in: document.count - 1)
                for index in members.indices { columns.note(member: members[index].name) }
                for index in members.indices where ColumnTexts.names.contains(members[index].name) {
                    members[index].text = columns.take(members[index].name)
                }
                return members
            }
        }
        var place = 0
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        func append(_ member: StoredMember, to bytes: inout [UInt8]) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            bytes.append(contentsOf: document[member.range.lowerBound..<(member.null ?? member.range.upperBound)])
            guard let null = member.null else { return }
            // Without a text, null means that there is no such element.
            if let text = member.text {
                JSONText.append(quoted: text, to: &bytes)
            } else {
                bytes.append(contentsOf: "null".utf8)
            }
            bytes.append(contentsOf: document[null + 4..<member.range.upperBound])
        }
        for column in columns.withoutMember {
            let rank = Int(ElementOrder.rank(ofElement: column.name))
            while place < members.count, members[place].rank < rank {
                append(members[place], to: &bytes)
                place += 1
            }
            ElementJSON.append(key: column.name, to: &bytes, &isFirst)
            bytes.append(UInt8(ascii: "["))
            JSONText.append(quoted: column.text, to: &bytes)
            bytes.append(UInt8(ascii: "]"))
        }
        for member in members[place...] { append(member, to: &bytes) }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends all elements of one name.
    private mutating func append(_ group: [ContentNode], named name: String, _ isFirst: inout Bool) {
        let columned = takeColumn(group, named: name)
        if columned == 0, group.count == 1, case .element(let only) = group[0], only.attributes.isEmpty { return }
        guard columned != nil else {
            return ElementJSON.append(group, to: &document, isFirst: &isFirst, isRecord: true)
        }
        ElementJSON.append(key: ElementJSON.key(of: name), to: &document, &isFirst)
        for (place, node) in group.enumerated() {
            document.append(place == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
            guard case .element(let element) = node else { continue }
            ElementJSON.append(element, isTextInColumn: place == columned, to: &document)
        }
        document.append(UInt8(ascii: "]"))
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

/// A member of a stored programme: where it is in the document.
private struct StoredMember {
    let name: String
    /// From its key to the end of its value.
    let range: Range<Int>
    /// Where `null` stands for the text of a column.
    let null: Int?
    /// That text.
    var text: String?

    /// The rank among siblings; a text is in front of all elements.
    var rank: Int { name == ElementJSON.text ? -1 : Int(ElementOrder.rank(ofElement: ElementJSON.name(of: name))) }
}

extension JSONNode {
    /// The members of the outermost object, whose `}` is at an offset.
    fileprivate func rawMembers(in end: Int) -> [StoredMember] {
        var members: [StoredMember] = []
        var index = self.index + 1
        let last = Int(token.next)
        while index < last {
            let key = record.tokens[index]
            let next = Int(record.tokens[index + 1].next)
            // Up to the comma before the next key.
            var stop = next < last ? Int(record.tokens[next].offset) - 1 : end
            while stop > 0, [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ",")].contains(record.bytes[stop - 1]) { stop -= 1 }
            let name = record.text(key)
            let null =
                ColumnTexts.names.contains(name)
                ? record.tokens[index + 1..<next].first { $0.kind == .null }.map { Int($0.offset) } : nil
            members.append(StoredMember(name: name, range: Int(key.offset) - 1..<stop, null: null))
            index = next
        }
        return members
    }
}

extension ContentElement {
    /// The text for a column: the only text, or the text content of a marked-up text; `nil` where there is none.
    package var columnText: String? {
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
