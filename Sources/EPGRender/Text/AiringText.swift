package import EPGCalendar
package import EPGModel

/// All details of an airing as text for a terminal.
package struct AiringText {
    private let detail: AiringDetail
    private let zone: Zone

    package init(_ detail: AiringDetail, zone: Zone) {
        self.detail = detail
        self.zone = zone
    }

    /// Returns heading, time, description, fields and origin.
    package func text(for terminal: Terminal) -> String {
        var text = heading(for: terminal) + "\n" + time.text(for: terminal)
        if let description { text += "\n" + Paragraph.text(of: description, indent: 0, terminal: terminal) }
        let fields = detail.programme.fields
        if !fields.isEmpty { text += "\n" + fields.text(for: terminal) }
        return text + "\n" + origin.text(for: terminal)
    }

    /// Returns the title and the subtitle.
    package func heading(for terminal: Terminal) -> String {
        Paragraph.text(of: detail.airing.shownTitle, indent: 0, terminal: terminal, style: .bold)
            + (detail.airing.subtitle.map { Paragraph.text(of: $0, indent: 0, terminal: terminal) } ?? "")
    }

    /// The first description.
    package var description: String? { detail.programme.descriptions.first?.text }

    /// The station and the time.
    package var time: FieldList {
        let airing = detail.airing
        var fields = FieldList()
        fields.append("station", "\(detail.stationName) (\(airing.station))")
        var range = zone.rangeLabel(of: airing)
        // A time that occurs twice that day already includes its zone.
        if !range.contains(where: \.isLetter) { range += " " + zone.offset(at: airing.window.start).abbreviation }
        fields.append(
            "time",
            "\(zone.dayLabel(at: airing.window.start)), \(range) (\(Wording.duration(airing.window.seconds)))")
        if let derived = detail.programme.derivedText { fields.append("derived", derived) }
        if airing.isStopInferred { fields.append("stop", "inferred: the feed has no valid stop") }
        if let clump = airing.clump {
            fields.append("shares", "its time with others: part \(clump.index + 1) of \(clump.count)")
        }
        if airing.isContinuation { fields.append("continues", "after an airing within its published time") }
        if airing.isCut { fields.append("cut", "a source with higher priority covers the rest of its time") }
        if let published = airing.published {
            let stop = published.stop.map { zone.fullLabel(at: $0) } ?? "no stop"
            fields.append("published", "\(zone.fullLabel(at: published.start)) – \(stop)")
        }
        return fields
    }

    /// The attributes of the transmission and the source.
    package var origin: FieldList {
        var fields = FieldList()
        for attribute in detail.transmission { fields.append(attribute.name, attribute.value) }
        fields.append(
            "source", detail.source + (detail.isShown ? "" : "; the guide shows a source with higher priority instead"))
        fields.append("airing", "#\(detail.airing.id)")
        return fields
    }
}

extension Programme {
    /// All properties except the first title, subtitle and description, in the order of the DTD.
    package var fields: FieldList {
        var fields = FieldList()
        for title in titles.dropFirst() { fields.append("also titled", title.labeled) }
        for subtitle in subtitles.dropFirst() { fields.append("also", subtitle.labeled) }
        for description in descriptions.dropFirst() { fields.append("described", description.labeled) }
        for (role, credits) in creditsByRole { fields.append(role, list: credits.map(\.label)) }
        fields.append("date", date)
        fields.append("categories", list: categories.map(\.labeled))
        fields.append("keywords", list: keywords.map(\.labeled))
        fields.append("language", language?.labeled)
        fields.append("original", originalLanguage?.labeled)
        fields.append(
            "length", length.map { $0.seconds.map { Wording.duration($0) } ?? "\($0.value) \($0.units ?? "")" })
        for icon in icons { fields.append("icon", icon.label) }
        for link in urls { fields.append("web", link.label) }
        fields.append("countries", list: countries.map(\.labeled))
        for number in episodeNumbers { fields.append("episode", number.label) }
        addVideoAndAudio(to: &fields)
        addHistory(to: &fields)
        for rating in ratings { fields.append("rating", rating.label) }
        for rating in shownStarRatings { fields.append("stars", rating.label) }
        for review in reviews { fields.append("review", review.label) }
        for image in images { fields.append(image.type ?? "image", image.label) }
        for extra in extras where extra != derivedNode { fields.append("more", extra.label(depth: 0)) }
        return fields
    }

    /// The credits of each role, in the order in which roles first occur.
    private var creditsByRole: [(role: String, credits: [Credit])] {
        var roles: [String] = []
        var byRole: [String: [Credit]] = [:]
        for credit in credits {
            if byRole[credit.role] == nil { roles.append(credit.role) }
            byRole[credit.role, default: []].append(credit)
        }
        return roles.map { ($0, byRole[$0] ?? []) }
    }

    private func addVideoAndAudio(to fields: inout FieldList) {
        if let video {
            let color = video.colour.map { $0 == "no" ? "black and white" : $0 == "yes" ? "color" : $0 }
            let picture = video.present == "no" ? "none" : nil
            fields.append("picture", list: [picture, color, video.aspect, video.quality].compactMap { $0 })
        }
        if let audio {
            fields.append("sound", list: [audio.present == "no" ? "none" : nil, audio.stereo].compactMap { $0 })
        }
        for caption in captions {
            let type = caption.type ?? "yes"
            fields.append("subtitles", type + (caption.language.map { " (\($0.labeled))" } ?? ""))
        }
    }

    private func addHistory(to fields: inout FieldList) {
        if let previouslyShown {
            let details = [previouslyShown.start, previouslyShown.channel].compactMap { $0 }
            fields.append("shown before", details.isEmpty ? "yes" : details.joined(separator: ", "))
        }
        if let premiere { fields.append("premiere", premiere.text.isEmpty ? "yes" : premiere.labeled) }
        if let lastChance { fields.append("last chance", lastChance.text.isEmpty ? "yes" : lastChance.labeled) }
        if isNew { fields.append("new", "yes") }
    }
}

// MARK: - Labels

extension LocalizedText {
    /// The text with its language if known.
    fileprivate var labeled: String { language.map { "\(text) (\($0))" } ?? text }
}

extension Programme.Credit {
    /// A label such as `Ruth Okonjo (DI Carrow, guest)` with the credit's URLs.
    fileprivate var label: String {
        let notes = [character, isGuest ? "guest" : nil].compactMap { $0 }
        let links = urls.map(\.label) + images.map(\.label)
        return ([name + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")] + links).joined(separator: " ")
    }
}

extension Icon {
    fileprivate var label: String {
        guard let width, let height else { return source }
        return "\(source) (\(width)×\(height))"
    }
}

extension WebLink {
    fileprivate var label: String { system.map { "\(url) (\($0))" } ?? url }
}

extension EpisodeNumber {
    /// The readable label with the feed's notation in parentheses, or the latter alone.
    fileprivate var label: String { (position?.label).map { "\($0) (\(system) \(value))" } ?? "\(value) (\(system))" }
}

extension Programme.Rating {
    fileprivate var label: String {
        ((system.map { "\(value) (\($0))" } ?? value) + icons.map { " \($0.source)" }.joined())
    }
}

extension Programme.Review {
    fileprivate var label: String {
        let notes = [reviewer, source, language].compactMap { $0 }
        return content + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}

extension Programme.Image {
    fileprivate var label: String {
        let notes = [size.map { "size \($0)" }, orientation, system].compactMap { $0 }
        return url + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}

extension ContentNode {
    /// Returns an element as `name attribute="value": content`, without content nested deeper than eight levels.
    fileprivate func label(depth: Int) -> String {
        switch self {
        case .text(let text): return text
        case .element(let element):
            let attributes = element.attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
            guard depth < 8 else { return element.name + attributes }
            let children = element.children.map { $0.label(depth: depth + 1) }.filter { !$0.isEmpty }
            return element.name + attributes + (children.isEmpty ? "" : ": " + children.joined(separator: ", "))
        }
    }
}

extension Programme {
    /// The origin of a programme that no feed lists; `nil` for any other.
    package var derivedText: String? {
        guard case .element(let element) = derivedNode else { return nil }
        return switch Derivation(rawValue: element.text) {
        case .shift: "from the listings of another station, at other times"
        case .channelName: "from the name of the channel"
        case .placeholder: "from a template, because no feed has listings"
        case nil: "not listed by a feed"
        }
    }

    /// The element `<derived>`.
    fileprivate var derivedNode: ContentNode? { extras.elements.first { $0.name == "derived" }.map { .element($0) } }
}
