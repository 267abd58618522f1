import GRDB

/// When airings that were found are on, if they are shown.
struct ShownTimes {
    private let database: Database
    /// Of the stations that several sources know.
    private var overlays: [Int64: StationOverlay] = [:]

    init(_ database: Database) {
        self.database = database
    }

    /// `nil` where the airing isn't shown, is gone, or has got another programme since.
    mutating func span(of showing: Showing) throws -> StationOverlay.Span? {
        let row = try database.firstRow(
            GuideStore.timesSQL, .integer(showing.airing), .integer(showing.programme)
        ) { columns in
            (
                span: StationOverlay.Span(start: columns.integer(0), stop: columns.integer(1)),
                station: columns.integer(2), source: columns.integer(3), isShared: columns.integer(4) != 0
            )
        }
        guard let row, row.isShared else { return row?.span }
        var overlay = try overlays.removeValue(forKey: row.station) ?? StationOverlay(database, station: row.station)
        defer { overlays[row.station] = overlay }
        return try overlay.span(of: row.span, source: row.source)
    }
}
