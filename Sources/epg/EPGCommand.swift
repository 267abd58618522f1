import ArgumentParser
import EPGConfig
import Glibc

/// The command line of the guide: parses, calls, prints.
///
/// What was asked for goes to standard output, words about it to standard error. The exit codes are those of sysexits.h;
/// see ``CommandFailure``.
@main
struct EPGCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epg",
        abstract: "A TV guide: imports XMLTV listings, keeps them in SQLite, shows what is on.",
        discussion: """
            TIME is ISO 8601 (2026-03-29T20:00, with Z or an offset), a date, now, 20:00, tomorrow 20:00, or @UNIXSECONDS; \
            times without a zone are those of --zone.

            Exit codes: 0 done, 64 usage, 65 bad input, 66 not there, 69 unavailable, 73 can't be made, 74 I/O error, \
            75 busy, 78 configuration.
            """,
        version: EPGCommand.version,
        groupedSubcommands: [
            CommandGroup(
                name: "The guide:",
                subcommands: [
                    NowCommand.self, GridCommand.self, BrowseCommand.self, AiringsCommand.self, SearchCommand.self,
                    ShowCommand.self, StationsCommand.self, FavoriteCommand.self, ChangesCommand.self,
                ]),
            CommandGroup(
                name: "Where it comes from:",
                subcommands: [
                    ImportCommand.self, MatchCommand.self, RefreshCommand.self, SourceCommand.self,
                    SourcesCommand.self,
                ]),
            CommandGroup(name: "Where it goes:", subcommands: [ExportCommand.self, ServeCommand.self]),
            CommandGroup(name: "Without a database:", subcommands: [ValidateCommand.self, FilterCommand.self]),
            CommandGroup(
                name: "Upkeep:",
                subcommands: [
                    ConfigCommand.self, CheckCommand.self, BackupCommand.self, RestoreCommand.self, MigrateCommand.self,
                    PruneCommand.self,
                ]),
        ])

    static let version = "0.1.0"

    /// The command that arguments name, without a look at the others, which takes a third of the start's time.
    ///
    /// - Returns: `nil` where the arguments are wrong or ask for help: then parsing from the root tells what to say.
    private static func quicklyParsed(_ arguments: [String]) -> (any ParsableCommand)? {
        let commands = configuration.groupedSubcommands.flatMap(\.subcommands)
        guard let name = arguments.first,
            let command = commands.first(where: { $0.configuration.commandName == name }),
            case .success(let parsed) = Result(catching: { try command.parseAsRoot(Array(arguments.dropFirst())) })
        else { return nil }
        // Of a request for help ArgumentParser makes a command of its own.
        return type(of: parsed) == command ? parsed : nil
    }

    /// Open files that every command can do with: the guide and its search index with their logs and locks, a fetch, a
    /// pipe, and what Dispatch opens for its threads; it ends the process with SIGILL where it can't.
    private static let fewestOpenFiles = 32

    static func main() {
        ProcessFiles.reserveStandardStreams()
        // A closed pipe (`epg stations | head`) is then an error of the write, which ends the program quietly.
        signal(SIGPIPE, SIG_IGN)
        // A limit of file sizes (`ulimit -f`) is then an error of the write too.
        signal(SIGXFSZ, SIG_IGN)
        let arguments = Array(ProcessArguments.all.dropFirst())
        do {
            let limit = ProcessFiles.raiseLimit(to: fewestOpenFiles)
            guard limit >= fewestOpenFiles else {
                throw CommandFailure(
                    .configuration,
                    "The limit of open files is \(limit); epg needs \(fewestOpenFiles). Raise it with ulimit -n.")
            }
            guard ProcessArguments.areUTF8 else {
                throw CommandFailure(.usage, "An argument is not UTF-8. Rename the file, or pass it on standard input.")
            }
            if Grabber.isCalled(by: ProcessArguments.all.first) { Glibc.exit(Grabber.main(arguments)) }
            var command = try quicklyParsed(arguments) ?? parseAsRoot(arguments)
            try command.run()
        } catch let error as ExitCode {
            exit(withError: error)
        } catch {
            guard let failure = CommandFailure(error) else { exit(withError: error) }
            if !failure.isQuiet { StandardError.write("epg: \(failure.sentence)\n") }
            Glibc.exit(failure.code.rawValue)
        }
    }
}
