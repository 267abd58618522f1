import EPGModel
import Foundation
import GRDB

/// The pieces of the table `programme_digest`: how digests become bytes and back.
enum DigestPiece {
    fileprivate static let width = 40
    fileprivate static let liveOffset = 39

    /// The bytes of programmes whose numbers follow each other.
    static func data(of rows: [ContentBatch.ProgrammeRow]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * width)
        for digest in rows.lazy.map(\.digest) {
            let (content, source) = (digest.content, digest.bytes)
            let words = (
                content.high.littleEndian, content.low.littleEndian, source.high.littleEndian, source.low.littleEndian,
                digest.titleKey.littleEndian, digest.richness.littleEndian, digest.findings.rawValue, UInt8(1)
            )
            withUnsafeBytes(of: words) { bytes.append(contentsOf: $0) }
        }
        return Data(bytes)
    }

    /// The programmes that are stored.
    static func index(_ database: Database) throws -> ProgrammeIndex {
        let count = try Int.fetchOne(database, sql: "SELECT sum(length(digests)) / \(width) FROM programme_digest")
        var index = ProgrammeIndex(minimumCapacity: count ?? 0)
        try Row.fetchCursor(database, sql: "SELECT first_id, digests FROM programme_digest").forEach { row in
            let first: Int64 = row["first_id"]
            row.bytes("digests").withUnsafeBytes { bytes in
                for place in 0..<bytes.count / width where bytes[place * width + liveOffset] != 0 {
                    index.take(digest(bytes, at: place * width), id: first + Int64(place))
                }
            }
        }
        return index
    }

    /// How many programmes the pieces speak of.
    static func liveCount(_ database: Database) throws -> Int {
        try Row.fetchCursor(database, sql: "SELECT digests FROM programme_digest").reduce(0) { count, row in
            let bytes = row.bytes("digests")
            return count + (0..<bytes.count / width).count { bytes[$0 * width + liveOffset] != 0 }
        }
    }

    private static func digest(_ bytes: UnsafeRawBufferPointer, at start: Int) -> ProgrammeDigest {
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self))
        }
        let rest = word(32)
        return ProgrammeDigest(
            content: ContentHash(high: word(0), low: word(8)), bytes: ContentHash(high: word(16), low: word(24)),
            titleKey: UInt32(truncatingIfNeeded: rest), richness: UInt16(truncatingIfNeeded: rest >> 32),
            findings: ProgrammeDigest.Findings(rawValue: UInt8(truncatingIfNeeded: rest >> 48)))
    }
}

/// Changes digests of programmes, in rising order of their numbers.
struct DigestEditor {
    private let database: Database
    private var first: Int64 = 0
    private var bytes: [UInt8] = []
    /// The number after the last one of the piece.
    private var end: Int64 { first &+ Int64(bytes.count / DigestPiece.width) }

    init(_ database: Database) {
        self.database = database
    }

    /// Sets the content hash of a programme; `false` where it has no digest.
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

    /// Writes the piece that was changed last; one without any programme goes.
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
