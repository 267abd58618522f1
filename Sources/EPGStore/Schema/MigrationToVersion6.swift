import EPGJSON
import EPGModel
import Foundation
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
        let schema = try Schema.objects()
        let tables = [
            "source_state", "station", "programme", "transmission", "lineup", "channel", "generation", "airing",
            "change",
        ]
        for table in schema where tables.contains(table.name) || table.name == "airing_change" {
            let name = tables.contains(table.name) ? "new_\(table.name)" : table.name
            let definition = table.sql.dropFirst("CREATE TABLE \(table.name) (".count)
            try database.execute(sql: "CREATE TABLE \(name) (\(definition)")
        }
        try copyTables()
        try fillProgramme()
        try fillChange()
        for name in tables {
            try database.execute(sql: "DROP TABLE \(name); ALTER TABLE new_\(name) RENAME TO \(name)")
        }
        let existing = try Set(Schema.Object.all(in: database).map(\.name))
        for object in schema where object.type != "table" && !existing.contains(object.name) {
            try database.execute(sql: object.sql)
        }
        try database.execute(sql: "PRAGMA user_version = 6")
    }

    /// Fills the tables whose rows are the old ones, but for their documents.
    private func copyTables() throws {
        addFunction("json_attributes") { StoredDocument.attributes(try Version5Reader($0).attributes()) }
        addFunction("json_nodes") { StoredDocument.nodes(try Version5Reader($0).nodes()) }
        addFunction("json_texts") { document in
            StoredDocument.texts(
                try Version5Reader(document).nodes().compactMap { if case .text(let text) = $0 { text } else { nil } })
        }
        let hash = DatabaseFunction("content_hash", argumentCount: 1, pure: true) { [hasher] values in
            String.fromDatabaseValue(values[0]).map { hasher.hash(Array($0.utf8).span).data }
        }
        database.add(function: hash)
        let state = """
            source_id, last_attempt, last_success, entity_tag, last_modified, body_hash, last_error, last_ending, last_duration,
            failures, not_before
            """
        let station = "id, feed_id, name, number, described_by, ordinal, source_id, is_shared, position"
        let channel = "lineup_id, ordinal, name, number, guide_id, guide_name, logo, address, station_id, rule"
        // Only the foreign keys of airings change.
        try database.execute(
            sql: """
                INSERT INTO new_source_state (\(state), header) SELECT \(state), json_attributes(header) FROM source_state;
                INSERT INTO new_station (\(station), document) SELECT \(station), json_nodes(document) FROM station;
                INSERT INTO new_transmission (id, hash, attributes)
                    SELECT id, content_hash(json_attributes(attributes)), json_attributes(attributes) FROM transmission;
                INSERT INTO new_airing SELECT * FROM airing;
                INSERT INTO new_lineup (id, name, attributes) SELECT id, name, json_attributes(attributes) FROM lineup;
                INSERT INTO new_channel (\(channel), groups, attributes, directives)
                    SELECT \(channel), json_texts(groups), json_attributes(attributes), json_texts(directives) FROM channel;
                INSERT INTO new_generation (generation, nonce, at, changes_stations)
                    SELECT generation, random(), at, changes_stations FROM generation;
                """)
    }

    /// Adds a function to SQL that makes JSON from a document of version 5, and NULL from NULL.
    private func addFunction(_ name: String, _ json: @escaping @Sendable ([UInt8]) throws -> [UInt8]) {
        let function = DatabaseFunction(name, argumentCount: 1, pure: true) { values in
            do {
                return try Data.fromDatabaseValue(values[0]).map { String(json: try json(Array($0))) }
            } catch {
                throw DatabaseError(message: Schema.words(error))
            }
        }
        database.add(function: function)
    }

    private func fillProgramme() throws {
        var digests = DigestEditor(database)
        try database.rows("SELECT id, title, subtitle, description, document FROM programme ORDER BY id") { columns in
            let programme = StoredProgramme(
                try Version5Reader(columns.blob(4)).nodes(
                    columns: ["title": columns.text(1), "sub-title": columns.text(2), "desc": columns.text(3)]))
            let id = columns.integer(0)
            try database.run(
                """
                INSERT INTO new_programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, .integer(id), .text(programme.title), .text(programme.subtitle), .text(programme.category),
                .text(programme.description), .flag(programme.marks.contains(.new)),
                .flag(programme.marks.contains(.premiere)), .flag(programme.marks.contains(.live)),
                .json(programme.document))
            let texts = Array((programme.title + (programme.subtitle ?? "") + (programme.description ?? "")).utf8)
            let hash = hasher.programme(
                programme.document.span, texts: texts.span,
                title: programme.title.isEmpty ? nil : programme.title.utf8.count,
                subtitle: programme.subtitle?.utf8.count, description: programme.description?.utf8.count)
            guard try digests.setContent(hash, of: id) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "programme \(id) has no digest")
            }
            return true
        }
        try digests.finish()
    }

    private func fillChange() throws {
        try database.rows("SELECT generation, station_id, airings FROM change") { columns in
            let (generation, station) = (Binding.integer(columns.integer(0)), Binding.integer(columns.integer(1)))
            let changes = try Version5Reader(columns.blob(2)).changes()
            try database.run(
                "INSERT INTO new_change (generation, station_id, is_whole) VALUES (?, ?, ?)", generation, station,
                .flag(changes.isEmpty))
            for change in changes {
                try database.run(
                    """
                    INSERT INTO airing_change (generation, station_id, airing_id, old_start, old_stop, new_start, new_stop)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """, generation, station, .integer(change.id.rawValue), .instant(change.before?.start),
                    .instant(change.before?.end), .instant(change.after?.start), .instant(change.after?.end))
            }
            return true
        }
    }
}
