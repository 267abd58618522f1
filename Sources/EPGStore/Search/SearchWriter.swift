import EPGModel
import GRDB

/// Puts programmes into the full-text index.
final class SearchWriter {
    private let insert: InsertStatement
    /// How many were put in.
    private(set) var count: Int64 = 0

    init(_ database: Database) throws {
        insert = try InsertStatement(
            database, "INSERT INTO text (rowid, title, subtitle, description) VALUES (?, ?, ?, ?)")
    }

    /// Programmes of a batch.
    func add(_ batch: ContentBatch) throws {
        try batch.bytes.withUnsafeBytes { bytes in
            for row in batch.programmes {
                try add(row.id, [row.title, row.subtitle, row.description], of: bytes)
            }
        }
    }

    /// Programmes of the guide with a number above one.
    func add(from guide: Database, above number: Int64) throws {
        try guide.rows(
            "SELECT id, title, subtitle, description FROM programme WHERE id > ? ORDER BY id", .integer(number)
        ) { columns in
            try insert.run { binder in
                binder.integer(1, columns.integer(0))
                for column in Int32(1)...3 {
                    columns.withBytes(column) { bytes in bind(bytes, at: column + 1, binder) }
                }
            }
            count += 1
            return true
        }
    }

    private func add(_ id: Int64, _ fields: [ContentBatch.Field], of bytes: UnsafeRawBufferPointer) throws {
        try insert.run { binder in
            binder.integer(1, id)
            for (index, field) in fields.enumerated() {
                let piece =
                    field.isAbsent
                    ? nil
                    : UnsafeRawBufferPointer(
                        rebasing: bytes[Int(field.offset)..<Int(field.offset) + Int(field.count)])
                bind(piece, at: Int32(index + 2), binder)
            }
        }
        count += 1
    }

    /// Binds a text as ``SearchText`` prepares it, or NULL for none.
    private func bind(_ text: UnsafeRawBufferPointer?, at column: Int32, _ binder: InsertStatement.Binder) {
        if let text, SearchText.mayNeedPreparation(text) {
            binder.text(column, SearchText.prepared(String(decoding: text, as: UTF8.self)))
        } else {
            binder.text(column, bytes: text)
        }
    }
}
