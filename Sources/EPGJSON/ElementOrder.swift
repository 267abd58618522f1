package import EPGModel
import XMLTV

/// The canonical order of elements and attributes: the order of `xmltv.dtd`, then other names by their UTF-8 bytes.
///
/// The order of elements with different names in a feed has no meaning. In canonical order, feeds with equal content
/// have equal documents, and XMLTV written from a document is valid.
package enum ElementOrder {
    /// The rank of names that are not in the lists, after all others.
    package static let unknown = UInt8.max

    /// Element names in the order of the DTD, regardless of their parents, then those that feeds often add.
    ///
    /// Two names come first, because they precede `<icon>` in their parents: a channel's name and a rating's value.
    private static let elements =
        ["display-name", "value"] + DTDOrder.programme.names + DTDOrder.video.names + ["stereo"]
        + DTDOrder.credits.names
        + ["lcn", "season", "episode", "series-desc", "live", "summary", "audio-described", "derived"]

    /// Attribute names in the order in which documents list them.
    private static let attributes = [
        "lang", "src", "width", "height", "system", "units", "type", "start", "channel", "role", "guest", "size",
        "orient", "source", "reviewer", "pdc-start", "vps-start", "showview", "videoplus", "clumpidx", "catchup-id",
    ]

    private static let elementRanks = ranks(elements)
    private static let attributeRanks = ranks(attributes)

    private static func ranks(_ names: [String]) -> [String: UInt8] {
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, UInt8($0.offset)) })
    }

    /// Returns the rank of an element among its siblings, or ``unknown`` for a name that is not in the list.
    package static func rank(ofElement name: String) -> UInt8 { elementRanks[name] ?? unknown }

    /// Returns the rank of an attribute in its element, or ``unknown`` for a name that is not in the list.
    package static func rank(ofAttribute name: String) -> UInt8 { attributeRanks[name] ?? unknown }

    /// Returns items in the order of their names. The sort is stable.
    package static func sorted<Named>(
        _ items: [Named], rank: (Named) -> UInt8, name: (Named) -> String
    ) -> [Named] {
        let ranks = items.map(rank)
        // Most are in order and have names with a rank.
        if zip(ranks, ranks.dropFirst()).allSatisfy({ $0 <= $1 && $1 < unknown }) { return items }
        return zip(ranks, items).map { rank, item in
            (rank: rank, name: rank == unknown ? name(item) : "", item: item)
        }.sorted { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }.map(\.item)
    }
}

extension [ContentNode] {
    /// The content in canonical order: one text, then the elements. Elements with the same name keep their order.
    ///
    /// In mixed content, and in elements with text content in the DTD, the order is preserved.
    ///
    /// - Complexity: O(n log n) in the number of nodes.
    package var canonical: [ContentNode] {
        let elements = ElementOrder.sorted(
            elements, rank: { ElementOrder.rank(ofElement: $0.name) }, name: { $0.name })
        let texts = compactMap { if case .text(let text) = $0 { text } else { nil } }
        let text: [ContentNode] = texts.isEmpty ? [] : [.text(texts.joined(separator: " "))]
        return text + elements.map { .element($0.canonical) }
    }
}

extension ContentElement {
    /// The element with its attributes and children in canonical order.
    package var canonical: ContentElement {
        if attributes.count < 2, children.count < 2, elements.isEmpty { return self }
        var copy = self
        let elements = elements.count
        let isMixed = elements > 0 && elements < children.count
        copy.children = isMixed || isTextElement ? children.map(\.canonical) : children.canonical
        copy.attributes = attributes.canonical
        return copy
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
        ElementOrder.sorted(self, rank: { ElementOrder.rank(ofAttribute: $0.name) }, name: { $0.name })
    }
}
