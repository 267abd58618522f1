package import EPGModel
import GRDB

extension GuideStore {
    package func sources() throws -> [SourceSummary] {
        try read { database in
            try SourceRow.all(in: database).map { source in
                let counts = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT (SELECT count(*) FROM coverage WHERE source_id = :id) AS stations,
                            (SELECT count(*) FROM airing WHERE source_id = :id) AS airings,
                            (SELECT max(stop) FROM airing WHERE source_id = :id) AS stop
                        """, arguments: ["id": source.id])
                return SourceSummary(
                    source: source.source, state: source.state, stations: counts?["stations"] ?? 0,
                    airings: counts?["airings"] ?? 0, end: counts?.instant("stop"), header: source.header)
            }
        }
    }

    package func sourceRecords() throws -> [SourceRecord] {
        try read { try SourceRow.all(in: $0).map { SourceRecord(source: $0.source, state: $0.state) } }
    }

    package func save(_ source: Source, now: Instant) throws {
        try write { database in
            let before = try SourceRow.ranking(ofStationsOf: source.name, in: database)
            let priority = try SourceRow.priority(ofSource: source.name, in: database)
            try SourceRow.save(source, in: database)
            let after = try SourceRow.ranking(ofStationsOf: source.name, in: database)
            if priority != source.priority { try SourceRow.forgetBodies(besideSource: source.name, in: database) }
            guard before != after else { return }
            let stations = Set(after.map(\.station)).sorted()
            _ = try StationWriter.resolveSources(of: stations, in: database)
            let ranked = Dictionary(grouping: before, by: \.station)
            let changed = Dictionary(grouping: after, by: \.station).filter { $0.value != ranked[$0.key] }
            try GuideState.raiseGeneration(
                database,
                for: ChangeLog.Entry(at: now, changesStations: false, schedules: changed.mapValues { _ in .whole }))
        }
    }

    package func saveState(_ state: SourceState, ofSource name: String) throws {
        try write { database in
            guard let id = try SourceRow.id(ofSource: name, in: database) else { return }
            try SourceRow.saveState(state, ofSource: id, in: database)
        }
    }

    package func removeSource(
        named name: String, matcher: (any ChannelMatching)?, now: Instant
    ) throws -> Bool {
        try write { database in
            guard let id = try SourceRow.id(ofSource: name, in: database) else { return false }
            try SourceRow.forgetBodies(besideSource: name, in: database)
            let released = try SourceRow.programmes(ofSource: id, in: database)
            let stations = try Int64.fetchAll(
                database, sql: "SELECT station_id FROM coverage WHERE source_id = ?", arguments: [id])
            try database.execute(sql: "DELETE FROM source WHERE id = ?", arguments: [id])
            try ProgrammeCleaning.removeUnused(released, in: database)
            _ = try StationWriter.resolveSources(of: stations, in: database)
            try database.execute(
                sql: "DELETE FROM station WHERE source_id IS NULL AND id NOT IN (SELECT station_id FROM airing)")
            var otherStations = database.changesCount
            if let matcher { otherStations += try LineupWriter(database).rematch(matcher) }
            otherStations += try RowArrangement.arrange(in: database)
            var entry = ChangeLog.Entry(at: now, changesStations: otherStations > 0)
            for station in stations { entry.schedules[station] = .whole }
            try GuideState.raiseGeneration(database, for: entry)
            return true
        }
    }

    /// Forgets the tags and hashes of the last bodies of all sources, and every time that is after an instant; guide and
    /// generation stay.
    ///
    /// - Throws: ``StoreError``.
    package func forgetBodies(notedAfter instant: Instant) throws {
        try write { database in
            try SourceRow.forgetBodies(database)
            try SourceRow.forgetTimes(after: instant, in: database)
            try database.execute(
                sql: "UPDATE guide SET pruned_at = NULL WHERE pruned_at > ?", arguments: [instant.secondsSince1970])
        }
    }
}
