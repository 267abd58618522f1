import XMLTV

/// Normalization of records to the form that the XMLTV project's programs write.
///
/// Trims texts, puts attributes and children in the order of the DTD, and drops names that start with `x-`, which are
/// private to their authors. Unlike those programs, it keeps elements and attributes that the DTD doesn't define: they
/// come last.
enum RecordNormalizer {
    /// Returns whether a name is private: the DTD reserves names that start with `x-` for private use.
    static func isPrivate(_ name: String) -> Bool { name.utf8.starts(with: "x-".utf8) }

    /// Returns the normalized attributes of `<tv>`.
    static func header(_ attributes: [XMLTVElement.Attribute]) -> [XMLTVElement.Attribute] {
        DTDOrder.header.sorted(normalized(attributes))
    }

    /// Returns the normalized channel, or `nil` if it has no identifier.
    static func channel(_ element: XMLTVElement, _ warn: (FilterWarning) -> Void) -> XMLTVElement? {
        var channel = element
        channel.attributes = DTDOrder.channelAttributes.sorted(normalized(element.attributes))
        guard channel[attribute: "id"] != nil else {
            warn(.missingAttribute(record: "channel", attribute: "id"))
            return nil
        }
        channel.children = children(of: element, in: DTDOrder.channel)
        return channel
    }

    /// Returns the normalized programme, or `nil` if it has no start or no channel.
    static func programme(_ element: XMLTVElement, _ warn: (FilterWarning) -> Void) -> XMLTVElement? {
        var programme = element
        programme.attributes = DTDOrder.programmeAttributes.sorted(normalized(element.attributes))
        for needed in ["start", "channel"] where programme[attribute: needed] == nil {
            warn(.missingAttribute(record: "programme", attribute: needed))
            return nil
        }
        programme.children = children(of: element, in: DTDOrder.programme)
        return programme
    }

    /// Returns the attributes that aren't private, with trimmed values.
    fileprivate static func normalized(_ attributes: [XMLTVElement.Attribute]) -> [XMLTVElement.Attribute] {
        if attributes.isEmpty { return attributes }
        return attributes.compactMap { attribute in
            isPrivate(attribute.name) ? nil : .init(attribute.name, attribute.value.normalized(keepsLines: true))
        }
    }

    /// Returns the normalized children that aren't private, in the order of the DTD.
    private static func children(of element: XMLTVElement, in order: DTDOrder) -> [XMLTVElement.Child] {
        var children: [XMLTVElement] = []
        for case .element(let child) in element.children where !isPrivate(child.name) {
            if let tidy = child.normalizedPart { children.append(tidy) }
        }
        return order.sorted(children).map { .element($0) }
    }
}

extension XMLTVElement {
    /// The element without empty `credits`, `video`, and `audio`.
    var withoutEmptyParts: XMLTVElement {
        var copy = self
        copy.children.removeAll { child in
            guard case .element(let part) = child, part.children.isEmpty else { return false }
            return part.name == "credits" || part.name == "video" || part.name == "audio"
        }
        return copy
    }
}

extension XMLTVElement {
    /// A child of a channel or programme in the form that the XMLTV project's programs write; `nil` if its mandatory
    /// text is missing.
    fileprivate var normalizedPart: XMLTVElement? {
        switch name {
        case "title", "display-name": withText(keepsLines: false)
        case "sub-title", "date", "category", "keyword", "language", "orig-language", "country":
            withText(keepsLines: false).ifNotEmpty
        case "desc", "review", "image": withText(keepsLines: true).ifNotEmpty
        case "premiere", "last-chance": withText(keepsLines: true).withoutLanguageIfEmpty
        case "credits": withParts(in: .credits) { $0.normalizedPerson }
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
        copy.attributes = RecordNormalizer.normalized(attributes)
        return copy
    }

    private var withoutContent: XMLTVElement {
        var copy = withoutPrivateAttributes
        copy.children = []
        return copy
    }

    private var ifNotEmpty: XMLTVElement? { children.isEmpty ? nil : self }

    /// Returns the element with normalized text. Mixed content is kept, except private elements.
    fileprivate func withText(keepsLines: Bool) -> XMLTVElement {
        var copy = withoutPrivateAttributes
        copy.children.removeAll { child in
            if case .element(let element) = child { RecordNormalizer.isPrivate(element.name) } else { false }
        }
        var text = ""
        for child in copy.children {
            guard case .text(let piece) = child else { return copy }
            text += piece
        }
        let tidy = text.normalized(keepsLines: keepsLines)
        copy.children = tidy.isEmpty ? [] : [.text(tidy)]
        return copy
    }

    /// Returns the element with only its child elements, in the order of the DTD.
    private func withParts(in order: DTDOrder, _ normalized: (XMLTVElement) -> XMLTVElement?) -> XMLTVElement {
        var copy = withoutPrivateAttributes
        var parts: [XMLTVElement] = []
        for case .element(let part) in children where !RecordNormalizer.isPrivate(part.name) {
            if let tidy = normalized(part) { parts.append(tidy) }
        }
        copy.children = order.sorted(parts).map { .element($0) }
        return copy
    }
}

// MARK: - Specific elements

extension XMLTVElement {
    /// A person in the credits: the first text, then images, then URLs; `nil` if there are none.
    private var normalizedPerson: XMLTVElement? {
        var copy = withoutPrivateAttributes
        copy.attributes.removeAll { $0.name == "role" && $0.value.isEmpty }
        var name = ""
        var parts: [XMLTVElement] = []
        for child in children {
            switch child {
            case .text(let text): if name.isEmpty { name = text.normalized(keepsLines: false) }
            case .element(let part):
                if !RecordNormalizer.isPrivate(part.name), let tidy = part.normalizedPart { parts.append(tidy) }
            }
        }
        copy.children = name.isEmpty ? [] : [.text(name)]
        if !parts.isEmpty {
            // White space in mixed content is written unchanged. This is the layout of the XMLTV project.
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

    /// The episode number with the DTD's default system if none is given. In `xmltv_ns`, each period gets a space on
    /// both sides.
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

    /// The length in whole hours, or else in whole minutes or seconds; unchanged if it is not a number.
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

extension Unicode.Scalar {
    /// ASCII white space: space, tab, line feed, vertical tab, form feed, carriage return.
    fileprivate var isASCIISpace: Bool { value == 0x20 || (0x09...0x0D).contains(value) }
}

extension String {
    /// Returns the text without surrounding white space and without carriage returns.
    ///
    /// - Parameter keepsLines: Whether to keep line breaks. Otherwise they are removed, and one between two words
    ///   becomes a space.
    fileprivate func normalized(keepsLines: Bool) -> String {
        // Nearly all texts are already normalized.
        if utf8.span.isNormalized(keepsLines: keepsLines) { return self }
        let bytes = Array(utf8)
        guard let first = bytes.firstIndex(where: { !$0.isSpace }), let last = bytes.lastIndex(where: { !$0.isSpace })
        else { return "" }
        let kept = bytes[first...last]
        var result: [UInt8] = []
        result.reserveCapacity(kept.count)
        var joins = false
        for byte in kept {
            if byte == 0x0D || byte == 0x0A && !keepsLines {
                joins = joins || byte == 0x0A
                continue
            }
            if joins, !byte.isSpace, result.last?.isSpace == false { result.append(0x20) }
            joins = false
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension Span<UInt8> {
    /// Returns whether the bytes neither start nor end with white space and contain no carriage returns, and no line
    /// feeds unless those are kept.
    fileprivate func isNormalized(keepsLines: Bool) -> Bool {
        guard count > 0 else { return true }
        guard !self[0].isSpace, !self[count - 1].isSpace else { return false }
        for index in 0..<count where self[index] == 0x0D || self[index] == 0x0A && !keepsLines { return false }
        return true
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self >= 0x09 && self <= 0x0D }
}
