import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGFiles
import EPGJSON
import EPGModel
import EPGOutput
import EPGProgram
import EPGRefresh
import EPGRender
import Glibc

/// `epg config`: checks and shows the settings, and prints an example of them.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check or show the settings, or print an example.",
        discussion: """
            epg reads its settings from one file: the file that EPG_CONFIG names, which must exist. Without EPG_CONFIG, \
            it reads the first that exists of epg/epg.yml in XDG_CONFIG_HOME (~/.config/epg/epg.yml) and \
            /etc/epg/epg.yml. Environment variables and the file take precedence over settings in the database, which \
            `epg config set` and the page /admin/settings change.
            """,
        subcommands: [Check.self, Example.self, Set.self, Show.self])

    /// `epg config example`: prints a file with every setting.
    struct Example: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "example", abstract: "Print a settings file with every setting and its meaning.",
            discussion:
                "Every line is a comment. Lines with one # are settings: remove the # to use them."
        )

        func run() throws {
            try StandardOutput.write(ConfigurationExample.text)
        }
    }
}

extension ConfigCommand {
    /// `epg config check`: lists all errors in a settings file.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "List all errors in a settings file.",
            discussion: """
                The exit code is 78 if there are errors. The command ignores settings in environment variables. It \
                warns about tokens and passwords that it cannot read, and about files with them that other users can \
                read. It does not check whether commands, guide files and URLs exist.
                """)

        @Argument(help: ArgumentHelp("Settings file (default: the file that epg uses).", valueName: "file"))
        var file: String?

        @Option(help: ArgumentHelp("Settings file; the same as the argument.", valueName: "file"))
        var config: String?

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if file != nil, config != nil { throw ValidationError("Give the file either as FILE or with --config.") }
        }

        func run() throws {
            let file = file ?? config
            if let file, access(file, F_OK) != 0 {
                throw CommandFailure(.noInput, "Cannot find \(file).")
            }
            let reader = ConfigurationReader.ofProgram
            let outcome: ConfigurationCheck
            switch Result(catching: { () throws(ConfigurationRefusal) in try reader.check(file: file) }) {
            case .failure(let refusal): outcome = ConfigurationCheck(refusal)
            case .success(let findings):
                guard let path = findings.file else {
                    throw CommandFailure(
                        .noInput,
                        "There is no settings file at \(reader.places.joined(separator: " or ")). "
                            + "Print an example with `epg config example`.")
                }
                outcome = ConfigurationCheck(
                    file: path, sources: findings.configuration.sources.count,
                    warnings: findings.missingSecrets(environment: ProcessEnvironment.variables)
                        + findings.exposedSecretFiles().map(\.description)
                        + Self.missingFiles(of: findings.configuration.output.logos))
            }
            try output.print(outcome) { _ in outcome.text }
            if !outcome.isValid { throw ExitCode(ExitStatus.configuration.rawValue) }
        }

        /// Returns sentences about a folder of logos that cannot be read, and about files of stations that it does not have.
        private static func missingFiles(of logos: LogoSettings) -> [String] {
            guard let path = logos.folder else { return [] }
            do throws(SystemFault) {
                let folder = try LogoFolder(path: path)
                return logos.stations.filter { !$0.location.contains("://") && !folder.contains($0.location) }
                    .map { "logos.stations.\($0.station.rawValue): “\($0.location)” is not in the folder \(path)." }
            } catch {
                return ["logos: cannot read the folder \(path): \(error)."]
            }
        }
    }
}

extension ConfigCommand {
    /// `epg config show`: prints the effective settings and their origins.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the effective settings and where each is set.",
            discussion: "Omits secrets, command arguments, and URL queries.")

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            var database = database
            let findings: ConfigurationFindings
            do {
                findings = try settings.read(for: &database)
            } catch let error as StoreError {
                StandardError.report("The settings in the database are not shown. \(error)")
                findings = try ConfigurationReader.ofProgram.read(file: settings.config)
            }
            let shown = EffectiveSettings(findings: findings)
            try output.print(shown) { shown.text(for: $0) }
        }
    }
}

extension ConfigCommand {
    /// `epg config set`: changes a setting in the database.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a setting in the database.",
            discussion: """
                The settings are \(keys). A running service \
                uses the new value within seconds. epg.yml and environment variables take precedence.
                """)

        private static let keys = Setting.all.filter(\.isStored).map(\.key).joined(separator: ", ")

        @Argument(help: ArgumentHelp("Name of the setting.", valueName: "setting"))
        var key: String

        @Argument(
            help: ArgumentHelp("New value, or values of a list (default: restore the default).", valueName: "value"))
        var values: [String] = []

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            guard let setting = Setting.named(key), setting.isStored else {
                throw CommandFailure(
                    .usage,
                    "“\(key.prefix(64))” is not a setting of the database: \(Setting.successor(of: key))those are \(Self.keys). Others are in epg.yml (see `epg config example`)."
                )
            }
            guard values.count < 2 || setting.isList else {
                throw CommandFailure(.usage, "\(key) has one value. Quote a value with blanks.")
            }
            let reader = ConfigurationReader.ofProgram
            let values = try reader.values(toStore: setting, values.isEmpty ? nil : values.joined(separator: ","))
            let findings = try reader.read(file: settings.config)
            var database = database
            database.database = database.database ?? findings.configuration.database
            try database.write(waits: true) { try $0.saveSetting(key, to: values) }
            guard let finding = findings.settings.first(where: { $0.setting.key == key }),
                ![.database, .builtIn].contains(finding.place)
            else { return }
            StandardError.report("\(finding.place) also sets \(key), and takes precedence.")
        }
    }
}

// MARK: - Output of config check

/// The result of `epg config check`: `{"valid", "file", "sources", "findings", "omitted", "warnings"}`.
///
/// Each finding is `{"place", "line", "key", "reason"}`. `omitted` is the number of findings beyond the limit.
/// `warnings` are sentences about secrets and logos that cannot be read, and about files with secrets that other users can
/// read.
private struct ConfigurationCheck: JSONObject {
    /// `nil` if no file could be read.
    private let file: String?
    /// The number of sources of a valid file.
    private let sources: Int?
    private let refusal: ConfigurationRefusal?
    private var warnings: [String] = []

    init(file: String, sources: Int, warnings: [String]) {
        self.warnings = warnings
        self.file = file
        self.sources = sources
        refusal = nil
    }

    init(_ refusal: ConfigurationRefusal) {
        file = refusal.errors.lazy.compactMap(\.place.path).first
        sources = nil
        self.refusal = refusal
    }

    var isValid: Bool { refusal == nil }

    /// One line for each finding, or one that says that there are none.
    var text: String {
        guard let refusal else {
            let count = sources ?? 0
            return "\(file ?? ""): valid, \(count == 0 ? "no sources" : Wording.count(count, "source"))".withoutControls
                + "\n" + warnings.map { $0.withoutControls + "\n" }.joined()
        }
        let lines = refusal.errors.map { "\($0)".withoutControls + "\n" }.joined()
        return lines + (refusal.omittedCount > 0 ? "and \(refusal.omittedCount) more\n" : "")
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("valid", isValid)
        json.member("file", file)
        json.member("sources", sources)
        if let refusal {
            json.member("findings", objects: refusal.errors) { error, json in
                json.member("place", error.place.description)
                json.member("line", error.place.line)
                json.member("key", error.key)
                json.member("reason", error.reason)
            }
        }
        json.member("omitted", refusal?.omittedCount ?? 0)
        json.member("warnings", list: warnings)
    }
}

// MARK: - Output of config show

/// The effective settings: `{"file", "settings", "sources", "channelNames", "placeholders", "reminders"}`: channelNames and
/// placeholders have the patterns of names, and the titles of placeholders.
///
/// Each setting is `{"key", "values", "from"}`, without values if the default depends on the machine.
private struct EffectiveSettings: JSONObject {
    let findings: ConfigurationFindings

    func writeMembers(to json: inout JSONWriter) {
        json.member("file", findings.file)
        json.member("settings", objects: findings.shownSettings) { finding, json in
            json.member("key", finding.key)
            json.member("values", list: finding.values)
            json.member("from", finding.place.description)
        }
        json.member("sources", list: findings.shownSources)
        let derived = findings.configuration.derived
        json.member("channelNames", list: derived.names.map(\.pattern.text))
        json.member("placeholders", list: derived.placeholders.map(\.title))
        json.member("reminders", list: findings.shownReminders)
    }

    func text(for terminal: Terminal) -> String {
        var table = Table([Table.Column("setting"), Table.Column("value"), Table.Column("from")])
        for finding in findings.shownSettings {
            let isDefault = finding.place == .builtIn
            table.append([
                Cell(finding.key), Cell(value(of: finding)),
                isDefault ? Cell(finding.place.description, .dim) : Cell(finding.place.description),
            ])
        }
        var text = table.text(for: terminal)
        for source in findings.shownSources { text += source.text(for: terminal) }
        for target in findings.shownReminders {
            text += ShownEntry(name: "reminders: \(target.name)", fields: target.fields).text(for: terminal)
        }
        let derived = findings.configuration.derived
        let lists = [
            ("channel-names", derived.names.map { ($0.channels, $0.pattern.text) }),
            ("placeholders", derived.placeholders.map { ($0.channels, $0.title) }),
        ]
        for (name, entries) in lists where !entries.isEmpty {
            let fields = entries.map { channels, value in
                (channels.isEmpty ? "all channels" : channels.joined(separator: ", "), value)
            }
            text += ShownEntry(name: name, fields: fields).text(for: terminal)
        }
        return text
    }

    /// The values as text; for the zone without a setting, the system's zone.
    private func value(of finding: ConfigurationFindings.OutputFinding) -> String {
        guard finding.values.isEmpty, finding.key == "zone" else {
            return finding.values.joined(separator: ", ")
        }
        return "\(Zone.current.name) (system)"
    }
}

/// A source or another entry of a list in the settings: its name, and its settings by their keys in `epg.yml`. A secret is shown
/// by its location.
private struct ShownEntry: JSONObject {
    let name: String
    let fields: [(key: String, value: String)]

    func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        for (key, value) in fields { json.member(named: key, value) }
    }

    func text(for terminal: Terminal) -> String {
        var list = FieldList(indent: 2)
        for (key, value) in fields { list.append(key, value) }
        return "\n\(Cell(name, .bold).text(for: terminal))\n\(list.text(for: terminal))"
    }
}

extension ConfigurationFindings {
    fileprivate var shownSources: [ShownEntry] {
        configuration.sources.map { ShownEntry(name: $0.source.name, fields: $0.shownFields) }
    }

    fileprivate var shownReminders: [ShownEntry] {
        configuration.reminders.map { ShownEntry(name: $0.recipient.name, fields: $0.shownFields) }
    }

    /// All settings except settings of sources, with logos, genres and output last.
    fileprivate var shownSettings: [OutputFinding] {
        settings.map { OutputFinding(key: $0.setting.key, values: $0.values, place: $0.place) } + outputs
    }
}

extension SchedulesDirectSettings {
    /// The account and its lineups, without the password.
    fileprivate var text: String {
        let which = lineups.isEmpty ? "all lineups" : lineups.joined(separator: ", ")
        return "account \(username), password \(password), \(which)"
    }
}

extension ReminderTarget {
    /// The settings of the target by their keys in `epg.yml`, without the name and without secrets. Of a URL, only the host is
    /// shown, because the path may be a secret.
    fileprivate var shownFields: [(key: String, value: String)] {
        var fields = settings.shownFields.filter { $0.key != SourceKey.minimumShare.rawValue }
        if let index = fields.firstIndex(where: { $0.key == SourceKey.url.rawValue }) {
            let url = fields[index].value
            let host = url.split(separator: "/", omittingEmptySubsequences: true).prefix(2).joined(separator: "//")
            fields[index] = (kind.rawValue, "\(host)/…")
        }
        if !recipient.profiles.isEmpty { fields.append(("profiles", recipient.profiles.joined(separator: ", "))) }
        return fields
    }
}

extension SourceConfiguration {
    /// The settings of the source by their keys in `epg.yml`, without the name and without secrets.
    fileprivate var shownFields: [(key: String, value: String)] {
        var fields: [(SourceKey, String)] = []
        if let program = command.first {
            fields.append((.command, command.count == 1 ? program : "\(program) …"))
            if !environment.isEmpty {
                fields.append((.environment, environment.map { "\($0.name) \($0.value)" }.joined(separator: ", ")))
            }
        } else if let account = schedulesDirect {
            fields.append((.schedulesDirect, account.text))
            if source.location != SchedulesDirectSettings.defaultURL {
                fields.append((.url, GuideLocation.displayable(source.location ?? "")))
            }
        } else if let location = source.location {
            fields.append(
                location.hasPrefix("/") ? (.file, location) : (.url, GuideLocation.displayable(location)))
        }
        if let account = source.account, let xtreamPassword {
            fields.append((.xtream, "account \(account.username), password \(xtreamPassword)"))
        }
        if let schedule { fields.append((.schedule, schedule)) }
        if jitter != 0 { fields.append((.jitter, Self.exactText(ofSeconds: jitter))) }
        if let zone = source.timeZone { fields.append((.zone, zone)) }
        if source.shift != 0 { fields.append((.shift, String(source.shift))) }
        if source.priority != 0 { fields.append((.priority, String(source.priority))) }
        if !source.completes { fields.append((.complete, "false")) }
        if !source.stations.isEmpty { fields.append((.stations, source.stations.joined(separator: ", "))) }
        if !source.groups.isEmpty { fields.append((.forGroup, source.groups.joined(separator: ", "))) }
        if source.followsGuides { fields.append((.followGuides, "true")) }
        if let encoding = source.encoding { fields.append((.encoding, encoding)) }
        if !headers.isEmpty {
            fields.append((.headers, headers.map { "\($0.name) \($0.value)" }.joined(separator: ", ")))
        }
        if let token { fields.append((.token, token.description)) }
        fields.append((.minimumShare, "\(minimumShare) %"))
        if let timeLimit { fields.append((.timeLimit, Self.exactText(ofSeconds: Int64(timeLimit)))) }
        return fields.map { ($0.rawValue, $1) }
    }

    /// A duration in the largest unit that expresses it exactly: `90 s`, `90 min`, `2 h`.
    private static func exactText(ofSeconds seconds: Int64) -> String {
        if seconds % 3600 == 0 { return "\(seconds / 3600) h" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }
}
