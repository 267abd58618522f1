import CollectionLayout

/// Gathers what lies in a rectangle and counts what was touched for it.
struct ElementCollector {
    /// What is made of a place that lies in the rectangle.
    enum Product {
        /// Elements, with all that a face draws.
        case elements
        /// Cells alone, as ``GuideCell``; no columns, headers and lines.
        case cells
        /// Attributes alone, for a collection view; the members of clusters, too, as hidden ones.
        case attributes
        /// Nothing: what it costs is all that is wanted.
        case cost
    }

    /// In content coordinates, as they are shown.
    let rect: Rect
    let presentation: Presentation
    private let product: Product
    private let isSolved: Bool
    private(set) var elements: [GuideElement] = []
    /// Row by row and in order of time, where cells are wanted.
    private(set) var cells: [GuideCell] = []
    /// What lies in the rectangle, where attributes are wanted.
    private(set) var places: [(place: ElementPlace, frame: Rect, isHidden: Bool)] = []
    /// For each of ``places`` its layer, from 0.
    private var layers: [UInt8] = []
    var cost = LayoutCost()
    /// The cost at which no more is gathered.
    private let limit: Int

    init(_ product: Product = .elements, rect: Rect, presentation: Presentation, limit: Int = .max) {
        self.product = product
        self.limit = limit
        self.rect = rect
        self.presentation = presentation
        isSolved = presentation.isIdentity
    }

    /// Whether the limit is reached, so that nothing more shall be added.
    var isFull: Bool { cost.total >= limit }

    /// Keeps what is shown in the rectangle; an element is made only then.
    mutating func add(_ place: ElementPlace, _ element: (ElementPlace) -> GuideElement) {
        cost.attributes += 1
        let frame = isSolved ? place.frame : presentation.shown(place.frame)
        guard frame.intersects(rect) else { return }
        switch product {
        case .attributes:
            keep(place, shownAt: frame, isHidden: false)
        case .elements:
            var element = element(place)
            if !isSolved { element.place(by: presentation) }
            elements.append(element)
        case .cost, .cells: break
        }
    }

    /// Keeps what is shown of a row's schedule in the rectangle; only what is wanted is made.
    mutating func add(_ place: ElementPlace, cell: () -> GuideCell, _ element: (ElementPlace) -> GuideElement) {
        guard product == .cells else { return add(place, element) }
        cost.attributes += 1
        let frame = isSolved ? place.frame : presentation.shown(place.frame)
        if frame.intersects(rect) { cells.append(cell()) }
    }

    /// Keeps a member of a cluster; among elements it belongs to its cluster.
    mutating func addMember(_ place: ElementPlace) {
        guard product != .elements, product != .cells else { return }
        cost.attributes += 1
        let frame = isSolved ? place.frame : presentation.shown(place.frame)
        if product == .attributes, frame.intersects(rect) { keep(place, shownAt: frame, isHidden: true) }
    }

    private mutating func keep(_ place: ElementPlace, shownAt frame: Rect, isHidden: Bool) {
        places.append((place, frame, isHidden))
        layers.append(UInt8(truncatingIfNeeded: place.layer))
    }

    /// The attributes of ``places`` in the order of drawing, so that a view that sorts them has nothing to do.
    ///
    /// Within a layer they were gathered by row and then by time, which is that order already.
    /// - Complexity: O(n).
    func attributes() -> [LayoutAttributes] {
        var attributes: [LayoutAttributes] = []
        attributes.reserveCapacity(places.count)
        for layer in 0..<ElementPlace.layerCount {
            for index in layers.indices where layers[index] == layer {
                let shown = places[index]
                attributes.append(
                    LayoutAttributes(shown.place, shownAt: shown.frame, isHidden: shown.isHidden))
            }
        }
        return attributes
    }
}
