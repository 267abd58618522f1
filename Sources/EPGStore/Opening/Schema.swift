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

    /// What a guide has besides the tables and indexes of `schema.sql`, or lacks of them; `nil` where it has exactly those.
    ///
    /// A trigger of a file from elsewhere would run with every import.
    static func difference(of database: Database) throws -> String? {
        func objects(_ database: Database) throws -> Set<String> {
            try String.fetchSet(
                database, sql: "SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'")
        }
        let expected = try DatabaseQueue().write { fresh in
            try fresh.execute(sql: sql)
            return try objects(fresh)
        }
        let found = try objects(database)
        if let foreign = found.subtracting(expected).min() { return "it has the \(foreign), which no guide has" }
        return expected.subtracting(found).min().map { "it lacks the \($0)" }
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
