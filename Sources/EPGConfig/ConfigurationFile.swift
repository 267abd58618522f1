import Yams

/// What a file says, before anything is made of it.
struct ConfigurationFile {
    /// A setting's values and the line on which they begin.
    struct Entry {
        let setting: Setting
        let values: [String]
        let line: Int
    }

    /// The path as it was given, for messages.
    let path: String
    private(set) var entries: [Entry] = []

    /// Reads YAML.
    ///
    /// - Throws: ``ConfigurationError`` for what isn't YAML, for unknown keys, for values of the wrong kind.
    init(path: String, text: String) throws(ConfigurationError) {
        self.path = path
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw ConfigurationFile.failure(error, path: path)
        } catch {
            throw ConfigurationError(place: path, reason: "this isn't YAML: \(error)")
        }
        // A file with nothing but comments says nothing.
        guard let root else { return }
        if let scalar = root.scalar, scalar.string.isEmpty { return }
        guard let mapping = root.mapping else {
            throw ConfigurationError(
                place: "\(path):\(root.mark?.line ?? 1)",
                reason: "settings stand here as “key: value”, one on each line")
        }
        try read(mapping, under: "")
    }

    private mutating func read(_ mapping: Node.Mapping, under prefix: String) throws(ConfigurationError) {
        for (keyNode, value) in mapping {
            let line = keyNode.mark?.line ?? 1
            let name = keyNode.scalar?.string ?? ""
            let key = prefix + name
            let place = "\(path):\(line)"
            if let setting = Setting.named(key) {
                entries.append(
                    Entry(setting: setting, values: try values(of: value, for: setting, place: place), line: line))
            } else if Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
                guard let nested = value.mapping else {
                    throw ConfigurationError(
                        place: place,
                        reason:
                            "\(key): further settings stand under it; allowed: \(ConfigurationFile.keys(under: key + "."))"
                    )
                }
                try read(nested, under: key + ".")
            } else {
                throw ConfigurationError(
                    place: place,
                    reason: "there is no setting “\(key.prefix(80))”; allowed: \(ConfigurationFile.keys(under: prefix))"
                )
            }
        }
    }

    private func values(
        of node: Node, for setting: Setting, place: String
    ) throws(ConfigurationError) -> [String] {
        if let scalar = node.scalar {
            // `key:` and `key: ~` are null; an empty text is written "".
            if node.tag == .init(.null) || (scalar.string.isEmpty && scalar.style == .plain) {
                throw ConfigurationError(
                    place: place, reason: "\(setting.key): there is no value; allowed: \(setting.allowed)")
            }
            return [scalar.string]
        }
        if setting.isList, let sequence = node.sequence {
            var values: [String] = []
            for element in sequence {
                guard let scalar = element.scalar else {
                    throw ConfigurationError(
                        place: "\(path):\(element.mark?.line ?? 1)",
                        reason: "\(setting.key): a list of plain values stands here; allowed: \(setting.allowed)")
                }
                values.append(scalar.string)
            }
            return values
        }
        throw ConfigurationError(
            place: place,
            reason:
                "\(setting.key): \(setting.isList ? "a list" : "one value") stands here; allowed: \(setting.allowed)")
    }

    /// The keys that may stand in the mapping of a prefix.
    private static func keys(under prefix: String) -> String {
        var keys: [String] = []
        for setting in Setting.all where setting.key.hasPrefix(prefix) {
            let key = setting.key.dropFirst(prefix.count).prefix { $0 != "." }
            if keys.last != String(key) { keys.append(String(key)) }
        }
        return keys.joined(separator: ", ")
    }

    private static func failure(_ error: YamlError, path: String) -> ConfigurationError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ConfigurationError(place: "\(path):\(mark.line)", reason: "this isn't YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            ConfigurationError(
                place: "\(path):\(context.mark.line)",
                reason: "\(duplicates.sorted().joined(separator: ", ")) stands twice; give it once")
        default:
            ConfigurationError(place: path, reason: "this isn't YAML: \(error)")
        }
    }
}
