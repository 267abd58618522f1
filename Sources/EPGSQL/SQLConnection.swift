package import EPGModel

/// A connection to the database of a guide, for statements that all engines share.
///
/// Parameters are `$1`, `$2` and so on. Shared statements use what SQLite 3.40 and PostgreSQL 13 have in common: `RETURNING`, `coalesce`,
/// `CASE`, `IS DISTINCT FROM`, and `INSERT … ON CONFLICT`.
package protocol SQLConnection {
    /// Runs a statement and visits its rows until `body` returns `false`.
    ///
    /// - Parameter streams: Whether to receive rows one by one instead of all together, to save memory.
    func rows(_ sql: String, _ values: [SQLValue], streams: Bool, _ body: (any StoredRow) throws -> Bool) throws

    /// Runs a statement and returns the number of affected rows.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws -> Int

    /// Inserts rows.
    ///
    /// - Parameters:
    ///   - columns: The table and its columns, such as `change (generation, station_id)`.
    ///   - rows: The values of these columns.
    func insert(into columns: String, _ rows: [[SQLValue]]) throws

    /// Returns the reason if an error means that the database is damaged, and not, for example, unreachable.
    func reason(ofDamage error: any Error) -> String?

    // MARK: Dialect

    /// Returns the statement that creates a table.
    func definition(of table: GuideTable) -> String

    /// Returns the definition of a column of a table.
    func definition(of column: GuideTable.Column, in table: String) -> String

    /// A query for the size of the database in bytes.
    var sizeSQL: String { get }

    /// Returns the unique expression of a column with texts of any length, for `ON CONFLICT`.
    func unique(_ column: String) -> String

    /// Returns the condition that an expression is in a list.
    ///
    /// - Parameter parameter: The number of the parameter with the list.
    func isIn(_ expression: String, list parameter: Int) -> String

    /// Returns lists of equal length as a table for `FROM`, with its parameters.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - columns: The names and values of the columns: integers or texts.
    ///   - first: The number of the first parameter. All others of the statement have lower numbers.
    func table(
        _ name: String, _ columns: KeyValuePairs<String, SQLValue>, from first: Int
    ) -> (sql: String, values: [SQLValue])
}

extension SQLConnection {
    /// Runs a statement and returns the values of its rows.
    package func values<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ value: (any StoredRow) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try rows(sql, values, streams: false) { row in
            found.append(try value(row))
            return true
        }
        return found
    }

    /// Returns the value of the first row of a statement; `nil` without rows.
    package func first<Value>(
        _ sql: String, _ values: [SQLValue] = [], _ value: (any StoredRow) throws -> Value
    ) throws -> Value? {
        try self.values(sql, values, value).first
    }

    /// Returns whether a statement, which returns one flag, returns true.
    package func flag(_ sql: String, _ values: [SQLValue] = []) throws -> Bool {
        try first(sql, values) { $0.flag(0) } ?? false
    }

    /// Returns the integer in the first column of the first row; `nil` for no row and for NULL.
    package func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        try first(sql, values) { $0.integerIfPresent(0) } ?? nil
    }

    /// Runs a statement without parameters and returns the number of affected rows.
    @discardableResult
    package func execute(_ sql: String) throws -> Int { try execute(sql, []) }
}

/// A parameter of a statement. Each case has the type of the column or of the expression; `nil` is NULL.
package enum SQLValue {
    case integer(Int64?)
    case boolean(Bool)
    case text(String?)
    case bytes([UInt8]?)
    case json([UInt8]?)
    case integers([Int64?])
    case booleans([Bool])
    case texts([String?])
    case documents([[UInt8]])
    case blobs([[UInt8]?])

    /// The seconds since 1970 of an instant.
    package static func instant(_ instant: Instant?) -> SQLValue { .integer(instant?.secondsSince1970) }

    /// An integer.
    package static func number(_ number: Int?) -> SQLValue { .integer(number.map { Int64($0) }) }
}

/// An error for invalid data in a guide, such as a number out of range.
package struct GuideDamage: Error {
    /// What is wrong, such as `the table guide has no row`.
    package let detail: String
}

/// A guide in an SQL database, opened for reading.
package protocol SQLReading {
    /// The path or the URL of the database.
    var location: String { get }

    /// Changes the stations that reads return.
    var shown: @Sendable (StationRow) -> StationRow { get }

    /// Calls a closure with a predicate that tests whether the texts of a station contain all words of a filter; `nil` for a filter
    /// without words.
    func filtering<Value>(
        by text: String?, _ body: ((([String]) throws -> Bool)?) throws -> Value
    ) throws -> Value

    /// Returns the airings that are shown, with their shown times.
    func shown(_ showings: [Showing]) throws -> [Showing]

    /// Visits the airings of a station that overlap a window in ascending order, one by one.
    ///
    /// - Parameter body: Takes the columns ``AiringColumns/exported``, the number of the source, and the shown time of a shared
    ///   station.
    func visitAirings(
        of station: VisibleStation, during window: TimeWindow,
        _ body: (any StoredRow, _ source: Int64, _ shown: TimeWindow?) throws -> Void
    ) throws

    /// Calls a closure in a read transaction. A nested call joins it.
    func reading<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value
}

/// A guide in an SQL database, opened for writing.
package protocol SQLWriting: SQLReading {
    /// Calls a closure in a transaction, which must preserve all invariants, and which is rolled back if the closure throws.
    func writing<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value
}

extension StoredRow {
    /// Returns seconds since 1970 as an instant; `nil` for NULL.
    package func instant(_ index: Int32) -> Instant? { integerIfPresent(index).map(Instant.init(secondsSince1970:)) }

    /// Returns the window of two columns, which is empty for a damaged row; `nil` for NULL.
    package func windowIfPresent(_ start: Int32, _ stop: Int32) -> TimeWindow? {
        integerIfPresent(start).map { _ in window(start, stop) }
    }
}
