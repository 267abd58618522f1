import EPGModel

/// The account of a source at Schedules Direct.
extension SourceReader {
    /// Takes the account.
    mutating func takeSchedulesDirect(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard case .mapping(let parts) = member.value.content else {
            return refuse(
                .schedulesDirect, member.line,
                "an account stands here as “key: value”; allowed: \(SourceKey.schedulesDirect.allowed)", &problems)
        }
        let before = problems.count
        var (username, password): (String?, Secret?)
        var lineups: [String] = []
        for part in parts {
            switch part.key {
            case "username": username = self.username(part, &problems)
            case "password": password = secret(.schedulesDirect, part, takesText: false, &problems)
            case "lineups": lineups = self.lineups(part, &problems)
            default:
                refuse(
                    .schedulesDirect, part.line,
                    "\(part.key.prefix(80)): there is no such setting; allowed: username, password, lineups", &problems)
            }
        }
        guard problems.count == before else { return }
        guard let username, let password else {
            return refuse(
                .schedulesDirect, member.line,
                "there is no \(username == nil ? "username" : "password"); "
                    + "allowed: \(SourceKey.schedulesDirect.allowed)", &problems)
        }
        configuration.schedulesDirect = SchedulesDirectSettings(
            username: username, password: password, lineups: lineups)
    }

    private func username(_ part: SettingNode.Member, _ problems: inout ConfigurationProblems) -> String? {
        if case .refused = part.value.content { return nil }
        guard let text = part.value.text.flatMap(SettingText.text), text.utf8.count <= 200 else {
            refuse(.schedulesDirect, part.line, "username: a text of at most 200 bytes stands here", &problems)
            return nil
        }
        return text
    }

    private func lineups(_ part: SettingNode.Member, _ problems: inout ConfigurationProblems) -> [String] {
        guard let lineups = texts(.schedulesDirect, part, &problems) else { return [] }
        let isSound =
            !lineups.isEmpty
            && lineups.allSatisfy { lineup in
                !lineup.isEmpty && lineup.utf8.count <= 200 && lineup.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            }
        if !isSound {
            refuse(
                .schedulesDirect, part.line, "lineups: identifiers such as USA-OTA-60030 stand here, or nothing at all",
                &problems)
        }
        return lineups
    }

    /// Gives the source the address of the service, unless it has one of its own, and tells what doesn't go with it.
    mutating func checkSchedulesDirect(_ problems: inout ConfigurationProblems) {
        for key in [SourceKey.headers, .token] {
            guard let line = lines[key] else { continue }
            refuse(key, line, "this goes with url alone; Schedules Direct is sent a token of its own", &problems)
        }
        let address = configuration.source.location ?? SchedulesDirectSettings.standardAddress
        configuration.source.location = address
        // Of the password its SHA-1 is sent, with which others could log in.
        guard let line = lines[.url], address.lowercased().hasPrefix("http:") else { return }
        let host = address.dropFirst("http://".count).prefix { !"/?#:".contains($0) }.lowercased()
        let isOwn = host == "localhost" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
        if !isOwn {
            refuse(
                .url, line, "the password would go unprotected; allowed for Schedules Direct: an address with https://",
                &problems)
        }
    }
}
