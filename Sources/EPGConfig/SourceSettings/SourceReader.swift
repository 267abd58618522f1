import EPGModel

/// Parses the list of `sources`.
struct SourcesReader {
    /// The folder that relative paths refer to, with a trailing slash; empty for the working folder.
    let folder: String

    /// Returns the valid sources in the order of the file.
    func sources(_ member: SettingNode.Member, problems: inout ConfigurationProblems) -> [SourceConfiguration] {
        let elements = problems.elements(
            of: member, "sources", "expected a list of sources; each begins with “- name: ”")
        guard let elements else { return [] }
        var sources: [SourceConfiguration] = []
        var lines: [String: Int] = [:]
        for (index, element) in elements.enumerated() {
            var reader = SourceReader(key: "sources[\(index)]", folder: folder)
            let source = reader.source(element, problems: &problems)
            if let (name, line) = reader.name {
                if let first = lines[name] {
                    reader.refuse(
                        .name, line,
                        "duplicate name “\(name.prefix(80))”, first on line \(first); names must be unique",
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

/// Parses one source, or the settings of requests and programs that a target of reminders shares with a source.
struct SourceReader {
    /// The key of the source, such as `sources[0]`.
    private let key: String
    private let folder: String
    /// The name and its line, once parsed.
    private(set) var name: (text: String, line: Int)?
    private var configuration = SourceConfiguration(Source(name: ""))
    /// The lines of the keys.
    private var lines: [SourceKey: Int] = [:]

    init(key: String, folder: String) {
        self.key = key
        self.folder = folder
    }

    /// Returns the source; `nil` if it is invalid. Adds the errors to `problems`.
    mutating func source(_ node: SettingNode, problems: inout ConfigurationProblems) -> SourceConfiguration? {
        let members = problems.members(
            of: node, key, "expected the settings of a source as “key: value”; allowed: \(SourceReader.keys)")
        guard let members else { return nil }
        let before = problems.count
        for member in members {
            guard let known = SourceKey(rawValue: member.key) else {
                problems.refuse(
                    "\(key).\(member.key.prefix(80))", member.line,
                    "unknown setting of a source; \(Setting.successor(of: member.key))allowed: \(SourceReader.keys)")
                continue
            }
            lines[known] = member.line
            switch member.value.content {
            case .refused: break
            case .nothing: refuse(known, member.line, "missing value; allowed: \(known.allowed)", &problems)
            default: parse(known, member, &problems)
            }
        }
        checkCombination(line: node.line, &problems)
        return problems.count == before ? configuration : nil
    }

    /// Adds an error of a key, or of the source if `key` is `nil`.
    func refuse(
        _ key: SourceKey?, _ line: Int, _ reason: @autoclosure () -> String, _ problems: inout ConfigurationProblems
    ) {
        problems.refuse(self.key + (key.map { ".\($0.rawValue)" } ?? ""), line, reason())
    }

    private static let keys = SourceKey.allCases.map(\.rawValue).joined(separator: ", ")
}

// MARK: - Values

extension SourceReader {
    /// Parses the value of a key.
    private mutating func parse(
        _ key: SourceKey, _ member: SettingNode.Member, _ problems: inout ConfigurationProblems
    ) {
        switch key {
        case .name, .url, .file, .schedule, .jitter, .zone, .shift, .priority, .encoding, .minimumShare, .timeLimit,
            .complete, .followGuides:
            guard let text = member.value.text else {
                return refuse(key, member.line, "expected one value; allowed: \(key.allowed)", &problems)
            }
            guard let reason = parse(key, text, line: member.line) else { return }
            refuse(key, member.line, reason, &problems)
        case .stations, .forGroup, .command:
            guard let texts = texts(key, member, &problems) else { return }
            let reason = key == .command ? parseCommand(texts, member.value) : parsePatterns(texts, of: key)
            if let reason { refuse(key, member.line, reason, &problems) }
        case .headers: parseHeaders(member, &problems)
        case .environment: parseEnvironment(member, &problems)
        case .token: configuration.token = secret(.token, member, allowsText: false, &problems)
        case .schedulesDirect, .xtream: parseAccount(key, member, &problems)
        }
    }

    /// Parses a scalar value.
    ///
    /// - Returns: The reason that it is invalid; otherwise `nil`.
    private mutating func parse(_ key: SourceKey, _ text: String, line: Int) -> String? {
        let refusal = "invalid value “\(text.prefix(80))”; allowed: \(key.allowed)"
        switch key {
        case .name:
            guard let name = SettingText.text(text), name.contains(where: { $0 != " " }), name.utf8.count <= 200 else {
                return refusal
            }
            guard !name.hasURLCredentials else { return "a name is public and must not contain a user or password" }
            guard name != Derivation.source.name else { return "“\(name)” is the source of derived listings" }
            configuration.source.name = name
            self.name = (name, line)
        case .url:
            // Do not show the URL, which may contain a key.
            guard let url = SettingText.url(text) else {
                return "invalid URL; allowed: \(key.allowed)"
            }
            configuration.source.location = url
        case .file:
            guard let file = SettingText.text(text), !file.hasSuffix("/") else { return refusal }
            configuration.source.location = file.hasPrefix("/") ? file : folder + file
        case .schedule:
            if let reason = SettingText.problem(ofSchedule: text) { return "\(reason); allowed: \(key.allowed)" }
            configuration.schedule = text
        case .jitter:
            guard let seconds = SettingText.seconds(text, in: 0...86_400) else { return refusal }
            configuration.jitter = Int64(seconds)
        case .zone:
            if let reason = SettingText.problem(ofZone: text) { return reason }
            configuration.source.timeZone = text
        case .shift:
            guard let shift = SettingText.shift(text) else { return refusal }
            configuration.source.shift = shift
        case .priority:
            guard let priority = SettingText.signedNumber(text, in: -1_000_000...1_000_000) else { return refusal }
            configuration.source.priority = Int(priority)
        case .complete:
            guard let completes = SettingText.boolean(text) else { return refusal }
            configuration.source.completes = completes
        case .encoding:
            if text.lowercased() == "auto" { return nil }
            if let reason = SettingText.problem(ofEncoding: text) { return reason }
            configuration.source.encoding = text
        case .minimumShare:
            guard let share = SettingText.percentage(text) else { return refusal }
            configuration.minimumShare = share
        case .timeLimit:
            guard let seconds = SettingText.seconds(text, in: 1...86_400) else { return refusal }
            configuration.timeLimit = seconds
        case .followGuides:
            guard let follows = SettingText.boolean(text) else { return refusal }
            configuration.source.followsGuides = follows
        case .stations, .forGroup, .command, .headers, .token, .environment, .schedulesDirect, .xtream: break
        }
        return nil
    }

    private func texts(
        _ key: SourceKey, _ member: SettingNode.Member, _ problems: inout ConfigurationProblems
    ) -> [String]? {
        problems.texts(of: member.value, "\(self.key).\(key.rawValue)", allowed: key.allowed)
    }

    /// Parses patterns of stations or groups.
    private mutating func parsePatterns(_ texts: [String], of key: SourceKey) -> String? {
        guard texts.allSatisfy({ SettingText.text($0) != nil }) else {
            return "a pattern must be text on one line; allowed: \(key.allowed)"
        }
        let patterns = texts.contains("*") ? [] : texts
        if key == .stations {
            configuration.source.stations = patterns
        } else {
            configuration.source.groups = patterns
        }
        return nil
    }

    /// Parses a command. A single text is split at spaces. Errors do not show the command, which may contain a
    /// password.
    private mutating func parseCommand(_ texts: [String], _ node: SettingNode) -> String? {
        var words = texts
        if let text = node.text {
            // Characters with a meaning in a shell.
            guard !text.contains(where: { "\"'\\|&;<>$`(){}*?[]#~\t\n".contains($0) }) else {
                return
                    "commands run without a shell, so quotes, pipes and patterns are not supported; "
                    + "use a list: [PROGRAM, ARGUMENT, …], or [sh, -c, …]"
            }
            words = text.split(separator: " ").map(String.init)
        }
        guard let program = words.first, !program.isEmpty, !program.hasSuffix("/"),
            words.allSatisfy({ !$0.contains("\0") })
        else { return "missing program; allowed: \(SourceKey.command.allowed)" }
        // A plain name is looked up in PATH; `./grab` is relative to the file's folder, like other paths.
        if program.contains("/"), !program.hasPrefix("/") { words[0] = folder + program }
        configuration.command = words
        return nil
    }
}

// MARK: - Requests

extension SourceReader {
    /// Parses the headers of requests.
    private mutating func parseHeaders(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard case .mapping(let fields) = member.value.content else {
            return refuse(
                .headers, member.line, "expected headers as “Name: value”; allowed: \(SourceKey.headers.allowed)",
                &problems)
        }
        var lines: [String: Int] = [:]
        for field in fields {
            let name = field.key.lowercased()
            if let reason = refusal(ofHeader: field.key) ?? lines[name].map({ "duplicate, first on line \($0)" }) {
                refuse(.headers, field.line, "\(field.key.prefix(80)): \(reason)", &problems)
                continue
            }
            lines[name] = field.line
            let allowsText = !SourceReader.secretHeaders.contains(name)
            if let value = secret(.headers, field, allowsText: allowsText, &problems) {
                configuration.headers.append(SecretField(name: field.key, value: value))
            }
        }
        if let line = lines["authorization"], self.lines[.token] != nil {
            refuse(.headers, line, "the token is sent as Authorization; remove one of them", &problems)
        }
    }

    /// Parses the environment variables of the source's program.
    private mutating func parseEnvironment(_ member: SettingNode.Member, _ problems: inout ConfigurationProblems) {
        guard case .mapping(let variables) = member.value.content else {
            return refuse(
                .environment, member.line,
                "expected variables as “NAME: value”; allowed: \(SourceKey.environment.allowed)", &problems)
        }
        for variable in variables {
            guard SettingText.isVariable(variable.key) else {
                refuse(
                    .environment, variable.line, "\(variable.key.prefix(80)): invalid variable name",
                    &problems)
                continue
            }
            if let value = secret(.environment, variable, allowsText: true, &problems) {
                configuration.environment.append(SecretField(name: variable.key, value: value))
            }
        }
    }

    /// Parses a secret: `{file: PATH}`, `{environment: NAME}`, or a text if `allowsText`.
    ///
    /// - Returns: `nil` after reporting an error, which does not show the value.
    private func secret(
        _ key: SourceKey, _ member: SettingNode.Member, allowsText: Bool, _ problems: inout ConfigurationProblems
    ) -> Secret? {
        let forms = "{file: PATH} or {environment: NAME}"
        var reason = "invalid value; allowed: \(allowsText ? "text, " : "")\(forms)"
        switch member.value.content {
        case .refused: return nil
        case .text(let text) where allowsText:
            if SettingText.isHeaderValue(text) { return .text(text) }
            reason = "a value must be text on one line"
        case .text:
            reason = "secrets must not be in this file, which others may read; allowed: \(forms)"
        case .mapping(let places):
            if places.count == 1, let place = places.first, let text = place.value.text {
                switch place.key {
                case "file" where SettingText.text(text) != nil:
                    return .file(path: text.hasPrefix("/") ? text : folder + text)
                case "environment" where SettingText.isVariable(text): return .environment(text)
                case "environment": reason = "invalid variable name; allowed: {environment: NAME}"
                default: break
                }
            }
        case .nothing, .list: break
        }
        refuse(key, member.line, (key == .token ? "" : "\(member.key): ") + reason, &problems)
        return nil
    }

    /// Checks keys against each other: exactly one location, and only keys for that kind of source.
    private mutating func checkCombination(line: Int, _ problems: inout ConfigurationProblems) {
        if lines[.name] == nil {
            refuse(nil, line, "missing name; add “name:”", &problems)
        }
        if let line = lines[.jitter], lines[.schedule] == nil {
            refuse(.jitter, line, "jitter requires a schedule", &problems)
        }
        let isSchedulesDirect = lines[.schedulesDirect] != nil
        if let line = lines[.xtream] { checkXtream(line: line, &problems) }
        let places = SourceKey.locationKeys.filter { !(isSchedulesDirect && $0 == .url) }
            .compactMap { key in lines[key].map { (key: key, line: $0) } }
            .sorted { $0.line < $1.line }
        guard let first = places.first else {
            return refuse(
                nil, line, "missing location of the guide; add url:, file:, command: or schedules-direct:",
                &problems)
        }
        for second in places.dropFirst() {
            refuse(
                second.key, second.line,
                "conflicts with \(first.key.rawValue) on line \(first.line); "
                    + "a source has only one of url, file, command and schedules-direct",
                &problems)
        }
        if first.key == .file, let line = lines[.timeLimit] {
            refuse(.timeLimit, line, "only allowed with url, command or schedules-direct", &problems)
        }
        if first.key != .command, let line = lines[.environment] {
            refuse(.environment, line, "only allowed with command", &problems)
        }
        if isSchedulesDirect { return checkSchedulesDirect(&problems) }
        guard lines[.url] == nil else { return }
        for key in SourceKey.requestKeys {
            guard let line = lines[key] else { continue }
            refuse(key, line, "only allowed with url, not with \(first.key.rawValue)", &problems)
        }
    }

    /// Headers whose values are secrets.
    private static let secretHeaders: Set = ["authorization", "proxy-authorization", "cookie"]

    private func refusal(ofHeader name: String) -> String? {
        guard name.utf8.count <= 200, RequestHeader.isValid(name: name) else {
            return "invalid header name (RFC 9110, 5.1)"
        }
        return RequestHeader.isReserved(name: name) ? "the refresh sets this header itself" : nil
    }
}

// MARK: - Schedules Direct

extension SourceReader {
    /// Parses an account at Schedules Direct or on an Xtream server.
    private mutating func parseAccount(
        _ key: SourceKey, _ member: SettingNode.Member, _ problems: inout ConfigurationProblems
    ) {
        guard case .mapping(let parts) = member.value.content else {
            return refuse(
                key, member.line, "expected an account as “key: value”; allowed: \(key.allowed)", &problems)
        }
        let before = problems.count
        var (username, password): (String?, Secret?)
        var lineups: [String] = []
        for part in parts {
            switch part.key {
            case "username": username = self.username(part, of: key, &problems)
            case "password": password = secret(key, part, allowsText: false, &problems)
            case "lineups" where key == .schedulesDirect: lineups = self.lineups(part, &problems)
            default:
                refuse(
                    key, part.line,
                    "\(part.key.prefix(80)): unknown setting; allowed: username, password"
                        + (key == .schedulesDirect ? ", lineups" : ""), &problems)
            }
        }
        guard problems.count == before else { return }
        guard let username, let password else {
            return refuse(
                key, member.line,
                "missing \(username == nil ? "username" : "password"); allowed: \(key.allowed)", &problems)
        }
        guard key == .schedulesDirect else {
            configuration.source.account = SourceAccount(.xtreamPlaylist, username: username)
            configuration.xtreamPassword = password
            return
        }
        configuration.schedulesDirect = SchedulesDirectSettings(
            username: username, password: password, lineups: lineups)
    }

    private func username(
        _ part: SettingNode.Member, of key: SourceKey, _ problems: inout ConfigurationProblems
    ) -> String? {
        if case .refused = part.value.content { return nil }
        guard let text = part.value.text.flatMap(SettingText.text), text.utf8.count <= 200 else {
            refuse(key, part.line, "username: expected text of at most 200 bytes", &problems)
            return nil
        }
        return text
    }

    private func lineups(_ part: SettingNode.Member, _ problems: inout ConfigurationProblems) -> [String] {
        guard let lineups = texts(.schedulesDirect, part, &problems) else { return [] }
        let isValid =
            !lineups.isEmpty
            && lineups.allSatisfy { lineup in
                !lineup.isEmpty && lineup.utf8.count <= 200 && lineup.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            }
        if !isValid {
            refuse(
                .schedulesDirect, part.line, "lineups: expected identifiers such as USA-OTA-60030",
                &problems)
        }
        return lineups
    }

    /// Checks that the account of an Xtream server has the URL of the server.
    private func checkXtream(line: Int, _ problems: inout ConfigurationProblems) {
        if lines[.url] == nil { refuse(.xtream, line, "requires the URL of the server; add url:", &problems) }
        if let line = lines[.followGuides] {
            refuse(.followGuides, line, "not allowed with xtream, whose guide is always followed", &problems)
        }
        if let line = lines[.schedulesDirect] { refuse(.schedulesDirect, line, "conflicts with xtream", &problems) }
    }

    /// Sets the URL of the service unless the source has one, and checks the other keys.
    private mutating func checkSchedulesDirect(_ problems: inout ConfigurationProblems) {
        for key in [SourceKey.headers, .token] {
            guard let line = lines[key] else { continue }
            refuse(key, line, "only allowed with url; Schedules Direct uses its own token", &problems)
        }
        let url = configuration.source.location ?? SchedulesDirectSettings.defaultURL
        configuration.source.location = url
        guard let line = lines[.url], !SchedulesDirectSettings.isProtected(url) else { return }
        refuse(
            .url, line, "the password would be sent unencrypted; allowed for Schedules Direct: an https:// URL",
            &problems)
    }
}
