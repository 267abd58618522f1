import EPGModel
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
