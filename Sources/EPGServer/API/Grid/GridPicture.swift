import CollectionLayout
import EPGLayout
import EPGModel
import EPGRender
import HTTPTypes

/// What a viewport shows of a guide of some stations, before anything is read.
struct GridFrame: Sendable {
    let layout: GuideLayout
    let viewport: Viewport
    let demand: GuideDemand
    /// The guide's rows that are laid out.
    let rows: RowRanges
    /// Those of them that are seen.
    let seen: RowRanges

    /// Visible rows times visible hours.
    var area: Double { Double(demand.rows.count) * Double(demand.window.seconds) / 3600 }
}

/// What a viewport shows of the guide, read and ready to be laid out.
struct GridPicture: Sendable {
    let frame: GridFrame
    let content: GuideContent
}

extension GridQuery {
    /// The layout and what is seen of it.
    ///
    /// - Throws: ``Problem`` where that is too much.
    func frame(stationCount count: Int) throws(Problem) -> GridFrame {
        let rows = rows?.clamped(toCount: count) ?? RowRanges(upTo: count)
        let frame: GridFrame
        do throws(GuideLayoutError) {
            let layout = try measures.layout(of: window, rowCount: rows.count, isBare: isBare)
            let viewport = try measures.viewport(of: layout)
            let demand = layout.demand(of: viewport)
            frame = GridFrame(
                layout: layout, viewport: viewport, demand: demand, rows: rows, seen: rows.rows(at: demand.rows))
        } catch {
            throw Problem(.badRequest, "\(error).")
        }
        try check(frame)
        return frame
    }

    /// Reads what the viewport shows and no more.
    ///
    /// - Throws: ``Problem`` where that is too much, or an error of the store.
    func picture(from guide: any GuideReading) throws -> GridPicture {
        let frame = try frame(stationCount: guide.stationCount())
        let seen = frame.demand.window
        return GridPicture(
            frame: frame,
            content: GuideContent(
                schedules: try schedules(of: frame, from: guide), coverage: seen,
                marks: GuideMarks(in: marked(seen), zone: zone), now: now))
    }

    /// Each schedule that is seen, with the layout's row, and with titles in the languages that are wanted.
    func schedules(of frame: GridFrame, from guide: any GuideReading) throws -> [RowSchedule] {
        var place = frame.demand.rows.lowerBound
        var schedules: [RowSchedule] = []
        schedules.reserveCapacity(frame.demand.rows.count)
        for range in frame.seen.ranges {
            for var schedule in try guide.schedules(inRows: range, during: frame.demand.window) {
                schedule.row += place - range.lowerBound
                schedules.append(schedule)
            }
            place += range.count
        }
        return languages.isEmpty ? schedules : try guide.schedules(schedules, in: languages)
    }

    /// A header reaches to the next hour, also where that one isn't seen.
    private func marked(_ seen: TimeWindow) -> TimeWindow {
        let end = min(seen.end.advanced(by: 3600), window.end)
        return TimeWindow(start: seen.start, end: max(end, seen.end))
    }

    private func check(_ frame: GridFrame) throws(Problem) {
        let greatest = languages.isEmpty ? GridQuery.greatestArea : GridQuery.greatestAreaByLanguage
        guard frame.area > greatest else { return }
        throw Problem(
            .badRequest,
            """
            This viewport shows \(frame.demand.rows.count) rows for \(frame.demand.window.seconds / 3600) hours, and rows \
            times hours may be \(Int(greatest)) at most\(languages.isEmpty ? "" : " with lang"). Name fewer rows \
            (rows=0-49), give a shorter window (hours=3), or give width and height of what is seen.
            """)
    }
}
