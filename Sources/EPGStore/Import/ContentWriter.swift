import EPGModel
import GRDB

/// Writes programmes, transmissions and diagnostics of an import as they come.
final class ContentWriter {
    private let database: Database
    private let programme: BulkInsert
    private let transmission: InsertStatement
    private let diagnostic: BulkInsert
    private let hasher: ContentHasher
    private(set) var nextProgramme: Int64
    private(set) var nextTransmission: Int64
    private var diagnosticCount: Int64 = 0
    private var waiting: [Diagnostic] = []
    /// A digest of all diagnostics so far: equal digests, equal findings.
    private(set) var digest = ContentHash(high: 0, low: 0)

    init(_ database: Database, importID: Int64, state: GuideState) throws {
        self.database = database
        hasher = ContentHasher(key: state.contentKey)
        (nextProgramme, nextTransmission) = (state.nextProgramme, state.nextTransmission)
        programme = try BulkInsert(
            database,
            into: "programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document)",
            row: "(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        transmission = try InsertStatement(database, "INSERT INTO transmission (id, hash, attributes) VALUES (?, ?, ?)")
        diagnostic = try BulkInsert(
            database,
            into: """
                diagnostic (import_id, ordinal, severity, keyword, action, line, station, start, stop, programme_id,
                    other_line, other_start, other_stop, other_programme_id, window_start, window_stop, quote)
                """, row: "(\(importID), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    }

    func write(_ batch: ContentBatch) throws {
        try batch.documents.withUnsafeBytes { documents in
            try batch.texts.withUnsafeBytes { texts in
                try programme.run(batch.programmes) { binder, row in
                    binder.integer(1, row.id)
                    binder.text(2, bytes: row.title.bytes(in: texts))
                    binder.text(3, bytes: row.subtitle.bytes(in: texts))
                    binder.text(4, bytes: row.category.bytes(in: texts))
                    binder.text(5, bytes: row.description.bytes(in: texts))
                    binder.integer(6, row.marks.contains(.new) ? 1 : 0)
                    binder.integer(7, row.marks.contains(.premiere) ? 1 : 0)
                    binder.integer(8, row.marks.contains(.live) ? 1 : 0)
                    binder.text(9, bytes: row.document.bytes(in: documents))
                }
            }
            for row in batch.transmissions {
                try transmission.run { binder in
                    binder.integer(1, row.id)
                    binder.blob(2, row.hash.blob)
                    binder.text(3, bytes: row.attributes.bytes(in: documents))
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
        try diagnostic.run(waiting) { binder, found in
            diagnosticCount += 1
            binder.integer(1, diagnosticCount)
            binder.text(2, found.severity.rawValue)
            binder.text(3, found.keyword.rawValue)
            binder.text(4, found.action.rawValue)
            binder.integer(5, Int64(found.line))
            binder.text(6, found.station?.rawValue)
            binder.integer(7, found.listing?.start.secondsSince1970)
            binder.integer(8, found.listing?.stop?.secondsSince1970)
            binder.integer(9, found.listing?.programme)
            binder.integer(10, found.other.map { Int64($0.line) })
            binder.integer(11, found.other?.start.secondsSince1970)
            binder.integer(12, found.other?.stop?.secondsSince1970)
            binder.integer(13, found.other?.programme)
            binder.integer(14, found.window?.start.secondsSince1970)
            binder.integer(15, found.window?.end.secondsSince1970)
            binder.text(16, found.quote)
        }
        waiting = []
    }

    private func fold(_ found: Diagnostic) {
        var bytes = digest.blob
        func add(_ value: Int64?) {
            withUnsafeBytes(of: (value ?? 0x5555).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(value == nil ? 0 : 1)
        }
        func add(_ text: String?) {
            add(text.map { Int64($0.utf8.count) })
            if let text { bytes.append(contentsOf: text.utf8) }
        }
        for text in [found.severity.rawValue, found.keyword.rawValue, found.action.rawValue] { add(text) }
        add(Int64(found.line))
        add(found.station?.rawValue)
        for listing in [found.listing, found.other] {
            add(listing.map { Int64($0.line) })
            add(listing?.start.secondsSince1970)
            add(listing?.stop?.secondsSince1970)
            add(listing?.programme)
        }
        add(found.window?.start.secondsSince1970)
        add(found.window?.end.secondsSince1970)
        add(found.quote)
        digest = hasher.hash(bytes.span)
    }
}
