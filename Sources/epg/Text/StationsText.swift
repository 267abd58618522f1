import EPGModel
import EPGRender

/// Stations as a table.
struct StationsText {
    private let stations: [StationRow]

    init(_ stations: [StationRow]) {
        self.stations = stations
    }

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("row", alignment: .trailing), Table.Column("number", alignment: .trailing),
            Table.Column("id", leastWidth: 12), Table.Column("name", leastWidth: 12),
            Table.Column("also", leastWidth: 10),
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
