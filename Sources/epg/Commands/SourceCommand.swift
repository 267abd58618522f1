import ArgumentParser
import EPGCalendar
import EPGImport
import EPGModel
import EPGRefresh
import Glibc

/// `epg source`: adds, changes, lists and removes sources.
struct SourceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source", abstract: "Adds, changes, lists and removes sources.",
        subcommands: [Add.self, Set.self, List.self, Remove.self])

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

        @OptionGroup var settings: SourceSettings

        @Flag(help: "Wait while another process is writing.")
        var wait = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard !name.trimmed.isEmpty else { throw ValidationError("The name has at least one letter.") }
            guard !name.hasURLCredentials else {
                throw ValidationError("The name is public and must not contain a user or password.")
            }
        }

        func run() throws {
            var source = Source(name: name, location: try SourceLocation(location).text)
            try settings.apply(to: &source)
            try database.write(waits: wait) { try $0.save(source, now: SystemClock.now) }
            ConfiguredSource.warn(of: name, doing: "Change it there.")
        }
    }

    /// `epg source set`: changes how a source is read, and leaves what isn't named.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Changes how a source is read.",
            discussion: """
                What isn't named stays. A source that isn't known is made, for guides that epg import will read. What was \
                imported already stands until an import speaks of the same station and time; the priority counts at once.
                """)

        @Argument(help: "What it is called.")
        var name: String

        @OptionGroup var settings: SourceSettings

        @Flag(help: "Wait while another process is writing.")
        var wait = false

        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            guard !name.trimmed.isEmpty else { throw ValidationError("The name has at least one letter.") }
            guard !name.hasURLCredentials else {
                throw ValidationError("The name is public and must not contain a user or password.")
            }
        }

        func run() throws {
            try database.write(waits: wait) { guide in
                var source = try guide.sourceRecords().first { $0.source.name == name }?.source ?? Source(name: name)
                try settings.apply(to: &source)
                try guide.save(source, now: SystemClock.now)
                try guide.refreshSearchIndex()
            }
            ConfiguredSource.warn(of: name, doing: "Change it there.")
        }
    }

    /// `epg source remove`: forgets a source and its listings.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a source and its listings.",
            discussion: "What was kept of Schedules Direct for it beside the database goes too.")

        @Argument(help: "What it is called.")
        var name: String

        @Flag(help: "Wait while another process is writing.")
        var wait = false

        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let others = try database.change(waits: wait) { guide in
                guard try guide.removeSource(named: name, matcher: StationMatcher(), now: SystemClock.now) else {
                    throw CommandFailure(.noInput, "There is no source “\(name.prefix(64))”. “epg sources” lists them.")
                }
                try guide.refreshSearchIndex()
                return try guide.sourceRecords().map(\.source.name)
            }
            try KeptGuide.remove(ofSource: name, beside: others, besideDatabase: try database.guide().location)
            ConfiguredSource.warn(of: name, doing: "Take it out of there too.")
        }
    }
}
