import EPGJSON
import EPGModel
import EPGSQL

extension PostgresReader: ChangeLogTable {
    func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try loggedChanges(since: start, of: station)
    }

    func generation() throws -> Generation { Generation(try state().generation) }

    func start(of generation: Generation) throws -> Instant? { try version(of: generation)?.since }

    func firstLogged() throws -> (generation: Int64, start: Instant)? {
        try connection.first("SELECT generation, at FROM generation ORDER BY generation LIMIT 1") { row in
            (row.integer(0), Instant(secondsSince1970: row.integer(1)))
        }
    }

    func firstLogged(after instant: Instant) throws -> Int64? {
        try connection.integer(
            "SELECT generation FROM generation WHERE at > $1 ORDER BY generation LIMIT 1",
            [.integer(instant.secondsSince1970)])
    }

    func logged(after generation: Generation) throws -> (count: Int64, changesStations: Bool) {
        try connection.first(
            "SELECT count(*), coalesce(bool_or(changes_stations), false) FROM generation WHERE generation > $1",
            [.integer(generation.rawValue)]
        ) { ($0.integer(0), $0.flag(1)) } ?? (0, false)
    }

    func entirelyChanged(after generation: Generation) throws -> Set<Int64> {
        Set(
            try connection.values(
                "SELECT DISTINCT station_id FROM change WHERE generation > $1 AND is_whole",
                [.integer(generation.rawValue)]
            ) { $0.integer(0) })
    }

    func visitChanges(
        after generation: Generation, _ body: (_ station: Int64, AiringChange?) throws -> Void
    ) throws {
        try connection.rows(
            """
            SELECT station_id, airing_id, old_start, old_stop, new_start, new_stop FROM airing_change
            WHERE generation > $1 ORDER BY generation, station_id, airing_id
            """, [.integer(generation.rawValue)]
        ) { row in
            try body(
                row.integer(0),
                AiringChange(AiringID(row.integer(1)), from: row.windowIfPresent(2, 3), to: row.windowIfPresent(4, 5)))
            return true
        }
    }

    func rows(ofStations stations: [Int64]) throws -> [(key: Int64, row: Int, id: StationID)] {
        try connection.values(
            "SELECT id, position, feed_id FROM station WHERE id = ANY($1)", [.integers(stations)]
        ) { (key: $0.integer(0), row: Int($0.integer(1)), id: StationID($0.text(2))) }
    }
}
