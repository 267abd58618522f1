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
                Does not fetch the guide; run `epg refresh` to do so. `epg source set` changes an existing source.
                """)

        @Argument(help: "Name of the source.")
        var name: String

        @Argument(help: ArgumentHelp("URL (http or https) or path of the guide.", valueName: "url|file"))
        var location: String

        @OptionGroup var settings: SourceSettings

        @OptionGroup var database: WritableDatabase

        func validate() throws {
            try ValidationError.check(sourceName: name, of: "The name")
        }

        func run() throws {
            var source = Source(name: name, location: try SourceLocation(location).text)
            try settings.apply(to: &source)
            try database.write { guide in
                guard try !guide.sourceRecords().contains(where: { $0.source.name == name }) else {
                    throw CommandFailure(
                        .usage,
                        "There is already a source “\(name)”. Change it with `epg source set \(name) --location …`, or choose "
                            + "another name.")
                }
                try guide.save(source, now: SystemClock.now)
            }
            ConfiguredSource.warn(of: name, action: "Change it there.")
        }
    }

    /// `epg source set`: changes the given options of a source and keeps the others.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the location of a source and how it is read.",
            discussion: """
                Options that are not given stay unchanged. If the source does not exist, it is created, for use with \
                `epg import`. The priority takes effect at once; the other options affect future imports only.
                """)

        @Argument(help: "Name of the source.")
        var name: String

        @Option(help: ArgumentHelp("URL (http or https) or path of the guide.", valueName: "url|file"))
        var location: String?

        @OptionGroup var settings: SourceSettings

        @OptionGroup var database: WritableDatabase

        func validate() throws {
            try ValidationError.check(sourceName: name, of: "The name")
        }

        func run() throws {
            let location = try location.map { try SourceLocation($0).text }
            try database.write { guide in
                var source = try guide.sourceRecords().first { $0.source.name == name }?.source ?? Source(name: name)
                if let location {
                    guard source.account == nil else {
                        throw CommandFailure(.usage, "“\(name)” is an account. Remove it, and add another source.")
                    }
                    source.location = location
                }
                try settings.apply(to: &source)
                try guide.save(source, now: SystemClock.now)
                try guide.refreshSearchIndex()
            }
            ConfiguredSource.warn(of: name, action: "Change it there.")
        }
    }

    /// `epg source remove`: removes a source and its listings.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a source and its listings.",
            discussion: "Also removes the files that epg keeps beside the database for a Schedules Direct source.")

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
        help: ArgumentHelp(
            "Encoding of the guide, such as windows-1251, or auto (default: auto, detected from its content).",
            valueName: "name"))
    var encoding: String?

    func validate() throws {
        try ValidationError.check(priority, in: -1_000_000...1_000_000, of: "--priority")
        guard !stations.contains(where: { $0.isEmpty || $0.contains("\n") }) else {
            throw ValidationError("A pattern of --stations must be one non-empty line.")
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

    /// - Throws: `FetchError` if the location is invalid; ``CommandFailure/Code/usage`` for a folder or a playlist,
    ///   which `epg refresh` cannot import; ``CommandFailure/Code/noInput`` for a missing file, which is often a URL without
    ///   its scheme.
    init(_ given: String) throws {
        let location = try GuideLocation(given)
        switch location {
        case .url(let url): text = url
        case .file(let path): text = path.hasPrefix("/") ? path : try SourceLocation.workingFolder() + "/" + path
        }
        switch (Self.kind(of: location), location) {
        case (.folder, .file(let path)):
            throw CommandFailure(
                .usage,
                "\(path) is a folder, but a source is one file. Import the folder with `epg import \(path)`.")
        case (.playlist, .file(let path)):
            throw CommandFailure(
                .usage, "\(path) is a playlist, but a source is a guide. Import it with `epg import \(path)`.")
        case (.playlist, .url(let url)):
            throw CommandFailure(
                .usage,
                "\(GuideLocation.displayable(url)) is a playlist, but a source is a guide. "
                    + "Download the playlist and import the file with `epg import`.")
        case (_, .file) where FileStatus(path: text) == nil:
            throw CommandFailure(
                .noInput,
                "There is no file \(text). Create it first; if \(given) is a URL, begin it with https:// or http://.")
        default: break
        }
    }

    private enum Kind { case folder, playlist, other }

    /// The kind of a location, by the content of an existing file, or else by its name.
    private static func kind(of location: GuideLocation) -> Kind {
        guard case .file(let path) = location else { return isPlaylistName(location) ? .playlist : .other }
        guard let status = FileStatus(path: path) else { return isPlaylistName(location) ? .playlist : .other }
        // Opening a named pipe may block until another process writes to it.
        guard status.isRegular else { return status.isFolder ? .folder : .other }
        do throws(SystemFault) {
            return GuideFile(try FileSource(path: path)).format == .playlist ? .playlist : .other
        } catch {
            return isPlaylistName(location) ? .playlist : .other
        }
    }

    /// Whether the name has the extension of a playlist, compressed or not.
    private static func isPlaylistName(_ location: GuideLocation) -> Bool {
        let name =
            switch location {
            case .file(let path): path[...]
            case .url(let url): url.prefix { $0 != "?" && $0 != "#" }
            }
        var parts = name.lowercased().split(separator: "/").last?.split(separator: ".") ?? []
        if let last = parts.last, ["gz", "xz", "bz2", "zst", "zip"].contains(last) { parts.removeLast() }
        return parts.count > 1 && ["m3u", "m3u8"].contains(parts.last)
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
