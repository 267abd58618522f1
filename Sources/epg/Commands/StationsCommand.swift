import ArgumentParser
import EPGModel

/// `epg stations`: all stations in the order of the guide.
struct StationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stations", abstract: "Lists the stations in the order of the guide.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let stations = try database.read { try $0.stations(inRows: 0..<Int.max) }
        try output.print(stations) { StationsText(stations).text(for: $0) }
    }
}
