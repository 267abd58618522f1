import ArgumentParser
import EPGCalendar
import EPGModel

/// Which stretch of time a grid spans.
struct GridSpanOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The beginning. The default is the half hour that is under way.", valueName: "time"))
    var from: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("The length in hours, such as 3 or 1.5.", valueName: "hours"))
    var hours = 3.0

    func validate() throws {
        // A NaN is in no range.
        guard (0.25...8784).contains(hours) else {
            throw ValidationError("--hours is a number from 0.25 to 8784, which is a year.")
        }
    }

    /// The stretch of time, in whole seconds.
    func window(at moment: Moment) throws(CommandFailure) -> TimeWindow {
        let start =
            try from.map { text throws(CommandFailure) in try moment.instant(text, option: "--from") }
            ?? halfHour(moment)
        let end = start.advanced(by: Int64(hours * 3600))
        guard let window = TimeWindow(from: start, to: end), !window.isEmpty else {
            throw CommandFailure(.usage, "--from: \(start) is at the end of time. Give an earlier one.")
        }
        return window
    }

    /// The last full or half hour on the clocks of the zone.
    private func halfHour(_ moment: Moment) -> Instant {
        let local = moment.zone.localDateTime(at: moment.now)
        return moment.now.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
    }
}
