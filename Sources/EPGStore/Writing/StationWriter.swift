import EPGJSON
import EPGModel
import GRDB

/// Writes the stations of a source, and the rows in which all stations stand.
struct StationWriter {
    private let database: Database
    private let source: Int64
    private var known: [StationID: Stored]
    /// Numbers of stations that are still to be written.
    private var newKeys: [StationID: Int64] = [:]
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
        known = try Self.stored(database)
        priorities = try Self.priorities(database)
        nextKey = (known.values.map(\.key).max() ?? 0) + 1
    }

    /// The stored number of a station; one that isn't known gets the next, and is written by ``write(_:)``.
    mutating func key(of station: StationID) -> Int64 {
        if let key = known[station]?.key ?? newKeys[station] { return key }
        defer { nextKey += 1 }
        newKeys[station] = nextKey
        return nextKey
    }

    /// What is stored of a station.
    private struct Stored: Equatable {
        var key: Int64
        var name: String
        var number: String?
        var document: [UInt8]
        var describedBy: Int64?
        var ordinal: Int64

        /// Whether a feed says more than the identifier.
        var isDescribed: Bool { document != StoredDocument.empty }

        /// Whether readers are told the same of it, but for its row.
        func reads(like other: Stored) -> Bool {
            (name, number, document) == (other.name, other.number, other.document)
        }
    }

    /// Makes those that are not known, and changes those that the source describes otherwise.
    ///
    /// Of several sources that describe a station, the one with the highest priority is believed, and of equal ones the
    /// one that was imported first. A station that is only named by programmes isn't described: a source that does so
    /// takes no description away.
    mutating func write(_ stations: [StationRow]) throws {
        for row in stations {
            let station = row.station
            let wanted = Stored(
                key: key(of: station.id), name: station.name, number: station.number?.description,
                document: StoredDocument.nodes(station.nodes), describedBy: source, ordinal: Int64(row.row))
            if let current = known[station.id] {
                guard counts(wanted, over: current), wanted != current else { continue }
                try update(wanted)
                changed += 1
                if !wanted.reads(like: current) { redescribed += 1 }
            } else {
                try insert(wanted, station.id)
                inserted += 1
            }
            known[station.id] = wanted
        }
    }

    /// How many stations stand that a source described.
    func count(ofSource source: Int64) -> Int { known.values.count { $0.describedBy == source } }

    /// Whether what this source says of a station counts more than what is stored.
    private func counts(_ wanted: Stored, over current: Stored) -> Bool {
        guard let other = current.describedBy, other != source else {
            return wanted.isDescribed || !current.isDescribed
        }
        guard wanted.isDescribed else { return false }
        return !current.isDescribed || (priorities[source] ?? 0) > (priorities[other] ?? 0)
    }

    /// Gives each touched station the best of the sources that cover it, and notes whether there are others.
    ///
    /// - Returns: The number of stations for which that changed.
    static func resolveSources(of stations: [Int64], in database: Database) throws -> Int {
        var changes = 0
        for station in stations {
            var sources: [Int64] = []
            try database.rows(StationOverlay.rankingSQL, .integer(station)) { columns in
                sources.append(columns.integer(0))
                return sources.count < 2
            }
            // Where nothing covers it, its source stays the one that described it.
            try database.run(
                """
                UPDATE station SET source_id = ifnull(?1, source_id), is_shared = ?2
                WHERE id = ?3 AND (source_id IS NOT ifnull(?1, source_id) OR is_shared <> ?2)
                """, .integer(sources.first), .integer(sources.count > 1 ? 1 : 0), .integer(station))
            changes += database.changesCount
        }
        return changes
    }

    /// Whether several sources cover a station.
    static func isShared(_ station: Int64, in database: Database) throws -> Bool {
        try database.firstRow("SELECT is_shared FROM station WHERE id = ?", .integer(station)) { $0.integer(0) != 0 }
            ?? false
    }

    private static func priorities(_ database: Database) throws -> [Int64: Int64] {
        var priorities: [Int64: Int64] = [:]
        try database.rows("SELECT id, priority FROM source") { columns in
            priorities[columns.integer(0)] = columns.integer(1)
            return true
        }
        return priorities
    }

    private static func stored(_ database: Database) throws -> [StationID: Stored] {
        var stored: [StationID: Stored] = [:]
        try database.rows("SELECT feed_id, id, name, number, document, described_by, ordinal FROM station") { columns in
            stored[StationID(columns.text(0))] = Stored(
                key: columns.integer(1), name: columns.text(2), number: columns.textIfPresent(3),
                document: columns.blob(4), describedBy: columns.integerIfPresent(5), ordinal: columns.integer(6))
            return true
        }
        return stored
    }

    private func insert(_ station: Stored, _ id: StationID) throws {
        try database.run(
            """
            INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?6)
            """, .integer(station.key), .text(id.rawValue), .text(station.name), .text(station.number),
            .json(station.document), .integer(source), .integer(station.ordinal), .integer(station.ordinal))
    }

    private func update(_ station: Stored) throws {
        try database.run(
            "UPDATE station SET name = ?, number = ?, document = ?, described_by = ?, ordinal = ? WHERE id = ?",
            .text(station.name), .text(station.number), .json(station.document), .integer(source),
            .integer(station.ordinal), .integer(station.key))
    }
}
