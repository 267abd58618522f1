import EPGModel
import FoundationEssentials
import GRDB

/// A writer of the programmes, transmissions and diagnostics of an import.
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
    private var updatedDigests: [(id: Int64, digest: ProgrammeDigest)] = []
    /// A digest of all diagnostics so far. Equal digests mean equal diagnostics.
    private(set) var digest = ContentHash(high: 0, low: 0)

    init(_ database: Database, importID: Int64, state: GuideState) throws {
        self.database = database
        hasher = ContentHasher(key: state.contentKey)
        (nextProgramme, nextTransmission) = (state.nextProgramme, state.nextTransmission)
        programme = try BulkInsert(
            database,
            into: """
                programme (id, title, subtitle, category, description, is_new, is_premiere, is_live, document, is_derived)
                """, row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
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
                    binder.integer(10, row.marks.contains(.derived) ? 1 : 0)
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
        updatedDigests += batch.digests
        for diagnostic in batch.diagnostics { fold(diagnostic) }
        waiting += batch.diagnostics
        if waiting.count > 50_000 { try flush() }
    }

    /// Whether an older version computed the digests of stored programmes, so that this import replaces them.
    var updatesDigests: Bool { !updatedDigests.isEmpty }

    /// Writes everything that is still buffered.
    func finish() throws {
        try flush()
        guard updatesDigests else { return }
        var editor = DigestEditor(database)
        for (id, digest) in updatedDigests.sorted(by: { $0.id < $1.id }) { _ = try editor.set(digest, of: id) }
        try editor.finish()
    }

    /// Writes the buffered diagnostics. They are buffered because SQLite rereads its whole log at commit if a page changes
    /// repeatedly during a long transaction.
    private func flush() throws {
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

/// The encoding of the rows (pieces) of the table `programme_digest`.
enum DigestPiece {
    fileprivate static let width = 44
    fileprivate static let liveOffset = 43

    /// Returns the bytes of programmes with consecutive numbers.
    static func data(of rows: [ContentBatch.ProgrammeRow]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * width)
        for row in rows { append(row.digest, to: &bytes) }
        return Data(bytes)
    }

    /// Appends the bytes of one programme.
    fileprivate static func append(_ digest: ProgrammeDigest, to bytes: inout [UInt8]) {
        let (content, source) = (digest.content, digest.bytes)
        let words = (
            content.high.littleEndian, content.low.littleEndian, source.high.littleEndian, source.low.littleEndian,
            digest.titleKey.littleEndian, digest.episodeKey.rawValue.littleEndian, digest.richness.littleEndian,
            digest.findings.rawValue, UInt8(1)
        )
        withUnsafeBytes(of: words) { bytes.append(contentsOf: $0) }
    }

    /// Returns an index of the stored programmes.
    static func index(_ database: Database) throws -> ProgrammeIndex {
        let count = try Int.fetchOne(database, sql: "SELECT sum(length(digests)) / \(width) FROM programme_digest")
        var index = ProgrammeIndex(minimumCapacity: count ?? 0)
        try Row.fetchCursor(database, sql: "SELECT first_id, digests FROM programme_digest").forEach { row in
            let first: Int64 = row["first_id"]
            row.bytes("digests").withUnsafeBytes { bytes in
                for place in 0..<bytes.count / width where bytes[place * width + liveOffset] != 0 {
                    index.insert(digest(bytes, at: place * width), id: first + Int64(place))
                }
            }
        }
        return index
    }

    /// Returns the number of programmes that are not removed.
    static func liveCount(_ database: Database) throws -> Int {
        try Row.fetchCursor(database, sql: "SELECT digests FROM programme_digest").reduce(0) { count, row in
            let bytes = row.bytes("digests")
            return count + (0..<bytes.count / width).count { bytes[$0 * width + liveOffset] != 0 }
        }
    }

    /// Migrates the table from version 7, whose digests had no episode. The next import computes it and the current richness.
    static func widen(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE new_programme_digest (
                    first_id INTEGER PRIMARY KEY,
                    digests BLOB NOT NULL CHECK (length(digests) % \(width) = 0)
                ) STRICT
                """)
        let insert = try database.makeStatement(sql: "INSERT INTO new_programme_digest VALUES (?, ?)")
        try Row.fetchCursor(database, sql: "SELECT first_id, digests FROM programme_digest").forEach { row in
            let old = row.bytes("digests")
            guard old.count % 40 == 0 else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a digest has not 40 bytes")
            }
            var new: [UInt8] = []
            for start in stride(from: 0, to: old.count, by: 40) {
                new += old[start..<start + 36] + [0, 0, 0, 0] + old[start + 36..<start + 40]
            }
            try insert.execute(arguments: [row["first_id"] as Int64, Data(new)])
        }
        try database.execute(
            sql: """
                DROP TABLE programme_digest;
                ALTER TABLE new_programme_digest RENAME TO programme_digest
                """)
    }

    private static func digest(_ bytes: UnsafeRawBufferPointer, at start: Int) -> ProgrammeDigest {
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self))
        }
        let (keys, rest) = (word(32), word(36) >> 32)
        return ProgrammeDigest(
            content: ContentHash(high: word(0), low: word(8)), bytes: ContentHash(high: word(16), low: word(24)),
            titleKey: UInt32(truncatingIfNeeded: keys),
            episodeKey: EpisodeKey(rawValue: UInt32(truncatingIfNeeded: keys >> 32)),
            richness: UInt16(truncatingIfNeeded: rest),
            findings: ProgrammeDigest.Findings(rawValue: UInt8(truncatingIfNeeded: rest >> 16)))
    }
}

/// An editor of the digests of programmes, in ascending order of their numbers.
struct DigestEditor {
    private let database: Database
    private var first: Int64 = 0
    private var bytes: [UInt8] = []
    /// The end of the numbers of the current piece.
    private var end: Int64 { first &+ Int64(bytes.count / DigestPiece.width) }

    init(_ database: Database) {
        self.database = database
    }

    /// Replaces the digest of a programme; returns `false` if it has none.
    mutating func set(_ digest: ProgrammeDigest, of programme: Int64) throws -> Bool {
        var bytes: [UInt8] = []
        DigestPiece.append(digest, to: &bytes)
        return try replace(bytes, at: 0, of: programme)
    }

    /// Sets the content hash of a programme; returns `false` if it has no digest.
    mutating func setContent(_ content: ContentHash, of programme: Int64) throws -> Bool {
        let words = (content.high.littleEndian, content.low.littleEndian)
        return try replace(withUnsafeBytes(of: words) { Array($0) }, at: 0, of: programme)
    }

    mutating func remove(_ programme: Int64) throws { _ = try replace([0], at: DigestPiece.liveOffset, of: programme) }

    /// Replaces the bytes at an offset of a digest.
    private mutating func replace(_ new: [UInt8], at offset: Int, of programme: Int64) throws -> Bool {
        if bytes.isEmpty || programme >= end {
            try finish()
            let piece = try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT * FROM programme_digest WHERE first_id <= ? ORDER BY first_id DESC LIMIT 1"),
                arguments: [programme])
            guard let piece else { return false }
            (first, bytes) = (piece["first_id"], piece.bytes("digests"))
        }
        guard programme < end else { return false }
        let start = Int(programme - first) * DigestPiece.width + offset
        bytes.replaceSubrange(start..<start + new.count, with: new)
        return true
    }

    /// Writes the current piece, or deletes it if all of its programmes are removed.
    mutating func finish() throws {
        guard !bytes.isEmpty else { return }
        if stride(from: DigestPiece.liveOffset, to: bytes.count, by: DigestPiece.width).allSatisfy({ bytes[$0] == 0 }) {
            try database.execute(sql: "DELETE FROM programme_digest WHERE first_id = ?", arguments: [first])
        } else {
            try database.execute(
                sql: "UPDATE programme_digest SET digests = ? WHERE first_id = ?", arguments: [Data(bytes), first])
        }
        (first, bytes) = (0, [])
    }
}

/// The removal of unreferenced programmes and transmissions.
enum ProgrammeCleaning {
    static let programmeSQL = """
        DELETE FROM programme WHERE id = :id
            AND NOT EXISTS (SELECT 1 FROM airing WHERE programme_id = :id)
            AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE programme_id = :id)
            AND NOT EXISTS (SELECT 1 FROM diagnostic WHERE other_programme_id = :id)
        """

    static let transmissionSQL = """
        DELETE FROM transmission WHERE NOT EXISTS
            (SELECT 1 FROM airing WHERE transmission_id = transmission.id AND transmission_id IS NOT NULL)
        """

    /// Removes those of the candidates that are unreferenced, and unreferenced transmissions.
    ///
    /// - Complexity: O(candidates + transmissions) seeks; none without candidates.
    static func removeUnused(_ candidates: Set<Int64>, in database: Database) throws {
        guard !candidates.isEmpty else { return }
        var digests = DigestEditor(database)
        let delete = try database.makeStatement(sql: programmeSQL)
        for number in candidates.sorted() {
            try delete.execute(arguments: ["id": number])
            if database.changesCount > 0 { try digests.remove(number) }
        }
        try digests.finish()
        try database.execute(sql: transmissionSQL)
    }
}
