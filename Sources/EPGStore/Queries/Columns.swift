import EPGSQL
import EPGSearch
import GRDB
import GRDBSQLite

/// The current row of a statement.
///
/// Measured (`row-benchmark`): reading a row takes a third of the time of GRDB's records.
struct Columns: StoredRow {
    fileprivate let statement: OpaquePointer

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

    func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(statement, index) }

    func integerIfPresent(_ index: Int32) -> Int64? { isNull(index) ? nil : integer(index) }

    func textIfPresent(_ index: Int32) -> String? { bytes(index).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the bytes of a UTF-8 text or a blob, valid until the next row; `nil` for NULL.
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer? {
        guard let bytes = sqlite3_column_text(statement, index) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index)))
    }

    /// Returns a copy of the bytes of a text or a blob; none for NULL.
    func blob(_ index: Int32) -> [UInt8] { bytes(index).map { Array($0) } ?? [] }

    func flag(_ index: Int32) -> Bool { integer(index) != 0 }
}

/// A prepared statement with numeric parameters, for repeated execution.
///
/// Measured (`viewport-benchmark`): finding a cached statement by its text takes half as long as a seek.
struct PreparedQuery {
    private let statement: Statement
    private let database: Database

    fileprivate init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
        self.database = database
    }

    /// Runs the statement and visits its rows until `body` returns `false`.
    func rows(_ numbers: [Int64], body: (Columns) throws -> Bool) throws {
        for (index, number) in numbers.enumerated() {
            sqlite3_bind_int64(statement.sqliteStatement, Int32(index + 1), number)
        }
        try step(body)
    }

    /// Runs the statement with values of any type.
    func rows(_ values: [SQLValue], body: (Columns) throws -> Bool) throws {
        try statement.setArguments(StatementArguments(values.map(\.databaseValue)))
        try step(body)
    }

    private func step(_ body: (Columns) throws -> Bool) throws {
        let prepared = statement.sqliteStatement
        defer { sqlite3_reset(prepared) }
        while true {
            let code = sqlite3_step(prepared)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw database.failure(code, in: statement) }
            if try !body(Columns(statement: prepared)) { return }
        }
    }

    /// Returns the values of all rows.
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
    /// Prepares a statement for repeated execution.
    func query(_ sql: String) throws -> PreparedQuery { try PreparedQuery(sql, in: self) }

    /// Runs a statement once; see ``PreparedQuery/rows(_:body:)``.
    func rows(_ sql: String, _ numbers: [Int64] = [], body: (Columns) throws -> Bool) throws {
        try query(sql).rows(numbers, body: body)
    }

    /// Runs a statement once and returns the values of all rows.
    func values<Value>(
        _ sql: String, _ numbers: [Int64] = [], value: (Columns) throws -> Value
    ) throws -> [Value] {
        try query(sql).values(numbers, value: value)
    }
}
