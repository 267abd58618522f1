import CollectionLayout
import CollectionView
import Testing

/// Layouts ask functions that use the state of an actor, as controllers of an app do.
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

        func showList() {
            var list = ListConfiguration(appearance: .plain)
            list.itemSeparatorHandler = { [weak self] path, section in
                var separators = section
                if path.item == self?.columns { separators.bottomSeparatorVisibility = .hidden }
                return separators
            }
            show(CompositionalLayout { .list(using: list, layoutEnvironment: $1) })
        }

        private func show(_ layout: any CollectionViewLayout) {
            let view = CollectionView(layout: layout, bounds: Rect(x: 0, y: 0, width: 100, height: 300))
            view.dataSource = source
            view.layoutIfNeeded()
            self.view = view
        }

        func widths(of items: Int) -> [Double?] {
            (0..<items).map { view?.attributes(of: .item(IndexPath(item: $0, section: 0)))?.layoutFrame.width }
        }
    }

    @Test func sectionProviderUsesTheStateOfTheActor() {
        let controller = Controller()
        controller.showGrid()
        #expect(controller.widths(of: 2) == [50, 50])
        controller.columns = 4
        controller.view?.invalidateLayout()
        controller.view?.layoutIfNeeded()
        #expect(controller.widths(of: 4) == [25, 25, 25, 25])
    }

    @Test func flowDelegateUsesTheStateOfTheActor() {
        let controller = Controller()
        controller.showFlow()
        #expect(controller.widths(of: 4) == [40, 60, 40, 60])
    }

    @Test func separatorHandlerUsesTheStateOfTheActor() {
        let controller = Controller()
        controller.showList()
        func hasSeparator(_ item: Int) -> Bool {
            controller.view?.attributes(of: .decoration(.listSeparatorBottom, IndexPath(item: item, section: 0))) != nil
        }
        #expect(hasSeparator(0) && hasSeparator(1) && !hasSeparator(2))
    }

    /// A source that is isolated to the main actor.
    @MainActor private final class Titles: @MainActor CollectionViewDataSource {
        var titles = ["a", "b", "c"]

        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { titles.count }
    }

    @Test func dataSourceIsolatedToAnActorIsAsked() {
        let titles = Titles()
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 300, height: 100))
        view.dataSource = titles
        view.layoutIfNeeded()
        #expect(view.visibleItems.count == 3)
    }
}
