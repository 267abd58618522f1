import TestSupport
import CollectionLayout
import LayoutTestSupport

func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rect {
    Rect(x: x, y: y, width: width, height: height)
}

extension FlowLayout {
    /// Returns a layout prepared for a view.
    static func prepared(
        width: Double, height: Double = 200, counts: [Int], _ configure: (inout FlowLayout) -> Void = { _ in },
        in change: (inout LayoutContainer) -> Void = { _ in }
    ) -> FlowLayout {
        var layout = FlowLayout()
        configure(&layout)
        layout.prepare(in: .view(width: width, height: height, counts: counts, change))
        return layout
    }

    func item(_ item: Int, in section: Int = 0) -> Rect? {
        attributes(of: .item(IndexPath(section: section, item: item)))?.frame
    }

    func header(_ section: Int = 0) -> Rect? {
        attributes(of: .supplementary(.header, IndexPath(section: section, item: 0)))?.frame
    }

    func footer(_ section: Int = 0) -> Rect? {
        attributes(of: .supplementary(.footer, IndexPath(section: section, item: 0)))?.frame
    }

    func items(_ count: Int, in section: Int = 0) -> [Rect?] { (0..<count).map { item($0, in: section) } }

    /// Returns the leading edges of a section's first items.
    func leadingEdges(_ count: Int, in section: Int = 0) -> [Double?] { items(count, in: section).map { $0?.minX } }

    mutating func scroll(to offset: Double, height: Double, width: Double, counts: [Int], top: Double = 0) {
        prepare(
            in: .view(width: width, height: height, counts: counts) {
                $0.bounds = Rect(x: 0, y: offset, width: width, height: height)
                $0.contentInset.top = top
            })
    }

    func elements(in rect: Rect) -> [LayoutElement] { attributes(in: rect).map(\.element) }
}

extension LayoutContainer {
    static func view(
        width: Double, height: Double, counts: [Int], _ change: (inout LayoutContainer) -> Void = { _ in }
    ) -> LayoutContainer {
        var container = LayoutContainer(
            bounds: Rect(x: 0, y: 0, width: width, height: height), counts: ItemCounts(counts))
        change(&container)
        return container
    }
}

extension FlowLayoutDelegate {
    /// Returns item sizes by section and item.
    init(sizes: [[Size]]) {
        self.init(sizeForItem: { sizes[$0.section][$0.item] })
    }
}

func size(_ width: Double, _ height: Double) -> Size { Size(width: width, height: height) }

/// A random flow layout and its view, with lengths in quarters of a point, so that all sums are exact.
struct FlowCase {
    var layout = FlowLayout()
    var container: LayoutContainer
    let counts: [Int]
    let sizes: [[Size]]

    init(using generator: inout SeededGenerator) {
        let counts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            Int.random(in: 0...7, using: &generator)
        }
        self.counts = counts
        let sizes = counts.map { count in
            (0..<count).map { _ in size(quarters(60, &generator), quarters(40, &generator)) }
        }
        self.sizes = sizes
        let bounds = Rect(
            x: quarters(50, &generator), y: quarters(300, &generator), width: 20 + quarters(120, &generator),
            height: 20 + quarters(120, &generator))
        container = LayoutContainer(bounds: bounds, counts: ItemCounts(counts))
        if Bool.random(using: &generator) {
            container.contentInset = EdgeInsets(
                top: quarters(10, &generator), leading: quarters(10, &generator), bottom: quarters(10, &generator),
                trailing: quarters(10, &generator))
        }
        container.layoutDirection = Bool.random(using: &generator) ? .leftToRight : .rightToLeft
        container.pixels = PixelGrid(scale: Bool.random(using: &generator) ? 1 : 2)
        layout.itemSize = size(quarters(60, &generator), quarters(40, &generator))
        if Bool.random(using: &generator) { layout.delegate = FlowLayoutDelegate(sizes: sizes) }
        layout.minimumLineSpacing = quarters(10, &generator)
        layout.minimumInteritemSpacing = quarters(10, &generator)
        layout.scrollDirection = Bool.random(using: &generator) ? .vertical : .horizontal
        layout.sectionInset = EdgeInsets(
            top: quarters(12, &generator), leading: quarters(12, &generator), bottom: quarters(12, &generator),
            trailing: quarters(12, &generator))
        if Bool.random(using: &generator) {
            layout.headerReferenceSize = size(quarters(30, &generator), quarters(30, &generator))
            layout.footerReferenceSize = size(quarters(30, &generator), quarters(30, &generator))
        }
        layout.sectionHeadersPinToVisibleBounds = Bool.random(using: &generator)
        layout.sectionFootersPinToVisibleBounds = Bool.random(using: &generator)
        layout.rowAlignment = Int.random(in: 0...3, using: &generator) == 0 ? .leading : .justified
        layout.lastRow = FlowLayout.LastRow.allCases.randomElement(using: &generator) ?? .bySizes
    }

    mutating func prepare() { layout.prepare(in: container) }

    /// The attributes of each element, queried one by one.
    var all: [LayoutAttributes] {
        counts.enumerated().flatMap { section, count in
            let path = IndexPath(section: section, item: 0)
            let boundaries: [LayoutElement] = [.supplementary(.header, path), .supplementary(.footer, path)]
            let items = (0..<count).map { LayoutElement.item(IndexPath(section: section, item: $0)) }
            return (boundaries + items).compactMap { layout.attributes(of: $0) }
        }
    }
}

/// Returns a random length in quarters of a point, from 0.
func quarters(_ limit: Int, _ generator: inout SeededGenerator) -> Double {
    Double(Int.random(in: 0...limit * 4, using: &generator)) / 4
}

extension [LayoutAttributes] {
    var inOrder: [LayoutAttributes] { sorted(by: LayoutAttributes.isDrawnBefore) }
}
