/// What of a layout no longer holds (documented: `UICollectionViewLayoutInvalidationContext`).
public struct InvalidationContext: Hashable, Sendable {
    /// All of it; the other members then say nothing more.
    public var invalidatesEverything: Bool
    /// The number of sections or items changed.
    public var invalidatesCounts: Bool
    /// Just these elements.
    public var elements: Set<LayoutElement>
    /// All elements of these sections (chosen).
    public var sections: Set<Int>
    /// The sizes that elements asked for, by which estimates are replaced (chosen: the original keeps them in the layout).
    public var preferredSizes: [LayoutElement: Size]
    /// Added to the content offset when the layout is made anew (documented).
    public var contentOffsetAdjustment: Point
    /// By how much the content grew, for who watches (documented); the view itself asks the layout for its size.
    public var contentSizeAdjustment: Size

    /// Nothing, until members are set.
    public init(
        invalidatesEverything: Bool = false, invalidatesCounts: Bool = false, elements: Set<LayoutElement> = [],
        sections: Set<Int> = [], preferredSizes: [LayoutElement: Size] = [:], contentOffsetAdjustment: Point = .zero,
        contentSizeAdjustment: Size = .zero
    ) {
        self.invalidatesEverything = invalidatesEverything
        self.invalidatesCounts = invalidatesCounts
        self.elements = elements
        self.sections = sections
        self.preferredSizes = preferredSizes
        self.contentOffsetAdjustment = contentOffsetAdjustment
        self.contentSizeAdjustment = contentSizeAdjustment
    }

    /// The whole layout.
    public static let everything = InvalidationContext(invalidatesEverything: true)

    /// The whole layout, because the data has other counts.
    public static let counts = InvalidationContext(invalidatesEverything: true, invalidatesCounts: true)

    /// Both together: one layout answers several invalidations (documented).
    public func merged(with other: InvalidationContext) -> InvalidationContext {
        InvalidationContext(
            invalidatesEverything: invalidatesEverything || other.invalidatesEverything,
            invalidatesCounts: invalidatesCounts || other.invalidatesCounts, elements: elements.union(other.elements),
            sections: sections.union(other.sections),
            preferredSizes: preferredSizes.merging(other.preferredSizes) { $1 },
            contentOffsetAdjustment: contentOffsetAdjustment + other.contentOffsetAdjustment,
            contentSizeAdjustment: Size(
                width: contentSizeAdjustment.width + other.contentSizeAdjustment.width,
                height: contentSizeAdjustment.height + other.contentSizeAdjustment.height))
    }
}
