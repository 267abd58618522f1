import CollectionLayout
import CollectionView
import Testing

/// The samples of the article on diffable data sources.
@Suite struct DiffableSamples {
    @Test func snapshotsAreAppliedAndTheViewFollows() throws {
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

    @Test func aRefusedOperationLeavesTheSnapshotAsItWas() throws {
        var snapshot = Snapshot<String, Int>()
        try snapshot.appendSections(["tonight"])
        try snapshot.appendItems([1, 2])
        do {
            try snapshot.appendItems([3, 1])
        } catch .duplicateItem(let item) {
            print("There is a second", item)
        }
        #expect(snapshot.itemIdentifiers == [1, 2])
    }

    @Test func anOutlineShowsWhatIsExpanded() throws {
        var outline = SectionSnapshot<String>()
        try outline.append(["Films", "Sport"])
        try outline.append(["The Lighthouse", "Low Tide"], to: "Films")
        try outline.expand(["Films"])
        #expect(outline.visibleItems == ["Films", "The Lighthouse", "Low Tide", "Sport"])
    }

    @Test func theDifferenceStandsByItself() throws {
        var old = Snapshot<String, Int>()
        try old.appendSections(["a"])
        try old.appendItems([1, 2, 3, 4])
        var new = old
        try new.moveItem(1, afterItem: 4)

        let difference = SnapshotDifference(from: old, to: new)
        print(difference.changes.movedItems)
        #expect(difference.changes.movedItems.count == 1)
        #expect(try old.applying(difference) == new)
    }
}
