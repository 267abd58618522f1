import ArgumentParser
import EPGCalendar
import EPGModel
import EPGProgram
import EPGRender

/// `epg airings`: the schedule of one station.
struct AiringsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airings", abstract: "List the airings of a station.",
        discussion: "Lists the airings of today unless --from or --to is given.")

    @Option(help: ArgumentHelp("Identifier or name of the station.", valueName: "id"))
    var station: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start of the time window (default: the start of today).", valueName: "time"))
    var from: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "End of the time window (default: one day after --from, or the end of today).", valueName: "time"))
    var to: String?

    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let (moment, window, station, schedule) = try database.read { guide in
            let moment = try self.moment.moment(in: guide)
            let window = try self.window(at: moment)
            let row = try guide.station(named: self.station)
            return (moment, window, row.station, try guide.schedule(of: row.station.id, during: window))
        }
        try output.print(schedule.airings) { terminal in
            AiringsText(schedule: schedule, station: station, window: window, moment: moment).text(for: terminal)
        }
    }

    /// The window of `--from` and `--to`; today by default.
    private func window(at moment: Moment) throws(CommandFailure) -> TimeWindow {
        var start = moment.today.start
        var end = moment.today.end
        if let from {
            start = try moment.instant(from, option: "--from")
            // A day has 23 or 25 hours when the clocks change.
            let date = moment.zone.date(at: start)
            let isMidnight = moment.zone.start(of: date) == start
            end = isMidnight ? moment.zone.window(of: date).end : start.advanced(by: 86_400)
        }
        if let to { end = try moment.instant(to, option: "--to") }
        guard let window = TimeWindow(from: start, to: end), !window.isEmpty else {
            throw CommandFailure(.usage, "--to (\(end)) is not later than --from (\(start)).")
        }
        return window
    }
}

// MARK: - Text

/// Prints the schedule of one station, day by day.
private struct AiringsText {
    let schedule: Schedule
    let station: Station
    let window: TimeWindow
    let moment: Moment

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column(), Table.Column(), Table.Column(minimumWidth: 8), Table.Column(minimumWidth: 6),
            Table.Column(alignment: .trailing),
        ])
        var date: CivilDate?
        for segment in schedule.segments(in: window) {
            switch segment {
            case .gap(let gap):
                addDay(of: gap.start, after: &date, to: &table)
                table.append([
                    Cell.empty, Cell(moment.clock.range(gap, seenFrom: moment.zone.date(at: gap.start)), .dim),
                    Cell("no data", .dim),
                ])
            case .airings(let airings):
                for airing in airings {
                    addDay(of: airing.window.start, after: &date, to: &table)
                    table.append(row(of: airing))
                }
            }
        }
        return Cell(station.name, .bold).text(for: terminal) + "\n" + table.text(for: terminal)
    }

    /// Adds a line with the day if it differs from the day of the previous line.
    private func addDay(of instant: Instant, after previous: inout CivilDate?, to table: inout Table) {
        let date = moment.zone.date(at: instant)
        guard date != previous else { return }
        previous = date
        table.append([])
        table.append([Cell.empty, Cell("\(date.label) \(date.year)", .bold)])
    }

    private func row(of airing: Airing) -> [Cell] {
        let isOn = airing.window.contains(moment.now)
        var title = Cell(airing.shownTitle, isOn ? .bold : .plain)
        if let subtitle = airing.subtitle { title.append("· \(subtitle)", .dim) }
        var notes = Cell(AiringText(airing).episode ?? "", .dim)
        if let clump = airing.clump { notes.append("number \(clump.index + 1) of \(clump.count)", .dim) }
        return [
            Cell(isOn ? "▶" : "", .green), Cell(AiringText(airing).times(moment.clock)), title, notes,
            Cell("#\(airing.id)", .dim),
        ]
    }
}
