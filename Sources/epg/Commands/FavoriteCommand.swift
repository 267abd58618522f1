import ArgumentParser
import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg favorite`: adds, lists and removes favorite stations.
struct FavoriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite", abstract: "Add, list and remove favorite stations.",
        discussion: """
            The database keeps favorites in your order, even while a station is missing from the guide. Imports, \
            refreshes and pruning do not change them.
            """, subcommands: [Add.self, List.self, Remove.self])

    /// `epg favorite add`: adds a favorite, or moves it.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a favorite station, or move it to another place.",
            discussion: "Prints the favorites afterwards.")

        @Argument(help: "Identifier or name of the station.")
        var station: String

        @Option(
            help: ArgumentHelp(
                "Place in the list, from 1 (default: the end; an existing favorite keeps its place).",
                valueName: "n"))
        var place: Int?

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func validate() throws {
            if let place, place < 1 { throw ValidationError("--place must be 1 or more, not \(place).") }
        }

        func run() throws {
            let favorites = try database.change { guide in
                let station = try guide.station(named: station).station.id
                let index = try place.map { $0 - 1 } ?? guide.favorites().firstIndex(of: station) ?? .max
                try guide.setFavorite(station, to: index)
                return try Favorite.all(in: guide)
            }
            try output.print(favorites) { Favorite.table(of: favorites, for: $0) }
        }
    }

    /// `epg favorite list`: lists the favorites.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the favorite stations in your order.")

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let favorites = try database.read { try Favorite.all(in: $0) }
            try output.print(favorites) { Favorite.table(of: favorites, for: $0) }
        }
    }

    /// `epg favorite remove`: removes a favorite.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a station from the favorites.",
            discussion: "Prints the favorites afterwards. The station need not be in the guide.")

        @Argument(help: "Identifier or name of the station.")
        var station: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func run() throws {
            let favorites = try database.change { guide in
                let favorites = try guide.favorites()
                var station = StationID(station)
                if !favorites.contains(station) {
                    station = try guide.station(named: station.rawValue).station.id
                }
                guard favorites.contains(station) else {
                    throw CommandFailure(
                        .noInput,
                        "“\(station.rawValue.prefix(64))” is not a favorite. List them with `epg favorite list`.")
                }
                try guide.setFavorite(station, to: nil)
                return try Favorite.all(in: guide)
            }
            try output.print(favorites) { Favorite.table(of: favorites, for: $0) }
        }
    }
}

/// A favorite station, as the guide describes it.
private struct Favorite: JSONObject {
    private let id: StationID
    /// `nil` if the guide lacks the station.
    private let row: StationRow?

    /// All favorites in their order.
    ///
    /// - Complexity: One index lookup per favorite.
    static func all(in guide: some GuideReading) throws -> [Favorite] {
        try guide.favorites().map { Favorite(id: $0, row: try guide.station($0)) }
    }

    private var number: ChannelNumber? { row?.channelNumber ?? row?.station.number }

    /// `{"station", "name", "number", "row"}`; only `station` if the guide lacks it.
    func writeMembers(to json: inout JSONWriter) {
        json.member("station", id)
        json.member("name", row?.station.name)
        json.member("number", number?.description)
        json.member("row", row?.row)
    }

    static func table(of favorites: [Favorite], for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("place", alignment: .trailing), Table.Column("number", alignment: .trailing),
            Table.Column("id", minimumWidth: 12), Table.Column("name", minimumWidth: 12),
        ])
        for (index, favorite) in favorites.enumerated() {
            table.append([
                Cell(String(index + 1), .dim), Cell(favorite.number?.description ?? ""),
                Cell(favorite.id.rawValue, .cyan),
                favorite.row.map { Cell($0.station.name, .bold) } ?? Cell("not in the guide", .dim),
            ])
        }
        return table.isEmpty ? "No favorites. Add one with `epg favorite add STATION`.\n" : table.text(for: terminal)
    }
}
