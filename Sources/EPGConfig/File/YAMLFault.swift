import Yams

/// What isn't YAML, in words for people who don't know libyaml's.
struct YAMLFault {
    let error: ConfigurationError

    /// - Parameters:
    ///   - text: The text as it stands in the file.
    ///   - original: Gives a piece of what Yams had in the characters of the file.
    init(_ error: YamlError, path: String, text: String, original: (String) -> String) {
        let line: Int?
        let reason: String
        switch error {
        case .duplicatedKeysInMapping(let duplicates, let context):
            let key = original(duplicates.first ?? "")
            let second = YAMLFault.line(ofKey: key, after: context.mark, in: text)
            line = second ?? context.mark.line
            reason =
                "\(key.prefix(80)) stands twice, \(second == nil ? "" : "first in line \(context.mark.line); ")give it once"
        case .scanner(_, let problem, let mark, _):
            line = mark.line
            reason = YAMLFault.reason(of: mark, in: text) ?? "this isn't YAML: \(problem)"
        case .composer(_, let problem, let mark, _) where problem.contains("another document"):
            line = mark.line
            reason = "a second document begins here; a file with settings has one"
        case .parser(_, let problem, let mark, _) where problem.contains("nesting level"):
            line = mark.line
            reason = "this is nested too deep to be settings"
        case .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
            line = mark.line
            reason = "this isn't YAML: \(problem)"
        default:
            line = nil
            reason = "this isn't YAML: \(error)"
        }
        self.error = ConfigurationError(.file(path: path, line: line), key: nil, reason: reason)
    }

    /// The lines of a text; those of Windows lose their carriage returns.
    private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.last == "\r" ? line.dropLast() : line
        }
    }

    /// The mistakes that people make most often, by what stands at the place where libyaml stopped.
    private static func reason(of mark: Mark, in text: String) -> String? {
        let lines = lines(of: text)
        guard lines.indices.contains(mark.line - 1) else { return nil }
        let line = lines[mark.line - 1]
        if line.prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
            return "a tab stands before the text; YAML is indented with blanks"
        }
        guard let there = line.dropFirst(mark.column - 1).first, "@`%".unicodeScalars.contains(there) else {
            return nil
        }
        return "a text that begins with \(there) stands in quotes"
    }

    /// The line of the next key of that name in the same mapping, for keys that have a line each.
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
