import EPGLayout
import EPGModel
import EPGRender

/// The guide, laid out.
enum GridController {
    static let endpoints: [any Endpoint.Type] = [GridEndpoint.self, GridPictureEndpoint.self]
}

/// `/api/v1/grid`: the layout of a viewport over the guide.
struct GridEndpoint: Endpoint {
    static let path = "/api/v1/grid"

    /// The form of the response.
    enum Form: String, CaseIterable, Sendable {
        /// An object for each element: cells, stations, headers and lines.
        case elements
        /// An array for each property of the cells.
        case columns
    }

    private let form: Form
    private let query: GridQuery
    /// The instant at which `x` is 0 in columns.
    private let origin: Instant
    /// Whether columns include the stations.
    private let includesStations: Bool

    init(_ parameters: inout ParameterReader) throws(Problem) {
        form = try parameters.choice("form", default: Form.elements)
        query = try GridQuery(&parameters, isCellsOnly: form == .columns)
        origin = try parameters.instant("origin") ?? query.window.start
        includesStations = try parameters.integer("stations", default: 0, in: 0...1) == 1
    }

    func document(from guide: GuideView) throws -> Document {
        switch form {
        case .elements: try elements(from: guide)
        case .columns: try columns(from: guide)
        }
    }

    func document(from schedules: ScheduleIndex) -> Document? {
        guard form == .columns, !includesStations, query.languages.isEmpty,
            let rows = query.stations.rows(ofStationCount: schedules.stationCount),
            case .success(let frame) = Result(catching: { () throws(Problem) in try query.frame(of: rows) }),
            frame.area <= GridEndpoint.maximumImmediateArea,
            let rows = schedules.rows(
                frame.visibleRows, from: frame.demand.rows.lowerBound, during: frame.demand.window)
        else { return nil }
        return columns(frame, rows, stations: nil)
    }

    /// The maximum number of visible rows times visible hours of a layout on the event loop, which takes a fraction of a
    /// millisecond.
    private static let maximumImmediateArea = 240.0

    private func elements(from guide: GuideView) throws -> Document {
        let picture = try query.picture(from: guide.guide)
        let rows = picture.frame.rows
        return Document(
            json: GridJSON(
                layout: picture.frame.layout, elements: picture.elements, rows: rows.isFromFirst ? nil : rows.all))
    }

    private func columns(from guide: GuideView) throws -> Document {
        let schedules = try guide.schedules()
        let known = query.stations.rows(ofStationCount: schedules.stationCount)
        let frame = try query.frame(of: known ?? query.stations.named(in: query.stations.listed(in: guide.guide)))
        let rows =
            query.languages.isEmpty
            ? try schedules.rows(
                frame.visibleRows, from: frame.demand.rows.lowerBound, during: frame.demand.window, guide: guide.guide)
            // The schedules in memory are in the first language of the feed.
            : try query.schedules(of: frame, from: guide.guide).map { schedule in
                GridRow(row: schedule.row, airings: schedule.schedule.airings.map { GridAiring($0) }[...])
            }
        let stations =
            includesStations
            ? try frame.visibleRows.ranges.flatMap { try guide.guide.stations(inRows: $0) }
                .map { $0.localized(in: query.languages) } : nil
        return columns(frame, rows, stations: stations)
    }

    private func columns(_ frame: GridFrame, _ rows: [GridRow], stations: [StationRow]?) -> Document {
        Document(
            json: GridColumns(
                layout: frame.layout, origin: origin, rows: frame.visibleRows.all,
                firstRow: frame.demand.rows.lowerBound,
                cells: frame.layout.cells(
                    in: frame.viewport, of: rows.map(\.times), coverage: frame.demand.window), of: rows,
                stations: stations))
    }
}

/// `/grid.svg`: a viewport of the guide as a picture, with the parameters of ``GridEndpoint`` and `theme`.
struct GridPictureEndpoint: Endpoint {
    static let path = "/grid.svg"

    /// The color scheme.
    enum Theme: String, CaseIterable, Sendable {
        case light, dark
    }

    private let query: GridQuery
    private let theme: Theme

    init(_ parameters: inout ParameterReader) throws(Problem) {
        theme = try parameters.choice("theme", default: Theme.light)
        query = try GridQuery(&parameters, isCellsOnly: false)
    }

    func document(from guide: GuideView) throws -> Document {
        let picture = try query.picture(from: guide.guide)
        let svg = GuideSVG(
            layout: picture.frame.layout, viewport: picture.frame.viewport, theme: theme == .dark ? .dark : .light,
            zone: query.zone, now: query.now)
        return Document(.svg, text: svg.text(of: picture.elements))
    }
}
