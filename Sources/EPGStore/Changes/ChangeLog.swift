import EPGModel
import GRDB

/// The log of changes: a row for each generation of the last week, and one for each station that it changed.
enum ChangeLog {
    /// Seconds for which changes are kept.
    static let retention: Int64 = 7 * 86_400

    /// What a generation changed.
    struct Entry {
        /// When it came.
        var at: Instant
        /// Whether stations came, went, or are described, numbered or ordered otherwise.
        var changesStations: Bool
        /// By the number of the station; those that are shared count as changed wholly, whatever stands here.
        var schedules: [Int64: LoggedChanges] = [:]
        /// Stations for which something else changed that counts only where they are shared.
        var sources: [Int64] = []
    }

    /// Writes the entry of a generation that begins, and drops what is older than a week before it.
    ///
    /// Stations are written, and their sources resolved, before.
    /// - Complexity: O(n log n) for n stations that changed.
    static func write(_ entry: Entry, generation: Int64, in database: Database) throws {
        try drop(before: entry.at.advanced(by: -retention), in: database)
        try database.run(
            "INSERT INTO generation (generation, at, changes_stations) VALUES (?, ?, ?)", .integer(generation),
            .integer(entry.at.secondsSince1970), .integer(entry.changesStations ? 1 : 0))
        var schedules = entry.schedules
        var shared: Set<Int64> = []
        for station in entry.sources where schedules[station] == nil {
            schedules[station] = .whole
            shared.insert(station)
        }
        for (station, changes) in schedules.sorted(by: { $0.key < $1.key }) {
            try database.run(
                """
                INSERT INTO change (generation, station_id, airings)
                SELECT ?1, id, iif(is_shared, NULL, ?3) FROM station WHERE id = ?2 AND is_shared >= ?4
                """, .integer(generation), .integer(station), changes.blob.map { .blob($0) } ?? .integer(nil),
                .integer(shared.contains(station) ? 1 : 0))
        }
    }

    /// Takes stations out of the log that are gone: their numbers may be given again.
    static func forgetLostStations(in database: Database) throws {
        try database.run("DELETE FROM change WHERE station_id NOT IN (SELECT id FROM station)")
    }

    /// Drops all generations up to the last one that came before an instant: no number may be missing between others,
    /// whatever the clock did.
    private static func drop(before instant: Instant, in database: Database) throws {
        let last =
            try database.firstRow(
                "SELECT max(generation) FROM generation WHERE at < ?", .integer(instant.secondsSince1970)
            ) { $0.integerIfPresent(0) } ?? nil
        guard let last else { return }
        try database.run("DELETE FROM change WHERE generation <= ?", .integer(last))
        try database.run("DELETE FROM generation WHERE generation <= ?", .integer(last))
    }
}
