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

    /// Checks SQLite's integrity, foreign keys, constraints, and what both engines check.
    func checkGuide() throws -> StoreCheck {
        try read { database in
            let connection = SQLiteConnection(database: database)
            var check = StoreCheck()
            for (part, sql) in [
                ("integrity", "PRAGMA integrity_check(100)"),
                (
                    "references",
                    """
                    SELECT 'a row of ' || "table" || ' references a missing row of ' || parent
                    FROM pragma_foreign_key_check LIMIT 100
                    """
                ),
            ] {
                try connection.inspect(part, &check) { check in
                    check.problems += try String.fetchAll(database, sql: sql).filter { $0 != "ok" }.map(\.oneLine)
                }
            }
            try connection.inspect("constraints", &check) { $0.problems += try Self.violatedConstraints(database) }
            try connection.inspect(&check)
            return check
        }
    }

    /// Returns rows that violate a CHECK constraint of their table. `integrity_check` does not find them, because SQLite ignores
    /// these constraints on read-only connections (`sqlite3AddCheckConstraint`).
    private static func violatedConstraints(_ database: Database) throws -> [String] {
        try GuideSchema.tables.flatMap { table in
            try table.checks.compactMap { check in
                let count =
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.name) WHERE NOT \(check)") ?? 0
                return count > 0 ? "rows of \(table.name) that break CHECK \(check): \(count)" : nil
            }
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
    init(counting database: Database) throws {
        self.init()
        try SQLiteConnection(database: database).count(&self)
    }
}

extension String {
    /// The text with blanks in place of line breaks, which SQLite uses between problems.
    var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
