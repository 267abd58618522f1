/// Stands in a view while its layout is prepared, so that the layout is changed in place and not copied, and so that whoever
/// asks the view meanwhile meets nothing instead of something half done.
struct AbsentLayout: CollectionViewLayout {
    var contentSize: Size { .zero }

    mutating func prepare(in container: LayoutContainer) {}

    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] { [] }

    func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }

    mutating func invalidate(with context: InvalidationContext) {}
}
