import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGJSON
import EPGModel
import EPGProgram
import EPGRefresh
import EPGRender

/// `epg watch`: adds, edits, lists and removes watch rules, shows upcoming airings, and sends reminders.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Keep a watchlist: saved searches with reminders.",
        discussion: """
            A watch rule matches airings that meet all of its conditions, also after they have moved. The database keeps \
            rules, and imports, refreshes and pruning do not change them. Reminders go to the targets under reminders in \
            epg.yml. epgd sends them; without it, run epg watch send every minute.
            """, subcommands: [Add.self, Edit.self, Preview.self, List.self, Show.self, Remove.self, Send.self])

    /// `epg watch add`: adds a rule.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a watch rule.",
            discussion: """
                Give at least one of --title, --words, --any, --pattern, --category, --station and --airing. Prints the rules \
                of the profile afterwards. epg watch preview shows what a rule would match.
                """)

        @Argument(help: "Unique name of the rule.")
        var name: String

        @Option(help: ArgumentHelp("Profile: the person or device that the rule is for.", valueName: "name"))
        var profile = WatchRule.defaultProfile

        @OptionGroup var conditions: ConditionOptions

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Minutes before the start at which to remind.", valueName: "n"))
        var minutes = WatchRule.defaultMinutesBefore

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func run() throws {
            let listed = try database.change { guide in
                let rule = try WatchRule(
                    name: name, profile: profile, conditions.applied(to: WatchConditions(), in: guide),
                    isOncePerEpisode: conditions.once, minutesBefore: minutes, created: SystemClock.now)
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
    }

    /// `epg watch edit`: changes a rule.
    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit", abstract: "Change a watch rule.",
            discussion: """
                Keeps what no option changes, and the record of sent reminders. Prints the rules of the profile afterwards.
                """)

        /// A condition that can be removed.
        enum Removal: String, CaseIterable, ExpressibleByArgument {
            case title, words, any, without, pattern, category, station, airing, between, new, once
        }

        @Argument(help: "Name of the rule.")
        var name: String

        @Option(name: .customLong("name"), help: ArgumentHelp("New name of the rule.", valueName: "name"))
        var newName: String?

        @Option(help: ArgumentHelp("Profile: the person or device that the rule is for.", valueName: "name"))
        var profile: String?

        @OptionGroup var conditions: ConditionOptions

        @Option(
            help: ArgumentHelp(
                "Condition to remove. Repeat the option for several.", valueName: "condition"))
        var clear: [Removal] = []

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Minutes before the start at which to remind.", valueName: "n"))
        var minutes: Int?

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func run() throws {
            let listed = try database.change { guide in
                guard let rule = try guide.watchRules().first(where: { $0.name == name }) else {
                    throw CommandFailure.unknownRule(name)
                }
                let edited = try WatchRule(
                    id: rule.id, name: newName ?? name, profile: profile ?? rule.profile,
                    conditions.applied(to: cleared(rule.conditions), in: guide),
                    isOncePerEpisode: conditions.once || rule.isOncePerEpisode && !clear.contains(.once),
                    minutesBefore: minutes ?? rule.minutesBefore, created: rule.created)
                try Watchlist.checkWords(of: edited, in: guide)
                try guide.saveWatchRule(edited)
                return try WatchRules(in: guide, profile: edited.profile)
            }
            try output.print(listed) { listed.table(for: $0) }
        }

        /// Returns conditions without those to remove.
        private func cleared(_ conditions: WatchConditions) -> WatchConditions {
            var conditions = conditions
            for removal in clear {
                switch removal {
                case .title: conditions.title = nil
                case .words: conditions.words = nil
                case .any: conditions.anyWords = []
                case .without: conditions.excludedWords = []
                case .pattern: conditions.pattern = nil
                case .category: conditions.category = nil
                case .station: conditions.station = nil
                case .airing: conditions.airing = nil
                case .between: conditions.times = nil
                case .new: conditions.isNew = false
                case .once: break
                }
            }
            if !Set(clear).isDisjoint(with: [.title, .station]) { conditions.airing = nil }
            return conditions
        }
    }

    /// `epg watch preview`: shows the airings that a rule would match.
    struct Preview: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preview", abstract: "Show upcoming airings that a watch rule would match, without adding it.",
            discussion: "Takes the conditions of epg watch add.")

        @OptionGroup var conditions: ConditionOptions
        @OptionGroup var listing: ListingOptions

        func run() throws {
            try listing.run { guide in
                let rule = try WatchRule(
                    name: "preview", conditions.applied(to: WatchConditions(), in: guide),
                    isOncePerEpisode: conditions.once, created: SystemClock.now)
                try Watchlist.checkWords(of: rule, in: guide)
                return [rule]
            }
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

        @OptionGroup var listing: ListingOptions

        func run() throws {
            try listing.run { guide in
                var rules = try guide.watchRules().filter { profile == nil || $0.profile == profile }
                for name in names where !rules.contains(where: { $0.name == name }) {
                    throw CommandFailure.unknownRule(name)
                }
                if !names.isEmpty { rules.removeAll { !names.contains($0.name) } }
                return rules
            }
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

// MARK: - Options

/// The conditions of a rule.
struct ConditionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Title of the programme, ignoring case.", valueName: "text"))
    var title: String?

    @Option(
        help: ArgumentHelp("Words in the title, subtitle or description, as in epg search.", valueName: "words"))
    var words: String?

    @Option(
        name: .customLong("any"),
        help: ArgumentHelp(
            "Words like --words as an alternative. Repeat the option: at least one must match.", valueName: "words"))
    var alternatives: [String] = []

    @Option(
        help: ArgumentHelp(
            "Words like --words to exclude. Repeat the option: none may match.", valueName: "words"))
    var without: [String] = []

    @Option(
        help: ArgumentHelp(
            "Regular expression to find in the title, subtitle or description, ignoring case.", valueName: "regex"),
        transform: { text in
            do throws(TextPatternError) {
                return try TextPattern(text)
            } catch {
                throw ValidationError("\(error)")
            }
        })
    var pattern: TextPattern?

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

    func validate() throws {
        if airing != nil, title != nil || station != nil {
            throw ValidationError("--airing includes title and station. Omit --title and --station.")
        }
    }

    /// Returns conditions with the values of the options, except ``once``.
    ///
    /// - Throws: ``CommandFailure`` for an unknown station or airing, errors of the store.
    func applied(to former: WatchConditions, in guide: some GuideReading) throws -> WatchConditions {
        var conditions = former
        conditions.title = title ?? former.title
        conditions.words = words ?? former.words
        if !alternatives.isEmpty { conditions.anyWords = alternatives }
        if !without.isEmpty { conditions.excludedWords = without }
        conditions.pattern = pattern ?? former.pattern
        conditions.category = category ?? former.category
        conditions.times = between ?? former.times
        if new { conditions.isNew = true }
        if let station { conditions.station = try guide.station(named: station).station.id }
        // The title and the station belong to the airing.
        if title != nil || station != nil { conditions.airing = nil }
        if let airing {
            let detail = try guide.detail(of: airing)
            let one = try WatchRule(remindingOf: detail).conditions
            (conditions.title, conditions.station) = (one.title, one.station)
            conditions.airing = try AiringReference(detail.airing, in: guide)
        }
        return conditions
    }
}

/// The range and the form of a list of upcoming airings.
struct ListingOptions: ParsableArguments {
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

    /// Prints the upcoming airings that match rules.
    func run(_ rules: (any GuideReading) throws -> [WatchRule]) throws {
        let (moment, listing) = try database.read { guide in
            let moment = try self.moment.moment(in: guide)
            let listing = try WatchListing(
                of: rules(guide), in: guide, now: moment.now, zone: moment.zone, days: days, tuners: tuners)
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
