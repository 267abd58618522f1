import EPGJSON
import EPGModel
import EPGSQL
import EPGSearch
import FoundationEssentials
import GRDB

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

    func definition(of table: GuideTable) -> String { table.sql }

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
        // Without the limit, SQLite would read the JSON again for each row that is joined.
        return (
            "(SELECT \(selected) FROM json_each($\(first)) LIMIT -1) AS \(name)",
            [.json(SQLValue.rows(of: columns.map(\.value)))]
        )
    }

    /// Returns a statement with numbered parameters of SQLite, for which `$1` is a name.
    private static func numbered(_ sql: String) -> String { sql.replacing("$", with: "?") }
}

extension SQLValue {
    /// The value for SQLite. Documents are texts. Lists are JSON arrays.
    var databaseValue: DatabaseValue {
        switch self {
        case .integer(let value): value.databaseValue
        case .boolean(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): value.map { Data($0) }.databaseValue
        case .json(let value): value.map { String(json: $0) }.databaseValue
        case .integers: String(json: Self.list(of: elements)).databaseValue
        // No stored text has U+0000, at which SQLite would end a text in JSON.
        case .texts(let values):
            String(json: Self.list(of: values.filter { $0?.utf8.contains(0) != true }.map { .text($0) })).databaseValue
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
