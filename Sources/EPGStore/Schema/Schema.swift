import EPGJSON
import EPGModel
import EPGSQL
import EPGSearch
import GRDB
import FoundationEssentials
import Glibc

/// The schema of a guide, with creation, recognition and migration of databases.
enum Schema {
    /// `EPGG` in ASCII.
    static let applicationID: Int32 = 0x4550_4747
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
            if try found < GuideSchema.version || GuideState(database).generation > 0 {
                try Connections.enableWriteAheadLog(database)
            }
            return found
        }
        guard found < GuideSchema.version else { return nil }
        try queue.inDatabase { try checkSpace($0, path: path) }
        // New databases record the migration as applied. Each version merges the previous migrations, because GRDB commits after
        // each migration and a database must not remain between two versions.
        var migrator = DatabaseMigrator()
        let older = (GuideSchema.oldestVersion..<GuideSchema.version).map { String($0) }
        migrator.registerMigration(
            "\(GuideSchema.version)", foreignKeyChecks: .immediate, merging: Set(older)
        ) { database, _ in
            if let foreign = try String.fetchOne(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            {
                // Updates would run it.
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT, message: "its trigger \(foreign) is not a guide's")
            }
            try SQLiteConnection(database: database).migrateGuide(from: found)
            try database.execute(sql: "PRAGMA user_version = \(GuideSchema.version)")
        }
        do {
            try migrator.migrate(queue)
        } catch {
            throw StoreError.migrationFailed(path: path, detail: reason(error))
        }
        return found
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
        guard found <= GuideSchema.version else {
            throw StoreError.newerSchema(path: path, found: found, known: GuideSchema.version)
        }
        guard found >= GuideSchema.oldestVersion else {
            throw StoreError.tooOldSchema(path: path, found: found, known: GuideSchema.version)
        }
        return found
    }

    /// Ensures that a migration does not fill the disk: it changes most pages, which the log has until they are in the database.
    private static func checkSpace(_ database: Database, path: String) throws {
        let size = try Int64.fetchOne(
            database, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        var status = statvfs()
        guard let size, statvfs(path, &status) == 0 else { return }
        let available = Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
        guard available >= 2 * size else {
            throw StoreError.noSpaceToMigrate(path: path, needed: 2 * size, available: available)
        }
    }

    private static func create(in database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: GuideSchema.sql + """
                    INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                    VALUES (1, 0, randomblob(16), 1, 1, 1);
                    INSERT INTO grdb_migrations (identifier) VALUES ('\(GuideSchema.version)');
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(GuideSchema.version);
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
            try fresh.execute(sql: GuideSchema.sql)
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
            return "its \(foreign.type) \(foreign.name) is not a guide's"
        }
        return expected.subtracting(found).min { $0.name < $1.name }.map { "it lacks the \($0.type) \($0.name)" }
    }
}
