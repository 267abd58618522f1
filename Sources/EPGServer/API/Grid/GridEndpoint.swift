import EPGLayout
import EPGModel
import EPGRender

/// `/api/v1/grid`: what a viewport over the guide shows, laid out.
struct GridEndpoint: Endpoint {
    static let path = "/api/v1/grid"

    /// In which form the cells are told.
    enum Form: String, CaseIterable, Sendable {
        /// An object for each element: cells, stations, headers and lines.
        case elements
        /// An array for each property of the cells.
        case columns
    }

    private let form: Form
    private let query: GridQuery
    /// From where `x` counts in columns.
    private let origin: Instant
    /// Whether columns come with the stations.
    private let hasStations: Bool

    init(_ request: inout RequestReader) throws(Problem) {
        form = try request.choice("form", default: Form.elements)
        query = try GridQuery(&request, isBare: form == .columns)
        origin = try request.instant("origin") ?? query.window.start
        hasStations = try request.integer("stations", default: 0, in: 0...1) == 1
    }

    func answer(_ guide: GuideView) throws -> Document {
        switch form {
        case .elements: try elements(guide)
        case .columns: try columns(guide)
        }
    }

    /// Columns are made of what is in memory, if all that is wanted is.
    func quickAnswer(_ schedules: ScheduleIndex) -> Document? {
        guard form == .columns, !hasStations, query.languages.isEmpty,
            case .success(let frame) = Result(catching: { () throws(Problem) in
                try query.frame(stationCount: schedules.stationCount)
            }), frame.area <= GridEndpoint.greatestQuickArea,
            let rows = schedules.rows(frame.seen, from: frame.demand.rows.lowerBound, during: frame.demand.window)
        else { return nil }
        return columns(frame, rows, generation: schedules.version.generation, stations: nil)
    }

    /// Visible rows times visible hours that are laid out on the thread of the connection: a fraction of a millisecond.
    private static let greatestQuickArea = 240.0

    private func elements(_ guide: GuideView) throws -> Document {
        let picture = try query.picture(from: guide.guide)
        let frame = picture.frame
        let page = frame.layout.page(in: frame.viewport, of: picture.content)
        return Document(
            json: GridJSON(
                layout: frame.layout, elements: page.elements, generation: guide.generation,
                rows: frame.rows.isFromFirst ? nil : frame.rows.all))
    }

    private func columns(_ guide: GuideView) throws -> Document {
        let schedules = try guide.schedules()
        let frame = try query.frame(stationCount: schedules.stationCount)
        let rows =
            query.languages.isEmpty
            ? try schedules.rows(
                frame.seen, from: frame.demand.rows.lowerBound, during: frame.demand.window, guide: guide.guide)
            // What is in memory is in the feed's first language.
            : try query.schedules(of: frame, from: guide.guide).map { schedule in
                GridRow(row: schedule.row, airings: schedule.schedule.airings.map { GridAiring($0) }[...])
            }
        return columns(
            frame, rows, generation: guide.generation,
            stations: hasStations ? try guide.guide.stations(inRows: frame.seen) : nil)
    }

    private func columns(
        _ frame: GridFrame, _ rows: [GridRow], generation: Generation, stations: [StationRow]?
    ) -> Document {
        Document(
            json: GridColumns(
                layout: frame.layout, origin: origin, generation: generation, rows: frame.seen.all,
                firstRow: frame.demand.rows.lowerBound,
                cells: frame.layout.cells(
                    in: frame.viewport, of: rows.map(\.times), coverage: frame.demand.window), of: rows,
                stations: stations))
    }
}

extension GuideReading {
    /// The stations of some rows, ascending.
    func stations(inRows rows: RowRanges) throws -> [StationRow] {
        try rows.ranges.flatMap { try stations(inRows: $0) }
    }
}
