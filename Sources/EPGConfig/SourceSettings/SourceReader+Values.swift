import EPGModel

extension SourceReader {
    /// Takes the value of a key, or tells why it can't be taken.
    mutating func take(_ key: SourceKey, _ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        switch key {
        case .name, .url, .file, .schedule, .jitter, .zone, .shift, .priority, .encoding, .minimumShare,
            .privateAddresses, .timeLimit:
            guard let text = member.value.text else {
                return refuse(key, member.line, "one value stands here; allowed: \(key.allowed)", &problems)
            }
            guard let reason = take(key, text, line: member.line) else { return }
            refuse(key, member.line, reason, &problems)
        case .stations, .command:
            guard let texts = texts(key, member, &problems) else { return }
            guard let reason = key == .stations ? takeStations(texts) : takeCommand(texts, member.value) else { return }
            refuse(key, member.line, reason, &problems)
        case .headers: takeHeaders(member, &problems)
        case .environment: takeEnvironment(member, &problems)
        case .token: configuration.token = secret(.token, member, takesText: false, &problems)
        case .schedulesDirect: takeSchedulesDirect(member, &problems)
        }
    }

    /// Takes a value that is one text.
    ///
    /// - Returns: Why it can't be taken; `nil` where it was.
    private mutating func take(_ key: SourceKey, _ text: String, line: Int) -> String? {
        let refusal = "“\(text.prefix(80))” can't stand here; allowed: \(key.allowed)"
        switch key {
        case .name:
            guard let name = SettingText.text(text), name.contains(where: { $0 != " " }), name.utf8.count <= 200 else {
                return refusal
            }
            guard !name.hasURLCredentials else { return "a name is public and must not contain a user or password" }
            configuration.source.name = name
            self.name = (name, line)
        case .url:
            // An address may hold a key, so it isn't shown.
            guard let address = SettingText.address(text) else {
                return "this can't be fetched from; allowed: \(key.allowed)"
            }
            configuration.source.location = address
        case .file:
            guard let file = SettingText.text(text), !file.hasSuffix("/") else { return refusal }
            configuration.source.location = file.hasPrefix("/") ? file : folder + file
        case .schedule:
            if let reason = checks.schedule(text) { return "\(reason); allowed: \(key.allowed)" }
            configuration.schedule = text
        case .jitter:
            guard let seconds = SettingText.seconds(text, in: 0...86_400) else { return refusal }
            configuration.jitter = Int64(seconds)
        case .zone:
            if let reason = checks.zone(text) { return reason }
            configuration.source.timeZone = text
        case .shift:
            guard let shift = SettingText.shift(text) else { return refusal }
            configuration.source.shift = shift
        case .priority:
            guard let priority = SettingText.signedNumber(text, in: -1_000_000...1_000_000) else { return refusal }
            configuration.source.priority = Int(priority)
        case .encoding:
            if text.lowercased() == "auto" { return nil }
            if let reason = checks.encoding(text) { return reason }
            configuration.source.encoding = text
        case .minimumShare:
            guard let share = SettingText.percentage(text) else { return refusal }
            configuration.minimumShare = share
        case .privateAddresses:
            guard let isAllowed = SettingText.truth(text) else { return refusal }
            configuration.allowsPrivateAddresses = isAllowed
        case .timeLimit:
            guard let seconds = SettingText.seconds(text, in: 1...86_400) else { return refusal }
            configuration.timeLimit = seconds
        case .stations, .command, .headers, .token, .environment, .schedulesDirect: break
        }
        return nil
    }

    /// The texts of a list, or the one that stands in its place; `nil` where something else does, which is then told.
    func texts(
        _ key: SourceKey, _ member: SettingNode.Member, _ problems: inout ConfigurationProblems
    ) -> [String]? {
        let elements =
            switch member.value.content {
            case .list(let elements): elements
            default: [member.value]
            }
        var texts: [String] = []
        for element in elements {
            if case .refused = element.content { continue }
            guard let text = element.text else {
                refuse(
                    key, element.line, "a list of plain values stands here; allowed: \(key.allowed)", &problems)
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    private mutating func takeStations(_ texts: [String]) -> String? {
        guard texts.allSatisfy({ SettingText.text($0) != nil }) else {
            return "a pattern is a text on one line; allowed: \(SourceKey.stations.allowed)"
        }
        configuration.source.stations = texts.contains("*") ? [] : texts
        return nil
    }

    /// A text alone is split at blanks; nothing of a command is shown, for it may hold a password.
    private mutating func takeCommand(_ texts: [String], _ node: SettingNode) -> String? {
        var words = texts
        if let text = node.text {
            // What a shell would give a meaning to.
            guard !text.contains(where: { "\"'\\|&;<>$`(){}*?[]#~\t\n".contains($0) }) else {
                return
                    "no shell reads this, so quotes, pipes and patterns mean nothing; write a list: [PROGRAM, ARGUMENT, …], or [sh, -c, …]"
            }
            words = text.split(separator: " ").map(String.init)
        }
        guard let program = words.first, !program.isEmpty, !program.hasSuffix("/"),
            words.allSatisfy({ !$0.contains("\0") })
        else { return "there is no program; allowed: \(SourceKey.command.allowed)" }
        // A name alone is looked for in PATH; `./grab` begins at the file's folder, as other paths do.
        if program.contains("/"), !program.hasPrefix("/") { words[0] = folder + program }
        configuration.command = words
        return nil
    }
}
