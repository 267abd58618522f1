import ArgumentParser
import EPGFilter

/// `epg filter cat`: several guides as one.
struct CatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Makes one guide of several.",
        discussion: """
            Each channel comes once. A programme that has the channel, the start and the title of one before it is left \
            out. Where guides differ in their header or in a channel, the last guide's is taken.
            """)

    @OptionGroup var options: FilterOptions

    func run() throws {
        try options.job().run { try CatFilter().run($0, warn: $1, send: $2) }
    }
}
