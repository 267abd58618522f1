import EPGJSON
import EPGModel
import GRDB

/// A writer of the stations of a source.
struct StationWriter {
    /// A source's description of a station in stored form.
    struct Description: Sendable {
        fileprivate let id: StationID
        fileprivate let name: String
        fileprivate let number: String?
        fileprivate let document: [UInt8]
        fileprivate let ordinal: Int64

        /// - Parameter place: The index of the station in its source.
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

        /// Whether a feed describes the station.
        var isDescribed: Bool { document != StoredDocument.empty }
    }

    private let database: Database
    private let source: Int64
    private var known: [StationID: Stored]
    private var keys: [StationID: Int64]
    private var nextKey: Int64
    /// The priorities by the number of the source.
    private let priorities: [Int64: Int64]
    private(set) var inserted = 0
    private(set) var changed = 0
    /// The number of changed stations whose description changed; others only have another index in their source.
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

    /// Returns the number of a station. An unknown station gets the next number, and ``write(_:)`` inserts it.
    mutating func key(of station: StationID) -> Int64 {
        if let key = keys[station] { return key }
        defer { nextKey += 1 }
        keys[station] = nextKey
        return nextKey
    }

    /// Inserts unknown stations and updates those with a new description.
    ///
    /// If several sources describe a station, the highest priority takes precedence, then the source that was imported first. A
    /// source that only references a station in programmes does not remove its description.
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

    /// Returns whether this source's description takes precedence over the stored one.
    private func counts(_ wanted: Stored, over current: Stored) -> Bool {
        guard let other = current.describedBy, other != source else {
            return wanted.isDescribed || !current.isDescribed
        }
        guard wanted.isDescribed else { return false }
        return !current.isDescribed || (priorities[source] ?? 0) > (priorities[other] ?? 0)
    }

    /// Updates the best source of stations, and whether there are others. Returns the number of changed stations.
    static func resolveSources(of stations: [Int64], in database: Database) throws -> Int {
        var changes = 0
        // Without coverage, its source stays the one that described it.
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

    /// Returns whether several sources cover a station; `nil` if it does not exist.
    static func isShared(_ station: Int64, in database: Database) throws -> Bool? {
        try database.values("SELECT is_shared FROM station WHERE id = ?", [station]) { $0.integer(0) != 0 }.first
    }
}

/// The order of the rows of a guide (schema.sql, `station.position`).
enum RowArrangement {
    private struct Place {
        let key: Int64
        /// The rank of the station's lineup by name; the last rank for stations without a lineup.
        var lineup = Int.max
        /// The number in the lineup, else in the feed.
        var number: ChannelNumber?
        /// The source; 0 in a lineup.
        var source: Int64 = 0
        var ordinal: Int64
        /// The current row.
        var position = 0

        static func precedes(_ left: Place, _ right: Place) -> Bool {
            if left.lineup != right.lineup { return left.lineup < right.lineup }
            if left.number != right.number {
                guard let first = left.number, let second = right.number else { return left.number != nil }
                return first < second
            }
            return (left.source, left.ordinal, left.key) < (right.source, right.ordinal, right.key)
        }
    }

    static let channelsSQL = """
        SELECT c.station_id, c.lineup_id, c.number, c.ordinal
        FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
        WHERE c.station_id IS NOT NULL ORDER BY l.name, c.ordinal
        """

    /// Renumbers the rows and returns the number of moved stations.
    ///
    /// - Complexity: O(n log n) for n stations and channels; writes only moved rows.
    static func arrange(in database: Database) throws -> Int {
        let channels = try channels(in: database)
        let sql = "SELECT id, number, described_by, ordinal, position FROM station"
        let places = try database.values(sql) { columns in
            let key = columns.integer(0)
            var place =
                channels[key]
                ?? Place(
                    key: key, number: columns.textIfPresent(1).flatMap { ChannelNumber($0) },
                    source: columns.integerIfPresent(2) ?? .max, ordinal: columns.integer(3))
            place.position = Int(columns.integer(4))
            return place
        }
        var moved = 0
        let update = try database.makeStatement(sql: "UPDATE station SET position = ? WHERE id = ?")
        for (position, place) in places.sorted(by: Place.precedes).enumerated() where place.position != position {
            try update.execute(arguments: [position, place.key])
            moved += 1
        }
        return moved
    }

    /// Returns the first channel of each station.
    private static func channels(in database: Database) throws -> [Int64: Place] {
        var channels: [Int64: Place] = [:]
        var (lineup, last) = (-1, Int64.min)
        try Row.fetchCursor(database, sql: channelsSQL).forEach { row in
            if row["lineup_id"] != last { (lineup, last) = (lineup + 1, row["lineup_id"]) }
            let station: Int64 = row["station_id"]
            if channels[station] == nil {
                channels[station] = Place(
                    key: station, lineup: lineup, number: row.channelNumber("number"), ordinal: row["ordinal"])
            }
        }
        return channels
    }
}
