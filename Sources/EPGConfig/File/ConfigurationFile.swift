/// What a file says, before anything is made of it.
struct ConfigurationFile {
    /// A setting's values and the line on which its key stands.
    struct Entry {
        let setting: Setting
        let values: [String]
        let line: Int
    }

    /// The path as it was given, for messages.
    let path: String
    /// The folder in which relative paths of the file begin, with its slash at the end; an absolute path.
    let folder: String
    private(set) var entries: [Entry] = []
    /// What stands under `sources`.
    private(set) var sources: SettingNode.Member?
    /// What can't be taken.
    private(set) var problems: ConfigurationProblems

    /// Reads YAML; unknown keys and values of the wrong kind are among the ``problems``.
    ///
    /// - Parameter workingFolder: Where a relative path begins.
    /// - Throws: ``ConfigurationError`` for what isn't YAML.
    init(path: String, text: String, workingFolder: String) throws(ConfigurationError) {
        self.path = path
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        self.folder = folder.hasPrefix("/") ? folder : "\(workingFolder)/\(folder)"
        var document = SettingDocument(path: path, text: text)
        let root = try document.root()
        problems = document.problems
        // A file with nothing but comments says nothing.
        guard let root else { return }
        switch root.content {
        case .nothing, .refused: break
        case .mapping(let members): read(members, under: "")
        case .text, .list:
            throw ConfigurationError(
                .file(path: path, line: root.line), key: nil,
                reason: "settings stand here as “key: value”, one on each line")
        }
    }

    private mutating func read(_ members: [SettingNode.Member], under prefix: String) {
        for member in members {
            let key = prefix + member.key
            if key == "sources" {
                sources = member
            } else if let setting = Setting.named(key) {
                read(member.value, of: setting, line: member.line)
            } else if !member.key.isEmpty, Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
                guard case .mapping(let nested) = member.value.content else {
                    refuse(
                        key, member.line,
                        "further settings stand under it; allowed: \(ConfigurationFile.keys(under: key + "."))")
                    continue
                }
                read(nested, under: key + ".")
            } else {
                refuse(
                    String(key.prefix(80)), member.line,
                    "there is no such setting; allowed: \(ConfigurationFile.keys(under: prefix))")
            }
        }
    }

    private mutating func read(_ node: SettingNode, of setting: Setting, line: Int) {
        switch node.content {
        case .refused: break
        case .nothing: refuse(setting.key, line, "there is no value; allowed: \(setting.allowed)")
        case .text(let text): entries.append(Entry(setting: setting, values: [text], line: line))
        case .list(let elements) where setting.isList:
            var values: [String] = []
            for element in elements {
                switch element.content {
                case .text(let text): values.append(text)
                case .refused: break
                default:
                    refuse(
                        setting.key, element.line,
                        "a list of plain values stands here; allowed: \(setting.allowed)")
                    return
                }
            }
            entries.append(Entry(setting: setting, values: values, line: line))
        case .list, .mapping:
            refuse(
                setting.key, line,
                "\(setting.isList ? "a list" : "one value") stands here; allowed: \(setting.allowed)")
        }
    }

    private mutating func refuse(_ key: String, _ line: Int, _ reason: @autoclosure () -> String) {
        problems.add(ConfigurationError(.file(path: path, line: line), key: key, reason: reason()))
    }

    /// The keys that may stand in the mapping of a prefix.
    private static func keys(under prefix: String) -> String {
        var keys: [String] = []
        for setting in Setting.all where setting.key.hasPrefix(prefix) {
            let key = setting.key.dropFirst(prefix.count).prefix { $0 != "." }
            if keys.last != String(key) { keys.append(String(key)) }
        }
        if prefix.isEmpty { keys.append("sources") }
        return keys.joined(separator: ", ")
    }
}
