import CollectionLayout
import CollectionView
import LayoutTestSupport

/// A cell that records its configurations, reuses, attributes, and measurements.
class RowCell: ReusableView {
    var text = ""
    var path: IndexPath?
    var reuses = 0
    var configurations = 0
    var attributes: [LayoutAttributes] = []
    var state = CellState()
    /// The preferred height; `nil` for the height of its attributes.
    var preferredHeight: Double?
    var measurements = 0

    required init() {}

    func prepareForReuse() { reuses += 1 }

    func apply(_ attributes: LayoutAttributes) { self.attributes.append(attributes) }

    func apply(_ state: CellState) { self.state = state }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        measurements += 1
        guard let preferredHeight else { return attributes }
        var copy = attributes
        copy.frame = Rect(
            origin: attributes.frame.origin,
            size: Size(width: attributes.frame.width, height: preferredHeight))
        return copy
    }
}

final class RowHeader: RowCell {}

/// Sections of named rows.
final class RowSource: CollectionViewDataSource {
    var sections: [[String]]
    /// The names of rows whose cells come from another registration.
    var others: Set<String> = []
    /// The preferred heights of cells, by name.
    var heights: [String: Double] = [:]
    private(set) var requests: [IndexPath] = []
    private(set) var countRequests = 0

    let registration = CellRegistration<RowCell, String> { cell, path, name in
        cell.text = name
        cell.path = path
        cell.configurations += 1
    }
    let otherRegistration = CellRegistration<RowCell, String> { cell, _, name in cell.text = name }
    let header = SupplementaryRegistration<RowHeader>(kind: .header) { view, kind, path in
        view.text = "\(kind.rawValue) \(path)"
        view.configurations += 1
    }

    init(_ sections: [[String]]) { self.sections = sections }

    /// Creates one section of rows named r0, r1 and so on.
    convenience init(rows: Int) { self.init([(0..<rows).map { "r\($0)" }]) }

    func numberOfSections(in view: CollectionView) -> Int { sections.count }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        countRequests += 1
        return sections[section].count
    }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        requests.append(path)
        let name = sections[path.section][path.item]
        let cell = view.dequeueCell(
            using: others.contains(name) ? otherRegistration : registration, for: path, item: name)
        cell.preferredHeight = heights[name]
        return cell
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        let supplementary = view.dequeueSupplementary(using: header, for: path)
        supplementary.preferredHeight = heights[kind.rawValue]
        return supplementary
    }
}

/// Records delegate calls and returns `false` for forbidden ones.
final class RowDelegate: CollectionViewDelegate {
    var log: [String] = []
    var forbidden: Set<String> = []

    private func allow(_ call: String, _ path: IndexPath) -> Bool {
        log.append("\(call) \(path)")
        return !forbidden.contains(call)
    }

    func collectionView(_ view: CollectionView, shouldHighlightItemAt path: IndexPath) -> Bool {
        allow("shouldHighlight", path)
    }

    func collectionView(_ view: CollectionView, didHighlightItemAt path: IndexPath) {
        log.append("didHighlight \(path)")
    }

    func collectionView(_ view: CollectionView, didUnhighlightItemAt path: IndexPath) {
        log.append("didUnhighlight \(path)")
    }

    func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
        allow("shouldSelect", path)
    }

    func collectionView(_ view: CollectionView, shouldDeselectItemAt path: IndexPath) -> Bool {
        allow("shouldDeselect", path)
    }

    func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) { log.append("didSelect \(path)") }

    func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath) {
        log.append("didDeselect \(path)")
    }
}

/// Records elements that become visible or disappear.
final class DisplayDelegate: CollectionViewDelegate {
    var log: [String] = []
    var scrolls = 0

    func collectionView(
        _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes
    ) {
        log.append("+\(attributes.element)")
    }

    func collectionView(
        _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes
    ) {
        log.append("-\(attributes.element)")
    }

    func collectionViewDidScroll(_ view: CollectionView) { scrolls += 1 }
}

/// Creates a view of 100 by 100 after its first layout pass, in which five rows of 20 are visible.
func makeView(
    _ source: RowSource, _ layout: any CollectionViewLayout = RowTable(),
    bounds: Rect = Rect(x: 0, y: 0, width: 100, height: 100)
) -> CollectionView {
    let view = CollectionView(layout: layout, bounds: bounds)
    view.layoutMargins = .zero
    view.dataSource = source
    view.layoutIfNeeded()
    return view
}

extension CollectionView {
    /// The names of the visible rows, from top to bottom.
    var rowNames: [String] {
        visibleElements.filter { $0.element.kind == nil }.sorted { $0.frame.minY < $1.frame.minY }
            .map { (cell(at: $0.indexPath) as? RowCell)?.text ?? "?" }
    }

    func row(_ section: Int, _ item: Int) -> RowCell? { cell(at: path(section, item)) as? RowCell }
}

/// A table layout for tests: rows of equal height as wide as the view, with a header before each section.
///
/// It is simple enough to compute every frame by hand: a row begins at the sum of the heights before it.
struct RowTable: CollectionViewLayout {
    var rowHeight: Double
    var headerHeight: Double
    var width: Double?
    /// Whether rows get the heights that their cells prefer.
    var usesPreferredHeights = false
    /// Whether a change of the bounds invalidates everything.
    var invalidatesForBounds = false
    /// Whether headers are pinned to the upper edge of the bounds.
    var pinsHeaders = false
    /// The distance between offsets at which scrolling stops. With 0, it stops anywhere.
    var snap = 0.0
    /// Whether measured heights above the bounds adjust the offset, so that visible content stays in place.
    var keepsVisibleContent = false
    /// Modifies the attributes of every item.
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
                    placed[last].frame = Rect(
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

    func attributes(in rect: Rect) -> [LayoutAttributes] { placed.filter { $0.frame.intersects(rect) } }

    func attributes(of element: LayoutElement) -> LayoutAttributes? { places[element].map { placed[$0] } }

    func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { invalidatesForBounds || pinsHeaders }

    func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        invalidatesForBounds ? .everything : InvalidationContext()
    }

    func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool {
        usesPreferredHeights
    }

    func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
        var growth = 0.0
        for (element, size) in sizes {
            guard let frame = attributes(of: element)?.frame, frame.minY < container.bounds.minY else { continue }
            growth += size.height - frame.height
        }
        return InvalidationContext(
            elements: Set(sizes.keys), preferredSizes: sizes,
            contentOffsetAdjustment: Point(x: 0, y: keepsVisibleContent ? growth : 0))
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

/// Places items of one size in a plane, one row for each section, and examines only those in the rectangle.
struct LazyPlane: CollectionViewLayout {
    static let cell = Size(width: 100, height: 50)
    private var counts: any SectionCounts = [] as ItemCounts

    var contentSize: Size {
        Size(width: 700 * Self.cell.width, height: Double(counts.sectionCount) * Self.cell.height)
    }

    mutating func prepare(in container: LayoutContainer) { counts = container.counts }

    func attributes(in rect: Rect) -> [LayoutAttributes] {
        let rows = max(0, Int(rect.minY / Self.cell.height))..<max(0, Int(rect.maxY / Self.cell.height) + 1)
        let columns = max(0, Int(rect.minX / Self.cell.width))..<max(0, Int(rect.maxX / Self.cell.width) + 1)
        var found: [LayoutAttributes] = []
        for section in rows where section < counts.sectionCount {
            for item in columns where item < counts.itemCount(inSection: section) {
                guard let attributes = attributes(of: .item(IndexPath(section: section, item: item))) else { continue }
                if attributes.frame.intersects(rect) { found.append(attributes) }
            }
        }
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
