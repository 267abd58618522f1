import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// What measuring on the way does to the view.
@Suite struct MeasuringViewTests {
    /// The view and its source, which the view doesn't keep alive.
    private struct Table {
        let source: RowSource
        let view: CollectionView

        init(estimate: Double, heights: Double, rows: Int) {
            source = RowSource(rows: rows)
            source.heights = Dictionary(uniqueKeysWithValues: (0..<rows).map { ("r\($0)", heights) })
            var table = RowTable(rowHeight: estimate)
            table.takesPreferredHeights = true
            view = makeView(source, table)
        }
    }

    /// An estimate of 80 shows two rows of 5 at first: 20 fill the view.
    @Test func anEstimateThatIsFarTooLargeIsReplacedByAllThatComesIntoSight() {
        let table = Table(estimate: 80, heights: 5, rows: 100)
        let view = table.view
        #expect(view.seen == (0..<20).map { "r\($0)" })
        #expect(view.visibleElements.allSatisfy { $0.layoutFrame.height == 5 })
        #expect(view.diagnostics.isEmpty && !view.needsLayout)
    }

    /// However many come into sight, it ends.
    @Test func rowsThatTakeNoRoomDoNotKeepTheViewMeasuring() {
        let table = Table(estimate: 80, heights: 0, rows: 5000)
        let view = table.view
        #expect(view.preparationCount <= CollectionView.selfSizingRoundLimit + 2)
        #expect(view.diagnostics.contains { $0.problem == .unsettledEstimates })
    }

    /// 30 rows of 50, of which the last begins at 1450 once all before it that are seen on the way are measured.
    @Test func whatWasScrolledToIsSeenWhereItWasWantedAfterMeasuring() throws {
        let table = Table(estimate: 20, heights: 50, rows: 30)
        let view = table.view
        for (item, position) in [(29, ScrollPosition.bottom), (10, .top), (20, .centeredVertically)] {
            try view.scrollToItem(at: path(0, item), position: position)
            view.layoutIfNeeded()
            let frame = try #require(view.attributes(of: .item(path(0, item)))?.layoutFrame)
            #expect(frame.height == 50)
            switch position {
            case .bottom: #expect(frame.maxY == view.bounds.maxY)
            case .top: #expect(frame.minY == view.bounds.minY)
            default: #expect(frame.center.y == view.bounds.center.y)
            }
        }
    }

    @Test func aTargetIsForgottenWhenTheViewIsScrolledElsewhere() throws {
        let table = Table(estimate: 20, heights: 50, rows: 30)
        let view = table.view
        try view.scrollToItem(at: path(0, 29), position: .bottom)
        view.contentOffset = .zero
        view.layoutIfNeeded()
        #expect(view.contentOffset == .zero)
    }

    /// A third of a point has no binary fraction: told from the edges, the size would drift.
    @Test func theSizeOfTheBoundsDoesNotDriftWhileScrolling() {
        let table = Table(estimate: 20, heights: 20, rows: 2000)
        let view = table.view
        for _ in 0..<1000 {
            view.contentOffset.y += 100.0 / 3
            view.layoutIfNeeded()
        }
        #expect((view.bounds.height - 100).magnitude < 1e-9)
    }

    @Test func aHeaderKeepsItsViewAndIsFilledAgainWhereItsItemsChange() throws {
        let source = RowSource([["a", "b"], ["c"]])
        let view = makeView(source, RowTable(headerHeight: 10))
        let headers = (0..<2).map { view.supplementaryView(ofKind: .header, at: path($0, 0)) as? RowHeader }
        let changes = try view.performBatchUpdates { updates in
            source.sections = [["a"], ["c"]]
            updates.deleteItems(at: [path(0, 1)])
        }
        #expect(view.supplementaryView(ofKind: .header, at: path(0, 0)) === headers[0])
        #expect(view.supplementaryView(ofKind: .header, at: path(1, 0)) === headers[1])
        #expect(headers.map { $0?.configurations } == [2, 1] && headers[0]?.reuses == 0)
        #expect(changes.left.map(\.attributes.element) == [.item(path(0, 1))] && changes.entered.isEmpty)
    }
}
