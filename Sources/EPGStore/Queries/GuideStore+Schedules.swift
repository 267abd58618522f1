package import EPGModel
import GRDB

extension GuideStore {
    /// The stations of some rows, with what the viewport query needs to know of them.
    static let rowsSQL =
        "SELECT \(VisibleStation.columns) FROM station WHERE position >= ? AND position < ? ORDER BY position"

    private static let briefSQL =
        "SELECT title, subtitle, category, is_new, is_premiere, is_live FROM programme WHERE id = ?"

    /// The viewport query.
    package func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try read { database in
            try Self.stations(inRows: rows, database).map { station in
                var airings = try StationAirings(of: station, database)
                let schedule = try schedule(
                    of: station.id,
                    try airings.during(window, .brief) { AiringColumns.brief($0, station: station.id, shown: $1) })
                return RowSchedule(row: station.position, stationName: station.name, schedule: schedule)
            }
        }
    }

    package func schedules(inRows rows: [Int], during window: TimeWindow) throws -> [RowSchedule] {
        try read { _ in
            let found = try NeighboringRows(rows).flatMap { try schedules(inRows: $0, during: window) }
            return NeighboringRows.inOrder(of: rows, found, row: \.row)
        }
    }

    package func schedule(of id: StationID, during window: TimeWindow) throws -> Schedule {
        try read { database in
            let station = try database.firstRow(
                "SELECT \(VisibleStation.columns) FROM station WHERE feed_id = ?", .text(id.rawValue)
            ) { VisibleStation($0) }
            guard let station else { return try schedule(of: id, []) }
            var airings = try StationAirings(of: station, database)
            return try schedule(
                of: id, try airings.during(window, .full) { try AiringColumns.full($0, station: id, shown: $1) })
        }
    }

    package func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        let moment = TimeWindow(start: instant, end: instant.advanced(by: 1))
        return try read { database in
            try Self.stations(inRows: rows, database).map { station in
                var airings = try StationAirings(of: station, database)
                let now = try airings.during(moment, .brief) { AiringColumns.brief($0, station: station.id, shown: $1) }
                return NowAndNext(
                    row: station.position, station: station.id, stationName: station.name, now: now,
                    next: try airings.next(after: instant))
            }
        }
    }

    package func outlines(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowOutline] {
        try read { database in
            try Self.stations(inRows: rows, database).map { station in
                var reader = try StationAirings(of: station, database)
                let airings = try reader.during(window, .outline, AiringColumns.outline)
                try checkOrder(of: airings, on: station.id)
                return RowOutline(row: station.position, airings: airings)
            }
        }
    }

    package func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief] {
        try read { database in
            try numbers.compactMap { number in
                try database.firstRow(Self.briefSQL, .integer(number)) { columns in
                    ProgrammeBrief(
                        number: number, title: columns.text(0), subtitle: columns.textIfPresent(1),
                        category: columns.textIfPresent(2), marks: AiringColumns.marks(columns, from: 3))
                }
            }
        }
    }

    private static func stations(inRows rows: Range<Int>, _ database: Database) throws -> [VisibleStation] {
        var stations: [VisibleStation] = []
        try database.rows(rowsSQL, .integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))) { columns in
            stations.append(VisibleStation(columns))
            return true
        }
        return stations
    }

    /// - Throws: ``StoreError`` where airings overlap: the database was changed by something else.
    private func schedule(of station: StationID, _ airings: [Airing]) throws -> Schedule {
        do {
            return try Schedule(checking: airings, of: station)
        } catch {
            throw overlap(of: error.first, error.second, on: station)
        }
    }

    /// - Throws: As ``schedule(of:_:)``.
    private func checkOrder(of airings: [AiringOutline], on station: StationID) throws {
        for (previous, next) in zip(airings, airings.dropFirst()) {
            guard next.window.start < previous.window.end || next.window.start < previous.window.start,
                next.window != previous.window || !next.isInClump || !previous.isInClump
            else { continue }
            throw overlap(of: previous.id, next.id, on: station)
        }
    }

    private func overlap(of first: AiringID, _ second: AiringID, on station: StationID) -> StoreError {
        .damaged(path: path, detail: "the airings \(first) and \(second) of \(station) overlap")
    }
}
