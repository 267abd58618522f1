import EPGFiles
import Glibc

/// The contents of a configuration file before they are applied.
struct ConfigurationFile {
    /// The values of a setting, and the line of its key.
    struct Entry {
        let setting: Setting
        let values: [String]
        let line: Int
    }

    /// The path as given, for messages.
    let path: String
    /// The absolute path of the file's folder with a trailing slash, which relative paths refer to.
    let folder: String
    private(set) var entries: [Entry] = []
    /// The value of `sources`.
    private(set) var sources: SettingNode.Member?
    /// The values of the keys of ``OutputReader``.
    private(set) var outputs: [SettingNode.Member] = []
    /// The values of `placeholders` and `channel-names`.
    private(set) var placeholders: SettingNode.Member?
    private(set) var channelNames: SettingNode.Member?
    /// The value of `reminders`.
    private(set) var reminders: SettingNode.Member?
    /// Errors in the file.
    private(set) var problems: ConfigurationProblems

    /// Parses YAML. Unknown keys and values of the wrong type are added to ``problems``.
    ///
    /// - Parameter workingFolder: The folder that a relative `path` refers to.
    /// - Throws: ``ConfigurationError`` for invalid YAML.
    init(path: String, text: String, workingFolder: String) throws(ConfigurationError) {
        self.path = path
        let folder = FilePath.sibling(of: path, named: "")
        self.folder = folder.hasPrefix("/") ? folder : "\(workingFolder)/\(folder)"
        var document = SettingDocument(path: path, text: text)
        let root = try document.root()
        problems = document.problems
        // The file contains only comments.
        guard let root else { return }
        switch root.content {
        case .nothing, .refused: break
        case .mapping(let members): read(members, under: "")
        case .text, .list:
            throw ConfigurationError(
                .file(path: path, line: root.line), key: nil,
                reason: "expected settings as “key: value”, one per line")
        }
    }

    private mutating func read(_ members: [SettingNode.Member], under prefix: String) {
        for member in members {
            let key = prefix + member.key
            if key == "sources" {
                sources = member
            } else if OutputReader.keys.contains(key) {
                outputs.append(member)
            } else if key == "placeholders" {
                placeholders = member
            } else if key == "channel-names" {
                channelNames = member
            } else if key == "reminders" {
                reminders = member
            } else if let setting = Setting.named(key) {
                read(member.value, of: setting, line: member.line)
            } else if !member.key.isEmpty, Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
                let nested = problems.members(
                    of: member.value, key, line: member.line,
                    "expected a mapping; allowed: \(ConfigurationFile.keys(under: key + "."))")
                if let nested { read(nested, under: key + ".") }
            } else {
                problems.refuse(
                    String(key.prefix(80)), member.line,
                    "unknown setting; \(Self.successors(of: member, key))allowed: \(ConfigurationFile.keys(under: prefix))"
                )
            }
        }
    }

    /// Returns what to use instead of a setting of a former version, or of those in a mapping.
    private static func successors(of member: SettingNode.Member, _ key: String) -> String {
        guard case .mapping(let nested) = member.value.content else { return Setting.successor(of: key) }
        return nested.map { Setting.successor(of: "\(key).\($0.key)") }.joined()
    }

    private mutating func read(_ node: SettingNode, of setting: Setting, line: Int) {
        switch node.content {
        case .refused: break
        case .nothing: problems.refuse(setting.key, line, "missing value; allowed: \(setting.allowed)")
        case .list where setting.isList:
            guard let values = problems.texts(of: node, setting.key, allowed: setting.allowed) else { return }
            entries.append(Entry(setting: setting, values: values, line: line))
        case .text(let text): entries.append(Entry(setting: setting, values: [text], line: line))
        case .list, .mapping:
            problems.refuse(
                setting.key, line,
                "expected \(setting.isList ? "a list" : "one value"); allowed: \(setting.allowed)")
        }
    }

    /// Returns the allowed keys in the mapping of a prefix.
    private static func keys(under prefix: String) -> String {
        var keys: [String] = []
        for setting in Setting.all where setting.key.hasPrefix(prefix) {
            let key = setting.key.dropFirst(prefix.count).prefix { $0 != "." }
            if keys.last != String(key) { keys.append(String(key)) }
        }
        if prefix.isEmpty { keys += ["placeholders", "channel-names", "reminders", "sources"] + OutputReader.keys }
        return keys.joined(separator: ", ")
    }
}

/// Reads configuration files.
enum ConfigurationText {
    /// Returns the text of a file of at most 1 MiB; `nil` if it does not exist.
    ///
    /// - Throws: ``ConfigurationError`` if it cannot be read, is a pipe, is larger, or is not UTF-8.
    static func contents(of path: String) throws(ConfigurationError) -> String? {
        let limit = 1 << 20
        let content: [UInt8]?
        do throws(SystemFault) {
            let file = try OpenFile(reading: path, waits: false)
            content = try file.status.isPipe ? nil : file.rest(upTo: limit + 1)
        } catch {
            if error.number == ENOENT || error.number == ENOTDIR { return nil }
            throw failure(path, "cannot read the file: \(error)")
        }
        guard let bytes = content else {
            throw failure(path, "the file is a pipe; use a regular file, because settings are read more than once")
        }
        guard bytes.count <= limit else {
            throw failure(path, "the file is larger than 1 MiB, the limit for settings")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(path, "the file is not UTF-8", line: lineOfInvalidByte(bytes))
        }
        return text
    }

    /// Returns the working folder of the process.
    static func workingFolder() throws(ConfigurationError) -> String {
        do throws(SystemFault) {
            return try FilePath.workingFolder()
        } catch {
            let reason =
                "cannot read the working folder (\(error)), to which the path of the settings file is relative; use an "
                + "absolute path"
            throw ConfigurationError(.builtIn, key: nil, reason: reason)
        }
    }

    /// Returns the line of the first byte that is not UTF-8.
    private static func lineOfInvalidByte(_ bytes: [UInt8]) -> Int? {
        var line = 1
        // In UTF-8, a line feed is never part of another character, so each line can be validated separately.
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil { return line }
            line += 1
        }
        return nil
    }

    private static func failure(_ path: String, _ reason: String, line: Int? = nil) -> ConfigurationError {
        ConfigurationError(.file(path: path, line: line), key: nil, reason: reason)
    }
}
