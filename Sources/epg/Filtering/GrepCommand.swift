import ArgumentParser
import EPGFilter

/// `epg filter grep`: the programmes that pass tests.
struct GrepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grep", abstract: "Picks programmes by their text, channel and time.",
        usage: "epg filter grep [-i] [--output FILE] (REGEXP | TEST [[--and] TEST | --or TEST]...) [FILE...]",
        discussion: """
            REGEXP alone is searched for in everything that a programme says.

            Tests of a text, each with a regular expression behind it ('' asks whether there is one): --title, \
            --sub-title, --desc, --category, --keyword, --date, --language, --orig-language, --country, --premiere, \
            --last-chance; and of an attribute: --channel, --start, --stop, --clumpidx, --pdc-start, --vps-start, \
            --showview, --videoplus.

            Tests whether there is something, each with '' behind it: --credits, --length, --icon, --url, --episode-num, \
            --video, --audio, --previously-shown, --subtitles, --rating, --star-rating, --review, --image; and --new, \
            with nothing behind it.

            Tests of the channel, which pick channels, too: --channel-id ID, --channel-id-exp REGEXP, \
            --channel-name REGEXP.

            Tests of the time: --on-after TIME and --on-before TIME, for programmes some of which is on at that time or \
            after, or before, it. TIME is now, 2026-03-29T20:00+01:00 or as in XMLTV; without a zone it is UTC.

            --eval 'scalar keys %$_ > N' counts the different attributes and elements; other Perl can't be run.

            --not turns the test behind it into its opposite, --and binds closer than --or and may be left out. -i \
            ignores case everywhere. Long options may be cut short. Regular expressions are those of Swift.
            """)

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("Tests and guides.", visibility: .hidden))
    var arguments: [String] = []

    func run() throws {
        let parsed: GrepArguments
        do throws(GrepUsageError) {
            parsed = try GrepArguments(arguments, now: SystemClock.now)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        if parsed.wantsHelp { throw CleanExit.helpRequest(GrepCommand.self) }
        let filter = GrepFilter(parsed.expression)
        try FilterJob(files: parsed.files, output: parsed.output).run { try filter.run($0, warn: $1, send: $2) }
    }
}
