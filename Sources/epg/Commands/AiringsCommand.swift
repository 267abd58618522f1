import ArgumentParser
import EPGCalendar
import EPGModel

/// `epg airings`: the schedule of one station.
struct AiringsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airings", abstract: "Lists the airings of a station; those of today, if nothing else is said.")

    @Option(help: ArgumentHelp("The station's identifier or its name.", valueName: "id"))
    var station: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("From when on. The default is the beginning of today.", valueName: "time"))
    var from: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Until when. The default is a day after --from, or the end of today.", valueName: "time"))
    var to: String?

    @OptionGroup var moment: MomentOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let moment = try moment.moment()
        let window = try window(at: moment)
        let answer = try database.read { guide in
            let row = try StationQuery(station).find(in: guide)
            return (row.station, try guide.schedule(of: row.station.id, during: window))
        }
        try output.print(answer.1.airings) { terminal in
            AiringsText(answer.1, of: answer.0, during: window, moment: moment).text(for: terminal)
        }
    }

    /// Today, or what was asked for.
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
            throw CommandFailure(.usage, "--to (\(end)) is not after --from (\(start)). Give a later --to.")
        }
        return window
    }
}
