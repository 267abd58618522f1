import EPGJSON
import EPGModel
import EPGSQL
import EPGSearch
import FoundationEssentials
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
    fileprivate func rows(_ values: [SQLValue], body: (Columns) throws -> Bool) throws {
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

/// A connection for the statements that all engines share.
struct SQLiteConnection: SQLConnection {
    let database: Database

    func rows(
        _ sql: String, _ values: [SQLValue], streams: Bool, _ body: (any StoredRow) throws -> Bool
    ) throws {
        try database.query(Self.numbered(sql)).rows(values) { try body($0) }
    }

    func execute(_ sql: String, _ values: [SQLValue]) throws -> Int {
        let statement = try database.cachedStatement(sql: Self.numbered(sql))
        try statement.execute(arguments: StatementArguments(values.map(\.databaseValue)))
        return database.changesCount
    }

    func insert(into columns: String, _ rows: [[SQLValue]]) throws {
        guard let first = rows.first else { return }
        let places = repeatElement("?", count: first.count).joined(separator: ", ")
        let insert = try InsertStatement(database, "INSERT INTO \(columns) VALUES (\(places))")
        for row in rows {
            try insert.run { binder in
                for (index, value) in row.enumerated() { value.bind(to: binder, Int32(index) + 1) }
            }
        }
    }

    func reason(ofDamage error: any Error) -> String? {
        ((error as? DatabaseError)?.message ?? "\(error)").oneLine
    }

    func definition(of column: GuideTable.Column, in table: String) -> String {
        "\(column.name) \(column.type) \(column.rest)"
    }

    var sizeSQL: String { "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size" }

    func unique(_ column: String) -> String { column }

    func isIn(_ expression: String, list parameter: Int) -> String {
        "\(expression) IN (SELECT value FROM json_each($\(parameter)))"
    }

    func table(
        _ name: String, _ columns: KeyValuePairs<String, SQLValue>, from first: Int
    ) -> (sql: String, values: [SQLValue]) {
        let selected = columns.enumerated().map { "value ->> \($0) AS \($1.key)" }.joined(separator: ", ")
        return (
            "(SELECT \(selected) FROM json_each($\(first))) AS \(name)",
            [.json(SQLValue.rows(of: columns.map(\.value)))]
        )
    }

    /// Returns a statement with numbered parameters of SQLite, for which `$1` is a name.
    private static func numbered(_ sql: String) -> String { sql.replacing("$", with: "?") }
}

extension SQLValue {
    /// The value for SQLite. Documents are texts. Lists are JSON arrays.
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .integer(let value): value.databaseValue
        case .boolean(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): value.map { Data($0) }.databaseValue
        case .json(let value): value.map { String(json: $0) }.databaseValue
        case .integers, .texts: String(json: Self.list(of: elements)).databaseValue
        case .booleans, .documents, .blobs: preconditionFailure("no shared statement has such a list")
        }
    }

    /// Binds the value to a parameter.
    fileprivate func bind(to binder: Binder, _ index: Int32) {
        switch self {
        case .integer(let value): binder.integer(index, value)
        case .boolean(let value): binder.integer(index, value ? 1 : 0)
        case .text(let value): binder.text(index, value)
        case .bytes(let value):
            if let value { binder.blob(index, value) } else { binder.integer(index, nil) }
        case .json(let value): binder.text(index, value.map { String(json: $0) })
        case .integers, .texts, .booleans, .documents, .blobs: preconditionFailure("a list is no value of a column")
        }
    }

    /// The elements of a list.
    private var elements: [SQLValue] {
        switch self {
        case .integers(let values): values.map { .integer($0) }
        case .texts(let values): values.map { .text($0) }
        default: preconditionFailure("no shared statement has such a list")
        }
    }

    /// Returns a JSON array of values.
    private static func list(of values: [SQLValue]) -> [UInt8] {
        var json = JSONWriter()
        json.array { append(values, to: &$0) }
        return json.takeBytes()
    }

    /// Returns lists of equal length as a JSON array with an array for each row.
    fileprivate static func rows(of columns: [SQLValue]) -> [UInt8] {
        let elements = columns.map(\.elements)
        var json = JSONWriter()
        json.array { json in
            for index in elements[0].indices { json.array { append(elements.map { $0[index] }, to: &$0) } }
        }
        return json.takeBytes()
    }

    private static func append(_ values: [SQLValue], to json: inout JSONWriter) {
        for value in values {
            switch value {
            case .integer(let number?): json.write(number)
            case .text(let text?): json.write(text)
            default: json.writeNull()
            }
        }
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

/// Decoding of columns by name for ordinary rows. Hot paths use ``Columns`` instead.
extension Row {
    /// Returns a channel number; `nil` for NULL and invalid text.
    func channelNumber(_ column: String) -> ChannelNumber? { (self[column] as String?).flatMap { ChannelNumber($0) } }

    /// Returns the attributes of a JSON object; none for NULL.
    func attributes(_ column: String) throws -> [ContentAttribute] {
        try (self[column] as Data?).map { try StoredDocument.attributes(Array($0)) } ?? []
    }

    /// Returns the nodes of a document whose texts are not in columns.
    func nodes(_ column: String) throws -> [ContentNode] { try StoredDocument.nodes(bytes(column)) }

    /// Returns the strings of a JSON array.
    func texts(_ column: String) throws -> [String] { try StoredDocument.texts(bytes(column)) }
}

extension String {
    /// Creates a string from a JSON document for SQLite.
    init(json: [UInt8]) { self.init(decoding: json, as: UTF8.self) }
}

extension GuideState {
    /// Reads the state of an SQLite guide.
    ///
    /// - Throws: ``GuideDamage`` if there is none, or a number would overflow.
    init(_ database: Database) throws { self = try SQLiteConnection(database: database).state() }
}
