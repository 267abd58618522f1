import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// Layouts that are changed where they are, and elements that belong to the layout as a whole.
@Suite struct ChangedLayoutTests {
    @Test func aLayoutIsChangedInPlaceAndTheChangeSaysWhatIsInvalid() {
        let source = RowSource(rows: 20)
        let view = makeView(source)
        let cells = (0..<2).map { view.row(0, $0) }
        let (preparations, requests) = (view.preparationCount, source.requests.count)
        #expect(
            view.changeLayout(RowTable.self) { table in
                table.rowHeight = 50
                return .everything
            })
        #expect(view.needsLayout)
        let changes = view.layoutIfNeeded()
        #expect(view.preparationCount == preparations + 1 && source.requests.count == requests)
        #expect(view.seen == ["r0", "r1"] && view.row(0, 0) === cells[0] && view.row(0, 1) === cells[1])
        #expect(changes.moved.map(\.new.layoutFrame.height) == [50, 50] && changes.left.count == 3)
        #expect((view.layout as? RowTable)?.contexts.last == .everything)
    }

    @Test func aLayoutOfAnotherTypeIsLeftAlone() {
        let view = makeView(RowSource(rows: 2))
        #expect(!view.changeLayout(FlowLayout.self) { _ in .everything })
        #expect(!view.needsLayout && view.layout is RowTable)
    }

    @Test func aContextThatInvalidatesCountsHasTheDataCountedAnewAndCellsStay() {
        let source = RowSource(rows: 2)
        let view = makeView(source)
        let first = view.row(0, 0)
        source.sections = [["r0", "r1", "r2"]]
        view.changeLayout(RowTable.self) { _ in .counts }
        view.layoutIfNeeded()
        #expect(view.seen == ["r0", "r1", "r2"] && view.row(0, 0) === first)
        #expect(view.diagnostics.isEmpty)
        source.sections = [["r0"]]
        view.changeLayout(RowTable.self) { _ in .counts }
        view.layoutIfNeeded()
        #expect(view.seen == ["r0"] && view.row(0, 0) === first && view.diagnostics.isEmpty)
    }

    /// Rows of 20, then of 10: r8 stood at 160 when it was out of sight, and comes from there.
    @Test func aLayoutThatIsChangedDuringUpdatesIsComparedWithTheOldOne() throws {
        let source = RowSource(rows: 9)
        let view = makeView(source)
        let changes = try view.performBatchUpdates { updates in
            source.sections[0].removeFirst()
            updates.deleteItems(at: [path(0, 0)])
            view.changeLayout(RowTable.self) { table in
                table.rowHeight = 10
                return .everything
            }
        }
        #expect(view.seen == (1...8).map { "r\($0)" })
        #expect(changes.entered.last?.initial?.layoutFrame == Rect(x: 0, y: 160, width: 100, height: 20))
        #expect(changes.entered.last?.attributes.layoutFrame == Rect(x: 0, y: 70, width: 100, height: 10))
    }

    /// Batch updates count once, as before.
    @Test func updatesAreCountedOnce() throws {
        let source = RowSource(rows: 2)
        let view = makeView(source)
        let countings = source.countings
        try view.performBatchUpdates { updates in
            source.sections = [["r0", "r1", "r2"]]
            updates.insertItems(at: [path(0, 2)])
        }
        #expect(source.countings == countings + 1 && view.seen == ["r0", "r1", "r2"])
    }

    /// No change of the data concerns a header of the whole layout.
    @Test func aHeaderOfTheWholeLayoutStaysOverUpdates() throws {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(20))
        var configuration = LayoutConfiguration()
        configuration.boundarySupplementaryItems = [
            BoundarySupplementary(elementKind: .header, layoutSize: size, alignment: .top)
        ]
        let layout = CompositionalLayout(configuration: configuration) { _, _ in
            LayoutSection(group: .vertical(layoutSize: size, subitem: .item(LayoutItem(layoutSize: .full)), count: 1))
        }
        let source = RowSource([["a", "b"], ["c"]])
        let view = makeView(source, layout)
        let delegate = SightDelegate()
        view.delegate = delegate
        let place = IndexPath(section: IndexPath.wholeLayoutSection, item: 0)
        let header = view.supplementaryView(ofKind: .header, at: place)
        #expect(header != nil)
        let changes = try view.performBatchUpdates { updates in
            source.sections = [["c", "d"]]
            updates.deleteSections([0])
            updates.insertItems(at: [path(0, 1)])
        }
        #expect(view.seen == ["c", "d"] && view.supplementaryView(ofKind: .header, at: place) === header)
        #expect(changes.entered.allSatisfy { $0.attributes.element.kind == nil })
        #expect(changes.left.allSatisfy { $0.attributes.element.kind == nil })
        #expect(!delegate.log.contains { $0.contains("header") })
    }
}
