import EPGJSON
import EPGModel
import GRDB
import GRDBSQLite

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

    /// The bytes of a text in UTF-8, or of a blob, which are valid until the next row; `nil` for NULL.
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard let bytes = sqlite3_column_text(statement, index) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index)))
    }

    /// A copy of the bytes of a text or a blob; none for NULL.
    func blob(_ index: Int32) -> [UInt8] { bytes(index).map { Array($0) } ?? [] }

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

/// A statement whose parameters are numbers, prepared once and run many times.
///
/// Measured (`viewport-benchmark`): finding a statement by its text takes as long as half a seek.
struct PreparedQuery {
    private let statement: Statement
    private let database: Database

    fileprivate init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
        self.database = database
    }

    /// Runs the statement, and looks at its rows until `body` says `false`.
    func rows(_ numbers: [Int64], body: (Columns) throws -> Bool) throws {
        let prepared = statement.sqliteStatement
        defer { sqlite3_reset(prepared) }
        for (index, number) in numbers.enumerated() { sqlite3_bind_int64(prepared, Int32(index + 1), number) }
        while true {
            let code = sqlite3_step(prepared)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw database.failure(code, in: statement) }
            if try !body(Columns(statement: prepared)) { return }
        }
    }

    /// The values of all rows.
    func values<Value>(_ numbers: [Int64], value: (Columns) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try rows(numbers) { columns in
            values.append(try value(columns))
            return true
        }
        return values
    }
}

extension Database {
    /// A statement to run many times.
    func query(_ sql: String) throws -> PreparedQuery { try PreparedQuery(sql, in: self) }

    /// Runs a statement once; see ``PreparedQuery/rows(_:body:)``.
    func rows(_ sql: String, _ numbers: [Int64] = [], body: (Columns) throws -> Bool) throws {
        try query(sql).rows(numbers, body: body)
    }

    /// The values of all rows of a statement that is run once.
    func values<Value>(
        _ sql: String, _ numbers: [Int64] = [], value: (Columns) throws -> Value
    ) throws -> [Value] {
        try query(sql).values(numbers, value: value)
    }

    func failure(_ code: Int32, in statement: Statement) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
            message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: statement.sql)
    }
}
