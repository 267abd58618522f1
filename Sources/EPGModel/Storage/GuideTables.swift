/// A table of a guide, whose rows every store can read and write, for copies between stores. See schema.sql.
package struct GuideTable: Hashable, Sendable {
    /// The type of a column. Stores have types of their own for the last three.
    package enum Kind: Hashable, Sendable {
        case integer, text, blob
        /// 0 or 1.
        case flag
        /// JSON text.
        case document
    }

    package let name: String
    package let columns: [(name: String, kind: Kind)]
    /// The columns of the primary key, by which rows are sorted.
    package let key: String

    private init(_ name: String, key: String, _ columns: KeyValuePairs<String, Kind>) {
        self.name = name
        self.key = key
        self.columns = columns.map { ($0.key, $0.value) }
    }

    package static func == (left: GuideTable, right: GuideTable) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// All tables, each after those that it refers to.
    package static let all = [
        GuideTable(
            "guide", key: "id",
            [
                "id": .integer, "generation": .integer, "content_key": .blob, "next_airing": .integer,
                "next_programme": .integer, "next_transmission": .integer, "pruned_at": .integer,
            ]),
        GuideTable(
            "source", key: "id",
            [
                "id": .integer, "name": .text, "location": .text, "time_zone": .text, "shift": .integer,
                "priority": .integer, "station_patterns": .text, "encoding": .text, "refresh_interval": .integer,
                "is_configured": .flag,
            ]),
        GuideTable(
            "source_state", key: "source_id",
            [
                "source_id": .integer, "last_attempt": .integer, "last_success": .integer, "entity_tag": .text,
                "last_modified": .text, "body_hash": .text, "last_error": .text, "last_ending": .text,
                "last_duration": .integer, "failures": .integer, "not_before": .integer, "header": .document,
            ]),
        GuideTable(
            "station", key: "id",
            [
                "id": .integer, "feed_id": .text, "name": .text, "number": .text, "document": .document,
                "described_by": .integer, "ordinal": .integer, "source_id": .integer, "is_shared": .flag,
                "position": .integer,
            ]),
        GuideTable(
            "coverage", key: "station_id, source_id",
            [
                "source_id": .integer, "station_id": .integer, "start": .integer, "stop": .integer, "listings": .blob,
            ]),
        GuideTable(
            "programme", key: "id",
            [
                "id": .integer, "title": .text, "subtitle": .text, "category": .text, "description": .text,
                "is_new": .flag, "is_premiere": .flag, "is_live": .flag, "document": .document, "is_derived": .flag,
                "genre": .integer,
            ]),
        GuideTable("programme_digest", key: "first_id", ["first_id": .integer, "digests": .blob]),
        GuideTable("transmission", key: "id", ["id": .integer, "hash": .blob, "attributes": .document]),
        GuideTable(
            "airing", key: "source_id, station_id, start, part",
            [
                "source_id": .integer, "station_id": .integer, "start": .integer, "part": .integer, "parts": .integer,
                "stop": .integer, "id": .integer, "programme_id": .integer, "transmission_id": .integer,
                "inferred": .flag, "published_start": .integer, "published_stop": .integer,
            ]),
        GuideTable(
            "import", key: "id",
            [
                "id": .integer, "source_id": .integer, "at": .integer, "generation": .integer, "read": .integer,
                "stored": .integer, "merged": .integer, "dropped": .integer, "skipped": .integer, "filtered": .integer,
                "inserted": .integer, "changed": .integer, "removed": .integer, "diagnostics_of": .integer,
                "diagnostics_digest": .blob,
            ]),
        GuideTable(
            "diagnostic", key: "import_id, ordinal",
            [
                "import_id": .integer, "ordinal": .integer, "severity": .text, "keyword": .text, "action": .text,
                "line": .integer, "station": .text, "start": .integer, "stop": .integer, "programme_id": .integer,
                "other_line": .integer, "other_start": .integer, "other_stop": .integer, "other_programme_id": .integer,
                "window_start": .integer, "window_stop": .integer, "quote": .text,
            ]),
        GuideTable("lineup", key: "id", ["id": .integer, "name": .text, "attributes": .document]),
        GuideTable(
            "channel", key: "lineup_id, ordinal",
            [
                "lineup_id": .integer, "ordinal": .integer, "name": .text, "number": .text, "guide_id": .text,
                "guide_name": .text, "logo": .text, "address": .text, "groups": .document, "attributes": .document,
                "directives": .document, "station_id": .integer, "rule": .text,
            ]),
        GuideTable("mapping", key: "channel_key", ["channel_key": .text, "feed_id": .text, "shift": .integer]),
        GuideTable("favorite", key: "feed_id", ["feed_id": .text, "position": .integer]),
        GuideTable(
            "watch_rule", key: "id",
            [
                "id": .integer, "name": .text, "profile": .text, "title": .text, "words": .text, "category": .text,
                "feed_id": .text, "airing_id": .integer, "airing_start": .integer, "airing_siblings": .document,
                "from_minute": .integer, "to_minute": .integer, "is_new": .flag, "is_once": .flag,
                "minutes_before": .integer, "created_at": .integer,
            ]),
        GuideTable(
            "reminder", key: "key, target",
            [
                "key": .text, "target": .text, "rule_id": .integer, "airing_id": .integer, "feed_id": .text,
                "start": .integer, "stop": .integer, "title": .text, "episode": .text, "generation": .integer,
                "siblings": .document, "state": .text, "failures": .integer, "changed_at": .integer,
                "not_before": .integer, "error": .text,
            ]),
        GuideTable(
            "profile", key: "name",
            [
                "name": .text, "document": .document, "version": .integer, "maximum_age": .integer,
                "hidden_categories": .document, "pin_hash": .text,
            ]),
        GuideTable(
            "generation", key: "generation",
            ["generation": .integer, "nonce": .integer, "at": .integer, "changes_stations": .flag]),
        GuideTable(
            "change", key: "generation, station_id",
            ["generation": .integer, "station_id": .integer, "is_whole": .flag]),
        GuideTable(
            "airing_change", key: "generation, station_id, airing_id",
            [
                "generation": .integer, "station_id": .integer, "airing_id": .integer, "old_start": .integer,
                "old_stop": .integer, "new_start": .integer, "new_stop": .integer,
            ]),
    ]
}

/// A value of a column of a ``GuideTable``.
package enum GuideValue: Hashable, Sendable {
    case null
    /// An integer or a flag.
    case integer(Int64)
    /// A text, a document or a blob.
    case bytes([UInt8])
}

/// The tables of a stored guide, in one state.
package protocol GuideTables {
    /// Visits the rows of a table by ascending key.
    func visitRows(of table: GuideTable, _ body: ([GuideValue]) throws -> Void) throws
}

/// The file format of the backups of a store on a server. `EPGStore` provides SQLite's.
public struct BackupFormat: Sendable {
    /// Writes a backup; see ``GuideStorage/backUp(to:target:)``.
    package let write:
        @Sendable (_ tables: any GuideTables, _ path: String, _ target: BackupTarget) throws -> StoreCheck
    /// Calls a closure with the tables of a backup. Makes a checked copy of the file beside `path`.
    package let read:
        @Sendable (
            _ backup: String, _ path: String, _ body: (any GuideTables) throws -> RestoreReport
        ) throws -> RestoreReport

    /// Creates a format.
    package init(
        write: @escaping @Sendable (any GuideTables, String, BackupTarget) throws -> StoreCheck,
        read: @escaping @Sendable (String, String, (any GuideTables) throws -> RestoreReport) throws -> RestoreReport
    ) {
        self.write = write
        self.read = read
    }
}

/// The result of a copy from one store to another.
package struct GuideCopy: Sendable {
    /// The check of the copy.
    package let check: StoreCheck
    /// The digest of the source and of the copy.
    package let digest: GuideDigest

    /// Creates the result of a copy.
    package init(check: StoreCheck, digest: GuideDigest) {
        self.check = check
        self.digest = digest
    }
}

/// A digest of the rows of a guide. Guides with equal contents have equal digests, regardless of the store.
package struct GuideDigest: Hashable, Sendable {
    /// The digest of the rows that were added.
    package private(set) var value = ContentHash(high: 0, low: 0)
    /// The number of rows.
    package private(set) var count = 0

    /// Creates a digest of no rows.
    package init() {}

    /// Creates the digest of all tables.
    package init(of tables: some GuideTables) throws {
        for table in GuideTable.all { try tables.visitRows(of: table) { add($0) } }
    }

    /// Adds a row.
    package mutating func add(_ row: [GuideValue]) {
        count += 1
        var bytes = value.blob
        for value in row {
            switch value {
            case .null: bytes.append(0)
            case .integer(let number):
                bytes.append(1)
                unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
            case .bytes(let text):
                bytes.append(2)
                unsafe withUnsafeBytes(of: Int64(text.count).littleEndian) { unsafe bytes.append(contentsOf: $0) }
                bytes.append(contentsOf: text)
            }
        }
        value = ContentHasher.fixed.hash(bytes.span)
    }
}
