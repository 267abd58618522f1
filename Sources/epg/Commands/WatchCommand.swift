import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGJSON
import EPGModel
import EPGProgram
import EPGRefresh
import EPGRender

/// `epg watch`: adds, lists and removes watch rules, shows upcoming airings, and sends reminders.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Keep a watchlist: saved searches with reminders.",
        discussion: """
            A watch rule matches airings that meet all of its conditions, also after they have moved. The database keeps \
            rules, and imports, refreshes and pruning do not change them. Reminders go to the targets under reminders in \
            epg.yml. epgd sends them; without it, run epg watch send every minute.
            """, subcommands: [Add.self, List.self, Show.self, Remove.self, Send.self])

    /// `epg watch add`: adds a rule.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a watch rule.",
            discussion: """
                Give at least one of --title, --words, --category, --station and --airing. Prints the rules of the profile \
                afterwards. Remove a rule first to change it.
                """)

        @Argument(help: "Unique name of the rule.")
        var name: String

        @Option(help: ArgumentHelp("Profile: the person or device that the rule is for.", valueName: "name"))
        var profile = WatchRule.defaultProfile

        @Option(help: ArgumentHelp("Title of the programme, ignoring case.", valueName: "text"))
        var title: String?

        @Option(
            help: ArgumentHelp("Words in the title, subtitle or description, as in epg search.", valueName: "words"))
        var words: String?

        @Option(help: ArgumentHelp("First category of the programme, ignoring case.", valueName: "name"))
        var category: String?

        @Option(help: ArgumentHelp("Identifier or name of the station.", valueName: "id"))
        var station: String?

        @Option(
            help: ArgumentHelp(
                "Number of an airing, as printed by epg search: match only this airing, also after it has moved.",
                valueName: "airing"))
        var airing: AiringNumber?

        @Option(
            help: ArgumentHelp("Local times of the start, such as 20:00-23:00 or 22:00-2:00.", valueName: "times"),
            transform: { text in
                guard let times = TimesOfDay(text) else {
                    throw ValidationError("expected times such as 20:00-23:00, not “\(text.prefix(40))”.")
                }
                return times
            })
        var between: TimesOfDay?

        @Flag(help: "Match only new episodes and premieres.")
        var new = false

        @Flag(help: "Match only the first airing of each episode.")
        var once = false

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Minutes before the start at which to remind.", valueName: "n"))
        var minutes = WatchRule.defaultMinutesBefore

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func validate() throws {
            if airing != nil, title != nil || station != nil {
                throw ValidationError("--airing includes title and station. Omit --title and --station.")
            }
        }

        func run() throws {
            let listed = try database.change { guide in
                let rule = try rule(in: guide)
                try Watchlist.checkWords(of: rule, in: guide)
                let known = try guide.watchRules().first { $0.name == name }
                if let known {
                    guard known.isEquivalent(to: rule) else { throw WatchRuleError.nameInUse(name) }
                } else {
                    try guide.saveWatchRule(rule)
                }
                return try WatchRules(in: guide, profile: profile)
            }
            try output.print(listed) { listed.table(for: $0) }
        }

        private func rule(in guide: some GuideReading) throws -> WatchRule {
            var conditions = WatchConditions(
                title: title, words: words, category: category, times: between, isNew: new)
            if let airing {
                let detail = try guide.detail(of: airing)
                let one = try WatchRule(remindingOf: detail).conditions
                (conditions.title, conditions.station) = (one.title, one.station)
                conditions.airing = try AiringReference(detail.airing, in: guide)
            } else if let station {
                conditions.station = try guide.station(named: station).station.id
            }
            return try WatchRule(
                name: name, profile: profile, conditions, isOncePerEpisode: once, minutesBefore: minutes,
                created: SystemClock.now)
        }
    }

    /// `epg watch list`: lists rules and unconfirmed reminders.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List watch rules, and reminders that were not delivered.")

        @Option(help: ArgumentHelp("Profile (default: all).", valueName: "name"))
        var profile: String?

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            let rules = try database.read { try WatchRules(in: $0, profile: profile) }
            try output.print(rules) { rules.table(for: $0) }
        }
    }

    /// `epg watch show`: shows the airings that match.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show upcoming airings that match watch rules.",
            discussion: "Marks conflicts: airings at the same time on more stations than there are tuners.")

        @Argument(help: ArgumentHelp("Names of rules (default: all).", valueName: "name"))
        var names: [String] = []

        @Option(help: ArgumentHelp("Profile (default: all).", valueName: "name"))
        var profile: String?

        @Option(help: ArgumentHelp("Days from now on.", valueName: "n"))
        var days = Watchlist.defaultDays

        @Option(help: ArgumentHelp("Number of tuners: stations that can be recorded at once.", valueName: "n"))
        var tuners = 1

        @OptionGroup var moment: MomentOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func validate() throws {
            try ValidationError.check(days, in: 1...60, of: "--days")
            try ValidationError.check(tuners, in: 1...1000, of: "--tuners")
        }

        func run() throws {
            let (moment, listing) = try database.read { guide in
                let moment = try self.moment.moment(in: guide)
                var rules = try guide.watchRules().filter { profile == nil || $0.profile == profile }
                for name in names where !rules.contains(where: { $0.name == name }) {
                    throw CommandFailure.unknownRule(name)
                }
                if !names.isEmpty { rules.removeAll { !names.contains($0.name) } }
                let listing = try WatchListing(
                    of: rules, in: guide, now: moment.now, zone: moment.zone, days: days, tuners: tuners)
                return (moment, listing)
            }
            try output.print(listing) { WatchText(listing: listing, moment: moment, tuners: tuners).text(for: $0) }
            for failure in listing.failures {
                StandardError.report("Cannot evaluate the rule “\(failure.rule.name)”: \(failure.error)")
            }
            if listing.rules.isEmpty {
                StandardError.write("No watch rules. Add one with `epg watch add NAME --title TITLE`.\n")
            } else if listing.airings.isEmpty {
                StandardError.write("Nothing is coming in the next \(Wording.count(days, "day")).\n")
            } else if !listing.isComplete {
                StandardError.write("Only the first \(Watchlist.maximumCount) airings of a rule are shown.\n")
            }
            if !listing.failures.isEmpty { throw ExitCode(ExitStatus.invalidData.rawValue) }
        }
    }

    /// `epg watch remove`: removes a rule.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a watch rule.",
            discussion: "Also discards its reminders. Prints the remaining rules.")

        @Argument(help: "Name of the rule.")
        var name: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func run() throws {
            let rules = try database.change { guide in
                guard try guide.removeWatchRule(named: name) else { throw CommandFailure.unknownRule(name) }
                return try WatchRules(in: guide, profile: nil)
            }
            try output.print(rules) { rules.table(for: $0) }
        }
    }

    /// `epg watch send`: sends the reminders that are due.
    struct Send: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "send", abstract: "Send the reminders that are due now.",
            discussion: """
                Sends each reminder to the targets under reminders in epg.yml once. A target that does not confirm a \
                reminder gets it again with the same Idempotency-Key in later runs, until the airing ends. While another \
                process is sending, the command does nothing. Without errors, it prints nothing. The exit code is 69 if a \
                target failed.
                """)

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var moment: MomentOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            var database = database
            let configuration = try settings.read(for: &database, warns: true).configuration
            let guide = try database.guide()
            guard guide.exists else { throw StoreError.notFound(path: guide.location) }
            guard !configuration.reminders.isEmpty else {
                throw CommandFailure(
                    .configuration,
                    "There is no target. List targets under reminders in epg.yml (see `epg config example`).")
            }
            let zone = try moment.zone.zone(in: configuration)
            let fixed = try moment.at == nil ? nil : moment.moment(in: zone).now
            Interruption.installHandlers()
            let sender = ReminderSender(
                userAgent: "swift-epg/\(EPGCommand.version)", privateHosts: configuration.privateHosts,
                secret: { try $0.value(environment: ProcessEnvironment.variables) },
                isCancelled: { Interruption.isRequested })
            let run = ReminderRun(
                guide, targets: configuration.reminders, zone: zone, publicURL: configuration.publicURL, sender: sender,
                now: { fixed ?? SystemClock.now }, isCancelled: { Interruption.isRequested })
            let report = try run.send()
            try output.print { _ in
                ""
            } members: { json in
                json.member("busy", report == nil ? true : nil)
                json.member("sent", report?.sent ?? [])
                json.member("failed", report?.failed ?? [])
                json.member("expired", report?.expired ?? [])
                json.member("problems", report?.problems ?? [])
            }
            for problem in report?.problems ?? [] { StandardError.report("\(problem)") }
            Interruption.finish()
            if report?.isSuccess == false { throw ExitCode(ExitStatus.unavailable.rawValue) }
        }
    }
}

extension CommandFailure {
    fileprivate static func unknownRule(_ name: String) -> CommandFailure {
        CommandFailure(.noInput, "There is no watch rule “\(name.prefix(64))”. List the rules with `epg watch list`.")
    }
}

// MARK: - Output

/// The result of `epg watch list`: the rules of a profile, and their reminders.
private struct WatchRules: JSONObject {
    private let rules: [WatchRule]
    private let reminders: [Reminder]
    private let stations: [StationID: String]

    init(in guide: some GuideReading, profile: String?) throws {
        let rules = try guide.watchRules().filter { profile == nil || $0.profile == profile }
        self.rules = rules
        let ids = Set(rules.map(\.id))
        reminders = try guide.reminders().filter { ids.contains($0.rule) }
        let named = try Set(rules.compactMap(\.conditions.station)).compactMap { id in
            try guide.station(id).map { (id, $0.station.name) }
        }
        stations = Dictionary(named) { first, _ in first }
    }

    /// `{"rules", "reminders"}`.
    func writeMembers(to json: inout JSONWriter) {
        json.member("rules", rules)
        json.member("reminders", reminders)
    }

    func table(for terminal: Terminal) -> String {
        guard !rules.isEmpty else { return "No watch rules. Add one with `epg watch add NAME --title TITLE`.\n" }
        var table = Table([
            Table.Column("name", minimumWidth: 12), Table.Column("profile", minimumWidth: 7),
            Table.Column("matches", minimumWidth: 16), Table.Column("before", alignment: .trailing),
        ])
        for rule in rules {
            table.append([
                Cell(rule.name, .bold), Cell(rule.profile, .dim),
                Cell(rule.summary(stationName: rule.conditions.station.flatMap { stations[$0] })),
                Cell("\(rule.minutesBefore) min"),
            ])
        }
        let open = reminders.filter { $0.state != .sent }
        guard !open.isEmpty else { return table.text(for: terminal) }
        let lines = open.map { reminder in
            let reason = reminder.error.map { ": \($0)" } ?? ""
            let outcome = "\(reminder.state.rawValue) after \(Wording.count(reminder.failures, "failure"))\(reason)"
            return "  \(reminder.target), \(reminder.title): \(outcome)".withoutControls + "\n"
        }
        return table.text(for: terminal) + "\nReminders that were not delivered:\n" + lines.joined()
    }
}

/// Prints upcoming airings as a table, and the conflicts below it.
private struct WatchText {
    let listing: WatchListing
    let moment: Moment
    let tuners: Int

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column(), Table.Column(), Table.Column(), Table.Column(minimumWidth: 10),
            Table.Column(minimumWidth: 16), Table.Column(minimumWidth: 8), Table.Column(alignment: .trailing),
        ])
        for watched in listing.airings { table.append(row(of: watched)) }
        let text = table.text(for: terminal)
        let conflicts = listing.conflicts
        guard conflicts.count > 0 else { return text }
        let titles = Dictionary(listing.airings.map { ($0.id, $0) }) { first, _ in first }
        var lines = conflicts.list.map { conflict in
            let day = moment.zone.dayLabel(at: conflict.window.start)
            var names = conflict.airings.compactMap { titles[$0] }.map {
                "\($0.airing.shownTitle) (\($0.detail.stationName))"
            }
            if conflict.count > names.count { names.append("and \(conflict.count - names.count) more") }
            return "  \(day), \(moment.clock.range(conflict.window)): \(names.joined(separator: ", "))".withoutControls
                + "\n"
        }
        let more = conflicts.count - conflicts.list.count
        if more > 0 { lines.append("  and \(Wording.count(more, "more conflict"))\n") }
        return text + "\nConflicts with \(Wording.count(tuners, "tuner")):\n" + lines.joined()
    }

    private func row(of watched: WatchedAiring) -> [Cell] {
        let airing = watched.airing
        let isOn = airing.window.contains(moment.now)
        var mark = Cell(isOn ? "▶" : "", .green)
        if listing.conflicts.airings.contains(watched.id) { mark.append("!", .red) }
        var title = Cell(airing.shownTitle, .bold)
        if let line = AiringText(airing).secondLine { title.append("· \(line)", .dim) }
        let day = moment.zone.date(at: airing.window.start).label(seenFrom: moment.zone.date(at: moment.now))
        return [
            mark, Cell(day), Cell(AiringText(airing).times(moment.clock)), Cell(watched.detail.stationName), title,
            Cell(watched.rules.map(\.name).joined(separator: ", "), .dim), Cell("#\(watched.id)", .dim),
        ]
    }
}
