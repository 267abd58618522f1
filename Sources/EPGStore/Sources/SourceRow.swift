import EPGJSON
package import EPGModel
import GRDB

/// A row of `source`, with that of `source_state` if there is one.
struct SourceRow: FetchableRecord {
    let id: Int64
    let source: Source
    let state: SourceState
    let header: [ContentAttribute]

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
        state.lastResult = (row["last_ending"] as String?).flatMap(RefreshResult.init(rawValue:))
        state.lastDuration = (row["last_duration"] as Int64?).map { .milliseconds($0) }
        state.failures = row["failures"] ?? 0
        state.notBefore = row.instant("not_before")
        self.state = state
        header = try row.attributes("header")
    }

    /// Returns all sources, sorted by name.
    static func all(in database: Database) throws -> [SourceRow] {
        try fetchAll(database, sql: "SELECT * FROM source LEFT JOIN source_state ON source_id = id ORDER BY name")
    }

    /// Returns the number of a source; `nil` if it does not exist.
    static func id(ofSource name: String, in database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT id FROM source WHERE name = ?", arguments: [name])
    }

    /// Returns the number of a source, which is inserted if it does not exist.
    static func id(of source: Source, orInsertIn database: Database) throws -> (id: Int64, isNew: Bool) {
        if let known = try id(ofSource: source.name, in: database) { return (known, false) }
        try SourceSettingsRow(source: source).insert(database)
        return (database.lastInsertedRowID, true)
    }

    /// Stores the attributes of `<tv>` of a source's last guide.
    static func saveHeader(_ header: [ContentAttribute], ofSource id: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO source_state (source_id, header) VALUES (?, ?)
                ON CONFLICT (source_id) DO UPDATE SET header = excluded.header WHERE header IS NOT excluded.header
                """, arguments: [id, String(json: StoredDocument.attributes(header))])
    }

    /// Discards the validators of all sources, or of one source and those that share a station with it.
    ///
    /// The next refresh then imports them again, because their descriptions of stations may now take precedence (see
    /// ``StationWriter``).
    static func discardValidators(exceptSource name: String? = nil, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE source_state SET entity_tag = NULL, last_modified = NULL, body_hash = NULL
                WHERE :name IS NULL OR source_id IN
                    (SELECT other.source_id FROM coverage own JOIN coverage other ON other.station_id = own.station_id
                     WHERE own.source_id = (SELECT id FROM source WHERE name = :name))
                """, arguments: ["name": name])
    }
}

/// The settings of a source: the columns of `source`.
struct SourceSettingsRow: PersistableRecord {
    static let databaseTableName = "source"

    let source: Source

    func encode(to container: inout PersistenceContainer) {
        container["name"] = source.name
        container["location"] = source.location
        container["time_zone"] = source.timeZone
        container["shift"] = source.shift
        container["refresh_interval"] = source.interval
        container["priority"] = source.priority
        container["station_patterns"] = source.stations.filter { !$0.isEmpty }.joined(separator: "\n")
        container["encoding"] = source.encoding
        container["is_configured"] = source.isConfigured
    }
}

/// The columns of `source_state` except the header.
struct SourceStateRow: PersistableRecord {
    static let databaseTableName = "source_state"

    let id: Int64
    let state: SourceState

    func encode(to container: inout PersistenceContainer) {
        container["source_id"] = id
        container["last_attempt"] = state.lastAttempt?.secondsSince1970
        container["last_success"] = state.lastSuccess?.secondsSince1970
        container["entity_tag"] = state.entityTag
        container["last_modified"] = state.lastModified
        container["body_hash"] = state.bodyHash
        container["last_error"] = state.lastError
        container["last_ending"] = state.lastResult?.rawValue
        container["last_duration"] = state.lastDuration?.wholeMilliseconds
        container["failures"] = state.failures
        container["not_before"] = state.notBefore?.secondsSince1970
    }
}

extension GuideStore {
    package func sources() throws -> [SourceSummary] {
        try read { database in
            try SourceRow.all(in: database).map { row in
                var summary = SourceSummary(source: row.source, state: row.state)
                let counts = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT (SELECT count(*) FROM coverage WHERE source_id = :id) AS stations,
                            (SELECT count(*) FROM airing WHERE source_id = :id) AS airings,
                            (SELECT max(stop) FROM airing WHERE source_id = :id) AS stop
                        """, arguments: ["id": row.id])
                summary.stations = counts?["stations"] ?? 0
                summary.airings = counts?["airings"] ?? 0
                summary.end = counts?.instant("stop")
                summary.header = row.header
                summary.lastImport = try ImportLog.summaries(ofSource: row.id, limit: 1, in: database).first
                return summary
            }
        }
    }

    package func sourceRecords() throws -> [SourceRecord] {
        try read { try SourceRow.all(in: $0).map { SourceRecord(source: $0.source, state: $0.state) } }
    }

    package func quality(ofSource name: String) throws -> ScheduleQuality {
        try read { database in
            var total = ScheduleQuality()
            var (station, airings): (Int64, [ScheduledListing]) = (0, [])
            try Row.fetchCursor(
                database,
                sql: """
                    SELECT station_id, start, stop, inferred, published_start, published_stop FROM airing
                    WHERE source_id = (SELECT id FROM source WHERE name = ?) ORDER BY station_id, start, part
                    """, arguments: [name]
            ).forEach { row in
                if row["station_id"] != station {
                    total += ScheduleQuality(of: airings)
                    (station, airings) = (row["station_id"], [])
                }
                guard let window = row.window("start", "stop") else { return }
                airings.append(
                    ScheduledListing(
                        window: window,
                        published: row.instant("published_start").map { start in
                            PublishedTimes(start: start, stop: row.instant("published_stop"))
                        }, isStopInferred: row["inferred"], programme: 0))
            }
            total += ScheduleQuality(of: airings)
            return total
        }
    }

    package func save(_ source: Source, now: Instant) throws {
        try write { database in
            let before = try Self.ranking(ofStationsOf: source.name, in: database)
            let priority = try Int.fetchOne(
                database, sql: "SELECT priority FROM source WHERE name = ?", arguments: [source.name])
            try SourceSettingsRow(source: source).upsert(database)
            if priority != source.priority { try SourceRow.discardValidators(exceptSource: source.name, in: database) }
            let changed = try Self.ranking(ofStationsOf: source.name, in: database).filter { $1 != before[$0] }
            guard !changed.isEmpty else { return }
            _ = try StationWriter.resolveSources(of: changed.keys.sorted(), in: database)
            try GuideState.raiseGeneration(
                database,
                for: ChangeLogEntry(at: now, changesStations: false, schedules: changed.mapValues { _ in .whole }))
        }
    }

    /// Returns the stations that a source covers, each with all of its sources in order of precedence.
    private static func ranking(ofStationsOf name: String, in database: Database) throws -> [Int64: [Int64]] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT c.station_id, c.source_id FROM coverage c JOIN source o ON o.id = c.source_id
                WHERE c.station_id IN
                    (SELECT station_id FROM coverage WHERE source_id = (SELECT id FROM source WHERE name = ?))
                ORDER BY c.station_id, o.priority DESC, c.stop DESC, c.source_id
                """, arguments: [name])
        return Dictionary(grouping: rows) { $0["station_id"] }.mapValues { $0.map { $0["source_id"] } }
    }

    package func saveState(_ state: SourceState, ofSource name: String) throws {
        try write { database in
            guard let id = try SourceRow.id(ofSource: name, in: database) else { return }
            try SourceStateRow(id: id, state: state).upsert(database)
        }
    }

    package func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        try write { database in
            guard let id = try SourceRow.id(ofSource: name, in: database) else { return false }
            try SourceRow.discardValidators(exceptSource: name, in: database)
            var released = try Int64.fetchSet(
                database,
                sql: """
                    SELECT programme_id FROM airing WHERE source_id = :id
                    UNION SELECT programme_id FROM diagnostic JOIN import ON import.id = import_id
                        WHERE source_id = :id AND programme_id IS NOT NULL
                    UNION SELECT other_programme_id FROM diagnostic JOIN import ON import.id = import_id
                        WHERE source_id = :id AND other_programme_id IS NOT NULL
                    """, arguments: ["id": id])
            let stations = try Int64.fetchAll(
                database, sql: "SELECT station_id FROM coverage WHERE source_id = ?", arguments: [id])
            if name == Derivation.source.name {
                try database.execute(
                    sql: "UPDATE station SET source_id = described_by WHERE source_id = ?", arguments: [id])
            }
            try database.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [id])
            released.formUnion(try removeDerivedListings(ofUndescribedStationsIn: database))
            try ProgrammeCleaning.removeUnused(released, in: database)
            _ = try StationWriter.resolveSources(of: stations, in: database)
            try database.execute(
                sql: "DELETE FROM station WHERE source_id IS NULL AND id NOT IN (SELECT station_id FROM airing)")
            var otherStations = database.changesCount
            if let matcher { otherStations += try LineupRows.rematch(matcher, in: database) }
            otherStations += try RowArrangement.arrange(in: database)
            let schedules = Dictionary(stations.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try GuideState.raiseGeneration(
                database, for: ChangeLogEntry(at: now, changesStations: otherStations > 0, schedules: schedules))
            return true
        }
    }

    /// Removes derived listings of stations that no feed describes any more, because such listings alone do not keep a station.
    ///
    /// - Returns: Their programmes, which may be unused now.
    private func removeDerivedListings(ofUndescribedStationsIn database: Database) throws -> Set<Int64> {
        let programmes = try Int64.fetchSet(
            database,
            sql: """
                SELECT a.programme_id FROM station s JOIN airing a ON a.station_id = s.id
                WHERE s.described_by IS NULL AND a.source_id = (SELECT id FROM source WHERE name = ?)
                """, arguments: [Derivation.source.name])
        let stations = try Int64.fetchAll(
            database,
            sql: """
                DELETE FROM coverage WHERE source_id = (SELECT id FROM source WHERE name = ?)
                    AND station_id IN (SELECT id FROM station WHERE described_by IS NULL)
                RETURNING station_id
                """, arguments: [Derivation.source.name])
        for station in stations {
            try database.execute(
                sql: """
                    UPDATE station SET source_id = NULL WHERE id = ? AND id NOT IN (SELECT station_id FROM coverage)
                    """, arguments: [station])
        }
        return programmes
    }

    package func stationsWithAirings(
        during window: TimeWindow, ofSources names: Set<String>
    ) throws -> Set<StationID> {
        try read { database in
            // Airings of one source do not overlap, so the last one that starts before the end also stops last.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT s.feed_id, o.name FROM coverage c CROSS JOIN source o ON o.id = c.source_id
                    CROSS JOIN station s ON s.id = c.station_id
                    WHERE (
                        SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                            AND a.start < :end
                        ORDER BY a.start DESC LIMIT 1) > :start
                    """,
                arguments: ["start": window.start.secondsSince1970, "end": window.end.secondsSince1970])
            return Set(rows.filter { names.contains($0["name"]) }.map { StationID($0["feed_id"]) })
        }
    }

    package func removeStations(
        _ stations: [StationID], ofSource name: String, matcher: any ChannelMatching, now: Instant
    ) throws -> Bool {
        try write { database in
            guard let source = try SourceRow.id(ofSource: name, in: database) else { return false }
            var released: Set<Int64> = []
            var keys: [Int64] = []
            for station in stations {
                guard
                    let key = try Int64.fetchOne(
                        database,
                        sql: """
                            SELECT id FROM station s WHERE feed_id = :station AND (described_by = :source OR EXISTS (
                                SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = :source))
                            """, arguments: ["station": station.rawValue, "source": source])
                else { continue }
                keys.append(key)
                released.formUnion(
                    try Int64.fetchAll(
                        database, sql: "SELECT programme_id FROM airing WHERE source_id = ? AND station_id = ?",
                        arguments: [source, key]))
                // The airings follow by the foreign key.
                try database.execute(
                    sql: "DELETE FROM coverage WHERE source_id = ? AND station_id = ?", arguments: [source, key])
            }
            guard !keys.isEmpty else { return false }
            try database.execute(
                sql: "UPDATE source_state SET body_hash = NULL WHERE source_id = ?", arguments: [source])
            try ProgrammeCleaning.removeUnused(released, in: database)
            _ = try StationWriter.resolveSources(of: keys, in: database)
            var otherStations = 0
            for key in keys {
                try database.execute(
                    sql: """
                        DELETE FROM station WHERE id = ? AND described_by = ?
                            AND id NOT IN (SELECT station_id FROM coverage)
                        """, arguments: [key, source])
                otherStations += database.changesCount
                try database.execute(
                    sql: "UPDATE station SET source_id = described_by WHERE id = ? AND source_id = ?",
                    arguments: [key, source])
            }
            otherStations += try LineupRows.rematch(matcher, in: database)
            otherStations += try RowArrangement.arrange(in: database)
            let kept = try keys.filter { try StationWriter.isShared($0, in: database) != nil }
            let schedules = Dictionary(kept.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try GuideState.raiseGeneration(
                database, for: ChangeLogEntry(at: now, changesStations: otherStations > 0, schedules: schedules))
            return true
        }
    }

    package func removeAirings(ofSource name: String, outside window: TimeWindow, now: Instant) throws -> Int {
        try write { database in
            guard let source = try SourceRow.id(ofSource: name, in: database) else { return 0 }
            let bounds = StatementArguments([source, window.start.secondsSince1970, window.end.secondsSince1970])
            let removed = try Row.fetchAll(
                database,
                sql: """
                    DELETE FROM airing WHERE source_id = ?1 AND (stop <= ?2 OR start >= ?3)
                    RETURNING programme_id, station_id
                    """, arguments: bounds)
            guard !removed.isEmpty else { return 0 }
            let stations = Set(removed.map { $0["station_id"] as Int64 })
            let delete = try database.makeStatement(
                sql: """
                    DELETE FROM coverage WHERE source_id = ?1 AND station_id = ?2 AND NOT EXISTS
                        (SELECT 1 FROM airing a WHERE a.source_id = ?1 AND a.station_id = ?2)
                    """)
            let update = try database.makeStatement(
                sql: """
                    UPDATE coverage SET listings = NULL,
                        start = (SELECT min(start) FROM airing WHERE source_id = ?1 AND station_id = ?2),
                        stop = (SELECT max(stop) FROM airing WHERE source_id = ?1 AND station_id = ?2)
                    WHERE source_id = ?1 AND station_id = ?2
                    """)
            for station in stations {
                try delete.execute(arguments: [source, station])
                try update.execute(arguments: [source, station])
            }
            try ProgrammeCleaning.removeUnused(Set(removed.map { $0["programme_id"] }), in: database)
            _ = try StationWriter.resolveSources(of: stations.sorted(), in: database)
            let schedules = Dictionary(stations.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try GuideState.raiseGeneration(
                database, for: ChangeLogEntry(at: now, changesStations: false, schedules: schedules))
            return removed.count
        }
    }

    package func discardValidators(recordedAfter instant: Instant) throws {
        try write { database in
            try SourceRow.discardValidators(in: database)
            try database.execute(
                sql: """
                    UPDATE source_state SET
                        not_before = CASE WHEN last_attempt > :after THEN NULL ELSE not_before END,
                        last_attempt = CASE WHEN last_attempt > :after THEN NULL ELSE last_attempt END,
                        last_success = CASE WHEN last_success > :after THEN NULL ELSE last_success END
                    """, arguments: ["after": instant.secondsSince1970])
            try database.execute(
                sql: "UPDATE guide SET pruned_at = NULL WHERE pruned_at > ?", arguments: [instant.secondsSince1970])
        }
    }
}
