/// A type that places the elements of a collection, like UIKit's `UICollectionViewLayout`.
///
/// A layout is a value. The view calls ``prepare(in:)`` first and after each invalidation, and queries the layout only
/// after that. Query results depend only on what the layout was prepared with. To modify the results of an existing
/// layout, store it in a layout of your own that forwards the calls.
public protocol CollectionViewLayout {
    /// Computes what the queries need.
    ///
    /// After ``invalidate(with:)``, recompute only what the context names. If the container has changed and nothing was
    /// invalidated, update the positions of pinned elements.
    mutating func prepare(in container: LayoutContainer)

    /// The size of the whole content, in points.
    var contentSize: Size { get }

    /// Returns the attributes of all elements whose frames intersect `rect`, in any order.
    func attributes(in rect: Rect) -> [LayoutAttributes]

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

    public mutating func prepare(forUpdates updates: UpdateMap) {}

    public func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point { offset }

    public func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes? { nil }

    public func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes? { nil }

    public var diagnostics: [LayoutDiagnostic] { [] }
}

/// A layout with sections that scroll orthogonally: across the scrolling direction of the view.
///
/// ``CompositionalLayout`` has such sections, by their ``OrthogonalScrollingBehavior``. Offsets are in points and grow in
/// the reading direction.
public protocol OrthogonalScrolling: CollectionViewLayout {
    /// Returns the lengths of an orthogonally scrolling section; `nil` for any other section.
    func orthogonalMetrics(section: Int) -> OrthogonalMetrics?

    /// Returns the offset of a section; 0 if it doesn't exist or doesn't scroll orthogonally.
    func orthogonalOffset(section: Int) -> Double

    /// Scrolls a section orthogonally.
    ///
    /// - Parameter offset: The new offset, which is clamped to the range of the section.
    mutating func setOrthogonalOffset(_ offset: Double, section: Int)

    /// Returns the offset at which a section comes to rest.
    ///
    /// - Parameters:
    ///   - proposed: The offset at which scrolling would end without snapping.
    ///   - velocity: Points per second; positive while the offset grows.
    func targetOrthogonalOffset(section: Int, proposed: Double, velocity: Double) -> Double

    /// Returns the maximum distance that a fling adds to a drag, in points.
    func longestFling(section: Int) -> Double

    /// Returns the offset of a section at which one of its items is visible; `nil` for an item that doesn't exist, a
    /// section that doesn't scroll orthogonally, or a position of the other axis.
    func orthogonalOffset(showing path: IndexPath, position: ScrollPosition) -> Double?

    /// Returns the section that a drag from `point` scrolls and its axis; `nil` if the drag scrolls the view.
    ///
    /// - Parameter point: A point in content coordinates.
    func orthogonalSection(at point: Point) -> (section: Int, axis: Axis)?
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

/// The amount of work that a query did. It limits queries, and tests use it to assert that the cost depends on what is
/// visible.
package struct LayoutCost: Hashable, Sendable {
    /// The number of sections examined, not counting binary searches.
    package var sections = 0
    /// The number of items examined, not counting binary searches.
    package var items = 0
    /// The number of attributes created, including those that turn out to lie outside the rectangle.
    package var attributes = 0

    /// Creates a cost of zero.
    package init() {}

    /// The sum of all counts.
    package var total: Int { sections + items + attributes }
}
