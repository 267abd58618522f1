import EPGJSON
import EPGModel
import GRDB

/// Brings a guide of version 5 to version 6: documents become JSON, the log of changes becomes rows, and generations get nonces.
///
/// Each table that changes is made anew under another name, filled, and put in the place of the old one, as
/// sqlite.org/lang_altertable.html recommends. Programmes, airings and generations keep their numbers, so the search index stays
/// valid.
struct MigrationToVersion6 {
    private let database: Database
    private let hasher: ContentHasher

    init(_ database: Database) throws {
        self.database = database
        hasher = ContentHasher(key: try GuideState(database).contentKey)
    }

    func run() throws {
        // The statements below would run triggers of a file from elsewhere.
        let foreign = try String.fetchOne(
            database, sql: "SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
        if let foreign {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "version 5 has no \(foreign)")
        }
        let schema = try Self.schema()
        let tables: [(name: String, fill: () throws -> Void)] = [
            ("source_state", fillSourceState), ("station", fillStation), ("programme", fillProgramme),
            ("transmission", fillTransmission), ("lineup", fillLineup), ("channel", fillChannel),
            ("generation", fillGeneration), ("airing", copyAiring),
        ]
        for table in tables {
            try create(table.name, as: "new_" + table.name, schema)
            try table.fill()
        }
        try create("airing_change", as: "airing_change", schema)
        try create("change", as: "new_change", schema)
        try fillChange()
        for name in tables.map(\.name) + ["change"] {
            try database.execute(sql: "DROP TABLE \(name); ALTER TABLE new_\(name) RENAME TO \(name)")
        }
        for object in schema where object.type != "table" {
            let exists = try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)", arguments: [object.name])
            if exists != true { try database.execute(sql: object.sql) }
        }
        try database.execute(sql: "PRAGMA user_version = 6")
    }

    // MARK: - Schema

    private struct Statement {
        let type: String
        let name: String
        let sql: String
    }

    /// The statements of `schema.sql` in their order, as SQLite keeps them.
    private static func schema() throws -> [Statement] {
        try DatabaseQueue().write { fresh in
            try fresh.execute(sql: Schema.sql)
            return try Row.fetchAll(
                fresh, sql: "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
            ).map { Statement(type: $0["type"], name: $0["name"], sql: $0["sql"]) }
        }
    }

    private func create(_ table: String, as name: String, _ schema: [Statement]) throws {
        let head = "CREATE TABLE \(table) ("
        for statement in schema where statement.name == table && statement.sql.hasPrefix(head) {
            try database.execute(sql: "CREATE TABLE \(name) (" + statement.sql.dropFirst(head.count))
        }
    }

    // MARK: - Content

    private func fillProgramme() throws {
        let insert = try InsertStatement(
            database,
            """
            INSERT INTO new_programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        var digests = DigestUpdate(database)
        try database.rows("SELECT id, title, subtitle, description, document FROM programme ORDER BY id") { columns in
            let nodes = try Version5Document(columns.blob(4)).nodes(
                columns: [
                    "title": columns.text(1), "sub-title": columns.text(2), "desc": columns.text(3),
                ])
            let programme = StoredProgramme(nodes)
            let id = columns.integer(0)
            try programme.document.withUnsafeBytes { document in
                try insert.run { binder in
                    binder.integer(1, id)
                    binder.text(2, programme.title)
                    binder.text(3, programme.subtitle)
                    binder.text(4, programme.category)
                    binder.text(5, programme.description)
                    binder.integer(6, programme.marks.contains(.new) ? 1 : 0)
                    binder.integer(7, programme.marks.contains(.premiere) ? 1 : 0)
                    binder.integer(8, programme.marks.contains(.live) ? 1 : 0)
                    binder.text(9, bytes: document)
                }
            }
            let texts = Array((programme.title + (programme.subtitle ?? "") + (programme.description ?? "")).utf8)
            let hash = hasher.programme(
                programme.document.span, texts: texts.span,
                title: programme.title.isEmpty ? nil : programme.title.utf8.count,
                subtitle: programme.subtitle?.utf8.count, description: programme.description?.utf8.count)
            try digests.set(hash, of: id)
            return true
        }
        try digests.finish()
    }

    private func fillTransmission() throws {
        try database.rows("SELECT id, attributes FROM transmission ORDER BY id") { columns in
            let attributes = try Version5Document(columns.blob(1)).attributes()
            let json = StoredDocument.attributes(attributes)
            try database.run(
                "INSERT INTO new_transmission (id, hash, attributes) VALUES (?, ?, ?)", .integer(columns.integer(0)),
                .blob(hasher.hash(json.span).blob), .json(json))
            return true
        }
    }

    private func fillStation() throws {
        let rest = "feed_id, name, number, described_by, ordinal, source_id, is_shared, position"
        try database.execute(
            sql: "INSERT INTO new_station (id, \(rest), document) SELECT id, \(rest), '' FROM station")
        try database.rows("SELECT id, document FROM station") { columns in
            let nodes = try Version5Document(columns.blob(1)).nodes()
            try database.run(
                "UPDATE new_station SET document = ? WHERE id = ?", .json(StoredDocument.nodes(nodes)),
                .integer(columns.integer(0)))
            return true
        }
    }

    private func fillSourceState() throws {
        let rest = """
            last_attempt, last_success, entity_tag, last_modified, body_hash, last_error, last_ending, last_duration, failures,
            not_before
            """
        try database.execute(
            sql: "INSERT INTO new_source_state (source_id, \(rest)) SELECT source_id, \(rest) FROM source_state")
        try database.rows("SELECT source_id, header FROM source_state WHERE header IS NOT NULL") { columns in
            let attributes = try Version5Document(columns.blob(1)).attributes()
            try database.run(
                "UPDATE new_source_state SET header = ? WHERE source_id = ?",
                .json(StoredDocument.attributes(attributes)), .integer(columns.integer(0)))
            return true
        }
    }

    /// Only the foreign keys of airings change.
    private func copyAiring() throws {
        try database.execute(sql: "INSERT INTO new_airing SELECT * FROM airing")
    }

    // MARK: - Lineups

    private func fillLineup() throws {
        try database.rows("SELECT id, name, attributes FROM lineup") { columns in
            let attributes = try Version5Document(columns.blob(2)).attributes()
            try database.run(
                "INSERT INTO new_lineup (id, name, attributes) VALUES (?, ?, ?)", .integer(columns.integer(0)),
                .text(columns.text(1)), .json(StoredDocument.attributes(attributes)))
            return true
        }
    }

    private func fillChannel() throws {
        let rest = "name, number, guide_id, guide_name, logo, address, station_id, rule"
        try database.execute(
            sql: """
                INSERT INTO new_channel (lineup_id, ordinal, \(rest), groups, attributes, directives)
                SELECT lineup_id, ordinal, \(rest), '', '', '' FROM channel
                """)
        try database.rows("SELECT lineup_id, ordinal, groups, attributes, directives FROM channel") { columns in
            func texts(_ index: Int32) throws -> [UInt8] {
                StoredDocument.texts(
                    try Version5Document(columns.blob(index)).nodes().compactMap { node in
                        if case .text(let text) = node { text } else { nil }
                    })
            }
            let attributes = try Version5Document(columns.blob(3)).attributes()
            try database.run(
                "UPDATE new_channel SET groups = ?, attributes = ?, directives = ? WHERE lineup_id = ? AND ordinal = ?",
                .json(try texts(2)), .json(StoredDocument.attributes(attributes)), .json(try texts(4)),
                .integer(columns.integer(0)), .integer(columns.integer(1)))
            return true
        }
    }

    // MARK: - The log of changes

    private func fillGeneration() throws {
        try database.execute(
            sql: """
                INSERT INTO new_generation (generation, nonce, at, changes_stations)
                SELECT generation, random(), at, changes_stations FROM generation
                """)
    }

    private func fillChange() throws {
        try database.rows("SELECT generation, station_id, airings FROM change") { columns in
            let changes = columns.isNull(2) ? [] : try Version5Changes(columns.blob(2)).changes()
            try database.run(
                "INSERT INTO new_change (generation, station_id, is_whole) VALUES (?, ?, ?)",
                .integer(columns.integer(0)), .integer(columns.integer(1)), .integer(changes.isEmpty ? 1 : 0))
            for change in changes {
                try database.run(
                    """
                    INSERT INTO airing_change (generation, station_id, airing_id, old_start, old_stop, new_start, new_stop)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """, .integer(columns.integer(0)), .integer(columns.integer(1)), .integer(change.id.rawValue),
                    .integer(change.before?.start.secondsSince1970), .integer(change.before?.end.secondsSince1970),
                    .integer(change.after?.start.secondsSince1970), .integer(change.after?.end.secondsSince1970))
            }
            return true
        }
    }
}

/// Changes the hashes of programmes in ``DigestPiece``s, in the order of their numbers.
private struct DigestUpdate {
    private let database: Database
    private var first: Int64 = 0
    private var bytes: [UInt8] = []

    init(_ database: Database) {
        self.database = database
    }

    mutating func set(_ content: ContentHash, of programme: Int64) throws {
        if programme >= first + Int64(bytes.count / DigestPiece.width) || bytes.isEmpty {
            try finish()
            let piece = try database.firstRow(
                "SELECT first_id, digests FROM programme_digest WHERE first_id <= ? ORDER BY first_id DESC LIMIT 1",
                .integer(programme)
            ) { (first: $0.integer(0), bytes: $0.blob(1)) }
            guard let piece, programme < piece.first + Int64(piece.bytes.count / DigestPiece.width) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "programme \(programme) has no digest")
            }
            (first, bytes) = piece
        }
        DigestPiece.set(content, in: &bytes, at: Int(programme - first))
    }

    /// Writes the piece that was changed last.
    mutating func finish() throws {
        guard !bytes.isEmpty else { return }
        try database.run("UPDATE programme_digest SET digests = ? WHERE first_id = ?", .blob(bytes), .integer(first))
        bytes = []
    }
}
