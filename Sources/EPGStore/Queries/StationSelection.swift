import EPGModel
import GRDB

/// Finds the stations that a filter lets through.
struct StationSelection {
    /// The names, identifier and numbers of all stations.
    static let textsSQL = "SELECT position, feed_id, document, number, id FROM station ORDER BY position"

    /// The channels that show a station, of all lineups or of one (`?1`), in the order of the lineups.
    static let channelsSQL = """
        SELECT c.station_id, c.groups, c.number FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
        WHERE c.station_id IS NOT NULL AND (?1 IS NULL OR l.name = ?1) ORDER BY l.name, c.ordinal
        """

    static let positionsSQL = "SELECT position, id FROM station ORDER BY position"

    let database: Database

    /// The rows of the stations that fit, ascending; `nil` for all of them.
    func rows(_ filter: StationFilter) throws -> [Int]? {
        let tokenizer = try WordTokenizer(database)
        // A sign such as `+` is folded to nothing, so it is looked for byte for byte.
        let words = try (filter.text ?? "").split(whereSeparator: \.isWhitespace).map { word in
            (written: Array(word.utf8), folded: try tokenizer.folded(String(word)))
        }
        let members = filter.group == nil && filter.lineup == nil ? nil : try self.members(filter)
        if words.isEmpty, members == nil { return nil }
        let numbers = words.isEmpty ? [:] : try channelNumbers()
        let stations = try Row.fetchCursor(database, sql: words.isEmpty ? Self.positionsSQL : Self.textsSQL)
        let selected = stations.filter { row in
            let key: Int64 = row["id"]
            guard members?.contains(key) ?? true else { return false }
            if words.isEmpty { return true }
            let texts = try Self.texts(row) + (numbers[key] ?? [])
            let folded = try texts.map { try tokenizer.folded($0) }
            return words.allSatisfy { word in
                word.folded.isEmpty
                    ? texts.contains { Array($0.utf8).contains(word.written) }
                    : folded.contains { $0.contains(word.folded) }
            }
        }
        return try Array(selected.map { $0["position"] })
    }

    private static func texts(_ row: Row) throws -> [String] {
        let station = Station(id: StationID(row["feed_id"]), nodes: try row.nodes("document"))
        let number: String? = row["number"]
        return station.displayNames.map(\.text) + [station.id.rawValue, number].compactMap { $0 }
    }

    /// The groups of all lineups, with how many stations each has.
    func groups() throws -> [NameCount] {
        var order: [String] = []
        var members: [String: Set<Int64>] = [:]
        try channels(ofLineup: nil) { station, groups, _ in
            for group in groups {
                if members[group] == nil { order.append(group) }
                members[group, default: []].insert(station)
            }
        }
        return order.map { NameCount(name: $0, count: members[$0]?.count ?? 0) }
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
        let channels = try Row.fetchCursor(database, sql: Self.channelsSQL, arguments: [lineup])
        while let row = try channels.next() { body(row["station_id"], try row.texts("groups"), row["number"]) }
    }
}
