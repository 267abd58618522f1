/// A piece of content of the feed: an element or a text.
public enum ContentNode: Hashable, Sendable {
    case element(ContentElement)
    /// A text, alone or between elements.
    case text(String)
}

/// An element of the feed, without white space around its texts.
public struct ContentElement: Hashable, Sendable {
    public var name: String
    public var attributes: [ContentAttribute]
    /// The elements and texts in order.
    public var children: [ContentNode]

    /// Creates an element, by default without attributes and children. The name and the texts are not escaped or validated.
    public init(name: String, attributes: [ContentAttribute] = [], children: [ContentNode] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The value of the first attribute with a name.
    public subscript(attribute name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The child elements in order, without the texts between them.
    public var elements: [ContentElement] { children.elements }

    /// Returns the child elements with a name, in order.
    public func elements(named name: String) -> [ContentElement] { elements.filter { $0.name == name } }

    /// The texts that are direct children, separated by blanks.
    public var text: String {
        var pieces: [String] = []
        for case .text(let piece) in children { pieces.append(piece) }
        return pieces.joined(separator: " ")
    }

    /// The concatenated texts of the element and its descendants: `Text bold`.
    package var textContent: String {
        children.reduce(into: "") { text, child in
            switch child {
            case .text(let piece): text += piece
            case .element(let element): text += element.textContent
            }
        }
    }

    /// The elements of programmes and channels whose content is text according to `xmltv.dtd`.
    private static let textNames: Set = [
        "title", "sub-title", "desc", "date", "category", "keyword", "language", "orig-language", "length", "url",
        "country", "episode-num", "premiere", "last-chance", "review", "image", "display-name",
    ]

    /// Whether `xmltv.dtd` defines the content of an element with this name as text.
    package var isTextElement: Bool { Self.textNames.contains(name) }

    /// Whether the element is a text element with child elements, such as `<title>Text <b>bold</b></title>`.
    package var isMarkedUpText: Bool { !elements.isEmpty && isTextElement }

    /// The element with its text content only; `nil` if it has none.
    fileprivate var withoutMarkup: ContentElement? {
        let text = textContent
        return text.isEmpty ? nil : ContentElement(name: name, attributes: attributes, children: [.text(text)])
    }

    /// Percent-encodes the URLs of the element and of its descendants: the URLs in `<icon>`, `<url>`, `<image>` and
    /// `<review type="url">` (``Swift/String/percentEncodedURL``).
    package mutating func encodeURLs() {
        switch name {
        case "icon":
            if let index = attributes.firstIndex(where: { $0.name == "src" }) {
                attributes[index].value = attributes[index].value.percentEncodedURL
            }
        case "url", "image",
            "review" where self[attribute: "type"] == "url":
            if children.count == 1, case .text(let url) = children[0] { children[0] = .text(url.percentEncodedURL) }
        default: break
        }
        children = children.encodingURLs
    }
}

/// An attribute of an element with resolved references.
public struct ContentAttribute: Hashable, Sendable {
    public var name: String
    public var value: String

    /// Creates an attribute. The value is plain text, without character or entity references.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension [ContentNode] {
    package var elements: [ContentElement] {
        compactMap { node in
            if case .element(let element) = node { element } else { nil }
        }
    }

    /// The nodes with their URLs percent-encoded (``ContentElement/encodeURLs()``).
    package var encodingURLs: [ContentNode] {
        map { node in
            guard case .element(var element) = node else { return node }
            element.encodeURLs()
            return .element(element)
        }
    }
}

extension Station {
    /// Creates a station from the children of a feed's element: names, icons, URLs, the number, and elements beyond the DTD.
    public init(id: StationID, nodes: [ContentNode]) {
        self.init(id: id)
        for node in nodes {
            if case .element(let element) = node, store(element) { continue }
            extras.append(node)
        }
        // Names whose text has child elements follow the plain ones.
        displayNames += extras.elements.compactMap { element in
            guard element.name == "display-name", element.isMarkedUpText else { return nil }
            return element.withoutMarkup.map { LocalizedText($0.text, language: element[attribute: "lang"]) }
        }
    }

    /// Stores an element in its property; returns `false` if it belongs to the extras.
    private mutating func store(_ element: ContentElement) -> Bool {
        switch element.name {
        case "display-name": return displayNames.store(element.localizedText)
        case "icon": return icons.store(element.icon)
        case "url": return urls.store(element.webLink)
        case "lcn":
            guard number.store(ChannelNumber(element.text)), let number else { return false }
            // A text such as `007` has more information than the number.
            return element == ContentElement(name: "lcn", children: [.text(number.description)])
        default: return false
        }
    }
}

extension Programme {
    /// Creates a programme from the nodes of a stored document.
    ///
    /// ``extras`` gets elements beyond the DTD and repetitions of elements that the DTD allows once, so that no information
    /// is lost. A text with child elements is in both: its text content in the property, and the element in ``extras``.
    public init(nodes: [ContentNode]) {
        for node in nodes {
            if case .element(let element) = node {
                if !element.isMarkedUpText {
                    if store(element) { continue }
                } else if let plain = element.withoutMarkup {
                    _ = store(plain)
                }
            }
            extras.append(node)
        }
    }

    /// Stores an element in its property; returns `false` if the property cannot represent all of its information.
    private mutating func store(_ element: ContentElement) -> Bool {
        let text = element.localizedText
        switch element.name {
        case "title": return titles.store(text)
        case "sub-title": return subtitles.store(text)
        case "desc": return descriptions.store(text)
        case "category": return categories.store(text)
        case "keyword": return keywords.store(text)
        case "country": return countries.store(text)
        case "language": return language.store(text)
        case "orig-language": return originalLanguage.store(text)
        case "premiere": return premiere.store(text)
        case "last-chance": return lastChance.store(text)
        case "date": return date.store(element.text(withAttributes: []))
        case "length": return length.store(element.length)
        case "icon": return icons.store(element.icon)
        case "url": return urls.store(element.webLink)
        case "image": return images.store(element.image)
        case "episode-num": return episodeNumbers.store(element.episodeNumber)
        case "video": return video.store(element.video)
        case "audio": return audio.store(element.audio)
        case "previously-shown": return previouslyShown.store(element.previouslyShown)
        case "subtitles": return captions.store(element.captions)
        case "rating": return ratings.store(element.rating)
        case "star-rating": return starRatings.store(element.rating)
        case "review": return reviews.store(element.review)
        case "credits":
            guard credits.isEmpty, let people = element.credits else { return false }
            credits = people
            return true
        case "new" where element.attributes.isEmpty && element.children.isEmpty && !isNew:
            isNew = true
            return true
        default: return false
        }
    }
}

extension Array {
    /// Appends a value; returns `false` if it is `nil`.
    fileprivate mutating func store(_ value: Element?) -> Bool {
        guard let value else { return false }
        append(value)
        return true
    }

    /// Returns the results of a transformation; `nil` if any of them is `nil`.
    fileprivate func allMapped<Value>(_ transform: (Element) -> Value?) -> [Value]? {
        let values = compactMap(transform)
        return values.count == count ? values : nil
    }
}

extension Optional {
    /// Sets the value if it is `nil`; returns `false` if it is not, or the new value is `nil`.
    fileprivate mutating func store(_ value: Wrapped?) -> Bool {
        guard self == nil, let value else { return false }
        self = value
        return true
    }
}

// Each value is `nil` if it cannot represent all information of the element.
extension ContentElement {
    /// The element as an icon; `nil` also if it has no URL.
    package var icon: Icon? {
        guard hasOnly(["src", "width", "height"]), children.isEmpty, let source = self[attribute: "src"] else {
            return nil
        }
        return Icon(source: source, width: self[attribute: "width"], height: self[attribute: "height"])
    }

    fileprivate var webLink: WebLink? {
        text(withAttributes: ["system"]).map { WebLink(url: $0, system: self[attribute: "system"]) }
    }

    fileprivate var localizedText: LocalizedText? {
        text(withAttributes: ["lang"]).map { LocalizedText($0, language: self[attribute: "lang"]) }
    }

    fileprivate var image: Programme.Image? {
        text(withAttributes: ["type", "size", "orient", "system"]).map { url in
            Programme.Image(
                url: url, type: self[attribute: "type"], size: self[attribute: "size"],
                orientation: self[attribute: "orient"], system: self[attribute: "system"])
        }
    }

    fileprivate var length: Programme.Length? {
        text(withAttributes: ["units"]).map { Programme.Length(value: $0, units: self[attribute: "units"]) }
    }

    fileprivate var episodeNumber: EpisodeNumber? {
        text(withAttributes: ["system"]).map { value in
            EpisodeNumber(value: value, system: self[attribute: "system"] ?? "onscreen")
        }
    }

    fileprivate var previouslyShown: Programme.PreviouslyShown? {
        guard hasOnly(["start", "channel"]), children.isEmpty else { return nil }
        return Programme.PreviouslyShown(start: self[attribute: "start"], channel: self[attribute: "channel"])
    }

    fileprivate var review: Programme.Review? {
        text(withAttributes: ["type", "source", "reviewer", "lang"]).map { content in
            Programme.Review(
                type: self[attribute: "type"], source: self[attribute: "source"],
                reviewer: self[attribute: "reviewer"], language: self[attribute: "lang"], content: content)
        }
    }

    fileprivate var video: Programme.Video? {
        texts(of: ["present", "colour", "aspect", "quality"]).map { texts in
            Programme.Video(
                present: texts["present"], colour: texts["colour"], aspect: texts["aspect"], quality: texts["quality"])
        }
    }

    fileprivate var audio: Programme.Audio? {
        texts(of: ["present", "stereo"]).map { Programme.Audio(present: $0["present"], stereo: $0["stereo"]) }
    }

    fileprivate var captions: Programme.Captions? {
        guard hasOnly(["type"]), hasOnlyElements, elements.count <= 1 else { return nil }
        guard let child = elements.first else { return Programme.Captions(type: self[attribute: "type"]) }
        guard child.name == "language", let language = child.localizedText else { return nil }
        return Programme.Captions(type: self[attribute: "type"], language: language)
    }

    fileprivate var rating: Programme.Rating? {
        guard hasOnly(["system"]), hasOnlyElements, let first = elements.first, first.name == "value",
            let value = first.text(withAttributes: []),
            let icons = Array(elements.dropFirst()).allMapped({ $0.name == "icon" ? $0.icon : nil })
        else { return nil }
        return Programme.Rating(system: self[attribute: "system"], value: value, icons: icons)
    }

    fileprivate var credits: [Programme.Credit]? {
        attributes.isEmpty && hasOnlyElements ? elements.allMapped(\.credit) : nil
    }

    private static let roles: Set = [
        "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter", "commentator", "guest",
    ]

    private var credit: Programme.Credit? {
        guard Self.roles.contains(name), hasOnly(["role", "guest"]),
            ["yes", "no", nil].contains(self[attribute: "guest"]),
            let images = elements(named: "image").allMapped(\.image),
            let urls = elements(named: "url").allMapped(\.webLink), images.count + urls.count == elements.count
        else { return nil }
        return Programme.Credit(
            role: name, name: text, character: self[attribute: "role"], isGuest: self[attribute: "guest"] == "yes",
            images: images, urls: urls)
    }

    private var hasOnlyElements: Bool { elements.count == children.count }

    /// Returns whether all attributes have one of the names, and no two have the same.
    private func hasOnly(_ names: [String]) -> Bool {
        let found = attributes.map(\.name)
        return found.allSatisfy(names.contains) && (found.count < 2 || Set(found).count == found.count)
    }

    /// Returns the text of an element without child elements and other attributes; otherwise `nil`.
    fileprivate func text(withAttributes names: [String]) -> String? {
        hasOnly(names) && elements.isEmpty ? text : nil
    }

    /// Returns the texts of unique child elements without attributes by name; otherwise `nil`.
    private func texts(of names: [String]) -> [String: String]? {
        guard attributes.isEmpty, hasOnlyElements else { return nil }
        var texts: [String: String] = [:]
        for child in elements {
            guard names.contains(child.name), texts[child.name] == nil, let text = child.text(withAttributes: [])
            else { return nil }
            texts[child.name] = text
        }
        return texts
    }
}
