import EPGJSON
import EPGModel
import EPGSQL

/// The schema of a guide on PostgreSQL: creation and recognition.
enum PostgresSchema {
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
            guard (GuideSchema.oldestVersion...GuideSchema.version).contains(Int(found)) else {
                throw found > GuideSchema.version
                    ? StoreError.newerSchema(path: location, found: Int(found), known: GuideSchema.version)
                    : .tooOldSchema(path: location, found: Int(found), known: GuideSchema.version)
            }
            if found < GuideSchema.version { try migrate(connection, from: Int(found)) }
            return false
        }
        var generator = SystemRandomNumberGenerator()
        let key = ContentHash(high: generator.next(), low: generator.next())
        try connection.transaction {
            try connection.execute(script: sql)
            try connection.execute(
                """
                INSERT INTO guide (id, generation, content_key, next_airing, next_programme, next_transmission)
                VALUES (1, 0, $1, 1, 1, 1)
                """, [.bytes(key.blob)])
        }
        return true
    }

    /// Migrates a guide to the current version.
    private static func migrate(_ connection: PostgresConnection, from version: Int) throws {
        try connection.transaction {
            try connection.migrateGuide(from: version)
            try connection.execute("UPDATE schema_version SET version = $1", [.number(GuideSchema.version)])
        }
    }
}

// MARK: - The text

extension PostgresSchema {
    /// The statements that create the schema: the tables of `schema.sql`, which explains them, with these differences:
    ///   * Documents have the type json. jsonb would change the order of their members, and thus the bytes of exports.
    ///   * Texts have the collation "C", so that both engines sort alike.
    ///   * Flags are booleans.
    ///   * Airings and diagnostics have no foreign keys, because the server checks them row by row. ``PostgresReader/check()`` checks
    ///     their references. Rows of removed sources and stations are deleted together with their airings.
    ///   * Names of any length are unique by their hashes, because a row of an index has at most 2,704 bytes.
    static var sql: String {
        (GuideSchema.tables.map(definition) + GuideSchema.indexes.map { $0 + ";" } + [additions]).joined(
            separator: "\n")
    }

    /// The columns with names of any length.
    private static let names = ["source": "name", "lineup": "name", "mapping": "channel_key"]
    private static let tablesWithoutReferences: Set = ["airing", "diagnostic"]

    static func definition(of table: GuideTable) -> String {
        var entries = table.columns.map { definition(of: $0, in: table.name) }
        entries += table.constraints.filter {
            !$0.hasPrefix("FOREIGN KEY") || !tablesWithoutReferences.contains(table.name)
        }
        let index = names[table.name].map { column in
            let suffix = column.split(separator: "_").last ?? ""
            return "\nCREATE UNIQUE INDEX \(table.name)_by_\(suffix) ON \(table.name) (md5(\(column)));"
        }
        return "CREATE TABLE \(table.name) (\n    \(entries.joined(separator: ",\n    "))\n);\(index ?? "")"
    }

    /// Returns the definition of a column of a table.
    static func definition(of column: GuideTable.Column, in table: String) -> String {
        "\(column.name) \(type(of: column.kind))\(rest(of: column, in: table))"
    }

    private static func type(of kind: GuideTable.Kind) -> String {
        switch kind {
        case .integer: "bigint"
        case .text: "text COLLATE \"C\""
        case .blob: "bytea"
        case .flag: "boolean"
        case .document: "json"
        }
    }

    private static func rest(of column: GuideTable.Column, in table: String) -> String {
        var rest = " " + column.rest
        if column.kind == .flag {
            rest = rest.replacing(" CHECK (\(column.name) IN (0, 1))", with: "").replacing(
                "DEFAULT 0", with: "DEFAULT false"
            ).replacing("DEFAULT 1", with: "DEFAULT true")
        }
        if names[table] == column.name {
            rest = rest.replacing(" UNIQUE", with: "").replacing("PRIMARY KEY", with: "NOT NULL")
        }
        if let reference = rest.firstRange(of: " REFERENCES ") {
            if tablesWithoutReferences.contains(table) || (table, column.name) == ("coverage", "station_id") {
                rest.removeSubrange(reference.lowerBound...)
            } else if table == "coverage" {
                rest = rest.replacing(" ON DELETE CASCADE", with: "")
            }
        }
        return rest
    }

    /// What only PostgreSQL has. The views have times in UTC; epg and epgd do not use them.
    private static let additions = """
        CREATE TABLE schema_version (id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL);
        INSERT INTO schema_version VALUES (1, \(GuideSchema.version));
        CREATE INDEX coverage_by_source ON coverage (source_id);
        -- Digests cannot be compressed.
        ALTER TABLE programme_digest ALTER COLUMN digests SET STORAGE EXTERNAL;

        CREATE VIEW listing AS
        SELECT
            s.name AS station, to_timestamp(a.start) AT TIME ZONE 'UTC' AS start,
            to_timestamp(a.stop) AT TIME ZONE 'UTC' AS stop,
            p.title, p.subtitle, p.category, p.description, s.number, s.feed_id AS station_id, a.id AS airing_id,
            a.start AS start_seconds, a.stop AS stop_seconds, p.id AS programme_id, p.document
        FROM station s
        JOIN airing a ON a.source_id = s.source_id AND a.station_id = s.id
        JOIN programme p ON p.id = a.programme_id
        ORDER BY s.position, a.start, a.part;

        CREATE VIEW now AS
        SELECT * FROM listing
        WHERE start_seconds <= floor(extract(epoch FROM clock_timestamp()))::bigint
            AND stop_seconds > floor(extract(epoch FROM clock_timestamp()))::bigint;

        CREATE VIEW channel_list AS
        SELECT
            l.name AS lineup, c.ordinal + 1 AS place, c.number, c.name AS channel, s.name AS station,
            s.feed_id AS station_id, CASE WHEN s.id IS NOT NULL THEN c.rule END AS rule
        FROM lineup l
        JOIN channel c ON c.lineup_id = l.id
        LEFT JOIN station s ON s.id = c.station_id
        ORDER BY l.name, c.ordinal;
        """
}
