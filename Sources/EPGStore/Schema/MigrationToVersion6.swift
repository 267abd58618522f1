import Dispatch
import EPGJSON
import EPGModel
import FoundationEssentials
import GRDB
import Synchronization

/// The migration from version 5 to version 6: documents become JSON, the change log becomes rows, generations get nonces.
///
/// Each changed table is created under another name, filled, and renamed to replace the old one, as
/// sqlite.org/lang_altertable.html recommends. Programmes, airings and generations keep their numbers, so that the search index
/// stays valid.
///
/// Later versions have changed only the constraints of these tables, and added columns with default values, so that the
/// definitions come from `schema.sql`.
struct MigrationToVersion6 {
    /// The copied tables with the columns that are new or become JSON. For airings, only foreign keys change.
    private static let conversions: KeyValuePairs = [
        "source_state": ["header": "json_attributes(header)"],
        "station": ["document": "json_nodes(document)"],
        "transmission": [
            "hash": "content_hash(json_attributes(attributes))", "attributes": "json_attributes(attributes)",
        ],
        "coverage": ["listings": "NULL"],
        "airing": [:],
        "lineup": ["attributes": "json_attributes(attributes)"],
        "channel": [
            "groups": "json_texts(groups)", "attributes": "json_attributes(attributes)",
            "directives": "json_texts(directives)",
        ],
        "generation": ["nonce": "random()"],
    ]

    private let database: Database
    private let hasher: ContentHasher

    init(_ database: Database) throws {
        self.database = database
        hasher = ContentHasher(key: try GuideState(database).contentKey)
    }

    func run() throws {
        // The statements below would run triggers of an untrusted file.
        let foreign = try String.fetchOne(
            database, sql: "SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
        if let foreign {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "version 5 has no \(foreign)")
        }
        let schema = try Schema.objects()
        let tables = ["programme", "change"] + Self.conversions.map(\.key)
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
    }

    /// Fills the tables whose rows change only in their documents.
    private func copyTables() throws {
        addFunction("json_attributes") { String(json: StoredDocument.attributes(try Version5Reader($0).attributes())) }
        addFunction("json_nodes") { String(json: StoredDocument.nodes(try Version5Reader($0).nodes())) }
        addFunction("json_texts") { document in
            let nodes = try Version5Reader(document).nodes()
            return String(
                json: StoredDocument.texts(nodes.compactMap { if case .text(let text) = $0 { text } else { nil } }))
        }
        addFunction("content_hash") { [hasher] in hasher.hash($0.span).data }
        for (table, expressions) in Self.conversions {
            let columns = try database.columns(in: "new_\(table)").map(\.name)
            let values = columns.map { expressions[$0] ?? $0 }.joined(separator: ", ")
            let names = columns.joined(separator: ", ")
            try database.execute(sql: "INSERT INTO new_\(table) (\(names)) SELECT \(values) FROM \(table)")
        }
    }

    /// Adds an SQL function that converts the bytes of a text or a blob, and returns NULL for NULL.
    private func addFunction(
        _ name: String, _ value: @escaping @Sendable ([UInt8]) throws -> any DatabaseValueConvertible
    ) {
        let function = DatabaseFunction(name, argumentCount: 1, pure: true) { values in
            do {
                return try Data.fromDatabaseValue(values[0]).map { try value(Array($0)) }
            } catch {
                throw DatabaseError(message: Schema.reason(error))
            }
        }
        database.add(function: function)
    }

    private struct OldProgramme: Sendable {
        let id: Int64
        let texts: [String: String]
        let document: [UInt8]
    }

    private typealias NewProgramme = (id: Int64, content: StoredProgramme, hash: ContentHash)

    private func fillProgramme() throws {
        let columns = "id, title, subtitle, category, description, is_new, is_premiere, is_live, document"
        let insert = try BulkInsert(
            database, into: "new_programme (\(columns))", row: "(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        var digests = DigestEditor(database)
        var last = Int64.min
        while true {
            let old = try database.values(
                """
                SELECT id, title, subtitle, description, document FROM programme WHERE id > ? ORDER BY id LIMIT 4096
                """, [last]
            ) { columns in
                let names = ["title", "sub-title", "desc"].enumerated()
                let texts = names.map { ($1, columns.text(Int32($0 + 1)).withoutNull) }
                return OldProgramme(
                    id: columns.integer(0), texts: Dictionary(uniqueKeysWithValues: texts), document: columns.blob(4))
            }
            guard let end = old.last?.id else { break }
            last = end
            let new = try converted(old)
            try insert.run(new) { binder, programme in
                let content = programme.content
                binder.integer(1, programme.id)
                binder.text(2, content.title)
                binder.text(3, content.subtitle)
                binder.text(4, content.category)
                binder.text(5, content.description)
                binder.integer(6, content.marks.contains(.new) ? 1 : 0)
                binder.integer(7, content.marks.contains(.premiere) ? 1 : 0)
                binder.integer(8, content.marks.contains(.live) ? 1 : 0)
                binder.text(9, String(json: content.document))
            }
            for programme in new where try !digests.setContent(programme.hash, of: programme.id) {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "programme \(programme.id) has no digest")
            }
        }
        try digests.finish()
    }

    /// Converts programmes on all cores. On a single core, this would take a third of the migration's time.
    private func converted(_ programmes: [OldProgramme]) throws -> [NewProgramme] {
        let size = 256
        let count = (programmes.count + size - 1) / size
        let results = Mutex<[Int: Result<[NewProgramme], any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { [hasher] index in
            let chunk = programmes.dropFirst(index * size).prefix(size)
            let result = Result { try chunk.map { try Self.converted($0, hasher) } }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { results in try (0..<count).flatMap { try results[$0]?.get() ?? [] } }
    }

    private static func converted(_ old: OldProgramme, _ hasher: ContentHasher) throws -> NewProgramme {
        let content = StoredProgramme(try Version5Reader(old.document, columns: old.texts).nodes())
        let texts = content.title + (content.subtitle ?? "") + (content.description ?? "")
        let hash = hasher.programme(
            content.document.span, texts: Array(texts.utf8).span,
            title: content.title.isEmpty ? nil : content.title.utf8.count,
            subtitle: content.subtitle?.utf8.count, description: content.description?.utf8.count)
        return (old.id, content, hash)
    }

    private func fillChange() throws {
        let insert = try database.makeStatement(sql: "INSERT INTO new_change VALUES (?, ?, ?)")
        let insertAiring = try database.makeStatement(sql: "INSERT INTO airing_change VALUES (?, ?, ?, ?, ?, ?, ?)")
        try database.rows("SELECT generation, station_id, airings FROM change") { columns in
            let (generation, station) = (columns.integer(0), columns.integer(1))
            let changes = try Version5Reader(columns.blob(2)).changes()
            try insert.execute(arguments: [generation, station, changes.isEmpty])
            for change in changes {
                try insertAiring.execute(arguments: [
                    generation, station, change.id.rawValue, change.before?.start.secondsSince1970,
                    change.before?.end.secondsSince1970, change.after?.start.secondsSince1970,
                    change.after?.end.secondsSince1970,
                ])
            }
            return true
        }
    }
}

/// A decoder of the binary format of version 5. Numbers are unsigned LEB128.
struct Version5Reader {
    private let bytes: [UInt8]
    /// The texts of columns by the name of the element; each is used once.
    private var columns: [String: String]
    private var offset = 0
    private var lastID: Int64 = 0
    private var lastStart: Int64 = 0

    init(_ bytes: [UInt8], columns: [String: String] = [:]) {
        self.bytes = bytes
        self.columns = columns
    }

    private var damage: StoredDocument.Damage {
        .init(detail: "a document of version 5 that cannot be read at byte \(offset)")
    }

    private mutating func byte() throws(StoredDocument.Damage) -> UInt8 {
        guard offset < bytes.count else { throw damage }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func unsigned() throws(StoredDocument.Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            let bits = UInt64(byte & 0x7F)
            // The tenth byte may have one bit only.
            guard shift < 63 || bits <= 1 else { throw damage }
            value |= bits << shift
            if byte < 0x80 { return value }
        }
        throw damage
    }

    // MARK: - Documents

    // A document is a sequence of tokens with the structure of the XML:
    //
    // 0x00                                       ends the innermost element
    // 0x01           length bytes                a text, UTF-8
    // 0x02           length bytes                begins an element whose name has no code
    // 0x03                                       a text that is in a separate column
    // 0x04           length bytes length bytes   an attribute whose name has no code
    // 0x10 … 0x7F                                begins an element, by the code of its name
    // 0x80 … 0xFF    length bytes                an attribute, by the code of its name

    private static let elements = [
        "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length",
        "icon", "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance", "new",
        "subtitles", "rating", "star-rating", "review", "image", "value", "present", "colour", "aspect", "quality",
        "stereo", "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter",
        "commentator", "guest", "display-name", "lcn", "season", "episode", "series-desc", "live", "summary",
        "audio-described",
    ]
    private static let attributes = [
        "lang", "src", "width", "height", "system", "units", "type", "start", "channel", "role", "guest", "size",
        "orient", "source", "reviewer", "pdc-start", "vps-start", "showview", "videoplus", "clumpidx", "catchup-id",
    ]

    /// Returns all nodes of a document.
    consuming func nodes() throws(StoredDocument.Damage) -> [ContentNode] { try element(named: "", depth: 0).children }

    /// Returns the attributes of a document that contains nothing else.
    consuming func attributes() throws(StoredDocument.Damage) -> [ContentAttribute] {
        let element = try element(named: "", depth: 0)
        guard element.children.isEmpty else { throw damage }
        return element.attributes
    }

    /// Reads the attributes and children up to the end of an element, or at depth 0 up to the end of the document.
    private mutating func element(named name: String, depth: Int) throws(StoredDocument.Damage) -> ContentElement {
        guard depth <= 64 else { throw damage }
        var element = ContentElement(name: name)
        while offset < bytes.count {
            let code = Int(try byte())
            switch code {
            case 0x00 where depth > 0: return element
            case 0x01: element.children.append(.text(try string()))
            case 0x03: if let text = columns.removeValue(forKey: name) { element.children.append(.text(text)) }
            case 0x04, 0x80...:
                guard code < 0x80 + Self.attributes.count else { throw damage }
                let name = try code == 0x04 ? string() : Self.attributes[code - 0x80]
                element.attributes.append(ContentAttribute(name: name, value: try string()))
            case 0x02, 0x10...:
                guard code < 0x10 + Self.elements.count else { throw damage }
                let name = try code == 0x02 ? string() : Self.elements[code - 0x10]
                element.children.append(.element(try self.element(named: name, depth: depth + 1)))
            default: throw damage
            }
        }
        guard depth == 0 else { throw damage }
        return element
    }

    private mutating func string() throws(StoredDocument.Damage) -> String {
        let length = try unsigned()
        guard length <= UInt64(bytes.count - offset) else { throw damage }
        defer { offset += Int(length) }
        return String(decoding: bytes[offset..<offset + Int(length)], as: UTF8.self)
    }

    // MARK: - Changes

    // The changes of a station consist of, for each change: a byte for its kind (0 inserted, 1 removed, 2 moved, 3 changed); the
    // airing's identifier relative to the previous change; the window before, unless it was inserted; the window after, unless
    // it was removed. A window is its start relative to the previously written start, and its length in seconds. Signed numbers
    // are zigzag-encoded.

    /// Returns all changes of a station in order.
    consuming func changes() throws(StoredDocument.Damage) -> [AiringChange] {
        var changes: [AiringChange] = []
        while offset < bytes.count {
            guard changes.count < ChangeCollector.limit else { throw damage }
            changes.append(try change())
        }
        return changes
    }

    private mutating func change() throws(StoredDocument.Damage) -> AiringChange {
        let kind = try byte()
        guard kind <= 3 else { throw damage }
        lastID &+= try signed()
        let before = kind == 0 ? nil : try window()
        let after = kind == 1 ? nil : try window()
        guard let change = AiringChange(AiringID(lastID), from: before, to: after),
            (change.kind == .moved) == (kind == 2)
        else { throw damage }
        return change
    }

    private mutating func window() throws(StoredDocument.Damage) -> TimeWindow {
        lastStart &+= try signed()
        // A length beyond the last instant overflows to a stop before the start.
        let stop = lastStart &+ Int64(bitPattern: try unsigned())
        let window = TimeWindow(from: Instant(secondsSince1970: lastStart), to: Instant(secondsSince1970: stop))
        guard let window, !window.isEmpty else { throw damage }
        return window
    }

    private mutating func signed() throws(StoredDocument.Damage) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
