/// The place of one item of the data in a group (documented: `NSCollectionLayoutItem`).
public struct LayoutItem: Hashable, Sendable {
    /// Its dimensions refer to the group that holds it.
    public var layoutSize: LayoutSize
    /// Taken off its frame at the very end, in points; not along an estimated dimension (documented).
    public var contentInsets: EdgeInsets
    /// The room around it; `nil`, the default, for none.
    public var edgeSpacing: LayoutEdgeSpacing?
    /// Anchored to the item's frame without its content insets; none by default.
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
public enum LayoutSubitem: Hashable {
    /// One item of the data.
    case item(LayoutItem)
    /// Items with an arrangement of their own, as one.
    case group(LayoutGroup)

    /// That of the item or of the group.
    package var layoutSize: LayoutSize {
        switch self {
        case .item(let item): item.layoutSize
        case .group(let group): group.layoutSize
        }
    }

    /// That of the item or of the group.
    package var edgeSpacing: LayoutEdgeSpacing? {
        switch self {
        case .item(let item): item.edgeSpacing
        case .group(let group): group.edgeSpacing
        }
    }
}

/// What a group can hold: a ``LayoutItem``, a ``LayoutGroup``, or either of them as a ``LayoutSubitem``.
public protocol LayoutGroupMember {
    /// The member as a group keeps it.
    var subitem: LayoutSubitem { get }
}

extension LayoutItem: LayoutGroupMember {
    public var subitem: LayoutSubitem { .item(self) }
}

extension LayoutGroup: LayoutGroupMember {
    public var subitem: LayoutSubitem { .group(self) }
}

extension LayoutSubitem: LayoutGroupMember {
    public var subitem: LayoutSubitem { self }
}
