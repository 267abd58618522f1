import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGFiles
import EPGImport
import EPGJSON
import EPGModel
import EPGPostgres
import EPGProgram
import EPGRefresh
import EPGRender
import EPGStore
import EPGTerminal
import Glibc
import Synchronization
import XMLTV

// MARK: - Database

/// The database of the guide.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Database file, or postgresql:// URL (default: EPG_DATABASE, else database in epg.yml, else epg/guide.sqlite in \
            XDG_DATA_HOME or ~/.local/share).
            """, valueName: "file"))
    var database: String?

    /// The guide, which may not exist yet. Only this type knows the storage engine.
    func guide(connections: Int = 1) throws -> any GuideStorage { try Self.guide(at: path(), connections: connections) }

    /// Reads the guide in one transaction.
    ///
    /// - Throws: ``StoreError/notFound(path:)`` if the guide does not exist.
    func read<Value>(_ body: (any GuideReading) throws -> Value) throws -> Value {
        try guide().read(body)
    }

    /// Opens the guide for writing, and creates it if it does not exist.
    ///
    /// Also creates the folders of the default location, with mode 0700 (XDG Base Directory Specification).
    /// - Parameter waits: Whether to wait for another writer.
    /// - Throws: An `ExitCode` if everything was written but the disk may be failing.
    func write<Value>(waits: Bool, _ body: (any GuideWriting) throws -> Value) throws -> Value {
        let isUnfinished = Atomic(false)
        let answer = try Self.guide(
            at: pathCreatingFolder(), onUnfinished: { isUnfinished.store(true, ordering: .relaxed) }
        )
        .write(waiting: waits ? .always : .never, body)
        guard !isUnfinished.load(ordering: .relaxed) else {
            throw ExitCode(ExitStatus.inputOutput.rawValue)
        }
        return answer
    }

    /// Replaces the guide with the content of a backup; creates the folder of the default location if needed.
    ///
    /// - Parameter waits: Whether to wait for other processes.
    /// - Returns: The report, and the path of the guide.
    func restore(from backup: String, now: Instant, waits: Bool) throws -> (report: RestoreReport, path: String) {
        let guide = try Self.guide(at: pathCreatingFolder())
        do {
            return (try guide.restore(from: backup, now: now, waiting: waits ? .always : .never), guide.location)
        } catch StoreError.inaccessible(let file, let detail) where file.hasPrefix(guide.location) {
            let place = file == guide.location ? "" : "\(file): "
            throw CommandFailure(.cannotCreate, "Cannot restore \(guide.location): \(place)\(detail).")
        }
    }

    /// Returns the guide at a path or URL.
    ///
    /// - Parameter onUnfinished: Called when the disk may be failing, after a message on standard error.
    static func guide(
        at path: String, connections: Int = 1, onUnfinished: @escaping @Sendable () -> Void = {}
    ) throws -> any GuideStorage {
        if PostgresGuide.isLocation(path) {
            do {
                return try PostgresGuide(path, backups: .sqlite, connections: connections)
            } catch {
                throw CommandFailure(.usage, "\(error)")
            }
        }
        // A small cache suffices, because a command reads most pages once.
        return GuideDatabase(path: path, connections: connections, cacheKiB: 2 << 10) { error in
            StandardError.report("\(error)")
            onUnfinished()
        }
    }

    /// Returns the path beside which files of the guide are kept; the guide may not exist yet.
    func companionPathCreatingFolder() throws -> String {
        let guide = try Self.guide(at: pathCreatingFolder())
        // For a guide on a server, the folder is a cache of this computer.
        if guide.companionPath != guide.location, guide.companionPath.hasPrefix("/") {
            try Self.makeFolders(of: guide.companionPath, advice: "Set another folder with EPG_CACHE.")
        }
        return guide.companionPath
    }

    /// Returns the path, and creates the folders of the default location.
    private func pathCreatingFolder() throws -> String {
        let path = try path()
        if let place = DefaultDatabase(environment: ProcessEnvironment.variables), place.path == path {
            try Self.makeFolders(of: path, advice: "Give a database with --database.")
        }
        return path
    }

    private static func makeFolders(of path: String, advice: String) throws(CommandFailure) {
        do throws(DefaultDatabase.Failure) {
            try DefaultDatabase.makeFolders(of: path)
        } catch {
            throw CommandFailure(.cannotCreate, "Cannot create the folder \(error.folder): \(error.fault). \(advice)")
        }
    }

    /// Returns the path: the option, else the environment variable, else the one in `epg.yml`, else the default
    /// location.
    ///
    /// - Throws: ``CommandFailure``, or `ConfigurationRefusal` if `epg.yml` is invalid.
    private func path() throws -> String {
        if let database {
            // SQLite would open a temporary database.
            guard !database.isEmpty else { throw CommandFailure(.usage, "--database requires a file or a URL.") }
            return database
        }
        let environment = ProcessEnvironment.variables
        if let variable = environment["EPG_DATABASE"], !variable.isEmpty { return variable }
        if let path = try ConfigurationReader(environment: environment).database() { return path }
        guard let place = DefaultDatabase(environment: environment) else {
            throw CommandFailure(
                .configuration, "HOME is not set, so there is no default database. Give a database with --database.")
        }
        return place.path
    }
}

/// The database of a command that changes the guide, and whether the command waits for other writers.
struct WritableDatabase: ParsableArguments {
    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var options: DatabaseOptions

    /// Opens the guide for writing, and creates it if it does not exist; see ``DatabaseOptions/write(waits:_:)``.
    func write<Value>(_ body: (any GuideWriting) throws -> Value) throws -> Value {
        try options.write(waits: wait, body)
    }

    /// Opens an existing guide for writing.
    ///
    /// - Throws: ``StoreError/notFound(path:)`` if the guide does not exist.
    func change<Value>(_ body: (any GuideWriting) throws -> Value) throws -> Value {
        let guide = try options.guide()
        guard guide.exists else { throw StoreError.notFound(path: guide.location) }
        return try write(body)
    }

    /// Changes lineups or mappings, and then the derived listings and the search index, which depend on them.
    func changeLineups<Value>(_ body: (any GuideWriting) throws -> Value) throws -> Value {
        try change { guide in
            // Invalid settings are reported before anything changes.
            let derived = try SettingsOptions.derivedGuide(
                for: guide, limits: SettingsOptions.importLimits(), now: SystemClock.now)
            let value = try body(guide)
            _ = try derived.update(guide)
            try guide.refreshSearchIndex()
            return value
        }
    }
}

// MARK: - Settings

/// The settings file.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Settings file (default: the first epg.yml found).", valueName: "file"))
    var config: String?

    /// Returns the settings in environment variables, in the file, and in the database.
    ///
    /// - Parameters:
    ///   - database: The option for the database. If it is not given, it becomes the database of the settings.
    ///   - warns: Whether to warn about files with secrets that other users can read.
    /// - Throws: `ConfigurationRefusal` with all errors, and errors of the store.
    func read(for database: inout DatabaseOptions, warns: Bool = false) throws -> ConfigurationFindings {
        var findings = try ConfigurationReader.ofProgram.read(file: config)
        if warns {
            for file in findings.exposedSecretFiles() { StandardError.report("\(file)") }
        }
        database.database = database.database ?? findings.configuration.database
        try ConfigurationReader.ofProgram.apply(settingsOf: database.guide(), to: &findings)
        return findings
    }

    /// The import limits, for commands that need no other settings.
    ///
    /// - Throws: `ConfigurationRefusal` if the limits are invalid.
    static func importLimits() throws -> ImportLimits {
        try ConfigurationReader.ofProgram.importLimits()
    }

    /// Returns the update of derived listings, for commands that need no other settings.
    ///
    /// - Throws: `ConfigurationRefusal` if the settings are invalid.
    static func derivedGuide(for guide: any GuideReading, limits: ImportLimits, now: Instant) throws -> DerivedGuide {
        try DerivedGuide(ConfigurationReader.ofProgram.derived(guide.storedSettings()), limits: limits, now: now)
    }
}

extension ConfigurationReader {
    /// A reader that also checks the keys of `epg browse`, which EPGConfig does not know.
    static var ofProgram: ConfigurationReader {
        var checks = ConfigurationChecks()
        checks.keys = { KeyBindings.errors(in: $0).map(\.description) }
        return ConfigurationReader(environment: ProcessEnvironment.variables, checks: checks)
    }
}

extension ServiceConfiguration {
    /// The settings of the sources, by name.
    ///
    /// - Throws: `ZoneError` or `CronError`, which cannot happen for a validated configuration.
    func plans() throws -> [String: SourcePlan] {
        try SourcePlan.plans(of: sources, zone: try scheduleZone())
    }

    /// The refresh times of epgd; `nil` if it does not refresh.
    ///
    /// - Throws: As ``plans()``.
    func serviceTimes(_ plans: [String: SourcePlan], databasePath path: String) throws -> ServiceSchedule? {
        guard let refresh else { return nil }
        return try ServiceSchedule(refresh, in: try scheduleZone(), databasePath: path, plans: plans)
    }

    /// The time zone of schedules.
    func scheduleZone() throws -> Zone { try zone.map { try Zone(named: $0) } ?? .current }
}

// MARK: - Time

/// The time zone and the current time.
struct MomentOptions: ParsableArguments {
    @OptionGroup var zone: ZoneOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("Current time to assume (default: now).", valueName: "time"))
    var at: String?

    /// Returns the time zone and the current time.
    func moment(in guide: any GuideReading) throws -> Moment { try moment(in: zone.zone(in: guide)) }

    /// Returns the current time in a zone.
    func moment(in zone: Zone) throws(CommandFailure) -> Moment {
        let moment = Moment(zone: zone, now: SystemClock.now)
        guard let at else { return moment }
        return Moment(zone: zone, now: try moment.instant(at, option: "--at"))
    }
}

/// The time zone of input and output.
struct ZoneOptions: ParsableArguments {
    @Option(
        name: .customLong("zone"),
        help: ArgumentHelp(
            """
            Time zone of input and output, such as Europe/London (default: zone in the settings, else the system time zone).
            """, valueName: "zone"))
    var name: String?

    /// Returns the given zone, else the one in the settings, else the system's.
    ///
    /// - Parameter guide: The guide with settings; `nil` for none.
    func zone(in guide: (any GuideReading)? = nil) throws -> Zone {
        try Self.zone(named: name) { try guide?.storedSettings() }
    }

    /// Returns the zone as above, for a command that does not read the guide itself.
    func zone(of database: DatabaseOptions) throws -> Zone {
        // The command itself reports why a database cannot be read.
        try Self.zone(named: name) { try? database.read { try $0.storedSettings() } }
    }

    /// Returns the given zone, else the one in the settings that a command has read.
    func zone(in configuration: ServiceConfiguration) throws -> Zone {
        try name.map { try Zone(named: $0) } ?? configuration.scheduleZone()
    }

    /// - Parameter stored: Returns the settings in the database; only called without a name.
    static func zone(named name: String?, stored: () throws -> [String: [String]]?) throws -> Zone {
        if let name { return try Zone(named: name) }
        let stored = try stored() ?? [:]
        let name = try ConfigurationReader(environment: ProcessEnvironment.variables).zone { stored }
        return try name.map { try Zone(named: $0) } ?? .current
    }
}

/// The current time in a time zone.
struct Moment: Sendable {
    let zone: Zone
    let now: Instant

    /// The format of times.
    var clock: GuideClock { GuideClock(zone: zone) }

    /// Parses a time; see ``EPGCommand`` for the formats.
    ///
    /// - Parameter option: The option that takes the time, for the error message.
    func instant(_ text: String, option: String) throws(CommandFailure) -> Instant {
        do {
            return try TimeExpression.parse(text, now: now, zone: zone)
        } catch {
            throw CommandFailure(.usage, "\(option): \(error).")
        }
    }

    /// The current day.
    var today: TimeWindow { zone.window(of: zone.date(at: now)) }

    /// Returns a window of calendar days that starts `offset` days after today; `nil` means all later days.
    func days(_ count: Int?, offset: Int) -> TimeWindow {
        zone.window(ofDays: count, from: zone.date(at: now).advanced(byDays: offset))
    }
}

/// The system clock. Nothing else in this program reads the time of day.
enum SystemClock {
    /// The current time, rounded down to seconds.
    static var now: Instant { Instant(secondsSince1970: Int64(time(nil))) }
}

// MARK: - Output

/// The output format of a result.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON, with times in ISO 8601 and UTC.")
    var json = false

    /// Prints a result as JSON or as text for the terminal.
    func print(_ value: some JSONValue, text: (Terminal) throws -> String) throws {
        guard json else { return try StandardOutput.write(try text(.standardOutput)) }
        try Self.printJSON(value)
    }

    /// Prints a result as text for the terminal, or as a JSON object whose members the second closure adds.
    func print(text: (Terminal) throws -> String, members: (inout JSONWriter) -> Void) throws {
        guard json else { return try StandardOutput.write(try text(.standardOutput)) }
        var writer = JSONWriter(style: .lines)
        writer.object(members)
        try StandardOutput.write(writer.takeBytes() + Array("\n".utf8))
    }

    /// Prints a result as JSON.
    static func printJSON(_ value: some JSONValue) throws {
        var writer = JSONWriter(style: .lines)
        writer.write(value)
        try StandardOutput.write(writer.takeBytes() + Array("\n".utf8))
    }
}

// MARK: - Input

/// Options for reading malformed or mislabeled files.
struct InputFormatOptions: ParsableArguments {
    @Flag(help: "Reject a document that is not well-formed instead of skipping broken records.")
    var strict = false

    @Flag(help: "Import the intact part of a truncated file instead of rejecting it.")
    var partial = false

    @Flag(help: "Keep texts that were encoded as UTF-8 twice (â€™) instead of decoding them once more (’).")
    var noRepairText = false

    @Option(
        help: ArgumentHelp(
            "Encoding of the files, such as windows-1251 (default: detected from their content).", valueName: "name")
    )
    var encoding: String?

    func validate() throws {
        guard !strict || !partial else {
            throw ValidationError("--strict and --partial cannot be used together.")
        }
        if let encoding { try EncodingNames.check(encoding) }
    }

    func apply(to options: inout ImportOptions) {
        options.isStrict = strict
        options.acceptsTruncation = partial
        options.repairsTexts = !noRepairText
        options.encoding = encoding
    }
}

/// How to read the times of a guide.
struct TimeReadingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Time zone of times without one in the guide (default: the setting of the source, else UTC).",
            valueName: "zone"))
    var zone: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Seconds to add to all times of the guide.", valueName: "seconds"))
    var shift: Int64?

    func validate() throws {
        guard (shift ?? 0).magnitude <= 10 * 366 * 86_400 else {
            throw ValidationError("--shift must be a number of seconds, at most ten years.")
        }
    }

    /// Applies the given options to a source.
    ///
    /// - Throws: `ZoneError` if the time zone is unknown.
    func apply(to source: inout Source) throws(ZoneError) {
        if let zone { source.timeZone = try Zone(named: zone).name }
        source.shift = shift ?? source.shift
    }
}

extension ValidationError {
    /// Checks the value of an option, if it is given.
    static func check(_ value: Int?, in range: ClosedRange<Int>, of option: String) throws(ValidationError) {
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(option) must be a number from \(range.lowerBound) to \(range.upperBound).")
    }

    /// Checks the name of a source or a lineup.
    ///
    /// - Parameter subject: The option or argument, at the start of a sentence.
    static func check(name: String, of subject: String) throws(ValidationError) {
        guard !name.trimmed.isEmpty else { throw ValidationError("\(subject) must not be empty.") }
        guard !name.hasURLCredentials else {
            throw ValidationError("\(subject) must not contain a user name or password: names are public.")
        }
    }

    /// Checks the name of a source that a user changes.
    static func check(sourceName name: String, of subject: String) throws(ValidationError) {
        try check(name: name, of: subject)
        guard name != Derivation.source.name else {
            throw ValidationError("“\(name)” is the source of derived listings.")
        }
    }
}

extension EncodingNames {
    /// Checks that the value of `--encoding` is the name of an encoding.
    static func check(_ name: String) throws(ValidationError) {
        guard canonical(name) == nil else { return }
        throw ValidationError(
            "--encoding: unknown encoding “\(name.prefix(64).description.withoutControls)”. Examples: \(examples).")
    }
}
