import CYaml
import Yams

/// Parses YAML into nodes: a single document with string keys, and all scalars as text.
///
/// Untrusted files are safe: aliases, which can expand a short file exponentially, and keys that are lists or mappings, which
/// Yams compares in exponential time, are not supported; libyaml limits nesting to a thousand levels, and
/// ``ConfigurationReader`` limits files to 1 MiB.
struct SettingDocument {
    /// The path as given, for messages.
    private let path: String
    /// A character that does not occur in the text. It replaces `*` in the text for Yams, so that there are no aliases.
    private let mark: Unicode.Scalar
    private let text: String
    private(set) var problems = ConfigurationProblems()

    init(path: String, text: String) {
        self.path = path
        self.text = text
        problems.path = path
        let scalars = Set(text.unicodeScalars.lazy.filter { (0xE000...0xF8FF).contains($0.value) })
        // An unused private-use character (Unicode, 23.5). Only a text with all 6400 of them has none.
        mark = (0xE000...0xF8FF).lazy.compactMap(Unicode.Scalar.init).first { !scalars.contains($0) } ?? "\u{E000}"
    }

    /// Returns the root; `nil` for a file without content.
    ///
    /// Invalid values become ``SettingNode/Content/refused``, and the reasons are added to ``problems``.
    /// - Throws: ``ConfigurationError`` for invalid YAML.
    mutating func root() throws(ConfigurationError) -> SettingNode? {
        try refuseControlCharacters()
        let yaml = replaced(text, "*", by: mark)
        if let line = Self.lineOfComplexKey(in: yaml) {
            throw ConfigurationError(
                .file(path: path, line: line), key: nil, reason: "a key must be text, not a list or a mapping")
        }
        let root: Node?
        do {
            root = try Parser(yaml: yaml, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw YAMLFault(error, path: path, text: text) { replaced($0, mark, by: "*") }.error
        } catch {
            throw ConfigurationError(.file(path: path, line: nil), key: nil, reason: "invalid YAML: \(error)")
        }
        return root.map { node($0) }
    }

    private mutating func node(_ node: Node) -> SettingNode {
        let line = node.mark?.line ?? 1
        let content: SettingNode.Content =
            switch node {
            case .scalar(let scalar): self.content(scalar, line: line)
            case .sequence(let sequence): .list(sequence.map { self.node($0) })
            case .mapping(let mapping): .mapping(mapping.compactMap { member($0.key, $0.value) })
            // Yams does not create it while parsing.
            case .alias: .refused
            }
        return SettingNode(line: line, content: content)
    }

    private mutating func content(_ scalar: Node.Scalar, line: Int) -> SettingNode.Content {
        let text = replaced(scalar.string, mark, by: "*")
        guard scalar.style == .plain else { return .text(text) }
        if text.hasPrefix("*") {
            problems.refuse(
                nil, line, "“\(text.prefix(80))” begins with *, which is an alias in YAML; put it in quotes")
            return .refused
        }
        // null in YAML's core schema (YAML 1.2.2, 10.3.2).
        return ["", "~", "null", "Null", "NULL"].contains(text) ? .nothing : .text(text)
    }

    private mutating func member(_ key: Node, _ value: Node) -> SettingNode.Member? {
        guard case .scalar(let scalar) = key else { return nil }
        return SettingNode.Member(
            key: replaced(scalar.string, mark, by: "*"), line: scalar.mark?.line ?? 1, value: node(value))
    }

    /// Returns the line of the first key that is a list or a mapping; `nil` if there is none before the first error, which Yams
    /// reports.
    ///
    /// - Complexity: O(*n*).
    private static func lineOfComplexKey(in yaml: String) -> Int? {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { return nil }
        defer { yaml_parser_delete(&parser) }
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
        // The parser reads the bytes within the closure only.
        return Array(yaml.utf8).withUnsafeBufferPointer { bytes -> Int? in
            guard let first = bytes.baseAddress else { return nil }
            yaml_parser_set_input_string(&parser, first, bytes.count)
            // The open lists and mappings: whether the next node is a key.
            var open: [(isMapping: Bool, isKey: Bool)] = []
            while true {
                var event = yaml_event_t()
                guard yaml_parser_parse(&parser, &event) == 1 else { return nil }
                defer { yaml_event_delete(&event) }
                switch event.type {
                case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
                    if let outer = open.last, outer.isMapping, outer.isKey { return Int(event.start_mark.line) + 1 }
                    open.append((event.type == YAML_MAPPING_START_EVENT, true))
                    continue
                case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: open.removeLast()
                case YAML_SCALAR_EVENT, YAML_ALIAS_EVENT: break
                case YAML_STREAM_END_EVENT: return nil
                default: continue
                }
                if !open.isEmpty { open[open.count - 1].isKey.toggle() }
            }
        }
    }

    /// Rejects control characters, which YAML forbids (YAML 1.2.2, 5.1) and libyaml reports without a line.
    private func refuseControlCharacters() throws(ConfigurationError) {
        var line = 1
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: line += 1
            case 0x09, 0x0D, 0x20...0x7E, 0x85, 0xA0...: break
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                throw ConfigurationError(
                    .file(path: path, line: line), key: nil,
                    reason: "invalid control character "
                        + "(U+\(String(repeating: "0", count: 4 - digits.count))\(digits)); remove it")
            }
        }
    }

    private func replaced(_ text: String, _ old: Unicode.Scalar, by new: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar == old ? new : scalar) }
        return String(scalars)
    }
}

/// A YAML node and its line.
struct SettingNode {
    enum Content {
        /// A null value: `key:` or `key: ~`.
        case nothing
        /// A plain or quoted text.
        case text(String)
        case list([SettingNode])
        case mapping([Member])
        /// An invalid value that was already reported.
        case refused
    }

    /// One `key: value`.
    struct Member {
        let key: String
        /// The line of the key.
        let line: Int
        let value: SettingNode
    }

    /// The line, counted from 1.
    let line: Int
    let content: Content

    /// The text of a scalar; `nil` for other nodes.
    var text: String? {
        guard case .text(let text) = content else { return nil }
        return text
    }
}

/// Converts errors of Yams to messages that do not require knowledge of libyaml.
private struct YAMLFault {
    let error: ConfigurationError

    /// - Parameters:
    ///   - text: The original text of the file.
    ///   - original: Restores the original characters in a part of the text that Yams parsed.
    init(_ error: YamlError, path: String, text: String, original: (String) -> String) {
        let line: Int?
        let reason: String
        switch error {
        case .duplicatedKeysInMapping(let duplicates, let context):
            let key = original(duplicates.first ?? "")
            let second = YAMLFault.line(ofKey: key, after: context.mark, in: text)
            line = second ?? context.mark.line
            reason =
                "duplicate key \(key.prefix(80))" + (second == nil ? "" : ", first on line \(context.mark.line)")
                + "; remove one"
        case .scanner(_, let problem, let mark, _):
            line = mark.line
            reason = YAMLFault.reason(of: mark, in: text) ?? "invalid YAML: \(problem)"
        case .composer(_, let problem, let mark, _) where problem.contains("another document"):
            line = mark.line
            reason = "a second document begins here; a configuration file has only one"
        case .parser(_, let problem, let mark, _) where problem.contains("nesting level"):
            line = mark.line
            reason = "nested too deeply"
        case .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
            line = mark.line
            reason = "invalid YAML: \(problem)"
        default:
            line = nil
            reason = "invalid YAML: \(error)"
        }
        self.error = ConfigurationError(.file(path: path, line: line), key: nil, reason: reason)
    }

    /// Splits a text into lines, without carriage returns.
    private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.last == "\r" ? line.dropLast() : line
        }
    }

    /// Recognizes common mistakes at the position where libyaml stopped.
    private static func reason(of mark: Mark, in text: String) -> String? {
        let lines = lines(of: text)
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let line = lines[mark.line - 1]
        if line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return "YAML must be indented with spaces, not tabs"
        }
        guard let first = line.dropFirst(mark.column - 1).first, "@`%".unicodeScalars.contains(first) else {
            return nil
        }
        return "text that begins with \(first) must be in quotes"
    }

    /// Returns the line of the next key with a name in the same block mapping.
    private static func line(ofKey key: String, after mark: Mark, in text: String) -> Int? {
        let column = mark.column - 1
        for (index, line) in lines(of: text).enumerated().dropFirst(mark.line) {
            let content = line.drop { $0 == " " }
            guard let first = content.first, first != "#" else { continue }
            let indent = line.count - content.count
            if indent < column { return nil }
            guard indent == column else { continue }
            let name = content.prefix { $0 != ":" }.filter { !"\"' ".unicodeScalars.contains($0) }
            if String(String.UnicodeScalarView(name)) == key { return index + 1 }
        }
        return nil
    }
}
