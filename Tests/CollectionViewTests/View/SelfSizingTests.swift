import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct SelfSizingTests {
    private func estimating(_ configure: (inout RowTable) -> Void = { _ in }) -> RowTable {
        var layout = RowTable()
        layout.usesPreferredHeights = true
        configure(&layout)
        return layout
    }

    @Test func cellsGetPreferredHeights() {
        let source = RowSource(rows: 4)
        source.heights = ["r0": 30, "r1": 5]
        let view = makeView(source, estimating())
        expectEqual(view.visibleElements.map(\.frame.minY), [0, 30, 35, 55])
        #expect(view.contentSize.height == 75 && view.diagnostics.isEmpty)
        expectEqual(view.preparationCount, 2)
    }

    @Test func rectangleIsQueriedAgainAfterMeasuring() {
        let source = RowSource(rows: 20)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<20).map { ("r\($0)", 10) })
        let view = makeView(source, estimating())
        // Five rows are visible at 20 each, all ten at 10 each; those that become visible are measured, too.
        expectEqual(view.rowNames, (0..<10).map { "r\($0)" })
        #expect(view.visibleElements.allSatisfy { $0.frame.height == 10 })
        expectEqual(view.contentSize.height, 10 * 10 + 10 * 20)
    }

    @Test func visibleCellsAreMeasuredOnce() {
        let source = RowSource(rows: 20)
        source.heights = ["r1": 25]
        let view = makeView(source, estimating())
        let cell = view.row(0, 1)
        let measurements = cell?.measurements
        view.setContentOffset(Point(x: 0, y: 10))
        view.layoutIfNeeded()
        expectEqual(cell?.measurements, measurements)
        expectEqual(measurements, 2)
    }

    @Test func cellsThatOnlyMoveAreNotMeasuredAgain() throws {
        let source = RowSource(rows: 3)
        let view = makeView(source, estimating())
        try view.performBatchUpdates { updates in
            source.sections[0].insert("new", at: 0)
            updates.insertItems(at: [path(0, 0)])
        }
        expectEqual((0..<4).map { view.row(0, $0)?.measurements }, [1, 1, 1, 1])
        expectEqual(view.row(0, 3)?.attributes.map(\.frame.minY), [40, 60])
    }

    @Test func layoutThatIgnoresSizesIsNotPreparedAgain() {
        let source = RowSource(rows: 4)
        source.heights = ["r0": 30]
        let view = makeView(source)
        expectEqual(view.preparationCount, 1)
        expectEqual(view.contentSize.height, 80)
    }

    @Test func sizesThatKeepChangingCauseDiagnostic() {
        final class UnsettledSource: CollectionViewDataSource {
            final class Cell: RowCell {
                override func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
                    preferredHeight = attributes.frame.height == 20 ? 30 : 20
                    return super.preferredAttributes(fitting: attributes)
                }
            }
            let registration = CellRegistration<Cell, Int> { _, _, _ in }
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 2 }
            func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
                view.dequeueCell(using: registration, for: path, item: 0)
            }
        }
        let source = UnsettledSource()
        let view = CollectionView(layout: estimating(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.layoutIfNeeded()
        expectEqual(view.diagnostics.map(\.problem), [.unsettledEstimates])
        expectEqual(view.preparationCount, CollectionView.selfSizingLimit + 1)
        expectEqual((view.cell(at: path(0, 0)) as? RowCell)?.measurements, CollectionView.selfSizingLimit)
        // The last sizes remain, and the view has settled.
        #expect(view.contentSize.height == 40 && !view.needsLayout)
    }

    @Test func visibleContentStaysInPlaceWhenHeightsAboveChange() {
        let source = RowSource(rows: 30)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<30).map { ("r\($0)", 26) })
        let layout = estimating {
            $0.keepsVisibleContent = true
            // Prepared for each change of the bounds, with nothing invalidated.
            $0.pinsHeaders = true
        }
        let view = makeView(source, layout)
        // Five rows were visible and measured: r5 begins at 130, and the following rows are 20 high until they are
        // visible.
        view.setContentOffset(Point(x: 0, y: 315))
        view.layoutIfNeeded()
        // r14 begins at 310, above the bounds, and grows by 6. So does the offset, and r15 stays 15 below the edge.
        expectEqual(view.visibleElements.first?.frame, Rect(x: 0, y: 310, width: 100, height: 26))
        #expect(view.contentOffset.y == 321 && view.visibleElements[1].frame.minY == 336)
    }

    @Test func headersGetPreferredHeights() {
        let source = RowSource([["a", "b"], ["c"]])
        source.heights = ["header": 44, "b": 30]
        var flow = FlowLayout()
        flow.estimatedItemSize = Size(width: 100, height: 20)
        flow.minimumLineSpacing = 0
        flow.headerReferenceSize = Size(width: 0, height: 10)
        let view = makeView(source, flow)
        // Header 44, rows of 20 and 30; the second header begins at 94 and is visible.
        expectEqual(view.attributes(of: .supplementary(.header, path(1, 0)))?.frame.minY, 94)
        expectEqual(view.attributes(of: .supplementary(.header, path(1, 0)))?.frame.height, 44)
        #expect(view.contentSize.height == 94 + 44 + 20 && view.diagnostics.isEmpty)
    }

    @Test func tallerViewKeepsMeasuredSizes() {
        let source = RowSource(rows: 3)
        source.heights = ["r0": 30, "r1": 30, "r2": 30]
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(20))
        let section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)]))
        let view = makeView(source, CompositionalLayout(section: section))
        expectEqual(view.contentSize.height, 90)
        let preparations = view.preparationCount
        view.bounds = Rect(x: 0, y: 0, width: 100, height: 120)
        view.layoutIfNeeded()
        expectEqual(view.contentSize.height, 90)
        expectEqual(view.preparationCount, preparations + 1)
    }

    @Test func growingItemsOfRowMoveOffsetOnce() {
        let source = RowSource(rows: 12)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<12).map { ("r\($0)", 30) })
        var layout = FlowLayout()
        layout.estimatedItemSize = Size(width: 45, height: 20)
        layout.minimumLineSpacing = 0
        let view = CollectionView(layout: layout, bounds: Rect(x: 0, y: 0, width: 100, height: 20))
        view.dataSource = source
        view.layoutIfNeeded()
        // Rows of two: the first is 30 high, the five others 20 until they are visible. At 45, the second row, 30 to
        // 50, is clipped.
        view.setContentOffset(Point(x: 0, y: 45))
        view.layoutIfNeeded()
        // It grows by 10 for both of its items, and the third row stays 5 below the edge.
        expectEqual(view.contentOffset.y, 55)
        expectEqual(view.attributes(of: .item(path(0, 4)))?.frame.minY, 60)
    }

    @Test(arguments: [-5.0, .infinity, .nan])
    func invalidHeightsAreCorrectedWithDiagnostic(_ height: Double) {
        let source = RowSource(rows: 2)
        source.heights = ["r0": height]
        let view = makeView(source, estimating())
        #expect(view.contentSize.height.isFinite && view.visibleElements.allSatisfy { $0.frame.height.isFinite })
        #expect(view.contentSize.height >= 20 && view.diagnostics.count <= 1)
    }

    @Test func reconfiguredCellsAreMeasuredAgain() throws {
        let source = RowSource(rows: 3)
        let view = makeView(source, estimating())
        let changes = try view.performBatchUpdates { updates in
            source.heights = ["r0": 50]
            updates.reconfigureItems(at: [path(0, 0)])
        }
        expectEqual(view.contentSize.height, 90)
        expectEqual(changes.moved.map(\.new.frame.minY), [0, 50, 70])
    }

    @Test func cellsAreMeasuredAgainAfterFullInvalidation() {
        let source = RowSource(rows: 3)
        source.heights = ["r0": 30]
        let view = makeView(source, estimating())
        view.invalidateLayout()
        view.layoutIfNeeded()
        expectEqual(view.contentSize.height, 70)
    }
}

/// The effect of growth outside the visible area on visible content, in compositional layouts.
@Suite struct GrowthTests {
    private static func rows(_ estimate: Double, perRow: Int = 1) -> LayoutSection {
        let item = LayoutSize(
            widthDimension: .fractionalWidth(1 / Double(perRow)), heightDimension: .estimated(estimate))
        let row = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(estimate))
        return LayoutSection(
            group: .horizontal(
                layoutSize: row, subitems: Array(repeating: LayoutItem(layoutSize: item), count: perRow)))
    }

    /// Returns the position of a row in the view.
    private func rowPosition(_ item: Int, in view: CollectionView) throws -> Double {
        try #require(view.attributes(of: .item(path(0, item)))).frame.minY - view.contentOffset.y
    }

    /// Rows of 76 with an estimated height of 10: measuring a row above would move the others down by 66.
    ///
    /// Sixty steps up: 420, 600 and 1980, in rows of 76.
    @Test(arguments: [(7.0, 144), (10, 142), (33, 123)])
    func scrollingUpMovesRowsByScrolledDistance(step: Double, last: Int) throws {
        let source = RowSource(rows: 200)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<200).map { ("r\($0)", 76) })
        let view = makeView(source, CompositionalLayout(section: Self.rows(10)))
        try view.scrollToItem(at: path(0, 150), position: .top)
        view.layoutIfNeeded()
        try expectEqual(rowPosition(150, in: view), 0)
        var first = 150
        for _ in 0..<60 {
            let before = try rowPosition(first, in: view)
            view.contentOffset.y -= step
            view.layoutIfNeeded()
            let moved = try rowPosition(first, in: view) - before
            #expect(abs(moved - step) < 1e-6)
            first = try #require(view.visibleItems.first).item
        }
        expectEqual(first, last)
    }

    /// Rows of three: the first is 30 high, the others 20 until they are visible. At 45, the second row, 30 to 50, is
    /// clipped.
    @Test func itemsOfRowMoveOffsetOnce() {
        let source = RowSource(rows: 18)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<18).map { ("r\($0)", 30) })
        let view = makeView(
            source, CompositionalLayout(section: Self.rows(20, perRow: 3)),
            bounds: Rect(x: 0, y: 0, width: 90, height: 20))
        view.contentOffset.y = 45
        view.layoutIfNeeded()
        // It grows by 10 for all three, and the third row stays 5 below the edge.
        expectEqual(view.contentOffset.y, 55)
        expectEqual(view.attributes(of: .item(path(0, 6)))?.frame.minY, 60)
    }

    @Test func growthInVisibleAreaKeepsOffset() {
        let source = RowSource(rows: 50)
        let view = makeView(source, CompositionalLayout(section: Self.rows(20)))
        source.heights = ["r11": 40]
        // r10 begins at the edge, r11 20 below it.
        view.contentOffset.y = 200
        view.layoutIfNeeded()
        expectEqual(view.contentOffset.y, 200)
        expectEqual(view.contentSize.height, 1020)
    }

    /// A visible row grows downward, including the first one.
    @Test func firstVisibleRowGrowsDownward() throws {
        let source = RowSource(rows: 50)
        let view = makeView(source, CompositionalLayout(section: Self.rows(20)))
        view.contentOffset.y = 200
        view.layoutIfNeeded()
        try view.performBatchUpdates { updates in
            source.heights = ["r10": 60]
            updates.reconfigureItems(at: [path(0, 10)])
        }
        expectEqual(view.contentOffset.y, 200)
        expectEqual(view.contentSize.height, 1040)
    }

    /// The columns begin on the right; both directions show the same.
    @Test func horizontalLayoutsOfBothDirectionsShowTheSame() throws {
        var pictures: [[Double]] = []
        for direction in [LayoutDirection.leftToRight, .rightToLeft] {
            var layout = CompositionalLayout(
                section: LayoutSection(
                    group: .horizontal(
                        layoutSize: LayoutSize(widthDimension: .estimated(20), heightDimension: .fractionalHeight(1)),
                        subitems: [

                            LayoutItem(
                                layoutSize: LayoutSize(
                                    widthDimension: .estimated(20), heightDimension: .fractionalHeight(1)))
                        ])))
            layout.configuration.scrollDirection = .horizontal
            layout.prepare(in: container(direction, x: 0))
            // In content of 2000, the view is 505 from its start.
            let x = direction == .leftToRight ? 505.0 : 2000 - 505 - 100
            layout.prepare(in: container(direction, x: x))
            // The 25th begins before it and is clipped; the 27th is fully visible.
            let sizes: [LayoutElement: Size] = [
                .item(path(0, 25)): Size(width: 50, height: 100), .item(path(0, 27)): Size(width: 25, height: 100),
            ]
            let context = layout.invalidationContext(forPreferredSizes: sizes)
            expectEqual(context.contentSizeAdjustment.width, 35)
            layout.invalidate(with: context)
            let moved = x + context.contentOffsetAdjustment.x
            layout.prepare(in: container(direction, x: moved))
            let frames = try (26...29).map { try #require(layout.attributes(of: .item(path(0, $0)))).frame }
            pictures.append(
                frames.map { direction == .leftToRight ? $0.minX - moved : moved + 100 - $0.maxX })
        }
        // The 26th stays 15 from the edge.
        expectEqual(pictures, [[15, 35, 60, 80], [15, 35, 60, 80]])
    }

    private func container(_ direction: LayoutDirection, x: Double) -> LayoutContainer {
        var container = LayoutContainer(
            bounds: Rect(x: x, y: 0, width: 100, height: 100), counts: ItemCounts([100]))
        container.layoutDirection = direction
        return container
    }

    @Test func layoutWithFixedSizesIsNotPreparedWhileScrolling() {
        let source = RowSource(rows: 50)
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(20))
        let view = makeView(
            source,
            CompositionalLayout(
                section: LayoutSection(
                    group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))))
        view.contentOffset.y = 200
        view.layoutIfNeeded()
        expectEqual(view.preparationCount, 1)
    }
}

/// The effect of measuring on the view.
@Suite struct MeasuringViewTests {
    /// The view and its data source, which the view doesn't retain.
    private struct Table {
        let source: RowSource
        let view: CollectionView

        init(estimate: Double, heights: Double, rows: Int) {
            source = RowSource(rows: rows)
            source.heights = Dictionary(uniqueKeysWithValues: (0..<rows).map { ("r\($0)", heights) })
            var table = RowTable(rowHeight: estimate)
            table.usesPreferredHeights = true
            view = makeView(source, table)
        }
    }

    /// An estimate of 80 shows two rows of 5 at first; 20 rows fill the view.
    @Test func excessiveEstimateIsReplacedForAllVisibleRows() {
        let table = Table(estimate: 80, heights: 5, rows: 100)
        let view = table.view
        expectEqual(view.rowNames, (0..<20).map { "r\($0)" })
        #expect(view.visibleElements.allSatisfy { $0.frame.height == 5 })
        #expect(view.diagnostics.isEmpty && !view.needsLayout)
    }

    /// The layout pass ends however many rows become visible.
    @Test func rowsWithoutHeightDoNotMeasureForever() {
        let table = Table(estimate: 80, heights: 0, rows: 5000)
        let view = table.view
        #expect(view.preparationCount <= CollectionView.selfSizingRoundLimit + 2)
        #expect(view.diagnostics.contains { $0.problem == .unsettledEstimates })
    }

    /// 30 rows of 50, of which the last begins at 1450 after all visible rows before it are measured.
    @Test func scrollTargetIsReachedAfterMeasuring() throws {
        let table = Table(estimate: 20, heights: 50, rows: 30)
        let view = table.view
        for (item, position) in [(29, ScrollPosition.bottom), (10, .top), (20, .centeredVertically)] {
            try view.scrollToItem(at: path(0, item), position: position)
            view.layoutIfNeeded()
            let frame = try #require(view.attributes(of: .item(path(0, item)))?.frame)
            expectEqual(frame.height, 50)
            switch position {
            case .bottom: expectEqual(frame.maxY, view.bounds.maxY)
            case .top: expectEqual(frame.minY, view.bounds.minY)
            default: expectEqual(frame.center.y, view.bounds.center.y)
            }
        }
    }

    @Test func scrollTargetIsDiscardedWhenViewScrollsElsewhere() throws {
        let table = Table(estimate: 20, heights: 50, rows: 30)
        let view = table.view
        try view.scrollToItem(at: path(0, 29), position: .bottom)
        view.contentOffset = .zero
        view.layoutIfNeeded()
        expectEqual(view.contentOffset, .zero)
    }

    /// A third of a point has no exact binary representation: computed from the edges, the size would drift.
    @Test func sizeOfBoundsDoesNotDriftWhileScrolling() {
        let table = Table(estimate: 20, heights: 20, rows: 2000)
        let view = table.view
        for _ in 0..<1000 {
            view.contentOffset.y += 100.0 / 3
            view.layoutIfNeeded()
        }
        #expect((view.bounds.height - 100).magnitude < 1e-9)
    }

    @Test func headerIsReconfiguredWhenItsItemsChange() throws {
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
