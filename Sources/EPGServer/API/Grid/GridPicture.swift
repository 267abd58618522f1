import CollectionLayout
import EPGLayout
import EPGModel
import EPGRender
import HTTPTypes

/// What a viewport shows of the guide, read and ready to be laid out.
struct GridPicture: Sendable {
    let layout: GuideLayout
    let viewport: Viewport
    let content: GuideContent
    /// The guide's row in each row of the layout; `nil` where the two are the same.
    let rows: [Int]?
    /// The guide's rows that are seen.
    let seen: RowRanges
}

extension GridQuery {
    /// Reads what the viewport shows and no more.
    ///
    /// - Throws: ``Problem`` where that is too much, or an error of the store.
    func picture(from guide: any GuideBrowsing) throws -> GridPicture {
        let count = try guide.stationCount()
        let rows = rows?.clamped(toCount: count) ?? RowRanges(upTo: count)
        do {
            let layout = try measures.layout(of: window, rowCount: rows.count, isBare: isBare)
            let viewport = try measures.viewport(of: layout)
            let demand = layout.demand(of: viewport)
            try check(demand)
            let seen = rows.rows(at: demand.rows)
            var schedules = try schedules(from: guide, inRows: seen, during: demand)
            if !languages.isEmpty { schedules = try guide.schedules(schedules, in: languages) }
            let content = GuideContent(
                schedules: schedules, coverage: demand.window,
                marks: isBare ? GuideMarks() : GuideMarks(in: marked(demand.window), zone: zone),
                now: isBare ? nil : now)
            return GridPicture(
                layout: layout, viewport: viewport, content: content, rows: rows.isFromFirst ? nil : rows.all,
                seen: seen)
        } catch let error as GuideLayoutError {
            throw Problem(.badRequest, "\(error).")
        }
    }

    /// Each schedule with the layout's row.
    private func schedules(
        from guide: any GuideBrowsing, inRows seen: RowRanges, during demand: GuideDemand
    ) throws -> [RowSchedule] {
        var place = demand.rows.lowerBound
        var schedules: [RowSchedule] = []
        schedules.reserveCapacity(demand.rows.count)
        for range in seen.ranges {
            for var schedule in try guide.schedules(inRows: range, during: demand.window) {
                schedule.row += place - range.lowerBound
                schedules.append(schedule)
            }
            place += range.count
        }
        return schedules
    }

    /// A header reaches to the next hour, also where that one isn't seen.
    private func marked(_ seen: TimeWindow) -> TimeWindow {
        let end = min(seen.end.advanced(by: 3600), window.end)
        return TimeWindow(start: seen.start, end: max(end, seen.end))
    }

    private func check(_ demand: GuideDemand) throws(Problem) {
        let area = Double(demand.rows.count) * Double(demand.window.seconds) / 3600
        let greatest = languages.isEmpty ? GridQuery.greatestArea : GridQuery.greatestAreaByLanguage
        guard area > greatest else { return }
        let limit = Int(greatest)
        throw Problem(
            .badRequest,
            """
            This viewport shows \(demand.rows.count) rows for \(demand.window.seconds / 3600) hours, and rows times hours \
            may be \(limit) at most\(languages.isEmpty ? "" : " with lang"). Name fewer rows (rows=0-49), give a shorter \
            window (hours=3), or give width and height of what is seen.
            """)
    }
}
