import EPGImport
import EPGJSON
import EPGModel
import XMLTV

/// Reads JSON texts in tests.
enum JSONReading {
    /// Returns a source of a text in chunks of a size.
    static func source(_ bytes: [UInt8], chunk: Int = .max) -> ChunkSource {
        var rest = bytes[...]
        return ChunkSource {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
    }

    /// Reads a file with exactly one document and writes its tree again.
    static func rewritten(_ bytes: [UInt8], chunk: Int = .max) throws(JSONError) -> String {
        var scanner = JSONScanner(source(bytes, chunk: chunk))
        guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
        let value = try scanner.readValue()
        guard try !scanner.nextDocument() else {
            throw JSONError(reason: .expected("the end"), line: 0, column: 0)
        }
        return text(of: value)
    }

    /// Does the same, but enters arrays and objects one by one and reads only scalars as complete values.
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

    /// Skips the only document of a file.
    static func skips(_ bytes: [UInt8], chunk: Int = .max) throws(JSONError) {
        var scanner = JSONScanner(source(bytes, chunk: chunk))
        guard try scanner.nextDocument() else { throw JSONError(reason: .empty) }
        try scanner.skipValue()
        guard try !scanner.nextDocument() else {
            throw JSONError(reason: .expected("the end"), line: 0, column: 0)
        }
    }

    /// Returns a tree in a form that other programs can produce, too: numbers as written, strings as code points, and
    /// the last value of a duplicate key at the position of the first.
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

    /// Returns all records of a guide.
    static func records(_ text: String, chunk: Int = .max) throws -> [GuideRecord] {
        try records([(name: "", text: text)], chunk: chunk)
    }

    /// Returns all records of several files that form one guide.
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

    /// Returns the error message for a guide.
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

    /// The line, keyword, action, and quote of unreadable records.
    var faults: [String] {
        compactMap { record in
            guard case .unreadable(let fault) = record else { return nil }
            return "\(fault.line) \(fault.keyword) \(fault.action) \(fault.quote ?? "")"
        }
    }
}

extension [ContentNode] {
    /// The content as unescaped XML in canonical order: the children of `<programme>` or `<channel>`.
    var xml: String { canonical.map(\.xml).joined() }

    /// Returns the elements with a name as XML.
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
