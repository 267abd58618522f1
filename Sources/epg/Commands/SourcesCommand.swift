import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGJSON
import EPGModel
import EPGRefresh
import EPGRender

/// `epg sources`: lists the sources with their contents and refresh status.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "List sources with their contents and refresh status.",
        discussion: "Includes sources in epg.yml that were never refreshed.")

    @Flag(
        help:
            "Print the hours that each source shows as published (see epg validate --help); reads all airings."
    )
    var score = false

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        var database = database
        let configuration = try settings.read(for: &database).configuration
        let moment = Moment(zone: try zone.zone(in: configuration), now: SystemClock.now)
        let plans = try configuration.plans()
        let entries = try entries(
            in: database, plans, try configuration.serviceTimes(plans, databasePath: database.database ?? ""),
            now: moment.now)
        try output.print(entries) { terminal in
            guard score else { return SourcesText(entries: entries, moment: moment).text(for: terminal) }
            var table = ScoreTable()
            for entry in entries { table.append(entry.quality ?? ScheduleQuality(), of: entry.summary.source.name) }
            return table.text(for: terminal)
        }
    }

    /// Returns the sources in the guide and those in the settings, sorted by name.
    ///
    /// - Throws: ``StoreError`` if there is no guide and the settings have no sources.
    private func entries(
        in database: DatabaseOptions, _ plans: [String: SourcePlan], _ serviceTimes: ServiceSchedule?,
        now: Instant
    ) throws -> [SourceEntry] {
        var entries: [SourceEntry] = []
        do {
            entries = try database.read { guide in
                try guide.sources().map { summary in
                    SourceEntry(
                        summary: summary, plan: plans[summary.source.name], serviceTimes: serviceTimes,
                        quality: score ? try guide.quality(ofSource: summary.source.name) : nil, now: now)
                }
            }
        } catch StoreError.notFound where !plans.isEmpty {
        }
        let known = Set(entries.map(\.summary.source.name))
        entries += plans.values.filter { !known.contains($0.configuration.source.name) }.map { plan in
            let summary = SourceSummary(source: plan.configuration.source)
            return SourceEntry(summary: summary, plan: plan, serviceTimes: serviceTimes, now: now)
        }
        return entries.sorted {
            $0.summary.source.name.utf8.lexicographicallyPrecedes($1.summary.source.name.utf8)
        }
    }
}

// MARK: - Entries

/// A source with its settings, its last import and its refresh times.
///
/// Its JSON has the members of the source, its location without credentials and query, `end`, `isConfigured`, `isDue`,
/// `nextRefresh` unless every run refreshes the source, `nextServiceRefresh` if epgd refreshes it, `lastImport`, and
/// `command` (without arguments), `service` and `schedule` as in epg.yml, and `score` if requested.
private struct SourceEntry: JSONObject {
    let summary: SourceSummary
    /// The settings of the source; `nil` if epg.yml does not define it.
    let plan: SourcePlan?
    /// The refresh times of epgd; `nil` if it does not refresh.
    let serviceTimes: ServiceSchedule?
    /// The quality of its schedules, if requested.
    var quality: ScheduleQuality?
    let now: Instant

    /// The command that writes the guide; empty for other sources.
    var command: [String] { plan?.configuration.command ?? [] }

    /// The service that provides the guide; `nil` for other sources.
    var service: String? {
        let configuration = plan?.configuration ?? SourceConfiguration(summary.source)
        if let account = configuration.source.account, account.service != .schedulesDirect {
            let server = summary.source.location.map { GuideLocation.displayable($0) } ?? ""
            return "the account \(account.username) at \(server)"
        }
        guard let account = configuration.schedulesDirect else { return nil }
        let url = summary.source.location.map { GuideLocation.displayable($0) } ?? ""
        let place = url == SchedulesDirectSettings.defaultURL ? "" : " at \(url)"
        let lineups = account.lineups.isEmpty ? "" : ", \(account.lineups.joined(separator: ", "))"
        return "Schedules Direct\(place)\(lineups)"
    }

    /// Whether epg.yml used to define the source and no longer does.
    var isOrphaned: Bool { summary.source.isConfigured && plan == nil }

    /// Whether `epg refresh` can refresh the source.
    var isRefreshable: Bool { !isOrphaned && (summary.source.location != nil || !command.isEmpty) }

    /// Whether an `epg refresh` now would refresh the source.
    var isDue: Bool {
        guard isRefreshable else { return false }
        return (plan ?? SourcePlan(of: summary.source)).isDue(at: now, after: summary.state)
    }

    /// The earliest time of the next refresh; `nil` if every run refreshes the source, or none does.
    ///
    /// A source that was never refreshed is due at once; this is then the next time of its schedule.
    var nextRefresh: Instant? {
        guard isRefreshable else { return nil }
        if summary.state == SourceState(), let schedule = plan?.schedule { return schedule.next(after: now) }
        return (plan ?? SourcePlan(of: summary.source)).nextRefresh(after: summary.state)
    }

    /// The next refresh by epgd; `nil` if epgd does not refresh it.
    var nextServiceRefresh: Instant? {
        serviceTimes?.nextRefresh(of: summary.source, after: summary.state, now: now)
    }

    func writeMembers(to json: inout JSONWriter) {
        summary.writeMembers(to: &json, location: summary.source.location.map(GuideLocation.displayable))
        json.member("end", summary.end)
        json.member("isConfigured", summary.source.isConfigured || plan != nil)
        json.member("isDue", isDue)
        json.member("nextRefresh", nextRefresh)
        json.member("nextServiceRefresh", nextServiceRefresh)
        json.member("lastImport", summary.lastImport)
        json.member("command", command.first)
        json.member("service", service)
        json.member("schedule", plan?.configuration.schedule)
        json.member("score", quality)
    }
}

// MARK: - Text

/// Prints sources with their contents and refresh status.
private struct SourcesText {
    let entries: [SourceEntry]
    let moment: Moment

    func text(for terminal: Terminal) -> String {
        guard !entries.isEmpty else { return "There are no sources. Add one with `epg source add NAME URL`.\n" }
        var text = ""
        for (index, entry) in entries.enumerated() {
            if index > 0 { text += "\n" }
            text += self.text(of: entry, terminal: terminal)
        }
        return text
    }

    private func text(of entry: SourceEntry, terminal: Terminal) -> String {
        let (source, state) = (entry.summary.source, entry.summary.state)
        var fields = FieldList(indent: 2)
        // The user info and the query of a URL often contain a key.
        fields.append("from", origin(of: entry))
        fields.append("read", reading(of: source))
        fields.append("holds", holdings(of: entry.summary))
        fields.append("updated", state.lastSuccess.map(past) ?? "never")
        if let last = entry.summary.lastImport {
            fields.append(
                "imported", "\(past(last.at)): \(counts(of: last, isPlaylist: entry.summary.channels != nil))")
        }
        if let error = state.lastError {
            fields.append("failed", error + (state.lastAttempt.map { " (\(past($0)))" } ?? ""), .red)
        }
        fields.append("schedule", entry.plan.flatMap { schedule($0.configuration) })
        if entry.isOrphaned {
            fields.append("next", "never: no longer in epg.yml; delete it with epg source remove")
        } else if entry.isRefreshable {
            fields.append("next", next(entry))
            fields.append("ETag", state.entityTag)
        }
        let name = Cell(source.name, .bold).text(for: terminal)
        return "\(name)\n\(fields.text(for: terminal))"
    }

    /// The origin of the guide; the arguments of a command may be secrets, so they are left out.
    private func origin(of entry: SourceEntry) -> String {
        if let service = entry.service { return service }
        if entry.summary.source.name == Derivation.source.name { return "derived from playlists and other listings" }
        if let location = entry.summary.source.location { return GuideLocation.displayable(location) }
        return entry.command.first.map { "the command \($0)" } ?? "imported by hand"
    }

    /// The amount and the end of its listings.
    private func holdings(of summary: SourceSummary) -> String {
        if let channels = summary.channels {
            return "\(Wording.count(channels.all, "channel")), \(channels.matched) matched"
        }
        let counts = "\(Wording.count(summary.airings, "airing")) on \(Wording.count(summary.stations, "station"))"
        guard let end = summary.end else { return counts }
        return "\(counts), until \(moment.zone.fullLabel(at: end))\(end <= moment.now ? " (all airings are over)" : "")"
    }

    /// An instant and its age, without the age if it is in the future because of a wrong clock.
    private func past(_ instant: Instant) -> String {
        let label = moment.zone.fullLabel(at: instant)
        guard instant <= moment.now else { return label }
        return "\(label), \(Wording.duration(instant.seconds(to: moment.now))) ago"
    }

    /// The schedule with its jitter.
    private func schedule(_ configuration: SourceConfiguration) -> String? {
        guard let schedule = configuration.schedule, configuration.jitter > 0 else { return configuration.schedule }
        return "\(schedule), up to \(Wording.duration(configuration.jitter)) later"
    }

    /// The time of the next refresh.
    private func next(_ entry: SourceEntry) -> String {
        if let instant = entry.nextServiceRefresh { return "\(moment.zone.fullLabel(at: instant)), by epgd" }
        let nextRun = "at the next epg refresh"
        guard let instant = entry.nextRefresh, instant > moment.now else { return nextRun }
        let label = moment.zone.fullLabel(at: instant)
        return entry.isDue ? "\(nextRun), then after \(label)" : "at the first epg refresh after \(label)"
    }

    private func counts(of summary: ImportSummary, isPlaylist: Bool) -> String {
        if isPlaylist {
            return
                "\(Wording.count(summary.read, "channel")) read; \(summary.inserted) added, \(summary.removed) removed, "
                + "\(summary.changed) renamed"
        }
        let dropped = summary.dropped > 0 ? ", \(summary.dropped) dropped" : ""
        return "\(Wording.count(summary.read, "programme")) read\(dropped); \(summary.inserted) inserted, "
            + "\(summary.removed) removed, \(summary.changed) changed or moved"
            + (summary.completed > 0 ? "; \(summary.completed) completed" : "")
    }

    /// The options for reading the source, and its minimum interval.
    private func reading(of source: Source) -> String? {
        var parts: [String] = []
        if let zone = source.timeZone { parts.append("times without a time zone in \(zone)") }
        if source.shift != 0 { parts.append("times shifted by \(source.shift) s") }
        if let encoding = source.encoding { parts.append("in \(encoding)") }
        if !source.stations.isEmpty {
            parts.append("only stations matching \(source.stations.joined(separator: ", "))")
        }
        if !source.groups.isEmpty { parts.append("for channels in \(source.groups.joined(separator: ", "))") }
        if source.followsGuides { parts.append("with the guides that the playlist names") }
        if let playlist = source.playlist { parts.append("named by the playlist “\(playlist)”") }
        if source.priority == Derivation.source.priority {
            parts.append("with the lowest priority")
        } else if source.priority != 0 {
            parts.append("with priority \(source.priority)")
        }
        if !source.completes { parts.append("not completed by other sources") }
        if let interval = source.interval { parts.append("at most every \(Wording.duration(interval))") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
