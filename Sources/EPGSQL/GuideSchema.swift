import CResources
package import EPGJSON
import EPGModel
import EPGOutput

/// The schema of a guide, read from `schema.sql`, whose form is fixed: a line for each column, indented by four spaces, with more
/// indentation where it continues; the condition of a column is its end; `);`, perhaps with options, ends a table.
package enum GuideSchema {
    /// The number of the current schema.
    package static let version = 14
    /// The oldest version that can be migrated.
    package static let oldestVersion = 9

    /// The text of `schema.sql`.
    package static var sql: String { unsafe String(cString: cresources_schema_sql()) }

    /// All tables except `grdb_migrations`, each after the tables that it refers to, and the statements of their indexes.
    package static let (tables, indexes) = parse(sql)

    private static func parse(_ sql: String) -> (tables: [GuideTable], indexes: [String]) {
        var (tables, indexes): ([GuideTable], [String]) = ([], [])
        var name: Substring?
        var entries: [String] = []
        var statement = ""
        for line in sql.split(separator: "\n") {
            let text = line.trimmingPrefix { $0 == " " }
            if text.hasPrefix("--") { continue }
            statement = name == nil ? String(line) : "\(statement)\n\(line)"
            if let table = name {
                if line.hasPrefix(")") {
                    tables.append(GuideTable(String(table), entries, sql: statement))
                    (name, entries) = (nil, [])
                } else if line.hasPrefix("     ") {
                    entries[entries.count - 1] += " " + text
                } else {
                    entries.append(String(text))
                }
            } else if line.hasPrefix("CREATE TABLE "), line.hasSuffix(" (") {
                name = line.dropFirst("CREATE TABLE ".count).dropLast(" (".count)
            } else if line.hasPrefix("CREATE INDEX ") || line.hasPrefix("CREATE UNIQUE INDEX ") {
                indexes.append(String(line.dropLast()))
            }
        }
        return (tables, indexes)
    }
}

/// A table of a guide.
package struct GuideTable: Hashable, Sendable {
    /// The type of a column. Stores have types of their own for the last three.
    package enum Kind: Hashable, Sendable {
        case integer, text, blob
        /// 0 or 1.
        case flag
        /// JSON text.
        case document(StoredDocument.Kind)
    }

    /// A column of a table.
    package struct Column: Hashable, Sendable {
        package let name: String
        package let kind: Kind
        /// The type in `schema.sql`.
        package let type: String
        /// What follows the type: constraints and the default.
        package let rest: String

        /// The condition of the column; `nil` for none.
        package var check: String? { rest.firstRange(of: "CHECK ").map { String(rest[$0.upperBound...]) } }
    }

    package let name: String
    package let columns: [Column]
    /// The constraints of the table.
    package let constraints: [String]
    /// The columns of the primary key, by which rows are sorted.
    package let key: String
    /// The statement in `schema.sql` that creates the table.
    package let sql: String

    /// Creates a table from the entries of its definition.
    fileprivate init(_ name: String, _ entries: [String], sql: String) {
        self.name = name
        self.sql = sql
        let entries = entries.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
        columns = entries.filter { $0.first?.isLowercase ?? false }.map { Column($0, of: name) }
        constraints = entries.filter { $0.first?.isUppercase ?? false }
        let primary = "PRIMARY KEY ("
        key =
            constraints.first { $0.hasPrefix(primary) }.map { String($0.dropFirst(primary.count).dropLast()) }
            ?? columns.first { $0.rest.contains("PRIMARY KEY") }?.name ?? ""
    }

    /// The conditions of all columns and of the table, each in parentheses.
    package var checks: [String] {
        columns.compactMap(\.check) + constraints.filter { $0.hasPrefix("CHECK ") }.map { String($0.dropFirst(6)) }
    }
}

extension GuideTable.Column {
    /// Creates a column from its entry: name, type, and the rest.
    fileprivate init(_ entry: String, of table: String) {
        let words = entry.split(separator: " ", maxSplits: 2)
        (name, type) = (String(words[0]), String(words[1]))
        rest = words.count > 2 ? String(words[2].trimmingPrefix { $0 == " " }) : ""
        kind =
            switch type {
            case "INTEGER": rest.contains("CHECK (\(name) IN (0, 1))") ? .flag : .integer
            case "BLOB": .blob
            default: StoredDocument.Kind(ofColumn: name, in: table).map { .document($0) } ?? .text
            }
    }
}

extension StoredDocument.Kind {
    /// The kind of the documents in a column; `nil` if it has none.
    fileprivate init?(ofColumn name: String, in table: String) {
        switch (table, name) {
        case ("profile", "document"): self = .any
        case (_, "document"): self = .nodes
        case (_, "attributes"), (_, "header"): self = .attributes
        case (_, "groups"), (_, "directives"), (_, "siblings"), (_, "airing_siblings"), (_, "any_words"),
            (_, "excluded_words"), (_, "hidden_categories"):
            self = .texts
        default: return nil
        }
    }
}

// MARK: - Migration

extension SQLConnection {
    /// Changes a guide of an older version to the current one, in the transaction of the caller.
    ///
    /// - Throws: ``StoredDocument/Damage`` for an unreadable document, and errors of the database.
    package func migrateGuide(from version: Int) throws {
        if version < 10 { try addGenres() }
        if version < 11 {
            try addColumn("username", to: "source")
            try addColumn("lineups", to: "source")
            try execute(definition(of: Self.table("setting")))
        }
        if version < 12 {
            try addPlaylistSources()
            try addRepeats()
            try addCompletions()
        }
        if version < 13 { try addWatchConditions() }
        if version == 12 { try repairCompletions() }
        try addColumn("accepts_rules", to: "profile")
    }

    /// Sets the mark of completed programmes, which version 12 took from their genre.
    private func repairCompletions() throws {
        try execute(
            """
            UPDATE programme SET is_repeat = document ->> 'previously-shown' IS NOT NULL
            WHERE document ->> 'completed' IS NOT NULL
            """)
    }

    /// Creates the watchlist again, because a condition of its table has changed, and reminders refer to it.
    private func addWatchConditions() throws {
        let added: Set = ["any_words", "excluded_words", "pattern"]
        let tables = ["watch_rule", "reminder"].map(Self.table)
        for table in tables { try execute("ALTER TABLE \(table.name) RENAME TO old_\(table.name)") }
        for table in tables {
            try execute(definition(of: table))
            let columns = table.columns.map(\.name).filter { !added.contains($0) }.joined(separator: ", ")
            try execute("INSERT INTO \(table.name) (\(columns)) SELECT \(columns) FROM old_\(table.name)")
        }
        for table in tables.reversed() { try execute("DROP TABLE old_\(table.name)") }
        try addIndex("reminder_by_rule")
    }

    private func addCompletions() throws {
        try addColumn("completes", to: "source")
        try addColumn("listed_programme_id", to: "airing")
        try addColumn("completed", to: "import")
        try addIndex("airing_by_listed_programme")
    }

    private func addPlaylistSources() throws {
        for column in ["service", "follows_guides", "playlist_id", "group_patterns"] {
            try addColumn(column, to: "source")
        }
        try addColumn("source_id", to: "lineup")
        try addColumn("catchup_days", to: "channel")
        for name in try lineupNames() { try saveCatchupDays(ofLineup: name) }
        for table in ["former_channel", "channel_change"] { try execute(definition(of: Self.table(table))) }
        try addIndex("channel_change_by_lineup")
    }

    private func addRepeats() throws {
        try addColumn("is_repeat", to: "programme")
        try execute(
            "UPDATE programme SET is_repeat = $1 WHERE document ->> 'previously-shown' IS NOT NULL", [.boolean(true)])
    }

    private func addGenres() throws {
        try addColumn("genre", to: "programme")
        var finder = GenreFinder()
        var last = Int64.min
        while true {
            let documents = try values(
                "SELECT id, document FROM programme WHERE id > $1 ORDER BY id LIMIT 4096", [.integer(last)]
            ) { (id: $0.integer(0), bytes: $0.blob(1)) }
            guard let end = documents.last?.id else { return }
            last = end
            let genres = try documents.map { Int64(finder.genre(of: try StoredDocument.nodes($0.bytes)).rawValue) }
            let table = table("g", ["id": .integers(documents.map(\.id)), "genre": .integers(genres)], from: 1)
            try execute(
                "UPDATE programme AS p SET genre = g.genre FROM \(table.sql) WHERE p.id = g.id AND g.genre <> 0",
                table.values)
        }
    }

    /// Adds a column that the current schema has, as the last one.
    private func addColumn(_ name: String, to table: String) throws {
        guard let column = Self.table(table).columns.first(where: { $0.name == name }) else {
            preconditionFailure("the schema has no column \(table).\(name)")
        }
        try execute("ALTER TABLE \(table) ADD COLUMN \(definition(of: column, in: table))")
    }

    /// Creates an index that the current schema has.
    private func addIndex(_ name: String) throws {
        guard let index = GuideSchema.indexes.first(where: { $0.hasPrefix("CREATE INDEX \(name) ") }) else {
            preconditionFailure("the schema has no index \(name)")
        }
        try execute(index)
    }

    private static func table(_ name: String) -> GuideTable {
        guard let table = GuideSchema.tables.first(where: { $0.name == name }) else {
            preconditionFailure("the schema has no table \(name)")
        }
        return table
    }
}
