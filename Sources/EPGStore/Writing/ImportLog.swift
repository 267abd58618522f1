import EPGModel
import GRDB

/// The log of imports. Numbers are kept of the last hundred of each source, diagnostics of the last that differed.
enum ImportLog {
    /// What the last import of a source found.
    struct Last {
        let diagnosticsOf: Int64
        let digest: ContentHash
    }

    private static let kept = 100

    /// The number of an import that begins.
    ///
    /// Its row is written at the end: a page of the database that was written early and is changed again would make
    /// SQLite read the whole log of the transaction once more.
    static func nextID(in database: Database) throws -> Int64 {
        try database.firstRow("SELECT ifnull(max(id), 0) + 1 FROM import") { $0.integer(0) } ?? 1
    }

    static func last(ofSource source: Int64, before id: Int64, in database: Database) throws -> Last? {
        try database.firstRow(
            """
            SELECT diagnostics_of, diagnostics_digest FROM import WHERE source_id = ? AND id < ? ORDER BY id DESC LIMIT 1
            """, .integer(source), .integer(id)
        ) { columns in
            ContentHash(blob: columns.blob(1)).map { Last(diagnosticsOf: columns.integer(0), digest: $0) }
        } ?? nil
    }

    /// Removes what earlier imports of a source found; returns the programmes that only those may have kept.
    static func removeDiagnostics(ofSource source: Int64, but id: Int64, in database: Database) throws -> Set<Int64> {
        var released: Set<Int64> = []
        try database.rows(
            """
            DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = ? AND id <> ?)
            RETURNING programme_id, other_programme_id
            """, .integer(source), .integer(id)
        ) { columns in
            if let programme = columns.integerIfPresent(0) { released.insert(programme) }
            if let programme = columns.integerIfPresent(1) { released.insert(programme) }
            return true
        }
        return released
    }

    /// Writes the row of an import.
    ///
    /// - Parameter diagnosticsOf: The import that found the same and holds the diagnostics; `nil` for this one.
    static func finish(
        _ outcome: ImportOutcome, source: Int64, now: Instant, diagnosticsOf: Int64?, digest: ContentHash,
        in database: Database
    ) throws {
        let report = outcome.report
        let id = outcome.importID
        if let diagnosticsOf, diagnosticsOf != id {
            try database.run("DELETE FROM diagnostic WHERE import_id = ?", .integer(id))
        }
        try database.run(
            """
            INSERT INTO import (id, source_id, at, generation, read, stored, merged, dropped, skipped, filtered,
                inserted, changed, removed, diagnostics_of, diagnostics_digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(id), .integer(source), .integer(now.secondsSince1970),
            .integer(outcome.generation.rawValue), .integer(Int64(report.programmesRead)),
            .integer(Int64(report.airingsStored)), .integer(Int64(report.merged)),
            .integer(Int64(report.dropped.values.reduce(0, +))), .integer(Int64(report.skipped.values.reduce(0, +))),
            .integer(Int64(report.filtered)), .integer(Int64(outcome.airingsInserted)),
            .integer(Int64(outcome.airingsChanged + outcome.airingsMoved)), .integer(Int64(outcome.airingsRemoved)),
            .integer(diagnosticsOf ?? id), .blob(digest.blob))
        try database.run(
            """
            DELETE FROM import WHERE source_id = ?1 AND id NOT IN
                (SELECT id FROM import WHERE source_id = ?1 ORDER BY id DESC LIMIT \(kept))
                AND id NOT IN (SELECT diagnostics_of FROM import WHERE source_id = ?1 ORDER BY id DESC LIMIT 1)
            """, .integer(source))
    }
}
