import EPGJSON
package import EPGModel

/// The rows of the table `programme_digest`.
package struct DigestRows: DigestTable {
    private let connection: any SQLConnection

    package init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    package func piece(of programme: Int64) throws -> (first: Int64, bytes: [UInt8])? {
        try connection.first(
            "SELECT first_id, digests FROM programme_digest WHERE first_id <= $1 ORDER BY first_id DESC LIMIT 1",
            [.integer(programme)]
        ) { ($0.integer(0), $0.blob(1)) }
    }

    /// Returns the pieces of some programmes by one statement.
    package func pieces(of programmes: [Int64]) throws -> [(first: Int64, bytes: [UInt8])] {
        guard !programmes.isEmpty else { return [] }
        let table = connection.table("u", ["id": .integers(programmes)], from: 1)
        return try connection.values(
            """
            SELECT first_id, digests FROM programme_digest WHERE first_id IN
                (SELECT (SELECT max(d.first_id) FROM programme_digest d WHERE d.first_id <= u.id) FROM \(table.sql))
            ORDER BY first_id
            """, table.values
        ) { ($0.integer(0), $0.blob(1)) }
    }

    package func replacePiece(from first: Int64, with bytes: [UInt8]?) throws {
        if let bytes {
            try connection.execute(
                "UPDATE programme_digest SET digests = $2 WHERE first_id = $1", [.integer(first), .bytes(bytes)])
        } else {
            try connection.execute("DELETE FROM programme_digest WHERE first_id = $1", [.integer(first)])
        }
    }
}

/// An airing whose content is hashed except for its programme.
package struct StoredContent {
    let id: AiringID
    let window: TimeWindow
    let programme: Int64
    let hash: ContentHash

    /// Returns the airings of stations with the contents of their programmes, by the digests with which imports recognize them: the
    /// programmes themselves are ten times as large.
    ///
    /// - Complexity: O(airings), one query for most pieces of digests, and one for each other piece.
    package static func contents(
        _ stations: [(row: Int, airings: [StoredContent])], _ connection: any SQLConnection
    ) throws -> [Int: [AiringContent]] {
        var programmes = try DigestReader(
            DigestRows(connection), for: stations.flatMap { station in station.airings.map { $0.programme } })
        var found: [Int: [AiringContent]] = [:]
        for (row, airings) in stations {
            found[row] = try airings.map { airing in
                // Without a digest, which `epg check` reports, its number identifies a programme, because programmes never change.
                let programme =
                    try programmes.content(of: airing.programme)
                    ?? ContentHash(high: UInt64(bitPattern: airing.programme), low: 0)
                // The factor keeps equal hashes from canceling each other.
                return AiringContent(
                    id: airing.id, window: airing.window,
                    hash: ContentHash(
                        high: airing.hash.high &* 0x9E37_79B9_7F4A_7C15 ^ programme.high,
                        low: airing.hash.low &* 0x9E37_79B9_7F4A_7C15 ^ programme.low))
            }
        }
        return found
    }
}
