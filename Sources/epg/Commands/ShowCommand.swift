import ArgumentParser
import EPGCalendar
import EPGImport
import EPGModel
import EPGRender

/// `epg show`: shows all details of an airing.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all details of an airing.")

    @Argument(
        help: ArgumentHelp("Number of the airing, as printed by epg search and epg airings.", valueName: "airing"))
    var airing: AiringNumber

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let (detail, zone, alternatives) = try database.read { guide in
            let (detail, zone) = (try guide.detail(of: airing), try self.zone.zone(in: guide))
            let alternatives = try StationAlternative.alternatives(
                to: detail.airing, in: guide, zone: zone, DuplicateStations(in: guide))
            return (detail, zone, alternatives)
        }
        try output.print(detail) {
            AiringDetailText(detail, clock: GuideClock(zone: zone), alternatives: alternatives.map(\.label)).text(
                for: $0)
        }
    }
}
