extension Station {
    /// The station that a feed's element describes: names, icons, addresses, number, and whatever lies beyond the DTD.
    public init(id: StationID, nodes: [ContentNode]) {
        self.init(id: id)
        for node in nodes {
            guard case .element(let element) = node, take(element) else {
                extras.append(node)
                continue
            }
        }
        displayNames += markedUpNames
    }

    /// The names among ``extras``, whose text has child elements: they follow the plain ones in ``displayNames``.
    private var markedUpNames: [LocalizedText] {
        extras.compactMap { node in
            guard case .element(let element) = node, element.name == "display-name", element.isMarkedUpText,
                let plain = element.withoutMarkup
            else { return nil }
            return LocalizedText(plain.text, language: element[attribute: "lang"])
        }
    }

    /// What a store keeps of the station: its properties as nodes, in the order of the DTD.
    public var nodes: [ContentNode] {
        let markedUp = markedUpNames
        let plainNames =
            displayNames.suffix(markedUp.count) == markedUp[...]
            ? displayNames.dropLast(markedUp.count) : displayNames[...]
        var nodes = plainNames.map { name in
            ContentNode.element(
                ContentElement(
                    name: "display-name", attributes: [ContentAttribute].of(("lang", name.language)),
                    children: [.text(name.text)]))
        }
        nodes += icons.map { icon in
            .element(
                ContentElement(
                    name: "icon",
                    attributes: .of(("src", icon.source), ("width", icon.width), ("height", icon.height))))
        }
        nodes += urls.map { url in
            .element(
                ContentElement(
                    name: "url", attributes: .of(("system", url.system)), children: [.text(url.address)]))
        }
        if let number, numberAmongExtras != number {
            nodes.append(.element(ContentElement(name: "lcn", children: [.text(number.description)])))
        }
        return nodes + extras
    }

    /// The number that reading ``extras`` alone would give.
    private var numberAmongExtras: ChannelNumber? {
        for case .element(let element) in extras where element.name == "lcn" {
            guard let read = ChannelNumber(element.text) else { continue }
            return element == ContentElement(name: "lcn", children: [.text(read.description)]) ? nil : read
        }
        return nil
    }

    private mutating func take(_ element: ContentElement) -> Bool {
        switch element.name {
        case "display-name":
            let known = element.attributes.allSatisfy { $0.name == "lang" } && element.elements.isEmpty
            guard known else { return false }
            displayNames.append(LocalizedText(element.text, language: element[attribute: "lang"]))
            return true
        case "icon":
            guard let icon = element.icon else { return false }
            icons.append(icon)
            return true
        case "url":
            guard let url = element.webLink else { return false }
            urls.append(url)
            return true
        case "lcn":
            guard number == nil, let read = ChannelNumber(element.text) else { return false }
            number = read
            // A text that the number doesn't give back, such as `007`, stays among the extras.
            return element == ContentElement(name: "lcn", children: [.text(read.description)])
        default:
            return false
        }
    }
}

extension [ContentAttribute] {
    /// The attributes that have a value.
    fileprivate static func of(_ pairs: (name: String, value: String?)...) -> [ContentAttribute] {
        pairs.compactMap { pair in pair.value.map { ContentAttribute(name: pair.name, value: $0) } }
    }
}

extension Programme {
    /// The programme that the nodes of a stored document describe.
    ///
    /// What the DTD allows once and stands again, and whatever lies beyond the DTD, goes to ``extras`` as it is: nothing
    /// is lost. A text with child elements is in both: its text content in the property, the element in ``extras``.
    public init(nodes: [ContentNode]) {
        for node in nodes {
            if case .element(let element) = node, element.isMarkedUpText {
                if let plain = element.withoutMarkup { _ = take(plain) }
                extras.append(node)
                continue
            }
            guard case .element(let element) = node, take(element) else {
                extras.append(node)
                continue
            }
        }
    }

    /// Puts an element into its property; `false` where there is no room for all that it says.
    private mutating func take(_ element: ContentElement) -> Bool {
        let text = element.localizedText
        switch element.name {
        case "title": return titles.take(text)
        case "sub-title": return subtitles.take(text)
        case "desc": return descriptions.take(text)
        case "category": return categories.take(text)
        case "keyword": return keywords.take(text)
        case "country": return countries.take(text)
        case "language": return language.take(text)
        case "orig-language": return originalLanguage.take(text)
        case "premiere": return premiere.take(text)
        case "last-chance": return lastChance.take(text)
        case "date": return date.take(element.plainText)
        case "length": return length.take(element.length)
        case "icon": return icons.take(element.icon)
        case "url": return urls.take(element.webLink)
        case "image": return images.take(element.image)
        case "episode-num": return episodeNumbers.take(element.episodeNumber)
        case "video": return video.take(element.video)
        case "audio": return audio.take(element.audio)
        case "previously-shown": return previouslyShown.take(element.previouslyShown)
        case "subtitles": return captions.take(element.captions)
        case "rating": return ratings.take(element.rating)
        case "star-rating": return starRatings.take(element.rating)
        case "review": return reviews.take(element.review)
        case "credits": return takeCredits(element)
        case "new" where element.attributes.isEmpty && element.children.isEmpty && !isNew:
            isNew = true
            return true
        default: return false
        }
    }

    private mutating func takeCredits(_ element: ContentElement) -> Bool {
        guard credits.isEmpty, element.attributes.isEmpty, element.hasOnlyElements else { return false }
        let people = element.elements.map(\.credit)
        guard people.allSatisfy({ $0 != nil }) else { return false }
        credits = people.compactMap { $0 }
        return true
    }
}

extension Array {
    /// Appends what could be read; `false` where nothing could.
    fileprivate mutating func take(_ value: Element?) -> Bool {
        guard let value else { return false }
        append(value)
        return true
    }
}

extension Optional {
    /// Fills an empty place; `false` where it is taken already or nothing could be read.
    fileprivate mutating func take(_ value: Wrapped?) -> Bool {
        guard self == nil, let value else { return false }
        self = value
        return true
    }
}

extension ContentElement {
    private func hasOnly(_ names: String...) -> Bool {
        attributes.allSatisfy { names.contains($0.name) } && Set(attributes.map(\.name)).count == attributes.count
    }

    fileprivate var hasOnlyElements: Bool { elements.count == children.count }

    /// The text of an element that holds nothing else; `nil` for one with child elements.
    private var wholeText: String? { elements.isEmpty ? text : nil }

    fileprivate var plainText: String? { attributes.isEmpty ? wholeText : nil }

    fileprivate var localizedText: LocalizedText? {
        guard hasOnly("lang"), let text = wholeText else { return nil }
        return LocalizedText(text, language: self[attribute: "lang"])
    }

    /// The element as an icon; `nil` where it has no address, or says more than an icon can.
    package var icon: Icon? {
        guard hasOnly("src", "width", "height"), children.isEmpty, let source = self[attribute: "src"] else {
            return nil
        }
        return Icon(source: source, width: self[attribute: "width"], height: self[attribute: "height"])
    }

    /// The element as a link; `nil` where it says more than a link can.
    package var webLink: WebLink? {
        guard hasOnly("system"), let text = wholeText else { return nil }
        return WebLink(address: text, system: self[attribute: "system"])
    }

    fileprivate var image: Programme.Image? {
        guard hasOnly("type", "size", "orient", "system"), let text = wholeText else { return nil }
        return Programme.Image(
            address: text, type: self[attribute: "type"], size: self[attribute: "size"],
            orientation: self[attribute: "orient"], system: self[attribute: "system"])
    }

    fileprivate var length: Programme.Length? {
        guard hasOnly("units"), let text = wholeText else { return nil }
        return Programme.Length(value: text, units: self[attribute: "units"])
    }

    fileprivate var episodeNumber: EpisodeNumber? {
        guard hasOnly("system"), let text = wholeText else { return nil }
        return EpisodeNumber(value: text, system: self[attribute: "system"] ?? "onscreen")
    }

    fileprivate var previouslyShown: Programme.PreviouslyShown? {
        guard hasOnly("start", "channel"), children.isEmpty else { return nil }
        return Programme.PreviouslyShown(start: self[attribute: "start"], channel: self[attribute: "channel"])
    }

    fileprivate var review: Programme.Review? {
        guard hasOnly("type", "source", "reviewer", "lang"), let text = wholeText else { return nil }
        return Programme.Review(
            type: self[attribute: "type"], source: self[attribute: "source"], reviewer: self[attribute: "reviewer"],
            language: self[attribute: "lang"], content: text)
    }

    fileprivate var video: Programme.Video? {
        guard let texts = texts(of: "present", "colour", "aspect", "quality") else { return nil }
        return Programme.Video(
            present: texts["present"], colour: texts["colour"], aspect: texts["aspect"], quality: texts["quality"])
    }

    fileprivate var audio: Programme.Audio? {
        guard let texts = texts(of: "present", "stereo") else { return nil }
        return Programme.Audio(present: texts["present"], stereo: texts["stereo"])
    }

    fileprivate var captions: Programme.Captions? {
        guard hasOnly("type"), hasOnlyElements, elements.count <= 1 else { return nil }
        guard let child = elements.first else { return Programme.Captions(type: self[attribute: "type"]) }
        guard child.name == "language", let language = child.localizedText else { return nil }
        return Programme.Captions(type: self[attribute: "type"], language: language)
    }

    fileprivate var rating: Programme.Rating? {
        guard hasOnly("system"), hasOnlyElements, let first = elements.first, first.name == "value",
            let value = first.plainText
        else { return nil }
        let icons = elements.dropFirst().map { $0.name == "icon" ? $0.icon : nil }
        guard icons.allSatisfy({ $0 != nil }) else { return nil }
        return Programme.Rating(system: self[attribute: "system"], value: value, icons: icons.compactMap { $0 })
    }

    fileprivate var credit: Programme.Credit? {
        let roles: Set = [
            "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter", "commentator",
            "guest",
        ]
        guard roles.contains(name), hasOnly("role", "guest"), ["yes", "no", nil].contains(self[attribute: "guest"])
        else { return nil }
        let images = elements(named: "image").map(\.image)
        let urls = elements(named: "url").map(\.webLink)
        guard images.count + urls.count == elements.count, images.allSatisfy({ $0 != nil }),
            urls.allSatisfy({ $0 != nil })
        else { return nil }
        return Programme.Credit(
            role: name, name: text, character: self[attribute: "role"], isGuest: self[attribute: "guest"] == "yes",
            images: images.compactMap { $0 }, urls: urls.compactMap { $0 })
    }

    /// The texts of child elements, each of which stands at most once and has no attributes.
    private func texts(of names: String...) -> [String: String]? {
        guard attributes.isEmpty, hasOnlyElements else { return nil }
        var texts: [String: String] = [:]
        for child in elements {
            guard names.contains(child.name), texts[child.name] == nil, let text = child.plainText else { return nil }
            texts[child.name] = text
        }
        return texts
    }
}
