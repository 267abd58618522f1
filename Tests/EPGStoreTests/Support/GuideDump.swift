import GRDB

/// What a database holds, table by table, every value spelt out: two guides with equal dumps are the same.
struct GuideDump: Equatable {
    /// The rows of each table, in the order of its key.
    var tables: [String: [String]] = [:]

    /// The tables of the guide proper: what must not be written where nothing changed.
    static let guideTables = [
        "guide", "source", "station", "coverage", "programme", "programme_digest", "transmission", "airing", "lineup",
        "channel", "mapping", "favorite", "generation", "change", "airing_change",
    ]

    /// Reads a database.
    ///
    /// - Parameter names: Tables; `nil` for all.
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

/// The database beneath a guide, past the store.
enum RawDatabase {
    static func read<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read(body)
    }

    /// Changes the database behind the store's back.
    static func write(_ path: String, foreignKeys: Bool = false, _ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = foreignKeys
        try DatabaseQueue(path: path, configuration: configuration).write { try $0.execute(sql: sql) }
    }

    static func number(_ path: String, _ sql: String) throws -> Int {
        try read(path) { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
