import EPGJSON
import EPGModel
import GRDB

/// Finds the stations that a filter lets through.
struct StationSelection {
    /// The names, identifier and numbers of all stations.
    static let textsSQL = """
        SELECT s.position, s.feed_id, s.document, s.number, s.id FROM station s ORDER BY s.position
        """

    /// The channels that show a station, of all lineups or of one (`?1`), in the order of the lineups.
    static let channelsSQL = """
        SELECT c.station_id, c.groups, c.number FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
        WHERE c.station_id IS NOT NULL AND (?1 IS NULL OR l.name = ?1) ORDER BY l.name, c.ordinal
        """

    static let positionsSQL = "SELECT position, id FROM station ORDER BY position"

    let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The rows of the stations that fit, ascending; `nil` for all of them.
    func rows(_ filter: StationFilter) throws -> [Int]? {
        let words = try StationWords(filter.text ?? "", database)
        let members = filter.group == nil && filter.lineup == nil ? nil : try self.members(filter)
        if words.isEmpty, members == nil { return nil }
        var rows: [Int] = []
        if words.isEmpty {
            try database.rows(Self.positionsSQL) { columns in
                if members?.contains(columns.integer(1)) ?? true { rows.append(Int(columns.integer(0))) }
                return true
            }
            return rows
        }
        let numbers = try channelNumbers()
        try database.rows(Self.textsSQL) { columns in
            let key = columns.integer(4)
            guard members?.contains(key) ?? true else { return true }
            let station = Station(id: StationID(columns.text(1)), nodes: try StoredDocument.nodes(columns.blob(2)))
            var texts = station.displayNames.map(\.text)
            texts.append(station.id.rawValue)
            if let number = columns.textIfPresent(3) { texts.append(number) }
            texts += numbers[key] ?? []
            if try words.stand(in: texts) { rows.append(Int(columns.integer(0))) }
            return true
        }
        return rows
    }

    /// The groups of all lineups, with how many stations each has.
    func groups() throws -> [StationGroup] {
        var order: [String] = []
        var members: [String: Set<Int64>] = [:]
        try channels(ofLineup: nil) { station, groups, _ in
            for group in groups where members[group, default: []].insert(station).inserted {
                if members[group]?.count == 1 { order.append(group) }
            }
        }
        return order.map { StationGroup(name: $0, count: members[$0]?.count ?? 0) }
    }

    /// The stations of a lineup, of a group, or of a lineup's channels in a group.
    private func members(_ filter: StationFilter) throws -> Set<Int64> {
        var members: Set<Int64> = []
        try channels(ofLineup: filter.lineup) { station, groups, _ in
            if filter.group.map(groups.contains) ?? true { members.insert(station) }
        }
        return members
    }

    private func channelNumbers() throws -> [Int64: [String]] {
        var numbers: [Int64: [String]] = [:]
        try channels(ofLineup: nil) { station, _, number in
            if let number { numbers[station, default: []].append(number) }
        }
        return numbers
    }

    private func channels(
        ofLineup lineup: String?, _ body: (_ station: Int64, _ groups: [String], _ number: String?) -> Void
    ) throws {
        try database.rows(Self.channelsSQL, .text(lineup)) { columns in
            body(columns.integer(0), try columns.texts(1), columns.textIfPresent(2))
            return true
        }
    }
}
