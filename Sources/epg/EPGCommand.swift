import ArgumentParser
import CVersion
import EPGConfig
import EPGFiles
import EPGModel
import EPGProgram
import Glibc

/// The root command of `epg`.
///
/// Commands print results on standard output and messages on standard error. `ExitStatus` lists the exit
/// codes.
@main
struct EPGCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epg",
        abstract: "Import TV listings into a database, keep them current, and show what is on.",
        discussion: """
            TIME is now, 20:00, 8:30pm, today, tomorrow 20:00, sat 20:00, +2h, -30m, a date, ISO 8601 \
            (2026-03-29T20:00, with Z or an offset), or @UNIXSECONDS. Times without a zone are in the time zone of --zone.

            Exit codes: \(ExitStatus.summary).
            """,
        version: String(cString: cversion_full()),
        groupedSubcommands: [
            CommandGroup(
                name: "Guide",
                subcommands: [
                    NowCommand.self, GridCommand.self, BrowseCommand.self, AiringsCommand.self, SearchCommand.self,
                    ShowCommand.self, StationsCommand.self, FavoriteCommand.self, WatchCommand.self,
                    ProfileCommand.self, ChangesCommand.self,
                ]),
            CommandGroup(
                name: "Import and refresh",
                subcommands: [
                    ImportCommand.self, LineupCommand.self, MatchCommand.self, RefreshCommand.self, SourceCommand.self,
                    SourcesCommand.self,
                ]),
            CommandGroup(
                name: "Export and serve", subcommands: [ExportCommand.self, ServeCommand.self, AdminCommand.self]),
            CommandGroup(name: "File", subcommands: [ValidateCommand.self, FilterCommand.self]),
            CommandGroup(
                name: "Maintenance",
                subcommands: [
                    ConfigCommand.self, CheckCommand.self, BackupCommand.self, RestoreCommand.self, CopyCommand.self,
                    MigrateCommand.self, PruneCommand.self,
                ]),
        ])

    /// The version of the package, such as `0.1.0`.
    static var version: String { String(cString: cversion_number()) }

    /// Parses arguments that start with a command name without visiting the other commands, which saves a third of the
    /// start-up time.
    ///
    /// - Returns: `nil` if the arguments are invalid or ask for help. Parse from the root then to get the right
    ///   message.
    private static func parsedWithoutRoot(_ arguments: [String]) -> (any ParsableCommand)? {
        let commands = configuration.groupedSubcommands.flatMap(\.subcommands)
        guard let name = arguments.first,
            let command = commands.first(where: { $0.configuration.commandName == name }),
            case .success(let parsed) = Result(catching: { try command.parseAsRoot(Array(arguments.dropFirst())) })
        else { return nil }
        // ArgumentParser returns a command of its own for a request for help.
        return type(of: parsed) == command ? parsed : nil
    }

    /// Parses arguments from the root, for the message of an error and for help.
    ///
    /// - Throws: ``CommandFailure`` with similar names for an unknown command, which ArgumentParser reports as an
    ///   unexpected argument, or ignores after `help`.
    private static func parsedFromRoot(_ arguments: [String]) throws -> any ParsableCommand {
        var names = arguments[...]
        if names.first == "help" { names = names.dropFirst() }
        var commands = configuration.groupedSubcommands.flatMap(\.subcommands)
        for name in names {
            guard !commands.isEmpty, !name.hasPrefix("-"), name != "help" else { break }
            guard let command = commands.first(where: { $0.configuration.commandName == name }) else {
                let known = commands.compactMap { $0.configuration.commandName }
                let near = NearestNames(to: name).nearest(3, among: known) { [$0] }.map { "“\($0)”" }
                let advice =
                    near.isEmpty
                    ? "List the commands with `epg --help`." : "Did you mean \(near.joined(separator: " or "))?"
                throw CommandFailure(.usage, "There is no command “\(name.prefix(64))”. \(advice)")
            }
            commands = command.configuration.subcommands
        }
        return try parseAsRoot(arguments)
    }

    /// The number of open files that any command needs: the guide and its search index with their logs and locks, a
    /// download, a pipe, and the descriptors of Dispatch, which ends the process with SIGILL if it cannot open them.
    private static let minimumOpenFiles = 32

    static func main() {
        ProcessFiles.reserveStandardStreams()
        // Writing to a closed pipe (`epg stations | head`) then fails with EPIPE, and the program ends silently.
        signal(SIGPIPE, SIG_IGN)
        // Exceeding the file size limit (`ulimit -f`) then fails with EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        let arguments = Array(ProcessArguments.all.dropFirst())
        do {
            let limit = ProcessFiles.raiseLimit(to: minimumOpenFiles)
            guard limit >= minimumOpenFiles else {
                throw CommandFailure(
                    .configuration,
                    "The limit on open files is \(limit), but epg needs \(minimumOpenFiles). Raise it with `ulimit -n`."
                )
            }
            guard ProcessArguments.areUTF8 else {
                throw CommandFailure(
                    .usage, "An argument is not valid UTF-8. Rename the file, or pass it on standard input.")
            }
            if Grabber.isCalled(by: ProcessArguments.all.first) { Glibc.exit(Grabber.main(arguments)) }
            var command = try parsedWithoutRoot(arguments) ?? parsedFromRoot(arguments)
            try command.run()
        } catch let error as ExitCode {
            exit(withError: error)
        } catch {
            guard let failure = CommandFailure(error) else { exit(withError: error) }
            if !failure.isSilent { StandardError.report(failure.message) }
            Glibc.exit(failure.status.rawValue)
        }
    }
}
