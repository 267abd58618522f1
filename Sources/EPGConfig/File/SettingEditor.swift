internal import EPGFiles
internal import Glibc
import Yams

/// An editor of a settings file that changes the value of one key at a time, and nothing else: comments, blanks, the order of the
/// keys and the line breaks stay as they are, byte for byte.
struct SettingEditor {
    /// The text of the file.
    private(set) var text: String
    private let path: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// Sets a key of the outermost mapping.
    ///
    /// A new key follows the last comment that names it, such as `#refresh: "30 3 * * *"`, or else the last line. Without a
    /// value, the line of the key becomes a comment.
    ///
    /// - Parameters:
    ///   - key: A key without nested mappings.
    ///   - value: One line; `nil` for the default value.
    /// - Throws: ``ConfigurationError`` if the file is invalid, or written in a way that cannot be edited.
    mutating func set(_ key: String, to value: String?) throws(ConfigurationError) {
        let before = try Self.values(of: path, text)
        var scalars = Array(text.unicodeScalars)
        let place = try place(of: key)
        switch (place, value) {
        case (nil, nil): return
        case (let place?, let value?):
            guard let end = Self.end(of: place, in: scalars) else { throw cannotEdit(key) }
            // A key without a value needs a blank.
            let blank = place.start == 0 || scalars[place.start - 1] != ":" ? "" : " "
            scalars.replaceSubrange(
                place.start..<end, with: Array((blank + Self.scalar(value, style: place.style)).unicodeScalars))
        case (let place?, nil):
            let start = Self.lineStart(before: place.key, in: scalars)
            guard place.key == start || scalars[start..<place.key].allSatisfy({ $0 == " " }) else {
                throw cannotEdit(key)
            }
            scalars.insert("#", at: start)
        case (nil, let value?):
            scalars = Self.inserting("\(key): \(Self.scalar(value, style: nil))", after: key, in: scalars, try indent())
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        let edited = String(view)
        // Reading the result tells whether the edit did what it should, however unusual the file is written.
        var expected = before
        expected[key] = value.map { .text($0) }
        guard let after = try? Self.values(of: path, edited), after == expected else { throw cannotEdit(key) }
        text = edited
    }

    /// Adds a source to the list, after the last one.
    ///
    /// - Parameter lines: The source in YAML, as the element of a list without indentation; the first line begins with `- `.
    /// - Throws: ``ConfigurationError`` if the file is invalid, or written in a way that cannot be edited.
    mutating func addSource(_ lines: [String]) throws(ConfigurationError) {
        let key = "sources"
        let before = try Self.values(of: path, text)
        var scalars = Array(text.unicodeScalars)
        let starts = Self.lineStarts(in: scalars)
        let lineBreak = scalars.contains("\r") ? "\r\n" : "\n"
        var (insertion, indent, isNew) = (scalars.count, try indent() + 2, true)
        let members = try root().map { Array($0) } ?? []
        if let index = members.firstIndex(where: { $0.key.scalar?.string == key }) {
            isNew = false
            let first = members[index].key.mark.flatMap { Self.index(of: $0, starts) } ?? 0
            let next = members.dropFirst(index + 1).first?.key.mark.map { $0.line - 1 } ?? starts.count
            switch members[index].value {
            case .sequence(let sequence) where sequence.style != .flow:
                guard let mark = sequence.mark else { throw cannotEdit(key) }
                indent = mark.column - 1
            case .scalar(let scalar) where scalar.string.isEmpty || scalar.string == "null": break
            default: throw cannotEdit(key)
            }
            // Comments and blank lines before the next key belong to it.
            let lineEnd = { (line: Int) in line + 1 < starts.count ? starts[line + 1] : scalars.count }
            let last = starts.indices.prefix(next).last { line in
                starts[line] <= first
                    || scalars[starts[line]..<lineEnd(line)].first { $0 != " " && $0 != "\t" }
                        .map { !["#", "\n", "\r"].contains($0) } ?? false
            }
            insertion = last.map(lineEnd) ?? scalars.count
        }
        let margin = String(repeating: " ", count: indent)
        var new = lines.map { margin + $0 + lineBreak }.joined()
        if isNew { new = String(repeating: " ", count: try self.indent()) + "sources:" + lineBreak + new }
        if insertion > 0, !["\n", "\r"].contains(scalars[insertion - 1]) { new = lineBreak + new }
        scalars.insert(contentsOf: Array(new.unicodeScalars), at: insertion)
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        let edited = String(view)
        let added = try Self.values(of: path, "sources:\n" + lines.map { "  " + $0 + "\n" }.joined())[key]
        guard case .list(let sources)? = added, let after = try? Self.values(of: path, edited) else {
            throw cannotEdit(key)
        }
        var expected = before
        switch before[key] {
        case .list(let known)?: expected[key] = .list(known + sources)
        case nil, .nothing?: expected[key] = .list(sources)
        default: throw cannotEdit(key)
        }
        guard after == expected else { throw cannotEdit(key) }
        text = edited
    }

    /// Returns a text as a quoted scalar.
    static func quoted(_ text: String) -> String { scalar(text, style: .doubleQuoted) }

    private func cannotEdit(_ key: String) -> ConfigurationError {
        ConfigurationError(
            .file(path: path, line: nil), key: key,
            reason: "the file is written in a way that cannot be edited automatically; change it with an editor")
    }

    // MARK: - Places

    /// The place of a key and its value, as indexes of Unicode scalars.
    private struct Place {
        var key: Int
        var start: Int
        var style: Node.Scalar.Style
    }

    /// Returns the place of a key in the outermost mapping; `nil` if it is missing.
    private func place(of key: String) throws(ConfigurationError) -> Place? {
        guard let mapping = try root() else { return nil }
        for (name, value) in mapping where name.scalar?.string == key {
            guard case .scalar(let scalar) = value, let keyMark = name.mark, let valueMark = value.mark,
                name.scalar?.style == .plain
            else { throw cannotEdit(key) }
            let starts = Self.lineStarts(in: Array(text.unicodeScalars))
            guard let keyIndex = Self.index(of: keyMark, starts), let start = Self.index(of: valueMark, starts) else {
                throw cannotEdit(key)
            }
            return Place(key: keyIndex, start: start, style: scalar.style)
        }
        return nil
    }

    /// The outermost mapping; `nil` for a file without content.
    private func root() throws(ConfigurationError) -> Node.Mapping? {
        do {
            // The same text without aliases, as in SettingDocument.
            let masked = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "*" ? "+" : $0 }))
            guard let root = try Parser(yaml: masked, encoding: .utf8).singleRoot() else { return nil }
            if case .mapping(let mapping) = root { return mapping }
            if case .scalar(let scalar) = root, scalar.string.isEmpty { return nil }
        } catch {}
        throw ConfigurationError(.file(path: path, line: nil), key: nil, reason: "expected settings as “key: value”")
    }

    /// Returns the number of blanks in front of the keys.
    private func indent() throws(ConfigurationError) -> Int {
        guard let first = try root()?.first?.key.mark else { return 0 }
        return first.column - 1
    }

    /// Returns the index of the first scalar of each line, with the line breaks of libyaml.
    private static func lineStarts(in scalars: [Unicode.Scalar]) -> [Int] {
        var starts = [0]
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "\r" where index + 1 < scalars.count && scalars[index + 1] == "\n": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": starts.append(index + 1)
            default: break
            }
        }
        return starts
    }

    private static func index(of mark: Mark, _ starts: [Int]) -> Int? {
        starts.indices.contains(mark.line - 1) ? starts[mark.line - 1] + mark.column - 1 : nil
    }

    private static func lineStart(before index: Int, in scalars: [Unicode.Scalar]) -> Int {
        lineStarts(in: scalars).last { $0 <= index } ?? 0
    }

    /// Returns the end of a scalar that begins at an index; `nil` for a block scalar.
    private static func end(of place: Place, in scalars: [Unicode.Scalar]) -> Int? {
        guard place.start <= scalars.count else { return nil }
        switch place.style {
        case .literal, .folded: return nil
        case .doubleQuoted, .singleQuoted:
            let quote: Unicode.Scalar = place.style == .doubleQuoted ? "\"" : "'"
            guard place.start < scalars.count, scalars[place.start] == quote else { return nil }
            var index = place.start + 1
            while index < scalars.count {
                if scalars[index] == "\\", quote == "\"" {
                    index += 2
                } else if scalars[index] == quote {
                    guard quote == "'", index + 1 < scalars.count, scalars[index + 1] == quote else { return index + 1 }
                    index += 2
                } else {
                    index += 1
                }
            }
            return nil
        default:
            var index = place.start
            while index < scalars.count, !"\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains(scalars[index]) {
                // A comment begins after a blank.
                if scalars[index] == "#", index > place.start, [" ", "\t"].contains(scalars[index - 1]) { break }
                index += 1
            }
            while index > place.start, [" ", "\t"].contains(scalars[index - 1]) { index -= 1 }
            return index
        }
    }

    /// Inserts a line after the last comment that names a key, or at the end.
    private static func inserting(
        _ line: String, after key: String, in scalars: [Unicode.Scalar], _ indent: Int
    ) -> [Unicode.Scalar] {
        let starts = lineStarts(in: scalars)
        let lineBreak: [Unicode.Scalar] = scalars.contains("\r") ? ["\r", "\n"] : ["\n"]
        var place = scalars.count
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : scalars.count
            let text = String(String.UnicodeScalarView(scalars[start..<end]))
            if text.hasPrefix("#\(key):") || text.hasPrefix("# \(key):") { place = end }
        }
        var new = Array((String(repeating: " ", count: indent) + line).unicodeScalars)
        let needsBreak = place > 0 && !["\n", "\r"].contains(scalars[place - 1])
        new = (needsBreak ? lineBreak : []) + new + lineBreak
        var edited = scalars
        edited.insert(contentsOf: new, at: place)
        return edited
    }

    // MARK: - Values

    /// Returns a value as YAML: plain if that is possible, unless the former value was quoted.
    private static func scalar(_ value: String, style: Node.Scalar.Style?) -> String {
        if style == .singleQuoted { return "'" + value.replacing("'", with: "''") + "'" }
        let isPlain =
            style != .doubleQuoted
            && value.first.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "/") } == true
            && value.last != " " && !["null", "Null", "NULL"].contains(value)
            && value.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789/_.+- ".unicodeScalars.contains(scalar))
            }
        if isPlain { return value }
        return "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// A value of a file, regardless of its place.
    private indirect enum Value: Equatable {
        case nothing, refused
        case text(String)
        case list([Value])
        case mapping([String: Value])

        init(_ node: SettingNode) {
            self =
                switch node.content {
                case .nothing: .nothing
                case .refused: .refused
                case .text(let text): .text(text)
                case .list(let elements): .list(elements.map { Value($0) })
                case .mapping(let members):
                    .mapping(Dictionary(members.map { ($0.key, Value($0.value)) }) { first, _ in first })
                }
        }
    }

    private static func values(of path: String, _ text: String) throws(ConfigurationError) -> [String: Value] {
        var document = SettingDocument(path: path, text: text)
        guard let root = try document.root(), case .mapping(let members) = Value(root) else { return [:] }
        return members
    }
}

extension ConfigurationReader {
    /// Changes settings in the settings file, and creates one if there is none.
    ///
    /// The new file is complete and valid before it replaces the old one.
    ///
    /// - Parameters:
    ///   - values: The new values by key, such as `refresh`; `nil` for the default value.
    ///   - file: The file that the user gave; see ``read(file:flags:)``.
    ///   - flags: The values of command-line options.
    /// - Returns: The path of the file.
    /// - Throws: ``ConfigurationRefusal`` for invalid settings and if the file cannot be edited or written; the file is
    ///   unchanged then.
    package func change(
        _ values: [String: String?], in file: String?, flags: [String: [String]] = [:]
    ) throws(ConfigurationRefusal) -> String {
        try edit(file, flags) { (editor) throws(ConfigurationError) in
            for (key, value) in values.sorted(by: { $0.key < $1.key }) { try editor.set(key, to: value) }
        }
    }

    /// Adds an account at Schedules Direct to the sources of the settings file, and its password to a file in the folder
    /// `secrets` beside it, which only its owner can read.
    ///
    /// - Parameters:
    ///   - name: The name of the source.
    ///   - url: The URL of another server with the same API; `nil` for Schedules Direct.
    ///   - lineups: The identifiers of the lineups; empty for all of the account.
    ///   - file: The file that the user gave; see ``read(file:flags:)``.
    ///   - flags: The values of command-line options.
    /// - Returns: The path of the settings file.
    /// - Throws: ``ConfigurationRefusal`` as ``change(_:in:flags:)``; neither file is changed then.
    package func addSchedulesDirect(
        named name: String, username: String, password: String, url: String?, lineups: [String], in file: String?,
        flags: [String: [String]] = [:]
    ) throws(ConfigurationRefusal) -> String {
        let path = try settingsPath(file, flags)
        let secret: String
        do throws(ConfigurationError) {
            secret = try Self.storeSecret(password, named: name, besideFile: path)
        } catch {
            throw ConfigurationRefusal(error)
        }
        do throws(ConfigurationRefusal) {
            return try edit(file, flags) { (editor) throws(ConfigurationError) in
                let quoted = SettingEditor.quoted
                var lines = ["- name: \(quoted(name))"]
                if let url { lines.append("  url: \(quoted(url))") }
                lines += [
                    "  schedules-direct:", "    username: \(quoted(username))",
                    "    password: {file: \(quoted("secrets/" + secret))}",
                ]
                if !lineups.isEmpty { lines.append("    lineups: [\(lineups.map(quoted).joined(separator: ", "))]") }
                try editor.addSource(lines)
            }
        } catch {
            _ = unlink(Self.secretsFolder(besideFile: path) + secret)
            throw error
        }
    }

    private static func secretsFolder(besideFile path: String) -> String { FilePath.folder(of: path) + "/secrets/" }

    /// Stores a secret in a new file, and returns its name.
    private static func storeSecret(
        _ secret: String, named name: String, besideFile path: String
    ) throws(ConfigurationError) -> String {
        let folder = secretsFolder(besideFile: path)
        makeFolder(of: folder + "file")
        let base = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(40)
        var file = String(base) + ".password"
        var number = 1
        while access(folder + file, F_OK) == 0 {
            number += 1
            file = String(base) + "-\(number).password"
        }
        try write(secret + "\n", to: folder + file, permissions: .ownerOnly)
        return file
    }

    /// Returns the path of the settings file, or of the one to create.
    private func settingsPath(
        _ file: String?, _ flags: [String: [String]]
    ) throws(ConfigurationRefusal) -> String {
        guard let path = try read(file: file, flags: flags).file ?? file ?? places.first else {
            throw ConfigurationRefusal(
                ConfigurationError(
                    .builtIn, key: nil, reason: "there is no folder for settings, because HOME is not set"))
        }
        return path
    }

    private func edit(
        _ file: String?, _ flags: [String: [String]], _ body: (inout SettingEditor) throws(ConfigurationError) -> Void
    ) throws(ConfigurationRefusal) -> String {
        let path = try settingsPath(file, flags)
        do throws(ConfigurationError) {
            let old = try contents(of: path)
            var editor = SettingEditor(path: path, text: old ?? "")
            try body(&editor)
            try check(editor.text, at: path, flags)
            guard try contents(of: path) == old else {
                throw ConfigurationError(
                    .file(path: path, line: nil), key: nil, reason: "the file was changed in the meantime; try again")
            }
            if old == nil { Self.makeFolder(of: path) }
            try Self.write(editor.text, to: path)
            guard try contents(of: path) == editor.text else {
                throw ConfigurationError(
                    .file(path: path, line: nil), key: nil, reason: "the file was changed by another program")
            }
            return path
        } catch {
            throw ConfigurationRefusal(error)
        }
    }

    /// Returns whether this process may replace a settings file, or create it with its folders.
    package static func canChange(file path: String) -> Bool {
        var folder = FilePath.folder(of: path)
        if FileStatus.exists(path), access(path, W_OK) != 0 { return false }
        while !FileStatus.exists(folder), folder != "/", folder != "." { folder = FilePath.folder(of: folder) }
        return (FileStatus(path: folder)?.isFolder ?? false) && access(folder, W_OK | X_OK) == 0
    }

    private static func makeFolder(of path: String) {
        var folder = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            // Writing the file reports a failure.
            _ = mkdir(folder, 0o700)
        }
    }

    private static func write(
        _ text: String, to path: String, permissions: ReplacedFile.Permissions = .inherited
    ) throws(ConfigurationError) {
        do throws(ReplacedFile.Failure) {
            let file = try ReplacedFile(at: path, permissions: permissions)
            try file.write(Array(text.utf8))
            try file.replace()
        } catch {
            throw ConfigurationError(
                .file(path: path, line: nil), key: nil,
                reason: "cannot \(error.operation.rawValue) the file: \(error.fault)")
        }
    }
}
