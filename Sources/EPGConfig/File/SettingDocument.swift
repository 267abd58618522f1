import Yams

/// Reads YAML into nodes: one document, keys that are texts, every value a text.
///
/// Nobody has to be trusted: aliases, with which a short file can stand for an endless one, are no part of it, libyaml goes no
/// deeper than a thousand levels, and ``ConfigurationReader`` takes no file beyond a mebibyte.
struct SettingDocument {
    /// The path as it was given, for messages.
    private let path: String
    /// Stands for `*` while Yams has the text: without asterisks there are no aliases. It is no part of the text.
    private let mark: Unicode.Scalar
    private let text: String
    private(set) var problems = ConfigurationProblems()

    init(path: String, text: String) {
        self.path = path
        self.text = text
        let scalars = Set(text.unicodeScalars.lazy.filter { (0xE000...0xF8FF).contains($0.value) })
        // A private character (Unicode, 23.5) that isn't used; who uses all 6400 has none that isn't.
        mark = (0xE000...0xF8FF).lazy.compactMap(Unicode.Scalar.init).first { !scalars.contains($0) } ?? "\u{E000}"
    }

    /// The root; `nil` for a file that says nothing.
    ///
    /// Values that can't be taken become ``SettingNode/Content/refused``, with the reason among the ``problems``.
    /// - Throws: ``ConfigurationError`` for what isn't YAML.
    mutating func root() throws(ConfigurationError) -> SettingNode? {
        try refuseControls()
        let root: Node?
        do {
            root = try Parser(yaml: replaced(text, "*", by: mark), encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw YAMLFault(error, path: path, text: text) { replaced($0, mark, by: "*") }.error
        } catch {
            throw ConfigurationError(.file(path: path, line: nil), key: nil, reason: "this isn't YAML: \(error)")
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
            // Yams makes none when it reads.
            case .alias: .refused
            }
        return SettingNode(line: line, content: content)
    }

    private mutating func content(_ scalar: Node.Scalar, line: Int) -> SettingNode.Content {
        let text = replaced(scalar.string, mark, by: "*")
        guard scalar.style == .plain else { return .text(text) }
        if text.hasPrefix("*") {
            refuse(line, "“\(text.prefix(80))” begins with *, which means something else in YAML; put it in quotes")
            return .refused
        }
        // The words for null of YAML's core schema (YAML 1.2.2, 10.3.2).
        return ["", "~", "null", "Null", "NULL"].contains(text) ? .nothing : .text(text)
    }

    private mutating func member(_ key: Node, _ value: Node) -> SettingNode.Member? {
        let line = key.mark?.line ?? 1
        let value = node(value)
        guard case .scalar(let scalar) = key else {
            refuse(line, "a key is a plain text, and what stands here is a list or has keys itself")
            return nil
        }
        return SettingNode.Member(key: replaced(scalar.string, mark, by: "*"), line: line, value: value)
    }

    private mutating func refuse(_ line: Int, _ reason: String) {
        problems.add(ConfigurationError(.file(path: path, line: line), key: nil, reason: reason))
    }

    /// Refuses control characters, which YAML doesn't allow (YAML 1.2.2, 5.1) and libyaml tells without a line.
    private func refuseControls() throws(ConfigurationError) {
        var line = 1
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: line += 1
            case 0x09, 0x0D, 0x20...0x7E, 0x85, 0xA0...: break
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                throw ConfigurationError(
                    .file(path: path, line: line), key: nil,
                    reason:
                        "there is a control character (U+\(String(repeating: "0", count: 4 - digits.count))\(digits)); take it out"
                )
            }
        }
    }

    private func replaced(_ text: String, _ old: Unicode.Scalar, by new: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar == old ? new : scalar) }
        return String(scalars)
    }
}
