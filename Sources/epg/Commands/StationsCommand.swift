import ArgumentParser
import EPGModel
import EPGRender

/// `epg stations`: lists all stations in guide order.
struct StationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stations", abstract: "List stations in guide order.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let stations = try database.read { try $0.stations(inRows: 0..<Int.max) }
        try output.print(stations) { StationsText(stations).text(for: $0) }
    }
}

// MARK: - Text

/// Prints stations as a table.
private struct StationsText {
    private let stations: [StationRow]

    init(_ stations: [StationRow]) {
        self.stations = stations
    }

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("row", alignment: .trailing), Table.Column("number", alignment: .trailing),
            Table.Column("id", minimumWidth: 12), Table.Column("name", minimumWidth: 12),
            Table.Column("other names", minimumWidth: 10),
        ])
        for row in stations {
            let others = row.station.displayNames.dropFirst().map(\.text)
            table.append([
                Cell(String(row.row), .dim), Cell((row.channelNumber ?? row.station.number)?.description ?? ""),
                Cell(row.station.id.rawValue, .cyan), Cell(row.station.name, .bold),
                Cell(others.joined(separator: ", "), .dim),
            ])
        }
        return table.isEmpty ? "The guide has no stations.\n" : table.text(for: terminal)
    }
}
