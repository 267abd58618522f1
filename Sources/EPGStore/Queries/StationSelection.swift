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
        let words = try StationWords(filter.text ?? "", database)
        let members = filter.group == nil && filter.lineup == nil ? nil : try self.members(filter)
        if words.isEmpty, members == nil { return nil }
        let numbers = words.isEmpty ? [:] : try channelNumbers()
        let stations = try Row.fetchCursor(database, sql: words.isEmpty ? Self.positionsSQL : Self.textsSQL)
        let selected = stations.filter { row in
            let key: Int64 = row["id"]
            guard members?.contains(key) ?? true else { return false }
            return try words.isEmpty || words.stand(in: Self.texts(row) + (numbers[key] ?? []))
        }
        return try Array(selected.map { $0["position"] })
    }

    private static func texts(_ row: Row) throws -> [String] {
        let station = Station(id: StationID(row["feed_id"]), nodes: try row.nodes("document"))
        let number: String? = row["number"]
        return station.displayNames.map(\.text) + [station.id.rawValue, number].compactMap { $0 }
    }

    /// The groups of all lineups, with how many stations each has.
    func groups() throws -> [StationGroup] {
        var order: [String] = []
        var members: [String: Set<Int64>] = [:]
        try channels(ofLineup: nil) { station, groups, _ in
            for group in groups {
                if members[group] == nil { order.append(group) }
                members[group, default: []].insert(station)
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
private struct StationWords {
    private let tokenizer: WordTokenizer
    /// As they were written and folded, in UTF-8; a sign such as `+` is folded to nothing.
    private let words: [(written: [UInt8], folded: [UInt8])]

    init(_ text: String, _ database: Database) throws {
        let tokenizer = try WordTokenizer(database)
        self.tokenizer = tokenizer
        words = try text.split(whereSeparator: \.isWhitespace).map { word in
            (Array(word.utf8), try tokenizer.folded(String(word)))
        }
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether each word stands in some of the texts: folded, but a sign byte for byte.
    func stand(in texts: [String]) throws -> Bool {
        let folded = try texts.map { try tokenizer.folded($0) }
        return words.allSatisfy { word in
            word.folded.isEmpty
                ? texts.contains { Array($0.utf8).contains(word.written) }
                : folded.contains { $0.contains(word.folded) }
        }
    }
}

/// Finds the names that look most like a text, to say "did you mean".
struct NearestNames {
    private let wanted: [Character]
    private var candidates: [(id: String, distance: Int)] = []

    /// How many letters of a near name may differ.
    private var most: Int { max(2, wanted.count / 2) }

    init(_ text: String) {
        wanted = Array(text.lowercased().prefix(64))
    }

    /// Measures a station by its identifier and its name, whichever is nearer.
    mutating func consider(id: String, name: String) {
        let distances = [id, name].flatMap { text in
            // A part of the name, such as the "lantern" of "lantern.example", is a little farther than the whole.
            [distance(to: text)]
                + text.split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= 4 }.map { distance(to: $0) + 1 }
        }
        if let distance = distances.min(), distance <= most { candidates.append((id, distance)) }
    }

    /// The nearest identifiers, those that came first before others as near.
    func best(_ limit: Int) -> [String] {
        candidates.sorted { $0.distance < $1.distance }.prefix(limit).map(\.id)
    }

    /// The number of letters to insert, remove or replace (Levenshtein); 1 where the wanted text is a part of the name.
    private func distance(to name: some StringProtocol) -> Int {
        let name = name.lowercased()
        let letters = Array(name.prefix(64))
        if letters == wanted { return 0 }
        if wanted.count >= 3, name.contains(String(wanted)) { return 1 }
        guard abs(letters.count - wanted.count) <= most else { return .max - 1 }
        var previous = Array(0...letters.count)
        for (row, letter) in wanted.enumerated() {
            var current = [row + 1]
            for (column, other) in letters.enumerated() {
                current.append(
                    min(previous[column] + (letter == other ? 0 : 1), previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[letters.count]
    }
}
