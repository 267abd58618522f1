import CResources
import EPGModel

/// The schema of a guide on PostgreSQL: creation and recognition.
enum PostgresSchema {
    /// The same number as that of the SQLite schema with the same tables.
    static let version = 9
    /// The oldest version that can be migrated.
    private static let oldestVersion = 8

    /// Returns the version of the guide in the schema of a connection; `nil` if there is none.
    static func foundVersion(_ connection: PostgresConnection) throws -> Int64? {
        guard
            try connection.first("SELECT to_regclass('schema_version') IS NOT NULL", [], { $0.boolean(0) }) ?? false
        else { return nil }
        return try connection.integer("SELECT version FROM schema_version")
    }

    /// Creates an empty guide if there is none, and migrates an older one. Returns whether there was none.
    ///
    /// - Throws: ``StoreError`` for a guide of another version.
    @discardableResult
    static func prepare(_ connection: PostgresConnection, _ location: String) throws -> Bool {
        if let found = try foundVersion(connection) {
            guard (oldestVersion...version).contains(Int(found)) else {
                throw found > version
                    ? StoreError.newerSchema(path: location, found: Int(found), known: version)
                    : .tooOldSchema(path: location, found: Int(found), known: version)
            }
            if found < version { try migrate(connection) }
            return false
        }
        var generator = SystemRandomNumberGenerator()
        let key = ContentHash(high: generator.next(), low: generator.next())
        try connection.transaction {
            try connection.execute(script: String(cString: cresources_postgres_schema_sql()))
            try connection.execute(
                """
                INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                VALUES (1, 0, $1, 1, 1, 1)
                """, [.bytes(key.blob)])
        }
        return true
    }

    /// Migrates a guide from version 8 to version 9, which has watch rules, reminders and profiles.
    private static func migrate(_ connection: PostgresConnection) throws {
        let schema = String(cString: cresources_postgres_schema_sql())
        let statements = schema.split(separator: ";").filter { statement in
            [
                "CREATE TABLE watch_rule ", "CREATE TABLE reminder ", "CREATE INDEX reminder_by_rule ",
                "CREATE TABLE profile ",
            ]
            .contains { statement.contains($0) }
        }
        try connection.transaction {
            try connection.execute(script: statements.joined(separator: ";"))
            try connection.execute("UPDATE schema_version SET version = $1", [.integer(Int64(version))])
        }
    }
}
