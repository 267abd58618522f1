package import EPGModel

extension Programme {
    /// Everything that is known of it but its first title, sub-title and description, in the order of the DTD.
    package var fields: FieldList {
        var fields = FieldList()
        for title in titles.dropFirst() { fields.append("also titled", title.labelled) }
        for subtitle in subtitles.dropFirst() { fields.append("also", subtitle.labelled) }
        for description in descriptions.dropFirst() { fields.append("described", description.labelled) }
        for (role, credits) in creditsByRole { fields.append(role, list: credits.map(\.label)) }
        fields.append("date", date)
        fields.append("categories", list: categories.map(\.labelled))
        fields.append("keywords", list: keywords.map(\.labelled))
        fields.append("language", language?.labelled)
        fields.append("original", originalLanguage?.labelled)
        fields.append(
            "length", length.map { $0.seconds.map { Wording.duration($0) } ?? "\($0.value) \($0.units ?? "")" })
        for icon in icons { fields.append("icon", icon.label) }
        for link in urls { fields.append("web", link.label) }
        fields.append("countries", list: countries.map(\.labelled))
        for number in episodeNumbers { fields.append("episode", number.label) }
        addTechnique(to: &fields)
        addStanding(to: &fields)
        for rating in ratings { fields.append("rating", rating.label) }
        for rating in starRatings { fields.append("stars", rating.label) }
        for review in reviews { fields.append("review", review.label) }
        for image in images { fields.append(image.type ?? "image", image.label) }
        for extra in extras { fields.append("more", extra.label(depth: 0)) }
        return fields
    }

    /// The credits of each role, in the order in which the roles first stand.
    private var creditsByRole: [(role: String, credits: [Credit])] {
        var roles: [String] = []
        var byRole: [String: [Credit]] = [:]
        for credit in credits {
            if byRole[credit.role] == nil { roles.append(credit.role) }
            byRole[credit.role, default: []].append(credit)
        }
        return roles.map { ($0, byRole[$0] ?? []) }
    }

    private func addTechnique(to fields: inout FieldList) {
        if let video {
            let colour = video.colour.map { $0 == "no" ? "black and white" : $0 == "yes" ? "colour" : $0 }
            let picture = video.present == "no" ? "none" : nil
            fields.append("picture", list: [picture, colour, video.aspect, video.quality].compactMap { $0 })
        }
        if let audio {
            fields.append("sound", list: [audio.present == "no" ? "none" : nil, audio.stereo].compactMap { $0 })
        }
        for caption in captions {
            let type = caption.type ?? "yes"
            fields.append("subtitles", type + (caption.language.map { " (\($0.labelled))" } ?? ""))
        }
    }

    private func addStanding(to fields: inout FieldList) {
        if let previouslyShown {
            let details = [previouslyShown.start, previouslyShown.channel].compactMap { $0 }
            fields.append("shown before", details.isEmpty ? "yes" : details.joined(separator: ", "))
        }
        if let premiere { fields.append("premiere", premiere.text.isEmpty ? "yes" : premiere.labelled) }
        if let lastChance { fields.append("last chance", lastChance.text.isEmpty ? "yes" : lastChance.labelled) }
        if isNew { fields.append("new", "yes") }
    }
}

// MARK: - Words for parts

extension LocalizedText {
    /// The text, with its language where the feed says one.
    fileprivate var labelled: String { language.map { "\(text) (\($0))" } ?? text }
}

extension Programme.Credit {
    /// `Ruth Okonjo (DI Carrow, guest)`, with the addresses that belong to it.
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
    fileprivate var label: String { system.map { "\(address) (\($0))" } ?? address }
}

extension EpisodeNumber {
    /// What people say, then what the feed writes.
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
        return address + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
}

extension ContentNode {
    /// An element as `name attribute="value": content`; nothing of what is nested deeper than eight elements.
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
