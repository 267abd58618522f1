import EPGImport
import EPGJSON
import EPGModel
import XMLTV

/// Reading JSON texts in tests.
enum JSONReading {
    /// A source that gives a text in chunks of some bytes.
    static func source(_ bytes: [UInt8], chunk: Int = .max) -> ChunkSource {
        var rest = bytes[...]
        return ChunkSource {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
    }

    /// Reads a file that must hold one document; its tree, written again.
    static func rewritten(_ bytes: [UInt8], chunk: Int = .max) throws(JSONError) -> String {
        var scanner = JSONScanner(source(bytes, chunk: chunk))
        guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
        let value = try scanner.readValue()
        guard try !scanner.nextDocument() else {
            throw JSONError(reason: .expected("the end"), line: 0, column: 0)
        }
        return text(of: value)
    }

    /// The same by entering arrays and objects one by one and reading only scalars as a whole.
    static func streamed(_ bytes: [UInt8], chunk: Int = .max) throws(JSONError) -> String {
        var scanner = JSONScanner(source(bytes, chunk: chunk))
        guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
        let text = try streamedValue(&scanner)
        guard try !scanner.nextDocument() else {
            throw JSONError(reason: .expected("the end"), line: 0, column: 0)
        }
        return text
    }

    private static func streamedValue(_ scanner: inout JSONScanner) throws(JSONError) -> String {
        switch try scanner.nextKind() {
        case .array:
            var elements: [String] = []
            try scanner.enterArray()
            while try scanner.nextElement() { elements.append(try streamedValue(&scanner)) }
            return "[\(elements.joined(separator: ","))]"
        case .object:
            var members: [(String, String)] = []
            try scanner.enterObject()
            while let key = try scanner.nextKey() { members.append((key, try streamedValue(&scanner))) }
            return object(members)
        default: return text(of: try scanner.readValue())
        }
    }

    /// Whether a file that holds one document can be skipped over.
    static func skips(_ bytes: [UInt8], chunk: Int = .max) throws(JSONError) {
        var scanner = JSONScanner(source(bytes, chunk: chunk))
        guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
        try scanner.skipValue()
        guard try !scanner.nextDocument() else {
            throw JSONError(reason: .expected("the end"), line: 0, column: 0)
        }
    }

    /// A tree as a text that other programs can write, too: numbers as they are, strings as numbers of characters, the
    /// last value of a key that stands twice, at the place of its first.
    static func text(of node: JSONNode) -> String {
        switch node.kind {
        case .null: return "null"
        case .bool: return node.bool == true ? "true" : "false"
        case .number: return "n" + (node.text ?? "")
        case .string: return quoted(node.string ?? "")
        case .array: return "[\(node.elements.map(text).joined(separator: ","))]"
        case .object: return object(node.members.map { ($0.key, text(of: $0.value)) })
        }
    }

    private static func object(_ members: [(key: String, value: String)]) -> String {
        var order: [String] = []
        var values: [String: String] = [:]
        for (key, value) in members {
            let name = quoted(key)
            if values.updateValue(value, forKey: name) == nil { order.append(name) }
        }
        return "{\(order.map { "\($0):\(values[$0] ?? "")" }.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        "<\(text.unicodeScalars.map { String($0.value) }.joined(separator: " "))>"
    }

    /// All records of a guide.
    static func records(_ text: String, chunk: Int = .max) throws -> [GuideRecord] {
        try records([(name: "", text: text)], chunk: chunk)
    }

    /// All records of several files that are one guide.
    static func records(_ files: [(name: String, text: String)], chunk: Int = .max) throws -> [GuideRecord] {
        var reader =
            if files.count == 1, files[0].name.isEmpty {
                GuideJSONReader(source(Array(files[0].text.utf8), chunk: chunk))
            } else {
                GuideJSONReader(sources: files.map { ($0.name, source(Array($0.text.utf8), chunk: chunk)) })
            }
        var records: [GuideRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    /// What is wrong with a guide, as it is told.
    static func failure(_ text: String) -> String? {
        do {
            _ = try records(text)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension [GuideRecord] {
    var airings: [AiringRecord] {
        compactMap { if case .airing(let airing) = $0 { airing } else { nil } }
    }

    var stations: [(id: String, nodes: [ContentNode])] {
        compactMap { if case .station(let id, let nodes, _) = $0 { (id.rawValue, nodes) } else { nil } }
    }

    /// Line, keyword, action and quote of what couldn't be read.
    var faults: [String] {
        compactMap { record in
            guard case .unreadable(let fault) = record else { return nil }
            return "\(fault.line) \(fault.keyword) \(fault.action) \(fault.quote ?? "")"
        }
    }
}

extension [ContentNode] {
    /// The content as XML without escapes and in canonical order: what stands in `<programme>` or `<channel>`.
    var xml: String { canonical.map(\.xml).joined() }

    /// The elements of that name as XML.
    func xml(_ name: String) -> [String] {
        compactMap { if case .element(let element) = $0, element.name == name { $0.xml } else { nil } }
    }
}

extension ContentNode {
    fileprivate var xml: String {
        switch self {
        case .text(let text): return text
        case .element(let element):
            let attributes = element.attributes.map { " \($0.name)='\($0.value)'" }.joined()
            let content = element.children.map(\.xml).joined()
            return content.isEmpty
                ? "<\(element.name)\(attributes)/>" : "<\(element.name)\(attributes)>\(content)</\(element.name)>"
        }
    }
}
