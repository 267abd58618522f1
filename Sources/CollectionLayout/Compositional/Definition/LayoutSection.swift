/// The layout of one section (documented: `NSCollectionLayoutSection`).
public struct LayoutSection {
    /// Is handed what is visible of the section before each layout, and may change it: its alpha, z-index, transform,
    /// place (documented).
    ///
    /// What is added, or renamed, is passed over. The point holds the section's own offset on the axis that it scrolls
    /// along by itself, and that of the view on the other one (chosen).
    public typealias VisibleItemsHandler =
        (_ visibleItems: inout [LayoutAttributes], _ contentOffset: Point, _ environment: LayoutEnvironment) -> Void

    /// Around the groups, inside of headers and footers. Fractional dimensions refer to what they leave (observed).
    public var contentInsets: EdgeInsets
    /// Between neighbouring groups, in points; 0 by default. A negative one is taken as 0.
    public var interGroupSpacing: Double
    /// At the boundary of the section.
    public var boundarySupplementaryItems: [BoundarySupplementary]
    /// Behind it.
    public var decorationItems: [DecorationElement]
    /// How it scrolls across the layout's direction; not at all by default (documented).
    public var orthogonalScrollingBehavior: OrthogonalScrollingBehavior
    /// Is asked before each layout; `nil`, the default, costs nothing (documented).
    public var visibleItemsInvalidationHandler: VisibleItemsHandler?
    /// Added to ``contentInsets`` across the scroll direction; as the layout's by default (documented).
    public var contentInsetsReference: ContentInsetsReference
    /// Whether boundary items keep the section's content insets across the scroll direction; `true` by default
    /// (documented). They keep those of ``contentInsetsReference`` in any case (chosen).
    public var supplementariesFollowContentInsets: Bool
    /// Along the scroll direction before everything else of the section, its header too, in points; 0 by default.
    package var spaceBeforeBoundary = 0.0
    /// How the items are placed in what all of this leaves.
    package var arrangement: any SectionArrangement

    /// A group that repeats until all items have a place.
    public init(group: LayoutGroup) {
        self.init(arrangement: GroupArrangement(group: group))
    }

    /// Items that are placed in another way; see ``SectionArrangement``.
    package init(arrangement: any SectionArrangement) {
        self.contentInsets = .zero
        self.interGroupSpacing = 0
        self.boundarySupplementaryItems = []
        self.decorationItems = []
        self.orthogonalScrollingBehavior = .none
        self.contentInsetsReference = .automatic
        self.supplementariesFollowContentInsets = true
        self.arrangement = arrangement
    }
}
