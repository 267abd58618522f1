package import EPGModel

/// Puts a configuration together: flags over the environment over a file over the defaults.
package struct ConfigurationReader: Sendable {
    /// The environment's variables.
    private let environment: [String: String]
    private let checks: ConfigurationChecks
    /// Reads a file as text; `nil` where there is none.
    private let readFile: @Sendable (String) throws(ConfigurationError) -> String?
    /// Where relative paths begin.
    private let workingFolder: @Sendable () throws(ConfigurationError) -> String

    package init(environment: [String: String], checks: ConfigurationChecks = ConfigurationChecks()) {
        self.init(
            environment: environment, checks: checks, workingFolder: ConfigurationText.workingFolder,
            readFile: ConfigurationText.contents(of:))
    }

    init(
        environment: [String: String], checks: ConfigurationChecks = ConfigurationChecks(),
        workingFolder: @escaping @Sendable () throws(ConfigurationError) -> String,
        readFile: @escaping @Sendable (String) throws(ConfigurationError) -> String?
    ) {
        self.environment = environment
        self.checks = checks
        self.workingFolder = workingFolder
        self.readFile = readFile
    }

    /// All settings, whatever says them.
    ///
    /// - Parameters:
    ///   - file: The file that `--config` names; `nil` for the one of `EPG_CONFIG`, else the first that is there of those of
    ///     ``places``.
    ///   - flags: The values of flags, by the key of the setting.
    /// - Throws: ``ConfigurationRefusal``, also where a file that is named isn't there.
    package func read(
        file: String?, flags: [String: [String]] = [:]
    ) throws(ConfigurationRefusal) -> ConfigurationFindings {
        var problems = ConfigurationProblems()
        var findings = try fileFindings(file, &problems)
        for setting in Setting.all {
            // An empty variable counts as one that isn't set.
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            findings.apply(setting, setting.split(text), at: .variable(setting.variable), &problems)
        }
        for setting in Setting.all {
            guard let values = flags[setting.key] else { continue }
            findings.apply(setting, values.flatMap(setting.split), at: .flag(setting.flag), &problems)
        }
        check(findings, &problems)
        if findings.configuration.database == nil {
            findings.configuration.database = defaultDatabase
            if defaultDatabase == nil {
                problems.add(
                    ConfigurationError(
                        .usual, key: "database",
                        reason: "HOME isn't set, so the guide has no place; name one with --database"))
            }
        }
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings
    }

    /// What a file says, without the environment's settings.
    ///
    /// - Parameter file: As for ``read(file:flags:)``.
    package func check(file: String?) throws(ConfigurationRefusal) -> ConfigurationFindings {
        var problems = ConfigurationProblems()
        let findings = try fileFindings(file, &problems)
        check(findings, &problems)
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings
    }

    /// The database that a file names, of the one of `EPG_CONFIG`, else of the first that is there of those of ``places``.
    ///
    /// Whatever else is wrong in the file doesn't matter.
    /// - Returns: `nil` where there is no file, or where it names no database.
    package func database() throws(ConfigurationRefusal) -> String? {
        let file: ConfigurationFile?
        do throws(ConfigurationError) {
            file = try find(nil)
        } catch {
            throw ConfigurationRefusal(error)
        }
        return try findings(of: file) { $0.key == "database" }.configuration.database
    }

    /// The limits of imports: those of the environment, else of the file that ``database()`` reads, else the defaults.
    ///
    /// Whatever else is wrong in the file doesn't matter, and a file that can't be read sets none: it may be one of the service,
    /// which is no concern of a user's own guide.
    package func importLimits() throws(ConfigurationRefusal) -> ImportLimits {
        var problems = ConfigurationProblems()
        let findings = try findings(below: "import.", &problems)
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings.configuration.importing
    }

    /// What is set for `epg browse`; read as ``importLimits()``.
    package func browse() throws(ConfigurationRefusal) -> BrowseChoice {
        var problems = ConfigurationProblems()
        let findings = try findings(below: "browse.", &problems)
        check(findings, &problems)
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings.configuration.browse
    }

    /// The settings whose key has a prefix, of the environment or of the file that ``database()`` reads, if it can be read.
    private func findings(
        below prefix: String, _ problems: inout ConfigurationProblems
    ) throws(ConfigurationRefusal) -> ConfigurationFindings {
        let isWanted = { (setting: Setting) in setting.key.hasPrefix(prefix) }
        let file: ConfigurationFile?
        do throws(ConfigurationError) {
            file = try find(nil)
        } catch {
            file = nil
        }
        var findings = try findings(of: file, isWanted)
        for setting in Setting.all where isWanted(setting) {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            findings.apply(setting, setting.split(text), at: .variable(setting.variable), &problems)
        }
        return findings
    }

    /// What a file says of some settings.
    private func findings(
        of file: ConfigurationFile?, _ isWanted: (Setting) -> Bool
    ) throws(ConfigurationRefusal) -> ConfigurationFindings {
        var findings = ConfigurationFindings()
        guard let file else { return findings }
        var problems = ConfigurationProblems()
        let wanted = Set(Setting.all.filter(isWanted).map(\.key))
        for error in file.problems.errors where error.key.map(wanted.contains) ?? false { problems.add(error) }
        for entry in file.entries where isWanted(entry.setting) { findings.apply(entry, of: file, &problems) }
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings
    }

    /// Where a file is looked for, in this order.
    package var places: [String] {
        var places: [String] = []
        // A relative XDG_CONFIG_HOME is to be ignored (XDG Base Directory Specification).
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            places.append(folder + "/epg/epg.yml")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            places.append(home + "/.config/epg/epg.yml")
        }
        return places + ["/etc/epg/epg.yml"]
    }

    // MARK: - Private

    private func fileFindings(
        _ path: String?, _ problems: inout ConfigurationProblems
    ) throws(ConfigurationRefusal) -> ConfigurationFindings {
        var findings = ConfigurationFindings()
        do throws(ConfigurationError) {
            guard let file = try find(path) else { return findings }
            findings.file = file.path
            problems = file.problems
            for entry in file.entries { findings.apply(entry, of: file, &problems) }
            if let sources = file.sources {
                findings.configuration.sources = SourcesReader(path: file.path, folder: file.folder, checks: checks)
                    .sources(sources, problems: &problems)
            }
        } catch {
            throw ConfigurationRefusal(error)
        }
        return findings
    }

    /// Tells what is well formed but means nothing.
    private func check(_ findings: ConfigurationFindings, _ problems: inout ConfigurationProblems) {
        if let zone = findings.configuration.zone, let reason = checks.zone(zone) {
            problems.add(findings.failure("zone", reason))
        }
        if let refresh = findings.configuration.refresh, let reason = checks.schedule(refresh) {
            problems.add(findings.failure("refresh", reason))
        }
        if let reason = checks.keys(findings.configuration.browse.keys) {
            problems.add(findings.failure("browse.keys", reason))
        }
    }

    private func find(_ file: String?) throws(ConfigurationError) -> ConfigurationFile? {
        var named: (path: String, by: SettingPlace)?
        if let file {
            named = (file, .flag("config"))
        } else if let variable = environment["EPG_CONFIG"], !variable.isEmpty {
            named = (variable, .variable("EPG_CONFIG"))
        }
        if let named {
            guard let text = try readFile(named.path) else {
                throw ConfigurationError(named.by, key: nil, reason: "there is no file \(named.path)")
            }
            let folder = named.path.hasPrefix("/") ? "" : try workingFolder()
            return try ConfigurationFile(path: named.path, text: text, workingFolder: folder)
        }
        for path in places {
            if let text = try readFile(path) {
                return try ConfigurationFile(path: path, text: text, workingFolder: "")
            }
        }
        return nil
    }

    /// The place for a user's files, the same as that of the command line; `nil` without a home.
    private var defaultDatabase: String? { DefaultDatabase(environment: environment)?.path }
}

extension ConfigurationFindings {
    /// Takes what a file says of a setting; relative paths begin at its folder.
    fileprivate mutating func apply(
        _ entry: ConfigurationFile.Entry, of file: ConfigurationFile, _ problems: inout ConfigurationProblems
    ) {
        let setting = entry.setting
        let values = setting.isPath ? entry.values.map { setting.resolved($0, in: file.folder) } : entry.values
        apply(setting, values, at: .file(path: file.path, line: entry.line), &problems)
    }
}

extension Setting {
    /// The values in a text of the environment or of a flag.
    fileprivate func split(_ text: String) -> [String] {
        guard isList else { return [text] }
        return text.split(separator: ",").map { part in
            var trimmed = part.drop { $0 == " " }
            while trimmed.last == " " { trimmed.removeLast() }
            return String(trimmed)
        }
    }

    /// A path of a file, from the file's folder.
    fileprivate func resolved(_ path: String, in folder: String) -> String {
        guard !path.isEmpty, !path.hasPrefix("/") else { return path }
        guard key == "listen" else { return folder + path }
        if path.hasPrefix("unix:"), !path.hasPrefix("unix:/") { return "unix:" + folder + path.dropFirst(5) }
        return path.contains("/") ? folder + path : path
    }
}
