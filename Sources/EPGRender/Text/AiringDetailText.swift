package import EPGCalendar
package import EPGModel

/// All details of an airing as text for a terminal.
package struct AiringDetailText {
    private let detail: AiringDetail
    private let clock: GuideClock
    private let facts: ProgrammeFacts

    /// Creates the text of the details.
    ///
    /// - Parameter alternatives: Other channels that show the same; none by default.
    package init(_ detail: AiringDetail, clock: GuideClock, alternatives: [String] = []) {
        self.detail = detail
        self.clock = clock
        facts = ProgrammeFacts(detail, clock: clock, alternatives: alternatives)
    }

    /// Returns heading, time, description, fields and origin.
    package func text(for terminal: Terminal) -> String {
        var text = heading(for: terminal) + "\n" + time.text(for: terminal)
        if let description { text += "\n" + Paragraph.text(of: description, indent: 0, terminal: terminal) }
        let fields = fields(facts.of(.text, .credit, .category, .fact, .link, .other))
        if !fields.isEmpty { text += "\n" + fields.text(for: terminal) }
        return text + "\n" + origin.text(for: terminal)
    }

    /// Returns the title and the subtitle.
    package func heading(for terminal: Terminal) -> String {
        Paragraph.text(of: AiringText(detail.airing).title, indent: 0, terminal: terminal, style: .bold)
            + (detail.airing.subtitle.map { Paragraph.text(of: $0, indent: 0, terminal: terminal) } ?? "")
    }

    /// The first description.
    package var description: String? { detail.programme.descriptions.first?.text }

    /// The station, the time, and how the guide repaired it.
    package var time: FieldList {
        let airing = detail.airing
        var times = AiringText(airing).times(clock)
        // A time that occurs twice that day already includes its zone.
        let abbreviation = clock.zone.offset(at: airing.window.start).abbreviation
        if !times.contains(abbreviation) { times += " " + abbreviation }
        var fields = FieldList()
        fields.append("station", "\(detail.stationName) (\(airing.station))")
        fields.append(
            "time",
            "\(clock.zone.dayLabel(at: airing.window.start)), \(times) (\(Wording.duration(airing.window.seconds)))")
        append(facts.of(.repair), to: &fields)
        return fields
    }

    /// The facts except for categories and marks, which tags show.
    package var untaggedFields: FieldList {
        let tags = [PageTexts.english("factKeywords"), PageTexts.english("factNew")]
        return fields(facts.of(.text, .credit, .fact, .link, .other).filter { !tags.contains($0.name) })
    }

    /// The attributes of the transmission and the source.
    package var origin: FieldList {
        var fields = fields(facts.of(.source))
        fields.append("airing", "#\(detail.airing.id)")
        return fields
    }

    private func fields(_ facts: [ProgrammeFacts.Fact]) -> FieldList {
        var fields = FieldList()
        append(facts, to: &fields)
        return fields
    }

    private func append(_ facts: [ProgrammeFacts.Fact], to fields: inout FieldList) {
        for fact in facts { fields.append(fact.name.prefix(1).lowercased() + fact.name.dropFirst(), fact.fullText) }
    }
}
