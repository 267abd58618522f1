import CollectionLayout
import CollectionView
import Testing

/// The samples of the article on the model.
@Suite struct ModelSamples {
    @Test func layoutWorksWithoutView() {
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

    @Test func viewManagesVisibleCells() {
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let films = FilmSource()
        view.dataSource = films
        view.layoutIfNeeded()
        view.contentOffset.y += 60
        let changes = view.layoutIfNeeded()
        print(changes.entered.count, "became visible,", changes.left.count, "disappeared")

        // Five in a row, rows every 60 points: the first row disappears, and of the next one the first point becomes
        // visible.
        #expect(changes.entered.count == 5)
        #expect(changes.left.count == 5)
    }

    @Test func decorationsHaveRegisteredViews() {
        let chapter = CompositionalLayout(section: CompositionalSamples.chapter())
        let view = CollectionView(layout: chapter, bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let films = FilmSource()
        view.register(BackgroundView.self, forDecorationViewOfKind: "background")
        view.dataSource = films
        view.layoutIfNeeded()
        let background = LayoutElement.decoration("background", IndexPath(item: 0, section: 0))
        #expect(view.reusableView(for: background) is BackgroundView)
    }

    @Test func recordedUpdatesReturnChanges() throws {
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

final class BackgroundView: ReusableView {}

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

/// The samples of the article on diffable data sources.
@Suite struct DiffableSamples {
    @Test func appliedSnapshotsUpdateView() throws {
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let registration = CellRegistration<FilmCell, String> { cell, _, title in cell.title = title }
        let source = DiffableDataSource<String, String>(view: view) { view, path, title in
            view.dequeueCell(using: registration, for: path, item: title)
        }

        var snapshot = Snapshot<String, String>()
        try snapshot.appendSections(["tonight", "tomorrow"])
        try snapshot.appendItems(["The Lighthouse", "Low Tide"], toSection: "tonight")
        try snapshot.appendItems(["Night Ferry"], toSection: "tomorrow")
        try source.apply(snapshot)

        try snapshot.moveItem("Night Ferry", beforeItem: "Low Tide")
        try snapshot.deleteItems(["The Lighthouse"])
        let changes = try source.apply(snapshot)
        print(changes.moved.count, "moved,", changes.left.count, "left")

        #expect(source.snapshot().itemIdentifiers == ["Night Ferry", "Low Tide"])
        #expect(changes.left.count == 1)
    }

    @Test func rejectedOperationLeavesSnapshotUnchanged() throws {
        var snapshot = Snapshot<String, Int>()
        try snapshot.appendSections(["tonight"])
        try snapshot.appendItems([1, 2])
        do {
            try snapshot.appendItems([3, 1])
        } catch .duplicateItem(let item) {
            print("Duplicate item:", item)
        }
        #expect(snapshot.itemIdentifiers == [1, 2])
    }

    @Test func outlineShowsExpandedItems() throws {
        var outline = SectionSnapshot<String>()
        try outline.append(["Films", "Sport"])
        try outline.append(["The Lighthouse", "Low Tide"], to: "Films")
        try outline.expand(["Films"])
        #expect(outline.visibleItems == ["Films", "The Lighthouse", "Low Tide", "Sport"])
    }

    @Test func differenceWorksWithoutView() throws {
        var old = Snapshot<String, Int>()
        try old.appendSections(["a"])
        try old.appendItems([1, 2, 3, 4])
        var new = old
        try new.moveItem(1, afterItem: 4)

        let updates = old.updates(to: new)
        print(updates)
        var expected = BatchUpdates()
        expected.moveItem(at: IndexPath(section: 0, item: 0), to: IndexPath(section: 0, item: 3))
        #expect(updates == expected)
    }
}
