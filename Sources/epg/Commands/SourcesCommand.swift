import ArgumentParser
import EPGModel

/// `epg sources`: where the listings come from.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "Lists the sources, what stands of them, and how they fared.")

    /// What `epg sources` and `epg source list` have in common, which is everything.
    struct Options: ParsableArguments {
        @OptionGroup var zone: ZoneOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let zone = try zone.zone()
            let sources = try database.read { try $0.sources() }
            try output.print(sources) { SourcesText(sources, zone: zone).text(for: $0) }
        }
    }

    @OptionGroup var options: Options

    func run() throws {
        try options.run()
    }
}
