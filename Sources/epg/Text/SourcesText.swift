import EPGCalendar
import EPGModel
import EPGRefresh

/// The sources, each with what stands of it and how it fared.
struct SourcesText {
    private let sources: [SourceSummary]
    private let zone: Zone

    init(_ sources: [SourceSummary], zone: Zone) {
        self.sources = sources
        self.zone = zone
    }

    func text(for terminal: Terminal) -> String {
        guard !sources.isEmpty else { return "There are no sources. Add one: epg source add NAME URL\n" }
        var text = ""
        for (index, summary) in sources.enumerated() {
            if index > 0 { text += "\n" }
            text += self.text(of: summary, terminal: terminal)
        }
        return text
    }

    private func text(of summary: SourceSummary, terminal: Terminal) -> String {
        let source = summary.source
        var fields = FieldList(indent: 2)
        // What stands before @ and after ? in an address often holds a key.
        fields.append("from", source.location.map(GuideLocation.displayable) ?? "imported by hand")
        fields.append("read", reading(of: source))
        fields.append(
            "holds",
            "\(Wording.count(summary.airings, "airing")) on \(Wording.count(summary.stations, "station"))")
        fields.append("up to date", summary.state.lastSuccess.map { zone.fullLabel(at: $0) } ?? "never")
        if let error = summary.state.lastError {
            let attempt = summary.state.lastAttempt.map { " (\(zone.fullLabel(at: $0)))" } ?? ""
            fields.append("failed", error + attempt, .red)
        }
        let name = Cell(source.name, .bold).text(for: terminal)
        return "\(name)\n\(fields.text(for: terminal))"
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
