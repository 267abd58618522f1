import ArgumentParser
import EPGConfig
import EPGModel
import EPGRefresh
import EPGStore

/// `epg sources`: where the listings come from.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "Lists the sources, what stands of them, and how they fared.")

    /// What `epg sources` and `epg source list` have in common, which is everything.
    struct Options: ParsableArguments {
        @OptionGroup var settings: SettingsOptions
        @OptionGroup var zone: ZoneOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let moment = Moment(zone: try zone.zone(), now: SystemClock.now)
            let configuration = try settings.read()
            let orders = try configuration.orders()
            var database = database
            database.database = database.database ?? configuration.database
            let entries = try database.readStore { guide in
                let imports = Dictionary(
                    try guide.importSummaries().map { ($0.source, $0) }, uniquingKeysWith: { first, _ in first })
                return try guide.sources().map {
                    SourceEntry(summary: $0, lastImport: imports[$0.source.name], order: orders[$0.source.name])
                }
            }
            try output.print(entries) { SourcesText(entries, moment: moment).text(for: $0) }
        }
    }

    @OptionGroup var options: Options

    func run() throws {
        try options.run()
    }
}
