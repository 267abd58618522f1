import EPGJSON
import EPGModel
import GRDB

/// A row of `source`, with that of `source_state` if there is one.
struct SourceRow: FetchableRecord {
    let id: Int64
    let source: Source
    let state: SourceState
    /// The attributes of `<tv>` of the source's last guide.
    let header: [ContentAttribute]

    private static let sql = "SELECT * FROM source LEFT JOIN source_state ON source_id = id"

    init(row: Row) throws {
        id = row["id"]
        source = Source(
            name: row["name"], location: row["location"], timeZone: row["time_zone"], shift: row["shift"],
            interval: row["refresh_interval"], priority: row["priority"],
            stations: (row["station_patterns"] as String).unicodeScalars.split(separator: "\n").map { String($0) },
            encoding: row["encoding"], isConfigured: row["is_configured"])
        var state = SourceState()
        state.lastAttempt = row.instant("last_attempt")
        state.lastSuccess = row.instant("last_success")
        state.entityTag = row["entity_tag"]
        state.lastModified = row["last_modified"]
        state.bodyHash = row["body_hash"]
        state.lastError = row["last_error"]
        state.lastEnding = (row["last_ending"] as String?).flatMap(RefreshEnding.init(rawValue:))
        state.lastDuration = (row["last_duration"] as Int64?).map { .milliseconds($0) }
        state.failures = row["failures"] ?? 0
        state.notBefore = row.instant("not_before")
        self.state = state
        header = try row.attributes("header")
    }

    /// All sources, by name.
    static func all(in database: Database) throws -> [SourceRow] {
        try fetchAll(database, sql: sql + " ORDER BY name")
    }

    /// The number of a source; `nil` where there is none of that name.
    static func id(ofSource name: String, in database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT id FROM source WHERE name = ?", arguments: [name])
    }

    /// The number of a source, which is added where there is none of its name.
    static func id(of source: Source, orInsertIn database: Database) throws -> (id: Int64, isNew: Bool) {
        if let known = try id(ofSource: source.name, in: database) { return (known, false) }
        try save(source, in: database)
        return (database.lastInsertedRowID, true)
    }

    /// Adds a source, or changes how one is to be read.
    static func save(_ source: Source, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO source
                    (name, location, time_zone, shift, refresh_interval, priority, station_patterns, encoding, is_configured)
                VALUES (:name, :location, :timeZone, :shift, :interval, :priority, :patterns, :encoding, :isConfigured)
                ON CONFLICT (name) DO UPDATE SET location = excluded.location, time_zone = excluded.time_zone,
                    shift = excluded.shift, refresh_interval = excluded.refresh_interval, priority = excluded.priority,
                    station_patterns = excluded.station_patterns, encoding = excluded.encoding,
                    is_configured = excluded.is_configured
                """,
            arguments: [
                "name": source.name, "location": source.location, "timeZone": source.timeZone, "shift": source.shift,
                "interval": source.interval, "priority": source.priority,
                "patterns": source.stations.filter { !$0.isEmpty }.joined(separator: "\n"), "encoding": source.encoding,
                "isConfigured": source.isConfigured,
            ])
    }

    static func saveState(_ state: SourceState, ofSource id: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO source_state
                    (source_id, last_attempt, last_success, entity_tag, last_modified, body_hash, last_error, last_ending,
                     last_duration, failures, not_before)
                VALUES (:id, :attempt, :success, :tag, :modified, :hash, :error, :ending, :duration, :failures, :notBefore)
                ON CONFLICT (source_id) DO UPDATE SET last_attempt = excluded.last_attempt,
                    last_success = excluded.last_success, entity_tag = excluded.entity_tag,
                    last_modified = excluded.last_modified, body_hash = excluded.body_hash,
                    last_error = excluded.last_error, last_ending = excluded.last_ending,
                    last_duration = excluded.last_duration, failures = excluded.failures,
                    not_before = excluded.not_before
                """,
            arguments: [
                "id": id, "attempt": state.lastAttempt?.secondsSince1970,
                "success": state.lastSuccess?.secondsSince1970,
                "tag": state.entityTag, "modified": state.lastModified, "hash": state.bodyHash,
                "error": state.lastError,
                "ending": state.lastEnding?.rawValue, "duration": state.lastDuration?.wholeMilliseconds,
                "failures": state.failures, "notBefore": state.notBefore?.secondsSince1970,
            ])
    }

    /// Keeps the attributes of `<tv>` of a source's last guide.
    static func saveHeader(_ header: [ContentAttribute], ofSource id: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO source_state (source_id, header) VALUES (?, ?)
                ON CONFLICT (source_id) DO UPDATE SET header = excluded.header WHERE header IS NOT excluded.header
                """, arguments: [id, String(json: StoredDocument.attributes(header))])
    }

    /// A source of a station.
    struct Rank: FetchableRecord, Equatable {
        let station: Int64
        let source: Int64

        init(row: Row) {
            station = row["station_id"]
            source = row["source_id"]
        }
    }

    /// All stations that a source covers, each with its sources, the best one first.
    static func ranking(ofStationsOf name: String, in database: Database) throws -> [Rank] {
        try Rank.fetchAll(
            database,
            sql: """
                SELECT c.station_id, c.source_id FROM coverage c JOIN source o ON o.id = c.source_id
                WHERE c.station_id IN
                    (SELECT station_id FROM coverage WHERE source_id = (SELECT id FROM source WHERE name = ?))
                ORDER BY c.station_id, o.priority DESC, c.stop DESC, c.source_id
                """, arguments: [name])
    }

    /// The priority of a source; `nil` where there is none of that name.
    static func priority(ofSource name: String, in database: Database) throws -> Int? {
        try Int.fetchOne(database, sql: "SELECT priority FROM source WHERE name = ?", arguments: [name])
    }

    /// The programmes of a source's airings and diagnostics.
    static func programmes(ofSource id: Int64, in database: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            database,
            sql: """
                SELECT programme_id FROM airing WHERE source_id = :id
                UNION SELECT programme_id FROM diagnostic JOIN import ON import.id = import_id
                    WHERE source_id = :id AND programme_id IS NOT NULL
                UNION SELECT other_programme_id FROM diagnostic JOIN import ON import.id = import_id
                    WHERE source_id = :id AND other_programme_id IS NOT NULL
                """, arguments: ["id": id])
    }

    /// Forgets which guides were imported last of a source and of all that cover a station of it, so that the next refresh
    /// reads them again: what they say of the station may count now (see ``StationWriter``).
    static func forgetBodies(besideSource name: String, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL WHERE source_id IN
                    (SELECT other.source_id FROM coverage own JOIN coverage other ON other.station_id = own.station_id
                     WHERE own.source_id = (SELECT id FROM source WHERE name = ?))
                """, arguments: [name])
    }

    /// Forgets which guides were imported last, of all sources.
    static func forgetBodies(_ database: Database) throws {
        try database.execute(
            sql: "UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL")
    }

    /// Forgets when sources were refreshed, where that is after an instant, and what follows from it.
    static func forgetTimes(after instant: Instant, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE source_state SET
                    not_before = CASE WHEN last_attempt > :after THEN NULL ELSE not_before END,
                    last_attempt = CASE WHEN last_attempt > :after THEN NULL ELSE last_attempt END,
                    last_success = CASE WHEN last_success > :after THEN NULL ELSE last_success END
                """, arguments: ["after": instant.secondsSince1970])
    }
}

extension Duration {
    /// Rounded down; below 0 counts as 0.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, min(seconds, .max / 2000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
