import EPGJSON
import EPGModel
import GRDB

/// Rows of sources and of what is remembered of them.
enum SourceRow {
    /// Of the source `o` and its state `t`, in the order of ``source(_:)`` and ``state(_:)``.
    static let columns = """
        o.name, o.location, o.time_zone, o.shift, o.refresh_interval, o.priority, o.station_patterns, o.encoding,
        t.last_attempt, t.last_success, t.entity_tag, t.last_modified, t.body_hash, t.last_error,
        t.last_ending, t.last_duration, t.failures, t.not_before, o.is_configured
        """

    /// How many columns these are.
    static let count: Int32 = 19

    static func source(_ columns: Columns) -> Source {
        Source(
            name: columns.text(0), location: columns.textIfPresent(1), timeZone: columns.textIfPresent(2),
            shift: columns.integer(3), interval: columns.integerIfPresent(4), priority: Int(columns.integer(5)),
            stations: columns.text(6).unicodeScalars.split(separator: "\n").map { String($0) },
            encoding: columns.textIfPresent(7), isConfigured: columns.integer(18) == 1)
    }

    static func state(_ columns: Columns) -> SourceState {
        var state = SourceState()
        state.lastAttempt = columns.integerIfPresent(8).map(Instant.init(secondsSince1970:))
        state.lastSuccess = columns.integerIfPresent(9).map(Instant.init(secondsSince1970:))
        state.entityTag = columns.textIfPresent(10)
        state.lastModified = columns.textIfPresent(11)
        state.bodyHash = columns.textIfPresent(12)
        state.lastError = columns.textIfPresent(13)
        state.lastEnding = columns.textIfPresent(14).flatMap(RefreshEnding.init(rawValue:))
        state.lastDuration = columns.integerIfPresent(15).map { Duration.milliseconds($0) }
        state.failures = Int(columns.integerIfPresent(16) ?? 0)
        state.notBefore = columns.integerIfPresent(17).map(Instant.init(secondsSince1970:))
        return state
    }

    /// The number of a source, which is made where it isn't known.
    static func find(_ source: Source, orInsertIn database: Database) throws -> (id: Int64, isNew: Bool) {
        let known = try database.firstRow(
            "SELECT id FROM source WHERE name = ?", .text(source.name)
        ) { $0.integer(0) }
        if let known { return (known, false) }
        try save(source, in: database)
        return (database.lastInsertedRowID, true)
    }

    /// Adds a source, or changes how one is to be read.
    static func save(_ source: Source, in database: Database) throws {
        try database.run(
            """
            INSERT INTO source
                (name, location, time_zone, shift, refresh_interval, priority, station_patterns, encoding, is_configured)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET location = excluded.location, time_zone = excluded.time_zone,
                shift = excluded.shift, refresh_interval = excluded.refresh_interval, priority = excluded.priority,
                station_patterns = excluded.station_patterns, encoding = excluded.encoding,
                is_configured = excluded.is_configured
            """, .text(source.name), .text(source.location), .text(source.timeZone), .integer(source.shift),
            .integer(source.interval), .integer(Int64(source.priority)),
            .text(source.stations.filter { !$0.isEmpty }.joined(separator: "\n")), .text(source.encoding),
            .integer(source.isConfigured ? 1 : 0))
    }

    /// A source of a station.
    struct Rank: Equatable {
        let station: Int64
        let source: Int64
    }

    /// All stations of which a source has spoken, each with its sources, the best one first.
    static func ranking(ofStationsOf name: String, in database: Database) throws -> [Rank] {
        var ranking: [Rank] = []
        try database.rows(
            """
            SELECT c.station_id, c.source_id FROM coverage c JOIN source o ON o.id = c.source_id
            WHERE c.station_id IN
                (SELECT station_id FROM coverage WHERE source_id = (SELECT id FROM source WHERE name = ?))
            ORDER BY c.station_id, o.priority DESC, c.stop DESC, c.source_id
            """, .text(name)
        ) { columns in
            ranking.append(Rank(station: columns.integer(0), source: columns.integer(1)))
            return true
        }
        return ranking
    }

    /// The priority of a source; `nil` where it isn't known.
    static func priority(ofSource name: String, in database: Database) throws -> Int? {
        try database.firstRow("SELECT priority FROM source WHERE name = ?", .text(name)) { Int($0.integer(0)) }
    }

    /// The programmes of a source's airings and diagnostics.
    static func programmes(ofSource id: Int64, in database: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            database,
            sql: """
                SELECT programme_id FROM airing WHERE source_id = ?1
                UNION SELECT programme_id FROM diagnostic JOIN import ON import.id = import_id
                    WHERE source_id = ?1 AND programme_id IS NOT NULL
                UNION SELECT other_programme_id FROM diagnostic JOIN import ON import.id = import_id
                    WHERE source_id = ?1 AND other_programme_id IS NOT NULL
                """, arguments: [id])
    }

    /// Forgets which guides were imported last of a source and of all that know a station of it, so that the next refresh
    /// reads them again: what they say of the station may count now (see ``StationWriter``).
    static func forgetBodies(besideSource name: String, in database: Database) throws {
        try database.run(
            """
            UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL WHERE source_id IN
                (SELECT other.source_id FROM coverage own JOIN coverage other ON other.station_id = own.station_id
                 WHERE own.source_id = (SELECT id FROM source WHERE name = ?))
            """, .text(name))
    }

    /// Forgets which guides were imported last, of all sources.
    static func forgetBodies(_ database: Database) throws {
        try database.run("UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL")
    }

    /// Forgets when sources were asked, where that lies after an instant, and what follows from it.
    static func forgetTimes(after instant: Instant, in database: Database) throws {
        try database.run(
            """
            UPDATE source_state SET
                not_before = CASE WHEN last_attempt > ?1 THEN NULL ELSE not_before END,
                last_attempt = CASE WHEN last_attempt > ?1 THEN NULL ELSE last_attempt END,
                last_success = CASE WHEN last_success > ?1 THEN NULL ELSE last_success END
            """, .integer(instant.secondsSince1970))
    }

    static func saveState(_ state: SourceState, ofSource id: Int64, in database: Database) throws {
        try database.run(
            """
            INSERT INTO source_state
                (source_id, last_attempt, last_success, entity_tag, last_modified, body_hash, last_error, last_ending,
                 last_duration, failures, not_before)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (source_id) DO UPDATE SET last_attempt = excluded.last_attempt,
                last_success = excluded.last_success, entity_tag = excluded.entity_tag,
                last_modified = excluded.last_modified, body_hash = excluded.body_hash,
                last_error = excluded.last_error, last_ending = excluded.last_ending,
                last_duration = excluded.last_duration, failures = excluded.failures,
                not_before = excluded.not_before
            """, .integer(id), .integer(state.lastAttempt?.secondsSince1970),
            .integer(state.lastSuccess?.secondsSince1970), .text(state.entityTag), .text(state.lastModified),
            .text(state.bodyHash), .text(state.lastError), .text(state.lastEnding?.rawValue),
            .integer(state.lastDuration?.wholeMilliseconds), .integer(Int64(state.failures)),
            .integer(state.notBefore?.secondsSince1970))
    }

    /// Keeps the attributes of `<tv>` of a source's last guide.
    static func saveHeader(_ header: [ContentAttribute], ofSource id: Int64, in database: Database) throws {
        try database.run(
            """
            INSERT INTO source_state (source_id, header) VALUES (?, ?)
            ON CONFLICT (source_id) DO UPDATE SET header = excluded.header WHERE header IS NOT excluded.header
            """, .integer(id), .json(StoredDocument.attributes(header)))
    }
}

extension Duration {
    /// Rounded down; below 0 counts as 0.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(0, min(seconds, .max / 2000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}
