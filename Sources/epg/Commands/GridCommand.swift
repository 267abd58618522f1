public import ArgumentParser
public import CollectionLayout
import EPGCalendar
import EPGImport
import EPGLayout
import EPGModel
import EPGProgram
import EPGRender

/// `epg grid`: draws the guide with stations down and time across.
struct GridCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grid", abstract: "Draw the guide with stations down and time across.",
        discussion: """
            --format svg draws a viewport of the grid as a picture. --format json prints the elements in the viewport \
            with their frames in content coordinates.
            """)

    @OptionGroup var span: GridSpanOptions
    @OptionGroup var moment: MomentOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Rows to show, from 0 (default: 0-19 as text; all rows for json and svg).", valueName: "first-last"))
    var rows: RowRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Width of the text in columns (default: the terminal width).", valueName: "columns"))
    var width: Int?

    @Option(help: "Level of detail of a row")
    var style = TextGrid.RowStyle.ruled

    @Flag(help: "Show a header above each run of stations with the same group of a playlist.")
    var groups = false

    @Flag(help: "Show stations that differ only in quality, such as Quill and Quill HD, and list the same in one row.")
    var fold = false

    @Option(help: "Output format")
    var format = GridFormat.text

    @Option(help: "Color theme of an SVG picture")
    var theme = GridTheme.light

    @OptionGroup var profile: ProfileOptions
    @OptionGroup(title: "Viewport (json and svg)") var viewport: ViewportOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        try ValidationError.check(width, in: 20...2000, of: "--width")
        guard !output.json || format != .svg else {
            throw ValidationError("--json and --format svg cannot be used together.")
        }
        guard viewport.thumbnails == .none || output.json || format != .text else {
            throw ValidationError("--thumbnails needs --format svg or --format json. Text cannot show pictures.")
        }
    }

    func run() throws {
        // Printing may block, so it follows the read transaction.
        let print: () throws -> Void = try database.read { guide in
            let moment = try self.moment.moment(in: guide)
            let window = try span.window(at: moment)
            var profile = try self.profile.guide(guide)
            if fold {
                let day = moment.zone.window(of: moment.zone.date(at: moment.now))
                profile = try (profile ?? ProfileGuide(guide)).folding(
                    DuplicateStations(in: guide).groups(in: guide, during: day))
            }
            let format = output.json ? .json : self.format
            if format == .text {
                let places = rows?.rows ?? 0..<20
                let schedules = try readSchedules(inRows: places, during: window, of: guide, as: profile)
                let count = schedules.count
                let groups = try self.groups(
                    inPlaces: places.lowerBound..<places.lowerBound + count, of: guide, profile)
                let isEmpty = schedules.allSatisfy { $0.schedule.airings.isEmpty }
                let hint = isEmpty ? EmptyPeriodHint(span: try guide.guideSpan(), now: moment.now) : nil
                return { try printText(of: schedules, groups, during: window, at: moment, hint) }
            }
            let (layout, visible, content, pictures) = try content(of: window, at: moment, in: guide, as: profile)
            if format == .json {
                let elements = layout.page(in: visible, of: content).elements
                return { try OutputOptions.printJSON(GridJSON(layout: layout, elements: elements, pictures: pictures)) }
            }
            let svg = GuideSVG(
                layout: layout, viewport: visible, theme: theme.svgTheme, clock: moment.clock, now: moment.now,
                pictures: pictures)
            return { try StandardOutput.write(svg.text(of: content)) }
        }
        try print()
    }

    /// Reads the schedules in the viewport and lays them out. The rows of the layout count from the first row of ``rows``.
    ///
    /// - Returns: The layout, the viewport, its content, and what its thumbnails show.
    private func content(
        of window: TimeWindow, at moment: Moment, in guide: any GuideReading, as profile: ProfileGuide?
    ) throws -> (GuideLayout, Viewport, GuideContent, CurrentPictures) {
        let all = try 0..<(profile?.rows.count ?? guide.stationCount())
        let shown = rows?.rows.clamped(to: all) ?? all
        guard rows == nil || !shown.isEmpty else { throw CommandFailure.noSuchRows }
        let groups = try groups(inPlaces: shown, of: guide, profile)
        let layout = try viewport.layout(of: window, rowCount: shown.count, groups: groups)
        let visible = try viewport.viewport(of: layout)
        let demand = layout.demand(of: visible)
        let places = shown.lowerBound + demand.rows.lowerBound..<shown.lowerBound + demand.rows.upperBound
        let found = try readSchedules(inRows: places, during: demand.window, of: guide, as: profile)
        let placed = zip(demand.rows, found).map { place, schedule in
            var schedule = schedule
            schedule.row = place
            return schedule
        }
        // A header extends to the next full hour, even outside the viewport.
        let end = min(demand.window.end.advanced(by: 3600), window.end)
        let marked = TimeWindow(start: demand.window.start, end: max(end, demand.window.end))
        let content = GuideContent(
            schedules: placed, coverage: demand.window,
            marks: GuideMarks(in: marked, clock: moment.clock, now: moment.now), now: moment.now)
        var airings: [Int: AiringDetail] = [:]
        if viewport.thumbnails != .none {
            let rows = profile.map { Array($0.rows(in: places)) } ?? Array(places)
            for (index, detail) in try (profile?.guide ?? guide).details(at: moment.now, inRows: rows) {
                airings[demand.rows.lowerBound + index] = detail
            }
        }
        return (layout, visible, content, CurrentPictures(of: airings))
    }

    /// Returns the groups of consecutive stations by their places in the guide, or in a profile; none without `--groups`.
    private func groups(
        inPlaces places: Range<Int>, of guide: any GuideReading, _ profile: ProfileGuide?
    ) throws -> [GuideGroup] {
        guard groups else { return [] }
        let rows = profile.map { Array($0.rows(in: places)) } ?? Array(places)
        return GuideGroup.groups(ofRows: rows, titled: try guide.groups(inLineup: nil))
    }

    /// Returns schedules by the places of their stations in the guide, or in a profile.
    private func readSchedules(
        inRows places: Range<Int>, during window: TimeWindow, of guide: any GuideReading, as profile: ProfileGuide?
    ) throws -> [RowSchedule] {
        guard let profile else { return try guide.schedules(inRows: places, during: window) }
        return try profile.rows(in: places).flatMap {
            try profile.guide.schedules(inRows: $0..<$0 + 1, during: window)
        }
    }

    private func printText(
        of schedules: [RowSchedule], _ groups: [GuideGroup], during window: TimeWindow, at moment: Moment,
        _ hint: EmptyPeriodHint?
    ) throws {
        guard !schedules.isEmpty else {
            guard rows == nil, let hint else { throw CommandFailure.noSuchRows }
            throw CommandFailure(.noInput, hint.text(in: moment.zone, option: "--from"))
        }
        let terminal = Terminal.standardOutput
        let grid = TextGrid(
            columns: width ?? terminal.columns ?? 80, style: terminal.gridStyle, rows: style, clock: moment.clock)
        let text: String
        do throws(GuideLayoutError) {
            text = try grid.text(of: schedules, groups: groups, during: window, now: moment.now)
        } catch {
            guard case .measureOutOfRange(.pointsPerHour, _, _) = error else { throw error }
            throw CommandFailure(
                .usage, "--hours is too long for \(grid.columns) columns. Give fewer hours, or a larger --width.")
        }
        try StandardOutput.write(text)
        hint?.print(in: moment.zone, option: "--from")
    }
}

// MARK: - Options

/// The output format of the grid.
enum GridFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, json, svg
}

/// The color theme of an SVG picture.
enum GridTheme: String, ExpressibleByArgument, CaseIterable, Sendable {
    case light, dark

    var svgTheme: SVGTheme {
        switch self {
        case .light: .light
        case .dark: .dark
        }
    }
}

extension TextGrid.RowStyle: ExpressibleByArgument {}

extension ThumbnailStyle: ExpressibleByArgument {}

extension Axis: ExpressibleByArgument {}

/// The time window of a grid.
struct GridSpanOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start of the time window (default: the last full or half hour).", valueName: "time"))
    var from: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the time window in hours, such as 3 or 1.5", valueName: "hours"))
    var hours = 3.0

    func validate() throws {
        // This rejects NaN, too.
        guard (0.25...8784).contains(hours) else {
            throw ValidationError("--hours must be a number from 0.25 to 8784 (one year).")
        }
    }

    /// The time window, in whole seconds.
    func window(at moment: Moment) throws(CommandFailure) -> TimeWindow {
        let start =
            try from.map { text throws(CommandFailure) in try moment.instant(text, option: "--from") }
            ?? lastHalfHour(moment)
        let end = start.advanced(by: Int64(hours * 3600))
        guard let window = TimeWindow(from: start, to: end), !window.isEmpty else {
            throw CommandFailure(.usage, "--from (\(start)) is too late. Give an earlier time.")
        }
        return window
    }

    /// The last full or half hour in local time.
    private func lastHalfHour(_ moment: Moment) -> Instant {
        let local = moment.zone.localDateTime(at: moment.now)
        return moment.now.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
    }
}

/// An inclusive range of rows of the guide, counted from 0: `0-19`, or `7` alone.
struct RowRange: ExpressibleByArgument, Hashable, Sendable {
    let rows: Range<Int>

    /// Parses a range; returns `nil` if it is invalid, reversed, or exceeds 1,000,000,000.
    init?(argument: String) {
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
            (0...1_000_000_000).contains(first), (first...1_000_000_000).contains(last)
        else { return nil }
        rows = first..<last + 1
    }
}

/// The metrics of the grid and its visible part, in points.
struct ViewportOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Width of one hour", valueName: "points"))
    var pointsPerHour = 240.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Offset of the viewport from the leading edge", valueName: "points"))
    var x = 0.0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Offset of the viewport from the top edge", valueName: "points"))
    var y = 0.0

    @Option(parsing: .unconditional, help: ArgumentHelp("Width of the viewport", valueName: "points"))
    var viewportWidth = 1280.0

    @Option(parsing: .unconditional, help: ArgumentHelp("Height of the viewport", valueName: "points"))
    var viewportHeight = 720.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Device pixels per point; edges snap to pixels", valueName: "factor"))
    var scale = 1.0

    @Option(help: "Column with pictures of what is on now")
    var thumbnails = ThumbnailStyle.none

    @Option(help: "Direction of the time axis")
    var orientation = Axis.horizontal

    @Option(help: "Text direction, and direction of a horizontal time axis")
    var direction = GridDirection.ltr

    /// Checks the metrics and names the option that is out of range.
    func validate() throws {
        do throws(GuideLayoutError) {
            _ = try viewport()
            _ = try metrics()
        } catch {
            guard case .measureOutOfRange(let measure, let value, let allowed) = error else { throw error }
            let range = "\(allowed.lowerBound.plain) to \(allowed.upperBound.plain)"
            throw ValidationError("\(measure.option) must be a number from \(range), not \(value.plain).")
        }
    }

    /// The viewport, `x` points from the leading edge.
    func viewport(of layout: GuideLayout) throws(GuideLayoutError) -> Viewport {
        let viewport = try viewport()
        guard direction == .rtl else { return viewport }
        return try Viewport(
            x: layout.contentSize.width - viewportWidth - x, y: y, width: viewportWidth, height: viewportHeight)
    }

    private func viewport() throws(GuideLayoutError) -> Viewport {
        try Viewport(x: x, y: y, width: viewportWidth, height: viewportHeight)
    }

    /// The layout of a guide with `rowCount` rows.
    func layout(
        of window: TimeWindow, rowCount: Int, groups: [GuideGroup]
    ) throws(GuideLayoutError) -> GuideLayout {
        try GuideLayout(
            metrics: metrics(), window: window, rowCount: rowCount, groups: groups, timeAxis: orientation,
            direction: direction.layoutDirection)
    }

    /// The metrics: 60-point rows without spacing, a 160-point station column and a 40-point header; with a vertical
    /// time axis, 160-point columns, a 40-point strip of stations and an 80-point strip of hours.
    private func metrics() throws(GuideLayoutError) -> GuideMetrics {
        switch orientation {
        case .horizontal:
            try GuideMetrics(
                pointsPerHour: pointsPerHour, rowHeight: 60, stationColumnWidth: 160, headerHeight: 40,
                thumbnails: thumbnails.column(rowHeight: 60, isVertical: false), scale: scale)
        case .vertical:
            try GuideMetrics(
                pointsPerHour: pointsPerHour, rowHeight: 160, stationColumnWidth: 40, headerHeight: 80,
                thumbnails: thumbnails.column(rowHeight: 160, isVertical: true), scale: scale)
        }
    }
}

/// The text direction.
enum GridDirection: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ltr, rtl

    var layoutDirection: LayoutDirection { self == .rtl ? .rightToLeft : .leftToRight }
}

extension GuideMeasure {
    /// The option that sets the metric.
    fileprivate var option: String {
        switch self {
        case .viewportX: "--x"
        case .viewportY: "--y"
        case .viewportWidth: "--viewport-width"
        case .viewportHeight: "--viewport-height"
        case .pointsPerHour: "--points-per-hour"
        default: "--\(rawValue)"
        }
    }
}

extension Double {
    /// The number without a decimal point if it is whole.
    fileprivate var plain: String { self == rounded() && magnitude < 1e15 ? "\(Int64(self))" : "\(self)" }
}

extension CommandFailure {
    /// The requested rows are not in the guide.
    fileprivate static let noSuchRows = CommandFailure(
        .noInput, "There are no stations in these rows. List the rows with `epg stations`.")
}
