import CollectionLayout
package import EPGModel

/// A collector of the elements in a rectangle, which also counts the cost.
struct ElementCollector {
    /// The kind of result.
    enum Product {
        /// Complete elements.
        case elements
        /// ``GuideCell`` only, without columns, headers and lines.
        case cells
        /// Attributes for a collection view, including hidden ones for the members of clusters.
        case attributes
        /// The cost only.
        case cost
    }

    /// The rectangle in content coordinates.
    let rect: Rect
    let transform: GridTransform
    private let product: Product
    private let isSolved: Bool
    private(set) var elements: [GuideElement] = []
    /// The cells sorted by row and time, for ``Product/cells``.
    private(set) var cells: [GuideCell] = []
    /// The elements in the rectangle, for ``Product/attributes``.
    private(set) var places: [(place: ElementPlace, frame: Rect, isHidden: Bool)] = []
    /// The layers of ``places``.
    private var layers: [UInt8] = []
    var cost = LayoutCost()
    /// The maximum cost.
    private let limit: Int

    init(_ product: Product = .elements, rect: Rect, transform: GridTransform, limit: Int = .max) {
        self.product = product
        self.limit = limit
        self.rect = rect
        self.transform = transform
        isSolved = transform.isIdentity
    }

    /// Whether the cost has reached the limit, so that callers must stop.
    var isFull: Bool { cost.total >= limit }

    /// Adds an element if it intersects the rectangle. Calls the closure only in that case.
    mutating func add(_ place: ElementPlace, _ element: (ElementPlace) -> GuideElement) {
        cost.attributes += 1
        let frame = isSolved ? place.frame : transform.shown(place.frame)
        guard frame.intersects(rect) else { return }
        switch product {
        case .attributes:
            store(place, shownAt: frame, isHidden: false)
        case .elements:
            var element = element(place)
            if !isSolved { element.place(by: transform) }
            elements.append(element)
        case .cost, .cells: break
        }
    }

    /// Adds a cell of a row if it intersects the rectangle. Calls only the closure for the requested product.
    mutating func add(_ place: ElementPlace, cell: () -> GuideCell, _ element: (ElementPlace) -> GuideElement) {
        guard product == .cells else { return add(place, element) }
        cost.attributes += 1
        let frame = isSolved ? place.frame : transform.shown(place.frame)
        if frame.intersects(rect) { cells.append(cell()) }
    }

    /// Adds a member of a cluster as a hidden element; ignored for elements and cells, which contain it in the cluster.
    mutating func addMember(_ place: ElementPlace) {
        guard product != .elements, product != .cells else { return }
        cost.attributes += 1
        let frame = isSolved ? place.frame : transform.shown(place.frame)
        if product == .attributes, frame.intersects(rect) { store(place, shownAt: frame, isHidden: true) }
    }

    private mutating func store(_ place: ElementPlace, shownAt frame: Rect, isHidden: Bool) {
        places.append((place, frame, isHidden))
        layers.append(UInt8(truncatingIfNeeded: place.layer))
    }

    /// Returns the attributes of ``places`` in drawing order, so that sorting them in a view is cheap.
    ///
    /// Within a layer, places were added by row and time, which is the drawing order.
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

/// The kind and the frame of an element in the solved grid: what a collection view needs, and cheap to create.
struct ElementPlace {
    let kind: GuideElement.Kind
    let frame: Rect
    let band: ZBand
    /// The row; for a group header the first row of the group; `nil` for elements outside rows.
    let row: Int?
    /// See ``GuideElement/ordinal``.
    let ordinal: Int

    init(_ kind: GuideElement.Kind, _ frame: Rect, _ band: ZBand, row: Int? = nil, ordinal: Int = 0) {
        self.kind = kind
        self.frame = frame
        self.band = band
        self.row = row
        self.ordinal = ordinal
    }

    /// The position in the drawing order, below ``layerCount``: the rank of the kind, except that pinned thumbnails are above
    /// the now-line.
    fileprivate var layer: Int {
        if kind == .thumbnail, band == .pinned { return GuideElement.Kind.nowLine.rank + 1 }
        return kind.rank + (kind.rank > GuideElement.Kind.nowLine.rank ? 1 : 0)
    }

    fileprivate static let layerCount = 12
}

extension LayoutAttributes {
    /// Creates the attributes of an element with a frame in content coordinates.
    fileprivate init(_ place: ElementPlace, shownAt frame: Rect, isHidden: Bool = false) {
        self.init(
            LayoutElement(place), frame: frame, band: place.band, zIndex: place.kind.rank, isHidden: isHidden)
    }
}

/// A gap, an airing or a cluster of a row, by its index in the row's content. It is cheaper to create than an element.
package struct GuideCell: Hashable, Sendable {
    /// The content of a cell.
    package enum Kind: Hashable, Sendable {
        case gap
        /// The airing at an index of the row's schedule.
        case airing(index: Int)
        /// Several airings that are too short for separate cells.
        case cluster(count: Int)
    }

    package let kind: Kind
    /// The 0-based row of the layout.
    package let row: Int
    /// The full range: the window of an airing, which members of a clump share.
    package let window: TimeWindow
    /// The visible range: ``window`` clipped to the guide's window, or the share of a clump's member.
    package let shown: TimeWindow
    /// See ``GuideElement/isStartClipped``.
    package let isStartClipped: Bool
    /// See ``GuideElement/isEndClipped``.
    package let isEndClipped: Bool
}
