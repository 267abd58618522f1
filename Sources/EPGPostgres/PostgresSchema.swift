import CResources
import EPGJSON
import EPGModel
import EPGSQL
import EPGOutput

/// The schema of a guide on PostgreSQL: creation and recognition.
enum PostgresSchema {
    /// The same number as that of the SQLite schema with the same tables.
    static let version = 10
    /// The oldest version that can be migrated: the schema of swift-epg 0.1.0.
    private static let oldestVersion = 9

    /// Returns the version of the guide in the schema of a connection; `nil` if there is none.
    static func foundVersion(_ connection: PostgresConnection) throws -> Int64? {
        guard
            try connection.first("SELECT to_regclass('schema_version') IS NOT NULL", [], { $0.flag(0) }) ?? false
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

    /// Migrates a guide from version 9 to version 10, which has the genres of programmes.
    private static func migrate(_ connection: PostgresConnection) throws {
        try connection.transaction {
            try connection.execute(
                """
                ALTER TABLE programme ADD COLUMN genre bigint NOT NULL DEFAULT 0 CHECK (genre BETWEEN 0 AND 1023)
                """)
            var finder = GenreFinder()
            var last = Int64.min
            while true {
                let documents = try connection.values(
                    "SELECT id, document FROM programme WHERE id > $1 ORDER BY id LIMIT 4096", [.integer(last)]
                ) { (id: $0.integer(0), bytes: $0.blob(1)) }
                guard let end = documents.last?.id else { break }
                last = end
                let genres = try documents.map { Int64(finder.genre(of: try StoredDocument.nodes($0.bytes)).rawValue) }
                try connection.execute(
                    """
                    UPDATE programme SET genre = g.genre FROM unnest($1::bigint[], $2::bigint[]) AS g (id, genre)
                    WHERE programme.id = g.id AND g.genre <> 0
                    """, [.integers(documents.map(\.id)), .integers(genres)])
            }
            try connection.execute("UPDATE schema_version SET version = $1", [.integer(Int64(version))])
        }
    }
}
