import EPGJSON
import EPGModel
import GRDB

/// Writes the stations of a source, and the rows in which all stations stand.
struct StationWriter {
    /// What a source says of a station, as it is stored.
    struct Description: Sendable {
        fileprivate let id: StationID
        fileprivate let name: String
        fileprivate let number: String?
        fileprivate let document: [UInt8]
        fileprivate let ordinal: Int64

        /// - Parameter place: The station's place in its source.
        init(place: Int, id: StationID, nodes: [ContentNode]) {
            let station = Station(id: id, nodes: nodes)
            self.id = id
            name = station.name
            number = station.number?.description
            document = StoredDocument.nodes(nodes)
            ordinal = Int64(place)
        }
    }

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
    mutating func write(_ stations: [Description]) throws {
        let store = try InsertStatement(
            database,
            """
            INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
            VALUES (?1, ?2, ?3, ?4, ?5, \(source), ?6, ?6, \(source))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number,
                document = excluded.document, described_by = excluded.described_by, ordinal = excluded.ordinal
            """)
        for station in stations {
            let id = station.id
            let wanted = Stored(
                key: key(of: id), name: station.name, number: station.number, document: station.document,
                describedBy: source, ordinal: station.ordinal)
            if let current = known[id] {
                guard counts(wanted, over: current), wanted != current else { continue }
                changed += 1
                let isSame = (wanted.name, wanted.number) == (current.name, current.number)
                if !isSame || wanted.document != current.document { redescribed += 1 }
            } else {
                inserted += 1
            }
            try wanted.document.withUnsafeBytes { document in
                try store.run { binder in
                    binder.integer(1, wanted.key)
                    binder.text(2, id.rawValue)
                    binder.text(3, wanted.name)
                    binder.text(4, wanted.number)
                    binder.text(5, bytes: document)
                    binder.integer(6, wanted.ordinal)
                }
            }
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
        // Where nothing covers it, its source stays the one that described it.
        let update = try InsertStatement(
            database,
            """
            UPDATE station SET source_id = ifnull(?1, source_id), is_shared = ?2
            WHERE id = ?3 AND (source_id IS NOT ifnull(?1, source_id) OR is_shared <> ?2)
            """)
        for station in stations {
            let sources = try database.values(StationOverlay.rankingSQL, [station]) { $0.integer(0) }
            try update.run { binder in
                binder.integer(1, sources.first)
                binder.integer(2, sources.count > 1 ? 1 : 0)
                binder.integer(3, station)
            }
            changes += database.changesCount
        }
        return changes
    }

    /// Whether several sources cover a station; `nil` where there is none of that number.
    static func isShared(_ station: Int64, in database: Database) throws -> Bool? {
        try database.values("SELECT is_shared FROM station WHERE id = ?", [station]) { $0.integer(0) != 0 }.first
    }
}
