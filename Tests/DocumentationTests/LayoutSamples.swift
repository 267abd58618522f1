import CollectionLayout
import CollectionView
import Testing

@testable import EPGRender

/// The layouts of the article on flow layouts, which the pictures also show.
enum FlowSamples {
    static func justified() -> FlowLayout {
        var layout = FlowLayout()
        layout.itemSize = Size(width: 80, height: 40)
        layout.sectionInset = EdgeInsets(top: 10, leading: 10, bottom: 10, trailing: 10)
        layout.headerReferenceSize = Size(width: 0, height: 28)
        layout.footerReferenceSize = Size(width: 0, height: 20)
        return layout
    }

    static func varied() -> FlowLayout {
        let widths = [120.0, 90, 60, 150, 70, 110, 200]
        var layout = FlowLayout()
        layout.delegate.sizeForItem = { path in
            Size(width: widths[path.item % 7], height: path.item % 3 == 0 ? 60 : 36)
        }
        return layout
    }

    static func pinned() -> FlowLayout {
        var layout = justified()
        layout.sectionHeadersPinToVisibleBounds = true
        return layout
    }

    static func leading() -> FlowLayout {
        var layout = justified()
        layout.rowAlignment = .leading
        return layout
    }
}

@Suite struct FlowSampleTests {
    /// 300 points fit three items of 80 with gaps of 10; two gaps share the remaining 40.
    @Test func fullRowsAreJustified() {
        var layout = FlowSamples.justified()
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([5, 2])))
        let starts = (0..<5).map { layout.attributes(of: .item(IndexPath(section: 0, item: $0)))?.frame.minX }
        #expect(starts == [10, 120, 230, 10, 120])
    }
}

/// The layouts of the article on compositional layouts, which the pictures also show.
enum CompositionalSamples {
    static func nested() -> LayoutSection {
        let large = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(0.7), heightDimension: .fractionalHeight(1)),
            contentInsets: EdgeInsets(all: 4))
        let small = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(1)),
            contentInsets: EdgeInsets(all: 4))
        let pair = LayoutGroup.vertical(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(0.3), heightDimension: .fractionalHeight(1)),
            subitem: small, count: 2)
        let group = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(110)),
            subitems: [large, pair])
        return LayoutSection(group: group)
    }

    static func badges() -> LayoutSection {
        let badge = AnchoredSupplementary(
            elementKind: "badge",
            layoutSize: LayoutSize(widthDimension: .absolute(20), heightDimension: .absolute(20)),
            containerAnchor: LayoutAnchor(edges: [.top, .trailing], fractionalOffset: Point(x: 0.3, y: -0.3)))
        let item = LayoutItem(layoutSize: .full, supplementaryItems: [badge])
        let row = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(60)),
            subitem: item, count: 4, interItemSpacing: .fixed(12))
        var section = LayoutSection(group: row)
        section.contentInsets = EdgeInsets(all: 12)
        section.interGroupSpacing = 12
        return section
    }

    static func carousel() -> LayoutSection {
        let group = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(0.4), heightDimension: .absolute(80)),
            subitems: [LayoutItem(layoutSize: .full)])
        var section = LayoutSection(group: group)
        section.interGroupSpacing = 10
        section.contentInsets = EdgeInsets(all: 10)
        section.orthogonalScrollingBehavior = .groupPaging
        return section
    }

    static func shelves() -> CompositionalLayout {
        CompositionalLayout { section, environment in
            section == 0 || environment.container.effectiveContentSize.width > 600 ? carousel() : nested()
        }
    }

    static func chapter() -> LayoutSection {
        let row = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44)),
            subitem: LayoutItem(layoutSize: .full), count: 3, interItemSpacing: .fixed(8))
        var section = LayoutSection(group: row)
        section.interGroupSpacing = 8
        section.contentInsets = EdgeInsets(top: 8, leading: 16, bottom: 24, trailing: 16)
        section.boundarySupplementaryItems = [
            BoundarySupplementary(
                elementKind: .header,
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(32)),
                alignment: .top, pinToVisibleBounds: true)
        ]
        section.decorationItems = [
            .background(elementKind: "background", contentInsets: EdgeInsets(all: 4))
        ]
        return section
    }
}

@Suite struct CompositionalSampleTests {
    @Test func badgeOverlapsItsCorner() {
        var layout = CompositionalLayout(section: CompositionalSamples.badges())
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([8])))
        // (296 − 3 · 12) / 4 = 65 wide: the item ends at 77. 77 − 20 + 0.3 · 20 = 63, 12 − 0.3 · 20 = 6.
        let badge = layout.attributes(of: .supplementary("badge", IndexPath(section: 0, item: 0)))
        #expect(badge?.frame == Rect(x: 63, y: 6, width: 20, height: 20))
    }

    @Test func carouselStopsAtGroup() {
        var layout = CompositionalSamples.shelves()
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([6, 3])))
        // A group is 0.4 · 300 = 120 wide; the next one begins 130 further.
        let rest = layout.targetOrthogonalOffset(section: 0, proposed: 150, velocity: 0)
        layout.setOrthogonalOffset(rest, section: 0)
        #expect(rest == 130)
        #expect(layout.attributes(of: .item(IndexPath(section: 0, item: 1)))?.frame.minX == 10)
    }
}

/// A row that prefers the height of its content.
final class RowView: ReusableView {
    var cell = ListCell(content: ContentConfiguration(style: .cell))

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        let layout = cell.layout(width: attributes.frame.width, measuring: measure)
        var preferred = attributes
        preferred.frame = Rect(origin: attributes.frame.origin, size: layout.preferredSize)
        return preferred
    }
}

/// Measures without fonts. A program with fonts measures with them instead.
func measure(_ request: TextRequest) -> Size { LayoutSVG.measure(request) }

/// The lists of the article on lists, which the pictures also show.
enum ListSamples {
    static func configuration(_ appearance: ListConfiguration.Appearance) -> ListConfiguration {
        var configuration = ListConfiguration(appearance: appearance)
        configuration.headerMode = .supplementary
        return configuration
    }

    static func station(_ name: String, now: String) -> ListCell {
        var content = ContentConfiguration(style: .subtitleCell)
        content.text = name
        content.secondaryText = now
        content.image = CellImage(name: "tv", size: Size(width: 28, height: 28))
        var cell = ListCell(content: content)
        cell.accessories = [.label("HD"), .disclosureIndicator()]
        return cell
    }

    static func carousel() -> LayoutSection { CompositionalSamples.carousel() }

    static func mixed() -> CompositionalLayout {
        CompositionalLayout { section, environment in
            if section == 0 { return carousel() }
            return .list(using: ListConfiguration(appearance: .plain), layoutEnvironment: environment)
        }
    }
}

@Suite struct ListSampleTests {
    /// 390 minus 16 at both sides; two lines of 17 and 15 points with 3 between them, inside the margins of the style.
    @Test func rowHasPreferredHeightOfContent() {
        let cell = ListSamples.station("Harbour One", now: "The Lighthouse")
        let layout = cell.layout(width: 390, measuring: measure)
        #expect(layout.size.width == 390)
        #expect(layout.preferredHeight >= 44)
        #expect(layout.accessories.map(\.accessory.kind) == [.label, .disclosureIndicator])
    }

    @Test func listCanBeOneSectionAmongOthers() {
        var layout = ListSamples.mixed()
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([4, 3])))
        // Below the carousel: 10 + 80 + 10.
        let first = layout.attributes(of: .item(IndexPath(section: 1, item: 0)))
        #expect(first?.frame == Rect(x: 0, y: 100, width: 320, height: 44))
    }
}

/// The samples of the article on bad input.
@Suite struct BadInputSamples {
    @Test func invalidLengthCausesDiagnostic() {
        var layout = FlowLayout()
        layout.itemSize = Size(width: -20, height: .infinity)
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([3])))
        for diagnostic in layout.diagnostics {
            print(diagnostic.problem, diagnostic.detail)
        }
        #expect(layout.diagnostics.map(\.problem).contains(.unusableLength))
        #expect(layout.contentSize.height.isFinite)
    }

    @Test func inconsistentCountsThrow() throws {
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let films = FilmSource()
        view.dataSource = films
        view.layoutIfNeeded()
        do {
            try view.performBatchUpdates { updates in
                films.titles.removeFirst(2)
                updates.deleteItems(at: [IndexPath(section: 0, item: 0)])
            }
        } catch {
            print(error)
            view.reloadData()
            view.layoutIfNeeded()
        }
        #expect(view.counts.itemCount(inSection: 0) == 998)
        #expect(throws: BatchUpdateError.self) {
            try view.performBatchUpdates { $0.deleteItems(at: [IndexPath(section: 0, item: 0)]) }
        }
    }
}

/// Columns of one width; each item is added to the shortest column.
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

    func attributes(in rect: Rect) -> [LayoutAttributes] {
        placed.filter { $0.frame.intersects(rect) }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        places[element].map { placed[$0] }
    }

    func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool {
        old.width != new.width
    }

    mutating func invalidate(with context: InvalidationContext) {}
}

@Suite struct CustomLayoutSampleTests {
    @Test func itemsAreAddedToShortestColumn() {
        var layout = WaterfallLayout { path, _ in [50, 80, 30, 60][path.item % 4] }
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 316, height: 300), counts: ItemCounts([5])))
        // Columns of 100 points; the third is the shortest after three items (30), then the first (50).
        let frames = (0..<5).map { layout.attributes(of: .item(IndexPath(section: 0, item: $0)))?.frame }
        #expect(frames[3] == Rect(x: 216, y: 38, width: 100, height: 60))
        #expect(frames[4] == Rect(x: 0, y: 58, width: 100, height: 50))
        #expect(layout.contentSize == Size(width: 316, height: 108))
    }

    @Test func viewUsesCustomLayout() {
        let view = CollectionView(
            layout: WaterfallLayout { path, width in width * (path.item % 3 == 0 ? 1.4 : 0.8) },
            bounds: Rect(x: 0, y: 0, width: 316, height: 300))
        let films = FilmSource()
        view.dataSource = films
        view.layoutIfNeeded()
        #expect(view.cell(at: IndexPath(section: 0, item: 0)) is FilmCell)
    }
}
