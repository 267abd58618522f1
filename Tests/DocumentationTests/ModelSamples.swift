import CollectionLayout
import CollectionView
import Testing

/// The samples of the article on the model.
@Suite struct ModelSamples {
    @Test func aLayoutAnswersByItself() {
        var layout = FlowLayout()
        layout.itemSize = Size(width: 100, height: 80)
        let bounds = Rect(x: 0, y: 0, width: 320, height: 480)
        layout.prepare(in: LayoutContainer(bounds: bounds, counts: ItemCounts([1_000_000])))
        for attributes in layout.attributes(in: bounds) {
            print(attributes.element, attributes.frame)
        }

        // Three in a row; rows begin every 90 points: 6 rows begin before 480.
        #expect(layout.attributes(in: bounds).count == 18)
        // 333,334 rows with 333,333 spaces between them.
        #expect(layout.contentSize.height == 333_334 * 80 + 333_333 * 10)
    }

    @Test func aViewKeepsTheCellsInSight() {
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let films = FilmSource()
        view.dataSource = films
        view.layoutIfNeeded()
        view.contentOffset.y += 60
        let changes = view.layoutIfNeeded()
        print(changes.entered.count, "came into sight,", changes.left.count, "went out of it")

        // Five in a row, rows every 60 points: the first goes, and of the next one the first point comes.
        #expect(changes.entered.count == 5)
        #expect(changes.left.count == 5)
    }

    @Test func decorationsHaveViewsOfTheRegisteredType() {
        let chapter = CompositionalLayout(section: CompositionalSamples.chapter())
        let view = CollectionView(layout: chapter, bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let films = FilmSource()
        view.register(GroundView.self, forDecorationViewOfKind: "background")
        view.dataSource = films
        view.layoutIfNeeded()
        let background = LayoutElement.decoration("background", IndexPath(item: 0, section: 0))
        #expect(view.reusableView(for: background) is GroundView)
    }

    @Test func whatComesAndGoesIsTold() throws {
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let films = FilmSource()
        view.dataSource = films
        view.layoutIfNeeded()
        let changes = try view.performBatchUpdates { updates in
            films.titles.removeFirst()
            updates.deleteItems(at: [IndexPath(section: 0, item: 0)])
        }
        #expect(changes.left.first?.attributes.indexPath == IndexPath(section: 0, item: 0))
        #expect(view.counts.itemCount(inSection: 0) == 999)
    }
}

final class GroundView: ReusableView {}

final class FilmCell: ReusableView {
    var title = ""
}

final class FilmSource: CollectionViewDataSource {
    var titles = (1...1000).map { "Film \($0)" }
    let registration = CellRegistration<FilmCell, String> { cell, _, title in
        cell.title = title
    }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        titles.count
    }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        view.dequeueCell(using: registration, for: path, item: titles[path.item])
    }
}
