import ArgumentParser
import EPGLayout
import EPGModel
import EPGRender

/// `epg grid`: stations down, time across.
struct GridCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grid", abstract: "Draws the guide: stations down, time across.",
        discussion: """
            With --format svg: a viewport of it as a picture. With --format json: the elements that the viewport shows, \
            with their frames in content coordinates.
            """)

    @OptionGroup var span: GridSpanOptions
    @OptionGroup var moment: MomentOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rows, from 0. The default is the first 20; of a viewport all.", valueName: "first-last"))
    var rows: RowRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The width of the drawing. The default is the terminal's.", valueName: "columns"))
    var width: Int?

    @Option(help: "How much a row shows.")
    var style = GridStyle.ruled

    @Option(help: "How it is drawn.")
    var format = GridFormat.text

    @Option(help: "The colours of a picture.")
    var theme = GridTheme.light

    @OptionGroup(title: "Viewport of json and svg") var viewport: ViewportOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard width.map({ (20...2000).contains($0) }) ?? true else {
            throw ValidationError("--width is a number of columns from 20 to 2000.")
        }
        guard !output.json || format != .svg else {
            throw ValidationError("--json and --format svg ask for two things. Give one of them.")
        }
    }

    func run() throws {
        let moment = try moment.moment()
        let window = try span.window(at: moment)
        switch output.json ? .json : format {
        case .text: try printText(of: window, at: moment)
        case .json: try OutputOptions.printJSON(try picture(of: window, at: moment).json)
        case .svg: try StandardOutput.write(try picture(of: window, at: moment).svg(in: theme.colours, at: moment))
        }
    }

    /// What the viewport shows.
    private func picture(of window: TimeWindow, at moment: Moment) throws -> GridPicture {
        let query = GridQuery(window: window, moment: moment, rows: rows?.rows)
        return try database.read { try query.picture(in: viewport, from: $0) }
    }

    private func printText(of window: TimeWindow, at moment: Moment) throws {
        let schedules = try database.read { guide in
            try guide.schedules(inRows: rows?.rows ?? 0..<20, during: window)
        }
        guard !schedules.isEmpty else { throw CommandFailure.noSuchRows }
        let terminal = Terminal.standardOutput
        let grid = TextGrid(
            columns: width ?? terminal.columns ?? 80, style: terminal.gridStyle, rows: style.rows, zone: moment.zone)
        try StandardOutput.write(try grid.text(of: schedules, during: window, now: moment.now))
    }
}

/// What the grid is drawn as.
enum GridFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, json, svg
}

/// The colours of a picture.
enum GridTheme: String, ExpressibleByArgument, CaseIterable, Sendable {
    case light, dark

    var colours: SVGTheme {
        switch self {
        case .light: .light
        case .dark: .dark
        }
    }
}

/// How much a row of the text grid shows.
enum GridStyle: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A line for each station.
    case dense
    /// A line for each station, and rules between them.
    case ruled
    /// Times and sub-titles on a second line.
    case detailed

    var rows: TextGrid.RowStyle {
        switch self {
        case .dense: .dense
        case .ruled: .ruled
        case .detailed: .detailed
        }
    }
}
