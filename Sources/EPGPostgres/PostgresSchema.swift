import EPGModel

/// The schema of a guide on PostgreSQL: creation and recognition.
enum PostgresSchema {
    /// The same number as that of the SQLite schema with the same tables.
    static let version = 8

    /// Returns the version of the guide in the schema of a connection; `nil` if there is none.
    static func foundVersion(_ connection: PostgresConnection) throws -> Int64? {
        guard
            try connection.first("SELECT to_regclass('schema_version') IS NOT NULL", [], { $0.boolean(0) }) ?? false
        else { return nil }
        return try connection.integer("SELECT version FROM schema_version")
    }

    /// Creates an empty guide if there is none. Returns whether there was none.
    ///
    /// - Throws: ``StoreError`` for a guide of another version.
    @discardableResult
    static func prepare(_ connection: PostgresConnection, _ location: String) throws -> Bool {
        if let found = try foundVersion(connection) {
            guard found == version else {
                throw found > version
                    ? StoreError.newerSchema(path: location, found: Int(found), known: version)
                    : .tooOldSchema(path: location, found: Int(found), known: version)
            }
            return false
        }
        var generator = SystemRandomNumberGenerator()
        let key = ContentHash(high: generator.next(), low: generator.next())
        try connection.transaction {
            try connection.execute(script: String(decoding: PackageResources.schema_sql, as: UTF8.self))
            try connection.execute(
                """
                INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                VALUES (1, 0, $1, 1, 1, 1)
                """, [.bytes(key.blob)])
        }
        return true
    }
}
