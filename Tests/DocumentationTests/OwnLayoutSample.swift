import CollectionLayout
import CollectionView
import Testing

/// Draws everything at half its alpha.
struct Dimmed<Base: CollectionViewLayout>: LayoutWrapper {
    var wrapped: Base

    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        wrapped.attributes(in: rect, cost: &cost).map(dim)
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        wrapped.attributes(of: element).map(dim)
    }

    private func dim(_ attributes: LayoutAttributes) -> LayoutAttributes {
        var dimmed = attributes
        dimmed.alpha *= 0.5
        return dimmed
    }
}

/// Columns of one width; each item goes to the column that is the shortest so far.
struct WaterfallLayout: CollectionViewLayout {
    var columnCount = 3
    var spacing = 8.0
    /// The height of an item for a width.
    var height: @Sendable (IndexPath, _ width: Double) -> Double

    private(set) var contentSize = Size.zero
    private var placed: [LayoutAttributes] = []
    private var places: [LayoutElement: Int] = [:]

    init(height: @escaping @Sendable (IndexPath, _ width: Double) -> Double) {
        self.height = height
    }

    mutating func prepare(in container: LayoutContainer) {
        placed = []
        places = [:]
        let columns = max(1, columnCount)
        let width = max(0, (container.length(.horizontal) - spacing * Double(columns - 1)) / Double(columns))
        var ends = Array(repeating: 0.0, count: columns)
        for section in 0..<container.counts.sectionCount {
            for item in 0..<container.counts.itemCount(inSection: section) {
                let path = IndexPath(section: section, item: item)
                let column = ends.indices.min { ends[$0] < ends[$1] } ?? 0
                let frame = Rect(
                    x: Double(column) * (width + spacing), y: ends[column], width: width, height: height(path, width))
                ends[column] = frame.maxY + spacing
                places[.item(path)] = placed.count
                placed.append(LayoutAttributes(.item(path), frame: container.pixels.snapped(frame)))
            }
        }
        let end = (ends.max() ?? 0) - spacing
        contentSize = Size(width: container.length(.horizontal), height: max(0, end))
    }

    func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        cost.items += placed.count
        return placed.filter { $0.frame.intersects(rect) }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        places[element].map { placed[$0] }
    }

    func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool {
        old.width != new.width
    }

    mutating func invalidate(with context: InvalidationContext) {}
}

@Suite struct OwnLayoutSampleTests {
    @Test func eachItemGoesToTheShortestColumn() {
        var layout = WaterfallLayout { path, _ in [50, 80, 30, 60][path.item % 4] }
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 316, height: 300), counts: ItemCounts([5])))
        // Columns of 100 points; the third is the shortest after three items (30), then the first (50).
        let frames = (0..<5).map { layout.attributes(of: .item(IndexPath(section: 0, item: $0)))?.frame }
        #expect(frames[3] == Rect(x: 216, y: 38, width: 100, height: 60))
        #expect(frames[4] == Rect(x: 0, y: 58, width: 100, height: 50))
        #expect(layout.contentSize == Size(width: 316, height: 108))
    }

    @Test func theViewLaysItOut() {
        let view = CollectionView(
            layout: WaterfallLayout { path, width in width * (path.item % 3 == 0 ? 1.4 : 0.8) },
            bounds: Rect(x: 0, y: 0, width: 316, height: 300))
        let films = FilmSource()
        view.dataSource = films
        view.layoutIfNeeded()
        #expect(view.cell(at: IndexPath(section: 0, item: 0)) is FilmCell)
    }
}
