import ArgumentParser

/// `epg filter`: guides in, a guide out, without a database.
struct FilterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filter", abstract: "Joins, sorts, searches and splits XMLTV guides, without a database.",
        discussion: """
            These commands do what tv_cat, tv_sort, tv_grep and tv_split of the XMLTV project do: they read guides, or \
            standard input, and write one to standard output, in UTF-8. Elements and attributes that begin with x- are \
            left out, other unknown ones stay.
            """,
        subcommands: [CatCommand.self, SortCommand.self, GrepCommand.self, SplitCommand.self])
}
