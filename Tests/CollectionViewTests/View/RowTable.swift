import CollectionLayout
import CollectionView

/// A table for the tests: rows of one height below each other, a header before each section, rows as wide as the view.
///
/// Simple enough that every frame can be told by hand: a row stands where the heights before it add up to.
struct RowTable: CollectionViewLayout {
    var rowHeight: Double
    var headerHeight: Double
    var width: Double?
    /// Whether rows take the heights that their cells prefer.
    var takesPreferredHeights = false
    /// Whether a change of the bounds invalidates everything.
    var mindsBounds = false
    /// Whether headers stand at the upper edge of the bounds.
    var pinsHeaders = false
    /// Multiples that offsets come to rest at; 0 for anywhere.
    var snap = 0.0
    /// Whether measured heights above the bounds move the offset, so that what is seen stands still.
    var holdsStill = false
    /// Added to every item's attributes.
    var look: (@Sendable (inout LayoutAttributes) -> Void)?

    private(set) var contexts: [InvalidationContext] = []
    private(set) var container = LayoutContainer(bounds: .zero, counts: [] as ItemCounts)
    private var placed: [LayoutAttributes] = []
    private var places: [LayoutElement: Int] = [:]
    private var measured: [LayoutElement: Double] = [:]
    private(set) var contentSize = Size.zero

    init(rowHeight: Double = 20, headerHeight: Double = 0) {
        self.rowHeight = rowHeight
        self.headerHeight = headerHeight
    }

    mutating func invalidate(with context: InvalidationContext) {
        contexts.append(context)
        if context.invalidatesEverything { measured = [:] }
        for (element, size) in context.preferredSizes { measured[element] = size.height }
    }

    mutating func prepare(in container: LayoutContainer) {
        self.container = container
        placed = []
        let width = self.width ?? container.length(.horizontal)
        var y = 0.0
        func add(_ element: LayoutElement, height: Double, to placed: inout [LayoutAttributes]) {
            var attributes = LayoutAttributes(
                element, frame: Rect(x: 0, y: y, width: width, height: height),
                band: element.kind == nil ? .content : .pinned)
            if element.kind == nil { look?(&attributes) }
            placed.append(attributes)
            y += height
        }
        for section in 0..<container.counts.sectionCount {
            if headerHeight > 0 {
                let header = LayoutElement.supplementary(.header, IndexPath(section: section, item: 0))
                add(header, height: headerHeight, to: &placed)
                if pinsHeaders, let last = placed.indices.last, container.visibleBounds.minY > y - headerHeight {
                    placed[last].layoutFrame = Rect(
                        x: 0, y: container.visibleBounds.minY, width: width, height: headerHeight)
                }
            }
            for item in 0..<container.counts.itemCount(inSection: section) {
                let element = LayoutElement.item(IndexPath(section: section, item: item))
                add(element, height: measured[element] ?? rowHeight, to: &placed)
            }
        }
        places = Dictionary(uniqueKeysWithValues: placed.enumerated().map { ($1.element, $0) })
        contentSize = Size(width: width, height: y)
    }

    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        cost.attributes += placed.count
        return placed.filter { $0.frame.intersects(rect) }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? { places[element].map { placed[$0] } }

    func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { mindsBounds || pinsHeaders }

    func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        mindsBounds ? .everything : InvalidationContext()
    }

    func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool {
        takesPreferredHeights
    }

    func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        var growth = 0.0
        for (element, size) in sizes {
            guard let frame = attributes(of: element)?.layoutFrame, frame.minY < container.bounds.minY else { continue }
            growth += size.height - frame.height
        }
        return InvalidationContext(
            elements: Set(sizes.keys), preferredSizes: sizes,
            contentOffsetAdjustment: Point(x: 0, y: holdsStill ? growth : 0))
    }

    func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point {
        snap > 0 ? Point(x: offset.x, y: (offset.y / snap).rounded() * snap) : offset
    }

    func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes? {
        attributes(of: element).map {
            var copy = $0
            copy.alpha = 0.25
            return copy
        }
    }

    func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes? {
        LayoutAttributes(element, frame: .zero, alpha: 0)
    }
}

/// Places items of one size in a plane, a section to a row, and looks only at those in the rectangle.
struct LazyPlane: CollectionViewLayout {
    static let cell = Size(width: 100, height: 50)
    private var counts: any SectionCounts = [] as ItemCounts

    var contentSize: Size {
        Size(width: 700 * Self.cell.width, height: Double(counts.sectionCount) * Self.cell.height)
    }

    mutating func prepare(in container: LayoutContainer) { counts = container.counts }

    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        let rows = max(0, Int(rect.minY / Self.cell.height))..<max(0, Int(rect.maxY / Self.cell.height) + 1)
        let columns = max(0, Int(rect.minX / Self.cell.width))..<max(0, Int(rect.maxX / Self.cell.width) + 1)
        var found: [LayoutAttributes] = []
        for section in rows where section < counts.sectionCount {
            cost.sections += 1
            for item in columns where item < counts.itemCount(inSection: section) {
                cost.items += 1
                guard let attributes = attributes(of: .item(IndexPath(section: section, item: item))) else { continue }
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
        }
        cost.attributes += found.count
        return found
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        let path = element.indexPath
        return LayoutAttributes(
            element,
            frame: Rect(
                origin: Point(
                    x: Double(path.item) * Self.cell.width, y: Double(path.section) * Self.cell.height),
                size: Self.cell))
    }

    mutating func invalidate(with context: InvalidationContext) {}
}
