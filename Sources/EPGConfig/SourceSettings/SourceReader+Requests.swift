import EPGModel

extension SourceReader {
    /// Takes the fields that go with each request.
    mutating func takeHeaders(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard case .mapping(let fields) = member.value.content else {
            return refuse(
                .headers, member.line, "fields stand here as “Name: value”; allowed: \(SourceKey.headers.allowed)",
                &problems)
        }
        var lines: [String: Int] = [:]
        for field in fields {
            let name = field.key.lowercased()
            if let reason = refusal(ofField: field.key) ?? lines[name].map({ "it stands in line \($0) too" }) {
                refuse(.headers, field.line, "\(field.key.prefix(80)): \(reason)", &problems)
                continue
            }
            lines[name] = field.line
            let takesText = !SourceReader.secretFields.contains(name)
            if let value = secret(.headers, field, takesText: takesText, &problems) {
                configuration.headers.append(SecretField(name: field.key, value: value))
            }
        }
        if let line = lines["authorization"], self.lines[.token] != nil {
            refuse(.headers, line, "Authorization is what the token is sent as; give one of them", &problems)
        }
    }

    /// Takes the variables of the source's program.
    mutating func takeEnvironment(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard case .mapping(let variables) = member.value.content else {
            return refuse(
                .environment, member.line,
                "variables stand here as “NAME: value”; allowed: \(SourceKey.environment.allowed)", &problems)
        }
        for variable in variables {
            guard SettingText.isVariable(variable.key) else {
                refuse(
                    .environment, variable.line, "\(variable.key.prefix(80)): this cannot be the name of a variable",
                    &problems)
                continue
            }
            if let value = secret(.environment, variable, takesText: true, &problems) {
                configuration.environment.append(SecretField(name: variable.key, value: value))
            }
        }
    }

    /// A secret: `{file: PATH}`, `{environment: NAME}`, or a text where one may stand.
    ///
    /// - Returns: `nil` where it can't be taken, which is then told without showing it.
    func secret(
        _ key: SourceKey, _ member: SettingNode.Member, takesText: Bool, _ problems: inout ConfigurationProblems
    ) -> Secret? {
        let forms = "{file: PATH} or {environment: NAME}"
        var reason = "this can't stand here; allowed: \(takesText ? "a text, " : "")\(forms)"
        switch member.value.content {
        case .refused: return nil
        case .text(let text) where takesText:
            if SettingText.isFieldValue(text) { return .text(text) }
            reason = "a value is a text on one line"
        case .text:
            reason = "others may read this file, so what is secret stands elsewhere; allowed: \(forms)"
        case .mapping(let places):
            if places.count == 1, let place = places.first, let text = place.value.text {
                switch place.key {
                case "file" where SettingText.text(text) != nil:
                    return .file(path: text.hasPrefix("/") ? text : folder + text)
                case "environment" where SettingText.isVariable(text): return .environment(text)
                case "environment": reason = "this can't be the name of a variable; allowed: {environment: NAME}"
                default: break
                }
            }
        case .nothing, .list: break
        }
        refuse(key, member.line, (key == .token ? "" : "\(member.key): ") + reason, &problems)
        return nil
    }

    /// Tells what doesn't go together: two places of the guide, or none, and what goes with another kind of source.
    mutating func checkTogether(line: Int, _ problems: inout ConfigurationProblems) {
        if lines[.name] == nil {
            refuse(nil, line, "it has no name; write name: and what you call it", &problems)
        }
        if let line = lines[.jitter], lines[.schedule] == nil {
            refuse(.jitter, line, "this delays the runs of a schedule, and there is none", &problems)
        }
        let isOfService = lines[.schedulesDirect] != nil
        let places = SourceKey.places.filter { !(isOfService && $0 == .url) }
            .compactMap { key in lines[key].map { (key: key, line: $0) } }
            .sorted { $0.line < $1.line }
        guard let first = places.first else {
            return refuse(
                nil, line, "nothing says where its guide is; write url:, file:, command: or schedules-direct:",
                &problems)
        }
        for second in places.dropFirst() {
            refuse(
                second.key, second.line,
                "\(first.key.rawValue) stands in line \(first.line) already; "
                    + "a source has one of url, file, command and schedules-direct",
                &problems)
        }
        if first.key == .file, let line = lines[.timeLimit] {
            refuse(.timeLimit, line, "this is for what is fetched or run; a file is read as it stands", &problems)
        }
        if first.key != .command, let line = lines[.environment] {
            refuse(.environment, line, "this goes with command alone", &problems)
        }
        if isOfService { return checkSchedulesDirect(&problems) }
        guard lines[.url] == nil else { return }
        for key in SourceKey.ofRequests {
            guard let line = lines[key] else { continue }
            refuse(key, line, "this goes with url alone; a \(first.key.rawValue) is asked for nothing", &problems)
        }
    }

    /// Fields that hold what nobody else may know.
    private static let secretFields: Set = ["authorization", "proxy-authorization", "cookie"]

    /// Fields that the refresh sends by itself where they are needed.
    private static let ownFields: Set = [
        "accept-encoding", "connection", "content-length", "host", "if-match", "if-modified-since", "if-none-match",
        "if-range", "if-unmodified-since", "range", "te", "transfer-encoding", "upgrade",
    ]

    private func refusal(ofField name: String) -> String? {
        guard SettingText.isToken(name) else { return "this can't be the name of a field (RFC 9110, 5.1)" }
        return SourceReader.ownFields.contains(name.lowercased())
            ? "the refresh sends this field by itself" : nil
    }
}
