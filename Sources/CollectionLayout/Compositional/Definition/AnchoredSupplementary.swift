/// A supplementary element that hangs at an item or a group, such as a badge
/// (documented: `NSCollectionLayoutSupplementaryItem`).
///
/// Its index path is that of its item; at a group, that of the group's first item (chosen). Its size may refer to that
/// of what it hangs at. The kinds of one item, and of the boundary of its section, have to differ: of elements with the
/// same name the first is placed (chosen).
public struct AnchoredSupplementary: Hashable, Sendable {
    /// By which the data source knows which view to give.
    public var elementKind: ElementKind
    /// Fractions are parts of the item or the group that it hangs at.
    public var layoutSize: LayoutSize
    /// The place in the item or the group; an item counts with its content insets taken off (chosen).
    public var containerAnchor: LayoutAnchor
    /// The point of the element that is laid on the container's; `nil`, the default, for the same edges (documented).
    public var itemAnchor: LayoutAnchor?
    /// 1 by default: above the items, which have 0 (chosen).
    public var zIndex: Int

    public init(
        elementKind: ElementKind, layoutSize: LayoutSize, containerAnchor: LayoutAnchor,
        itemAnchor: LayoutAnchor? = nil,
        zIndex: Int = 1
    ) {
        self.elementKind = elementKind
        self.layoutSize = layoutSize
        self.containerAnchor = containerAnchor
        self.itemAnchor = itemAnchor
        self.zIndex = zIndex
    }
}
