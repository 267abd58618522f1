extension [ContentNode] {
    /// The same content in the one order in which it is stored: texts first, then elements in the order of the DTD, and
    /// those beyond the DTD by name, with the attributes of each in a fixed order too.
    ///
    /// The order among elements of one name is the feed's, and so is all order within an element that holds texts and
    /// elements or whose content is a text. Two feeds that say the same in another order are then the same
    /// content, and what is written out is in the order that the DTD demands.
    ///
    /// - Complexity: O(n log n) in the number of nodes.
    package var canonical: [ContentNode] {
        if isCanonical { return self }
        var texts: [String] = []
        var elements: [(rank: ContentRank, element: ContentElement)] = []
        for node in self {
            switch node {
            case .text(let text): texts.append(text)
            case .element(let element):
                elements.append((ContentRank(element: element.name), element.canonical))
            }
        }
        let ordered = elements.enumerated().sorted { left, right in
            (left.element.rank, left.offset) < (right.element.rank, right.offset)
        }
        let whole: [ContentNode] = texts.isEmpty ? [] : [.text(texts.joined(separator: " "))]
        return whole + ordered.map { .element($0.element.element) }
    }

    /// Whether it stands in that order already, as most of what feeds say does.
    private var isCanonical: Bool {
        var previous: String?
        for node in self {
            guard case .element(let element) = node else { return count == 1 }
            guard element.isCanonical else { return false }
            if let previous, previous != element.name,
                ContentRank(element: element.name) < ContentRank(element: previous)
            {
                return false
            }
            previous = element.name
        }
        return true
    }
}

extension ContentElement {
    /// The element with attributes and children in the order in which they are stored.
    package var canonical: ContentElement {
        if isCanonical { return self }
        var copy = self
        copy.children = isMixed || isTextElement ? children.map(\.canonical) : children.canonical
        copy.attributes = attributes.canonical
        return copy
    }

    /// Whether it is plainly in that order: what ``canonical`` need not look into.
    fileprivate var isCanonical: Bool {
        guard attributes.count < 2 else { return false }
        if case .text? = children.first { return children.count == 1 }
        return children.isEmpty
    }
}

extension ContentNode {
    fileprivate var canonical: ContentNode {
        if case .element(let element) = self { .element(element.canonical) } else { self }
    }
}

extension ContentElement {
    /// Whether texts and elements stand in it, whose order then says something.
    package var isMixed: Bool {
        let elements = elements.count
        return elements > 0 && elements < children.count
    }
}

extension [ContentAttribute] {
    /// The attributes in the order in which they are stored: those with a code by it, then the others by name.
    package var canonical: [ContentAttribute] {
        let ranked = enumerated().map { (rank: ContentRank(attribute: $0.element.name), place: $0.offset) }
        return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map { self[$0.place] }
    }
}

/// The place of a name among its siblings: by its code where it has one, else behind them by its bytes.
package struct ContentRank: Comparable, Sendable {
    private let code: UInt8
    private let name: String

    /// The place of an element among those of its parent.
    package init(element name: String) {
        self.init(name, code: ContentName.elementOrder(name))
    }

    /// The place of an attribute among those of its element.
    package init(attribute name: String) {
        self.init(name, code: ContentName.attributeCode(name))
    }

    private init(_ name: String, code: UInt8?) {
        self.code = code ?? .max
        self.name = code == nil ? name : ""
    }

    package static func == (lhs: ContentRank, rhs: ContentRank) -> Bool {
        lhs.code == rhs.code && lhs.name.utf8.elementsEqual(rhs.name.utf8)
    }

    package static func < (lhs: ContentRank, rhs: ContentRank) -> Bool {
        lhs.code == rhs.code ? lhs.name.utf8.lexicographicallyPrecedes(rhs.name.utf8) : lhs.code < rhs.code
    }
}
