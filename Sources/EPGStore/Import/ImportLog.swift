import EPGModel
import GRDB

/// The log of imports. Numbers are kept of the last hundred of each source, diagnostics of the last that differed.
enum ImportLog {
    /// The number of an import that begins.
    ///
    /// Its row is written at the end, for the reason at ``ContentWriter/flush()``.
    static func nextID(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM import") ?? 1
    }

    /// What the last import of a source found.
    static func last(
        ofSource source: Int64, in database: Database
    ) throws -> (diagnosticsOf: Int64, digest: [UInt8])? {
        try Row.fetchOne(
            database,
            sql: "SELECT diagnostics_of, diagnostics_digest FROM import WHERE source_id = ? ORDER BY id DESC LIMIT 1",
            arguments: [source]
        ).map { ($0["diagnostics_of"], $0.bytes("diagnostics_digest")) }
    }

    /// Removes what earlier imports of a source found; returns the programmes that only those may have kept.
    static func removeDiagnostics(ofSource source: Int64, but id: Int64, in database: Database) throws -> Set<Int64> {
        var released: Set<Int64> = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                DELETE FROM diagnostic WHERE import_id IN (SELECT id FROM import WHERE source_id = ? AND id <> ?)
                RETURNING programme_id, other_programme_id
                """, arguments: [source, id])
        while let row = try rows.next() {
            for programme in [row["programme_id"], row["other_programme_id"]] as [Int64?] {
                if let programme { released.insert(programme) }
            }
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
        let (report, id) = (outcome.report, outcome.importID)
        if let diagnosticsOf, diagnosticsOf != id {
            try database.execute(sql: "DELETE FROM diagnostic WHERE import_id = ?", arguments: [id])
        }
        try database.execute(
            sql: """
                INSERT INTO import (id, source_id, at, generation, read, stored, merged, dropped, skipped, filtered,
                    inserted, changed, removed, diagnostics_of, diagnostics_digest)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, source, now.secondsSince1970, outcome.generation.rawValue, report.programmesRead,
                report.airingsStored, report.merged, report.dropped.values.reduce(0, +),
                report.skipped.values.reduce(0, +), report.filtered, outcome.airingsInserted,
                outcome.airingsChanged + outcome.airingsMoved, outcome.airingsRemoved, diagnosticsOf ?? id, digest.data,
            ])
        try database.execute(
            sql: """
                DELETE FROM import WHERE source_id = :source AND id NOT IN
                    (SELECT id FROM import WHERE source_id = :source ORDER BY id DESC LIMIT 100)
                    AND id NOT IN
                    (SELECT diagnostics_of FROM import WHERE source_id = :source ORDER BY id DESC LIMIT 1)
                """, arguments: ["source": source])
    }
}
