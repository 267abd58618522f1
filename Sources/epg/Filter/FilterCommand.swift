import ArgumentParser
import EPGFilter
import EPGProgram

/// `epg filter`: combines, sorts, searches and splits guides without a database.
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter", abstract: "Combine, sort, search and split XMLTV guides without a database.",
        discussion: """
            These commands correspond to tv_cat, tv_sort, tv_grep and tv_split of the XMLTV project. They read guides \
            from files or standard input and write one guide in UTF-8. They drop elements and attributes whose names \
            start with x- and keep other unknown ones.
            """,
        subcommands: [CatCommand.self, SortCommand.self, GrepCommand.self, SplitCommand.self])
}

/// `epg filter cat`: combines guides.
private struct CatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Combine guides into one.",
        discussion: """
            Writes each channel once, and drops a programme that has the same channel, start and title as an earlier \
            one. If guides differ in the header or in a channel, the last guide takes precedence.
            """)

    @OptionGroup var options: FilterOptions

    func run() throws {
        try options.job().run { try CatFilter().run($0, warn: $1, send: $2) }
    }
}

/// `epg filter sort`: sorts programmes by time and adds missing stops.
private struct SortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sort", abstract: "Sort programmes by time and add missing stops.",
        discussion: """
            A programme without a stop gets the start of the next programme on its channel. Duplicates are written \
            once. Overlaps are reported and stay. The command holds all programmes in memory.
            """)

    @Flag(help: "Sort by channel first, then by time.")
    var byChannel = false

    @Flag(help: "Report duplicate programmes.")
    var duplicateError = false

    @OptionGroup var options: FilterOptions

    func run() throws {
        var filter = SortFilter()
        filter.isByChannel = byChannel
        filter.warnsOfDuplicates = duplicateError
        try options.job().run { try filter.run($0, warn: $1, send: $2) }
    }
}

/// `epg filter grep`: selects programmes.
private struct GrepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grep", abstract: "Select programmes by text, channel and time.",
        usage: "epg filter grep [-i] [--output FILE] (REGEXP | TEST [[--and] TEST | --or TEST]...) [FILE...]",
        discussion: """
            REGEXP alone matches programmes that contain it anywhere.

            Text tests take a regular expression ('' tests for presence): --title, --sub-title, --desc, --category, \
            --keyword, --date, --language, --orig-language, --country, --premiere, --last-chance. The same holds for \
            the attributes: --channel, --start, --stop, --clumpidx, --pdc-start, --vps-start, --showview, --videoplus.

            Presence tests take '': --credits, --length, --icon, --url, --episode-num, --video, --audio, \
            --previously-shown, --subtitles, --rating, --star-rating, --review, --image. --new takes no argument.

            Channel tests also select channels: --channel-id ID, --channel-id-exp REGEXP, --channel-name REGEXP.

            Time tests: --on-after TIME and --on-before TIME select programmes that are partly on at or after, or \
            before, TIME. TIME is now, 2026-03-29T20:00+01:00 or as in XMLTV; without a time zone it is UTC.

            --eval 'scalar keys %$_ > N' counts different attributes and elements. Other Perl code is not supported.

            --not negates the next test. --and binds more tightly than --or and may be omitted. -i ignores case in all \
            tests. Long options may be abbreviated. Regular expressions have Swift syntax.
            """)

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("Tests and guides.", visibility: .hidden))
    var arguments: [String] = []

    func run() throws {
        let parsed = try GrepArguments(arguments, now: SystemClock.now)
        if parsed.wantsHelp { throw CleanExit.helpRequest(GrepCommand.self) }
        let filter = GrepFilter(parsed.expression)
        var selected = 0
        try FilterJob(files: parsed.files, output: parsed.output).run {
            selected = try filter.run($0, warn: $1, send: $2)
        }
        if selected == 0 { StandardError.report("No programme matches.") }
    }
}

/// `epg filter split`: splits a guide into files.
private struct SplitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split", abstract: "Split a guide into files by channel and time.",
        discussion: """
            The template is a path with %channel and directives of date(1), which are replaced by the channel and the \
            start of each programme: %channel-%Y%m%d.xml. The start is in the time zone of the guide. Directives: %Y \
            %y %m %d %e %j %B %b %h %A %a %u %H %k %I %p %M %S %s %z %Q (20260329), %q (20260329203000) and %%. A / in \
            a channel identifier becomes %2F. The output files are replaced when all of them are complete.
            """)

    @Option(help: ArgumentHelp("Path template of the output files.", valueName: "template"))
    var output: String

    @Argument(help: ArgumentHelp("Guides (default: standard input, also -).", valueName: "file"))
    var files: [String] = []

    func run() throws {
        let template: SplitTemplate
        do throws(SplitTemplateError) {
            template = try SplitTemplate(output)
        } catch {
            throw CommandFailure(.usage, "--output: \(error)")
        }
        let target = SplitFiles()
        try FilterJob(files: files).run { sources, warn in
            try SplitFilter(template).run(sources, warn: warn) { try target.append($1, to: $0) }
        }
        guard !target.isEmpty else {
            StandardError.report("There are no programmes. No file was written.")
            return
        }
        try target.replaceAll()
    }
}

/// The input and output of a filter.
private struct FilterOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Guides (default: standard input, also -).", valueName: "file"))
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Output file, replaced when the result is complete (default: standard output).", valueName: "file"))
    var output: String?

    func job() throws(CommandFailure) -> FilterJob { try FilterJob(files: files, output: output) }
}
