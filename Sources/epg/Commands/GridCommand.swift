import ArgumentParser
import EPGLayout
import EPGModel
import EPGRender

/// `epg grid`: stations down, time across.
struct GridCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grid", abstract: "Draws the guide: stations down, time across.",
        discussion: "With --json: the elements that a viewport shows, with their frames in content coordinates.")

    @OptionGroup var span: GridSpanOptions
    @OptionGroup var moment: MomentOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Rows, from 0. The default is the first 20; with --json all.", valueName: "first-last"))
    var rows: RowRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The width of the drawing. The default is the terminal's.", valueName: "columns"))
    var width: Int?

    @Option(help: "How much a row shows.")
    var style = GridStyle.ruled

    @OptionGroup(title: "Viewport of --json") var viewport: ViewportOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard width.map({ (20...2000).contains($0) }) ?? true else {
            throw ValidationError("--width is a number of columns from 20 to 2000.")
        }
    }

    func run() throws {
        let moment = try moment.moment()
        let window = try span.window(at: moment)
        if output.json {
            let query = GridQuery(window: window, moment: moment, rows: rows?.rows)
            let grid = try database.read { try query.grid(in: viewport, from: $0) }
            return try output.print(grid) { _ in "" }
        }
        let schedules = try database.read { guide in
            try guide.schedules(inRows: rows?.rows ?? 0..<20, during: window)
        }
        guard !schedules.isEmpty else {
            throw CommandFailure(.noInput, "There is no station in these rows. “epg stations” lists them all.")
        }
        let terminal = Terminal.standardOutput
        let grid = TextGrid(
            columns: width ?? terminal.columns ?? 80, style: terminal.gridStyle, rows: style.rows, zone: moment.zone)
        try StandardOutput.write(try grid.text(of: schedules, during: window, now: moment.now))
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
