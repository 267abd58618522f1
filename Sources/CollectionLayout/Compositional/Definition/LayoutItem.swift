/// The place of one item of the data in a group (documented: `NSCollectionLayoutItem`).
public struct LayoutItem: Hashable, Sendable {
    /// Its dimensions refer to the group that holds it.
    public var layoutSize: LayoutSize
    /// Taken off its frame at the very end, in points; not along an estimated dimension (documented).
    public var contentInsets: EdgeInsets
    public var edgeSpacing: LayoutEdgeSpacing?
    public var supplementaryItems: [AnchoredSupplementary]

    public init(
        layoutSize: LayoutSize, contentInsets: EdgeInsets = .zero, edgeSpacing: LayoutEdgeSpacing? = nil,
        supplementaryItems: [AnchoredSupplementary] = []
    ) {
        self.layoutSize = layoutSize
        self.contentInsets = contentInsets
        self.edgeSpacing = edgeSpacing
        self.supplementaryItems = supplementaryItems
    }
}

/// What stands in a group: an item, or a group in its turn.
public enum LayoutSubitem: Hashable, Sendable {
    case item(LayoutItem)
    case group(LayoutGroup)

    package var layoutSize: LayoutSize {
        switch self {
        case .item(let item): item.layoutSize
        case .group(let group): group.layoutSize
        }
    }

    package var edgeSpacing: LayoutEdgeSpacing? {
        switch self {
        case .item(let item): item.edgeSpacing
        case .group(let group): group.edgeSpacing
        }
    }
}
