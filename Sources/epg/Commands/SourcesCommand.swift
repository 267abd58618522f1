import ArgumentParser
import EPGConfig
import EPGModel
import EPGRefresh

/// `epg sources`: where the listings come from.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "Lists the sources, what stands of them, and how they fared.",
        discussion: "Those of epg.yml that were never refreshed are among them.")

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
            let entries = try entries(
                in: database, orders, try configuration.serviceTimes(orders, databasePath: database.database ?? ""),
                now: moment.now)
            try output.print(entries) { SourcesText(entries, moment: moment).text(for: $0) }
        }

        /// What stands in the guide, and what the settings name beside it, by name.
        ///
        /// - Throws: ``StoreError`` where there is no guide, unless the settings are to fill one.
        private func entries(
            in database: DatabaseOptions, _ orders: [String: SourceOrder], _ serviceTimes: ServiceTimetable?,
            now: Instant
        ) throws -> [SourceEntry] {
            var entries: [SourceEntry] = []
            do {
                entries = try database.read { guide in
                    try guide.sources().map { summary in
                        SourceEntry(
                            summary: summary, order: orders[summary.source.name], serviceTimes: serviceTimes, now: now)
                    }
                }
            } catch StoreError.notFound where !orders.isEmpty {
            }
            let known = Set(entries.map(\.summary.source.name))
            entries += orders.values.filter { !known.contains($0.configuration.source.name) }.map { order in
                let summary = SourceSummary(source: order.configuration.source)
                return SourceEntry(summary: summary, order: order, serviceTimes: serviceTimes, now: now)
            }
            return entries.sorted {
                $0.summary.source.name.utf8.lexicographicallyPrecedes($1.summary.source.name.utf8)
            }
        }
    }

    @OptionGroup var options: Options

    func run() throws {
        try options.run()
    }
}
