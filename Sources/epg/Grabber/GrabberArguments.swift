import EPGFiles
import EPGProgram

/// The command line of the grabber, as defined by the capabilities of the XMLTV project.
struct GrabberArguments: Hashable, Sendable {
    /// The task. If several are given, the first of these takes precedence, as in XMLTV's grabbers.
    enum Task: Hashable, Sendable {
        case help, capabilities, preferredMethod, version, description, configure
        case configureAPI(stage: String)
        case listChannels, grab
    }

    private(set) var task = Task.grab
    /// The number of days, at least 1; `nil` for ``defaultDays``.
    private(set) var days: Int?
    /// Days from today to the first day; negative for the past.
    private(set) var offset = 0
    /// The output file; `nil` for standard output.
    private(set) var output: String?
    private(set) var isQuiet = false
    private(set) var isDebugging = false
    /// The value of `--config-file`, if any.
    private(set) var configurationFile: String?

    static let defaultDays = 5

    /// Parses the arguments; `--days 3`, `--days=3` and `-days 3` are equivalent.
    ///
    /// - Throws: ``CommandFailure/Code/usage`` if an option is unknown, or its value is missing or invalid.
    init(_ arguments: [String]) throws(CommandFailure) {
        var flags: Set<String> = []
        var stage = "start"
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                throw Self.failure("Unexpected argument “\(argument)”")
            }
            let parts = argument.drop { $0 == "-" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            let attached = parts.count > 1 ? String(parts[1]) : nil
            func value() throws(CommandFailure) -> String {
                guard let value = attached ?? rest.popFirst() else { throw Self.failure("--\(name) requires a value") }
                return value
            }
            switch name {
            case "days": days = try Self.number(try value(), 1...3660, name)
            case "offset": offset = try Self.number(try value(), -3660...3660, name)
            case "output": output = try value()
            case "config-file": configurationFile = try value()
            case "stage": stage = try value()
            // The database is the cache, so the value is ignored.
            case "cache": if attached == nil, rest.first.map({ !$0.hasPrefix("-") }) ?? false { rest.removeFirst() }
            case _ where attached != nil: throw Self.failure("--\(name) is unknown or takes no value")
            case "quiet": isQuiet = true
            case "debug": isDebugging = true
            case "h": flags.insert("help")
            case "help", "version", "description", "capabilities", "preferredmethod", "configure", "configure-api",
                "list-channels":
                flags.insert(name)
            default: throw Self.failure("Unknown option --\(name)")
            }
        }
        task = Self.task(flags, stage: stage)
    }

    private static func task(_ flags: Set<String>, stage: String) -> Task {
        let tasks: [(String, Task)] = [
            ("help", .help), ("capabilities", .capabilities), ("preferredmethod", .preferredMethod),
            ("version", .version), ("description", .description), ("configure", .configure),
            ("configure-api", .configureAPI(stage: stage)), ("list-channels", .listChannels),
        ]
        return tasks.first { flags.contains($0.0) }?.1 ?? .grab
    }

    private static func number(
        _ text: String, _ range: ClosedRange<Int>, _ name: String
    ) throws(CommandFailure) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw failure("--\(name) must be a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
        }
        return number
    }

    private static func failure(_ problem: String) -> CommandFailure {
        CommandFailure(.usage, "\(problem). Run `\(Grabber.name) --help` for the options.")
    }
}

// MARK: - Configuration file

extension GrabberArguments {
    /// The path of the configuration file (default: `~/.xmltv/tv_grab_zz_epg.conf`).
    func configurationPath() throws(CommandFailure) -> String {
        if let configurationFile { return configurationFile }
        guard let home = Environment["HOME"], !home.isEmpty else {
            throw CommandFailure(.configuration, "HOME is not set. Give a configuration file with --config-file.")
        }
        return "\(home)/.xmltv/\(Grabber.name).conf"
    }

    /// The configuration; `nil` if there is no file.
    func configuration() throws(CommandFailure) -> GrabberConfiguration? {
        if configurationFile == nil, (Environment["HOME"] ?? "").isEmpty { return nil }
        return try GrabberConfiguration(readingFrom: try configurationPath())
    }

    /// The failure of a task that requires a configuration file.
    func missingConfiguration() throws(CommandFailure) -> CommandFailure {
        CommandFailure(
            .configuration, "Cannot find \(try configurationPath()). Run `\(Grabber.name) --configure` first.")
    }

    static let help = """
        \(Grabber.name): print the guide of an epg database as XMLTV.

          \(Grabber.name) [--days N] [--offset N] [--output FILE] [--config-file FILE] [--quiet] [--debug]
          \(Grabber.name) --configure [--config-file FILE]
          \(Grabber.name) --configure-api [--stage start|select-channels] [--config-file FILE] [--output FILE]
          \(Grabber.name) --list-channels [--config-file FILE] [--output FILE]
          \(Grabber.name) --capabilities | --description | --version | --preferredmethod | --help

          --days N            Number of days, from today, in the system time zone (default: \(defaultDays)).
                              A programme belongs to the day on which it starts.
          --offset N          Days from today to the first day (default: 0).
          --output FILE       Output file, replaced when the guide is complete (default: standard output).
          --config-file FILE  Configuration file (default: ~/.xmltv/\(Grabber.name).conf). It has a line database=FILE,
                              and for each channel a line channel=ID to include it or channel!ID to exclude it. A file
                              without channel lines includes all channels. A file with only channel!ID lines includes
                              none, and the exit code is 78. Lines that start with # are comments.
          --cache FILE        Accepted and ignored; the database is the cache.
          --quiet             Print error messages only.
          --debug             Print details.

        The exit code is 1 if the guide has fewer days than requested.

        """
}
