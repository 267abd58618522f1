import EPGJSON
package import EPGModel

extension SQLConnection {
    /// Checks the invariants that constraints cannot express, and counts the contents, into a check.
    package func inspect(_ check: inout StoreCheck) throws {
        for (part, sql) in rules {
            try inspect(part, &check) { check in check.problems += try values(sql) { $0.text(0) } }
        }
        try inspect("airings", &check) { $0.problems += try overlaps() }
        try inspect("digests", &check) { check in
            var live = 0
            try rows("SELECT digests FROM programme_digest", [], streams: true) { row in
                live += DigestPiece.liveCount(row.blob(0))
                return true
            }
            if try integer("SELECT count(*) FROM programme") != Int64(live) {
                check.problems.append(GuideProblem.digests.rawValue)
            }
        }
        try inspect("documents", &check) { $0.problems += try undecodableDocuments() }
        try count(&check)
    }

    /// Checks a part. An error that means damage is a problem, too.
    package func inspect(
        _ part: String, _ check: inout StoreCheck, _ body: (inout StoreCheck) throws -> Void
    ) throws {
        do {
            try body(&check)
        } catch {
            guard let reason = reason(ofDamage: error) else { throw error }
            check.problems.append("the \(part) cannot be read: \(reason)")
        }
    }

    /// Counts the contents of the guide as far as they are readable.
    package func count(_ check: inout StoreCheck) throws {
        try inspect("counts", &check) { check in
            func number(_ sql: String) throws -> Int { Int(try integer(sql) ?? 0) }
            check.generation = Generation(Int64(try number("SELECT generation FROM guide")))
            check.stations = try number("SELECT count(*) FROM station")
            check.airings = try number("SELECT count(*) FROM airing")
            check.programmes = try number("SELECT count(*) FROM programme")
            check.range = try first("SELECT min(start), max(stop) FROM airing") { $0.windowIfPresent(0, 1) } ?? nil
            check.bytes = try number(sizeSQL)
        }
    }

    /// Returns the overlapping airings of a station and source that do not share a window.
    private func overlaps() throws -> [String] {
        try values(
            """
            SELECT station_id, start
            FROM (
                SELECT station_id, start, stop, part,
                    lag(start) OVER airings AS previous_start, lag(stop) OVER airings AS previous_stop
                FROM airing WINDOW airings AS (PARTITION BY source_id, station_id ORDER BY start, part)) AS pairs
            WHERE previous_stop > start AND NOT (previous_start = start AND previous_stop = stop) LIMIT 100
            """
        ) { "two airings of station \($0.integer(0)) overlap at \(Instant(secondsSince1970: $0.integer(1)))" }
    }

    /// Returns unreadable documents of all tables.
    private func undecodableDocuments() throws -> [String] {
        var problems: [String] = []
        for table in GuideSchema.tables {
            for column in table.columns {
                guard case .document(let kind) = column.kind else { continue }
                var count = 0
                let sql = "SELECT \(column.name) FROM \(table.name) WHERE \(column.name) IS NOT NULL"
                try rows(sql, [], streams: true) { row in
                    if !kind.isReadable(row.blob(0)) { count += 1 }
                    return true
                }
                if count > 0 { problems.append("rows of \(table.name) whose \(column.name) cannot be read: \(count)") }
            }
        }
        return problems
    }

    /// Queries for problems.
    private var rules: KeyValuePairs<String, String> {
        [
            "identifiers": GuideState.invalidNumbersSQL,
            "digests": """
            SELECT '\(GuideProblem.digests.rawValue)' FROM guide WHERE EXISTS
                (SELECT 1 FROM programme_digest WHERE first_id > next_programme - length(digests) / \(DigestPiece.width))
            """,
            "stations": """
            SELECT '\(GuideProblem.stationRows.rawValue)'
            FROM (SELECT position, row_number() OVER (ORDER BY position) - 1 AS place FROM station) AS numbered
            WHERE position <> place LIMIT 1
            """,
            "coverage": """
            SELECT '\(GuideProblem.uncoveredStations.rawValue)' || count(*)
            FROM (SELECT source_id, station_id FROM airing EXCEPT SELECT source_id, station_id FROM coverage) AS uncovered
            HAVING count(*) > 0
            """,
            "shared stations": """
            SELECT '\(GuideProblem.sharedStations.rawValue)' || count(*) FROM station s
            WHERE is_shared <> ((SELECT count(*) FROM coverage c WHERE c.station_id = s.id) > 1) HAVING count(*) > 0
            """,
            "sources of stations": """
            SELECT '\(GuideProblem.bestSources.rawValue)' || count(*) FROM station s
            WHERE s.source_id <> (
                SELECT c.source_id FROM coverage c JOIN source o ON o.id = c.source_id WHERE c.station_id = s.id
                ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 1)
            HAVING count(*) > 0
            """,
            "channels": """
            SELECT '\(GuideProblem.channelOrder.rawValue)' || count(*)
            FROM (SELECT ordinal, row_number() OVER (PARTITION BY lineup_id ORDER BY ordinal) - 1 AS place FROM channel)
                AS numbered
            WHERE ordinal <> place HAVING count(*) > 0
            """,
            "favorites": """
            SELECT '\(GuideProblem.favoriteOrder.rawValue)'
            FROM (SELECT position, row_number() OVER (ORDER BY position) - 1 AS place FROM favorite) AS numbered
            WHERE position <> place LIMIT 1
            """,
            "change log": """
            SELECT '\(GuideProblem.changeLog.rawValue)' FROM guide
            WHERE generation <> (SELECT coalesce(max(generation), 0) FROM generation)
                OR (SELECT coalesce(max(generation) - min(generation) + 1, 0) <> count(*) FROM generation)
            """,
            "changes": """
            SELECT '\(GuideProblem.wholeSchedules.rawValue)' || count(*)
            FROM airing_change JOIN change USING (generation, station_id) WHERE is_whole HAVING count(*) > 0
            """,
        ]
    }
}
