import CollectionLayout
import EPGCalendar
import EPGHTTP
import EPGImport
import EPGJSON
import EPGLayout
import EPGModel
import EPGRender
import HTTPTypes

/// The layout of the guide.
enum GridController {
    static let endpoints: [any Endpoint.Type] = [GridEndpoint.self, GridPictureEndpoint.self, RowsEndpoint.self]
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
        guard form == .columns, !includesStations, query.languages.isEmpty, !query.foldsDuplicates,
            let rows = query.stations.rows(ofStationCount: schedules.stationCount),
            case .success(let frame) = Result(catching: { () throws(Problem) in try query.frame(of: rows) }),
            frame.area <= GridEndpoint.maximumImmediateArea,
            let rows = schedules.rows(
                frame.visibleRows, from: frame.demand.rows.lowerBound, during: frame.demand.window)
        else { return nil }
        return columns(frame, rows, stations: nil, artwork: .direct)
    }

    /// The maximum number of visible rows times visible hours of a layout on the event loop, which takes a fraction of a
    /// millisecond.
    private static let maximumImmediateArea = 240.0

    private func elements(from guide: GuideView) throws -> Document {
        let picture = try query.picture(from: guide)
        let rows = picture.frame.rows
        return Document(
            json: GridJSON(
                layout: picture.frame.layout, elements: picture.elements, rows: rows.isFromFirst ? nil : rows.all,
                pictures: picture.current))
    }

    private func columns(from guide: GuideView) throws -> Document {
        // The schedules in memory are in the first language of the feed.
        let schedules = query.languages.isEmpty ? try guide.schedules() : nil
        let known = try query.stations.rows(ofStationCount: schedules?.stationCount ?? guide.guide.stationCount())
        let frame = try query.frame(of: query.foldsDuplicates ? query.rows(of: guide) : known ?? query.rows(of: guide))
        let rows =
            try schedules?.rows(
                frame.visibleRows, from: frame.demand.rows.lowerBound, during: frame.demand.window, guide: guide.guide)
            ?? query.schedules(of: frame, from: guide.guide).map { schedule in
                GridRow(row: schedule.row, airings: schedule.schedule.airings.map { GridAiring($0) }[...])
            }
        let stations =
            includesStations
            ? try frame.visibleRows.ranges.flatMap { try guide.guide.stations(inRows: $0) }
                .map { $0.localized(in: query.languages) } : nil
        return columns(frame, rows, stations: stations, artwork: guide.site.artwork)
    }

    private func columns(
        _ frame: GridFrame, _ rows: [GridRow], stations: [StationRow]?, artwork: ArtworkLinks
    ) -> Document {
        Document(
            json: GridColumns(
                layout: frame.layout, origin: origin, rows: frame.visibleRows.all,
                firstRow: frame.demand.rows.lowerBound,
                cells: frame.layout.cells(
                    in: frame.viewport, of: rows.map(\.times), coverage: frame.demand.window), of: rows,
                stations: stations, artwork: artwork))
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
        let picture = try query.picture(from: guide)
        let svg = GuideSVG(
            layout: picture.frame.layout, viewport: picture.frame.viewport, theme: theme == .dark ? .dark : .light,
            clock: GuideClock(zone: query.zone), now: query.now, pictures: picture.current)
        return Document(.svg, text: svg.text(of: picture.content))
    }
}

/// `/api/v1/rows`: the rows of the guide that have an airing of a genre, or a new one, in a window of at most two days.
struct RowsEndpoint: Endpoint {
    static let path = "/api/v1/rows"

    private let window: TimeWindow
    private let genre: Genre?
    private let isNew: Bool

    /// The number of rows that are read at once.
    private static let rowsAtOnce = 500

    init(_ parameters: inout ParameterReader) throws(Problem) {
        guard let from = try parameters.instant("from") else {
            throw .badParameter("from", "name the start of the window.")
        }
        guard let to = try parameters.instant("to") else { throw .badParameter("to", "name the end of the window.") }
        window = try TimeWindow.between(from, to)
        guard window.seconds <= 2 * 86_400 else { throw .badParameter("to", "the window is longer than two days.") }
        if let name = try parameters.text("genre", maximumLength: 20) {
            guard let genre = Genre(rawValue: name) else {
                let names = Genre.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter("genre", "“\(name)” is not one of \(names).")
            }
            self.genre = genre
        } else {
            genre = nil
        }
        isNew = try parameters.flag("new")
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let count = try guide.guide.stationCount()
        let schedules = try guide.schedules()
        var rows: [Int] = []
        for first in stride(from: 0, to: count, by: RowsEndpoint.rowsAtOnce) {
            let range = first..<min(count, first + RowsEndpoint.rowsAtOnce)
            let read =
                try schedules?.rows(
                    RowRanges(ascending: Array(range)), from: first, during: window, guide: guide.guide)
                ?? guide.guide.schedules(inRows: range, during: window).map { schedule in
                    GridRow(row: schedule.row, airings: schedule.schedule.airings.map { GridAiring($0) }[...])
                }
            rows += read.filter { $0.airings.contains(where: isWanted) }.map(\.row)
        }
        return .object { $0.member("rows", rows) }
    }

    private func isWanted(_ airing: GridAiring) -> Bool {
        (genre == nil || airing.genre == genre) && (!isNew || airing.isNew) && airing.window.overlaps(window)
    }
}

/// A viewport over the guide from the parameters of a URL.
///
/// The same dimensions result in the same elements as `epg grid --format json`.
struct GridQuery: Sendable {
    let window: TimeWindow
    /// The current time.
    let now: Instant
    let zone: Zone
    /// The rows that are laid out.
    let stations: StationSelection
    let languages: [String]
    /// Whether stations that differ only in quality have one row.
    let foldsDuplicates: Bool
    private let measures: GridMeasures
    /// Whether the layout consists of cells only: no station column, no header, and time from left to right.
    fileprivate let isCellsOnly: Bool

    /// The maximum number of visible rows times visible hours.
    private static let maximumArea = 20_000.0
    /// The limit for titles in other languages and for pictures, whose programmes cost a seek each.
    private static let maximumAreaBySeek = 4_000.0
    /// 15 days.
    private static let maximumHours = 360.0

    /// Reads the parameters.
    ///
    /// - Parameter isCellsOnly: Whether the request is for cells only, which depend on the clock only without `from`.
    init(_ parameters: inout ParameterReader, isCellsOnly: Bool) throws(Problem) {
        self.isCellsOnly = isCellsOnly
        zone = try parameters.zone()
        languages = try parameters.languages()
        stations = try StationSelection(&parameters)
        foldsDuplicates = try parameters.integer("fold", default: 0, in: 0...1) == 1
        measures = try GridMeasures(&parameters)
        let from = try parameters.instant("from")
        if isCellsOnly, from != nil, !foldsDuplicates {
            // `at` has no effect here, but URLs may contain it.
            now = try parameters.instant("at") ?? parameters.clock
        } else {
            now = try parameters.minute()
        }
        window = try GridQuery.window(&parameters, from: from ?? GridQuery.halfHour(before: now, in: zone))
    }

    /// The window from a start to `to`, or of `hours` hours.
    private static func window(
        _ parameters: inout ParameterReader, from start: Instant
    ) throws(Problem) -> TimeWindow {
        let hours = try parameters.number("hours", default: 3, in: 0.25...maximumHours)
        let end = try parameters.instant("to") ?? start.advanced(by: Int64(hours * 3600))
        return try .between(start, end)
    }

    /// The last full or half hour on the clocks of a zone.
    private static func halfHour(before now: Instant, in zone: Zone) -> Instant {
        let local = zone.localDateTime(at: now)
        return now.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
    }

    // MARK: - Reading

    /// Returns the rows that are laid out.
    ///
    /// - Throws: ``Problem`` for a missing lineup, or an error of the store.
    func rows(of view: GuideView) throws -> RowRanges {
        let rows = try stations.named(in: stations.listed(in: view.guide))
        guard foldsDuplicates else { return rows }
        let day = zone.window(of: zone.date(at: now))
        let folded = try view.duplicates().folded(in: view.guide.unlimited, during: day)
        return folded.isEmpty ? rows : RowRanges(ascending: rows.all.filter { !folded.contains($0) })
    }

    /// Returns the layout and its visible part.
    ///
    /// - Throws: ``Problem`` if the viewport is too large.
    func frame(of rows: RowRanges, groups: [GuideGroup] = []) throws(Problem) -> GridFrame {
        let frame: GridFrame
        do throws(GuideLayoutError) {
            let layout = try measures.layout(
                of: window, rowCount: rows.count, groups: groups, isCellsOnly: isCellsOnly)
            let viewport = try measures.viewport(of: layout)
            let demand = layout.demand(of: viewport)
            frame = GridFrame(
                layout: layout, viewport: viewport, demand: demand, rows: rows, visibleRows: rows.rows(at: demand.rows))
        } catch {
            throw Problem(.badRequest, "\(error).")
        }
        try check(frame)
        return frame
    }

    /// Reads only the visible content, and the groups of all rows if the layout has their headers.
    ///
    /// - Throws: ``Problem`` if the viewport is too large, or an error of the store.
    fileprivate func picture(from view: GuideView) throws -> GridPicture {
        let guide = view.guide
        let rows = try rows(of: view)
        let groups =
            measures.hasGroups
            ? GuideGroup.groups(ofRows: rows.all, titled: try guide.groups(inLineup: stations.lineup)) : []
        let frame = try frame(of: rows, groups: groups)
        let visible = frame.demand.window
        var airings: [Int: AiringDetail] = [:]
        if measures.thumbnails != .none {
            for (index, detail) in try guide.details(at: now, inRows: frame.visibleRows.all) {
                airings[frame.demand.rows.lowerBound + index] = detail
            }
        }
        let current = CurrentPictures(of: airings, languages: languages, artwork: view.site.artwork)
        return GridPicture(
            frame: frame, current: current,
            content: GuideContent(
                schedules: try schedules(of: frame, from: guide), coverage: visible,
                marks: GuideMarks(in: labeled(visible), clock: GuideClock(zone: zone), now: now), now: now))
    }

    /// Reads the visible schedules, with the rows of the layout, and with titles in the requested languages.
    func schedules(of frame: GridFrame, from guide: any GuideReading) throws -> [RowSchedule] {
        var first = frame.demand.rows.lowerBound
        var schedules: [RowSchedule] = []
        schedules.reserveCapacity(frame.demand.rows.count)
        for range in frame.visibleRows.ranges {
            for var schedule in try guide.schedules(inRows: range, during: frame.demand.window) {
                schedule.row += first - range.lowerBound
                schedules.append(schedule)
            }
            first += range.count
        }
        return try guide.schedules(schedules, in: languages)
    }

    /// The window whose hours have labels. The last label extends to the next hour, even if that hour is not visible.
    private func labeled(_ visible: TimeWindow) -> TimeWindow {
        let end = min(visible.end.advanced(by: 3600), window.end)
        return TimeWindow(start: visible.start, end: max(end, visible.end))
    }

    private func check(_ frame: GridFrame) throws(Problem) {
        let seeks = !languages.isEmpty || measures.thumbnails != .none
        let maximum = seeks ? GridQuery.maximumAreaBySeek : GridQuery.maximumArea
        guard frame.area > maximum else { return }
        throw Problem(
            .badRequest,
            """
            The viewport shows \(frame.demand.rows.count) rows for \(frame.demand.window.seconds / 3600) hours. Rows times \
            hours may be at most \(Int(maximum))\(seeks ? " with lang or thumbnails" : ""). Request fewer rows \
            (rows=0-49) or a shorter window (hours=3), or set width and height of the viewport.
            """)
    }
}

/// The dimensions of a grid and its visible part in points.
struct GridMeasures: Hashable, Sendable {
    private let pointsPerHour: Double
    private let rowHeight: Double
    private let stationWidth: Double
    private let headerHeight: Double
    /// Device pixels per point, to which edges snap.
    private let scale: Double
    /// The width below which short airings share a cell; `nil` to give each its own.
    private let clusterWidth: Double?
    private let orientation: GridOrientation
    private let direction: TextDirection
    fileprivate let thumbnails: ThumbnailStyle
    /// Whether groups of stations have headers.
    fileprivate let hasGroups: Bool
    /// The offset of the viewport from the edge at which text begins.
    private let x: Double
    /// The offset of the viewport from the top.
    private let y: Double
    /// `nil` for the whole content.
    private let width: Double?
    private let height: Double?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        pointsPerHour = try parameters.number("pointsPerHour", default: 240, in: 1...100_000)
        rowHeight = try parameters.number("rowHeight", default: 56, in: 1...10_000)
        stationWidth = try parameters.number("stationWidth", default: 160, in: 0...10_000)
        headerHeight = try parameters.number("headerHeight", default: 32, in: 0...10_000)
        scale = try parameters.number("scale", default: 1, in: 0.1...10)
        clusterWidth = try parameters.number("cluster", in: 1...10_000)
        orientation = try parameters.choice("orientation", default: GridOrientation.horizontal)
        direction = try parameters.choice("direction", default: TextDirection.ltr)
        thumbnails = try parameters.choice("thumbnails", default: ThumbnailStyle.none)
        hasGroups = try parameters.integer("groups", default: 0, in: 0...1) == 1
        x = try parameters.number("x", default: 0, in: -1e12...1e12)
        y = try parameters.number("y", default: 0, in: -1e12...1e12)
        width = try parameters.number("width", in: 1...1e12)
        height = try parameters.number("height", in: 1...1e12)
    }

    /// The layout of a guide.
    fileprivate func layout(
        of window: TimeWindow, rowCount: Int, groups: [GuideGroup], isCellsOnly: Bool
    ) throws(GuideLayoutError) -> GuideLayout {
        let isVertical = !isCellsOnly && orientation == .vertical
        let metrics = try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: rowHeight, stationColumnWidth: isCellsOnly ? 0 : stationWidth,
            headerHeight: isCellsOnly ? 0 : headerHeight,
            thumbnails: isCellsOnly ? .none : thumbnails.column(rowHeight: rowHeight, isVertical: isVertical),
            scale: scale)
        var clusters: ClusterPolicy?
        if let clusterWidth { clusters = try ClusterPolicy(leastWidth: clusterWidth) }
        return try GuideLayout(
            metrics: metrics, window: window, rowCount: rowCount, groups: groups,
            timeAxis: isVertical ? .vertical : .horizontal,
            direction: isCellsOnly ? .leftToRight : direction.layoutDirection, clusters: clusters)
    }

    /// The visible part of a layout.
    fileprivate func viewport(of layout: GuideLayout) throws(GuideLayoutError) -> Viewport {
        // A guide without rows and header has no height, but a viewport must have one.
        let width = width ?? max(1, layout.contentSize.width)
        let height = height ?? max(1, layout.contentSize.height)
        let isMirrored = layout.direction == .rightToLeft
        return try Viewport(
            x: isMirrored ? layout.contentSize.width - width - x : x, y: y, width: width, height: height)
    }
}

/// The axis along which time runs.
enum GridOrientation: String, CaseIterable, Sendable {
    case horizontal, vertical
}

/// The layout of a viewport, before any schedule is read.
struct GridFrame: Sendable {
    fileprivate let layout: GuideLayout
    let viewport: Viewport
    let demand: GuideDemand
    /// The rows of the guide that are laid out.
    let rows: RowRanges
    /// The rows of the guide that are visible.
    fileprivate let visibleRows: RowRanges

    /// Visible rows times visible hours.
    fileprivate var area: Double { Double(demand.rows.count) * Double(demand.window.seconds) / 3600 }
}

/// The content of a viewport.
private struct GridPicture: Sendable {
    let frame: GridFrame
    /// What the thumbnails show.
    let current: CurrentPictures
    let content: GuideContent

    /// The visible elements, from back to front.
    var elements: [GuideElement] { frame.layout.page(in: frame.viewport, of: content).elements }
}
