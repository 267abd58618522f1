package import EPGModel
import EPGSearch
import GRDB

/// The log of imports. It keeps the counts of the last 100 imports per source, and the diagnostics of the last that differed.
enum ImportLog {
    /// Returns the import that has the diagnostics of the last import, and their digest.
    static func last(ofSource source: Int64, in database: Database) throws -> (importID: Int64, digest: [UInt8])? {
        try Row.fetchOne(database, sql: lastSQL, arguments: [source])
            .map { ($0["diagnostics_of"], $0.bytes("diagnostics_digest")) }
    }

    static let lastSQL = "SELECT * FROM import WHERE source_id = ? ORDER BY id DESC LIMIT 1"

    /// Returns the counts of the last imports of a source, newest first.
    static func summaries(ofSource source: Int64, limit: Int, in database: Database) throws -> [ImportSummary] {
        let sql = "SELECT * FROM import WHERE source_id = ? ORDER BY id DESC LIMIT ?"
        return try Row.fetchAll(database, sql: sql, arguments: [source, max(0, limit)]).map { row in
            var summary = ImportSummary(
                at: Instant(secondsSince1970: row["at"]), generation: Generation(row["generation"]))
            summary.id = row["id"]
            summary.read = row["read"]
            summary.stored = row["stored"]
            summary.dropped = row["dropped"]
            summary.inserted = row["inserted"]
            summary.changed = row["changed"]
            summary.removed = row["removed"]
            return summary
        }
    }

    /// Removes the diagnostics of earlier imports, and returns the programmes that may have become unused.
    static func removeDiagnostics(ofSource source: Int64, but id: Int64, in database: Database) throws -> Set<Int64> {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = ? AND id <> ?)
                RETURNING programme_id, other_programme_id
                """, arguments: [source, id])
        return try Set(rows.flatMap { [$0["programme_id"], $0["other_programme_id"]] as [Int64?] }.compactMap { $0 })
    }

    /// Writes an entry and removes old ones.
    static func write(_ entry: ImportLogEntry, in database: Database) throws {
        let head = [entry.id, entry.source, entry.at.secondsSince1970, entry.generation.rawValue]
        try database.execute(
            sql: """
                INSERT INTO import (id, source_id, at, generation, read, stored, merged, dropped, skipped, filtered,
                    inserted, changed, removed, diagnostics_of, diagnostics_digest)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: StatementArguments(head + entry.counts + [entry.diagnosticsOf]) + [entry.digest.data])
        try database.execute(
            sql: """
                DELETE FROM import WHERE source_id = :source AND id NOT IN
                    (SELECT id FROM import WHERE source_id = :source ORDER BY id DESC LIMIT 100)
                    AND id NOT IN
                    (SELECT diagnostics_of FROM import WHERE source_id = :source ORDER BY id DESC LIMIT 1)
                """, arguments: ["source": entry.source])
    }
}

extension GuideStore {
    package func imports(ofSource name: String, limit: Int) throws -> [ImportSummary] {
        try read { database in
            let id = try Int64.fetchOne(database, sql: "SELECT id FROM source WHERE name = ?", arguments: [name])
            return try id.map { try ImportLog.summaries(ofSource: $0, limit: limit, in: database) } ?? []
        }
    }

    package func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT d.*, p.title AS title, o.title AS other_title
                    FROM import i JOIN diagnostic d ON d.import_id = i.diagnostics_of
                    LEFT JOIN programme p ON p.id = d.programme_id
                    LEFT JOIN programme o ON o.id = d.other_programme_id
                    WHERE i.id = ? ORDER BY d.ordinal
                    """, arguments: [id])
            while let row = try rows.next() {
                guard let diagnostic = Self.diagnostic(row) else { continue }
                if try !body(diagnostic) { return }
            }
        }
    }

    /// Returns the diagnostic of a row; `nil` for an unknown keyword.
    private static func diagnostic(_ row: Row) -> Diagnostic? {
        guard let severity = Diagnostic.Severity(rawValue: row["severity"]),
            let keyword = Diagnostic.Keyword(rawValue: row["keyword"]),
            let action = Diagnostic.Action(rawValue: row["action"])
        else { return nil }
        var diagnostic = Diagnostic(
            severity: severity, keyword: keyword, action: action, line: row["line"],
            station: (row["station"] as String?).map { StationID($0) }, quote: row["quote"])
        diagnostic.listing = reference(row, "")
        diagnostic.other = reference(row, "other_")
        diagnostic.window = row.window("window_start", "window_stop")
        return diagnostic
    }

    /// Returns the listing of four columns with a prefix; `nil` if there is none.
    private static func reference(_ row: Row, _ prefix: String) -> Diagnostic.Reference? {
        row.instant(prefix + "start").map { start in
            var reference = Diagnostic.Reference(
                line: row[prefix + "line"] ?? 0, start: start, stop: row.instant(prefix + "stop"),
                programme: row[prefix + "programme_id"] ?? 0)
            reference.title = row[prefix + "title"]
            return reference
        }
    }
}

extension GuideState {
    init(_ database: Database) throws {
        let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM guide"))
        guard let row, let key = ContentHash(blob: row.bytes("content_key")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table guide has no row")
        }
        self.init(
            contentKey: key, generation: row["generation"], nextAiring: row["next_airing"],
            nextProgramme: row["next_programme"], nextTransmission: row["next_transmission"])
        if let column = invalidColumn {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "\(GuideProblem.identifiers.rawValue) (\(column))")
        }
    }

    /// Writes the row if it differs.
    func write(to database: Database) throws {
        let numbers = "(generation, next_airing, next_programme, next_transmission)"
        try database.execute(
            sql: "UPDATE guide SET \(numbers) = (?1, ?2, ?3, ?4) WHERE \(numbers) <> (?1, ?2, ?3, ?4)",
            arguments: [generation, nextAiring, nextProgramme, nextTransmission])
    }

    /// Increments the generation and logs the changes.
    static func raiseGeneration(_ database: Database, for entry: ChangeLogEntry) throws {
        var state = try GuideState(database)
        // An overflow violates a constraint.
        state.generation &+= 1
        try state.write(to: database)
        try ChangeLog.write(entry, generation: state.generation, in: database)
    }
}
