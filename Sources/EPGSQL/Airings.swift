package import EPGModel

/// Statements whose plans the tests check.
package enum AiringSQL {
    private static let tables = """
        airing a CROSS JOIN programme p CROSS JOIN station s CROSS JOIN source o
        LEFT JOIN transmission t ON t.id = a.transmission_id
        WHERE p.id = a.programme_id AND s.id = a.station_id AND o.id = a.source_id
        """

    /// Airings with all details; a condition on `a.id` follows.
    package static let details = """
        SELECT \(AiringColumns.exported), s.feed_id, s.name, s.position, o.name, s.source_id = a.source_id, \(showing) FROM \(tables)
        """

    /// The programme in the feed of an airing, and all copies of it with fields of other sources.
    package static let programmes = """
        SELECT coalesce(listed_programme_id, programme_id) FROM airing WHERE id = $1
        UNION SELECT b.programme_id
        FROM airing a CROSS JOIN airing b
        WHERE a.id = $1 AND b.listed_programme_id = coalesce(a.listed_programme_id, a.programme_id)
        """

    /// The columns of ``Showing/init(_:from:)``, of the airing `a` and its station `s`.
    package static let showing = "a.id, a.start, a.stop, a.station_id, a.source_id, s.is_shared"
}

extension SQLConnection {
    /// Returns the programmes with the content in the feed of an airing; none if there is no such airing.
    package func programmes(likeOf airing: AiringID) throws -> [Int64] {
        try values(AiringSQL.programmes, [.integer(airing.rawValue)]) { $0.integer(0) }
    }
}

extension Showing {
    /// Reads the columns ``AiringSQL/showing``.
    package init(_ row: some StoredRow, from first: Int32 = 0) {
        self.init(
            airing: row.integer(first), window: row.window(first + 1, first + 2), station: row.integer(first + 3),
            source: row.integer(first + 4), isShared: row.flag(first + 5))
    }
}

/// Airings by their identifiers, and categories. ``GuideReading`` documents the members.
extension SQLReading {
    package func airings(_ ids: [AiringID]) throws -> [AiringDetail] {
        try reading { connection in
            var found = try connection.values(
                AiringSQL.details + " AND \(connection.isIn("a.id", list: 1))", [.integers(ids.map(\.rawValue))]
            ) { row in
                let next = AiringColumns.fullCount
                let programme = try row.programme
                let detail = AiringDetail(
                    airing: row.full(station: StationID(row.text(next + 1)), of: programme),
                    stationName: row.text(next + 2), programme: programme, transmission: try row.attributes(next),
                    source: row.text(next + 4), isShown: row.flag(next + 5))
                return (detail: detail, showing: Showing(row, from: next + 6))
            }
            let shared = found.indices.filter { found[$0].showing.isShared }
            if !shared.isEmpty {
                let shown = try shown(shared.map { found[$0].showing }).map { ($0.airing, $0.window) }
                let windows = Dictionary(shown) { first, _ in first }
                for index in shared { found[index].detail.show(windows[found[index].showing.airing]) }
            }
            return found.map(\.detail)
        }
    }

    /// Returns matches with their airings, without those that no longer exist.
    package func matches(
        of showings: [Showing], _ highlights: (Airing) throws -> [SearchMatch.Field: [Range<Int>]]? = { _ in nil }
    ) throws -> [SearchMatch] {
        try reading { connection in
            let windows = Dictionary(showings.map { ($0.airing, $0.window) }) { first, _ in first }
            let found = try connection.values(
                AiringSQL.details + " AND \(connection.isIn("a.id", list: 1))", [.integers(showings.map(\.airing))]
            ) { row in
                let next = AiringColumns.fullCount
                let airing = try row.full(station: StationID(row.text(next + 1)), shown: windows[row.integer(0)])
                return (
                    row.integer(0),
                    SearchMatch(
                        airing: airing, stationName: row.text(next + 2), row: Int(row.integer(next + 3)),
                        highlights: try highlights(airing))
                )
            }
            let matches = Dictionary(found) { first, _ in first }
            return showings.compactMap { matches[$0.airing] }
        }
    }

    package func categories() throws -> [NameCount] {
        try reading { connection in
            try connection.values(
                """
                SELECT category, count(*) FROM programme WHERE category <> '' GROUP BY category
                ORDER BY count(*) DESC, category LIMIT 500
                """
            ) { NameCount(name: $0.text(0), count: Int($0.integer(1))) }
        }
    }
}
