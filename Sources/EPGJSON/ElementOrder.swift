package import EPGModel

/// The canonical order of elements and attributes: the order of `xmltv.dtd`, then other names by their UTF-8 bytes.
///
/// The order in which a feed writes elements of different names says nothing. In canonical order, two feeds that say the same
/// have equal documents, and XMLTV that is written from a document is valid.
package enum ElementOrder {
    /// The rank of names that are not in the lists: behind all others.
    package static let unknown = UInt8.max

    /// Element names in the order of the DTD, without regard to their parents, then those that feeds often add.
    ///
    /// Two names are in front, because they precede `<icon>` in their parents: a channel's name and a rating's value.
    private static let elements: [StaticString] = [
        "display-name", "value",
        "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length",
        "icon", "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance", "new",
        "subtitles", "rating", "star-rating", "review", "image", "present", "colour", "aspect", "quality",
        "stereo", "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter",
        "commentator", "guest", "lcn", "season", "episode", "series-desc", "live", "summary",
        "audio-described",
    ]

    /// Attribute names in the order in which documents list them.
    private static let attributes: [StaticString] = [
        "lang", "src", "width", "height", "system", "units", "type", "start", "channel", "role", "guest", "size",
        "orient", "source", "reviewer", "pdc-start", "vps-start", "showview", "videoplus", "clumpidx", "catchup-id",
    ]

    private static let elementRanks = ranks(elements)
    private static let attributeRanks = ranks(attributes)

    private static func ranks(_ names: [StaticString]) -> [String: UInt8] {
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ("\($0.element)", UInt8($0.offset)) })
    }

    /// Returns the rank of an element among its siblings; ``unknown`` for a name that is not in the list.
    package static func rank(ofElement name: String) -> UInt8 { elementRanks[name] ?? unknown }

    /// Returns the rank of an attribute in its element; ``unknown`` for a name that is not in the list.
    package static func rank(ofAttribute name: String) -> UInt8 { attributeRanks[name] ?? unknown }

    fileprivate static func precedes(_ left: (rank: UInt8, name: String), _ right: (rank: UInt8, name: String)) -> Bool
    {
        guard left.rank == unknown, right.rank == unknown else { return left.rank < right.rank }
        return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

extension [ContentNode] {
    /// The same content in canonical order: one text, then the elements, those of one name in the feed's order.
    ///
    /// All order stays in an element that holds texts and elements, and in one whose content is a text by the DTD.
    ///
    /// - Complexity: O(n log n) in the number of nodes.
    package var canonical: [ContentNode] {
        if isCanonical { return self }
        var texts: [String] = []
        var elements: [(key: (rank: UInt8, name: String), place: Int, element: ContentElement)] = []
        for (place, node) in enumerated() {
            switch node {
            case .text(let text): texts.append(text)
            case .element(let element):
                let rank = ElementOrder.rank(ofElement: element.name)
                elements.append(((rank, element.name), place, element.canonical))
            }
        }
        elements.sort { left, right in
            if ElementOrder.precedes(left.key, right.key) { return true }
            return ElementOrder.precedes(right.key, left.key) ? false : left.place < right.place
        }
        let text: [ContentNode] = texts.isEmpty ? [] : [.text(texts.joined(separator: " "))]
        return text + elements.map { .element($0.element) }
    }

    /// Whether the nodes are plainly in that order already, as most of what feeds say is.
    private var isCanonical: Bool {
        var previous: String?
        for node in self {
            guard case .element(let element) = node else { return count == 1 }
            guard element.isCanonical else { return false }
            if let previous, previous != element.name,
                ElementOrder.precedes(
                    (ElementOrder.rank(ofElement: element.name), element.name),
                    (ElementOrder.rank(ofElement: previous), previous))
            {
                return false
            }
            previous = element.name
        }
        return true
    }
}

extension ContentElement {
    /// The element with its attributes and children in canonical order.
    package var canonical: ContentElement {
        if isCanonical { return self }
        var copy = self
        copy.children = isMixed || isTextElement ? children.map(\.canonical) : children.canonical
        copy.attributes = attributes.canonical
        return copy
    }

    /// Whether the element is plainly canonical; an element that is not plain may be canonical, too.
    fileprivate var isCanonical: Bool {
        guard attributes.count < 2 else { return false }
        if case .text? = children.first { return children.count == 1 }
        return children.isEmpty
    }

    /// Whether the element holds both texts and elements, whose order then matters.
    package var isMixed: Bool {
        let elements = elements.count
        return elements > 0 && elements < children.count
    }
}

extension ContentNode {
    fileprivate var canonical: ContentNode {
        if case .element(let element) = self { .element(element.canonical) } else { self }
    }
}

extension [ContentAttribute] {
    /// The attributes in canonical order.
    package var canonical: [ContentAttribute] {
        let ranked = enumerated().map { place, attribute in
            (key: (rank: ElementOrder.rank(ofAttribute: attribute.name), name: attribute.name), place: place)
        }
        return ranked.sorted { left, right in
            if ElementOrder.precedes(left.key, right.key) { return true }
            return ElementOrder.precedes(right.key, left.key) ? false : left.place < right.place
        }.map { self[$0.place] }
    }
}
