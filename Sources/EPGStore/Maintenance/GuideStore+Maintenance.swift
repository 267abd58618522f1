import EPGJSON
package import EPGModel
import EPGSQL
import EPGSearch
import GRDB
import Synchronization

extension GuideStore {
    /// Checks the guide and its search index; see ``GuideStorage/check()``.
    package func check() throws -> StoreCheck {
        // An import of this store may still be writing the search index.
        lastFeed.withLock { $0 }?.waitUntilEnded()
        var check = try checkGuide()
        do {
            check.isSearchComplete = try isSearchIndexCurrent()
            check.searchDamage = try searchDifference().map { "\(SearchIndex.path(ofGuide: path)): \($0)" }
        } catch StoreError.damaged(let path, let detail), StoreError.inaccessible(let path, let detail) {
            check.isSearchComplete = false
            check.searchDamage = "\(path) cannot be read: \(detail)"
        } catch is SearchIndexMissing {
            check.isSearchComplete = false
        }
        return check
    }

    /// Checks SQLite's integrity, foreign keys, and invariants that constraints cannot express.
    func checkGuide() throws -> StoreCheck {
        try read { database in
            var check = StoreCheck()
            for rule in Self.rules {
                check.inspect(rule.key) { check in
                    let problems = try String.fetchAll(database, sql: rule.value)
                    check.problems += problems.filter { $0 != "ok" }.map(\.oneLine)
                }
            }
            check.inspect("constraints") { $0.problems += try Self.violatedConstraints(database) }
            check.inspect("programmes") { check in
                if try database.number("SELECT count(*) FROM programme") != DigestPiece.liveCount(database) {
                    check.problems.append(GuideProblem.digests.rawValue)
                }
            }
            check.inspect("documents") { $0.problems += try Self.undecodableDocuments(database) }
            check.count(database)
            return check
        }
    }

    /// Queries for problems. With `GROUP BY NULL`, a count of nothing has no row.
    private static let rules: KeyValuePairs = [
        "integrity": "PRAGMA integrity_check(100)",
        "references": """
        SELECT 'a row of ' || "table" || ' references a missing row of ' || parent
        FROM pragma_foreign_key_check LIMIT 100
        """,
        // Overlapping airings of a station and source that do not share a window.
        "airings": """
        SELECT 'two airings of station ' || station_id || ' overlap at '
            || ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', start, 'unixepoch'), start)
        FROM (
            SELECT station_id, start, stop, part,
                lag(start) OVER airings AS previous_start, lag(stop) OVER airings AS previous_stop
            FROM airing WINDOW airings AS (PARTITION BY source_id, station_id ORDER BY start, part))
        WHERE previous_stop > start AND NOT (previous_start = start AND previous_stop = stop) LIMIT 100
        """,
        "identifiers": GuideState.invalidNumbersSQL,
        "digests": """
        SELECT '\(GuideProblem.digests.rawValue)' FROM guide WHERE EXISTS
            (SELECT 1 FROM programme_digest WHERE first_id > next_programme - length(digests) / \(DigestPiece.width))
        """,
        "stations": """
        SELECT '\(GuideProblem.stationRows.rawValue)'
        FROM (SELECT position, row_number() OVER (ORDER BY position) - 1 AS place FROM station)
        WHERE position <> place LIMIT 1
        """,
        "sources of stations": """
        SELECT '\(GuideProblem.uncoveredStations.rawValue)' || count(*)
        FROM (SELECT DISTINCT source_id, station_id FROM airing EXCEPT SELECT source_id, station_id FROM coverage)
        GROUP BY NULL
        UNION ALL
        SELECT '\(GuideProblem.sharedStations.rawValue)' || count(*) FROM station s
        WHERE is_shared <> ((SELECT count(*) FROM coverage c WHERE c.station_id = s.id) > 1)
        GROUP BY NULL
        UNION ALL
        SELECT '\(GuideProblem.bestSources.rawValue)' || count(*) FROM station s
        WHERE s.source_id <> (
            SELECT c.source_id FROM coverage c CROSS JOIN source o ON o.id = c.source_id WHERE c.station_id = s.id
            ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 1)
        GROUP BY NULL
        UNION ALL
        SELECT '\(GuideProblem.channelOrder.rawValue)' || count(*)
        FROM (SELECT ordinal, row_number() OVER (PARTITION BY lineup_id ORDER BY ordinal) - 1 AS place FROM channel)
        WHERE ordinal <> place
        GROUP BY NULL
        """,
        "favorites": """
        SELECT '\(GuideProblem.favoriteOrder.rawValue)'
        FROM (SELECT position, row_number() OVER (ORDER BY position) - 1 AS place FROM favorite)
        WHERE position <> place LIMIT 1
        """,
        "changes": """
        SELECT '\(GuideProblem.changeLog.rawValue)' FROM guide
        WHERE generation <> (SELECT ifnull(max(generation), 0) FROM generation)
            OR (SELECT ifnull(max(generation) - min(generation) + 1, 0) <> count(*) FROM generation)
        UNION ALL
        SELECT '\(GuideProblem.wholeSchedules.rawValue)' || count(*)
        FROM airing_change JOIN change USING (generation, station_id) WHERE is_whole
        GROUP BY NULL
        """,
    ]

    /// Returns rows that violate a CHECK constraint of their table. `integrity_check` does not find them, because SQLite ignores
    /// these constraints on read-only connections (`sqlite3AddCheckConstraint`).
    private static func violatedConstraints(_ database: Database) throws -> [String] {
        try Schema.objects().filter { $0.type == "table" }.sorted { $0.name < $1.name }.flatMap { table in
            try checks(in: table.normalized.sql).compactMap { check in
                let count = try database.number("SELECT count(*) FROM \(table.name) WHERE NOT (\(check))")
                return count > 0 ? "rows of \(table.name) that break CHECK (\(check)): \(count)" : nil
            }
        }
    }

    /// Returns the conditions of the CHECK constraints in the SQL of a table, whose texts and comments contain no parentheses
    /// that could be mistaken for SQL.
    private static func checks(in sql: String) -> [Substring] {
        sql.ranges(of: "CHECK (").map { start in
            var depth = 1
            return sql[start.upperBound...].prefix { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth > 0
            }
        }
    }

    /// Returns unreadable documents of all tables.
    private static func undecodableDocuments(_ database: Database) throws -> [String] {
        let kinds: [(column: String, table: String, read: (Row, String) throws -> Void)] = [
            ("document", "programme", { _ = try $0.nodes($1) }), ("document", "station", { _ = try $0.nodes($1) }),
            ("attributes", "transmission", { _ = try $0.attributes($1) }),
            ("header", "source_state", { _ = try $0.attributes($1) }),
            ("attributes", "lineup", { _ = try $0.attributes($1) }), ("groups", "channel", { _ = try $0.texts($1) }),
            ("attributes", "channel", { _ = try $0.attributes($1) }),
            ("directives", "channel", { _ = try $0.texts($1) }),
            ("siblings", "reminder", { _ = try $0.texts($1) }),
        ]
        return try kinds.compactMap { column, table, read in
            var count = 0
            let rows = try Row.fetchCursor(database, sql: "SELECT \(column) FROM \(table)")
            while let row = try rows.next() {
                do { try read(row, column) } catch is StoredDocument.Damage { count += 1 }
            }
            return count > 0 ? "rows of \(table) whose \(column) cannot be read: \(count)" : nil
        }
    }

    package func isSearchIndexCurrent() throws -> Bool {
        try read { database in
            let state = try GuideState(database)
            guard state.nextProgramme > 1 else { return true }
            do {
                return try readSearchIndex { try SearchIndex.mark($0).isCurrent(for: state) } ?? false
            } catch is SearchIndexMissing {
                return false
            }
        }
    }

    /// Returns a difference between the entries of the search index and the programmes of the guide; `nil` if there is none, or
    /// the index is not current.
    private func searchDifference() throws -> String? {
        try read { database in
            let state = try GuideState(database)
            return try readSearchIndex { index in
                let mark = try SearchIndex.mark(index)
                guard mark.isCurrent(for: state) else { return nil }
                let entries = try SearchIndex.entryCount(index)
                let removed = try entries - Int64(DigestPiece.liveCount(database))
                if removed < 0 { return "programmes of the guide that are missing from it: \(-removed)" }
                // Until the counts are verified, the next import or refresh will check them.
                if mark.verified == state.generation, SearchIndex.isWorthRebuilding(dead: removed, entries: entries) {
                    return "programmes that are no longer in the guide: \(removed) of \(entries)"
                }
                return nil
            } ?? nil
        }
    }
}

extension StoreCheck {
    /// Counts the contents of a guide without a check.
    init(counting database: Database) {
        self.init()
        count(database)
    }

    /// Checks a part; an error of the check is a problem, too.
    fileprivate mutating func inspect(_ part: String, _ body: (inout StoreCheck) throws -> Void) {
        do {
            try body(&self)
        } catch {
            let reason = (error as? DatabaseError)?.message ?? "\(error)"
            problems.append("the \(part) cannot be read: \(reason.oneLine)")
        }
    }

    /// Counts the contents of the guide as far as they are readable.
    fileprivate mutating func count(_ database: Database) {
        inspect("counts") { check in
            check.generation = Generation(Int64(try database.number("SELECT generation FROM guide")))
            check.stations = try database.number("SELECT count(*) FROM station")
            check.airings = try database.number("SELECT count(*) FROM airing")
            check.programmes = try database.number("SELECT count(*) FROM programme")
            check.range =
                try database.values("SELECT min(start), max(stop) FROM airing") { $0.windowIfPresent(0, 1) }
                .first ?? nil
            check.bytes = try database.number(
                "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        }
    }
}

extension Database {
    fileprivate func number(_ sql: String) throws -> Int { try Int.fetchOne(self, sql: sql) ?? 0 }
}

extension String {
    /// The text with blanks in place of line breaks, which SQLite uses between problems.
    fileprivate var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
