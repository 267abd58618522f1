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
            return try Row.fetchAll(database, sql: Self.positionsSQL).compactMap { row in
                members?.contains(row["id"]) ?? true ? row["position"] : nil
            }
        }
        let numbers = try channelNumbers()
        let stations = try Row.fetchCursor(database, sql: Self.textsSQL)
        while let row = try stations.next() {
            let key: Int64 = row["id"]
            guard members?.contains(key) ?? true else { continue }
            let station = Station(id: StationID(row["feed_id"]), nodes: try row.nodes("document"))
            var texts = station.displayNames.map(\.text)
            texts.append(station.id.rawValue)
            if let number = row["number"] as String? { texts.append(number) }
            texts += numbers[key] ?? []
            if try words.stand(in: texts) { rows.append(row["position"]) }
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
        let channels = try Row.fetchCursor(database, sql: Self.channelsSQL, arguments: [lineup])
        while let row = try channels.next() { body(row["station_id"], try row.texts("groups"), row["number"]) }
    }
}

/// The words that a person looks for stations with.
struct StationWords {
    /// A word as it is looked for.
    private enum Word {
        /// With letters or digits: UTF-8, folded.
        case folded([UInt8])
        /// Without any, such as `+`: byte for byte.
        case sign([UInt8])
    }

    private let tokenizer: WordTokenizer
    private let words: [Word]

    init(_ text: String, _ database: Database) throws {
        let tokenizer = try WordTokenizer(database)
        self.tokenizer = tokenizer
        words = try text.split(whereSeparator: \.isWhitespace).map { word in
            let folded = try tokenizer.folded(String(word))
            return folded.isEmpty ? .sign(Array(word.utf8)) : .folded(folded)
        }
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether each word stands in some of the texts.
    func stand(in texts: [String]) throws -> Bool {
        let folded = try texts.map { try tokenizer.folded($0) }
        return words.allSatisfy { word in
            switch word {
            case .folded(let bytes): folded.contains { $0.contains(bytes) }
            case .sign(let bytes): texts.contains { Array($0.utf8).contains(bytes) }
            }
        }
    }
}
