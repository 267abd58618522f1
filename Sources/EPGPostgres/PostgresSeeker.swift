import EPGJSON
import EPGModel
import EPGSQL

typealias PostgresOverlay = StationOverlay<PostgresSeeker>

/// The seeks of overlays in a guide on PostgreSQL.
///
/// It reads the airings of many stations with one statement, and then seeks among them. Only seeks beyond them are statements.
final class PostgresSeeker: AiringSeeking {
    private struct Key: Hashable {
        let station: Int64
        let source: Int64
    }

    /// Airings of a source on a station.
    private struct Airings {
        var first: TimeWindow?
        var last: TimeWindow?
        /// Runs of airings without gaps: each has all airings that start between its first and its last one.
        var runs: [[TimeWindow]] = []

        /// Adds a row of ``PostgresSeeker/runSQL`` to the last run.
        mutating func add(_ airing: TimeWindow, kind: Int64) {
            switch kind {
            case 0: first = airing
            case 1: last = airing
            default:
                // The parts of a clump have the same window.
                let last = runs.count - 1
                if runs[last].last?.start != airing.start { runs[last].append(airing) }
            }
        }
    }

    private let connection: PostgresConnection
    private var rankings: [Int64: [Int64]] = [:]
    private var airings: [Key: Airings] = [:]

    init(connection: PostgresConnection) {
        self.connection = connection
    }

    /// Reads the sources of stations and their airings during windows, with the two airings before, of which the last one may
    /// continue in the window, and the one after.
    func prepare(_ ranges: [(station: Int64, window: TimeWindow)]) throws {
        guard !ranges.isEmpty else { return }
        for range in ranges where rankings[range.station] == nil { rankings[range.station] = [] }
        var run: (range: Int64, key: Key)?
        try connection.rows(
            Self.runSQL,
            [
                .integers(ranges.map(\.station)), .integers(ranges.map(\.window.start.secondsSince1970)),
                .integers(ranges.map(\.window.end.secondsSince1970)),
            ]
        ) { row in
            let key = Key(station: row.integer(1), source: row.integer(2))
            if !(rankings[key.station]?.contains(key.source) ?? false) {
                rankings[key.station, default: []].append(key.source)
            }
            if run?.range != row.integer(0) || run?.key != key {
                run = (row.integer(0), key)
                airings[key, default: Airings()].runs.append([])
            }
            airings[key]?.add(row.window(4, 5), kind: row.integer(3))
            return true
        }
    }

    /// The sources of stations in order of precedence, each with its first airing, its last airing, and the airings of a window.
    private static let runSQL = """
        SELECT w.place, w.station, c.source_id, x.kind, x.start, x.stop
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS w (station, low, high, place)
        JOIN LATERAL (
            SELECT c.source_id, row_number() OVER (ORDER BY o.priority DESC, c.stop DESC, c.source_id) AS rank
            FROM coverage c JOIN source o ON o.id = c.source_id WHERE c.station_id = w.station
            ORDER BY rank LIMIT 8
        ) c ON true
        JOIN LATERAL (
            (SELECT 0::bigint AS kind, a.start, a.stop FROM airing a
                WHERE a.source_id = c.source_id AND a.station_id = w.station ORDER BY a.start, a.part LIMIT 1)
            UNION ALL
            (SELECT 1, a.start, a.stop FROM airing a
                WHERE a.source_id = c.source_id AND a.station_id = w.station ORDER BY a.start DESC, a.part DESC LIMIT 1)
            UNION ALL
            (SELECT 2, a.start, a.stop FROM airing a
                WHERE a.source_id = c.source_id AND a.station_id = w.station
                    AND a.start >= coalesce(
                        (SELECT b.start FROM airing b WHERE b.source_id = c.source_id AND b.station_id = w.station AND b.start <
                            (SELECT p.start FROM airing p
                                WHERE p.source_id = c.source_id AND p.station_id = w.station AND p.start < w.low
                                ORDER BY p.start DESC LIMIT 1)
                            ORDER BY b.start DESC LIMIT 1),
                        (SELECT b.start FROM airing b
                            WHERE b.source_id = c.source_id AND b.station_id = w.station AND b.start < w.low
                            ORDER BY b.start DESC LIMIT 1),
                        w.low)
                    AND a.start <= coalesce((SELECT b.start FROM airing b
                        WHERE b.source_id = c.source_id AND b.station_id = w.station AND b.start >= w.high
                        ORDER BY b.start LIMIT 1), w.high))
        ) x ON true
        ORDER BY w.place, c.rank, x.kind, x.start
        """

    func ranking(ofSourcesOf station: Int64) throws -> [Int64] {
        if let ranking = rankings[station] { return ranking }
        return try connection.values(
            """
            SELECT c.source_id FROM coverage c JOIN source o ON o.id = c.source_id
            WHERE c.station_id = $1 ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 8
            """, [.integer(station)]
        ) { $0.integer(0) }
    }

    func latest(of source: Int64, station: Int64, before end: Instant) throws -> TimeWindow? {
        if let known = airings[Key(station: station, source: source)] {
            if let last = known.last, last.start < end { return last }
            if let first = known.first, first.start >= end { return nil }
            for run in known.runs {
                let index = run.partitioningIndex { $0.start >= end }
                // An airing at or after the end shows that none is missing in between.
                if index > 0, index < run.count { return run[index - 1] }
            }
        }
        return try connection.first(
            """
            SELECT start, stop FROM airing WHERE source_id = $1 AND station_id = $2 AND start < $3
            ORDER BY start DESC, part DESC LIMIT 1
            """, [.integer(source), .integer(station), .integer(end.secondsSince1970)]
        ) { $0.window(0, 1) }
    }

    func earliest(of source: Int64, station: Int64, after start: Instant) throws -> TimeWindow? {
        if let known = airings[Key(station: station, source: source)] {
            if let first = known.first, first.start > start { return first }
            if let last = known.last, last.start <= start { return nil }
            for run in known.runs {
                let index = run.partitioningIndex { $0.start > start }
                if index > 0, index < run.count { return run[index] }
            }
        }
        return try connection.first(
            """
            SELECT start, stop FROM airing WHERE source_id = $1 AND station_id = $2 AND start > $3
            ORDER BY start, part LIMIT 1
            """, [.integer(source), .integer(station), .integer(start.secondsSince1970)]
        ) { $0.window(0, 1) }
    }
}
