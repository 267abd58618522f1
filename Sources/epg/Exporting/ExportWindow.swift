import ArgumentParser
import EPGCalendar
import EPGModel

/// Which time is exported.
struct ExportWindow: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only what is on in so many days, from today on.", valueName: "n"))
    var days: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Begin so many days after today (before it, where negative).", valueName: "n"))
    var offset: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only what is on from then on.", valueName: "time"))
    var from: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Only what is on before then.", valueName: "time"))
    var to: String?

    func validate() throws {
        guard days.map({ (1...3660).contains($0) }) ?? true else {
            throw ValidationError("--days is a number from 1 to 3660.")
        }
        guard offset.map({ (-3660...3660).contains($0) }) ?? true else {
            throw ValidationError("--offset is a number from -3660 to 3660.")
        }
        guard days == nil && offset == nil || from == nil && to == nil else {
            throw ValidationError("Say --days and --offset, or --from and --to.")
        }
    }

    /// Whether anything was said of time.
    var isLimited: Bool { days != nil || offset != nil || from != nil || to != nil }

    /// The window; `nil` for all time.
    func window(at moment: Moment) throws(CommandFailure) -> TimeWindow? {
        if days != nil || offset != nil { return moment.days(days, offset: offset ?? 0) }
        guard from != nil || to != nil else { return nil }
        let start = try from.map { text throws(CommandFailure) in try moment.instant(text, option: "--from") }
        let end = try to.map { text throws(CommandFailure) in try moment.instant(text, option: "--to") }
        let window = TimeWindow(from: start ?? .beginningOfTime, to: end ?? .endOfTime)
        guard let window, !window.isEmpty else {
            throw CommandFailure(.usage, "--to isn't after --from. Give a later --to.")
        }
        return window
    }
}

extension Moment {
    /// Whole days of the calendar: so many (`nil` for all that follow), from so many days after today.
    func days(_ count: Int?, offset: Int) -> TimeWindow {
        zone.window(ofDays: count, from: zone.date(at: now).advanced(byDays: offset))
    }
}
