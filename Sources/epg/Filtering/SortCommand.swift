import ArgumentParser
import EPGFilter

/// `epg filter sort`: programmes in the order of time, with the stops that were missing.
struct SortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sort", abstract: "Sorts programmes by time and adds missing stops.",
        discussion: """
            A programme without a stop gets the start of the next one on its channel. What stands twice comes once; \
            overlaps are reported and stay. All programmes are kept in memory meanwhile.
            """)

    @Flag(help: "Sort by channel first, then by time.")
    var byChannel = false

    @Flag(help: "Report programmes that stand twice.")
    var duplicateError = false

    @OptionGroup var options: FilterOptions

    func run() throws {
        var filter = SortFilter()
        filter.isByChannel = byChannel
        filter.warnsOfDuplicates = duplicateError
        try options.job().run { try filter.run($0, warn: $1, send: $2) }
    }
}
