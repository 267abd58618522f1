/// The command line of the grabber, as the XMLTV project's capabilities define it.
struct GrabberArguments: Hashable, Sendable {
    /// What is asked for; of several the first in this order, as the project's own grabbers have it.
    enum Task: Hashable, Sendable {
        case help, capabilities, preferredMethod, version, description, configure
        case configureAPI(stage: String)
        case listChannels, grab
    }

    private(set) var task = Task.grab
    /// 1 or more; `nil` where nobody said how many, which is ``usualDays``.
    private(set) var days: Int?
    /// Days from today on; negative before it.
    private(set) var offset = 0
    /// Where the guide goes; `nil` for standard output.
    private(set) var output: String?
    private(set) var isQuiet = false
    private(set) var isDebugging = false
    /// As it was given.
    private(set) var configurationFile: String?

    static let usualDays = 5

    /// Reads the arguments; `--days 3` and `--days=3` are the same, and so is `-days 3`.
    ///
    /// - Throws: ``CommandFailure/Code/usage``: an option is unknown, or its value is missing or wrong.
    init(_ arguments: [String]) throws(CommandFailure) {
        var flags: Set<String> = []
        var stage = "start"
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                throw Self.failure("“\(argument)” is no option")
            }
            let parts = argument.drop { $0 == "-" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            let attached = parts.count > 1 ? String(parts[1]) : nil
            func value() throws(CommandFailure) -> String {
                guard let value = attached ?? rest.popFirst() else { throw Self.failure("--\(name) needs a value") }
                return value
            }
            switch name {
            case "days": days = try Self.number(try value(), 1...3660, name)
            case "offset": offset = try Self.number(try value(), -3660...3660, name)
            case "output": output = try value()
            case "config-file": configurationFile = try value()
            case "stage": stage = try value()
            // The database is all that is kept between two runs, so there is nothing to put into a cache.
            case "cache": if attached == nil, rest.first.map({ !$0.hasPrefix("-") }) ?? false { rest.removeFirst() }
            case _ where attached != nil: throw Self.failure("--\(name) is unknown, or takes no value")
            case "quiet": isQuiet = true
            case "debug": isDebugging = true
            case "h": flags.insert("help")
            case "help", "version", "description", "capabilities", "preferredmethod", "configure", "configure-api",
                "list-channels":
                flags.insert(name)
            default: throw Self.failure("--\(name) is unknown")
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
            throw failure("--\(name) is a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
        }
        return number
    }

    private static func failure(_ what: String) -> CommandFailure {
        CommandFailure(.usage, "\(what). “\(Grabber.name) --help” lists the options.")
    }
}

// MARK: - The configuration file

extension GrabberArguments {
    /// The path of the configuration file: the option's, else `~/.xmltv/tv_grab_zz_epg.conf`.
    func configurationPath() throws(CommandFailure) -> String {
        if let configurationFile { return configurationFile }
        guard let home = Environment["HOME"], !home.isEmpty else {
            throw CommandFailure(.configuration, "HOME isn't set. Name a configuration with --config-file.")
        }
        return "\(home)/.xmltv/\(Grabber.name).conf"
    }

    /// The configuration; `nil` where there is none.
    func configuration() throws(CommandFailure) -> GrabberConfiguration? {
        if configurationFile == nil, (Environment["HOME"] ?? "").isEmpty { return nil }
        return try GrabberConfiguration(readingFrom: try configurationPath())
    }

    /// The failure of a task that wants a configuration.
    func unconfigured() throws(CommandFailure) -> CommandFailure {
        CommandFailure(
            .configuration, "\(try configurationPath()) isn't there. Run “\(Grabber.name) --configure” first.")
    }

    static let help = """
        \(Grabber.name): the guide that epg keeps, as XMLTV.

          \(Grabber.name) [--days N] [--offset N] [--output FILE] [--config-file FILE] [--quiet] [--debug]
          \(Grabber.name) --configure [--config-file FILE]
          \(Grabber.name) --configure-api [--stage start|select-channels] [--config-file FILE] [--output FILE]
          \(Grabber.name) --list-channels [--config-file FILE] [--output FILE]
          \(Grabber.name) --capabilities | --description | --version | --preferredmethod | --help

          --days N            Days of the machine's zone, from today on; the default is \(usualDays).
                              A programme belongs to the day on which it starts.
          --offset N          Begin so many days later.
          --output FILE       The file to replace when the guide is complete; the default is standard output.
          --config-file FILE  The default is ~/.xmltv/\(Grabber.name).conf. Its lines are database=FILE and, for each
                              channel, channel=ID or, where it is not wanted, channel!ID. A file that names no
                              channel wants all; one with channel!ID alone wants none, and nothing is grabbed: the
                              exit code is 78. A line that begins with # is a comment.
          --cache FILE        Accepted; the database is the cache.
          --quiet             Say nothing unless something fails.
          --debug             Say what is done.

        The exit code is 1 where there are fewer days than were asked for.

        """
}
