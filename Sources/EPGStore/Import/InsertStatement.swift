import EPGModel
import GRDB
import GRDBSQLite

/// A prepared statement of the import's hot path: bytes are bound where they lie, without a copy and without a `String`.
struct InsertStatement {
    private let prepared: Statement
    private let database: Database

    init(_ database: Database, _ sql: String) throws {
        self.database = database
        prepared = try database.makeStatement(sql: sql)
    }

    /// Binds the values of one row and runs the statement.
    ///
    /// What `bind` binds must stay where it is until this returns: SQLite reads it while it steps.
    func run(_ bind: (Binder) -> Void) throws {
        let statement = prepared.sqliteStatement
        bind(Binder(statement: statement))
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw database.failure(code, in: prepared) }
    }

    struct Binder {
        fileprivate let statement: OpaquePointer

        func integer(_ index: Int32, _ value: Int64) {
            sqlite3_bind_int64(statement, index, value)
        }

        func integer(_ index: Int32, _ value: Int64?) {
            if let value { sqlite3_bind_int64(statement, index, value) } else { sqlite3_bind_null(statement, index) }
        }

        func instant(_ index: Int32, _ value: Instant?) {
            integer(index, value?.secondsSince1970)
        }

        /// A piece of a batch as a text, or NULL.
        func text(_ index: Int32, _ field: ContentBatch.Field, of bytes: UnsafeRawBufferPointer) {
            text(index, bytes: base(field, bytes).map { UnsafeRawBufferPointer(start: $0, count: Int(field.count)) })
        }

        /// Bytes as a text, or NULL.
        func text(_ index: Int32, bytes: UnsafeRawBufferPointer?) {
            guard let bytes else {
                sqlite3_bind_null(statement, index)
                return
            }
            // An empty text has no bytes to point to, which SQLite would take for NULL.
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let base, !bytes.isEmpty else {
                sqlite3_bind_text(statement, index, "", 0, nil)
                return
            }
            sqlite3_bind_text(statement, index, base, Int32(bytes.count), nil)
        }

        /// Bytes as a blob, which SQLite copies.
        func blob(_ index: Int32, _ bytes: [UInt8]) {
            bytes.withUnsafeBytes { buffer in
                _ = sqlite3_bind_blob(
                    statement, index, buffer.baseAddress, Int32(buffer.count),
                    unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        }

        func text(_ index: Int32, _ value: String?) {
            guard let value else {
                sqlite3_bind_null(statement, index)
                return
            }
            // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
            sqlite3_bind_text(statement, index, value, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }

        func hash(_ index: Int32, _ hash: ContentHash) {
            var words = (hash.high.bigEndian, hash.low.bigEndian)
            withUnsafeBytes(of: &words) { bytes in
                _ = sqlite3_bind_blob(
                    statement, index, bytes.baseAddress, 16, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        }

        private func base(
            _ field: ContentBatch.Field, _ bytes: UnsafeRawBufferPointer
        ) -> UnsafeRawPointer? {
            guard !field.isAbsent else { return nil }
            precondition(Int(field.offset) + Int(field.count) <= bytes.count)
            return bytes.baseAddress.map { $0 + Int(field.offset) }
        }
    }
}

extension ContentHash {
    /// The hash of a column: 16 bytes, the high word first; `nil` for anything else.
    init?(blob: [UInt8]) {
        guard blob.count == 16 else { return nil }
        func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(blob.prefix(8)), low: word(blob.suffix(8)))
    }

    /// The bytes of the column.
    var blob: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }
}
