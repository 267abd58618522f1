import ArgumentParser
import EPGAccess
import EPGCalendar
import EPGConfig
import EPGFiles
import EPGImport
import EPGModel
import EPGProgram
import EPGRefresh
import Glibc
import XMLTV

/// `epg source`: adds, changes and removes sources.
struct SourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source", abstract: "Add, change and remove sources; see epg sources.",
        subcommands: [Add.self, Set.self, Remove.self])

    /// `epg source add`: adds a source.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a source for epg refresh.",
            discussion: """
                A source is a guide, or a playlist, which becomes the lineup with the name of the source; its content decides. \
                Does not fetch the source; run `epg refresh` to do so. `epg source set` changes an existing source.

                With --xtream, the URL is a server with the Xtream Codes API, and the source is the playlist of an account. \
                The first refresh adds its guide as NAME-guide. The command asks for the password on a terminal; otherwise \
                it reads the first line of standard input.
                """)

        @Argument(help: "Name of the source.")
        var name: String

        @Argument(help: ArgumentHelp("URL (http or https) or path of the guide or playlist.", valueName: "url|file"))
        var location: String

        @Option(help: ArgumentHelp("User name of an Xtream account at the URL.", valueName: "user"))
        var xtream: String?

        @OptionGroup var settings: SourceSettings

        @OptionGroup var database: WritableDatabase

        func validate() throws {
            try ValidationError.check(sourceName: name, of: "The name")
            try ValidationError.check(xtreamUser: xtream)
        }

        func run() throws {
            let place = try SourceLocation(location)
            var source = Source(name: name, location: place.text)
            try settings.apply(to: &source)
            var password: String?
            if let xtream {
                guard place.isURL else { throw CommandFailure.serverURLMissing }
                source.account = SourceAccount(.xtreamPlaylist, username: xtream)
                password = try PasswordPrompt.read()
            }
            try database.write { guide in
                guard try !guide.sourceRecords().contains(where: { $0.source.name == name }) else {
                    throw CommandFailure(
                        .usage,
                        "There is already a source “\(name)”. Change it with `epg source set \(name) --location …`, or choose "
                            + "another name.")
                }
                if let password { try database.options.store(password, of: source) }
                try guide.save(source, now: SystemClock.now)
            }
            ConfiguredSource.warn(of: name, action: "Change it there.")
            if !source.followsGuides, xtream == nil, place.namesGuides {
                StandardError.report(
                    "The playlist names guides (x-tvg-url). `epg source set \(name) --follow-guides` adds them as sources."
                )
            }
        }
    }

    /// `epg source set`: changes the given options of a source and keeps the others.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the location of a source and how it is read.",
            discussion: """
                Options that are not given stay unchanged. If the source does not exist, it is created, for use with \
                `epg import`. The priority and --complete take effect at once; the other options affect future imports only.
                """)

        @Argument(help: "Name of the source.")
        var name: String

        @Option(help: ArgumentHelp("URL (http or https) or path of the guide or playlist.", valueName: "url|file"))
        var location: String?

        @Option(
            help: ArgumentHelp("User name of the source's Xtream account; asks for its password.", valueName: "user"))
        var xtream: String?

        @OptionGroup var settings: SourceSettings

        @OptionGroup var database: WritableDatabase

        func validate() throws {
            try ValidationError.check(sourceName: name, of: "The name")
            try ValidationError.check(xtreamUser: xtream)
        }

        func run() throws {
            let location = try location.map { try SourceLocation($0) }
            let password = try xtream.map { _ in try PasswordPrompt.read() }
            try database.write { guide in
                let known = try guide.sourceRecords().first { $0.source.name == name }?.source
                var source = known ?? Source(name: name)
                if let location {
                    guard source.account?.service != .schedulesDirect, source.account?.service != .xtreamGuide else {
                        throw CommandFailure(.usage, "“\(name)” is an account. Remove it, and add another source.")
                    }
                    guard source.account == nil || location.isURL else { throw CommandFailure.serverURLMissing }
                    source.location = location.text
                }
                try settings.apply(to: &source)
                if let xtream, let password {
                    guard location?.isURL ?? (source.account?.service == .xtreamPlaylist) else {
                        throw CommandFailure.serverURLMissing
                    }
                    source.account = SourceAccount(.xtreamPlaylist, username: xtream)
                    try database.options.store(password, of: source)
                }
                if let known, known.account != nil, AccountName(of: known) != AccountName(of: source) {
                    if password == nil {
                        throw CommandFailure(.usage, "The password belongs to the former server. Give --xtream, too.")
                    }
                    let others = try guide.sourceRecords().map(\.source).filter {
                        $0.name != name && $0.playlist != name
                    }
                    try AccessStore(besideGuide: try database.options.guide().companionPath)
                        .forgetAccount(of: known, besides: others)
                }
                try guide.save(source, now: SystemClock.now)
                if !source.followsGuides, settings.followGuides != nil {
                    // The guides are sources of their own now.
                    for var followed in try guide.sourceRecords().map(\.source)
                    where followed.playlist == name && followed.account == nil {
                        followed.playlist = nil
                        try guide.save(followed, now: SystemClock.now)
                    }
                }
                try guide.refreshSearchIndex()
            }
            ConfiguredSource.warn(of: name, action: "Change it there.")
        }
    }

    /// `epg source remove`: removes a source and its listings.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a source and its listings, or its lineup.",
            discussion: """
                Also removes the guides that were added because the playlist names them, and the files that epg keeps beside \
                the database for an account. Mappings and favorites stay.
                """)

        @Argument(help: "Name of the source.")
        var name: String

        @OptionGroup var database: WritableDatabase

        func validate() throws {
            guard name != Derivation.source.name else {
                throw ValidationError(
                    "Imports and refreshes add derived listings again. Remove derived, channel-names and placeholders from "
                        + "epg.yml, and --shift from mappings.")
            }
        }

        func run() throws {
            let (source, others) = try database.change { guide in
                let source = try guide.sourceRecords().first { $0.source.name == name }?.source
                if let source, let playlist = source.playlist {
                    throw CommandFailure(
                        .usage,
                        source.account == nil
                            ? "“\(name)” is a guide that the playlist “\(playlist)” names, so the next refresh would add it again. Run "
                                + "`epg source set \(playlist) --no-follow-guides` first."
                            : "“\(name)” is the guide of the account “\(playlist)”. Remove “\(playlist)” to remove both."
                    )
                }
                guard try guide.removeSource(named: name, matcher: StationMatcher(), now: SystemClock.now) else {
                    throw UnknownSource(name: name)
                }
                try guide.refreshSearchIndex()
                return (source, try guide.sourceRecords().map(\.source))
            }
            let path = try database.options.guide().companionPath
            try SchedulesDirectFiles.remove(ofSource: name, beside: others.map(\.name), besideDatabase: path)
            if let source { try AccessStore(besideGuide: path).forgetAccount(of: source, besides: others) }
            ConfiguredSource.warn(of: name, action: "Remove it there, too.")
        }
    }
}

extension ValidationError {
    /// Checks the user name of an Xtream account.
    fileprivate static func check(xtreamUser user: String?) throws(ValidationError) {
        guard let user else { return }
        guard !user.isEmpty, user.utf8.count <= 200 else {
            throw ValidationError("--xtream must be a user name of at most 200 bytes.")
        }
    }
}

extension CommandFailure {
    fileprivate static let serverURLMissing = CommandFailure(
        .usage, "--xtream needs the URL of the server, such as http://provider.example:8080.")
}

extension DatabaseOptions {
    /// Stores the password of a source's account beside the database.
    fileprivate func store(_ password: String, of source: Source) throws {
        guard let account = AccountName(of: source) else { return }
        try changeAccess { $0.accounts[account] = password }
    }
}

// MARK: - Options

/// The options of a source.
struct SourceSettings: ParsableArguments {
    @OptionGroup var times: TimeReadingOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Minimum time between two downloads: 6h, 30m, 1d (default: none).", valueName: "interval"))
    var every: RefreshInterval?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Priority: if several sources have a station, the highest is shown (default: 0).", valueName: "n"))
    var priority: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Import stations whose identifier matches one of these patterns; * and ? are wildcards, * alone means all.",
            valueName: "pattern"))
    var stations: [String] = []

    @Option(
        name: .customLong("for-group"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Match stations of this guide only with channels in groups with these names; * and ? are wildcards, * alone means all channels.",
            valueName: "group"))
    var groups: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Add the guides that the playlist names (x-tvg-url) as sources, and follow their URLs (default: no).")
    var followGuides: Bool?

    @Option(
        help: ArgumentHelp(
            "Encoding of the guide, such as windows-1251, or auto (default: auto, detected from its content).",
            valueName: "name"))
    var encoding: String?

    @Flag(
        inversion: .prefixedNo,
        help:
            "Complete listings with other sources' listings of the same broadcasts, and theirs with these (default: --complete)."
    )
    var complete: Bool?

    func validate() throws {
        try ValidationError.check(priority, in: -1_000_000...1_000_000, of: "--priority")
        guard !stations.contains(where: { $0.isEmpty || $0.contains("\n") }) else {
            throw ValidationError("A pattern of --stations must be one non-empty line.")
        }
        guard !groups.contains(where: { $0.isEmpty || $0.contains("\n") }) else {
            throw ValidationError("A group of --for-group must be one non-empty line.")
        }
        if let encoding, !Self.isAutomatic(encoding) { try EncodingNames.check(encoding) }
    }

    /// Applies the given options to a source.
    ///
    /// - Throws: `ZoneError` if the time zone is unknown.
    func apply(to source: inout Source) throws(ZoneError) {
        try times.apply(to: &source)
        source.interval = every?.seconds ?? source.interval
        source.priority = priority ?? source.priority
        if !stations.isEmpty { source.stations = stations == ["*"] ? [] : stations }
        if !groups.isEmpty { source.groups = groups == ["*"] ? [] : groups }
        source.followsGuides = followGuides ?? source.followsGuides
        source.completes = complete ?? source.completes
        if let encoding { source.encoding = Self.isAutomatic(encoding) ? nil : encoding }
    }

    /// Whether the encoding is detected from the content of the guide.
    private static func isAutomatic(_ encoding: String) -> Bool { encoding.lowercased() == "auto" }
}

/// The minimum time between two refreshes of a source: `6h`, `30m`, `1d`, or seconds.
struct RefreshInterval: ExpressibleByArgument, Hashable, Sendable {
    /// 1 second to 10 years.
    let seconds: Int64

    /// Parses an interval; returns `nil` if it is invalid or exceeds 10 years.
    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        let unit = argument.last.flatMap { units[$0] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard let number = Int64(digits), (1...315_360_000).contains(number) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, product <= 315_360_000 else { return nil }
        seconds = product
    }
}

// MARK: - Location

/// The location of a source, normalized so that it is independent of the working folder.
private struct SourceLocation: Hashable, Sendable {
    /// A URL as given, or an absolute path.
    let text: String

    /// Whether the location is a URL.
    let isURL: Bool
    /// Whether the location is a file with a playlist that names guides.
    let namesGuides: Bool

    /// - Throws: `FetchError` if the location is invalid; ``CommandFailure/Code/usage`` for a folder;
    ///   ``CommandFailure/Code/noInput`` for a missing file, which is often a URL without its scheme.
    init(_ given: String) throws {
        switch try GuideLocation(given) {
        case .url(let url): (text, isURL, namesGuides) = (url, true, false)
        case .file(let path):
            (text, isURL) = (path.hasPrefix("/") ? path : try SourceLocation.workingFolder() + "/" + path, false)
            guard let status = FileStatus(path: text) else {
                throw CommandFailure(
                    .noInput,
                    "There is no file \(text). Create it first; if \(given) is a URL, begin it with https:// or http://."
                )
            }
            guard !status.isFolder else {
                throw CommandFailure(
                    .usage,
                    "\(path) is a folder, but a source is one file. Import the folder with `epg import \(path)`.")
            }
            // Opening a named pipe may block until another process writes to it.
            namesGuides = status.isRegular && SourceLocation.namesGuides(path: text)
        }
    }

    /// Returns whether a file is a playlist that names guides; `false` for an unreadable file, which the refresh reports.
    private static func namesGuides(path: String) -> Bool {
        guard let source = try? FileSource(path: path) else { return false }
        let file = GuideFile(source)
        guard file.format == .playlist, let lineup = try? file.readPlaylist(named: "playlist") else { return false }
        return !lineup.guideURLs.isEmpty
    }

    private static func workingFolder() throws(CommandFailure) -> String {
        do throws(SystemFault) {
            return try FilePath.workingFolder()
        } catch {
            throw CommandFailure(.inputOutput, "Cannot find the working folder (\(error)). Give an absolute path.")
        }
    }
}

// MARK: - Warnings

/// Warns about changes to sources that `epg.yml` defines, because the next refresh overrides them.
private enum ConfiguredSource {
    /// Prints a warning if the settings define the source; ignores unreadable settings.
    static func warn(of name: String, action: String) {
        let settings = Result { () throws(ConfigurationRefusal) in
            try ConfigurationReader(environment: ProcessEnvironment.variables).read(file: nil)
        }
        guard case .success(let findings) = settings,
            findings.configuration.sources.contains(where: { $0.source.name == name })
        else { return }
        let file = findings.file ?? "epg.yml"
        StandardError.report("\(file) defines “\(name)”, so the next refresh overrides this change. \(action)")
    }
}
