/// Places the elements of a collection (documented: `UICollectionViewLayout`).
///
/// A layout is a value. The view calls ``prepare(in:)`` first and after each invalidation, and asks only then. What it
/// answers is a pure function of what it was prepared with. To change what another layout answers, wrap it in a
/// ``LayoutWrapper``, which forwards every member.
public protocol CollectionViewLayout: OrthogonalScrolling {
    /// Computes what the answers need.
    ///
    /// After ``invalidate(with:)`` only what the context names has to be computed anew. With a changed container, and
    /// nothing invalidated, the positions of pinned elements.
    mutating func prepare(in container: LayoutContainer)

    /// The size of all content, in points.
    var contentSize: Size { get }

    /// The attributes of the elements whose frames intersect a rectangle, in no particular order.
    ///
    /// - Parameter cost: Grows by what was touched.
    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes]

    /// The attributes of one element; `nil` for one that the layout doesn't place.
    func attributes(of element: LayoutElement) -> LayoutAttributes?

    /// Whether a change of the bounds invalidates the layout; `false` by default (documented).
    func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool

    /// What a change of the bounds invalidates; everything by default.
    func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext

    /// Whether the layout is made anew because an element asks for another size; `false` by default (documented).
    func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool

    /// What the sizes that elements prefer invalidate; by default the elements, with the sizes.
    ///
    /// It is asked once for all elements that were measured together (chosen: the original asks for each by itself, and
    /// what two elements of a row add to the content offset then counts twice).
    func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext

    /// Notes what no longer holds, for the next ``prepare(in:)``.
    mutating func invalidate(with context: InvalidationContext)

    /// Takes what is kept for single items and sections to where batch updates take these; by default nothing is kept
    /// (chosen: the original has only the list of changes).
    ///
    /// The view calls it right before it invalidates the counts for these updates. Other counts, those of loaded data
    /// for instance, come without it: index paths then name other items, and what was kept for them is to be forgotten.
    mutating func follow(_ updates: UpdateMap)

    /// Where scrolling shall come to rest; the proposed offset by default (documented).
    ///
    /// - Parameter velocity: Points per second, 0 where the finger was lifted at rest.
    func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point

    /// How an element that was inserted looks before it appears; `nil`, the default, for no animation (documented).
    func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes?

    /// How an element that was deleted looks when it is gone; `nil`, the default, for no animation (documented).
    func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes?

    /// What could not be laid out as asked, since the last full preparation.
    var diagnostics: [LayoutDiagnostic] { get }
}

extension CollectionViewLayout {
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { false }

    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext { .everything }

    public func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool { false }

    public func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        InvalidationContext(elements: Set(sizes.keys), preferredSizes: sizes)
    }

    /// The same for one element, under the original's name; a layout gives its own answer for several at once.
    public func invalidationContext(
        forPreferred preferred: LayoutAttributes, original: LayoutAttributes
    ) -> InvalidationContext {
        invalidationContext(forPreferredSizes: [original.element: preferred.layoutFrame.size])
    }

    public mutating func follow(_ updates: UpdateMap) {}

    public func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point { offset }

    public func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes? { nil }

    public func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes? { nil }

    public var diagnostics: [LayoutDiagnostic] { [] }

    /// The attributes of the elements whose frames intersect a rectangle, in the order of drawing.
    public func attributes(in rect: Rect) -> [LayoutAttributes] {
        var cost = LayoutCost()
        return attributes(in: rect, cost: &cost).sorted(by: LayoutAttributes.isDrawnBefore)
    }
}
