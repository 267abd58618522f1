import GRDB

/// The schema of a guide: which file is one, and how a new one is made.
enum Schema {
    /// `EPGG` in ASCII.
    static let applicationID: Int32 = 0x4550_4747
    static let version = 5

    /// The text of `schema.sql`.
    static var sql: String { String(decoding: PackageResources.schema_sql, as: UTF8.self) }

    /// Makes sure that a database is a guide of this version; an empty one becomes one.
    static func prepareForWriting(_ database: Database, path: String) throws {
        if try isEmpty(database) {
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try create(in: database)
        }
        try check(database, path: path)
        if try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" {
            try database.execute(sql: "PRAGMA journal_mode = WAL")
        }
    }

    /// Makes sure that a database is a guide of a version that this program can read.
    static func check(_ database: Database, path: String) throws {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard application == applicationID else { throw StoreError.notAGuide(path: path) }
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else { throw StoreError.newerSchema(path: path, found: found, known: version) }
        guard found == version else { throw StoreError.olderSchema(path: path, found: found, known: version) }
    }

    /// A table, an index, or whatever else a database has.
    struct Object: Hashable {
        let type: String
        let name: String
        let sql: String

        static func all(in database: Database) throws -> Set<Object> {
            // SQLite keeps names that begin with sqlite_ for itself.
            let rows = try Row.fetchAll(database, sql: "SELECT type, name, sql FROM sqlite_schema")
            return Set(
                rows.map { Object(type: $0["type"], name: $0["name"], sql: $0["sql"] ?? "") }
                    .filter { !$0.name.hasPrefix("sqlite_") })
        }
    }

    /// The tables and indexes of `schema.sql`.
    static func objects() throws -> Set<Object> {
        try DatabaseQueue().write { fresh in
            try fresh.execute(sql: sql)
            return try Object.all(in: fresh)
        }
    }

    /// Returns how a guide differs from `schema.sql`; `nil` where it has exactly its tables and indexes.
    ///
    /// A trigger of a file from elsewhere would run with every import.
    static func difference(of database: Database) throws -> String? {
        let (expected, found) = (try objects(), try Object.all(in: database))
        if let foreign = found.subtracting(expected).min(by: { $0.name < $1.name }) {
            return "its \(foreign.type) \(foreign.name) is not the one of a guide"
        }
        return expected.subtracting(found).min { $0.name < $1.name }.map { "it lacks the \($0.type) \($0.name)" }
    }

    private static func isEmpty(_ database: Database) throws -> Bool {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        return application == 0 && tables == 0
    }

    private static func create(in database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(sql: sql)
            try database.execute(
                sql: """
                    INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                    VALUES (1, 0, randomblob(16), 1, 1, 1)
                    """)
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }
}
