import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct DiffableDataSourceTests {
    /// A cell that records its item and how often it was configured since it was created or reused.
    final class Cell: ReusableView {
        var item: Int?
        var configurationCount = 0
        var reuses = 0

        func prepareForReuse() {
            item = nil
            configurationCount = 0
            reuses += 1
        }
    }

    /// Items one below the other, each 10 high, so that 20 are visible.
    struct Rows: CollectionViewLayout {
        var counts: [Int] = []

        mutating func prepare(in container: LayoutContainer) {
            counts = (0..<container.counts.sectionCount).map { container.counts.itemCount(inSection: $0) }
        }

        mutating func invalidate(with context: InvalidationContext) {}

        var contentSize: Size { Size(width: 100, height: Double(counts.reduce(0, +)) * 10) }

        func attributes(in rect: Rect) -> [LayoutAttributes] {
            counts.indices.flatMap { section in
                (0..<counts[section]).compactMap { attributes(of: .item(IndexPath(section: section, item: $0))) }
            }.filter { $0.frame.intersects(rect) }
        }

        func attributes(of element: LayoutElement) -> LayoutAttributes? {
            let path = element.indexPath
            guard case .item = element, counts.indices.contains(path.section), path.item < counts[path.section] else {
                return nil
            }
            let row = counts.prefix(path.section).reduce(0, +) + path.item
            return LayoutAttributes(element, frame: Rect(x: 0, y: Double(row) * 10, width: 100, height: 10))
        }
    }

    /// A view of 20 rows, its data source, and the cells by item.
    struct Stage {
        let view = CollectionView(layout: Rows(), bounds: Rect(x: 0, y: 0, width: 100, height: 200))
        let source: DiffableDataSource<Int, Int>

        init(_ items: [[Int]] = []) throws {
            let registration = CellRegistration<Cell, Int> { cell, _, item in
                cell.item = item
                cell.configurationCount += 1
            }
            source = DiffableDataSource(view: view) { view, path, item in
                view.dequeueCell(using: registration, for: path, item: item)
            }
            try source.apply(IntSnapshot(items))
        }

        func cell(_ item: Int) -> Cell? {
            source.indexPath(for: item).flatMap { view.cell(at: $0) as? Cell }
        }

        /// The items shown by cells, by the positions of the cells.
        var shown: [Int?] {
            view.visibleItems.map { (view.cell(at: $0) as? Cell)?.item }
        }
    }

    @Test func cellsStayWithTheirItems() throws {
        let stage = try Stage([[0, 1, 2], [3]])
        expectEqual(stage.shown, [0, 1, 2, 3])
        let cells = [1, 2, 3].map(stage.cell)
        let changes = try stage.source.apply(IntSnapshot([[3, 9, 1], [2]]))
        expectEqual(stage.shown, [3, 9, 1, 2])
        #expect(zip(cells, [1, 2, 3].map(stage.cell)).allSatisfy { $0 === $1 && $0 != nil })
        #expect(cells.allSatisfy { $0?.configurationCount == 1 })
        expectEqual(changes.entered.map(\.attributes.indexPath), [IndexPath(section: 0, item: 1)])
        expectEqual(changes.left.map(\.attributes.indexPath), [IndexPath(section: 0, item: 0)])
    }

    @Test func reconfiguringKeepsCellAndReloadingReplacesIt() throws {
        let stage = try Stage([[0, 1, 2]])
        let cells = [0, 1, 2].map(stage.cell)
        var snapshot = stage.source.snapshot()
        try snapshot.reconfigureItems([0])
        try snapshot.reloadItems([1])
        // An item that also moved is still reconfigured.
        try snapshot.moveItem(0, afterItem: 2)
        let changes = try stage.source.apply(snapshot)
        expectEqual(stage.shown, [1, 2, 0])
        #expect(stage.cell(0) === cells[0])
        expectEqual(stage.cell(0)?.configurationCount, 2)
        expectEqual(stage.cell(0)?.reuses, 0)
        // The replaced cell may be the next one to be reused.
        #expect(stage.cell(1) !== cells[1] || cells[1]?.reuses == 1)
        #expect(stage.cell(2) === cells[2])
        expectEqual(stage.cell(2)?.configurationCount, 1)
        expectEqual(changes.reconfigured, [IndexPath(section: 0, item: 2)])
        // Marks are cleared: applying the snapshot again does nothing.
        expectEqual(stage.source.snapshot().reloadedItemIdentifiers, [])
        #expect(try stage.source.apply(stage.source.snapshot()).isEmpty)
    }

    @Test func dataChangesBeforeView() throws {
        let view = CollectionView(layout: Rows(), bounds: Rect(x: 0, y: 0, width: 100, height: 200))
        var source: DiffableDataSource<Int, Int>?
        var answers: [Int: IndexPath?] = [:]
        source = DiffableDataSource(view: view) { _, _, item in
            answers[item] = source?.indexPath(for: item)
            return Cell()
        }
        try source?.apply(IntSnapshot([[0, 1], [2]]))
        answers = [:]
        try source?.apply(IntSnapshot([[5, 2, 0]]))
        expectEqual(answers, [5: IndexPath(section: 0, item: 0)])
    }

    @Test func selectionMovesWithItsItem() throws {
        let stage = try Stage([[0, 1], [2]])
        try stage.view.selectItem(at: IndexPath(section: 0, item: 1))
        try stage.source.apply(IntSnapshot(sections: [(7, [2, 5, 1]), (0, [0])]))
        expectEqual(stage.view.selectedItem, IndexPath(section: 0, item: 2))
        try stage.source.apply(IntSnapshot([[2, 5]]))
        expectEqual(stage.view.selectedItem, nil)
        try stage.view.selectItem(at: IndexPath(section: 0, item: 1))
        stage.source.applyUsingReloadData(try IntSnapshot([[2, 5]]))
        expectEqual(stage.view.selectedItem, nil)
        stage.view.layoutIfNeeded()
        expectEqual(stage.shown, [2, 5])
    }

    @Test func applyingSnapshotDuringLayoutThrows() throws {
        let view = CollectionView(layout: Rows(), bounds: Rect(x: 0, y: 0, width: 100, height: 200))
        var source: DiffableDataSource<Int, Int>?
        var error: BatchUpdateError?
        source = DiffableDataSource(view: view) { _, _, _ in
            do throws(BatchUpdateError) { try source?.apply(IntSnapshot()) } catch let caught { error = caught }
            return Cell()
        }
        try source?.apply(IntSnapshot([[1]]))
        expectEqual(error, .nested)
        expectEqual(source?.snapshot().itemIdentifiers, [1])
        expectEqual(view.visibleItems.count, 1)
    }

    @Test func inconsistentChangesReloadView() throws {
        /// Equal to its neighbors, against the rules of `Equatable`: 4 and 6 are both equal to the old 5, but not to
        /// each other.
        struct Fuzzy: Hashable, Sendable {
            let value: Int
            static func == (lhs: Fuzzy, rhs: Fuzzy) -> Bool { abs(lhs.value - rhs.value) <= 1 }
            func hash(into hasher: inout Hasher) {}
        }
        let view = CollectionView(layout: Rows(), bounds: Rect(x: 0, y: 0, width: 100, height: 200))
        let registration = CellRegistration<Cell, Int> { cell, _, item in cell.item = item }
        let source = DiffableDataSource<Int, Fuzzy>(view: view) { view, path, item in
            view.dequeueCell(using: registration, for: path, item: item.value)
        }
        try source.apply(Snapshot([[Fuzzy(value: 5)]]))
        let wrong = try Snapshot([[Fuzzy(value: 4), Fuzzy(value: 6)]])
        // 1 − 1 moved out + 1 moved in isn't 2.
        #expect {
            try source.apply(wrong)
        } throws: { error in
            guard case .itemCount(let count)? = error as? BatchUpdateError else { return false }
            return count.before == 1 && count.after == 2
        }
        // The data source has the new items anyway, and the view loads them in its next layout pass.
        expectEqual(source.snapshot().itemIdentifiers.map(\.value), [4, 6])
        #expect(view.needsLayout)
        view.layoutIfNeeded()
        expectEqual(view.visibleItems.map { (view.cell(at: $0) as? Cell)?.item }, [4, 6])
    }

    @Test func viewWithAnotherDataSourceIsNotUpdated() throws {
        let stage = try Stage([[0, 1]])
        let other = DiffableDataSource<Int, Int>(view: stage.view) { _, _, _ in nil }
        #expect(try stage.source.apply(IntSnapshot([[0, 1, 2]])).isEmpty)
        expectEqual(stage.source.snapshot().itemIdentifiers, [0, 1, 2])
        try other.apply(IntSnapshot([[7]]))
        stage.source.applyUsingReloadData(IntSnapshot())
        expectEqual(stage.view.visibleItems.count, 1)
    }

    @Test func indexPathsAndIdentifiersMapToEachOther() throws {
        let source = try Stage([[0, 1], [2]]).source
        expectEqual(source.itemIdentifier(for: IndexPath(section: 1, item: 0)), 2)
        expectEqual(source.itemIdentifier(for: IndexPath(section: 2, item: 0)), nil)
        expectEqual(source.indexPath(for: 1), IndexPath(section: 0, item: 1))
        expectEqual(source.indexPath(for: 8), nil)
        expectEqual(source.sectionIdentifier(for: 1), 1)
        expectEqual(source.index(for: 1), 1)
        expectEqual(source.index(for: 2), nil)
    }

    @Test func viewShowsEveryAppliedSnapshot() throws {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        let stage = try Stage()
        for number in 0..<TestScope.cases(3_000) {
            let snapshot = try SnapshotDifferencePropertyTests.snapshot(using: &random)
            let kept = snapshot.itemIdentifiers.filter {
                stage.source.indexPath(for: $0) != nil && !snapshot.reloadedItemIdentifiers.contains($0)
            }
            let cells = kept.map(stage.cell)
            try stage.source.apply(snapshot)
            let isKept = zip(cells, kept.map(stage.cell)).allSatisfy { $0 === $1 }
            guard stage.shown == snapshot.itemIdentifiers, isKept else {
                Issue.record("seed \(seed), step \(number): \(stage.shown) for \(snapshot.itemIdentifiers)")
                return
            }
        }
    }
}

@Suite struct OutlineDataSourceTests {
    typealias Stage = DiffableDataSourceTests.Stage

    /// 1 (11, 12 (121)), 2.
    private func outline(expanded: [Int]) throws -> SectionSnapshot<Int> {
        var outline = SectionSnapshot<Int>()
        try outline.append([1, 2])
        try outline.append([11, 12], to: 1)
        try outline.append([121], to: 12)
        try outline.expand(expanded)
        return outline
    }

    @Test func sectionShowsVisibleItemsOfItsOutline() throws {
        let stage = try Stage([[8], [9]])
        try stage.source.apply(outline(expanded: []), to: 0)
        expectEqual(stage.shown, [1, 2, 9])
        let cells = [1, 2, 9].map(stage.cell)
        try stage.source.apply(outline(expanded: [1]), to: 0)
        expectEqual(stage.shown, [1, 11, 12, 2, 9])
        #expect(zip(cells, [1, 2, 9].map(stage.cell)).allSatisfy { $0 === $1 })
        // Only expanded items are reconfigured.
        expectEqual([1, 2, 9].map { stage.cell($0)?.configurationCount }, [2, 1, 1])
        try expectEqual(stage.source.snapshot(for: 0), outline(expanded: [1]))
    }

    @Test func unknownSectionIsAppended() throws {
        let stage = try Stage([[8]])
        try stage.source.apply(outline(expanded: [1, 12]), to: 5)
        try expectEqual(stage.source.snapshot().rows, [[8], [1, 11, 12, 121, 2]])
        expectEqual(stage.source.sectionIdentifier(for: 1), 5)
    }

    @Test func sectionWithoutOutlineHasOnlyRootItems() throws {
        let stage = try Stage([[8, 9]])
        expectEqual(stage.source.snapshot(for: 0).rootItems, [8, 9])
        expectEqual(stage.source.snapshot(for: 4).items, [])
    }

    @Test func snapshotThatChangesItemsDiscardsOutline() throws {
        let stage = try Stage([[], [9]])
        try stage.source.apply(outline(expanded: []), to: 0)
        var snapshot = stage.source.snapshot()
        try snapshot.appendItems([10], toSection: 1)
        try stage.source.apply(snapshot)
        try expectEqual(stage.source.snapshot(for: 0), outline(expanded: []))
        try snapshot.appendItems([3], toSection: 0)
        try stage.source.apply(snapshot)
        expectEqual(stage.source.snapshot(for: 0).items, [1, 2, 3])
    }

    /// Item 11 moves to the other outline, 2 is marked, and 1 is expanded: one batch update, which knows all of it.
    @Test func outlinesOfSeveralSectionsAreAppliedAtOnce() throws {
        let stage = try Stage()
        var (first, second) = (try outline(expanded: [1]), SectionSnapshot<Int>())
        try second.append([7, 8])
        var snapshot = IntSnapshot()
        try snapshot.appendSections([0, 5])
        try stage.source.apply(snapshot, outlines: [0: first, 5: second])
        expectEqual(stage.shown, [1, 11, 12, 2, 7, 8])
        let cells = [1, 11, 2, 8].map(stage.cell)
        let passes = stage.view.preparationCount

        first = SectionSnapshot()
        try first.append([1, 2])
        try first.append([12], to: 1)
        try first.append([121], to: 12)
        try second.append([11])
        try snapshot.appendItems([1, 2], toSection: 0)
        try snapshot.reconfigureItems([2])
        try stage.source.apply(snapshot, outlines: [0: first, 5: second])
        expectEqual(stage.shown, [1, 2, 7, 8, 11])
        expectEqual(stage.view.preparationCount, passes + 1)
        #expect(zip(cells, [1, 11, 2, 8].map(stage.cell)).allSatisfy { $0 === $1 })
        expectEqual([1, 11, 2, 8].map { stage.cell($0)?.configurationCount }, [2, 1, 2, 1])
        expectEqual([0, 5].map { stage.source.snapshot(for: $0).items }, [[1, 12, 121, 2], [7, 8, 11]])
    }

    @Test func itemOfAnotherSectionIsRejected() throws {
        let stage = try Stage([[8], [2]])
        #expect(throws: IntError.duplicateItem(2)) { try stage.source.apply(outline(expanded: []), to: 0) }
        try expectEqual(stage.source.snapshot().rows, [[8], [2]])
        expectEqual(stage.shown, [8, 2])
    }
}
