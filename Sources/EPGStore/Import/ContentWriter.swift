import EPGModel
import GRDB

/// Writes programmes, transmissions and diagnostics of an import as they come.
final class ContentWriter {
    private let database: Database
    private let programme: BulkInsert
    private let transmission: InsertStatement
    private let hasher: ContentHasher
    private let importID: Int64
    private(set) var nextProgramme: Int64
    private(set) var nextTransmission: Int64
    private var diagnosticCount = 0
    private var waiting: [Diagnostic] = []
    /// A digest of all diagnostics so far: equal digests, equal findings.
    private(set) var digest = ContentHash(high: 0, low: 0)

    init(_ database: Database, importID: Int64, state: GuideState) throws {
        self.database = database
        self.importID = importID
        hasher = ContentHasher(key: state.contentKey)
        (nextProgramme, nextTransmission) = (state.nextProgramme, state.nextTransmission)
        programme = try BulkInsert(
            database,
            into: "programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document)",
            row: "(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        transmission = try InsertStatement(database, "INSERT INTO transmission (id, hash, attributes) VALUES (?, ?, ?)")
    }

    func write(_ batch: ContentBatch) throws {
        try batch.bytes.withUnsafeBytes { bytes in
            try programme.run(batch.programmes) { binder, row in
                binder.integer(1, row.id)
                binder.text(2, bytes: row.title.bytes(in: bytes))
                binder.text(3, bytes: row.subtitle.bytes(in: bytes))
                binder.text(4, bytes: row.category.bytes(in: bytes))
                binder.text(5, bytes: row.description.bytes(in: bytes))
                binder.integer(6, row.marks.contains(.new) ? 1 : 0)
                binder.integer(7, row.marks.contains(.premiere) ? 1 : 0)
                binder.integer(8, row.marks.contains(.live) ? 1 : 0)
                binder.text(9, bytes: row.document.bytes(in: bytes))
            }
            for row in batch.transmissions {
                try transmission.run { binder in
                    binder.integer(1, row.id)
                    binder.blob(2, row.hash.blob)
                    binder.text(3, bytes: row.attributes.bytes(in: bytes))
                }
                nextTransmission = row.id + 1
            }
        }
        if let first = batch.programmes.first, let last = batch.programmes.last {
            try database.execute(
                sql: "INSERT INTO programme_digest (first_id, digests) VALUES (?, ?)",
                arguments: [first.id, DigestPiece.data(of: batch.programmes)])
            nextProgramme = last.id + 1
        }
        for diagnostic in batch.diagnostics { fold(diagnostic) }
        waiting += batch.diagnostics
        if waiting.count > 50_000 { try flush() }
    }

    /// Writes the diagnostics that wait. They are kept together: where a page changes now and then in a long
    /// transaction, SQLite reads its whole log again to commit it.
    func flush() throws {
        // Parameter 8 is the line of the listing, which only the digest has.
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO diagnostic
                    (import_id, ordinal, severity, keyword, action, line, station, start, stop, programme_id,
                     other_line, other_start, other_stop, other_programme_id, window_start, window_stop, quote)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
                """)
        for diagnostic in waiting {
            diagnosticCount += 1
            try insert.execute(
                arguments: [importID, diagnosticCount] + StatementArguments(Self.values(of: diagnostic)))
        }
        waiting = []
    }

    /// Numbers and texts.
    private static func values(of found: Diagnostic) -> [DatabaseValue] {
        var values: [(any DatabaseValueConvertible)?] = [
            found.severity.rawValue, found.keyword.rawValue, found.action.rawValue, found.line, found.station?.rawValue,
        ]
        for listing in [found.listing, found.other] {
            values += [
                listing?.line, listing?.start.secondsSince1970, listing?.stop?.secondsSince1970, listing?.programme,
            ]
        }
        values += [found.window?.start.secondsSince1970, found.window?.end.secondsSince1970, found.quote]
        return values.map { $0?.databaseValue ?? .null }
    }

    private func fold(_ found: Diagnostic) {
        var bytes = digest.blob
        func add(_ value: Int64?) {
            withUnsafeBytes(of: (value ?? 0x5555).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(value == nil ? 0 : 1)
        }
        for value in Self.values(of: found) {
            if case .string(let text) = value.storage {
                add(Int64(text.utf8.count))
                bytes.append(contentsOf: text.utf8)
            } else {
                add(Int64.fromDatabaseValue(value))
            }
        }
        digest = hasher.hash(bytes.span)
    }
}
