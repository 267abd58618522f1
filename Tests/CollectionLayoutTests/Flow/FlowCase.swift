import CollectionLayout
import LayoutTestSupport

/// A random flow layout and its view, of lengths that are quarters of a point: all sums are exact.
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

    /// The attributes of each element, asked for one by one.
    var all: [LayoutAttributes] {
        counts.enumerated().flatMap { section, count in
            let path = IndexPath(section: section, item: 0)
            let boundaries: [LayoutElement] = [.supplementary(.header, path), .supplementary(.footer, path)]
            let items = (0..<count).map { LayoutElement.item(IndexPath(section: section, item: $0)) }
            return (boundaries + items).compactMap { layout.attributes(of: $0) }
        }
    }
}

/// A random length of whole quarters of a point, from 0.
func quarters(_ limit: Int, _ generator: inout SeededGenerator) -> Double {
    Double(Int.random(in: 0...limit * 4, using: &generator)) / 4
}

extension [LayoutAttributes] {
    var inOrder: [LayoutAttributes] { sorted(by: LayoutAttributes.isDrawnBefore) }
}
