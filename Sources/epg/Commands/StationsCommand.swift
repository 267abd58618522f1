import ArgumentParser
import EPGConfig
import EPGJSON
import EPGModel
import EPGOutput
import EPGRender

/// `epg stations`: lists all stations in guide order.
struct StationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stations", abstract: "List stations in guide order.",
        discussion: """
            With --categories, lists the categories of all programmes with the genres (ETSI EN 300 468) that \
            `epg export --genres etsi` writes for them. Add genres of unmapped categories to genres in epg.yml.
            """)

    @Flag(help: "List the categories of the guide with their genres instead.")
    var categories = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        if categories { return try printCategories() }
        let stations = try database.read { try $0.stations(inRows: 0..<Int.max) }
        try output.print(stations) { Self.table(of: stations, for: $0) }
    }

    private func printCategories() throws {
        let settings = try ConfigurationReader.ofProgram.output().settings
        let summary = try database.read { guide in
            var counter = CategoryCounter(GenreTable(adding: settings.genreWords))
            try guide.export(ExportSelection(), to: &counter)
            return counter.summary
        }
        try output.print(summary) { summary.text(for: $0) }
    }

    private static func table(of stations: [StationRow], for terminal: Terminal) -> String {
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

// MARK: - Categories

/// Counts the airings of each category.
private struct CategoryCounter: GuideVisitor {
    private let table: GenreTable
    /// Airings by their categories.
    private var counts: [[String]: Int] = [:]

    init(_ table: GenreTable) {
        self.table = table
    }

    func begin(header: [ContentAttribute]) {}
    func station(_ station: StationRow, nodes: [ContentNode]) {}
    func end() {}

    mutating func airing(_ airing: ExportedAiring) throws {
        guard airing.programme.category != nil else { return }
        let categories = try airing.programme.nodes().elements.filter { $0.name == "category" }.map(\.textContent)
        counts[categories.filter { !$0.isEmpty }, default: 0] += 1
    }

    var summary: CategorySummary {
        var airings: [String: Int] = [:]
        var (mapped, unmapped) = (0, 0)
        for (categories, count) in counts {
            for category in Set(categories) { airings[category, default: 0] += count }
            if table.genre(of: categories) != nil {
                mapped += count
            } else if categories.contains(where: { table.meaning(of: $0) == .unknown }) {
                unmapped += count
            }
        }
        let categories = airings.map { CategorySummary.Category(name: $0, airings: $1, meaning: table.meaning(of: $0)) }
        return CategorySummary(
            categories: categories.sorted { ($1.airings, $0.name) < ($0.airings, $1.name) }, mapped: mapped,
            unmapped: unmapped)
    }
}

/// The categories of a guide: `{"categories", "mapped", "unmapped"}`.
///
/// Each category is `{"category", "airings", "meaning", "genre", "code"}`; `meaning` is `genre`, `none` for a word that names no
/// genre, or `unknown`. `mapped` is the number of airings with a genre, and `unmapped` of those with unknown categories only.
private struct CategorySummary: JSONObject {
    struct Category: JSONObject {
        let name: String
        let airings: Int
        let meaning: GenreTable.Meaning

        func writeMembers(to json: inout JSONWriter) {
            json.member("category", name)
            json.member("airings", airings)
            switch meaning {
            case .genre(let genre):
                json.member("meaning", "genre")
                json.member("genre", genre.name)
                json.member("code", Int(genre.code))
            case .noGenre: json.member("meaning", "none")
            case .unknown: json.member("meaning", "unknown")
            }
        }
    }

    let categories: [Category]
    let mapped: Int
    let unmapped: Int

    func writeMembers(to json: inout JSONWriter) {
        json.member("categories", list: categories)
        json.member("mapped", mapped)
        json.member("unmapped", unmapped)
    }

    func text(for terminal: Terminal) -> String {
        guard !categories.isEmpty else { return "The programmes of the guide have no categories.\n" }
        var table = Table([
            Table.Column("airings", alignment: .trailing), Table.Column("category", minimumWidth: 12),
            Table.Column("code"), Table.Column("genre", minimumWidth: 12),
        ])
        for category in categories {
            var row = [Cell(String(category.airings)), Cell(category.name, .bold)]
            switch category.meaning {
            case .genre(let genre):
                row += [Cell("0x" + String(genre.code, radix: 16, uppercase: true)), Cell(genre.name)]
            case .noGenre: row += [.empty, Cell("none", .dim)]
            case .unknown: row += [.empty, Cell("unmapped", .red)]
            }
            table.append(row)
        }
        let unknown = categories.count { $0.meaning == .unknown }
        return table.text(for: terminal)
            + "\n\(Wording.count(mapped, "airing")) with a genre, \(unmapped) with unmapped categories only; "
            + "\(Wording.count(unknown, "category", plural: "categories")) unmapped.\n"
    }
}
