import CollectionLayout
import CollectionView
import TestSupport
import Testing

/// Methods with UIKit's names and argument orders, for ported code.
@Suite struct ConvenienceTests {
    @Test func indexPathAcceptsItemAndSectionInUIKitOrder() {
        expectEqual(IndexPath(item: 3, section: 1), IndexPath(section: 1, item: 3))
    }

    /// 300 points: an item of one third next to a group of two thirds with two items, one above the other.
    @Test func groupsAcceptItemsAndGroupsInOneList() {
        let third = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1.0 / 3), heightDimension: .fractionalHeight(1)))
        let half = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(0.5)))
        let pair = LayoutGroup.vertical(
            layoutSize: LayoutSize(
                widthDimension: .fractionalWidth(2.0 / 3), heightDimension: .fractionalHeight(1)),
            repeatingSubitem: half, count: 2)
        let row = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(60)),
            subitems: [third, pair])
        var layout = CompositionalLayout(section: LayoutSection(group: row))
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 300, height: 100), counts: ItemCounts([3])))
        let frames = (0..<3).map { layout.attributes(of: .item(IndexPath(item: $0, section: 0)))?.frame }
        expectEqual(
            frames,
            [
                Rect(x: 0, y: 0, width: 100, height: 60), Rect(x: 100, y: 0, width: 200, height: 30),
                Rect(x: 100, y: 30, width: 200, height: 30),
            ])
    }

    /// Rows of 20 become rows of 40, of which three are visible in 100 points.
    @Test func assignedLayoutTakesEffectInNextPass() {
        let view = makeView(RowSource(rows: 10))
        let first = view.row(0, 0)
        view.layout = RowTable(rowHeight: 40)
        #expect(view.needsLayout)
        view.layoutIfNeeded()
        #expect(view.visibleItems.count == 3 && view.row(0, 0) === first)
        expectEqual((view.layout as? RowTable)?.rowHeight, 40)
    }

    @Test func defaultContentHasStyleOfCell() {
        var cell = ListCell(content: ContentConfiguration(style: .subtitleCell))
        cell.content.text = "Tatort"
        expectEqual(cell.defaultContentConfiguration(), ContentConfiguration(style: .subtitleCell))
    }
}

/// Behavior on which a port of `layout.register(_:forDecorationViewOfKind:)` relies.
@Suite struct DecorationViewTests {
    private final class BackgroundView: ReusableView {
        var frames: [Rect] = []
        var reuses = 0
        var measurements = 0

        func prepareForReuse() { reuses += 1 }

        func apply(_ attributes: LayoutAttributes) { frames.append(attributes.frame) }

        func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
            measurements += 1
            return attributes
        }
    }

    /// Records the decoration views that it receives.
    private final class Host: CollectionViewDelegate {
        var shown: [ObjectIdentifier] = []
        var hidden: [ObjectIdentifier] = []

        func collectionView(
            _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes
        ) {
            if let ground = content as? BackgroundView { shown.append(ObjectIdentifier(ground)) }
        }

        func collectionView(
            _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes
        ) {
            if let ground = content as? BackgroundView { hidden.append(ObjectIdentifier(ground)) }
        }
    }

    /// Sections with one row of 100, each with a background.
    private func makeLayout() -> CompositionalLayout {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.decorationItems = [.background(elementKind: "ground")]
        return CompositionalLayout(section: section)
    }

    private func background(_ section: Int) -> LayoutElement {
        .decoration("ground", IndexPath(item: 0, section: section))
    }

    @Test func registeredDecorationViewReachesDelegate() throws {
        let (source, host) = (RowSource([["a"], ["b"], ["c"], ["d"]]), Host())
        let view = CollectionView(layout: makeLayout(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.register(BackgroundView.self, forDecorationViewOfKind: "ground")
        view.dataSource = source
        view.delegate = host
        view.layoutIfNeeded()
        let ground = try #require(view.reusableView(for: background(0)) as? BackgroundView)
        expectEqual(ground.frames, [Rect(x: 0, y: 0, width: 100, height: 100)])
        #expect(host.shown == [ObjectIdentifier(ground)] && host.hidden.isEmpty)
        expectEqual(ground.measurements, 0)
    }

    @Test func decorationViewsAreReused() throws {
        let source = RowSource([["a"], ["b"], ["c"], ["d"]])
        let view = CollectionView(layout: makeLayout(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.register(BackgroundView.self, forDecorationViewOfKind: "ground")
        view.dataSource = source
        view.layoutIfNeeded()
        let first = try #require(view.reusableView(for: background(0)) as? BackgroundView)
        view.contentOffset.y = 100
        view.layoutIfNeeded()
        let second = try #require(view.reusableView(for: background(1)) as? BackgroundView)
        #expect(view.reusableView(for: background(0)) == nil)
        #expect(second === first && first.reuses == 1)
        expectEqual(first.frames.last, Rect(x: 0, y: 100, width: 100, height: 100))
    }

    @Test func decorationOfAnotherKindHasNoView() {
        let source = RowSource([["a"]])
        let view = CollectionView(layout: makeLayout(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.register(BackgroundView.self, forDecorationViewOfKind: "other")
        view.dataSource = source
        view.layoutIfNeeded()
        #expect(view.visibleElements.map(\.element).contains(background(0)))
        #expect(view.reusableView(for: background(0)) == nil)
    }
}

/// Layouts call closures that use the state of an actor, like the controllers of an app.
@MainActor @Suite struct MainActorClientTests {
    @MainActor private final class Controller {
        var columns = 2
        var widths = [40.0, 60]
        private(set) var view: CollectionView?
        private let source = RowSource(rows: 4)

        func showGrid() {
            let layout = CompositionalLayout { [weak self] _, _ in
                guard let self else { return nil }
                let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(20))
                return LayoutSection(
                    group: .horizontal(layoutSize: size, subitem: LayoutItem(layoutSize: .full), count: self.columns))
            }
            show(layout)
        }

        func showFlow() {
            var layout = FlowLayout()
            layout.minimumInteritemSpacing = 0
            layout.delegate.sizeForItem = { [weak self] path in
                Size(width: self?.widths[path.item % 2] ?? 0, height: 20)
            }
            show(layout)
        }

        private func show(_ layout: any CollectionViewLayout) {
            let view = CollectionView(layout: layout, bounds: Rect(x: 0, y: 0, width: 100, height: 300))
            view.dataSource = source
            view.layoutIfNeeded()
            self.view = view
        }

        func widths(of items: Int) -> [Double?] {
            (0..<items).map { view?.attributes(of: .item(IndexPath(item: $0, section: 0)))?.frame.width }
        }
    }

    @Test func sectionProviderUsesActorState() {
        let controller = Controller()
        controller.showGrid()
        expectEqual(controller.widths(of: 2), [50, 50])
        controller.columns = 4
        controller.view?.invalidateLayout()
        controller.view?.layoutIfNeeded()
        expectEqual(controller.widths(of: 4), [25, 25, 25, 25])
    }

    @Test func flowDelegateUsesActorState() {
        let controller = Controller()
        controller.showFlow()
        expectEqual(controller.widths(of: 4), [40, 60, 40, 60])
    }

    /// A data source isolated to the main actor.
    @MainActor private final class Titles: @MainActor CollectionViewDataSource {
        var titles = ["a", "b", "c"]

        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { titles.count }
    }

    @Test func isolatedDataSourceIsCalled() {
        let titles = Titles()
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 300, height: 100))
        view.dataSource = titles
        view.layoutIfNeeded()
        expectEqual(view.visibleItems.count, 3)
    }
}
