/// A supplementary element at the boundary of a section or of the whole layout: a header, a footer, a column at the
/// side (documented: `NSCollectionLayoutBoundarySupplementaryItem`).
///
/// Its index path in a section is [section, n], and that of the whole layout is [-1, n], where n counts those of the
/// same kind at the same host, from 0 (chosen; the original gives index paths of other lengths).
///
/// Its size refers to the container of the section's groups, along the scroll direction too (chosen).
public struct BoundarySupplementary: Hashable, Sendable {
    /// By which the data source knows which view to give.
    public var elementKind: ElementKind
    /// Fractions are parts of the groups' container.
    public var layoutSize: LayoutSize
    /// Where it stands. In a layout that scrolls vertically those with `top` or `bottom` in their names stand before
    /// and behind the content, `leading` and `trailing` beside it; in one that scrolls horizontally it is the other way
    /// round.
    public var alignment: RectAlignment
    /// Added to the place that the alignment gives, in points (documented).
    public var absoluteOffset: Point
    /// Whether it stands outside the content and pushes it (`true`, documented default), or over it.
    ///
    /// The boundary reaches to the farthest of those at the same edge: two of them don't push each other (chosen).
    /// Those beside the content narrow it (chosen).
    public var extendsBoundary: Bool
    /// Whether it stays in sight while its host is in sight; `false` by default (documented).
    public var pinToVisibleBounds: Bool
    /// 1 by default: above the items, which have 0 (chosen). Pinned ones are in a higher band besides.
    public var zIndex: Int

    public init(
        elementKind: ElementKind, layoutSize: LayoutSize, alignment: RectAlignment, absoluteOffset: Point = .zero,
        extendsBoundary: Bool = true, pinToVisibleBounds: Bool = false, zIndex: Int = 1
    ) {
        self.elementKind = elementKind
        self.layoutSize = layoutSize
        self.alignment = alignment
        self.absoluteOffset = absoluteOffset
        self.extendsBoundary = extendsBoundary
        self.pinToVisibleBounds = pinToVisibleBounds
        self.zIndex = zIndex
    }
}
