import GRDB
import GRDBSQLite

/// A value to bind to a statement.
enum Binding {
    case integer(Int64?)
    case text(String?)
    /// A text in UTF-8.
    case json([UInt8])
    case blob([UInt8])
}

/// The row at which a statement stands.
///
/// Measured (`row-benchmark` of Benchmarks): reading a row this way takes a third of the time of GRDB's records, and rows are what
/// the viewport query is made of.
struct Columns {
    fileprivate let statement: OpaquePointer

    func isNull(_ index: Int32) -> Bool {
        sqlite3_column_type(statement, index) == SQLITE_NULL
    }

    func integer(_ index: Int32) -> Int64 {
        sqlite3_column_int64(statement, index)
    }

    func integerIfPresent(_ index: Int32) -> Int64? {
        isNull(index) ? nil : integer(index)
    }

    func text(_ index: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, index) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func textIfPresent(_ index: Int32) -> String? {
        isNull(index) ? nil : text(index)
    }

    /// Calls a function with the bytes of a text, which are valid during the call; with `nil` for NULL.
    func withBytes(_ index: Int32, _ body: (UnsafeRawBufferPointer?) -> Void) {
        guard !isNull(index) else { return body(nil) }
        let bytes = UnsafeRawPointer(sqlite3_column_text(statement, index))
        body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }

    /// The bytes of a blob, or of a text in UTF-8; none for NULL.
    func blob(_ index: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }
}

extension Database {
    /// Runs a statement, which is prepared once for the connection, and looks at its rows until `body` says `false`.
    func rows(_ sql: String, _ bindings: Binding..., body: (Columns) throws -> Bool) throws {
        try rows(sql, bindings, body: body)
    }

    /// Runs a statement with bindings that were put together before.
    func rows(_ sql: String, _ bindings: [Binding], body: (Columns) throws -> Bool) throws {
        try run(try cachedStatement(sql: sql), bindings, body: body)
    }

    /// Runs a statement that gives no rows.
    func run(_ sql: String, _ bindings: Binding...) throws {
        try run(try cachedStatement(sql: sql), bindings) { _ in true }
    }

    /// The first row of a statement.
    func firstRow<Value>(_ sql: String, _ bindings: Binding..., body: (Columns) throws -> Value) throws -> Value? {
        var value: Value?
        try run(try cachedStatement(sql: sql), bindings) { columns in
            value = try body(columns)
            return false
        }
        return value
    }

    private func run(_ prepared: Statement, _ bindings: [Binding], body: (Columns) throws -> Bool) throws {
        let statement = prepared.sqliteStatement
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, binding) in bindings.enumerated() { bind(binding, to: statement, at: Int32(index + 1)) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code, in: prepared) }
            if try !body(Columns(statement: statement)) { return }
        }
    }

    /// SQLite's error with its words.
    func failure(_ code: Int32, in statement: Statement) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
            message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: statement.sql)
    }

    private func bind(_ binding: Binding, to statement: OpaquePointer, at index: Int32) {
        // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch binding {
        case .integer(let value?): sqlite3_bind_int64(statement, index, value)
        case .integer(nil), .text(nil): sqlite3_bind_null(statement, index)
        case .text(let text?):
            var text = text
            text.withUTF8 { bytes in
                // An empty string has no bytes to point to, which SQLite would take for NULL.
                guard let base = bytes.baseAddress else {
                    sqlite3_bind_text(statement, index, "", 0, transient)
                    return
                }
                base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    _ = sqlite3_bind_text(statement, index, $0, Int32(bytes.count), transient)
                }
            }
        case .json(let bytes):
            bytes.withUnsafeBytes { buffer in
                _ = sqlite3_bind_text(
                    statement, index, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count),
                    transient)
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes { buffer in
                guard let base = buffer.baseAddress, !buffer.isEmpty else {
                    sqlite3_bind_zeroblob(statement, index, 0)
                    return
                }
                sqlite3_bind_blob(statement, index, base, Int32(buffer.count), transient)
            }
        }
    }
}
