package import EPGModel

/// Statements whose plans the tests check.
package enum RemovalSQL {
    /// The condition of a programme `p` that nothing refers to.
    package static let isUnused = """
        NOT EXISTS (SELECT 1 FROM airing WHERE programme_id = p.id)
            AND NOT EXISTS (SELECT 1 FROM airing WHERE listed_programme_id = p.id)
            AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE programme_id = p.id)
            AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE other_programme_id = p.id)
        """

    /// The instant up to which airings of a station are old: `$1`, or an earlier one if a channel of the station has catch-up and the
    /// current time `$2` is not NULL.
    ///
    /// - Parameter table: The name of a table with a column `station_id`.
    package static func horizon(_ table: String) -> String {
        let catchup = """
            (SELECT CAST($2 AS bigint) - 86400 * (1 + max(k.catchup_days)) FROM channel k
            WHERE k.station_id = \(table).station_id AND k.catchup_days IS NOT NULL)
            """
        return "CASE WHEN \(catchup) < $1 THEN \(catchup) ELSE CAST($1 AS bigint) END"
    }

    package static let unusedTransmissions = """
        DELETE FROM transmission AS t WHERE NOT EXISTS
            (SELECT 1 FROM airing WHERE transmission_id = t.id AND transmission_id IS NOT NULL)
        """
}

/// The removal of sources, stations and airings. ``GuideWriting`` documents the members.
extension SQLWriting {
    package func save(_ source: Source, now: Instant) throws {
        try writing { connection in
            let before = try connection.ranking(ofStationsOf: source.name)
            let former = try connection.first(
                "SELECT priority, completes, group_patterns FROM source WHERE name = $1", [.text(source.name)]
            ) { (priority: $0.integer(0), completes: $0.flag(1), groups: $0.lines(2)) }
            try connection.upsert(source)
            if former?.priority != Int64(source.priority) {
                try connection.discardValidators(exceptSource: source.name)
            }
            // The next refresh imports the guide again, and matches the channels.
            if let former, former.groups != source.groups { try connection.discardValidators(ofSource: source.name) }
            let ranking = try connection.ranking(ofStationsOf: source.name)
            var changed = Set(ranking.filter { $1 != before[$0] }.keys)
            _ = try connection.resolveSources(of: changed.sorted())
            let affected = former?.completes == source.completes ? changed : Set(ranking.keys)
            changed.formUnion(try connection.complete(stations: affected.sorted(), now: now))
            guard !changed.isEmpty else { return }
            try connection.raiseGeneration(for: .whole(changed, at: now))
        }
    }

    package func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        try writing { connection in
            guard let id = try connection.sourceKey(name) else { return false }
            let guides = try connection.values(
                "SELECT id, name FROM source WHERE playlist_id = $1 ORDER BY id", [.integer(id)]
            ) { (id: $0.integer(0), name: $0.text(1)) }
            for guide in guides { try connection.removeSource(guide.id, named: guide.name, matcher: matcher, now: now) }
            try connection.removeSource(id, named: name, matcher: matcher, now: now)
            return true
        }
    }

    package func removeStations(
        _ stations: [StationID], ofSource name: String, matcher: any ChannelMatching, now: Instant
    ) throws -> Bool {
        try writing { connection in
            guard let source = try connection.sourceKey(name) else { return false }
            let keys = try connection.values(
                """
                SELECT s.id FROM station s WHERE \(connection.isIn("s.feed_id", list: 1)) AND (s.described_by = $2
                    OR EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = $2)) ORDER BY s.id
                """, [.texts(stations.map(\.rawValue)), .integer(source)]
            ) { $0.integer(0) }
            guard !keys.isEmpty else { return false }
            let parameters: [SQLValue] = [.integer(source), .integers(keys)]
            let released = try connection.values(
                """
                DELETE FROM airing WHERE source_id = $1 AND \(connection.isIn("station_id", list: 2))
                RETURNING programme_id, listed_programme_id
                """, parameters
            ) { [$0.integer(0), $0.integerIfPresent(1)] }
            try connection.execute(
                "DELETE FROM coverage WHERE source_id = $1 AND \(connection.isIn("station_id", list: 2))", parameters)
            try connection.execute("UPDATE source_state SET body_hash = NULL WHERE source_id = $1", [.integer(source)])
            _ = try connection.resolveSources(of: keys)
            _ = try connection.complete(
                stations: keys, now: now, releasing: Set(released.joined().compactMap(\.self)))
            var otherStations = try connection.execute(
                """
                DELETE FROM station WHERE \(connection.isIn("id", list: 2)) AND described_by = $1
                    AND id NOT IN (SELECT station_id FROM coverage)
                """, parameters)
            try connection.execute(
                "UPDATE station SET source_id = described_by WHERE \(connection.isIn("id", list: 2)) AND source_id = $1",
                parameters)
            otherStations += try connection.rematch(matcher)
            otherStations += try connection.arrangeRows()
            try connection.raiseGeneration(for: .whole(keys, at: now, changesStations: otherStations > 0))
            return true
        }
    }

    package func removeAirings(ofSource name: String, outside window: TimeWindow, now: Instant) throws -> Int {
        try writing { connection in
            guard let source = try connection.sourceKey(name) else { return 0 }
            let removed = try connection.values(
                """
                DELETE FROM airing WHERE source_id = $1 AND (stop <= $2 OR start >= $3)
                RETURNING programme_id, listed_programme_id, station_id
                """, [.integer(source), .instant(window.start), .instant(window.end)]
            ) { (programmes: [$0.integer(0), $0.integerIfPresent(1)], station: $0.integer(2)) }
            guard !removed.isEmpty else { return 0 }
            let stations = Set(removed.map(\.station)).sorted()
            let parameters: [SQLValue] = [.integer(source), .integers(stations)]
            let isRemoved = "source_id = $1 AND \(connection.isIn("station_id", list: 2))"
            try connection.execute(
                """
                DELETE FROM coverage AS c WHERE \(isRemoved) AND NOT EXISTS
                    (SELECT 1 FROM airing a WHERE a.source_id = $1 AND a.station_id = c.station_id)
                """, parameters)
            try connection.execute(
                """
                UPDATE coverage AS c SET listings = NULL,
                    start = (SELECT min(a.start) FROM airing a WHERE a.source_id = $1 AND a.station_id = c.station_id),
                    stop = (SELECT max(a.stop) FROM airing a WHERE a.source_id = $1 AND a.station_id = c.station_id)
                WHERE \(isRemoved)
                """, parameters)
            _ = try connection.resolveSources(of: stations)
            _ = try connection.complete(
                stations: stations, now: now, releasing: Set(removed.flatMap(\.programmes).compactMap(\.self)))
            try connection.raiseGeneration(for: .whole(stations, at: now))
            return removed.count
        }
    }

    package func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try prune(before: instant, keepingCatchupOf: nil, now: now, limit: limit)
    }

    package func removeOldAirings(retention: Int64, now: Instant, limit: PruningLimit) throws -> Int {
        try prune(before: now.advanced(by: -retention), keepingCatchupOf: now, now: now, limit: limit)
    }

    /// - Parameter catchup: The current time, to keep airings that can be watched; `nil` to remove them, too.
    private func prune(
        before instant: Instant, keepingCatchupOf catchup: Instant?, now: Instant, limit: PruningLimit
    ) throws -> Int {
        try writing { connection in
            let instant = try connection.instant(limiting: instant, keepingCatchupOf: catchup, by: limit)
            let times: [SQLValue] = [.instant(instant), .instant(catchup)]
            var (count, released, stations): (Int, Set<Int64>, Set<Int64>) = (0, [], [])
            try connection.rows(
                """
                DELETE FROM airing AS a WHERE stop <= $1 AND stop <= \(RemovalSQL.horizon("a"))
                RETURNING programme_id, station_id, listed_programme_id
                """, times, streams: true
            ) { row in
                count += 1
                released.insert(row.integer(0))
                if let listed = row.integerIfPresent(2) { released.insert(listed) }
                stations.insert(row.integer(1))
                return true
            }
            try connection.pruneReminders(before: instant)
            guard count > 0 else { return 0 }
            try connection.execute("UPDATE guide SET pruned_at = $1", [.instant(now)])
            if instant > now { try connection.discardValidators() }
            // Coverage may end before an airing with an inferred stop.
            let uncovered = try connection.values(
                """
                DELETE FROM coverage AS c WHERE stop <= \(RemovalSQL.horizon("c")) AND NOT EXISTS
                    (SELECT 1 FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id)
                RETURNING station_id
                """, times
            ) { $0.integer(0) }
            // Airings beneath removed ones may become visible, so determine this before resolving sources.
            let shared = try connection.values(
                "SELECT id FROM station WHERE is_shared AND \(connection.isIn("id", list: 1))",
                [.integers(stations.union(uncovered).sorted())]
            ) { $0.integer(0) }
            _ = try connection.resolveSources(of: uncovered)
            try connection.execute(
                """
                UPDATE coverage AS c SET listings = NULL,
                    start = CASE WHEN stop > \(RemovalSQL.horizon("c")) THEN \(RemovalSQL.horizon("c")) ELSE start END
                WHERE start < \(RemovalSQL.horizon("c"))
                """, times)
            let completed = try connection.complete(stations: uncovered, now: now, releasing: released)
            try connection.raiseGeneration(for: .whole(completed.union(shared), at: now))
            return count
        }
    }
}

extension SQLReading {
    package func stationsWithAirings(
        during window: TimeWindow, ofSources names: Set<String>
    ) throws -> Set<StationID> {
        try reading { connection in
            // Airings of one source do not overlap, so the last one that starts before the end also stops last.
            let found = try connection.values(
                """
                SELECT s.feed_id FROM coverage c JOIN source o ON o.id = c.source_id JOIN station s ON s.id = c.station_id
                WHERE \(connection.isIn("o.name", list: 3)) AND (
                    SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
                        AND a.start < $2
                    ORDER BY a.start DESC LIMIT 1) > $1
                """, [.instant(window.start), .instant(window.end), .texts(names.sorted())]
            ) { StationID($0.text(0)) }
            return Set(found)
        }
    }
}

extension SQLConnection {
    /// Removes the unreferenced candidates, and unreferenced transmissions.
    ///
    /// - Complexity: O(candidates + transmissions) seeks; none without candidates.
    package func removeUnused(_ candidates: Set<Int64>) throws {
        guard !candidates.isEmpty else { return }
        let removed = try values(
            "DELETE FROM programme AS p WHERE \(isIn("p.id", list: 1)) AND \(RemovalSQL.isUnused) RETURNING id",
            [.integers(candidates.sorted())]
        ) { $0.integer(0) }
        var digests = DigestEditor(DigestRows(self))
        for programme in removed.sorted() { try digests.remove(programme) }
        try digests.finish()
        try execute(RemovalSQL.unusedTransmissions)
    }

    /// Removes a source with its listings and its lineup, and logs the change.
    fileprivate func removeSource(
        _ id: Int64, named name: String, matcher: (any ChannelMatching)?, now: Instant
    ) throws {
        let lineups = try integer("SELECT count(*) FROM lineup WHERE source_id = $1", [.integer(id)]) ?? 0
        try discardValidators(exceptSource: name)
        let stations = try values(
            "SELECT station_id FROM coverage WHERE source_id = $1 ORDER BY station_id", [.integer(id)]
        ) { $0.integer(0) }
        if name == Derivation.source.name {
            try execute(
                "UPDATE station SET source_id = described_by WHERE source_id = $1", [.integer(id)])
        }
        var released: Set<Int64> = []
        for sql in [
            "DELETE FROM airing WHERE source_id = $1 RETURNING programme_id, listed_programme_id",
            """
            DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = $1)
            RETURNING programme_id, other_programme_id
            """,
        ] {
            try rows(sql, [.integer(id)], streams: true) { row in
                for column: Int32 in 0...1 {
                    if let programme = row.integerIfPresent(column) { released.insert(programme) }
                }
                return true
            }
        }
        for sql in ["DELETE FROM coverage WHERE source_id = $1", "DELETE FROM source WHERE id = $1"] {
            try execute(sql, [.integer(id)])
        }
        released.formUnion(try removeDerivedListingsOfUndescribedStations())
        _ = try resolveSources(of: stations)
        _ = try complete(stations: stations, now: now, releasing: released)
        var otherStations = Int(lineups)
        otherStations += try execute(
            "DELETE FROM station WHERE source_id IS NULL AND id NOT IN (SELECT station_id FROM coverage)")
        if let matcher { otherStations += try rematch(matcher) }
        otherStations += try arrangeRows()
        try raiseGeneration(for: .whole(stations, at: now, changesStations: otherStations > 0))
    }

    /// Removes derived listings of stations that no feed describes any more, because such listings alone do not keep a station.
    ///
    /// - Returns: Their programmes, which may be unused now.
    fileprivate func removeDerivedListingsOfUndescribedStations() throws -> Set<Int64> {
        guard let derived = try sourceKey(Derivation.source.name) else { return [] }
        let undescribed = "station_id IN (SELECT id FROM station WHERE described_by IS NULL)"
        let programmes = try values(
            "DELETE FROM airing WHERE source_id = $1 AND \(undescribed) RETURNING programme_id", [.integer(derived)]
        ) { $0.integer(0) }
        let stations = try values(
            "DELETE FROM coverage WHERE source_id = $1 AND \(undescribed) RETURNING station_id", [.integer(derived)]
        ) { $0.integer(0) }
        try execute(
            "UPDATE station SET source_id = NULL WHERE \(isIn("id", list: 1)) AND id NOT IN (SELECT station_id FROM coverage)",
            [.integers(stations)])
        return Set(programmes)
    }

    /// Returns the instant up to which a pruning may remove airings.
    ///
    /// - Throws: ``RefusedPruning``.
    fileprivate func instant(
        limiting instant: Instant, keepingCatchupOf catchup: Instant?, by limit: PruningLimit
    ) throws -> Instant {
        guard limit != .none else { return instant }
        // Derived airings follow the clock, so they say nothing about it.
        let derived = try sourceKey(Derivation.source.name) ?? 0
        let counts = try first(
            """
            SELECT count(*) FILTER (WHERE stop <= $1 AND stop <= \(RemovalSQL.horizon("a"))), count(*) FROM airing a
            WHERE source_id <> $3
            """, [.instant(instant), .instant(catchup), .integer(derived)]
        ) { (aged: Int($0.integer(0)), total: Int($0.integer(1))) }
        guard let counts else { return instant }
        if let refusal = limit.refusal(ofRemoving: counts.aged, of: counts.total, before: instant) { throw refusal }
        guard limit == .oldestHalf else { return instant }
        // The latest instant by which at most half of all airings had stopped.
        let middle = try integer(
            "SELECT stop - 1 FROM airing WHERE source_id <> $1 ORDER BY stop LIMIT 1 OFFSET $2",
            [.integer(derived), .number(counts.total / 2)])
        return middle.map { min(instant, Instant(secondsSince1970: $0)) } ?? instant
    }
}

extension ChangeLogEntry {
    /// Creates an entry for stations whose complete schedules changed.
    fileprivate static func whole(
        _ stations: some Sequence<Int64>, at now: Instant, changesStations: Bool = false
    ) -> ChangeLogEntry {
        ChangeLogEntry(
            at: now, changesStations: changesStations,
            schedules: Dictionary(stations.map { ($0, StationChanges.Extent.whole) }) { first, _ in first })
    }
}
