/// What all sections of a compositional layout share
/// (documented: `UICollectionViewCompositionalLayoutConfiguration`).
public struct LayoutConfiguration: Hashable, Sendable {
    /// Vertical by default.
    public var scrollDirection: Axis
    /// Between neighbouring sections, empty ones too, in points; 0 by default.
    public var interSectionSpacing: Double
    /// At the boundary of the whole layout.
    public var boundarySupplementaryItems: [BoundarySupplementary]
    /// The safe area by default.
    public var contentInsetsReference: ContentInsetsReference

    /// What is in force unless it is set otherwise.
    public init(
        scrollDirection: Axis = .vertical, interSectionSpacing: Double = 0,
        boundarySupplementaryItems: [BoundarySupplementary] = [],
        contentInsetsReference: ContentInsetsReference = .automatic
    ) {
        self.scrollDirection = scrollDirection
        self.interSectionSpacing = interSectionSpacing
        self.boundarySupplementaryItems = boundarySupplementaryItems
        self.contentInsetsReference = contentInsetsReference
    }
}
