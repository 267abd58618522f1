package import EPGModel
import GRDB

extension GuideStore {
    private static let outlineColumns = "a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.programme_id"

    /// As ``viewportSQL``, from one table alone.
    static let outlineSQL = """
        SELECT \(outlineColumns) FROM airing a
        WHERE a.source_id = ? AND a.station_id = ? AND a.start < ? ORDER BY a.start DESC, a.part DESC
        """

    private static let outlineAtSQL = """
        SELECT \(outlineColumns) FROM airing a
        WHERE a.source_id = ? AND a.station_id = ? AND a.start = ? ORDER BY a.part
        """

    private static let briefSQL =
        "SELECT title, subtitle, category, is_new, is_premiere, is_live FROM programme WHERE id = ?"

    package func outlines(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowOutline] {
        try read { database in
            try self.rows(rows, database).map { row in
                let airings =
                    row.isShared
                    ? try Self.sharedOutlines(of: row, during: window, database)
                    : try Self.outlines(of: row, during: window, database)
                try checkOrder(of: airings, on: row.id)
                return RowOutline(row: row.position, airings: airings)
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

    /// - Throws: ``StoreError`` where airings overlap: the database was changed by something else.
    private func checkOrder(of airings: [AiringOutline], on station: StationID) throws {
        for (previous, next) in zip(airings, airings.dropFirst()) {
            guard next.window.start < previous.window.end || next.window.start < previous.window.start,
                next.window != previous.window || !next.isInClump || !previous.isInClump
            else { continue }
            throw StoreError.damaged(
                path: path, detail: "the airings \(previous.id) and \(next.id) of \(station) overlap")
        }
    }

    private static func outlines(
        of row: VisibleStation, during window: TimeWindow, _ database: Database
    ) throws -> [AiringOutline] {
        guard let source = row.source, !window.isEmpty else { return [] }
        var airings: [AiringOutline] = []
        try database.rows(
            outlineSQL, .integer(source), .integer(row.key), .integer(window.end.secondsSince1970)
        ) { columns in
            guard columns.integer(2) > window.start.secondsSince1970 else { return false }
            airings.append(outline(columns, window: AiringColumns.window(columns, 1, 2)))
            return true
        }
        airings.reverse()
        return airings
    }

    /// Those of a station that several sources know.
    private static func sharedOutlines(
        of row: VisibleStation, during window: TimeWindow, _ database: Database
    ) throws -> [AiringOutline] {
        var overlay = try StationOverlay(database, station: row.key)
        var airings: [AiringOutline] = []
        for shown in try overlay.shown(during: StationOverlay.Span(window)) {
            try database.rows(
                outlineAtSQL, .integer(shown.source), .integer(row.key), .integer(shown.stored.start)
            ) { columns in
                airings.append(outline(columns, window: TimeWindow(shown.span)))
                return true
            }
        }
        return airings
    }

    private static func outline(_ columns: Columns, window: TimeWindow) -> AiringOutline {
        AiringOutline(
            id: AiringID(columns.integer(0)), window: window, programme: columns.integer(6),
            isStopInferred: columns.integer(5) != 0, isInClump: AiringColumns.clump(columns) != nil)
    }
}
