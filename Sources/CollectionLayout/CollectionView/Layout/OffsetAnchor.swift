/// An item that shall be seen at the same place when another layout places it.
struct OffsetAnchor {
    /// The item; `nil` where none was in sight.
    let element: LayoutElement?
    /// Where it stood, from the origin of the bounds.
    let distance: Point
    /// The axes on which the view stood at the beginning, and stays there.
    let axesAtStart: [Axis]

    /// The first visible item, in the order of the data.
    init(_ view: CollectionView) {
        let surroundings = Surroundings(view)
        let origin = view.bounds.origin
        axesAtStart = Axis.allCases.filter { origin[$0] == surroundings.start($0, of: view) }
        let first = view.shown.values.map(\.attributes).filter { $0.element.kind == nil }
            .min { $0.indexPath < $1.indexPath }
        element = first?.element
        distance = first.map { $0.layoutFrame.origin - origin } ?? .zero
    }

    /// The origin of the bounds with the layout that the view has now, before it is kept in the content.
    func origin(in view: CollectionView) -> Point {
        var origin = view.bounds.origin
        if let element, let attributes = view.layout.attributes(of: element) {
            origin = attributes.layoutFrame.origin - distance
        }
        let surroundings = Surroundings(view)
        for axis in axesAtStart { origin[axis] = surroundings.start(axis, of: view) }
        return origin
    }
}
