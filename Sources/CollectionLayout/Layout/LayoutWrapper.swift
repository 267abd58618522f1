/// A layout that changes some results of another layout and forwards everything else to it.
///
/// Implement only what differs. The wrapped layout keeps its self-sizing, pinned elements, animations, and sizes measured
/// before batch updates. For orthogonally scrolling sections, declare the conformance:
/// `extension Dimmed: OrthogonalScrolling where Base: OrthogonalScrolling {}`.
///
/// ```swift
/// struct Dimmed<Base: CollectionViewLayout>: LayoutWrapper {
///     var wrapped: Base
///
///     func attributes(in rect: Rect) -> [LayoutAttributes] {
///         wrapped.attributes(in: rect).map(dim)
///     }
///
///     func attributes(of element: LayoutElement) -> LayoutAttributes? {
///         wrapped.attributes(of: element).map(dim)
///     }
///
///     private func dim(_ attributes: LayoutAttributes) -> LayoutAttributes {
///         var dimmed = attributes
///         dimmed.alpha *= 0.5
///         return dimmed
///     }
/// }
/// ```
public protocol LayoutWrapper: CollectionViewLayout {
    /// The type of the wrapped layout.
    associatedtype Wrapped: CollectionViewLayout

    /// The layout that provides whatever the wrapper doesn't implement.
    var wrapped: Wrapped { get set }
}

extension LayoutWrapper {
    public mutating func prepare(in container: LayoutContainer) { wrapped.prepare(in: container) }

    public var contentSize: Size { wrapped.contentSize }

    public func attributes(in rect: Rect) -> [LayoutAttributes] { wrapped.attributes(in: rect) }

    public func attributes(of element: LayoutElement) -> LayoutAttributes? { wrapped.attributes(of: element) }

    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool {
        wrapped.shouldInvalidate(forBoundsChangeFrom: old, to: new)
    }

    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        wrapped.invalidationContext(forBoundsChangeFrom: old, to: new)
    }

    public func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool {
        wrapped.shouldInvalidate(forPreferred: preferred, original: original)
    }

    public func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        wrapped.invalidationContext(forPreferredSizes: sizes)
    }

    public mutating func invalidate(with context: InvalidationContext) { wrapped.invalidate(with: context) }

    public mutating func prepare(forUpdates updates: UpdateMap) { wrapped.prepare(forUpdates: updates) }

    public func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point {
        wrapped.targetContentOffset(forProposed: offset, velocity: velocity)
    }

    public func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes? {
        wrapped.initialAttributes(forAppearing: element)
    }

    public func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes? {
        wrapped.finalAttributes(forDisappearing: element)
    }

    public var diagnostics: [LayoutDiagnostic] { wrapped.diagnostics }
}

// MARK: - Orthogonal scrolling

/// A wrapper scrolls sections of the wrapped layout orthogonally if it conforms to ``OrthogonalScrolling``.
extension LayoutWrapper where Wrapped: OrthogonalScrolling {
    public func orthogonalMetrics(section: Int) -> OrthogonalMetrics? { wrapped.orthogonalMetrics(section: section) }

    public func orthogonalOffset(section: Int) -> Double { wrapped.orthogonalOffset(section: section) }

    public mutating func setOrthogonalOffset(_ offset: Double, section: Int) {
        wrapped.setOrthogonalOffset(offset, section: section)
    }

    public func targetOrthogonalOffset(section: Int, proposed: Double, velocity: Double) -> Double {
        wrapped.targetOrthogonalOffset(section: section, proposed: proposed, velocity: velocity)
    }

    public func longestFling(section: Int) -> Double { wrapped.longestFling(section: section) }

    public func orthogonalOffset(showing path: IndexPath, position: ScrollPosition) -> Double? {
        wrapped.orthogonalOffset(showing: path, position: position)
    }

    public func orthogonalSection(at point: Point) -> (section: Int, axis: Axis)? {
        wrapped.orthogonalSection(at: point)
    }
}
