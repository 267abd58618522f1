import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct SelfSizingTests {
    private func estimating(_ configure: (inout RowTable) -> Void = { _ in }) -> RowTable {
        var layout = RowTable()
        layout.takesPreferredHeights = true
        configure(&layout)
        return layout
    }

    @Test func cellsGetTheHeightsThatTheyPrefer() {
        let source = RowSource(rows: 4)
        source.heights = ["r0": 30, "r1": 5]
        let view = makeView(source, estimating())
        #expect(view.visibleElements.map(\.layoutFrame.minY) == [0, 30, 35, 55])
        #expect(view.contentSize.height == 75 && view.diagnostics.isEmpty)
        #expect(view.preparationCount == 2)
    }

    @Test func theRectangleIsAskedForAgainSoThatNothingIsMissing() {
        let source = RowSource(rows: 20)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<20).map { ("r\($0)", 10) })
        let view = makeView(source, estimating())
        // Five are seen at 20 each, all ten at 10 each; those that come in are measured too.
        #expect(view.seen == (0..<10).map { "r\($0)" })
        #expect(view.visibleElements.allSatisfy { $0.layoutFrame.height == 10 })
        #expect(view.contentSize.height == 10 * 10 + 10 * 20)
    }

    @Test func onceMeasuredTheyAreNotAskedAgainWhileTheyStay() {
        let source = RowSource(rows: 20)
        source.heights = ["r1": 25]
        let view = makeView(source, estimating())
        let cell = view.row(0, 1)
        let questions = cell?.questions
        view.setContentOffset(Point(x: 0, y: 10))
        view.layoutIfNeeded()
        #expect(cell?.questions == questions && questions == 2)
    }

    @Test func cellsThatOnlyMoveAreNotAskedAgain() throws {
        let source = RowSource(rows: 3)
        let view = makeView(source, estimating())
        try view.performBatchUpdates { updates in
            source.sections[0].insert("new", at: 0)
            updates.insertItems(at: [path(0, 0)])
        }
        #expect((0..<4).map { view.row(0, $0)?.questions } == [1, 1, 1, 1])
        #expect(view.row(0, 3)?.attributes.map(\.frame.minY) == [40, 60])
    }

    @Test func aLayoutThatDoesNotTakeSizesIsNotPreparedAgain() {
        let source = RowSource(rows: 4)
        source.heights = ["r0": 30]
        let view = makeView(source)
        #expect(view.preparationCount == 1 && view.contentSize.height == 80)
    }

    @Test func sizesThatNeverSettleEndInADiagnostic() {
        final class Restless: CollectionViewDataSource {
            final class Cell: RowCell {
                override func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
                    preferredHeight = attributes.layoutFrame.height == 20 ? 30 : 20
                    return super.preferredAttributes(fitting: attributes)
                }
            }
            let registration = CellRegistration<Cell, Int> { _, _, _ in }
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 2 }
            func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
                view.dequeueCell(using: registration, for: path, item: 0)
            }
        }
        let source = Restless()
        let view = CollectionView(layout: estimating(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.layoutIfNeeded()
        #expect(view.diagnostics.map(\.problem) == [.unsettledEstimates])
        #expect(view.preparationCount == CollectionView.selfSizingLimit + 1)
        #expect((view.cell(at: path(0, 0)) as? RowCell)?.questions == CollectionView.selfSizingLimit)
        // The last sizes stand, and the view has come to rest.
        #expect(view.contentSize.height == 40 && !view.needsLayout)
    }

    @Test func whatIsSeenStandsStillWhenHeightsAboveChange() {
        let source = RowSource(rows: 30)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<30).map { ("r\($0)", 26) })
        let layout = estimating {
            $0.holdsStill = true
            // Prepared for each change of the bounds, with nothing invalidated.
            $0.pinsHeaders = true
        }
        let view = makeView(source, layout)
        // Five rows were seen and measured: r5 begins at 130, and those after it are 20 high until they are seen.
        view.setContentOffset(Point(x: 0, y: 315))
        view.layoutIfNeeded()
        // r14 begins at 310, above the bounds, and grows by 6: so does the offset, and r15 stays 15 below the edge.
        #expect(view.visibleElements.first?.layoutFrame == Rect(x: 0, y: 310, width: 100, height: 26))
        #expect(view.contentOffset.y == 321 && view.visibleElements[1].layoutFrame.minY == 336)
    }

    @Test func headersSizeThemselvesAsCellsDo() {
        let source = RowSource([["a", "b"], ["c"]])
        source.heights = ["header": 44, "b": 30]
        var flow = FlowLayout()
        flow.estimatedItemSize = Size(width: 100, height: 20)
        flow.minimumLineSpacing = 0
        flow.headerReferenceSize = Size(width: 0, height: 10)
        let view = makeView(source, flow)
        // Header 44, rows of 20 and 30; the second header begins at 94 and is seen.
        #expect(view.attributes(of: .supplementary(.header, path(1, 0)))?.layoutFrame.minY == 94)
        #expect(view.attributes(of: .supplementary(.header, path(1, 0)))?.layoutFrame.height == 44)
        #expect(view.contentSize.height == 94 + 44 + 20 && view.diagnostics.isEmpty)
    }

    @Test func aViewThatGrowsTallerKeepsWhatWasMeasured() {
        let source = RowSource(rows: 3)
        source.heights = ["r0": 30, "r1": 30, "r2": 30]
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(20))
        let section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: size))]))
        let view = makeView(source, CompositionalLayout(section: section))
        #expect(view.contentSize.height == 90)
        let preparations = view.preparationCount
        view.bounds = Rect(x: 0, y: 0, width: 100, height: 120)
        view.layoutIfNeeded()
        #expect(view.contentSize.height == 90 && view.preparationCount == preparations + 1)
    }

    @Test func twoItemsOfARowThatGrowMoveTheOffsetOnce() {
        let source = RowSource(rows: 12)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<12).map { ("r\($0)", 30) })
        var layout = FlowLayout()
        layout.estimatedItemSize = Size(width: 45, height: 20)
        layout.minimumLineSpacing = 0
        let view = CollectionView(layout: layout, bounds: Rect(x: 0, y: 0, width: 100, height: 20))
        view.dataSource = source
        view.layoutIfNeeded()
        // Rows of two: the first is 30 high, the five others 20 until they are seen. At 45 the second row, 30 to 50, is cut.
        view.setContentOffset(Point(x: 0, y: 45))
        view.layoutIfNeeded()
        // It grows by 10 for both of its items, and the third row stays 5 below the edge.
        #expect(view.contentOffset.y == 55)
        #expect(view.attributes(of: .item(path(0, 4)))?.frame.minY == 60)
    }

    @Test(arguments: [-5.0, .infinity, .nan])
    func heightsThatAreNoneAreMendedWithADiagnostic(_ height: Double) {
        let source = RowSource(rows: 2)
        source.heights = ["r0": height]
        let view = makeView(source, estimating())
        #expect(view.contentSize.height.isFinite && view.visibleElements.allSatisfy { $0.layoutFrame.height.isFinite })
        #expect(view.contentSize.height >= 20 && view.diagnostics.count <= 1)
    }

    @Test func reconfiguredCellsAreAskedAgain() throws {
        let source = RowSource(rows: 3)
        let view = makeView(source, estimating())
        let changes = try view.performBatchUpdates { updates in
            source.heights = ["r0": 50]
            updates.reconfigureItems(at: [path(0, 0)])
        }
        #expect(view.contentSize.height == 90)
        #expect(changes.moved.map(\.new.layoutFrame.minY) == [0, 50, 70])
    }

    @Test func cellsAreMeasuredAgainAfterEverythingWasInvalidated() {
        let source = RowSource(rows: 3)
        source.heights = ["r0": 30]
        let view = makeView(source, estimating())
        view.invalidateLayout()
        view.layoutIfNeeded()
        #expect(view.contentSize.height == 70)
    }
}
