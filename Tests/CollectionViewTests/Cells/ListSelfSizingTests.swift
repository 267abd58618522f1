import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

/// A list in a view whose cells prefer the height of their content.
@Suite struct ListSelfSizingTests {
    final class Row: ReusableView {
        var cell = ListCell(content: ContentConfiguration(style: .cell))

        init() {}

        func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
            var preferred = attributes
            let layout = cell.layout(width: attributes.frame.width, measuring: Lists.measure)
            preferred.frame = Rect(origin: attributes.frame.origin, size: layout.preferredSize)
            return preferred
        }
    }

    final class Source: CollectionViewDataSource {
        var texts: [String]
        let registration = CellRegistration<Row, String> { row, _, text in
            var content = ContentConfiguration(style: .cell)
            content.text = text
            row.cell = ListCell(content: content)
        }
        let header = SupplementaryRegistration<Row>(kind: .header) { row, _, _ in
            var content = ContentConfiguration(style: .groupedHeader)
            content.text = "head"
            row.cell = ListCell(content: content)
        }

        init(_ texts: [String]) {
            self.texts = texts
        }

        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { texts.count }

        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
            view.dequeueCell(using: registration, for: path, item: texts[path.item])
        }

        func collectionView(
            _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
        ) -> (any ReusableView)? {
            view.dequeueSupplementary(using: header, for: path)
        }
    }

    private func view(_ source: Source, _ list: ListConfiguration, width: Double = 132) -> CollectionView {
        let view = CollectionView(
            layout: CompositionalLayout.list(using: list), bounds: Rect(x: 0, y: 0, width: width, height: 200))
        view.dataSource = source
        view.layoutIfNeeded()
        return view
    }

    @Test func rowsGetHeightOfTheirTexts() {
        // 132 − 32 points fit 10 letters: 1, 3 and 1 lines; 11 + 60 + 11 = 82.
        let source = Source(["a", String(repeating: "b", count: 25), "c"])
        let view = view(source, ListConfiguration(appearance: .plain))
        let rows = view.visibleElements.filter { $0.element.kind == nil }.sorted { $0.element < $1.element }
        expectEqual(rows.map(\.frame.minY), [0, 44, 126])
        expectEqual(view.contentSize.height, 170)
        #expect(view.diagnostics.isEmpty)
    }

    @Test func headersGetHeightOfTheirTexts() {
        // 17 + 20 + 6 = 43 instead of 28.
        let list = Lists.configuration(.insetGrouped) {
            $0.headerMode = .supplementary
            $0.estimatedRowHeight = 100
        }
        let view = view(Source(["a", "b"]), list)
        let rows = view.visibleElements.filter { $0.element.kind == nil }.sorted { $0.element < $1.element }
        expectEqual(rows.map(\.frame.minY), [43, 87])
    }

    @Test func newWidthMeasuresAgain() {
        let source = Source([String(repeating: "b", count: 25)])
        let view = view(source, ListConfiguration(appearance: .plain))
        expectEqual(view.contentSize.height, 82)
        view.bounds = Rect(x: 0, y: 0, width: 332, height: 200)
        view.layoutIfNeeded()
        expectEqual(view.contentSize.height, 44)
    }

    @Test func newHeightKeepsMeasuredSizes() {
        let row = Lists.item(0, 1)
        var layout = Lists.layout(ListConfiguration(appearance: .plain), counts: [3])
        layout.invalidate(with: InvalidationContext(preferredSizes: [row: Size(width: 320, height: 80)]))
        for height in [480, 300.0] {
            layout.prepare(
                in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: height), counts: ItemCounts([3])))
            expectEqual(layout.attributes(of: row)?.frame, Rect(x: 0, y: 44, width: 320, height: 80))
            expectEqual(layout.contentSize.height, 168)
        }
    }

    /// Rows of 44 that are 82 high when measured. Rows above the visible ones keep their measured sizes, so that
    /// content stays in place; if they returned to 44, other rows would be visible at the same offset.
    @Test func visibleRowsStayInPlaceWhenRowIsAppended() throws {
        let source = Source(Array(repeating: String(repeating: "b", count: 25), count: 100))
        let view = view(source, ListConfiguration(appearance: .plain))
        for y in stride(from: 0.0, through: 82 * 50, by: 100) {
            view.setContentOffset(Point(x: 0, y: y))
            view.layoutIfNeeded()
        }
        view.setContentOffset(Point(x: 0, y: 82 * 50))
        view.layoutIfNeeded()
        let before = view.visibleElements
        expectEqual(before.compactMap { $0.element.kind == nil ? $0.indexPath.item : nil }.min(), 50)
        try view.performBatchUpdates { updates in
            source.texts.append("new")
            updates.insertItems(at: [IndexPath(section: 0, item: 100)])
        }
        expectEqual(view.visibleElements, before)
        expectEqual(view.contentOffset.y, 82 * 50)
        // A keyboard reduces the height like this.
        view.contentInset.bottom = 300
        view.layoutIfNeeded()
        expectEqual(view.visibleElements, before)
        expectEqual(view.contentOffset.y, 82 * 50)
        // After reloading, the items are new and not measured.
        view.reloadData()
        view.layoutIfNeeded()
        expectEqual(view.attributes(of: Lists.item(0, 0))?.frame.height, 44)
    }
}
