import EPGLayout
import EPGModel
import EPGRender

/// What a viewport shows of the guide.
struct GridQuery: Sendable {
    let window: TimeWindow
    let moment: Moment
    /// The rows that the grid has; `nil` for all.
    let rows: Range<Int>?

    /// The elements that a viewport shows; no more is read than it needs.
    ///
    /// Rows are counted from the first one that was asked for.
    func picture(in options: ViewportOptions, from guide: some GuideReading) throws -> GridPicture {
        let all = try 0..<guide.stationCount()
        let shown = rows?.clamped(to: all) ?? all
        guard rows == nil || !shown.isEmpty else { throw CommandFailure.noSuchRows }
        let layout = try options.layout(of: window, rowCount: shown.count)
        let viewport = try options.viewport(of: layout)
        let demand = layout.demand(of: viewport)
        let wanted = shown.lowerBound + demand.rows.lowerBound..<shown.lowerBound + demand.rows.upperBound
        let schedules = try guide.schedules(inRows: wanted, during: demand.window).map { schedule in
            var schedule = schedule
            schedule.row -= shown.lowerBound
            return schedule
        }
        // A header reaches to the next hour, also where that one isn't seen.
        let end = min(demand.window.end.advanced(by: 3600), window.end)
        let marked = TimeWindow(start: demand.window.start, end: max(end, demand.window.end))
        let content = GuideContent(
            schedules: schedules, coverage: demand.window, marks: GuideMarks(in: marked, zone: moment.zone),
            now: moment.now)
        return GridPicture(
            layout: layout, viewport: viewport, elements: layout.page(in: viewport, of: content).elements)
    }
}

extension CommandFailure {
    /// Rows were asked for that the guide doesn't have.
    static let noSuchRows = CommandFailure(
        .noInput, "There is no station in these rows. “epg stations” lists them all.")
}
