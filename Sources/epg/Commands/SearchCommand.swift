import ArgumentParser
import EPGModel

/// `epg search`: the airings whose programme has all the words.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds airings by words of title, sub-title and description.",
        discussion: """
            All words must occur, whatever their case. '"low water"' is a phrase, 'kerb*' matches \
            words that start with kerb. A search has at most 12 different words or phrases, and one single-letter prefix at \
            most, together with another word.
            """)

    @Argument(help: ArgumentHelp("What to look for.", valueName: "words"))
    var words: [String]

    @Option(parsing: .unconditional, help: "The greatest number of airings.")
    var limit = 50

    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is a number from 1 to 100000.") }
        guard words.contains(where: { !$0.trimmed.isEmpty }) else { throw ValidationError("Give a word to look for.") }
    }

    func run() throws {
        let moment = try moment.moment()
        let query = SearchQuery(words: words.joined(separator: " "), now: moment.now, order: .start, limit: limit)
        let (matches, isComplete) = try database.read { (try $0.search(query).matches, try $0.isSearchIndexCurrent()) }
        try output.print(matches) { MatchesText(matches, moment: moment).text(for: $0) }
        if matches.isEmpty { StandardError.write("Nothing found.\n") }
        if !isComplete {
            StandardError.write(
                "The search index is out of date, so airings may be missing. epg import and epg refresh update it.\n")
        }
    }
}
