import EPGModel
import EPGRefresh
import EPGRender

/// The sources, each with what stands of it and how it fared.
struct SourcesText {
    private let entries: [SourceEntry]
    private let moment: Moment

    init(_ entries: [SourceEntry], moment: Moment) {
        self.entries = entries
        self.moment = moment
    }

    func text(for terminal: Terminal) -> String {
        guard !entries.isEmpty else { return "There are no sources. Add one: epg source add NAME URL\n" }
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
        // What stands before @ and after ? in an address often holds a key.
        fields.append("from", place(of: entry))
        fields.append("read", reading(of: source))
        fields.append("holds", holdings(of: entry.summary))
        fields.append("up to date", state.lastSuccess.map(past) ?? "never")
        if let last = entry.summary.lastImport { fields.append("imported", "\(past(last.at)): \(counts(of: last))") }
        if let error = state.lastError {
            fields.append("failed", error + (state.lastAttempt.map { " (\(past($0)))" } ?? ""), .red)
        }
        fields.append("asked", entry.order.flatMap { asked($0.configuration) })
        if entry.isForgotten {
            fields.append("next", "never: epg.yml names it no more; epg source remove takes it away")
        } else if entry.isAsked {
            fields.append("next", next(entry))
            fields.append("tag", state.entityTag)
        }
        let name = Cell(source.name, .bold).text(for: terminal)
        return "\(name)\n\(fields.text(for: terminal))"
    }

    /// Where its guide comes from; the arguments of a program may be secrets.
    private func place(of entry: SourceEntry) -> String {
        if let service = entry.service { return service }
        if let location = entry.summary.source.location { return GuideLocation.displayable(location) }
        return entry.command.first.map { "the program \($0)" } ?? "imported by hand"
    }

    /// How much there is of it, and how far it reaches.
    private func holdings(of summary: SourceSummary) -> String {
        let counts = "\(Wording.count(summary.airings, "airing")) on \(Wording.count(summary.stations, "station"))"
        guard let end = summary.end else { return counts }
        return "\(counts), until \(moment.zone.fullLabel(at: end))\(end <= moment.now ? ": all of it is over" : "")"
    }

    /// An instant and how long ago it was; one that a wrong clock noted has no age.
    private func past(_ instant: Instant) -> String {
        let label = moment.zone.fullLabel(at: instant)
        guard instant <= moment.now else { return label }
        return "\(label), \(Wording.duration(instant.seconds(to: moment.now))) ago"
    }

    /// By which timetable it is asked.
    private func asked(_ configuration: SourceConfiguration) -> String? {
        guard let schedule = configuration.schedule, configuration.jitter > 0 else { return configuration.schedule }
        return "\(schedule), up to \(Wording.duration(configuration.jitter)) later"
    }

    /// From when on the source is asked.
    private func next(_ entry: SourceEntry) -> String {
        if let instant = entry.nextServiceRefresh { return "\(moment.zone.fullLabel(at: instant)), by epgd" }
        let atOnce = "at the next epg refresh"
        guard let instant = entry.nextRefresh, instant > moment.now else { return atOnce }
        let label = moment.zone.fullLabel(at: instant)
        return entry.isDue ? "\(atOnce), then from \(label) on" : "at an epg refresh from \(label) on"
    }

    private func counts(of summary: ImportSummary) -> String {
        let dropped = summary.dropped > 0 ? ", \(summary.dropped) dropped" : ""
        return "\(Wording.count(summary.read, "programme")) read\(dropped); \(summary.inserted) inserted, "
            + "\(summary.removed) removed, \(summary.changed) changed or moved"
    }

    /// What the source's times need, and how often it is asked.
    private func reading(of source: Source) -> String? {
        var words: [String] = []
        if let zone = source.timeZone { words.append("times without a zone in \(zone)") }
        if source.shift != 0 { words.append("times shifted by \(source.shift) s") }
        if let encoding = source.encoding { words.append("in \(encoding)") }
        if !source.stations.isEmpty { words.append("only stations like \(source.stations.joined(separator: ", "))") }
        if source.priority != 0 { words.append("with priority \(source.priority)") }
        if let interval = source.interval { words.append("every \(Wording.duration(interval))") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
