package import EPGModel

/// Statements whose plans the tests check.
package enum StationSQL {
    /// The channels with a station in the order of their lineups.
    package static let channels = """
        SELECT c.station_id, c.lineup_id,
            CASE WHEN c.attributes -> '\(Channel.listPlaceName)' IS NULL THEN c.number END, c.ordinal
        FROM lineup l CROSS JOIN channel c WHERE c.lineup_id = l.id AND c.station_id IS NOT NULL
        ORDER BY l.name, c.ordinal
        """
}

extension SQLConnection {
    /// Updates the best source of stations, and whether there are others. Returns the number of changed stations.
    package func resolveSources(of stations: [Int64]) throws -> Int {
        guard !stations.isEmpty else { return 0 }
        // Without coverage, its source stays the one that described it.
        return try execute(
            """
            UPDATE station AS s SET source_id = coalesce(r.best, s.source_id), is_shared = r.count > 1
            FROM (
                SELECT t.id,
                    (SELECT c.source_id FROM coverage c JOIN source o ON o.id = c.source_id WHERE c.station_id = t.id
                        ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 1) AS best,
                    (SELECT count(*) FROM coverage c WHERE c.station_id = t.id) AS count
                FROM station t WHERE \(isIn("t.id", list: 1))
            ) r
            WHERE s.id = r.id
                AND (s.source_id IS DISTINCT FROM coalesce(r.best, s.source_id) OR s.is_shared <> (r.count > 1))
            """, [.integers(stations)])
    }

    /// Renumbers the rows and returns the number of moved stations; see ``RowPlace``.
    ///
    /// - Complexity: O(n log n) for n stations and channels; writes only moved rows.
    package func arrangeRows() throws -> Int {
        let channels = try values(StationSQL.channels) { row in
            RowPlace.Channel(
                station: row.integer(0), lineup: row.integer(1), number: row.channelNumber(2), ordinal: row.integer(3))
        }
        let places = try values("SELECT id, number, described_by, ordinal, position FROM station") { row in
            RowPlace(
                station: row.integer(0), number: row.channelNumber(1), source: row.integerIfPresent(2),
                ordinal: row.integer(3), position: Int(row.integer(4)))
        }
        let moves = RowPlace.moves(of: places, channels: channels)
        guard !moves.isEmpty else { return 0 }
        let table = table(
            "m",
            ["id": .integers(moves.map(\.station)), "position": .integers(moves.map { Int64($0.position) })], from: 1)
        return try execute(
            "UPDATE station AS s SET position = m.position FROM \(table.sql) WHERE s.id = m.id", table.values)
    }
}

extension StoredRow {
    /// Returns a channel number; `nil` for NULL and invalid text.
    package func channelNumber(_ index: Int32) -> ChannelNumber? { textIfPresent(index).flatMap { ChannelNumber($0) } }
}
