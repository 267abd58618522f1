import EPGModel
import EPGSQL
import EPGStore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

/// `schema.sql` is the only definition of the schema.
@Suite struct SchemaTests {
    /// The text of `schema.sql`.
    private var text: String {
        get throws {
            try String(contentsOf: PackageFiles.root.appending(path: "schema.sql"), encoding: .utf8)
        }
    }

    private static let objects = "SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY 1"

    @Test func newGuideHasSchemaOfSQLFile() throws {
        let scratch = try ScratchGuide()
        try scratch.store.close()
        let fresh = try RawDatabase.read(scratch.path) { try String.fetchAll($0, sql: Self.objects) }
        let memory = try DatabaseQueue()
        let sql = try text
        try memory.write { try $0.execute(sql: sql) }
        try expectEqual(memory.read { try String.fetchAll($0, sql: Self.objects) }, fresh)
        #expect(fresh.contains { $0.hasPrefix("table airing") })
        // The yardsticks of the benchmarks read the version from the head.
        expectText(sql, contains: ["(user_version \(GuideSchema.version);"])
    }

    /// SQLite is the judge of what the programs read from the text.
    @Test func columnsAreThoseThatSQLiteReads() throws {
        let scratch = try ScratchGuide()
        try scratch.store.close()
        let found = try RawDatabase.read(scratch.path) { database in
            let tables =
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations' ORDER BY rowid"
            return try String.fetchAll(database, sql: tables).flatMap { table in
                let columns = try Row.fetchAll(database, sql: "SELECT * FROM pragma_table_info('\(table)')")
                let key = try String.fetchAll(
                    database, sql: "SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk")
                return [table, key.joined(separator: ", ")]
                    + columns.map { "\($0["name"] as String) \($0["type"] as String)" }
            }
        }
        let read = GuideSchema.tables.flatMap { table in
            [table.name, table.key]
                + table.columns.map { column in
                    switch column.kind {
                    case .integer, .flag: "\(column.name) INTEGER"
                    case .text, .document: "\(column.name) TEXT"
                    case .blob: "\(column.name) BLOB"
                    }
                }
        }
        expectEqual(read, found)
        let indexes = try RawDatabase.read(scratch.path) { database in
            try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        }
        expectEqual(GuideSchema.indexes, indexes)
    }

    @Test func newGuideHasApplicationIDAndVersion() throws {
        let scratch = try ScratchGuide()
        try scratch.store.close()
        try expectEqual(RawDatabase.number(scratch.path, "PRAGMA application_id"), 0x4550_4747)
        try expectEqual(RawDatabase.number(scratch.path, "PRAGMA user_version"), 14)
        try expectEqual(
            RawDatabase.read(scratch.path) { try String.fetchOne($0, sql: "PRAGMA journal_mode") }, "wal")
    }

    /// SQLite searches for rows that refer to a deleted row. References to sources need no index, because sources are few.
    @Test func referencingRowsUseIndex() throws {
        let scratch = try ScratchGuide()
        try scratch.store.close()
        let scans = try RawDatabase.read(scratch.path) { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT m.name, group_concat(f."from" || ' = 1', ' AND ') AS condition
                    FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
                    WHERE m.type = 'table' AND f."table" <> 'source' GROUP BY m.name, f.id
                    """
            ).filter { key in
                let query = "SELECT 1 FROM \(key["name"] as String) WHERE \(key["condition"] as String)"
                let plan = try String.fetchAll(
                    database, sql: "EXPLAIN QUERY PLAN \(query)",
                    adapter: SuffixRowAdapter(fromIndex: 3))
                return plan.contains { $0.hasPrefix("SCAN") }
            }.map { "\($0["name"] as String): \($0["condition"] as String)" }
        }
        expectEqual(scans, [])
    }

    @Test func everyTableIsStrict() throws {
        let scratch = try ScratchGuide()
        try scratch.store.close()
        let loose = try RawDatabase.read(scratch.path) { database in
            try String.fetchAll(
                database,
                sql:
                    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%'"
            )
        }
        // GRDB defines this table itself.
        expectEqual(loose, ["grdb_migrations"])
    }

    @Test(arguments: [
        "UPDATE airing SET stop = start", "UPDATE airing SET part = parts", "UPDATE airing SET inferred = 2",
        "UPDATE airing SET id = 1", "UPDATE source SET name = ''", "UPDATE import SET read = read + 1",
        "UPDATE guide SET generation = -1", "UPDATE station SET feed_id = 'one'", "UPDATE airing SET start = 'soon'",
        "UPDATE station SET is_shared = 2", "INSERT INTO lineup VALUES (1, '', '{}')",
        "INSERT INTO favorite VALUES ('one', -1)", "INSERT INTO favorite VALUES ('one', 0), ('two', 0)",
        "INSERT INTO favorite VALUES ('one', 0), ('one', 1)", "INSERT INTO favorite VALUES (NULL, 0)",
        watchRule("name", "''"), watchRule("title", "NULL"), watchRule("airing_id", "1"), watchRule("from_minute", "0"),
        watchRule("minutes_before", "-1"), watchRule("title, excluded_words", "NULL, '[\"a\"]'"),
        "INSERT INTO reminder VALUES ('', 't', 1, 1, 'one', 0, 1, 'T', NULL, 1, '[]', 'sent', 0, 0, NULL, NULL)",
        "INSERT INTO reminder VALUES ('k', 't', 1, 1, 'one', 0, 1, 'T', NULL, 1, '[]', 'lost', 0, 0, NULL, NULL)",
        "INSERT INTO profile VALUES ('', '{}', 1, NULL, '[]', NULL)",
        "INSERT INTO profile VALUES ('a', '{}', 0, NULL, '[]', NULL)",
        "INSERT INTO profile VALUES ('a', '{}', 1, 22, '[]', NULL)",
        "INSERT INTO profile VALUES ('a', '{}', 1, NULL, '[]', NULL), ('a', '{}', 1, NULL, '[]', NULL)",
        "INSERT INTO channel VALUES (1, 0, 'x', NULL, NULL, NULL, NULL, '', '[]', '{}', '[]', 1, NULL)",
        "INSERT INTO channel VALUES (1, 0, 'x', NULL, NULL, NULL, NULL, '', '[]', '{}', '[]', 1, 'guess')",
        "UPDATE generation SET changes_stations = 2", "UPDATE generation SET generation = 0",
        "UPDATE change SET is_whole = 2", "INSERT INTO change SELECT generation, station_id, 1 FROM change",
        "INSERT INTO airing_change VALUES (1, 1, 1, NULL, NULL, NULL, NULL)",
        "INSERT INTO airing_change VALUES (1, 1, 1, 7, NULL, NULL, NULL)",
        "INSERT INTO airing_change VALUES (1, 1, 1, NULL, NULL, 7, 7)", "UPDATE programme SET is_new = 2",
        "UPDATE programme SET document = x'7B7D'",
        "UPDATE coverage SET stop = start", "INSERT INTO guide SELECT 2, 0, content_key, 1, 1, 1 FROM guide",
    ])
    func constraintsEnforceRules(sql: String) throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "one 21:00-22:00 B", "two 20:00-21:00 C"])
        try RawDatabase.write(scratch.path, Self.validWatchRule)
        try scratch.close()
        #expect(throws: DatabaseError.self) { try RawDatabase.write(scratch.path, sql) }
    }

    private static let validWatchRule = """
        INSERT INTO watch_rule (id, name, profile, title, is_new, is_once, minutes_before, created_at)
        VALUES (7, 'a', 'p', 't', 0, 0, 5, 0)
        """

    /// Returns the statement that changes columns of a valid rule.
    private static func watchRule(_ columns: String, _ values: String) -> String {
        "UPDATE watch_rule SET (\(columns)) = (\(values))"
    }
}
