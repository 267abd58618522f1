import EPGModel

/// Parses the lists `placeholders` and `channel-names`.
struct DerivedReader {

    private static let longestText = 500
    private static let largestList = 100

    /// Returns the valid templates in the order of the file.
    func placeholders(
        _ member: SettingNode.Member, problems: inout ConfigurationProblems
    ) -> [PlaceholderTemplate] {
        entries(member, problems: &problems).compactMap { key, node in
            var template = PlaceholderTemplate()
            let isValid = read(node, key, allowed: PlaceholderKey.self, &problems) { name, value in
                switch name {
                case .channels: return parsePatterns(value, into: &template.channels)
                case .title:
                    return unknownPlaceholder(value, ["channel"]) ?? parseText(value) { template.title = $0 }
                case .description:
                    return unknownPlaceholder(value, ["channel"]) ?? parseText(value) { template.description = $0 }
                case .category: return parseText(value) { template.category = $0 }
                case .every: return parseSeconds(value, into: &template.every)
                }
            }
            return isValid ? template : nil
        }
    }

    /// Returns the valid patterns in the order of the file.
    func names(_ member: SettingNode.Member, problems: inout ConfigurationProblems) -> [ChannelNamePattern] {
        entries(member, problems: &problems).compactMap { key, node in
            guard let expression = expression(node, key, &problems) else { return nil }
            var pattern = ChannelNamePattern(expression)
            let placeholders = ["channel", "title", "time"]
            let isValid = read(node, key, allowed: NameKey.self, &problems) { name, value in
                switch name {
                case .pattern: return nil
                case .channels: return parsePatterns(value, into: &pattern.channels)
                case .zone:
                    if let reason = value.text.map(SettingText.problem(ofZone:)) ?? "expected a zone" { return reason }
                    pattern.zone = value.text
                    return nil
                case .duration: return parseSeconds(value, into: &pattern.duration)
                case .before:
                    return unknownPlaceholder(value, placeholders) ?? parseText(value) { pattern.before = $0 }
                case .after:
                    return unknownPlaceholder(value, placeholders) ?? parseText(value) { pattern.after = $0 }
                case .category: return parseText(value) { pattern.category = $0 }
                }
            }
            return isValid ? pattern : nil
        }
    }

    private enum PlaceholderKey: String, CaseIterable {
        case channels, title, description, category, every
    }

    private enum NameKey: String, CaseIterable {
        case pattern, channels, zone, duration, before, after, category
    }

    // MARK: - Structure

    private func entries(
        _ member: SettingNode.Member, problems: inout ConfigurationProblems
    ) -> [(key: String, node: SettingNode)] {
        let elements = problems.elements(of: member, member.key, "expected a list; each entry begins with “- ”")
        guard let elements else { return [] }
        guard elements.count <= Self.largestList else {
            problems.refuse(member.key, member.line, "a list has at most \(Self.largestList) entries")
            return []
        }
        return elements.enumerated().map { ("\(member.key)[\($0.offset)]", $0.element) }
    }

    /// Reads the members of an entry.
    ///
    /// - Parameter parse: Returns the reason that a value is invalid.
    /// - Returns: Whether all are valid.
    private func read<Key: RawRepresentable & CaseIterable>(
        _ node: SettingNode, _ key: String, allowed: Key.Type, _ problems: inout ConfigurationProblems,
        parse: (Key, SettingNode) -> String?
    ) -> Bool where Key.RawValue == String {
        let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
        let members = problems.members(of: node, key, "expected settings as “key: value”; allowed: \(keys)")
        guard let members else { return false }
        let before = problems.count
        for member in members {
            let name = "\(key).\(member.key.prefix(80))"
            guard let known = Key(rawValue: member.key) else {
                problems.refuse(name, member.line, "unknown setting; allowed: \(keys)")
                continue
            }
            if case .refused = member.value.content { continue }
            if let reason = parse(known, member.value) { problems.refuse(name, member.line, reason) }
        }
        return problems.count == before
    }

    private func expression(
        _ node: SettingNode, _ key: String, _ problems: inout ConfigurationProblems
    ) -> NameExpression? {
        guard case .mapping(let members) = node.content, let member = members.first(where: { $0.key == "pattern" }),
            let text = member.value.text
        else {
            if case .refused = node.content { return nil }
            problems.refuse(key, node.line, "missing pattern; add “pattern: '(?<title>.+) (?<time>…)'”")
            return nil
        }
        let name = key + ".pattern"
        do {
            let expression = try NameExpression(text)
            if let unknown = expression.groups.first(where: { !ChannelNamePattern.groups.contains($0) }) {
                problems.refuse(
                    name, member.line,
                    "unknown group “\(unknown.prefix(80))”; allowed: "
                        + ChannelNamePattern.groups.joined(separator: ", "))
                return nil
            }
            guard expression.groups.contains("title"), expression.groups.contains("time") else {
                problems.refuse(name, member.line, "the groups (?<title>…) and (?<time>…) are required")
                return nil
            }
            return expression
        } catch {
            problems.refuse(name, member.line, "invalid regular expression: \("\(error)".prefix(200))")
            return nil
        }
    }

    // MARK: - Values

    /// Passes a text to `take`; returns the reason that it is invalid.
    private func parseText(_ node: SettingNode, _ take: (String) -> Void) -> String? {
        guard let text = node.text.flatMap(Self.text) else { return Self.textForm }
        take(text)
        return nil
    }

    private func parseSeconds(_ node: SettingNode, into place: inout Int64) -> String? {
        guard let seconds = node.text.flatMap({ SettingText.seconds($0, in: 600...86_400) }) else {
            return "expected a duration from 10 min to 24 h, such as 2 h"
        }
        place = Int64(seconds)
        return nil
    }

    private func parsePatterns(_ node: SettingNode, into patterns: inout [String]) -> String? {
        let texts: [String?] =
            switch node.content {
            case .text(let text): [text]
            case .list(let elements): elements.map(\.text)
            default: [nil]
            }
        let found = texts.compactMap { $0.flatMap(Self.text) }
        guard found.count == texts.count, !found.isEmpty, found.count <= Self.largestList else {
            return "expected patterns of channels, in which * matches any text and ? any character"
        }
        patterns = found
        return nil
    }

    /// Returns why a template is invalid; `nil` if all of its placeholders are allowed.
    private func unknownPlaceholder(_ node: SettingNode, _ allowed: [String]) -> String? {
        guard let text = node.text else { return nil }
        for match in text.matches(of: /\{([A-Za-z]+)\}/) where !allowed.contains(String(match.1)) {
            return "unknown placeholder {\(match.1.prefix(80))}; allowed: "
                + allowed.map { "{\($0)}" }.joined(separator: ", ")
        }
        return nil
    }

    private static let textForm = "expected text of at most \(longestText) bytes"

    private static func text(_ text: String) -> String? {
        SettingText.text(text).flatMap { $0.utf8.count <= longestText ? $0 : nil }
    }
}
