import ArgumentParser
import EPGCalendar
import EPGModel
import EPGRefresh
import EPGStore
import Glibc

/// `epg source`: adds, lists and removes the sources that `epg refresh` fetches.
struct SourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source", abstract: "Adds, lists and removes sources.",
        subcommands: [Add.self, List.self, Remove.self])

    /// `epg source list` is `epg sources`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the sources, as epg sources does.")

        @OptionGroup var sources: SourcesCommand.Options

        func run() throws {
            try sources.run()
        }
    }

    /// `epg source add`: names a source, or changes how one is read.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a source for epg refresh, or changes one.",
            discussion: "Nothing is fetched yet; epg refresh does.")

        @Argument(help: "What you call it.")
        var name: String

        @Argument(help: ArgumentHelp("Where its guide is: http, https, or a file.", valueName: "url|file"))
        var location: String

        @Option(
            name: [.customLong("zone"), .customLong("time-zone")],
            help: ArgumentHelp("The zone of the guide's times that name none. The default is UTC.", valueName: "zone"))
        var timeZone: String?

        @Option(parsing: .unconditional, help: ArgumentHelp("Seconds to add to all times.", valueName: "seconds"))
        var shift: Int64 = 0

        @Option(
            help: ArgumentHelp(
                "How often it may be asked: 6h, 30m, 1d. The default is at every refresh.", valueName: "interval"))
        var every: RefreshInterval?

        @Flag(help: "Wait while another process is writing.")
        var wait = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard !name.trimmed.isEmpty else { throw ValidationError("The name has at least one letter.") }
            guard shift.magnitude <= 10 * 366 * 86_400 else {
                throw ValidationError("--shift is a number of seconds below ten years.")
            }
        }

        func run() throws {
            if let timeZone { _ = try Zone(named: timeZone) }
            let source = Source(
                name: name, location: try SourceLocation(location).text, timeZone: timeZone, shift: shift,
                interval: every?.seconds)
            try database.write(waits: wait) { try $0.save(source) }
        }
    }

    /// `epg source remove`: forgets a source and its listings.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a source and its listings.")

        @Argument(help: "What it is called.")
        var name: String

        @Flag(help: "Wait while another process is writing.")
        var wait = false

        @OptionGroup var database: DatabaseOptions

        func run() throws {
            try database.change(waits: wait) { guide in
                guard try guide.removeSource(named: name) else {
                    throw CommandFailure(.noInput, "There is no source “\(name.prefix(64))”. “epg sources” lists them.")
                }
                try guide.refreshSearchIndex()
            }
        }
    }
}
