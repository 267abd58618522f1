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
        let picture = try query.picture(from: guide.guide)
        switch form {
        case .elements:
            let page = picture.layout.page(in: picture.viewport, of: picture.content)
            return Document(
                json: GridJSON(
                    layout: picture.layout, elements: page.elements, generation: guide.generation, rows: picture.rows))
        case .columns:
            let stations = hasStations ? try guide.guide.stations(inRows: picture.seen) : nil
            return Document(
                json: GridColumns(
                    layout: picture.layout, origin: origin, generation: guide.generation, rows: picture.seen.all,
                    firstRow: picture.layout.demand(of: picture.viewport).rows.lowerBound,
                    cells: picture.layout.cells(in: picture.viewport, of: picture.content), of: picture.content,
                    stations: stations))
        }
    }
}

extension GuideBrowsing {
    /// The stations of some rows, ascending.
    func stations(inRows rows: RowRanges) throws -> [StationRow] {
        try rows.ranges.flatMap { try stations(inRows: $0) }
    }
}
