import EPGModel
import GRDB

/// Writes programmes, transmissions and diagnostics of an import as they come.
final class ContentWriter {
    private let programme: BulkInsert
    private let digests: InsertStatement
    private let transmission: InsertStatement
    private let diagnostic: InsertStatement
    private let importID: Int64
    private let hasher = ContentHasher(key: ContentHash(high: 0, low: 0))
    private(set) var programmes = 0
    private(set) var lastProgramme: Int64 = 0
    private(set) var lastTransmission: Int64 = 0
    private(set) var diagnostics = 0
    private var waiting: [Diagnostic] = []
    /// A digest of all diagnostics so far: equal digests, equal findings.
    private(set) var digest = ContentHash(high: 0, low: 0)

    init(_ database: Database, importID: Int64) throws {
        self.importID = importID
        programme = try BulkInsert(
            database,
            into: "programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document)",
            row: "(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        digests = try InsertStatement(
            database, "INSERT INTO programme_digest (first_id, digests) VALUES (?, ?)")
        transmission = try InsertStatement(
            database, "INSERT INTO transmission (id, hash, attributes) VALUES (?, ?, ?)")
        diagnostic = try InsertStatement(
            database,
            """
            INSERT INTO diagnostic
                (import_id, ordinal, severity, keyword, action, line, station, start, stop, programme_id,
                 other_line, other_start, other_stop, other_programme_id, window_start, window_stop, quote)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    }

    func write(_ batch: ContentBatch) throws {
        try batch.bytes.withUnsafeBytes { bytes in
            try programme.run(batch.programmes) { binder, row in
                binder.integer(1, row.id)
                binder.text(2, row.title, of: bytes)
                binder.text(3, row.subtitle, of: bytes)
                binder.text(4, row.category, of: bytes)
                binder.text(5, row.description, of: bytes)
                binder.integer(6, row.marks.contains(.new) ? 1 : 0)
                binder.integer(7, row.marks.contains(.premiere) ? 1 : 0)
                binder.integer(8, row.marks.contains(.live) ? 1 : 0)
                binder.text(9, row.document, of: bytes)
            }
            for row in batch.transmissions {
                try transmission.run { binder in
                    binder.integer(1, row.id)
                    binder.hash(2, row.hash)
                    binder.text(3, row.attributes, of: bytes)
                }
                lastTransmission = max(lastTransmission, row.id)
            }
        }
        if let first = batch.programmes.first, let last = batch.programmes.last {
            try digests.run { binder in
                binder.integer(1, first.id)
                binder.blob(2, DigestPiece.bytes(of: batch.programmes))
            }
            programmes += batch.programmes.count
            lastProgramme = last.id
        }
        for diagnostic in batch.diagnostics { fold(diagnostic) }
        waiting += batch.diagnostics
        if waiting.count > 50_000 { try flush() }
    }

    /// Writes the diagnostics that wait.
    ///
    /// They are kept together: a page that is changed now and then during a long transaction would make SQLite read the
    /// whole log of it once more when it commits.
    func flush() throws {
        for diagnostic in waiting { try write(diagnostic) }
        waiting = []
    }

    private func write(_ found: Diagnostic) throws {
        diagnostics += 1
        try diagnostic.run { binder in
            binder.integer(1, importID)
            binder.integer(2, Int64(diagnostics))
            binder.text(3, found.severity.rawValue)
            binder.text(4, found.keyword.rawValue)
            binder.text(5, found.action.rawValue)
            binder.integer(6, Int64(found.line))
            binder.text(7, found.station?.rawValue)
            binder.instant(8, found.listing?.start)
            binder.instant(9, found.listing?.stop)
            binder.integer(10, found.listing?.programme)
            binder.integer(11, found.other.map { Int64($0.line) })
            binder.instant(12, found.other?.start)
            binder.instant(13, found.other?.stop)
            binder.integer(14, found.other?.programme)
            binder.instant(15, found.window?.start)
            binder.instant(16, found.window?.end)
            binder.text(17, found.quote)
        }
    }

    private func fold(_ found: Diagnostic) {
        var bytes = digest.blob
        func add(_ value: Int64?) {
            withUnsafeBytes(of: (value ?? 0x5555).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(value == nil ? 0 : 1)
        }
        func add(_ text: String?) {
            add(text.map { Int64($0.utf8.count) })
            bytes.append(contentsOf: (text ?? "").utf8)
        }
        add(found.severity.rawValue)
        add(found.keyword.rawValue)
        add(found.action.rawValue)
        add(Int64(found.line))
        add(found.station?.rawValue)
        for reference in [found.listing, found.other] {
            add(reference.map { Int64($0.line) })
            add(reference?.start.secondsSince1970)
            add(reference?.stop?.secondsSince1970)
            add(reference?.programme)
        }
        add(found.window?.start.secondsSince1970)
        add(found.window?.end.secondsSince1970)
        add(found.quote)
        digest = hasher.hash(bytes.span)
    }
}
