import EPGModel

/// Reads one source.
struct SourceReader {
    /// Which one it is: `sources[0]` for the first.
    private let key: String
    let path: String
    let folder: String
    let checks: ConfigurationChecks
    /// Its name and the line of it, as soon as it was read.
    var name: (text: String, line: Int)?
    var configuration = SourceConfiguration(Source(name: ""))
    /// Where each of its keys stands.
    private(set) var lines: [SourceKey: Int] = [:]

    init(key: String, path: String, folder: String, checks: ConfigurationChecks) {
        self.key = key
        self.path = path
        self.folder = folder
        self.checks = checks
    }

    /// The source; `nil` where something is wrong with it, which is then among the problems.
    mutating func source(_ node: SettingNode, problems: inout ConfigurationProblems) -> SourceConfiguration? {
        guard case .mapping(let members) = node.content else {
            if case .refused = node.content { return nil }
            refuse(
                nil, node.line, "the settings of a source stand here as “key: value”; allowed: \(SourceReader.keys)",
                &problems)
            return nil
        }
        let before = problems.count
        for member in members {
            guard let known = SourceKey(rawValue: member.key) else {
                problems.add(
                    ConfigurationError(
                        .file(path: path, line: member.line), key: "\(key).\(member.key.prefix(80))",
                        reason: "there is no such setting of a source; allowed: \(SourceReader.keys)"))
                continue
            }
            lines[known] = member.line
            switch member.value.content {
            case .refused: break
            case .nothing: refuse(known, member.line, "there is no value; allowed: \(known.allowed)", &problems)
            default: take(known, member, &problems)
            }
        }
        checkTogether(line: node.line, &problems)
        return problems.count == before ? configuration : nil
    }

    /// Tells what is wrong with a key of the source, or with the source as a whole.
    func refuse(
        _ key: SourceKey?, _ line: Int, _ reason: @autoclosure () -> String, _ problems: inout ConfigurationProblems
    ) {
        problems.add(
            ConfigurationError(
                .file(path: path, line: line), key: self.key + (key.map { ".\($0.rawValue)" } ?? ""),
                reason: reason()))
    }

    private static let keys = SourceKey.allCases.map(\.rawValue).joined(separator: ", ")
}
