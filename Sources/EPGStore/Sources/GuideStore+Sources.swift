package import EPGModel
import GRDB

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
                summary.lastImport = try ImportLog.summary(ofSource: row.id, in: database)
                return summary
            }
        }
    }

    package func sourceRecords() throws -> [SourceRecord] {
        try read { try SourceRow.all(in: $0).map { SourceRecord(source: $0.source, state: $0.state) } }
    }

    package func save(_ source: Source, now: Instant) throws {
        try write { database in
            let before = try Self.ranking(ofStationsOf: source.name, in: database)
            let priority = try Int.fetchOne(
                database, sql: "SELECT priority FROM source WHERE name = ?", arguments: [source.name])
            try SourceSettingsRow(source: source).upsert(database)
            if priority != source.priority { try SourceRow.forgetBodies(besideSource: source.name, in: database) }
            let changed = try Self.ranking(ofStationsOf: source.name, in: database).filter { $1 != before[$0] }
            guard !changed.isEmpty else { return }
            _ = try StationWriter.resolveSources(of: changed.keys.sorted(), in: database)
            try GuideState.raiseGeneration(
                database,
                for: ChangeLog.Entry(at: now, changesStations: false, schedules: changed.mapValues { _ in .whole }))
        }
    }

    /// The stations that a source covers, each with all its sources, the best one first.
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
            try SourceRow.forgetBodies(besideSource: name, in: database)
            let released = try Int64.fetchSet(
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
            try database.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [id])
            try ProgrammeCleaning.removeUnused(released, in: database)
            _ = try StationWriter.resolveSources(of: stations, in: database)
            try database.execute(
                sql: "DELETE FROM station WHERE source_id IS NULL AND id NOT IN (SELECT station_id FROM airing)")
            var otherStations = database.changesCount
            if let matcher { otherStations += try StoredLineup.rematch(matcher, in: database) }
            otherStations += try RowArrangement.arrange(in: database)
            let schedules = Dictionary(stations.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try GuideState.raiseGeneration(
                database, for: ChangeLog.Entry(at: now, changesStations: otherStations > 0, schedules: schedules))
            return true
        }
    }

    package func forgetBodies(notedAfter instant: Instant) throws {
        try write { database in
            try SourceRow.forgetBodies(in: database)
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
