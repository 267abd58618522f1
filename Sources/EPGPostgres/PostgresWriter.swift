import EPGJSON
import EPGModel
import EPGSQL

/// Modifications of a guide on PostgreSQL through the connection that holds the writer lock. See ``GuideWriting``.
final class PostgresWriter: PostgresReader, GuideWriting, SQLWriting, @unchecked Sendable {
    private weak var currentImport: (any ImportSession)?

    /// Runs a transaction, which must preserve all invariants.
    func write<Value>(_ body: () throws -> Value) throws -> Value {
        try converting { try connection.transaction(body) }
    }

    func writing<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try write { try body(connection) }
    }

    /// Converts errors of PostgreSQL.
    func converting<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try read(body)
        } catch let error as PostgresError {
            throw StoreError(writing: error, location: location)
        }
    }

    /// Returns whether nothing was ever written to the guide.
    func isEmpty() throws -> Bool {
        let tables = ["source", "lineup", "mapping", "favorite", "watch_rule", "profile", "generation"]
        return try tables.allSatisfy { try connection.integer("SELECT 1::bigint FROM \($0) LIMIT 1") == nil }
    }

    // MARK: - Imports

    func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        let session = try QueuedImport(PostgresImportQueue(self)) {
            try ImportWriter(
                PostgresImportTables(self), source: source, now: now, matcher: matcher, safeguard: safeguard,
                limits: limits)
        }
        currentImport = session
        return session
    }

    /// Cancels an import that the caller left open.
    func cancelImport() { currentImport?.cancel() }

    /// Updates the search index of this computer. If the file cannot be written, searches report it.
    func refreshSearchIndex() throws {
        do { try search.refresh(for: self) } catch is StoreError {}
    }

    // MARK: - Sources

    func save(_ source: Source, now: Instant) throws {
        try write {
            let before = try connection.ranking(ofStationsOf: source.name)
            let priority = try connection.integer("SELECT priority FROM source WHERE name = $1", [.text(source.name)])
            try connection.upsert(source)
            if priority != Int64(source.priority) { try connection.discardValidators(exceptSource: source.name) }
            let changed = try connection.ranking(ofStationsOf: source.name).filter { $1 != before[$0] }
            guard !changed.isEmpty else { return }
            _ = try resolveSources(of: Array(changed.keys))
            try raiseGeneration(
                for: ChangeLogEntry(at: now, changesStations: false, schedules: changed.mapValues { _ in .whole }))
        }
    }

    func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        try write {
            guard let id = try connection.sourceKey(name) else { return false }
            try connection.discardValidators(exceptSource: name)
            var released = Set(
                try connection.values(
                    """
                    SELECT programme_id FROM airing WHERE source_id = $1
                    UNION SELECT programme_id FROM diagnostic JOIN import ON import.id = import_id
                        WHERE source_id = $1 AND programme_id IS NOT NULL
                    UNION SELECT other_programme_id FROM diagnostic JOIN import ON import.id = import_id
                        WHERE source_id = $1 AND other_programme_id IS NOT NULL
                    """, [.integer(id)]
                ) { $0.integer(0) })
            let sql = "SELECT station_id FROM coverage WHERE source_id = $1 ORDER BY station_id"
            let stations = try connection.values(sql, [.integer(id)]) { $0.integer(0) }
            if name == Derivation.source.name {
                try connection.execute(
                    "UPDATE station SET source_id = described_by WHERE source_id = $1", [.integer(id)])
            }
            for sql in [
                "DELETE FROM airing WHERE source_id = $1", "DELETE FROM coverage WHERE source_id = $1",
                "DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = $1)",
                "DELETE FROM source WHERE id = $1",
            ] {
                try connection.execute(sql, [.integer(id)])
            }
            released.formUnion(try removeDerivedListingsOfUndescribedStations())
            try removeUnused(released)
            _ = try resolveSources(of: stations)
            var otherStations = try connection.execute(
                """
                DELETE FROM station s WHERE source_id IS NULL AND NOT EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id)
                """)
            if let matcher { otherStations += try rematch(matcher) }
            otherStations += try arrangeRows()
            let schedules = Dictionary(stations.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try raiseGeneration(
                for: ChangeLogEntry(at: now, changesStations: otherStations > 0, schedules: schedules))
            return true
        }
    }

    /// Removes derived listings of stations that no feed describes any more, because such listings alone do not keep a station.
    ///
    /// - Returns: Their programmes, which may be unused now.
    private func removeDerivedListingsOfUndescribedStations() throws -> Set<Int64> {
        guard let derived = try connection.sourceKey(Derivation.source.name) else { return [] }
        let stations = try connection.values(
            """
            DELETE FROM coverage WHERE source_id = $1 AND station_id IN (SELECT id FROM station WHERE described_by IS NULL)
            RETURNING station_id
            """, [.integer(derived)]
        ) { $0.integer(0) }
        let programmes = try connection.values(
            "DELETE FROM airing WHERE source_id = $1 AND station_id = ANY($2) RETURNING programme_id",
            [.integer(derived), .integers(stations)]
        ) { $0.integer(0) }
        try connection.execute(
            """
            UPDATE station SET source_id = NULL WHERE id = ANY($1) AND id NOT IN (SELECT station_id FROM coverage)
            """, [.integers(stations)])
        return Set(programmes)
    }

    func removeStations(
        _ stations: [StationID], ofSource name: String, matcher: any ChannelMatching, now: Instant
    ) throws -> Bool {
        try write {
            guard let source = try connection.sourceKey(name) else { return false }
            let keys = try connection.values(
                """
                SELECT s.id FROM station s WHERE s.feed_id = ANY($1) AND (s.described_by = $2
                    OR EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = $2)) ORDER BY s.id
                """, [.texts(stations.map(\.rawValue)), .integer(source)]
            ) { $0.integer(0) }
            guard !keys.isEmpty else { return false }
            let parameters: [SQLValue] = [.integer(source), .integers(keys)]
            let released = try connection.values(
                "DELETE FROM airing WHERE source_id = $1 AND station_id = ANY($2) RETURNING programme_id", parameters
            ) { $0.integer(0) }
            try connection.execute("DELETE FROM coverage WHERE source_id = $1 AND station_id = ANY($2)", parameters)
            try connection.execute("UPDATE source_state SET body_hash = NULL WHERE source_id = $1", [.integer(source)])
            try removeUnused(Set(released))
            _ = try resolveSources(of: keys)
            var otherStations = try connection.execute(
                """
                DELETE FROM station WHERE id = ANY($2) AND described_by = $1
                    AND id NOT IN (SELECT station_id FROM coverage)
                """, parameters)
            try connection.execute(
                "UPDATE station SET source_id = described_by WHERE id = ANY($2) AND source_id = $1", parameters)
            otherStations += try rematch(matcher)
            otherStations += try arrangeRows()
            let schedules = Dictionary(keys.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try raiseGeneration(
                for: ChangeLogEntry(at: now, changesStations: otherStations > 0, schedules: schedules))
            return true
        }
    }

    // MARK: - Old airings

    func removeAirings(ofSource name: String, outside window: TimeWindow, now: Instant) throws -> Int {
        try write {
            guard let source = try connection.sourceKey(name) else { return 0 }
            let removed = try connection.values(
                """
                DELETE FROM airing WHERE source_id = $1 AND (stop <= $2 OR start >= $3) RETURNING programme_id, station_id
                """,
                [
                    .integer(source), .integer(window.start.secondsSince1970), .integer(window.end.secondsSince1970),
                ]
            ) { (programme: $0.integer(0), station: $0.integer(1)) }
            guard !removed.isEmpty else { return 0 }
            let stations = Set(removed.map(\.station)).sorted()
            let parameters: [SQLValue] = [.integer(source), .integers(stations)]
            try connection.execute(
                """
                DELETE FROM coverage c WHERE source_id = $1 AND station_id = ANY($2) AND NOT EXISTS
                    (SELECT 1 FROM airing a WHERE a.source_id = $1 AND a.station_id = c.station_id)
                """, parameters)
            try connection.execute(
                """
                UPDATE coverage c SET listings = NULL,
                    start = (SELECT min(a.start) FROM airing a WHERE a.source_id = $1 AND a.station_id = c.station_id),
                    stop = (SELECT max(a.stop) FROM airing a WHERE a.source_id = $1 AND a.station_id = c.station_id)
                WHERE source_id = $1 AND station_id = ANY($2)
                """, parameters)
            try removeUnused(Set(removed.map(\.programme)))
            _ = try resolveSources(of: stations)
            let schedules = Dictionary(stations.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try raiseGeneration(for: ChangeLogEntry(at: now, changesStations: false, schedules: schedules))
            return removed.count
        }
    }

    func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try write {
            var instant = instant
            if limit != .none {
                // Derived airings follow the clock, so they say nothing about it.
                let derived = try connection.sourceKey(Derivation.source.name) ?? 0
                let counts = try connection.first(
                    "SELECT count(*) FILTER (WHERE stop <= $1), count(*) FROM airing WHERE source_id <> $2",
                    [.integer(instant.secondsSince1970), .integer(derived)]
                ) { (aged: Int($0.integer(0)), total: Int($0.integer(1))) }
                let (aged, total) = (counts?.aged ?? 0, counts?.total ?? 0)
                if let refusal = limit.refusal(ofRemoving: aged, of: total, before: instant) { throw refusal }
                // The latest instant by which at most half of all airings had stopped.
                if limit == .oldestHalf,
                    let middle = try connection.integer(
                        "SELECT stop - 1 FROM airing WHERE source_id <> $1 ORDER BY stop LIMIT 1 OFFSET $2",
                        [.integer(derived), .integer(Int64(total / 2))])
                {
                    instant = min(instant, Instant(secondsSince1970: middle))
                }
            }
            let seconds: [SQLValue] = [.integer(instant.secondsSince1970)]
            let removed = try connection.values(
                "DELETE FROM airing WHERE stop <= $1 RETURNING programme_id, station_id", seconds
            ) { (programme: $0.integer(0), station: $0.integer(1)) }
            try connection.pruneReminders(before: instant)
            guard !removed.isEmpty else { return 0 }
            try connection.execute("UPDATE guide SET pruned_at = $1", [.integer(now.secondsSince1970)])
            if instant > now { try connection.discardValidators() }
            // Coverage may end before an airing with an inferred stop.
            let uncovered = try connection.values(
                """
                DELETE FROM coverage c WHERE stop <= $1 AND NOT EXISTS
                    (SELECT 1 FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id)
                RETURNING station_id
                """, seconds
            ) { $0.integer(0) }
            // Airings beneath removed ones may become visible, so determine this before resolving sources.
            let shared = try connection.values(
                "SELECT id FROM station WHERE is_shared AND id = ANY($1)",
                [.integers(Set(removed.map(\.station)).union(uncovered).sorted())]
            ) { $0.integer(0) }
            _ = try resolveSources(of: uncovered)
            try connection.execute(
                """
                UPDATE coverage SET start = CASE WHEN stop > $1 THEN $1 ELSE start END, listings = NULL WHERE start < $1
                """, seconds)
            try removeUnused(Set(removed.map(\.programme)))
            let schedules = Dictionary(shared.map { ($0, StationChanges.Extent.whole) }) { first, _ in first }
            try raiseGeneration(for: ChangeLogEntry(at: now, changesStations: false, schedules: schedules))
            return removed.count
        }
    }

    /// Removes those of the candidates that are unreferenced, and unreferenced transmissions.
    func removeUnused(_ candidates: Set<Int64>) throws {
        guard !candidates.isEmpty else { return }
        let removed = try connection.values(
            """
            DELETE FROM programme p WHERE p.id = ANY($1)
                AND NOT EXISTS (SELECT 1 FROM airing WHERE programme_id = p.id)
                AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE programme_id = p.id)
                AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE other_programme_id = p.id)
            RETURNING p.id
            """, [.integers(candidates.sorted())]
        ) { $0.integer(0) }
        var digests = DigestEditor(DigestRows(connection))
        for programme in removed.sorted() { try digests.remove(programme) }
        try digests.finish()
        try connection.execute(
            """
            DELETE FROM transmission t WHERE NOT EXISTS
                (SELECT 1 FROM airing WHERE transmission_id = t.id AND transmission_id IS NOT NULL)
            """)
    }

    // MARK: - Lineups

    func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        var matches: [ChannelMatch?] = []
        let changesGuide = try changeLineups(now) {
            let isWritten = try write(lineup)
            let rematched = try rematch(matcher, lineups: [lineup.name])
            matches = try storedLineup(named: lineup.name)?.matches ?? []
            return isWritten || rematched > 0
        }
        return LineupOutcome(matches: matches, changedGuide: changesGuide)
    }

    func removeLineup(named name: String, now: Instant) throws -> Bool {
        try changeLineups(now) { try connection.execute("DELETE FROM lineup WHERE name = $1", [.text(name)]) > 0 }
    }

    func setMappings(_ mappings: [String: StationID?], matcher: any ChannelMatching, now: Instant) throws {
        _ = try changeLineups(now) {
            var isWritten = false
            for (key, station) in mappings.sorted(by: { $0.key < $1.key }) {
                let count =
                    if let station {
                        try connection.execute(
                            """
                            INSERT INTO mapping (channel_key, feed_id) VALUES ($1, $2)
                            ON CONFLICT (md5(channel_key))
                            DO UPDATE SET feed_id = excluded.feed_id WHERE mapping.feed_id <> excluded.feed_id
                            """, [.text(key), .text(station.rawValue)])
                    } else {
                        try connection.execute("DELETE FROM mapping WHERE channel_key = $1", [.text(key)])
                    }
                isWritten = isWritten || count > 0
            }
            let rematched = try rematch(matcher)
            return isWritten || rematched > 0
        }
    }

    func setShift(ofMapping key: String, to shift: Int?, matcher: any ChannelMatching, now: Instant) throws {
        _ = try changeLineups(now) {
            let count = try connection.execute(
                "UPDATE mapping SET shift = $1 WHERE channel_key = $2 AND shift IS DISTINCT FROM $1",
                [.integer(shift.map { Int64($0) }), .text(key)])
            let rematched = try rematch(matcher)
            return count > 0 || rematched > 0
        }
    }

    /// Changes lineups in one transaction and renumbers the rows.
    ///
    /// - Parameter body: Returns whether it wrote anything; only then the generation increases.
    private func changeLineups(_ now: Instant, _ body: () throws -> Bool) throws -> Bool {
        try write {
            guard try body() else { return false }
            _ = try arrangeRows()
            try raiseGeneration(for: ChangeLogEntry(at: now, changesStations: true))
            return true
        }
    }

    /// Stores a lineup without stations, replacing that with the same name; returns whether anything was written.
    private func write(_ lineup: Lineup) throws -> Bool {
        if try storedLineup(named: lineup.name)?.lineup.bytes == lineup.bytes { return false }
        let id = try connection.integer(
            """
            INSERT INTO lineup (id, name, attributes) VALUES ((SELECT coalesce(max(id), 0) + 1 FROM lineup), $1, $2)
            ON CONFLICT (md5(name)) DO UPDATE SET attributes = excluded.attributes RETURNING id
            """, [.text(lineup.name), .json(StoredDocument.attributes(lineup.attributes))])
        try connection.execute("DELETE FROM channel WHERE lineup_id = $1", [.integer(id)])
        var rows = BinaryRows()
        for (ordinal, channel) in lineup.channels.enumerated() {
            rows.beginRow(11)
            rows.add(id)
            rows.add(Int64(ordinal))
            for value in channel.columns { rows.add(value) }
        }
        try connection.copy(
            rows,
            into: """
                channel (lineup_id, ordinal, name, number, guide_id, guide_name, logo, address, groups, attributes, directives)
                """)
        return true
    }

    /// Matches the channels of lineups again; returns the number of channels whose station or rule changed.
    func rematch(_ matcher: any ChannelMatching, lineups names: [String]? = nil) throws -> Int {
        let lineups = try (names ?? self.lineups()).compactMap { try storedLineup(named: $0) }
        guard !lineups.isEmpty else { return 0 }
        let derivedSource = try connection.sourceKey(Derivation.source.name)
        let stations = try connection.values("SELECT id, feed_id, document, described_by FROM station ORDER BY id") {
            row in
            let isDerived = derivedSource != nil && row.integerIfPresent(3) == derivedSource
            return (
                key: row.integer(0),
                station: Station(
                    id: StationID(row.text(1)), nodes: try StoredDocument.nodes(row.blob(2)), isDerived: isDerived)
            )
        }
        let matching = LineupMatching(matcher, stations, mappings: try mappings(), shifts: try mappingShifts())
        var count = 0
        for stored in lineups {
            let changes = matching.changes(of: stored)
            guard !changes.isEmpty else { continue }
            try connection.execute(
                """
                UPDATE channel c SET station_id = m.station, rule = m.rule
                FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS m (ordinal, station, rule)
                WHERE c.lineup_id = $1 AND c.ordinal = m.ordinal
                """,
                [
                    .integer(stored.id), .integers(changes.map { Int64($0.ordinal) }),
                    .integers(changes.map(\.station)), .texts(changes.map { $0.rule?.rawValue }),
                ])
            count += changes.count
        }
        return count
    }

    // MARK: - Stations and generations

    /// Updates the best source of stations, and whether there are others. Returns the number of changed stations.
    func resolveSources(of stations: [Int64]) throws -> Int {
        guard !stations.isEmpty else { return 0 }
        // Without coverage, its source stays the one that described it.
        return try connection.execute(
            """
            UPDATE station s SET source_id = coalesce(r.best, s.source_id), is_shared = r.count > 1
            FROM (
                SELECT t.id,
                    (SELECT c.source_id FROM coverage c JOIN source o ON o.id = c.source_id WHERE c.station_id = t.id
                        ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 1) AS best,
                    (SELECT count(*) FROM coverage c WHERE c.station_id = t.id) AS count
                FROM (SELECT DISTINCT id FROM unnest($1::bigint[]) AS u (id)) t
            ) r
            WHERE s.id = r.id
                AND (s.source_id IS DISTINCT FROM coalesce(r.best, s.source_id) OR s.is_shared <> (r.count > 1))
            """, [.integers(stations)])
    }

    /// Renumbers the rows and returns the number of moved stations; see ``RowPlace``.
    func arrangeRows() throws -> Int {
        let channels = try connection.values(
            """
            SELECT c.station_id, c.lineup_id,
                CASE WHEN c.attributes -> '\(Channel.listPlaceName)' IS NULL THEN c.number END, c.ordinal
            FROM lineup l JOIN channel c ON c.lineup_id = l.id
            WHERE c.station_id IS NOT NULL ORDER BY l.name, c.ordinal
            """
        ) { row in
            RowPlace.Channel(
                station: row.integer(0), lineup: row.integer(1),
                number: row.textIfPresent(2).flatMap { ChannelNumber($0) }, ordinal: row.integer(3))
        }
        let places = try connection.values("SELECT id, number, described_by, ordinal, position FROM station") { row in
            RowPlace(
                station: row.integer(0), number: row.textIfPresent(1).flatMap { ChannelNumber($0) },
                source: row.integerIfPresent(2), ordinal: row.integer(3), position: Int(row.integer(4)))
        }
        let moves = RowPlace.moves(of: places, channels: channels)
        guard !moves.isEmpty else { return 0 }
        try connection.execute(
            """
            UPDATE station s SET position = m.position FROM unnest($1::bigint[], $2::bigint[]) AS m (id, position)
            WHERE s.id = m.id
            """, [.integers(moves.map(\.station)), .integers(moves.map { Int64($0.position) })])
        return moves.count
    }

    /// Increments the generation and logs the changes.
    private func raiseGeneration(for entry: ChangeLogEntry) throws {
        let generation = try connection.integer("UPDATE guide SET generation = generation + 1 RETURNING generation")
        try log(entry, generation: generation ?? 0)
    }

    /// Sets a generation and identifiers that neither this guide nor a replaced one has used.
    func renew(after old: GuideState?, now: Instant) throws {
        try connection.execute(
            """
            UPDATE guide SET generation = greatest(generation, $1), next_airing = greatest(next_airing, $2)
            """, [.integer(old?.generation ?? 0), .integer(old?.nextAiring ?? 0)])
        try connection.execute("DELETE FROM generation")
        try raiseGeneration(for: ChangeLogEntry(at: now, changesStations: true))
    }

    /// Writes the entry of a new generation, after its stations, and removes old entries.
    func log(_ entry: ChangeLogEntry, generation: Int64) throws {
        // Remove all generations up to the last old one, so that numbers stay contiguous even if the clock was wrong.
        let last = try connection.integer(
            "SELECT max(generation) FROM generation WHERE at < $1", [.integer(entry.horizon.secondsSince1970)])
        if let last { try connection.execute("DELETE FROM generation WHERE generation <= $1", [.integer(last)]) }
        try connection.execute(
            "INSERT INTO generation (generation, nonce, at, changes_stations) VALUES ($1, $2, $3, $4)",
            [
                .integer(generation), .integer(.random(in: .min ... .max)), .integer(entry.at.secondsSince1970),
                .boolean(entry.changesStations),
            ])
        let stations = try connection.values(
            "SELECT id, is_shared FROM station WHERE id = ANY($1) ORDER BY id", [.integers(entry.stations)]
        ) { (key: $0.integer(0), isShared: $0.flag(1)) }
        var (whole, airings) = (BinaryRows(), BinaryRows())
        for station in stations {
            guard let changes = entry.extent(of: station.key, isShared: station.isShared) else { continue }
            whole.beginRow(3)
            whole.add(generation)
            whole.add(station.key)
            whole.add(changes == .whole)
            guard case .airings(let changed) = changes else { continue }
            for change in changed {
                airings.beginRow(7)
                for number in [generation, station.key, change.id.rawValue] { airings.add(number) }
                for window in [change.before, change.after] {
                    airings.add(window?.start.secondsSince1970)
                    airings.add(window?.end.secondsSince1970)
                }
            }
        }
        try connection.copy(whole, into: "change (generation, station_id, is_whole)")
        try connection.copy(
            airings,
            into: "airing_change (generation, station_id, airing_id, old_start, old_stop, new_start, new_stop)")
    }
}

extension Channel {
    /// The values of the columns from the name to the directives.
    fileprivate var columns: [[UInt8]?] {
        [name, number?.description, guideID, guideName, logo, url].map { $0.map(SQLValue.bytes) } + [
            StoredDocument.texts(groups), StoredDocument.attributes(attributes), StoredDocument.texts(directives),
        ]
    }
}

extension Lineup {
    /// The contents for a bytewise comparison, because `String` equality ignores Unicode normalization.
    fileprivate var bytes: [[UInt8]?] { [StoredDocument.attributes(attributes)] + channels.flatMap(\.columns) }
}
