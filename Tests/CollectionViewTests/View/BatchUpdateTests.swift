import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct BatchUpdateTests {
    @Test func cellsOfStayingAndMovedItemsAreKept() throws {
        let source = RowSource([["a", "b", "c", "d"]])
        let view = makeView(source)
        let (a, b, c, d) = (view.row(0, 0), view.row(0, 1), view.row(0, 2), view.row(0, 3))
        let requests = source.requests.count
        try view.performBatchUpdates { updates in
            source.sections = [["c", "a", "new", "d"]]
            updates.deleteItems(at: [path(0, 1)])
            updates.insertItems(at: [path(0, 2)])
            updates.moveItem(at: path(0, 2), to: path(0, 0))
        }
        expectEqual(view.rowNames, ["c", "a", "new", "d"])
        #expect(view.row(0, 0) === c && view.row(0, 1) === a && view.row(0, 3) === d)
        // The cell of the deleted item is reused for the inserted one.
        #expect(view.row(0, 2) === b && source.requests.count == requests + 1)
    }

    @Test func reloadingReplacesCellsAndReconfiguringKeepsThem() throws {
        let source = RowSource([["a", "b", "c"]])
        let view = makeView(source)
        let (a, b, c) = (view.row(0, 0), view.row(0, 1), view.row(0, 2))
        let changes = try view.performBatchUpdates { updates in
            source.sections = [["A", "B", "c"]]
            updates.reconfigureItems(at: [path(0, 0)])
            updates.reloadItems(at: [path(0, 1)])
        }
        #expect(view.row(0, 0) === a && a?.text == "A" && a?.configurations == 2 && a?.reuses == 0)
        #expect(view.row(0, 1)?.text == "B" && view.row(0, 2) === c && c?.configurations == 1)
        // A different cell: the reloaded one is stored only after the new one exists.
        #expect(view.row(0, 1) !== b && b?.reuses == 0)
        expectEqual(changes.reconfigured, [path(0, 0)])
        expectEqual(changes.left.map(\.attributes.indexPath), [path(0, 1)])
        expectEqual(changes.entered.map(\.attributes.indexPath), [path(0, 1)])
    }

    @Test func dataSourceCanReplaceReconfiguredCell() throws {
        let source = RowSource([["a"]])
        let view = makeView(source)
        let old = view.row(0, 0)
        source.others = ["a"]
        try view.performBatchUpdates { $0.reconfigureItems(at: [path(0, 0)]) }
        #expect(view.row(0, 0) !== old && view.row(0, 0)?.attributes.count == 1)
        // The other cell is kept for its registration.
        let next = view.dequeueCell(using: source.registration, for: path(0, 0), item: "x")
        #expect(next === old)
    }

    @Test func inconsistentUpdatesChangeNothing() {
        let source = RowSource([["a", "b", "c"]])
        let view = makeView(source)
        let (elements, cell) = (view.visibleElements, view.row(0, 1))
        #expect(throws: BatchUpdateError.self) {
            try view.performBatchUpdates { updates in
                source.sections = [["a"]]
                updates.deleteItems(at: [path(0, 1)])
            }
        }
        #expect(view.visibleElements == elements && view.row(0, 1) === cell)
        #expect(view.counts.itemCount(inSection: 0) == 3 && !view.needsLayout)
        view.reloadData()
        view.layoutIfNeeded()
        expectEqual(view.rowNames, ["a"])
    }

    @Test func nestedUpdatesThrow() throws {
        let source = RowSource([["a", "b"]])
        let view = makeView(source)
        try view.performBatchUpdates { _ in
            #expect(throws: BatchUpdateError.nested) { try view.performBatchUpdates { _ in } }
            view.setNeedsLayout()
            #expect(view.layoutIfNeeded().isEmpty)
        }
        #expect(!view.needsLayout && view.rowNames == ["a", "b"])
    }

    @Test func reloadingInClosureLoadsEverything() throws {
        let source = RowSource([["a", "b"]])
        let view = makeView(source)
        let changes = try view.performBatchUpdates { _ in
            source.sections = [["x"], ["y"]]
            view.reloadData()
        }
        expectEqual(view.rowNames, ["x", "y"])
        expectEqual(changes.entered.count, 2)
        expectEqual(changes.left.count, 2)
    }

    @Test func firstUpdatesLoadOldDataFirst() throws {
        let source = RowSource([["a"]])
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        try view.performBatchUpdates { updates in
            source.sections = [["a", "b"]]
            updates.insertItems(at: [path(0, 1)])
        }
        expectEqual(view.rowNames, ["a", "b"])
    }

    @Test func changesHaveInitialAndFinalAttributes() throws {
        let source = RowSource(rows: 10)
        let view = makeView(source)
        // r0 is deleted, and "new" is inserted as the second row: r5 remains invisible, and r1 moves up.
        let changes = try view.performBatchUpdates { updates in
            source.sections[0] = ["r1", "new"] + source.sections[0][2...]
            updates.deleteItems(at: [path(0, 0)])
            updates.insertItems(at: [path(0, 1)])
        }
        expectEqual(changes.entered.map(\.attributes.indexPath), [path(0, 1)])
        expectEqual(changes.entered.map(\.initial?.alpha), [0.25])
        expectEqual(changes.left.map(\.attributes.indexPath), [path(0, 0)])
        expectEqual(changes.left.map(\.final?.alpha), [0])
        expectEqual(changes.moved.map(\.old.indexPath), [path(0, 1)])
        expectEqual(changes.moved.map(\.new.indexPath), [path(0, 0)])
        expectEqual(changes.moved.map(\.new.frame.minY), [0])
    }

    @Test func elementThatWasInvisibleStartsAtItsOldFrame() throws {
        let source = RowSource(rows: 10)
        let view = makeView(source)
        let changes = try view.performBatchUpdates { updates in
            source.sections[0].swapAt(1, 8)
            updates.moveItem(at: path(0, 1), to: path(0, 8))
            updates.moveItem(at: path(0, 8), to: path(0, 1))
        }
        expectEqual(view.rowNames, ["r0", "r8", "r2", "r3", "r4"])
        expectEqual(changes.entered.map(\.initial?.frame.minY), [160])
        expectEqual(changes.entered.map(\.initial?.indexPath), [path(0, 1)])
        expectEqual(changes.left.map(\.final?.frame.minY), [160])
        #expect(changes.moved.isEmpty)
    }

    @Test func rowThatBecomesVisibleByDeletionComesFromBelow() throws {
        let source = RowSource(rows: 6)
        let view = makeView(source)
        let changes = try view.performBatchUpdates { updates in
            source.sections[0].removeFirst()
            updates.deleteItems(at: [path(0, 0)])
        }
        expectEqual(changes.entered.map(\.attributes.frame.minY), [80])
        expectEqual(changes.entered.map(\.initial?.frame.minY), [100])
    }

    @Test func headersMoveWithTheirSections() throws {
        let source = RowSource([["a"], ["b"], ["c"]])
        let view = makeView(source, RowTable(rowHeight: 10, headerHeight: 10))
        let headers = (0..<3).map { view.supplementaryView(ofKind: .header, at: path($0, 0)) as? RowHeader }
        try view.performBatchUpdates { updates in
            source.sections = [["c"], ["a"], ["b", "new"]]
            updates.moveSection(2, to: 0)
            updates.insertItems(at: [path(2, 1)])
        }
        let now = (0..<3).map { view.supplementaryView(ofKind: .header, at: path($0, 0)) as? RowHeader }
        #expect(now[0] === headers[2] && now[1] === headers[0])
        #expect(headers[0]?.configurations == 1 && headers[2]?.configurations == 1)
        // The items of the last section changed, so its header is configured again.
        #expect(now[2]?.configurations == 2 && now[2]?.text == "header [2, 0]")
    }

    @Test func offsetIsClampedWhenContentShrinks() throws {
        let source = RowSource(rows: 20)
        let view = makeView(source)
        view.setContentOffset(Point(x: 0, y: 300))
        view.layoutIfNeeded()
        try view.performBatchUpdates { updates in
            source.sections[0].removeLast(12)
            updates.deleteItems(at: (8..<20).map { path(0, $0) })
        }
        expectEqual(view.contentOffset, Point(x: 0, y: 60))
        expectEqual(view.rowNames, ["r3", "r4", "r5", "r6", "r7"])
    }

    /// After random updates, remaining elements keep their cells, and the view shows the new data.
    @Test func viewShowsDataAfterRandomUpdates() throws {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(1000) {
            let model = UpdateModel(using: &random)
            let source = RowSource(model.old.map { $0.items.map(String.init) })
            let view = makeView(source, bounds: Rect(x: 0, y: 0, width: 100, height: 2000))
            var cells: [String: RowCell] = [:]
            for place in view.visibleItems {
                cells[source.sections[place.section][place.item]] = view.row(place.section, place.item)
            }
            try view.performBatchUpdates { updates in
                source.sections = model.new.map { $0.items.map(String.init) }
                updates = UpdateModel.record(model.steps.shuffled(using: &random))
            }
            let names = model.new.flatMap { $0.items.map(String.init) }
            let reloaded = Set(model.reloaded.map(String.init))
            let replaced = view.visibleItems.filter { place in
                let name = source.sections[place.section][place.item]
                guard let old = cells[name], !reloaded.contains(name) else { return false }
                return view.row(place.section, place.item) !== old
            }
            guard view.rowNames == names, replaced.isEmpty else {
                Issue.record("\(view.rowNames) instead of \(names), replaced \(replaced), round \(round), seed \(seed)")
                return
            }
        }
    }
}
