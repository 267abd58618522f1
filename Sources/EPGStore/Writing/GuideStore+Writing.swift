package import EPGModel
import GRDB
import Synchronization

extension GuideStore: ScheduleWriting {
    package func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        try ImportTransaction(
            self, source: source, now: now, matcher: matcher, safeguard: safeguard, limits: limits)
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
            let id = try database.firstRow("SELECT id FROM source WHERE name = ?", .text(name)) { $0.integer(0) }
            if let id { try SourceRow.saveState(state, ofSource: id, in: database) }
        }
    }

    package func removeSource(
        named name: String, matcher: (any ChannelMatching)?, now: Instant
    ) throws -> Bool {
        try write { database in
            let id = try database.firstRow("SELECT id FROM source WHERE name = ?", .text(name)) { $0.integer(0) }
            guard let id else { return false }
            try SourceRow.forgetBodies(besideSource: name, in: database)
            let released = try SourceRow.programmes(ofSource: id, in: database)
            let stations = try Int64.fetchAll(
                database, sql: "SELECT station_id FROM coverage WHERE source_id = ?", arguments: [id])
            try database.run("DELETE FROM source WHERE id = ?", .integer(id))
            try ProgrammeCleaning.removeUnused(released, in: database)
            _ = try StationWriter.resolveSources(of: stations, in: database)
            try database.run(
                "DELETE FROM station WHERE source_id IS NULL AND id NOT IN (SELECT station_id FROM airing)")
            var otherStations = database.changesCount
            if let matcher { otherStations += try LineupWriter(database).rematch(matcher) }
            otherStations += try RowArrangement.arrange(in: database)
            let whole = Dictionary(stations.map { ($0, LoggedChanges.whole) }, uniquingKeysWith: { first, _ in first })
            try GuideState.raiseGeneration(
                database, for: ChangeLog.Entry(at: now, changesStations: otherStations > 0, schedules: whole))
            return true
        }
    }

    /// Forgets the tags and hashes of the last bodies of all sources, and every time that lies after an instant; guide and
    /// generation stay.
    ///
    /// - Throws: ``StoreError``.
    package func forgetBodies(notedAfter instant: Instant) throws {
        try write { database in
            try SourceRow.forgetBodies(database)
            try SourceRow.forgetTimes(after: instant, in: database)
            try database.run(
                "UPDATE guide SET pruned_at = NULL WHERE pruned_at > ?", .integer(instant.secondsSince1970))
        }
    }

    package func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try write { database in
            var instant = instant
            if limit != .none {
                let aged = try Self.aged(database, instant)
                if let refusal = limit.refusal(of: aged, before: instant) { throw refusal }
                if limit == .oldestHalf, let middle = try Self.middleStop(database, of: aged.total) {
                    instant = min(instant, middle)
                }
            }
            var released: Set<Int64> = []
            var pruned: Set<Int64> = []
            var count = 0
            try database.rows(
                "DELETE FROM airing WHERE stop <= ? RETURNING programme_id, station_id",
                .integer(instant.secondsSince1970)
            ) { columns in
                released.insert(columns.integer(0))
                pruned.insert(columns.integer(1))
                count += 1
                return true
            }
            guard count > 0 else { return 0 }
            try database.run("UPDATE guide SET pruned_at = ?", .integer(now.secondsSince1970))
            if instant > now { try SourceRow.forgetBodies(database) }
            // Coverage may end before an airing does whose stop was inferred.
            var stations: [Int64] = []
            try database.rows(
                """
                DELETE FROM coverage WHERE stop <= ? AND NOT EXISTS
                    (SELECT 1 FROM airing a WHERE a.source_id = coverage.source_id AND a.station_id = coverage.station_id)
                RETURNING station_id
                """, .integer(instant.secondsSince1970)
            ) {
                stations.append($0.integer(0))
                return true
            }
            // What lay beneath airings that go may be shown now, so this is asked before they are resolved.
            var shared: [Int64: LoggedChanges] = [:]
            for station in pruned.union(stations) where try StationWriter.isShared(station, in: database) {
                shared[station] = .whole
            }
            _ = try StationWriter.resolveSources(of: stations, in: database)
            try database.run(
                "UPDATE coverage SET start = ?1 WHERE start < ?1 AND stop > ?1", .integer(instant.secondsSince1970))
            try ProgrammeCleaning.removeUnused(released, in: database)
            try GuideState.raiseGeneration(
                database, for: ChangeLog.Entry(at: now, changesStations: false, schedules: shared))
            return count
        }
    }

    package func refreshSearchIndex() throws {
        beginCheckpoint()
        lastFeed.withLock { $0 }?.waitUntilEnded()
        try StoreError.translating(path: SearchIndex.path(ofGuide: path)) {
            // A connection of its own, so that the guide's log is moved into the database at the same time.
            let guide = try Connections.reader(path: path, cacheKiB: 2 << 10)
            try searchIndex().refresh(from: guide)
            try guide.close()
        }
    }
}
