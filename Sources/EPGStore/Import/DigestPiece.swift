import EPGModel
import GRDB

/// The pieces of the table `programme_digest`: how digests become bytes and back.
enum DigestPiece {
    fileprivate static let width = 40
    fileprivate static let liveOffset = 39

    /// The bytes of programmes whose numbers follow each other.
    static func bytes(of rows: [ContentBatch.ProgrammeRow]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * width)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        for digest in rows.lazy.map(\.digest) {
            for word in [digest.content.high, digest.content.low, digest.bytes.high, digest.bytes.low] { append(word) }
            append(digest.titleKey)
            append(digest.richness)
            bytes.append(digest.findings.rawValue)
            bytes.append(1)
        }
        return bytes
    }

    /// The programmes that are stored.
    static func index(_ database: Database) throws -> ProgrammeIndex {
        let count = try Int.fetchOne(database, sql: "SELECT sum(length(digests)) / \(width) FROM programme_digest")
        var index = ProgrammeIndex(minimumCapacity: count ?? 0)
        try database.rows("SELECT first_id, digests FROM programme_digest") { columns in
            let first = columns.integer(0)
            columns.blob(1).withUnsafeBytes { bytes in
                for place in 0..<bytes.count / width where bytes[place * width + liveOffset] != 0 {
                    index.take(digest(bytes, at: place * width), id: first + Int64(place))
                }
            }
            return true
        }
        return index
    }

    /// How many programmes the pieces speak of.
    static func liveCount(_ database: Database) throws -> Int {
        try database.values("SELECT digests FROM programme_digest") { columns in
            let bytes = columns.blob(0)
            return (0..<bytes.count / width).count { bytes[$0 * width + liveOffset] != 0 }
        }.reduce(0, +)
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

    init(_ database: Database) {
        self.database = database
    }

    /// Sets the content hash of a programme; `false` where it has no digest.
    mutating func setContent(_ content: ContentHash, of programme: Int64) throws -> Bool {
        try edit(programme) { bytes, start in
            let words = (content.high.littleEndian, content.low.littleEndian)
            withUnsafeBytes(of: words) { bytes.replaceSubrange(start..<start + 16, with: $0) }
        }
    }

    mutating func remove(_ programme: Int64) throws {
        _ = try edit(programme) { bytes, start in bytes[start + DigestPiece.liveOffset] = 0 }
    }

    /// - Parameter change: Changes the bytes of a piece from an offset on.
    private mutating func edit(_ programme: Int64, _ change: (inout [UInt8], _ start: Int) -> Void) throws -> Bool {
        if !(first..<first + Int64(bytes.count / DigestPiece.width)).contains(programme) {
            try finish()
            let piece = try database.firstRow(
                "SELECT first_id, digests FROM programme_digest WHERE first_id <= ? ORDER BY first_id DESC LIMIT 1",
                .integer(programme)
            ) { ($0.integer(0), $0.blob(1)) }
            guard let piece, programme < piece.0 + Int64(piece.1.count / DigestPiece.width) else { return false }
            (first, bytes) = piece
        }
        change(&bytes, Int(programme - first) * DigestPiece.width)
        return true
    }

    /// Writes the piece that was changed last; one without any programme goes.
    mutating func finish() throws {
        guard !bytes.isEmpty else { return }
        if stride(from: DigestPiece.liveOffset, to: bytes.count, by: DigestPiece.width).allSatisfy({ bytes[$0] == 0 }) {
            try database.run("DELETE FROM programme_digest WHERE first_id = ?", .integer(first))
        } else {
            try database.run(
                "UPDATE programme_digest SET digests = ? WHERE first_id = ?", .blob(bytes), .integer(first))
        }
        (first, bytes) = (0, [])
    }
}
