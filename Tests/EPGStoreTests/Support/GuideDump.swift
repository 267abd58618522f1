import GRDB

/// All rows of a database as text.
struct GuideDump: Equatable {
    /// The sorted rows of each table.
    var tables: [String: [String]] = [:]

    /// The tables that an import without changes must not write.
    static let guideTables = [
        "guide", "source", "station", "coverage", "programme", "programme_digest", "transmission", "airing", "lineup",
        "channel", "mapping", "favorite", "watch_rule", "reminder", "profile", "generation", "change", "airing_change",
    ]

    /// Reads a database.
    ///
    /// - Parameter names: The tables to read; `nil` for all.
    init(path: String, tables names: [String]? = nil) throws {
        tables = try RawDatabase.read(path) { database in
            let all = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            var tables: [String: [String]] = [:]
            for table in all where names?.contains(table) ?? true {
                let columns = try database.columns(in: table).map { "quote(\"\($0.name)\")" }
                tables[table] = try String.fetchAll(
                    database, sql: "SELECT \(columns.joined(separator: " || '|' || ")) AS line FROM \(table) ORDER BY 1"
                )
            }
            return tables
        }
    }
}

/// Direct access to a database without the store.
enum RawDatabase {
    static func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read(body)
    }

    static func write(_ path: String, foreignKeys: Bool = false, _ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = foreignKeys
        try DatabaseQueue(path: path, configuration: configuration).write { try $0.execute(sql: sql) }
    }

    static func number(_ path: String, _ sql: String) throws -> Int {
        try read(path) { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
