import EPGJSON
import EPGModel
import GRDB
import GRDBSQLite

/// A value to bind to a statement.
enum Binding {
    case integer(Int64?)
    case text(String?)
    /// A text in UTF-8.
    case json([UInt8])
    case blob([UInt8])

    static func instant(_ instant: Instant?) -> Binding { .integer(instant?.secondsSince1970) }

    static func flag(_ flag: Bool) -> Binding { .integer(flag ? 1 : 0) }
}

/// The row at which a statement stands.
///
/// Measured (`row-benchmark` of Benchmarks): reading a row this way takes a third of the time of GRDB's records.
struct Columns {
    fileprivate let statement: OpaquePointer

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }

    func integerIfPresent(_ index: Int32) -> Int64? { isNull(index) ? nil : integer(index) }

    func text(_ index: Int32) -> String { textIfPresent(index) ?? "" }

    func textIfPresent(_ index: Int32) -> String? { bytes(index).map { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of a text, which are valid until the next row; `nil` for NULL.
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard let bytes = sqlite3_column_text(statement, index) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index)))
    }

    /// The bytes of a blob, or of a text in UTF-8; none for NULL.
    func blob(_ index: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, index) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }

    /// The window of two columns; of a damaged row, whose stop is not after its start, an empty one.
    func window(_ start: Int32, _ stop: Int32) -> TimeWindow {
        let first = Instant(secondsSince1970: integer(start))
        return TimeWindow(start: first, end: max(first, Instant(secondsSince1970: integer(stop))))
    }

    /// The attributes of a JSON object; none for NULL.
    func attributes(_ index: Int32) throws -> [ContentAttribute] {
        isNull(index) ? [] : try StoredDocument.attributes(blob(index))
    }
}

extension Database {
    /// Runs a statement, which is prepared once for the connection, and looks at its rows until `body` says `false`.
    func rows(_ sql: String, _ bindings: Binding..., body: (Columns) throws -> Bool) throws {
        try rows(sql, bindings, body: body)
    }

    /// Runs a statement with bindings that were put together before.
    func rows(_ sql: String, _ bindings: [Binding], body: (Columns) throws -> Bool) throws {
        let prepared = try cachedStatement(sql: sql)
        let statement = prepared.sqliteStatement
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, binding) in bindings.enumerated() { binding.bind(to: Binder(statement), at: Int32(index + 1)) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw failure(code, in: prepared) }
            if try !body(Columns(statement: statement)) { return }
        }
    }

    /// Runs a statement that gives no rows.
    func run(_ sql: String, _ bindings: Binding...) throws { try rows(sql, bindings) { _ in true } }

    func values<Value>(_ sql: String, _ bindings: Binding..., value: (Columns) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try rows(sql, bindings) { columns in
            values.append(try value(columns))
            return true
        }
        return values
    }

    func firstRow<Value>(_ sql: String, _ bindings: Binding..., body: (Columns) throws -> Value) throws -> Value? {
        var value: Value?
        try rows(sql, bindings) { columns in
            value = try body(columns)
            return false
        }
        return value
    }

    func failure(_ code: Int32, in statement: Statement) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
            message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: statement.sql)
    }
}

extension Binding {
    fileprivate func bind(to binder: Binder, at index: Int32) {
        switch self {
        case .integer(let value): binder.integer(index, value)
        case .text(let text): binder.text(index, text)
        case .json(let bytes): binder.text(index, String(json: bytes))
        case .blob(let bytes): binder.blob(index, bytes)
        }
    }
}
