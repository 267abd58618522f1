package import EPGModel
import GRDB

extension GuideStore {
    package func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try write { database in
            var instant = instant
            if limit != .none {
                let counts = try Row.fetchOne(
                    database, sql: "SELECT count(*) FILTER (WHERE stop <= ?) AS aged, count(*) AS total FROM airing",
                    arguments: [instant.secondsSince1970])
                let (aged, total): (Int, Int) = (counts?["aged"] ?? 0, counts?["total"] ?? 0)
                if let refusal = limit.refusal(ofRemoving: aged, of: total, before: instant) { throw refusal }
                // By then half of all airings had stopped, or as many as make no more than that.
                let middleSQL = "SELECT stop - 1 FROM airing ORDER BY stop LIMIT 1 OFFSET ?"
                if limit == .oldestHalf,
                    let middle = try Int64.fetchOne(database, sql: middleSQL, arguments: [total / 2])
                {
                    instant = min(instant, Instant(secondsSince1970: middle))
                }
            }
            let seconds = instant.secondsSince1970
            var released: Set<Int64> = []
            var stations: Set<Int64> = []
            var count = 0
            let removed = try Row.fetchCursor(
                database, sql: "DELETE FROM airing WHERE stop <= ? RETURNING programme_id, station_id",
                arguments: [seconds])
            while let row = try removed.next() {
                released.insert(row["programme_id"])
                stations.insert(row["station_id"])
                count += 1
            }
            guard count > 0 else { return 0 }
            try database.execute(sql: "UPDATE guide SET pruned_at = ?", arguments: [now.secondsSince1970])
            if instant > now { try SourceRow.forgetBodies(in: database) }
            // Coverage may end before an airing does whose stop was inferred.
            let uncovered = try Int64.fetchAll(
                database,
                sql: """
                    DELETE FROM coverage WHERE stop <= ? AND NOT EXISTS
                        (SELECT 1 FROM airing a WHERE a.source_id = coverage.source_id AND a.station_id = coverage.station_id)
                    RETURNING station_id
                    """, arguments: [seconds])
            // What lay beneath airings that go may be shown now, so this is asked before they are resolved.
            var shared: [Int64: StationChanges.Extent] = [:]
            for station in stations.union(uncovered) where try StationWriter.isShared(station, in: database) ?? false {
                shared[station] = .whole
            }
            _ = try StationWriter.resolveSources(of: uncovered, in: database)
            try database.execute(
                sql: """
                    UPDATE coverage SET start = iif(stop > :start, :start, start), listings = NULL WHERE start < :start
                    """,
                arguments: ["start": seconds])
            try ProgrammeCleaning.removeUnused(released, in: database)
            try GuideState.raiseGeneration(
                database, for: ChangeLog.Entry(at: now, changesStations: false, schedules: shared))
            return count
        }
    }

    /// The first airing of each station and source: of those that don't overlap it is the first to stop.
    static let firstStopsSQL = """
        SELECT (SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
            ORDER BY a.start LIMIT 1)
        FROM coverage c
        """

    package func hasAirings(stoppedBy instant: Instant) throws -> Bool {
        try read { database in
            try Int64?.fetchCursor(database, sql: Self.firstStopsSQL).contains {
                $0 ?? .max <= instant.secondsSince1970
            }
        }
    }

    package func end(ofSource name: String) throws -> Instant? {
        try read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT max((SELECT max(a.stop) FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id))
                    FROM coverage c WHERE c.source_id = (SELECT id FROM source WHERE name = ?)
                    """, arguments: [name]
            ).map(Instant.init(secondsSince1970:))
        }
    }

    package func isAnythingOn(at instant: Instant) throws -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM coverage c JOIN airing a USING (source_id, station_id)
                        WHERE c.start <= :now AND c.stop > :now AND a.start <= :now AND a.stop > :now)
                    """, arguments: ["now": instant.secondsSince1970]) ?? false
        }
    }

    package func wasKeptUp(after instant: Instant) throws -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM source_state WHERE last_attempt > :after OR last_success > :after)
                        OR EXISTS (SELECT 1 FROM guide WHERE pruned_at > :after)
                    """, arguments: ["after": instant.secondsSince1970]) ?? false
        }
    }
}
