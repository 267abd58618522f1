import EPGModel
import EPGSQL
import EPGSearch
import FoundationEssentials
import GRDB

/// A writer of the programmes, transmissions and diagnostics of an import.
final class ContentWriter {
    private let database: Database
    private let programme: BulkInsert
    private let transmission: InsertStatement
    private let diagnostic: BulkInsert
    private var diagnosticCount: Int64 = 0
    private var waiting: [Diagnostic] = []

    init(_ database: Database, importID: Int64) throws {
        self.database = database
        programme = try BulkInsert(
            database,
            into: """
                programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document, is_derived,
                    genre)
                """, row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        transmission = try InsertStatement(database, "INSERT INTO transmission (id, hash, attributes) VALUES (?, ?, ?)")
        diagnostic = try BulkInsert(
            database,
            into: """
                diagnostic (import_id, ordinal, severity, keyword, action, line, station, start, stop, programme_id,
                    other_line, other_start, other_stop, other_programme_id, window_start, window_stop, quote)
                """, row: "(\(importID), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    }

    func write(_ batch: ContentBatch) throws {
        try batch.documents.withUnsafeBytes { documents in
            try batch.texts.withUnsafeBytes { texts in
                try programme.run(batch.programmes) { binder, row in
                    binder.integer(1, row.id)
                    binder.text(2, bytes: row.title.bytes(in: texts))
                    binder.text(3, bytes: row.subtitle.bytes(in: texts))
                    binder.text(4, bytes: row.category.bytes(in: texts))
                    binder.text(5, bytes: row.description.bytes(in: texts))
                    binder.integer(6, row.marks.contains(.new) ? 1 : 0)
                    binder.integer(7, row.marks.contains(.premiere) ? 1 : 0)
                    binder.integer(8, row.marks.contains(.live) ? 1 : 0)
                    binder.text(9, bytes: row.document.bytes(in: documents))
                    binder.integer(10, row.marks.contains(.derived) ? 1 : 0)
                    binder.integer(11, Int64(row.genre.rawValue))
                }
            }
            for row in batch.transmissions {
                try transmission.run { binder in
                    binder.integer(1, row.id)
                    binder.blob(2, row.hash.blob)
                    binder.text(3, bytes: row.attributes.bytes(in: documents))
                }
            }
        }
        guard let first = batch.programmes.first else { return }
        try database.execute(
            sql: "INSERT INTO programme_digest (first_id, digests) VALUES (?, ?)",
            arguments: [first.id, Data(DigestPiece.bytes(of: batch.programmes))])
    }

    /// Writes diagnostics later, because SQLite rereads its whole log at commit if a page changes repeatedly during a long
    /// transaction.
    func write(_ diagnostics: [Diagnostic]) throws {
        waiting += diagnostics
        if waiting.count > 50_000 { try flush() }
    }

    /// Writes the buffered diagnostics.
    func flush() throws {
        try diagnostic.run(waiting) { binder, found in
            diagnosticCount += 1
            binder.integer(1, diagnosticCount)
            binder.text(2, found.severity.rawValue)
            binder.text(3, found.keyword.rawValue)
            binder.text(4, found.action.rawValue)
            binder.integer(5, Int64(found.line))
            binder.text(6, found.station?.rawValue)
            binder.integer(7, found.listing?.start.secondsSince1970)
            binder.integer(8, found.listing?.stop?.secondsSince1970)
            binder.integer(9, found.listing?.programme)
            binder.integer(10, found.other.map { Int64($0.line) })
            binder.integer(11, found.other?.start.secondsSince1970)
            binder.integer(12, found.other?.stop?.secondsSince1970)
            binder.integer(13, found.other?.programme)
            binder.integer(14, found.window?.start.secondsSince1970)
            binder.integer(15, found.window?.end.secondsSince1970)
            binder.text(16, found.quote)
        }
        waiting = []
    }
}

extension DigestPiece {
    /// Returns the number of programmes that are not removed.
    static func liveCount(_ database: Database) throws -> Int {
        try Row.fetchCursor(database, sql: "SELECT digests FROM programme_digest").reduce(0) { count, row in
            count + liveCount(row.bytes("digests"))
        }
    }
}
