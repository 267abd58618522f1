import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct SelectionTests {
    private let source = RowSource(rows: 20)
    private let delegate = RowDelegate()

    private func view() -> CollectionView {
        let view = makeView(source)
        view.delegate = delegate
        return view
    }

    private func tap(_ view: CollectionView, _ row: Int) {
        view.beginTouch(at: Point(x: 50, y: Double(row) * 20 + 10))
        view.endTouch()
    }

    @Test func touchCallsDelegateInOrderOfUIKit() {
        let view = view()
        expectEqual(view.beginTouch(at: Point(x: 50, y: 30)), path(0, 1))
        expectEqual(view.highlightedItem, path(0, 1))
        expectEqual(view.row(0, 1)?.state, CellState(isHighlighted: true))
        view.endTouch()
        expectEqual(
            delegate.log,
            [
                "shouldHighlight [0, 1]", "didHighlight [0, 1]", "shouldSelect [0, 1]", "didSelect [0, 1]",
                "didUnhighlight [0, 1]",
            ])
        expectEqual(view.selectedItem, path(0, 1))
        expectEqual(view.row(0, 1)?.state, CellState(isSelected: true))
    }

    @Test func singleSelectionDeselectsOtherItemWithoutDelegate() {
        let view = view()
        tap(view, 1)
        delegate.log = []
        tap(view, 2)
        expectEqual(
            delegate.log,
            [
                "shouldHighlight [0, 2]", "didHighlight [0, 2]", "shouldSelect [0, 2]", "didDeselect [0, 1]",
                "didSelect [0, 2]", "didUnhighlight [0, 2]",
            ])
        expectEqual(view.selectedItem, path(0, 2))
        expectEqual(view.row(0, 1)?.state, CellState())
    }

    @Test func singleSelectionSelectsSelectedItemAgain() {
        let view = view()
        tap(view, 1)
        delegate.log = []
        tap(view, 1)
        #expect(delegate.log.contains("didSelect [0, 1]") && !delegate.log.contains("shouldDeselect [0, 1]"))
        expectEqual(view.selectedItem, path(0, 1))
    }

    @Test func itemThatIsNotHighlightedIsNotSelected() {
        let view = view()
        delegate.forbidden = ["shouldHighlight"]
        tap(view, 1)
        #expect(delegate.log == ["shouldHighlight [0, 1]"] && view.selectedItem == nil)
    }

    @Test func delegateCanPreventSelection() {
        let view = view()
        tap(view, 1)
        delegate.forbidden = ["shouldSelect"]
        tap(view, 2)
        expectEqual(view.selectedItem, path(0, 1))
        expectEqual(view.highlightedItem, nil)
    }

    @Test func touchOnlyHighlightsIfSelectionIsDisabled() {
        let view = view()
        view.allowsSelection = false
        tap(view, 1)
        expectEqual(delegate.log, ["shouldHighlight [0, 1]", "didHighlight [0, 1]", "didUnhighlight [0, 1]"])
    }

    @Test func touchOutsideItemsHitsNothing() {
        let view = view()
        #expect(view.beginTouch(at: Point(x: 50, y: 1000)) == nil && delegate.log.isEmpty)
        view.endTouch()
        view.cancelTouch()
        #expect(delegate.log.isEmpty)
    }

    @Test func selectionByProgramDoesNotCallDelegate() throws {
        let view = view()
        try view.selectItem(at: path(0, 15))
        try view.selectItem(at: path(0, 2))
        expectEqual(view.selectedItem, path(0, 2))
        expectEqual(view.row(0, 2)?.state.isSelected, true)
        view.deselectItem()
        view.deselectItem()
        #expect(view.selectedItem == nil && view.row(0, 2)?.state.isSelected == false && delegate.log.isEmpty)
        #expect(throws: CollectionViewError.unknownItem(path(0, 20))) { try view.selectItem(at: path(0, 20)) }
        #expect(throws: CollectionViewError.unknownItem(path(.min, .max))) {
            try view.selectItem(at: path(.min, .max))
        }
    }

    @Test func cellsThatBecomeVisibleShowSelection() throws {
        let view = view()
        try view.selectItem(at: path(0, 10))
        view.contentOffset = Point(x: 0, y: 200)
        view.layoutIfNeeded()
        expectEqual(view.row(0, 10)?.state.isSelected, true)
        expectEqual(view.row(0, 11)?.state.isSelected, false)
        view.contentOffset = .zero
        view.layoutIfNeeded()
        #expect((0..<5).allSatisfy { view.row(0, $0)?.state == CellState() })
    }

    /// Item 0 is deleted, 1 becomes 0, 2 is reloaded and 4 moves to the end.
    @Test(arguments: [(0, nil), (1, 0), (2, 1), (4, 18)] as [(Int, Int?)])
    func selectionMovesWithItsItem(_ selected: Int, _ expected: Int?) throws {
        let view = view()
        try view.selectItem(at: path(0, selected))
        view.beginTouch(at: Point(x: 50, y: 90))
        delegate.log = []
        try view.performBatchUpdates { updates in
            source.sections[0].remove(at: 0)
            updates.deleteItems(at: [path(0, 0)])
            updates.moveItem(at: path(0, 4), to: path(0, 18))
            source.sections[0].insert(source.sections[0].remove(at: 3), at: 18)
            updates.reloadItems(at: [path(0, 2)])
        }
        expectEqual(view.selectedItem, expected.map { path(0, $0) })
        #expect(view.highlightedItem == path(0, 18) && delegate.log.isEmpty)
        // The new cell of the reloaded item shows it, too.
        for row in 0..<3 { expectEqual(view.row(0, row)?.state.isSelected, row == expected) }
    }

    @Test func reloadingDataClearsSelection() throws {
        let view = view()
        try view.selectItem(at: path(0, 1))
        view.beginTouch(at: Point(x: 50, y: 50))
        view.reloadData()
        #expect(view.selectedItem == nil && view.highlightedItem == nil)
        view.layoutIfNeeded()
        #expect((0..<5).allSatisfy { view.row(0, $0)?.state == CellState() })
        view.endTouch()
        #expect(view.selectedItem == nil)
    }
}

@Suite struct HitTests {
    private let source = RowSource([["a", "b", "c"], ["d", "e"]])

    @Test(arguments: [
        (0.0, 0.0, CollectionLayout.IndexPath?.some(path(0, 0))), (99.9, 19.9, path(0, 0)), (0, 20, path(0, 1)),
        (50, 60, path(1, 0)), (100, 30, nil), (50, 100, nil), (-0.1, 30, nil), (.nan, 30, nil), (.infinity, 0, nil),
    ])
    func edgeBelongsToLaterItem(x: Double, y: Double, expected: CollectionLayout.IndexPath?) {
        expectEqual(makeView(source).indexPathForItem(at: Point(x: x, y: y)), expected)
    }

    @Test func topmostItemIsHit() {
        var layout = RowTable()
        layout.look = { attributes in
            attributes.frame = Rect(x: 0, y: 0, width: 100, height: 100)
            attributes.zIndex = attributes.indexPath == path(0, 1) ? 1 : 0
            attributes.isHidden = attributes.indexPath == path(1, 1)
        }
        let view = makeView(source, layout)
        expectEqual(view.indexPathForItem(at: Point(x: 1, y: 1)), path(0, 1))
        expectEqual(
            view.elements(at: Point(x: 1, y: 1)).map(\.indexPath),
            [
                path(0, 0), path(0, 2), path(1, 0), path(0, 1),
            ])
    }

    @Test func coveringElementReceivesTouch() {
        var layout = RowTable(rowHeight: 20, headerHeight: 20)
        layout.pinsHeaders = true
        let view = makeView(source, layout, bounds: Rect(x: 0, y: 0, width: 100, height: 40))
        view.contentOffset = Point(x: 0, y: 30)
        view.layoutIfNeeded()
        // The header of the first section is at 30, above the rows at 20 and 40.
        expectEqual(view.beginTouch(at: Point(x: 50, y: 45)), nil)
        expectEqual(view.indexPathForItem(at: Point(x: 50, y: 45)), path(0, 1))
        expectEqual(view.beginTouch(at: Point(x: 50, y: 55)), path(0, 1))
    }

    @Test func nearlyTransparentItemsIgnoreTouches() {
        var layout = RowTable()
        layout.look = { $0.alpha = $0.indexPath == path(0, 0) ? 0.009 : 0.01 }
        let view = makeView(source, layout)
        expectEqual(view.beginTouch(at: Point(x: 50, y: 10)), nil)
        expectEqual(view.beginTouch(at: Point(x: 50, y: 30)), path(0, 1))
    }
}
