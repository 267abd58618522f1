import EPGModel

/// Parses the list of `reminders`.
struct RemindersReader {
    /// The folder that relative paths refer to, with a trailing slash; empty for the working folder.
    let folder: String

    /// The settings that a target shares with a source.
    private static let sharedKeys: [SourceKey] = [
        .name, .headers, .token, .environment, .timeLimit,
    ]
    private static let keys = (ReminderTarget.Kind.allCases.map(\.rawValue) + ["profiles"] + sharedKeys.map(\.rawValue))
        .sorted().joined(separator: ", ")
    private static let maximumCount = 50

    /// Returns the valid targets in the order of the file.
    func targets(_ member: SettingNode.Member, problems: inout ConfigurationProblems) -> [ReminderTarget] {
        let elements = problems.elements(
            of: member, "reminders", upTo: Self.maximumCount,
            "expected a list of at most \(Self.maximumCount) targets; each begins with “- name: ”")
        guard let elements else { return [] }
        var targets: [ReminderTarget] = []
        var lines: [String: Int] = [:]
        for (index, element) in elements.enumerated() {
            let key = "reminders[\(index)]"
            guard let target = target(element, key, &problems) else { continue }
            let name = target.recipient.name
            if let first = lines[name] {
                problems.refuse(
                    "\(key).name", element.line,
                    "duplicate name “\(name.prefix(80))”, first on line \(first); names must be unique")
                continue
            }
            lines[name] = element.line
            targets.append(target)
        }
        return targets
    }

    /// Parses a target: its own settings here, and the shared ones as for a source with a URL or a command.
    private func target(
        _ node: SettingNode, _ key: String, _ problems: inout ConfigurationProblems
    ) -> ReminderTarget? {
        let members = problems.members(
            of: node, key, "expected the settings of a target as “key: value”; allowed: \(Self.keys)")
        guard let members else { return nil }
        let before = problems.count
        var shared: [SettingNode.Member] = []
        var kinds: [ReminderTarget.Kind] = []
        var profiles: [String] = []
        for member in members {
            if let kind = ReminderTarget.Kind(rawValue: member.key) {
                kinds.append(kind)
                let key = kind == .command ? SourceKey.command : .url
                shared.append(SettingNode.Member(key: key.rawValue, line: member.line, value: member.value))
            } else if member.key == "profiles" {
                profiles = self.profiles(member, key, &problems)
            } else if let known = SourceKey(rawValue: member.key), Self.sharedKeys.contains(known) {
                shared.append(member)
            } else {
                problems.refuse(
                    "\(key).\(member.key.prefix(80))", member.line,
                    "unknown setting of a target; \(Setting.successor(of: member.key))allowed: \(Self.keys)")
            }
        }
        guard kinds.count == 1, let kind = kinds.first else {
            problems.refuse(key, node.line, "a target has exactly one of webhook, ntfy and command")
            return nil
        }
        var reader = SourceReader(key: key, folder: folder)
        let settings = reader.source(SettingNode(line: node.line, content: .mapping(shared)), problems: &problems)
        guard problems.count == before, let settings else { return nil }
        return ReminderTarget(kind: kind, settings: settings, profiles: profiles)
    }

    private func profiles(
        _ member: SettingNode.Member, _ key: String, _ problems: inout ConfigurationProblems
    ) -> [String] {
        let elements = if case .list(let elements) = member.value.content { elements } else { [member.value] }
        let texts = elements.compactMap { $0.text.flatMap(SettingText.text) }
        guard texts.count == elements.count, !texts.isEmpty else {
            problems.refuse("\(key).profiles", member.line, "expected the name of a profile, or a list of names")
            return []
        }
        return texts
    }
}
