import ArgumentParser
import EPGCalendar
import EPGModel

/// In which zone people's times are, and what counts as now.
struct MomentOptions: ParsableArguments {
    @OptionGroup var zone: ZoneOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("The time that counts as now.", valueName: "time"))
    var at: String?

    /// Zone and now.
    func moment() throws -> Moment {
        let zone = try zone.zone()
        let moment = Moment(zone: zone, now: SystemClock.now)
        guard let at else { return moment }
        return Moment(zone: zone, now: try moment.instant(at, option: "--at"))
    }
}

/// In which zone people's times are.
struct ZoneOptions: ParsableArguments {
    @Option(
        name: .customLong("zone"),
        help: ArgumentHelp(
            "The zone of the times that you write and read, such as Europe/London. The default is the system's.",
            valueName: "zone"))
    var name: String?

    func zone() throws -> Zone {
        try name.map { try Zone(named: $0) } ?? .current
    }
}

/// What counts as now, where.
struct Moment: Sendable {
    let zone: Zone
    let now: Instant

    /// Reads a person's time; see ``EPGCommand`` for the forms.
    ///
    /// - Parameter option: The flag that it was given to, for the message.
    func instant(_ text: String, option: String) throws(CommandFailure) -> Instant {
        do {
            return try TimeExpression.parse(text, now: now, zone: zone)
        } catch {
            throw CommandFailure(.usage, "\(option): \(error).")
        }
    }

    /// The window of the local date.
    var today: TimeWindow { zone.window(of: zone.date(at: now)) }
}
