import EPGModel
import GRDB
import GRDBSQLite

/// A prepared statement of the import's hot path: bytes are bound where they lie, without a copy and without a `String`.
///
/// Measured (`row-benchmark` of Benchmarks): a row takes half of the time of GRDB's `Statement.execute(arguments:)`.
struct InsertStatement {
    private let prepared: Statement
    private let database: Database

    init(_ database: Database, _ sql: String) throws {
        self.database = database
        prepared = try database.makeStatement(sql: sql)
    }

    /// Runs the statement. What `bind` binds must stay where it is until this returns: SQLite reads it while it steps.
    func run(_ bind: (Binder) -> Void) throws {
        try run(rows: CollectionOfOne(()), parameters: 0) { binder, _ in bind(binder) }
    }

    fileprivate func run<Row>(rows: some Sequence<Row>, parameters: Int32, _ bind: (Binder, Row) -> Void) throws {
        let statement = prepared.sqliteStatement
        var offset: Int32 = 0
        for row in rows {
            bind(Binder(statement: statement, offset: offset), row)
            offset += parameters
        }
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw database.failure(code, in: prepared) }
    }
}

/// Binds the parameters of a statement.
struct Binder {
    fileprivate let statement: OpaquePointer
    /// The number of the parameter before the first one of the row.
    fileprivate let offset: Int32

    func integer(_ index: Int32, _ value: Int64?) {
        if let value {
            sqlite3_bind_int64(statement, offset + index, value)
        } else {
            sqlite3_bind_null(statement, offset + index)
        }
    }

    /// Bytes as a text, or NULL. They must stay where they are until the statement has run.
    func text(_ index: Int32, bytes: UnsafeRawBufferPointer?) {
        guard let bytes else {
            sqlite3_bind_null(statement, offset + index)
            return
        }
        // Without an address, SQLite would take an empty text for NULL.
        let base = bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
        let text = base.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(statement, offset + index, text, Int32(bytes.count), nil)
    }

    /// A text, which SQLite copies, or NULL. It may hold U+0000, so its bytes are counted.
    func text(_ index: Int32, _ value: String?) {
        guard let value else { return text(index, bytes: nil) }
        sqlite3_bind_text(statement, offset + index, value, Int32(value.utf8.count), Self.transient)
    }

    /// Bytes as a blob, which SQLite copies. An empty array has an address, too: without one, SQLite would bind NULL.
    func blob(_ index: Int32, _ bytes: [UInt8]) {
        sqlite3_bind_blob(statement, offset + index, bytes, Int32(bytes.count), Self.transient)
    }

    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// Inserts rows into a table, sixteen with one statement where there are so many.
///
/// Measured: a row of 12 integers costs half as much so. A row that breaks a constraint ends the statement and leaves those
/// before it, which needs no journal of the statement; the import is then rolled back as a whole.
struct BulkInsert {
    private static let size = 16

    private let single: InsertStatement
    private let bulk: InsertStatement
    private let parameters: Int32

    /// - Parameter row: The values of a row, in parentheses.
    init(_ database: Database, into columns: String, row: String) throws {
        let sql = "INSERT OR FAIL INTO \(columns) VALUES "
        single = try InsertStatement(database, sql + row)
        bulk = try InsertStatement(database, sql + repeatElement(row, count: Self.size).joined(separator: ", "))
        parameters = Int32(row.count { $0 == "?" })
    }

    /// Inserts rows in their order. What `bind` binds must stay where it is until this returns.
    func run<Rows: RandomAccessCollection>(_ rows: Rows, _ bind: (Binder, Rows.Element) -> Void) throws {
        var rest = rows[...]
        while rest.count >= Self.size {
            try bulk.run(rows: rest.prefix(Self.size), parameters: parameters, bind)
            rest = rest.dropFirst(Self.size)
        }
        for row in rest { try single.run { bind($0, row) } }
    }
}

extension ContentBatch.Field {
    /// The piece of a batch's bytes; `nil` for an absent field.
    func bytes(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        isAbsent ? nil : UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset) + Int(count)])
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
    var blob: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }
}
