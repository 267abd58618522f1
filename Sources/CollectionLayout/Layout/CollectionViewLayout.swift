/// A type that places the elements of a collection, like UIKit's `UICollectionViewLayout`.
///
/// A layout is a value. The view calls ``prepare(in:)`` first and after each invalidation, and queries the layout only
/// after that. Query results depend only on what the layout was prepared with. To modify the results of an existing
/// layout, wrap it in a ``LayoutWrapper``, which forwards every member.
public protocol CollectionViewLayout: OrthogonalScrolling {
    /// Computes what the queries need.
    ///
    /// After ``invalidate(with:)``, recompute only what the context names. If the container has changed and nothing was
    /// invalidated, update the positions of pinned elements.
    mutating func prepare(in container: LayoutContainer)

    /// The size of the whole content, in points.
    var contentSize: Size { get }

    /// Returns the attributes of all elements whose frames intersect `rect`, in no particular order.
    ///
    /// - Parameter cost: Incremented by the work done.
    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes]

    /// Returns the attributes of an element, or `nil` if the layout doesn't place it.
    func attributes(of element: LayoutElement) -> LayoutAttributes?

    /// Returns whether a change of the bounds invalidates the layout; `false` by default, as in UIKit.
    func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool

    /// Returns what a change of the bounds invalidates; by default, everything.
    func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext

    /// Returns whether a cell's preferred size invalidates the layout; `false` by default, as in UIKit.
    func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool

    /// Returns what the preferred sizes of elements invalidate; by default, these elements, along with the sizes.
    ///
    /// The view calls it once for all elements that were measured together. UIKit calls its counterpart for each
    /// element separately, which counts the adjustment of the content offset twice if two elements of a row grow.
    func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext

    /// Records what is no longer valid, for the next ``prepare(in:)``.
    mutating func invalidate(with context: InvalidationContext)

    /// Moves per-item and per-section state to the new index paths; by default, does nothing. UIKit's counterpart
    /// receives only the list of changes.
    ///
    /// The view calls this method immediately before it invalidates the counts for batch updates. If counts change
    /// without a call, for instance because the data was reloaded, index paths refer to other items: discard state kept
    /// for them.
    mutating func prepare(forUpdates updates: UpdateMap)

    /// Returns where scrolling comes to rest; by default, the proposed offset, as in UIKit.
    ///
    /// - Parameter velocity: Points per second; 0 if the finger was at rest when it was lifted.
    func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point

    /// Returns how an inserted element looks before it appears; `nil`, the default, for no animation.
    func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes?

    /// Returns how a deleted element looks when it has disappeared; `nil`, the default, for no animation.
    func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes?

    /// The requests that the layout could not fulfill since the last full preparation.
    var diagnostics: [LayoutDiagnostic] { get }
}

extension CollectionViewLayout {
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { false }

    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext { .everything }

    public func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool { false }

    public func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        InvalidationContext(elements: Set(sizes.keys), preferredSizes: sizes)
    }

    /// Returns the invalidation context for one element. It has UIKit's signature; implement
    /// ``invalidationContext(forPreferredSizes:)`` in a layout.
    public func invalidationContext(
        forPreferred preferred: LayoutAttributes, original: LayoutAttributes
    ) -> InvalidationContext {
        invalidationContext(forPreferredSizes: [original.element: preferred.layoutFrame.size])
    }

    public mutating func prepare(forUpdates updates: UpdateMap) {}

    public func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point { offset }

    public func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes? { nil }

    public func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes? { nil }

    public var diagnostics: [LayoutDiagnostic] { [] }

    /// Returns the attributes of all elements whose frames intersect `rect`, in drawing order.
    public func attributes(in rect: Rect) -> [LayoutAttributes] {
        var cost = LayoutCost()
        return attributes(in: rect, cost: &cost).sorted(by: LayoutAttributes.isDrawnBefore)
    }
}

/// The part of a layout that is no longer valid, like UIKit's `UICollectionViewLayoutInvalidationContext`.
public struct InvalidationContext: Hashable, Sendable {
    /// Whether the whole layout is invalid. The other members then add nothing.
    public var invalidatesEverything: Bool
    /// Whether the number of sections or items changed.
    public var invalidatesCounts: Bool
    /// The invalid elements.
    public var elements: Set<LayoutElement>
    /// The sections whose elements are all invalid.
    public var sections: Set<Int>
    /// The preferred sizes that replace estimates. UIKit keeps them in the layout.
    public var preferredSizes: [LayoutElement: Size]
    /// The distance to add to the content offset when the layout is computed again.
    public var contentOffsetAdjustment: Point
    /// The growth of the content, for information. The view itself asks the layout for its content size.
    public var contentSizeAdjustment: Size

    /// Creates a context, by default one that invalidates nothing.
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

    /// A context that invalidates the whole layout.
    public static let everything = InvalidationContext(invalidatesEverything: true)

    /// A context that invalidates the whole layout because the counts of the data changed.
    public static let counts = InvalidationContext(invalidatesEverything: true, invalidatesCounts: true)

    /// Returns a context that invalidates what either context invalidates. The view handles several invalidations in
    /// one pass.
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

/// The amount of work that a layout did. Tests use it to assert that the cost depends on what is visible.
public struct LayoutCost: Hashable, Sendable {
    /// The number of sections examined, not counting binary searches.
    public var sections = 0
    /// The number of items examined, not counting binary searches.
    public var items = 0
    /// The number of attributes created, including those that turn out to lie outside the rectangle.
    public var attributes = 0

    /// Creates a cost of zero.
    public init() {}

    /// The sum of all counts.
    public var total: Int { sections + items + attributes }
}
