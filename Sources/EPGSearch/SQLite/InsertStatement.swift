package import EPGModel
package import FoundationEssentials
package import GRDB
import GRDBSQLite

/// A prepared statement for the hot path of imports, which binds bytes without copying.
///
/// Measured (`row-benchmark`): a row takes half the time of GRDB's `Statement.execute(arguments:)`.
package struct InsertStatement {
    private let prepared: Statement
    private let database: Database

    package init(_ database: Database, _ sql: String) throws {
        self.database = database
        prepared = try database.makeStatement(sql: sql)
    }

    /// Runs the statement. Bound bytes must stay valid until this method returns.
    package func run(_ bind: (Binder) -> Void) throws {
        let statement = prepared.sqliteStatement
        bind(Binder(statement: statement, offset: 0))
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { throw database.failure(code, in: prepared) }
    }
}

/// The parameters of a statement or of a row in a bulk insert.
package struct Binder {
    fileprivate let statement: OpaquePointer
    /// The index of the parameter before the first one of the row.
    fileprivate let offset: Int32

    /// Returns a binder of the parameters after some others.
    package func advanced(by parameters: Int32) -> Binder { Binder(statement: statement, offset: offset + parameters) }

    package func integer(_ index: Int32, _ value: Int64?) {
        if let value {
            sqlite3_bind_int64(statement, offset + index, value)
        } else {
            sqlite3_bind_null(statement, offset + index)
        }
    }

    /// Binds bytes as text, or NULL. The bytes must stay valid until the statement has run.
    package func text(_ index: Int32, bytes: UnsafeRawBufferPointer?) {
        guard let bytes else {
            sqlite3_bind_null(statement, offset + index)
            return
        }
        // SQLite would interpret an empty text without an address as NULL.
        let base = bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
        let text = base.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(statement, offset + index, text, Int32(bytes.count), nil)
    }

    /// Binds a text, which SQLite copies, or NULL. The length is explicit because the text may contain U+0000.
    package func text(_ index: Int32, _ value: String?) {
        guard let value else { return text(index, bytes: nil) }
        sqlite3_bind_text(statement, offset + index, value, Int32(value.utf8.count), Self.transient)
    }

    /// Binds bytes as a blob, which SQLite copies. An empty array also has an address; without one, SQLite would bind NULL.
    package func blob(_ index: Int32, _ bytes: [UInt8]) {
        sqlite3_bind_blob(statement, offset + index, bytes, Int32(bytes.count), Self.transient)
    }

    private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

extension Database {
    package func failure(_ code: Int32, in statement: Statement) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
            message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: statement.sql)
    }
}

extension Row {
    /// Returns the bytes of a blob or a text; none for NULL.
    package func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data? ?? Data()) }
}

extension ContentHash {
    /// The hash as a blob.
    package var data: Data { Data(blob) }
}
