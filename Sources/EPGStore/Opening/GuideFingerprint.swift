import EPGModel
import GRDB

/// What tells a database from every other, for everybody to see.
///
/// It is made of the key of content hashes one way: who knew that key could write a feed whose contents collide. The nonce
/// tells copies of a database apart, which share that key.
struct GuideFingerprint: Hashable, CustomStringConvertible {
    private let value: UInt64

    init(contentKey: ContentHash, nonce: Int32) {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: nonce >> (8 * $0)) }
        value = SipHash.hash(Array("epg fingerprint".utf8) + bytes, low: contentKey.low, high: contentKey.high)
    }

    /// Digits and small letters.
    var description: String { String(value, radix: 36) }
}

/// What tells copies of one database apart: each backup and each restored guide gets a random one.
///
/// It is SQLite's schema cookie (sqlite.org/fileformat.html, 1.3.7), a number in the header that says when a schema was
/// changed. So it needs no column, and every migration renews it, too.
enum GuideNonce {
    static func read(_ database: Database) throws -> Int32 {
        try database.firstRow("PRAGMA schema_version") { Int32(truncatingIfNeeded: $0.integer(0)) } ?? 0
    }

    /// Gives a copy of a guide another nonce. Nobody else may have the file open: a connection would take the change for
    /// one of the schema.
    static func renew(inFile path: String) throws {
        // A connection without the usual defenses, which forbid this pragma from SQLite 3.42 on.
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { database in
            let nonce = Int32.random(in: 1...Int32.max)
            try database.execute(sql: "PRAGMA schema_version = \(nonce)")
            guard try read(database) == nonce else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the schema cookie cannot be set")
            }
        }
        try queue.close()
    }
}
