import EPGJSON
import EPGModel
import GRDB

/// Writes the stations of a source, and the rows in which all stations stand.
struct StationWriter {
    private struct Stored: Equatable {
        var key: Int64
        var name: String
        var number: String?
        var document: [UInt8]
        var describedBy: Int64?
        var ordinal: Int64

        /// Whether a feed says more than the identifier.
        var isDescribed: Bool { document != StoredDocument.empty }
    }

    private let database: Database
    private let source: Int64
    private var known: [StationID: Stored]
    private var keys: [StationID: Int64]
    private var nextKey: Int64
    /// By the numbers of the sources.
    private let priorities: [Int64: Int64]
    private(set) var inserted = 0
    private(set) var changed = 0
    /// Of the changed ones those whose words, number or icons are others; the rest has another place in its source.
    private(set) var redescribed = 0

    init(_ database: Database, source: Int64) throws {
        self.database = database
        self.source = source
        known = try Row.fetchCursor(database, sql: "SELECT * FROM station").reduce(into: [:]) { stored, row in
            stored[StationID(row["feed_id"])] = Stored(
                key: row["id"], name: row["name"], number: row["number"], document: row.bytes("document"),
                describedBy: row["described_by"], ordinal: row["ordinal"])
        }
        keys = known.mapValues(\.key)
        nextKey = (keys.values.max() ?? 0) + 1
        priorities = try Row.fetchCursor(database, sql: "SELECT id, priority FROM source").reduce(into: [:]) {
            $0[$1["id"]] = $1["priority"]
        }
    }

    /// The stored number of a station; one that isn't known gets the next, and is written by ``write(_:)``.
    mutating func key(of station: StationID) -> Int64 {
        if let key = keys[station] { return key }
        defer { nextKey += 1 }
        keys[station] = nextKey
        return nextKey
    }

    /// Makes those that are not known, and changes those that the source describes otherwise.
    ///
    /// Of several sources that describe a station, the one with the highest priority is believed, of equal ones the first that
    /// was imported. A source that only names a station in programmes takes no description away.
    mutating func write(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws {
        for (place, id, nodes) in stations {
            let station = Station(id: id, nodes: nodes)
            let wanted = Stored(
                key: key(of: id), name: station.name, number: station.number?.description,
                document: StoredDocument.nodes(nodes), describedBy: source, ordinal: Int64(place))
            if let current = known[id] {
                guard counts(wanted, over: current), wanted != current else { continue }
                changed += 1
                let isSame = (wanted.name, wanted.number) == (current.name, current.number)
                if !isSame || wanted.document != current.document { redescribed += 1 }
            } else {
                inserted += 1
            }
            try store(wanted, of: id)
            known[id] = wanted
        }
    }

    func count(ofSource source: Int64) -> Int { known.values.count { $0.describedBy == source } }

    /// Whether what this source says of a station counts more than what is stored.
    private func counts(_ wanted: Stored, over current: Stored) -> Bool {
        guard let other = current.describedBy, other != source else {
            return wanted.isDescribed || !current.isDescribed
        }
        guard wanted.isDescribed else { return false }
        return !current.isDescribed || (priorities[source] ?? 0) > (priorities[other] ?? 0)
    }

    /// Gives each touched station the best of the sources that cover it, and notes whether there are others. Returns
    /// the number of stations for which that changed.
    static func resolveSources(of stations: [Int64], in database: Database) throws -> Int {
        var changes = 0
        let ranking = try database.makeStatement(sql: StationOverlay.rankingSQL)
        let update = try database.makeStatement(
            sql: """
                UPDATE station SET source_id = ifnull(:source, source_id), is_shared = :isShared
                WHERE id = :id AND (source_id IS NOT ifnull(:source, source_id) OR is_shared <> :isShared)
                """)
        for station in stations {
            let sources = try Int64.fetchAll(ranking, arguments: [station])
            // Where nothing covers it, its source stays the one that described it.
            try update.execute(arguments: ["source": sources.first, "isShared": sources.count > 1, "id": station])
            changes += database.changesCount
        }
        return changes
    }

    /// Whether several sources cover a station; `nil` where there is none of that number.
    static func isShared(_ station: Int64, in database: Database) throws -> Bool? {
        let query = try database.cachedStatement(sql: "SELECT is_shared FROM station WHERE id = ?")
        return try Bool.fetchOne(query, arguments: [station])
    }

    private func store(_ station: Stored, of id: StationID) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
                VALUES (:id, :feed, :name, :number, :document, :source, :ordinal, :ordinal, :source)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number,
                    document = excluded.document, described_by = excluded.described_by, ordinal = excluded.ordinal
                """
        ).execute(arguments: [
            "id": station.key, "feed": id.rawValue, "name": station.name, "number": station.number,
            "document": String(json: station.document), "source": source, "ordinal": station.ordinal,
        ])
    }
}
