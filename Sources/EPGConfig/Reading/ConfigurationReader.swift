import EPGCalendar
package import EPGModel
package import EPGOutput
import XMLTV

/// Reads a configuration from flags, the environment, and a file, in this order of precedence.
package struct ConfigurationReader: Sendable {
    /// The environment variables.
    private let environment: [String: String]
    private let checks: ConfigurationChecks
    /// Reads a file as text; returns `nil` if it does not exist.
    private let readFile: @Sendable (String) throws(ConfigurationError) -> String?
    /// Returns the folder that relative paths refer to.
    private let workingFolder: @Sendable () throws(ConfigurationError) -> String

    /// Creates a reader. It reads no file yet.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - checks: Further checks. By default, accepts all key bindings.
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

    /// Reads all settings.
    ///
    /// - Parameters:
    ///   - file: The path that the user gave; `nil` for the value of `EPG_CONFIG`, or the first existing file of
    ///     ``places``.
    ///   - flags: The values of command-line options, by the key of the setting.
    /// - Throws: ``ConfigurationRefusal`` with all invalid settings, also if an explicitly named file does not exist.
    package func read(
        file: String?, flags: [String: [String]] = [:]
    ) throws(ConfigurationRefusal) -> ConfigurationFindings {
        var problems = ConfigurationProblems()
        var findings = try fileFindings(file, &problems)
        applyVariables(of: Setting.all, to: &findings, &problems)
        for (key, successor) in Setting.successors.sorted(by: { $0.key < $1.key }) {
            let variable = Setting.variable(of: key)
            guard let text = environment[variable], !text.isEmpty else { continue }
            problems.add(
                ConfigurationError(
                    .variable(variable), key: key, reason: "no longer a setting; use “\(successor)” instead"))
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
                        .builtIn, key: "database",
                        reason: "missing value; HOME is not set, so there is no default database"))
            }
        }
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings
    }

    /// Reads only a file, without the environment.
    ///
    /// - Parameter file: See ``read(file:flags:)``.
    /// - Throws: ``ConfigurationRefusal`` with all invalid settings.
    package func check(file: String?) throws(ConfigurationRefusal) -> ConfigurationFindings {
        var problems = ConfigurationProblems()
        let findings = try fileFindings(file, &problems)
        check(findings, &problems)
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings
    }

    /// Returns the database that a file sets: the file in `EPG_CONFIG`, or the first existing file of ``places``.
    ///
    /// Ignores other errors in the file.
    /// - Returns: `nil` if there is no file, or if it sets no database.
    /// - Throws: ``ConfigurationRefusal`` if the file cannot be read, is not YAML, or sets an invalid database.
    package func database() throws(ConfigurationRefusal) -> String? {
        let file: ConfigurationFile?
        do throws(ConfigurationError) {
            file = try find(nil)
        } catch {
            throw ConfigurationRefusal(error)
        }
        return try findings(of: file) { $0.key == "database" }.configuration.database
    }

    /// Returns the limits of imports from the environment, the file that ``database()`` reads, or the defaults.
    ///
    /// Ignores other errors in the file, and an unreadable file unless `EPG_CONFIG` names it: it may belong to a server and be
    /// unrelated to a user's own guide.
    ///
    /// - Throws: ``ConfigurationRefusal`` if a limit is invalid, or the file in `EPG_CONFIG` cannot be read.
    package func importLimits() throws(ConfigurationRefusal) -> ImportLimits {
        try findings(below: "import.").configuration.importLimits
    }

    /// Returns the name of the time zone, from the same places as ``importLimits()`` and the database; `nil` for the system's.
    ///
    /// - Parameter stored: Returns the settings in the database; only called if nothing else sets the zone.
    /// - Throws: ``ConfigurationRefusal`` if it is unknown.
    package func zone(stored: () -> [String: [String]]) throws(ConfigurationRefusal) -> String? {
        var findings = try findings(below: "zone")
        if findings.isDefault("zone") { try apply(stored(), to: &findings) }
        return findings.configuration.zone
    }

    /// Returns the settings of `epg browse`, from the same places as ``importLimits()``.
    ///
    /// - Throws: ``ConfigurationRefusal`` if one of them is invalid.
    package func browse() throws(ConfigurationRefusal) -> BrowseSettings {
        try findings(below: "browse.").configuration.browse
    }

    /// Returns the logos, genres and texts of exports, and the public URL of the service, from the same places as
    /// ``importLimits()``.
    ///
    /// - Throws: ``ConfigurationRefusal`` if one of them is invalid.
    package func output() throws(ConfigurationRefusal) -> (settings: OutputSettings, publicURL: String?) {
        let findings = try findings(below: "public-url") { $0.applyOutputs(of: $1, &$2) }
        return (findings.configuration.output, findings.configuration.publicURL)
    }

    /// Returns the settings of derived listings, from the same places as ``importLimits()``, and the time zone also from the database.
    ///
    /// They are unknown (``DerivedSettings/areKnown``) if there is no file, or it cannot be read: another file may be in use with
    /// `--config`.
    ///
    /// - Parameter stored: The settings in the database.
    /// - Throws: ``ConfigurationRefusal`` if one of them is invalid.
    package func derived(_ stored: [String: [String]]) throws(ConfigurationRefusal) -> DerivedSettings {
        var hasFile = false
        var derived = try findings(below: "derived.") { findings, file, problems in
            findings.readDerived(file, &problems)
            hasFile = true
        }.configuration.derived
        derived.zone = try zone { stored }
        derived.areKnown = hasFile
        return derived
    }

    /// Returns the file in `EPG_CONFIG`, or the first existing file of ``places``; `nil` if that one cannot be read.
    ///
    /// - Throws: ``ConfigurationRefusal`` if the file in `EPG_CONFIG`, which the user chose, cannot be read.
    private func readableFile() throws(ConfigurationRefusal) -> ConfigurationFile? {
        do throws(ConfigurationError) {
            return try find(nil)
        } catch {
            guard environment["EPG_CONFIG", default: ""].isEmpty else { throw ConfigurationRefusal(error) }
            return nil
        }
    }

    /// Reads settings whose key has a prefix, from the environment, or from the file that ``database()`` reads.
    ///
    /// - Parameter readMore: Reads other parts of the file, if there is one.
    private func findings(
        below prefix: String,
        _ readMore: (inout ConfigurationFindings, ConfigurationFile, inout ConfigurationProblems) -> Void = { _, _, _ in
        }
    ) throws(ConfigurationRefusal) -> ConfigurationFindings {
        let isWanted = { (setting: Setting) in setting.key.hasPrefix(prefix) }
        let file = try readableFile()
        var findings = try findings(of: file, isWanted)
        var problems = ConfigurationProblems()
        applyVariables(of: Setting.all.filter(isWanted), to: &findings, &problems)
        if let file { readMore(&findings, file, &problems) }
        check(findings, &problems)
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return findings
    }

    /// Applies the environment variables of settings. An empty one counts as unset.
    private func applyVariables(
        of settings: [Setting], to findings: inout ConfigurationFindings, _ problems: inout ConfigurationProblems
    ) {
        for setting in settings {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            findings.apply(setting, setting.split(text), at: .variable(setting.variable), &problems)
        }
    }

    /// Reads some settings of a file.
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

    /// Paths of configuration files, in order of precedence.
    package var places: [String] {
        var places: [String] = []
        // A relative XDG_CONFIG_HOME must be ignored (XDG Base Directory Specification).
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
            places.append(folder + "/epg/epg.yml")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            places.append(home + "/.config/epg/epg.yml")
        }
        return places + ["/etc/epg/epg.yml"]
    }

    // MARK: - Files

    private func fileFindings(
        _ path: String?, _ problems: inout ConfigurationProblems
    ) throws(ConfigurationRefusal) -> ConfigurationFindings {
        var findings = ConfigurationFindings()
        do throws(ConfigurationError) {
            guard let file = try find(path) else { return findings }
            findings.file = file.path
            problems = file.problems
            for entry in file.entries { findings.apply(entry, of: file, &problems) }
            findings.applyOutputs(of: file, &problems)
            if let sources = file.sources {
                findings.configuration.sources = SourcesReader(folder: file.folder)
                    .sources(sources, problems: &problems)
            }
            findings.readDerived(file, &problems)
            if let list = file.reminders {
                findings.configuration.reminders = RemindersReader(folder: file.folder)
                    .targets(list, problems: &problems)
            }
        } catch {
            throw ConfigurationRefusal(error)
        }
        return findings
    }

    /// Reads all settings, also those in the database of a guide.
    ///
    /// - Throws: As ``read(file:flags:)`` and ``apply(settingsOf:to:)``.
    package func read(
        file: String?, flags: [String: [String]] = [:], guide: any GuideStorage
    ) throws -> ConfigurationFindings {
        var findings = try read(file: file, flags: flags)
        try apply(settingsOf: guide, to: &findings)
        return findings
    }

    /// Returns the values to store of a setting in the database, whatever takes precedence.
    ///
    /// - Parameter text: The text of the user, with commas between the values of a list.
    /// - Returns: `nil` for no value, which restores the default.
    /// - Throws: ``ConfigurationRefusal`` if they are invalid.
    package func values(toStore setting: Setting, _ text: String?) throws(ConfigurationRefusal) -> [String]? {
        let values = text.map(setting.split)?.filter { !$0.isEmpty || !setting.isList } ?? []
        guard !values.isEmpty else { return nil }
        var (findings, problems) = (ConfigurationFindings(), ConfigurationProblems())
        findings.apply(setting, values, at: .builtIn, &problems)
        check(findings, &problems)
        if values.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) {
            problems.add(.notAllowed(values, at: .builtIn, key: setting.key, allowed: setting.allowed))
        }
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
        return values
    }

    /// Applies the settings in the database of a guide that nothing else sets.
    ///
    /// Ignores keys that the database may not have: another version may have stored them.
    /// - Throws: ``ConfigurationRefusal`` for invalid values, and errors of the store. A guide that does not exist, or has an older
    ///   schema, has no settings.
    package func apply(settingsOf guide: any GuideStorage, to findings: inout ConfigurationFindings) throws {
        guard guide.exists else { return }
        let stored: [String: [String]]
        do {
            stored = try guide.read { try $0.storedSettings() }
        } catch StoreError.notFound, StoreError.olderSchema {
            return
        }
        try apply(stored, to: &findings)
    }

    /// Applies the settings in a database that nothing else sets.
    ///
    /// - Parameter stored: The values by key.
    /// - Throws: ``ConfigurationRefusal`` for invalid values, after it has applied all others.
    package func apply(
        _ stored: [String: [String]], to findings: inout ConfigurationFindings
    ) throws(ConfigurationRefusal) {
        var problems = ConfigurationProblems()
        for setting in Setting.all where setting.isStored && findings.isDefault(setting.key) {
            guard let values = stored[setting.key] else { continue }
            var (changed, found) = (findings, ConfigurationProblems())
            changed.apply(setting, values, at: .database, &found)
            check(changed, &found)
            if found.count == 0 { findings = changed }
            for error in found.errors { problems.add(error) }
        }
        if let refusal = ConfigurationRefusal(problems) { throw refusal }
    }

    /// Adds problems of values that are well-formed but invalid.
    private func check(_ findings: ConfigurationFindings, _ problems: inout ConfigurationProblems) {
        if let zone = findings.configuration.zone, let reason = SettingText.problem(ofZone: zone) {
            problems.add(findings.failure("zone", reason))
        }
        if let refresh = findings.configuration.refresh, let reason = SettingText.problem(ofSchedule: refresh) {
            problems.add(findings.failure("refresh", reason))
        }
        for reason in checks.keys(findings.configuration.browse.keys) {
            problems.add(findings.failure("browse.keys", reason))
        }
    }

    private func find(_ file: String?) throws(ConfigurationError) -> ConfigurationFile? {
        let variable = environment["EPG_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        if let path = file ?? variable {
            guard let text = try readFile(path) else {
                if file == nil {
                    throw ConfigurationError(.variable("EPG_CONFIG"), key: nil, reason: "file not found: \(path)")
                }
                throw ConfigurationError(.file(path: path, line: nil), key: nil, reason: "file not found")
            }
            let folder = path.hasPrefix("/") ? "" : try workingFolder()
            return try ConfigurationFile(path: path, text: text, workingFolder: folder)
        }
        for path in places {
            if let text = try readFile(path) {
                return try ConfigurationFile(path: path, text: text, workingFolder: "")
            }
        }
        return nil
    }

    /// The default database, the same as for `epg`; `nil` without a home folder.
    private var defaultDatabase: String? { DefaultDatabase(environment: environment)?.path }
}

extension ConfigurationFindings {
    /// Reads the lists of a file for derived listings.
    fileprivate mutating func readDerived(_ file: ConfigurationFile, _ problems: inout ConfigurationProblems) {
        problems.path = file.path
        let reader = DerivedReader()
        if let list = file.placeholders {
            configuration.derived.placeholders = reader.placeholders(list, problems: &problems)
        }
        if let list = file.channelNames {
            configuration.derived.names = reader.names(list, problems: &problems)
        }
    }

    /// Applies a setting of a file. Relative paths refer to the folder of the file.
    fileprivate mutating func apply(
        _ entry: ConfigurationFile.Entry, of file: ConfigurationFile, _ problems: inout ConfigurationProblems
    ) {
        let setting = entry.setting
        let values = setting.isPath ? entry.values.map { setting.resolved($0, in: file.folder) } : entry.values
        apply(setting, values, at: .file(path: file.path, line: entry.line), &problems)
    }
}

extension ConfigurationFindings {
    /// Applies `logos`, `genres` and `output` of a file.
    fileprivate mutating func applyOutputs(of file: ConfigurationFile, _ problems: inout ConfigurationProblems) {
        problems.path = file.path
        var reader = OutputReader(path: file.path, folder: file.folder)
        for member in file.outputs { reader.read(member, &problems) }
        configuration.output = reader.settings
        outputs = reader.entries
    }
}

extension Setting {
    /// Splits the text of an environment variable or option at commas, if the setting takes several values.
    package func split(_ text: String) -> [String] {
        guard isList else { return [text] }
        return text.split(separator: ",").map { part in
            var trimmed = part.drop { $0 == " " }
            while trimmed.last == " " { trimmed.removeLast() }
            return String(trimmed)
        }
    }

    /// Resolves a path against the folder of the file.
    fileprivate func resolved(_ path: String, in folder: String) -> String {
        // The database may also be a URL.
        guard !path.isEmpty, !path.hasPrefix("/"), !path.contains("://") else { return path }
        guard key == "listen" else { return folder + path }
        if path.hasPrefix("unix:"), !path.hasPrefix("unix:/") { return "unix:" + folder + path.dropFirst(5) }
        return path.contains("/") ? folder + path : path
    }
}

/// A configuration and the origin of each setting.
package struct ConfigurationFindings: Sendable {
    /// A setting with its values and their origin.
    package struct Finding: Sendable {
        /// The setting.
        package let setting: Setting
        /// The values as given, with resolved paths; the default value if the setting is not set.
        package let values: [String]
        /// The origin of the values.
        package let place: SettingPlace
    }

    /// A value of `logos`, `genres` or `output` with its origin.
    package struct OutputFinding: Sendable {
        /// The key, such as `output.stations[0].title`.
        package let key: String
        package let values: [String]
        package let place: SettingPlace

        package init(key: String, values: [String], place: SettingPlace) {
            self.key = key
            self.values = values
            self.place = place
        }
    }

    /// The configuration.
    package var configuration = ServiceConfiguration()
    /// The path of the configuration file; `nil` if there is none.
    package internal(set) var file: String?
    /// The values of `logos`, `genres` and `output`, in the order of the file.
    package fileprivate(set) var outputs: [OutputFinding] = []
    /// Explicit settings by key.
    private var found: [String: Finding] = [:]

    /// All settings, in the order of ``Setting/all``.
    package var settings: [Finding] {
        Setting.all.map { setting in
            found[setting.key]
                ?? Finding(setting: setting, values: setting.defaultValue.map { [$0] } ?? [], place: .builtIn)
        }
    }

    /// Whether nothing sets a setting.
    func isDefault(_ key: String) -> Bool { found[key] == nil }

    /// Stores the values of a setting, or adds a problem if they are invalid.
    mutating func apply(
        _ setting: Setting, _ values: [String], at place: SettingPlace, _ problems: inout ConfigurationProblems
    ) {
        guard setting.apply(&configuration, values) else {
            return problems.add(.notAllowed(values, at: place, key: setting.key, allowed: setting.allowed))
        }
        found[setting.key] = Finding(setting: setting, values: values, place: place)
    }

    /// Returns an error for the value of a setting, with its origin.
    package func failure(_ key: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(found[key]?.place ?? .builtIn, key: key, reason: reason)
    }
}

/// Checks of values that EPGConfig cannot make itself.
package struct ConfigurationChecks: Sendable {
    /// Validates key bindings of `epg browse`, and returns all reasons that they are invalid. By default, accepts all.
    package var keys: @Sendable ([String]) -> [String] = { _ in [] }

    package init() {}
}
