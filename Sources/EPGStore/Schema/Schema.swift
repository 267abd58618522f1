import EPGJSON
import EPGModel
import GRDB
import Glibc

/// The schema of a guide: which file is one, how a new one is made, and how an older one is brought up to date.
enum Schema {
    /// `EPGG` in ASCII.
    static let applicationID: Int32 = 0x4550_4747
    static let version = 7
    /// The oldest version that can be migrated.
    static let oldestVersion = 5

    /// The text of `schema.sql`.
    static var sql: String { String(decoding: PackageResources.schema_sql, as: UTF8.self) }

    // MARK: - Opening

    /// Makes sure that a database is a guide of the current version: an empty one becomes one, and an older one is migrated in
    /// one transaction.
    ///
    /// - Returns: The version that the database had before a migration; `nil` where there was none.
    static func prepareForWriting(_ queue: DatabaseQueue, path: String) throws -> Int? {
        let found = try queue.inDatabase { database in
            let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            if try application == 0 && Object.all(in: database).isEmpty { try create(in: database) }
            let found = try version(of: database, path: path)
            if try found < version || GuideState(database).generation > 0 { try Connections.keepLog(database) }
            return found
        }
        guard found < version else { return nil }
        let rewritesTables = found < 6
        if rewritesTables { try queue.inDatabase { try checkSpace($0, path: path) } }
        // A new database is made by `schema.sql`, which notes the migration as applied. Where tables are replaced, GRDB turns
        // foreign keys off, and checks them all before it commits. Each version merges the migrations before it: GRDB commits
        // after each migration, and a database must not stay between two versions.
        var migrator = DatabaseMigrator()
        migrator.registerMigration("7", foreignKeyChecks: rewritesTables ? .deferred : .immediate, merging: ["6"]) {
            database, _ in
            if rewritesTables { try MigrationToVersion6(database).run() }
            try addFavorites(to: database)
        }
        do {
            try migrator.migrate(queue)
        } catch {
            // Version 5 has no table of migrations; GRDB makes it before it begins the transaction of one.
            if found == oldestVersion {
                _ = Result {
                    try queue.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE IF EXISTS grdb_migrations") }
                }
            }
            throw StoreError.migrationFailed(path: path, detail: words(error))
        }
        guard rewritesTables else { return found }
        // The tables that were replaced leave free pages. The log goes first, so that less space is needed. This may fail.
        _ = Result {
            try Connections.checkpoint(queue, path: path)
            try queue.writeWithoutTransaction { try Connections.sortingOnDisk($0) { try $0.execute(sql: "VACUUM") } }
        }
        return found
    }

    /// Brings a guide of version 6 to version 7.
    private static func addFavorites(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE favorite (
                    feed_id TEXT PRIMARY KEY,
                    position INTEGER NOT NULL UNIQUE CHECK (position >= 0)
                ) STRICT, WITHOUT ROWID;
                PRAGMA user_version = 7;
                """)
    }

    /// Why a migration failed.
    static func words(_ error: any Error) -> String {
        switch error {
        case let error as DatabaseError: error.message ?? "\(error.resultCode)"
        case let damage as StoredDocument.Damage: "a document cannot be read: \(damage.detail)"
        default: "\(error)"
        }
    }

    /// The version of a guide that can be read, or migrated.
    static func version(of database: Database, path: String) throws -> Int {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard application == applicationID else { throw StoreError.notAGuide(path: path) }
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else { throw StoreError.newerSchema(path: path, found: found, known: version) }
        guard found >= oldestVersion else { throw StoreError.tooOldSchema(path: path, found: found, known: version) }
        return found
    }

    /// Makes sure that a migration does not fill the disk: the log gets new copies of tables, then the database.
    private static func checkSpace(_ database: Database, path: String) throws {
        let size = try Int64.fetchOne(
            database, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        var status = statvfs()
        guard let size, statvfs(path, &status) == 0 else { return }
        let available = Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
        guard available >= 3 * size else {
            throw StoreError.noSpaceToMigrate(path: path, needed: 3 * size, available: available)
        }
    }

    private static func create(in database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: sql + """
                    INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                    VALUES (1, 0, randomblob(16), 1, 1, 1);
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version);
                    """)
            return .commit
        }
    }

    // MARK: - Objects

    /// A table, an index, or whatever else a database has.
    struct Object: Hashable, Decodable, FetchableRecord {
        let type: String
        let name: String
        let sql: String

        /// All objects in the order of their creation, but for those that SQLite makes itself.
        static func all(in database: Database) throws -> [Object] {
            try fetchAll(
                database,
                sql: """
                    SELECT type, name, ifnull(sql, '') AS sql FROM sqlite_schema
                    WHERE name NOT GLOB 'sqlite_*' ORDER BY rowid
                    """)
        }

        /// Without comments, quotation marks of names, and line breaks: `ALTER TABLE … RENAME` writes a name in quotation marks.
        var normalized: Object {
            let sql = sql.split(whereSeparator: \.isNewline)
                .map { line in line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line }
                .flatMap { $0.split(separator: " ") }
                .joined(separator: " ").filter { $0 != "\"" }
            return Object(type: type, name: name, sql: sql)
        }
    }

    /// The tables, indexes and views of `schema.sql`.
    static func objects() throws -> [Object] {
        try DatabaseQueue().write { fresh in
            try fresh.execute(sql: sql)
            return try Object.all(in: fresh)
        }
    }

    /// Returns how a guide differs from `schema.sql`; `nil` where it has exactly its tables, indexes and views. A trigger of a
    /// file from elsewhere would run with every import.
    static func difference(of database: Database) throws -> String? {
        let expected = try Set(objects().map(\.normalized))
        let found = try Set(Object.all(in: database).map(\.normalized))
        if let foreign = found.subtracting(expected).min(by: { $0.name < $1.name }) {
            return "its \(foreign.type) \(foreign.name) is not the one of a guide"
        }
        return expected.subtracting(found).min { $0.name < $1.name }.map { "it lacks the \($0.type) \($0.name)" }
    }
}
