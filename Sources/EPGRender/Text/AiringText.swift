package import EPGCalendar
package import EPGModel

/// Everything that is known of an airing, for reading.
package struct AiringText {
    private let detail: AiringDetail
    private let zone: Zone

    package init(_ detail: AiringDetail, zone: Zone) {
        self.detail = detail
        self.zone = zone
    }

    package func text(for terminal: Terminal) -> String {
        var text = heading(for: terminal) + "\n" + time.text(for: terminal)
        if let description { text += "\n" + Paragraph.text(of: description, indent: 0, terminal: terminal) }
        let fields = detail.programme.fields
        if !fields.isEmpty { text += "\n" + fields.text(for: terminal) }
        return text + "\n" + origin.text(for: terminal)
    }

    /// The title and the sub-title.
    package func heading(for terminal: Terminal) -> String {
        Paragraph.text(of: detail.airing.title, indent: 0, terminal: terminal, ink: .bold)
            + (detail.airing.subtitle.map { Paragraph.text(of: $0, indent: 0, terminal: terminal) } ?? "")
    }

    /// The first description.
    package var description: String? { detail.programme.descriptions.first?.text }

    /// When and where.
    package var time: FieldList {
        let airing = detail.airing
        var fields = FieldList()
        fields.append("station", "\(detail.stationName) (\(airing.station))")
        var range = zone.rangeLabel(of: airing)
        // A time that occurs twice on that day includes its zone already.
        if !range.contains(where: \.isLetter) { range += " " + zone.offset(at: airing.window.start).abbreviation }
        fields.append(
            "time",
            "\(zone.dayLabel(at: airing.window.start)), \(range) (\(Wording.duration(airing.window.seconds)))")
        if airing.isStopInferred { fields.append("stop", "inferred: the feed gives none that can be used") }
        if let clump = airing.clump {
            fields.append("shares", "its time with others: part \(clump.index + 1) of \(clump.count)")
        }
        if airing.isCut { fields.append("cut", "for a better source, which speaks for the rest of its time") }
        if let published = airing.published {
            let stop = published.stop.map { zone.fullLabel(at: $0) } ?? "no stop"
            fields.append("published", "\(zone.fullLabel(at: published.start)) – \(stop)")
        }
        return fields
    }

    /// Where it was read, and what the feed says of this transmission alone.
    package var origin: FieldList {
        var fields = FieldList()
        for attribute in detail.transmission { fields.append(attribute.name, attribute.value) }
        fields.append(
            "source", detail.source + (detail.isShown ? "" : "; the guide shows a better source at that time"))
        fields.append("airing", "#\(detail.airing.id)")
        return fields
    }
}
