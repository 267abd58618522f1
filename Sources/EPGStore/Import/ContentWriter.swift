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
    private let importID: Int64
    private var diagnosticCount: Int64 = 0
    private var waiting: [Diagnostic] = []

    init(_ database: Database, importID: Int64) throws {
        self.database = database
        self.importID = importID
        programme = try BulkInsert(database, into: "programme", columns: ContentBatch.ProgrammeRow.columns)
        transmission = try InsertStatement(database, "INSERT INTO transmission (id, hash, attributes) VALUES (?, ?, ?)")
        diagnostic = try BulkInsert(database, into: "diagnostic", columns: Diagnostic.columns)
    }

    func write(_ batch: ContentBatch) throws {
        try batch.documents.withUnsafeBytes { documents in
            try batch.texts.withUnsafeBytes { texts in
                try programme.run(batch.programmes) { binder, row in
                    var sink = BoundRow(binder: binder)
                    row.write(to: &sink, texts: texts, documents: documents)
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

    /// Forgets the buffered diagnostics.
    func dropWaiting() { waiting = [] }

    /// Writes the buffered diagnostics.
    func flush() throws {
        try diagnostic.run(waiting) { binder, found in
            diagnosticCount += 1
            var sink = BoundRow(binder: binder)
            found.write(to: &sink, importID: importID, ordinal: diagnosticCount)
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
