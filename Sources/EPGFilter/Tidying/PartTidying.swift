import XMLTV

extension XMLTVElement {
    /// A child of a channel or programme in the form that the XMLTV project's programs write; `nil` where it has to hold
    /// a text and holds none.
    var tidiedPart: XMLTVElement? {
        switch name {
        case "title", "display-name": withText(keepsLines: false)
        case "sub-title", "date", "category", "keyword", "language", "orig-language", "country":
            withText(keepsLines: false).ifNotEmpty
        case "desc", "review", "image": withText(keepsLines: true).ifNotEmpty
        case "premiere", "last-chance": withText(keepsLines: true).withoutLanguageIfEmpty
        case "credits": withParts(in: .credits) { $0.tidiedPerson }
        case "length": withText(keepsLines: false).inLargestUnit.ifNotEmpty
        case "icon", "previously-shown": withoutContent
        case "new": XMLTVElement("new")
        case "url": withText(keepsLines: false).withoutEmptySystem.ifNotEmpty
        case "episode-num": withText(keepsLines: false).asEpisodeNumber.ifNotEmpty
        case "video": withParts(in: .video) { $0.withText(keepsLines: false).ifNotEmpty }
        case "audio": withParts(in: .audio) { $0.withText(keepsLines: false).ifNotEmpty }
        case "subtitles": withParts(in: .audio) { $0.withText(keepsLines: false).ifNotEmpty }
        case "rating", "star-rating":
            withParts(in: .rating) { $0.name == "icon" ? $0.withoutContent : $0.withText(keepsLines: false).ifNotEmpty }
        default: withoutPrivateAttributes
        }
    }

    private var withoutPrivateAttributes: XMLTVElement {
        var copy = self
        copy.attributes = RecordTidying.tidied(attributes)
        return copy
    }

    private var withoutContent: XMLTVElement {
        var copy = withoutPrivateAttributes
        copy.children = []
        return copy
    }

    private var ifNotEmpty: XMLTVElement? { children.isEmpty ? nil : self }

    /// The element with its text tidied; one that holds elements, too, keeps its content but for private elements.
    fileprivate func withText(keepsLines: Bool) -> XMLTVElement {
        var copy = withoutPrivateAttributes
        copy.children.removeAll { child in
            if case .element(let element) = child { RecordTidying.isPrivate(element.name) } else { false }
        }
        var text = ""
        for child in copy.children {
            guard case .text(let piece) = child else { return copy }
            text += piece
        }
        let tidy = text.tidied(keepsLines: keepsLines)
        copy.children = tidy.isEmpty ? [] : [.text(tidy)]
        return copy
    }

    /// The element with nothing but elements in it, in the order of the DTD.
    private func withParts(in order: DTDOrder, _ tidied: (XMLTVElement) -> XMLTVElement?) -> XMLTVElement {
        var copy = withoutPrivateAttributes
        var parts: [XMLTVElement] = []
        for case .element(let part) in children where !RecordTidying.isPrivate(part.name) {
            if let tidy = tidied(part) { parts.append(tidy) }
        }
        copy.children = order.sorted(parts).map { .element($0) }
        return copy
    }
}

// MARK: - Single elements

extension XMLTVElement {
    /// A person of the credits: the first text, then images, then addresses; `nil` where there is nothing.
    private var tidiedPerson: XMLTVElement? {
        var copy = withoutPrivateAttributes
        copy.attributes.removeAll { $0.name == "role" && $0.value.isEmpty }
        var name = ""
        var parts: [XMLTVElement] = []
        for child in children {
            switch child {
            case .text(let text): if name.isEmpty { name = text.tidied(keepsLines: false) }
            case .element(let part):
                if !RecordTidying.isPrivate(part.name), let tidy = part.tidiedPart { parts.append(tidy) }
            }
        }
        copy.children = name.isEmpty ? [] : [.text(name)]
        if !parts.isEmpty {
            // White space in a mixed content is written as it stands; this is how the XMLTV project lays it out.
            for part in DTDOrder.person.sorted(parts) {
                copy.children += [.text("\n        "), .element(part)]
            }
            copy.children.append(.text("\n      "))
        }
        return copy.children.isEmpty ? nil : copy
    }

    private var withoutLanguageIfEmpty: XMLTVElement {
        var copy = self
        if children.isEmpty { copy.attributes.removeAll { $0.name == "lang" } }
        return copy
    }

    private var withoutEmptySystem: XMLTVElement {
        var copy = self
        copy.attributes.removeAll { $0.name == "system" && $0.value.isEmpty }
        return copy
    }

    /// With the system that the DTD takes where none is said; in `xmltv_ns` a blank stands on both sides of each dot.
    private var asEpisodeNumber: XMLTVElement {
        var copy = self
        guard let system = self[attribute: "system"] else {
            copy.attributes.insert(.init("system", "onscreen"), at: 0)
            return copy
        }
        guard system == "xmltv_ns", case .text(let text)? = children.first, children.count == 1 else { return copy }
        var spaced = ""
        for scalar in text.unicodeScalars where !scalar.isASCIISpace {
            if scalar == "." { spaced += " . " } else { spaced.unicodeScalars.append(scalar) }
        }
        copy.children = [.text(spaced)]
        return copy
    }

    /// A length in hours where it is whole hours, else in minutes or seconds; as it was where it is no number.
    private var inLargestUnit: XMLTVElement {
        guard case .text(let text)? = children.first, children.count == 1, let number = Int(text), number >= 0,
            text.utf8.allSatisfy({ $0 &- 0x30 < 10 })
        else { return self }
        let factor: Int
        switch self[attribute: "units"] {
        case "seconds": factor = 1
        case "minutes": factor = 60
        case "hours": factor = 3600
        default: return self
        }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: factor)
        guard !overflow else { return self }
        let (unit, size) =
            seconds % 3600 == 0 ? ("hours", 3600) : seconds % 60 == 0 ? ("minutes", 60) : ("seconds", 1)
        var copy = self
        copy.attributes = attributes.map { $0.name == "units" ? .init("units", unit) : $0 }
        copy.children = [.text(String(seconds / size))]
        return copy
    }
}
