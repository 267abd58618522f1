import CResources
import EPGJSON
import EPGModel
import GRDB
import Glibc

/// The schema of a guide, with creation, recognition and migration of databases.
enum Schema {
    /// `EPGG` in ASCII.
    static let applicationID: Int32 = 0x4550_4747
    static let version = 9
    /// The oldest version that can be migrated.
    private static let oldestVersion = 5

    /// The text of `schema.sql`.
    static var sql: String { String(cString: cresources_sqlite_schema_sql()) }

    // MARK: - Opening

    /// Ensures that a database is a guide of the current version: initializes an empty one, and migrates an older one in one
    /// transaction.
    ///
    /// - Returns: The version before the migration; `nil` without a migration.
    static func prepareForWriting(_ queue: DatabaseQueue, path: String) throws -> Int? {
        let found = try queue.inDatabase { database in
            let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            if try application == 0 && Object.all(in: database).isEmpty { try create(in: database) }
            let found = try version(of: database, path: path)
            if try found < version || GuideState(database).generation > 0 {
                try Connections.enableWriteAheadLog(database)
            }
            return found
        }
        guard found < version else { return nil }
        let rewritesTables = found < 6
        if rewritesTables { try queue.inDatabase { try checkSpace($0, path: path) } }
        // `schema.sql` creates new databases and records the migration as applied. If tables are replaced, GRDB disables foreign
        // keys and checks them all before it commits. Each version merges the previous migrations, because GRDB commits after
        // each migration and a database must not remain between two versions.
        var migrator = DatabaseMigrator()
        migrator.registerMigration(
            "9", foreignKeyChecks: rewritesTables ? .deferred : .immediate, merging: ["6", "7", "8"]
        ) { database, _ in
            // First, because the migration to version 6 creates all missing indexes.
            try addWatchlistAndProfiles(to: database)
            if found < 8 {
                try DigestPiece.widen(in: database)
                if rewritesTables { try MigrationToVersion6(database).run() }
                if found < 7 { try addFavorites(to: database) }
                if !rewritesTables { try replaceChannels(in: database) }
                try addDerivedListings(to: database, hasNewProgrammes: rewritesTables)
            }
            try database.execute(sql: "PRAGMA user_version = \(version)")
        }
        do {
            try migrator.migrate(queue)
        } catch {
            // Version 5 has no table of migrations. GRDB creates it before the transaction of a migration.
            if found == oldestVersion {
                _ = Result {
                    try queue.writeWithoutTransaction { try $0.execute(sql: "DROP TABLE IF EXISTS grdb_migrations") }
                }
            }
            throw StoreError.migrationFailed(path: path, detail: reason(error))
        }
        guard rewritesTables else { return found }
        // The replaced tables leave free pages. Checkpointing first reduces the required space. Failures are harmless.
        _ = Result {
            try Connections.checkpoint(queue, path: path)
            try queue.writeWithoutTransaction {
                try Connections.withSortingOnDisk($0) { try $0.execute(sql: "VACUUM") }
            }
        }
        return found
    }

    /// Migrates a guide from version 6 to version 7.
    private static func addFavorites(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE favorite (
                    feed_id TEXT PRIMARY KEY,
                    position INTEGER NOT NULL UNIQUE CHECK (position >= 0)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Replaces the table of channels by that of version 8, which allows more rules of matching.
    private static func replaceChannels(in database: Database) throws {
        try database.execute(sql: "CREATE TEMP TABLE old_channel AS SELECT * FROM channel; DROP TABLE channel")
        for object in try objects() where object.name == "channel" || object.name == "channel_by_station" {
            try database.execute(sql: object.sql)
        }
        let columns = try database.columns(in: "channel").map(\.name).joined(separator: ", ")
        try database.execute(
            sql: "INSERT INTO channel (\(columns)) SELECT \(columns) FROM old_channel; DROP TABLE temp.old_channel")
    }

    /// Adds the marks of derived programmes and the shifts of mappings, which version 8 has.
    ///
    /// - Parameter hasNewProgrammes: Whether the table of programmes was created from `schema.sql`.
    private static func addDerivedListings(to database: Database, hasNewProgrammes: Bool) throws {
        try database.execute(sql: "ALTER TABLE mapping ADD COLUMN shift INTEGER")
        guard !hasNewProgrammes else { return }
        try database.execute(
            sql: """
                ALTER TABLE programme ADD COLUMN is_derived INTEGER NOT NULL DEFAULT 0 CHECK (is_derived IN (0, 1))
                """)
    }

    /// Adds watch rules, reminders and profiles, which version 9 has.
    private static func addWatchlistAndProfiles(to database: Database) throws {
        let names: Set = ["watch_rule", "reminder", "reminder_by_rule", "profile"]
        for object in try objects() where names.contains(object.name) { try database.execute(sql: object.sql) }
    }

    /// Returns the reason of a failed migration or check.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as DatabaseError: error.message ?? "\(error.resultCode)"
        case let damage as StoredDocument.Damage: "a document cannot be read: \(damage.detail)"
        default: "\(error)"
        }
    }

    /// Returns the version of a guide that can be read or migrated.
    static func version(of database: Database, path: String) throws -> Int {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard application == applicationID else { throw StoreError.notAGuide(path: path) }
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else { throw StoreError.newerSchema(path: path, found: found, known: version) }
        guard found >= oldestVersion else { throw StoreError.tooOldSchema(path: path, found: found, known: version) }
        return found
    }

    /// Ensures that a migration does not fill the disk: the log and then the database get new copies of tables.
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

    /// A table, an index or another object of a database.
    struct Object: Hashable, Decodable, FetchableRecord {
        let type: String
        let name: String
        let sql: String

        /// Returns all objects except SQLite's internal ones in order of creation.
        static func all(in database: Database) throws -> [Object] {
            try fetchAll(
                database,
                sql: """
                    SELECT type, name, ifnull(sql, '') AS sql FROM sqlite_schema
                    WHERE name NOT GLOB 'sqlite_*' ORDER BY rowid
                    """)
        }

        /// The object without comments, quotation marks and white space around commas and parentheses; `ALTER TABLE … RENAME`
        /// adds quotation marks, and `ALTER TABLE … ADD COLUMN` white space.
        var normalized: Object {
            let words = sql.split(whereSeparator: \.isNewline)
                .map { line in line.firstRange(of: "--").map { line[..<$0.lowerBound] } ?? line }
                .flatMap { $0.split(separator: " ") }
                .joined(separator: " ").filter { $0 != "\"" }
            var sql = ""
            for character in words {
                if character == ")" || character == ",", sql.last == " " { sql.removeLast() }
                if character == " ", sql.last == "(" || sql.last == "," { continue }
                sql.append(character)
            }
            return Object(type: type, name: name, sql: sql)
        }
    }

    /// Returns the tables, indexes and views of `schema.sql`.
    static func objects() throws -> [Object] {
        try DatabaseQueue().write { fresh in
            try fresh.execute(sql: sql)
            return try Object.all(in: fresh)
        }
    }

    /// Returns a difference between a guide and `schema.sql`; `nil` if they have the same tables, indexes and views.
    ///
    /// Triggers of an untrusted file would otherwise run with every import.
    static func difference(of database: Database) throws -> String? {
        let expected = try Set(objects().map(\.normalized))
        let found = try Set(Object.all(in: database).map(\.normalized))
        if let foreign = found.subtracting(expected).min(by: { $0.name < $1.name }) {
            return "its \(foreign.type) \(foreign.name) is not the one of a guide"
        }
        return expected.subtracting(found).min { $0.name < $1.name }.map { "it lacks the \($0.type) \($0.name)" }
    }
}
