import EPGModel

/// Reads what stands under `sources`.
struct SourcesReader {
    let path: String
    /// The folder in which relative paths begin, with its slash at the end; empty for the working folder.
    let folder: String
    let checks: ConfigurationChecks

    /// The sources in the order of the file; those with something wrong are left out.
    func sources(_ member: SettingNode.Member, problems: inout ConfigurationProblems) -> [SourceConfiguration] {
        guard case .list(let elements) = member.value.content else {
            if case .refused = member.value.content { return [] }
            problems.add(
                ConfigurationError(
                    .file(path: path, line: member.line), key: "sources",
                    reason: "a list of sources stands here, each of which begins with “- name: ”"))
            return []
        }
        var sources: [SourceConfiguration] = []
        var lines: [String: Int] = [:]
        for (index, element) in elements.enumerated() {
            var reader = SourceReader(key: "sources[\(index)]", path: path, folder: folder, checks: checks)
            let source = reader.source(element, problems: &problems)
            if let (name, line) = reader.name {
                if let first = lines[name] {
                    reader.refuse(
                        .name, line,
                        "“\(name.prefix(80))” is the source of line \(first) already; each has its own name",
                        &problems)
                    continue
                }
                lines[name] = line
            }
            if let source { sources.append(source) }
        }
        return sources
    }
}
