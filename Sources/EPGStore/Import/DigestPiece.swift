import EPGModel
import GRDB

/// The pieces of the table `programme_digest`: how digests become bytes and back.
enum DigestPiece {
    static let width = 40
    private static let liveOffset = 39

    /// The bytes of programmes whose numbers follow each other.
    static func bytes(of rows: [ContentBatch.ProgrammeRow]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * width)
        for row in rows {
            let digest = row.digest
            for word in [digest.content.high, digest.content.low, digest.bytes.high, digest.bytes.low] {
                append(word, count: 8, to: &bytes)
            }
            append(UInt64(digest.titleKey), count: 4, to: &bytes)
            append(UInt64(digest.richness), count: 2, to: &bytes)
            bytes.append(digest.findings.rawValue)
            bytes.append(1)
        }
        return bytes
    }

    /// Changes the content hash of a programme.
    ///
    /// - Parameter place: Of the programme in the piece, from 0.
    static func set(_ content: ContentHash, in bytes: inout [UInt8], at place: Int) {
        var changed: [UInt8] = []
        append(content.high, count: 8, to: &changed)
        append(content.low, count: 8, to: &changed)
        let start = place * width
        bytes.replaceSubrange(start..<start + 16, with: changed)
    }

    /// The programmes that are stored.
    static func index(_ database: Database) throws -> ProgrammeIndex {
        let count = try database.firstRow("SELECT sum(length(digests)) / \(width) FROM programme_digest") {
            Int($0.integer(0))
        }
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
        var count = 0
        try database.rows("SELECT digests FROM programme_digest") { columns in
            let bytes = columns.blob(0)
            count += (0..<bytes.count / width).count { bytes[$0 * width + liveOffset] != 0 }
            return true
        }
        return count
    }

    /// Notes that programmes are gone.
    ///
    /// - Parameter programmes: Their numbers, in rising order.
    static func remove(_ programmes: [Int64], in database: Database) throws {
        var rest = programmes[...]
        while let first = rest.first {
            let piece = try database.firstRow(
                "SELECT first_id, digests FROM programme_digest WHERE first_id <= ? ORDER BY first_id DESC LIMIT 1",
                .integer(first)
            ) { (start: $0.integer(0), bytes: $0.blob(1)) }
            guard var piece, piece.start + Int64(piece.bytes.count / width) > first else {
                rest.removeFirst()
                continue
            }
            while let number = rest.first, number < piece.start + Int64(piece.bytes.count / width) {
                piece.bytes[Int(number - piece.start) * width + liveOffset] = 0
                rest.removeFirst()
            }
            if stride(from: liveOffset, to: piece.bytes.count, by: width).allSatisfy({ piece.bytes[$0] == 0 }) {
                try database.run("DELETE FROM programme_digest WHERE first_id = ?", .integer(piece.start))
            } else {
                try database.run(
                    "UPDATE programme_digest SET digests = ? WHERE first_id = ?", .blob(piece.bytes),
                    .integer(piece.start))
            }
        }
    }

    private static func append(_ value: UInt64, count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
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
