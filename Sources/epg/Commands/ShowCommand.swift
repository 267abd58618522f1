import ArgumentParser
import EPGCalendar
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
        let (detail, zone) = try database.read { (try $0.detail(of: airing), try self.zone.zone(in: $0)) }
        try output.print(detail) { AiringDetailText(detail, clock: GuideClock(zone: zone)).text(for: $0) }
    }
}
