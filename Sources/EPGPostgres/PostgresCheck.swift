import EPGJSON
import EPGModel
import EPGSQL

extension PostgresReader {
    /// Checks the invariants that constraints cannot express, and counts the contents; see ``GuideStorage/check()``.
    func check() throws -> StoreCheck {
        var check = StoreCheck()
        for sql in Self.rules { check.problems += try connection.values(sql) { $0.text(0) } }
        check.problems += try undecodableDocuments()
        let sql = "SELECT digests FROM programme_digest"
        let live = try connection.values(sql) { DigestPiece.liveCount($0.blob(0)) }.reduce(0, +)
        check.generation = Generation(try connection.integer("SELECT generation FROM guide") ?? 0)
        check.stations = try stationCount()
        check.airings = Int(try connection.integer("SELECT count(*) FROM airing") ?? 0)
        check.programmes = Int(try connection.integer("SELECT count(*) FROM programme") ?? 0)
        check.range =
            try connection.first("SELECT min(start), max(stop) FROM airing") { $0.windowIfPresent(0, 1) } ?? nil
        check.bytes = Int(
            try connection.integer(
                """
                SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c
                WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))
                """) ?? 0)
        if live != check.programmes {
            check.problems.append(GuideProblem.digests.rawValue)
        }
        // A state with numbers out of range is among the problems.
        check.isSearchComplete = try check.problems.isEmpty && isSearchIndexCurrent()
        return check
    }

    /// Queries for problems.
    private static let rules = [
        // References without a foreign key.
        """
        SELECT 'airings of missing programmes: ' || count(*) FROM airing a
        WHERE NOT EXISTS (SELECT 1 FROM programme p WHERE p.id = a.programme_id) HAVING count(*) > 0
        """,
        """
        SELECT 'airings of missing transmissions: ' || count(*) FROM airing a WHERE a.transmission_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM transmission t WHERE t.id = a.transmission_id) HAVING count(*) > 0
        """,
        """
        SELECT 'coverage of missing stations: ' || count(*) FROM coverage c
        WHERE NOT EXISTS (SELECT 1 FROM station s WHERE s.id = c.station_id) HAVING count(*) > 0
        """,
        """
        SELECT 'diagnostics of missing imports or programmes: ' || count(*) FROM diagnostic d
        WHERE NOT EXISTS (SELECT 1 FROM import i WHERE i.id = d.import_id)
            OR d.programme_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM programme p WHERE p.id = d.programme_id)
            OR d.other_programme_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM programme p WHERE p.id = d.other_programme_id)
        HAVING count(*) > 0
        """,
        // Overlapping airings of a station and source that do not share a window.
        """
        SELECT 'two airings of station ' || station_id || ' overlap at '
            || to_char(to_timestamp(start) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        FROM (
            SELECT station_id, start, stop, lag(start) OVER airings AS previous_start, lag(stop) OVER airings AS previous_stop
            FROM airing WINDOW airings AS (PARTITION BY source_id, station_id ORDER BY start, part)) AS pairs
        WHERE previous_stop > start AND NOT (previous_start = start AND previous_stop = stop) LIMIT 100
        """,
        GuideState.invalidNumbersSQL,
        """
        SELECT '\(GuideProblem.digests.rawValue)' FROM guide WHERE EXISTS
            (SELECT 1 FROM programme_digest WHERE first_id > next_programme - length(digests) / \(DigestPiece.width))
        """,
        """
        SELECT '\(GuideProblem.stationRows.rawValue)'
        FROM (SELECT position, row_number() OVER (ORDER BY position) - 1 AS place FROM station) AS rows
        WHERE position <> place LIMIT 1
        """,
        """
        SELECT '\(GuideProblem.uncoveredStations.rawValue)' || count(*)
        FROM (SELECT source_id, station_id FROM airing EXCEPT SELECT source_id, station_id FROM coverage) AS uncovered
        HAVING count(*) > 0
        """,
        """
        SELECT '\(GuideProblem.sharedStations.rawValue)' || count(*) FROM station s
        WHERE is_shared <> ((SELECT count(*) FROM coverage c WHERE c.station_id = s.id) > 1) HAVING count(*) > 0
        """,
        """
        SELECT '\(GuideProblem.bestSources.rawValue)' || count(*) FROM station s
        WHERE s.source_id <> (
            SELECT c.source_id FROM coverage c JOIN source o ON o.id = c.source_id WHERE c.station_id = s.id
            ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 1)
        HAVING count(*) > 0
        """,
        """
        SELECT '\(GuideProblem.channelOrder.rawValue)' || count(*)
        FROM (SELECT ordinal, row_number() OVER (PARTITION BY lineup_id ORDER BY ordinal) - 1 AS place FROM channel) AS rows
        WHERE ordinal <> place HAVING count(*) > 0
        """,
        """
        SELECT '\(GuideProblem.favoriteOrder.rawValue)'
        FROM (SELECT position, row_number() OVER (ORDER BY position) - 1 AS place FROM favorite) AS rows
        WHERE position <> place LIMIT 1
        """,
        """
        SELECT '\(GuideProblem.changeLog.rawValue)' FROM guide
        WHERE generation <> (SELECT coalesce(max(generation), 0) FROM generation)
            OR (SELECT coalesce(max(generation) - min(generation) + 1, 0) <> count(*) FROM generation)
        """,
        """
        SELECT '\(GuideProblem.wholeSchedules.rawValue)' || count(*)
        FROM airing_change JOIN change USING (generation, station_id) WHERE is_whole HAVING count(*) > 0
        """,
    ]

    /// Returns unreadable documents of all tables.
    private func undecodableDocuments() throws -> [String] {
        let kinds: [(column: String, table: String, read: ([UInt8]) throws -> Void)] = [
            ("document", "programme", { _ = try StoredDocument.nodes($0) }),
            ("document", "station", { _ = try StoredDocument.nodes($0) }),
            ("attributes", "transmission", { _ = try StoredDocument.attributes($0) }),
            ("header", "source_state", { _ = try StoredDocument.attributes($0) }),
            ("attributes", "lineup", { _ = try StoredDocument.attributes($0) }),
            ("groups", "channel", { _ = try StoredDocument.texts($0) }),
            ("attributes", "channel", { _ = try StoredDocument.attributes($0) }),
            ("directives", "channel", { _ = try StoredDocument.texts($0) }),
            ("siblings", "reminder", { _ = try StoredDocument.texts($0) }),
        ]
        return try kinds.compactMap { column, table, read in
            var count = 0
            let sql = "SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL"
            try connection.rows(sql, streams: true) { row in
                do { try read(row.blob(0)) } catch is StoredDocument.Damage { count += 1 }
                return true
            }
            return count > 0 ? "rows of \(table) whose \(column) cannot be read: \(count)" : nil
        }
    }
}
