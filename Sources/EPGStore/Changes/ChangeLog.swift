import EPGModel
import GRDB

/// The log of changes: rows for each generation of the last week, the stations whose schedules it changed, and their airings.
enum ChangeLog {
    /// Seconds for which changes are kept.
    static let retention: Int64 = 7 * 86_400
    /// Maximum number of changes of one station in one generation that are logged one by one.
    static let limit = 2000

    struct Entry {
        var at: Instant
        /// Whether stations came, went, or are described, numbered or ordered otherwise.
        var changesStations: Bool
        /// By the number of the station. The whole schedule of a shared station counts as changed.
        var schedules: [Int64: StationChanges.Extent] = [:]
        /// Stations for which something else changed that counts only where they are shared.
        var sources: [Int64] = []
    }

    /// Writes the entry of a generation that begins, after its stations, and drops what is older than a week before it.
    static func write(_ entry: Entry, generation: Int64, in database: Database) throws {
        // All generations up to the last old one: no number may be missing between others, whatever the clock did.
        let last = try Int64.fetchOne(
            database, sql: "SELECT max(generation) FROM generation WHERE at < ?",
            arguments: [entry.at.advanced(by: -retention).secondsSince1970])
        if let last {
            // Nothing cascades while an import writes.
            for table in ["airing_change", "change", "generation"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE generation <= ?", arguments: [last])
            }
        }
        try database.execute(
            sql: "INSERT INTO generation (generation, nonce, at, changes_stations) VALUES (?, ?, ?, ?)",
            arguments: [generation, Int64.random(in: .min ... .max), entry.at.secondsSince1970, entry.changesStations])
        let insertStation = try InsertStatement(
            database, "INSERT INTO change (generation, station_id, is_whole) VALUES (\(generation), ?, ?)")
        let insert = try InsertStatement(
            database,
            """
            INSERT INTO airing_change (generation, station_id, airing_id, old_start, old_stop, new_start, new_stop)
            VALUES (\(generation), ?, ?, ?, ?, ?, ?)
            """)
        for station in Set(entry.schedules.keys).union(entry.sources).sorted() {
            guard let isShared = try StationWriter.isShared(station, in: database),
                let changes = isShared ? .whole : entry.schedules[station]
            else { continue }
            try insertStation.run { binder in
                binder.integer(1, station)
                binder.integer(2, changes == .whole ? 1 : 0)
            }
            guard case .airings(let airings) = changes else { continue }
            for change in airings.sorted(by: { $0.id < $1.id }) {
                try insert.run { binder in
                    binder.integer(1, station)
                    binder.integer(2, change.id.rawValue)
                    binder.integer(3, change.before?.start.secondsSince1970)
                    binder.integer(4, change.before?.end.secondsSince1970)
                    binder.integer(5, change.after?.start.secondsSince1970)
                    binder.integer(6, change.after?.end.secondsSince1970)
                }
            }
        }
    }
}

/// Keeps what an import changes of each station's schedule until its end.
struct ChangeCollector {
    /// By the number of the station.
    private(set) var stations: [Int64: StationChanges.Extent] = [:]
    /// How many more changes may be kept; further stations count as changed wholly.
    private var room: Int

    /// - Parameter room: Maximum number of changes of all stations together; each takes 64 bytes.
    init(room: Int = 250_000) {
        self.room = room
    }

    /// The whole schedule of a station may be another.
    mutating func setWhole(_ station: Int64) {
        forget(station)
        stations[station] = .whole
    }

    mutating func forget(_ station: Int64) {
        if case .airings(let airings) = stations.removeValue(forKey: station) { room += airings.count }
    }

    /// Notes what was written of a station; all inserted airings have their identifiers.
    mutating func add(_ difference: ScheduleDifference, of station: Int64) {
        let kept = difference.changed + difference.shifted
        let count = kept.count + difference.inserted.count + difference.removed.count
        guard count > 0 else { return }
        guard stations[station] == nil, count <= min(room, ChangeLog.limit) else { return setWhole(station) }
        room -= count
        stations[station] = .airings(
            kept.compactMap { AiringChange(AiringID($0.new.id), from: $0.old.window, to: $0.new.window) }
                + difference.inserted.compactMap { AiringChange(AiringID($0.id), from: nil, to: $0.window) }
                + difference.removed.compactMap { AiringChange(AiringID($0.id), from: $0.window, to: nil) })
    }
}

extension StoredAiring {
    fileprivate var window: TimeWindow {
        TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: max(start, stop)))
    }
}
