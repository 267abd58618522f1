import ArgumentParser
import EPGModel
import EPGProgram
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
        let zone = try zone.zone(of: database)
        let detail = try database.read { guide in
            guard let detail = try guide.airing(airing.id) else {
                throw CommandFailure(
                    .noInput,
                    "There is no airing \(airing.id). `epg airings` and `epg search` print the numbers of airings.")
            }
            return detail
        }
        try output.print(detail) { AiringText(detail, zone: zone).text(for: $0) }
    }
}

/// The number of an airing: `812`, or `#812`.
struct AiringNumber: ExpressibleByArgument, Hashable, Sendable {
    let id: AiringID

    init?(argument: String) {
        guard let number = Int64(argument.hasPrefix("#") ? argument.dropFirst() : argument[...]), number > 0 else {
            return nil
        }
        id = AiringID(number)
    }
}
