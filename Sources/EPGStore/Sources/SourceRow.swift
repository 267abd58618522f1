import EPGJSON
package import EPGModel
import EPGSQL
import GRDB

extension GuideStore {
    package func save(_ source: Source, now: Instant) throws {
        try write { database in
            let connection = SQLiteConnection(database: database)
            let before = try connection.ranking(ofStationsOf: source.name)
            let priority = try connection.integer("SELECT priority FROM source WHERE name = $1", [.text(source.name)])
            try connection.upsert(source)
            if priority != Int64(source.priority) { try connection.discardValidators(exceptSource: source.name) }
            let changed = try connection.ranking(ofStationsOf: source.name).filter { $1 != before[$0] }
            guard !changed.isEmpty else { return }
            _ = try StationWriter.resolveSources(of: changed.keys.sorted(), in: database)
            try GuideState.raiseGeneration(
                database,
                for: ChangeLogEntry(at: now, changesStations: false, schedules: changed.mapValues { _ in .whole }))
        }
    }

    package func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        try write { database in
            guard let id = try SQLiteConnection(database: database).sourceKey(name) else { return false }
            try SQLiteConnection(database: database).discardValidators(exceptSource: name)
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
            guard let source = try SQLiteConnection(database: database).sourceKey(name) else { return false }
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
            guard let source = try SQLiteConnection(database: database).sourceKey(name) else { return 0 }
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
}
