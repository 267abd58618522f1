import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

/// Tests that a wrapper forwards the members that it doesn't implement.
@Suite struct LayoutWrapperTests {
    /// Draws everything at half its alpha.
    struct Dimmed<Base: CollectionViewLayout>: LayoutWrapper {
        var wrapped: Base

        func attributes(in rect: Rect) -> [LayoutAttributes] { wrapped.attributes(in: rect).map(dim) }

        func attributes(of element: LayoutElement) -> LayoutAttributes? { wrapped.attributes(of: element).map(dim) }

        private func dim(_ attributes: LayoutAttributes) -> LayoutAttributes {
            var dimmed = attributes
            dimmed.alpha *= 0.5
            return dimmed
        }
    }

    /// A layout in which every member returns a value that differs from the default implementation.
    private struct Marked: OrthogonalScrolling {
        static let element = LayoutElement.item(IndexPath(item: 0, section: 0))
        static let attributes = LayoutAttributes(element, frame: Rect(x: 1, y: 2, width: 3, height: 4))

        var calls: [String] = []
        var contentSize: Size { Size(width: 5, height: 6) }
        var diagnostics: [LayoutDiagnostic] { [LayoutDiagnostic(.noRoom, detail: "marked")] }

        mutating func prepare(in container: LayoutContainer) { calls.append("prepare") }
        mutating func invalidate(with context: InvalidationContext) { calls.append("invalidate") }
        mutating func prepare(forUpdates updates: UpdateMap) { calls.append("prepareForUpdates") }
        func attributes(in rect: Rect) -> [LayoutAttributes] { [Self.attributes] }
        func attributes(of element: LayoutElement) -> LayoutAttributes? { Self.attributes }
        func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { true }
        func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
            InvalidationContext(sections: [7])
        }
        func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool { true }
        func invalidationContext(forPreferredSizes sizes: [LayoutElement: Size]) -> InvalidationContext {
            InvalidationContext(sections: [8])
        }
        func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point { Point(x: 9, y: 10) }
        func initialAttributes(forAppearing element: LayoutElement) -> LayoutAttributes? { Self.attributes }
        func finalAttributes(forDisappearing element: LayoutElement) -> LayoutAttributes? { Self.attributes }
        func orthogonalMetrics(section: Int) -> OrthogonalMetrics? {
            OrthogonalMetrics(viewport: 1, container: 1, group: 1, pitch: 1, content: 1)
        }
        func orthogonalOffset(section: Int) -> Double { 11 }
        mutating func setOrthogonalOffset(_ offset: Double, section: Int) { calls.append("setOrthogonalOffset") }
        func targetOrthogonalOffset(section: Int, proposed: Double, velocity: Double) -> Double { 12 }
        func longestFling(section: Int) -> Double { 13 }
        func orthogonalOffset(showing path: IndexPath, position: ScrollPosition) -> Double? { 14 }
        func orthogonalSection(at point: Point) -> (section: Int, axis: Axis)? { (15, .vertical) }
    }

    private struct Transparent<Base: OrthogonalScrolling>: LayoutWrapper, OrthogonalScrolling {
        var wrapped: Base
    }

    @Test func everyMemberIsForwarded() throws {
        var layout = Transparent(wrapped: Marked())
        layout.prepare(in: LayoutContainer(bounds: .zero, counts: ItemCounts([])))
        layout.invalidate(with: .everything)
        layout.prepare(forUpdates: try UpdateMap(BatchUpdates(), from: ItemCounts([]), to: ItemCounts([])))
        layout.setOrthogonalOffset(1, section: 0)
        expectEqual(layout.wrapped.calls, ["prepare", "invalidate", "prepareForUpdates", "setOrthogonalOffset"])
        expectEqual(layout.contentSize, Size(width: 5, height: 6))
        expectEqual(layout.diagnostics.map(\.detail), ["marked"])
        expectEqual(layout.attributes(in: .zero), [Marked.attributes])
        expectEqual(layout.attributes(of: Marked.element), Marked.attributes)
        #expect(layout.shouldInvalidate(forBoundsChangeFrom: .zero, to: .zero))
        expectEqual(layout.invalidationContext(forBoundsChangeFrom: .zero, to: .zero).sections, [7])
        #expect(layout.shouldInvalidate(forPreferred: Marked.attributes, original: Marked.attributes))
        expectEqual(layout.invalidationContext(forPreferredSizes: [:]).sections, [8])
        expectEqual(layout.targetContentOffset(forProposed: .zero, velocity: .zero), Point(x: 9, y: 10))
        expectEqual(layout.initialAttributes(forAppearing: Marked.element), Marked.attributes)
        expectEqual(layout.finalAttributes(forDisappearing: Marked.element), Marked.attributes)
        expectEqual(layout.orthogonalMetrics(section: 0)?.viewport, 1)
        expectEqual(layout.orthogonalOffset(section: 0), 11)
        expectEqual(layout.targetOrthogonalOffset(section: 0, proposed: 0, velocity: 0), 12)
        expectEqual(layout.longestFling(section: 0), 13)
        expectEqual(layout.orthogonalOffset(showing: IndexPath(item: 0, section: 0), position: .top), 14)
        expectEqual(layout.orthogonalSection(at: .zero)?.section, 15)
    }

    /// Groups of 200 with 10 between them in a view of 300: the offset of the section ranges from 0 to 5 · 200 + 4 · 10
    /// − 300 = 740.
    @Test func wrappedOrthogonalSectionIsDraggedAndScrolled() throws {
        let size = LayoutSize(widthDimension: .absolute(200), heightDimension: .absolute(80))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.interGroupSpacing = 10
        section.orthogonalScrollingBehavior = .continuous
        let source = RowSource([["a", "b", "c", "d", "e"]])
        let view = CollectionView(
            layout: Dimmed(wrapped: CompositionalLayout(section: section)),
            bounds: Rect(x: 0, y: 0, width: 300, height: 100))
        view.dataSource = source
        view.layoutIfNeeded()
        let drag = view.beginDrag(at: Point(x: 150, y: 40))
        drag.move(to: Point(x: 50, y: 40))
        expectEqual(drag.section, 0)
        expectEqual(view.orthogonalOffset(section: 0), 100)
        drag.end()
        try view.scrollToItem(at: IndexPath(item: 4, section: 0), position: .right)
        expectEqual(view.orthogonalOffset(section: 0), 740)
        view.layoutIfNeeded()
        let last = try #require(view.attributes(of: .item(IndexPath(item: 4, section: 0))))
        expectEqual(last.layoutFrame.maxX, 300)
        expectEqual(last.alpha, 0.5)
    }

    /// Rows have an estimated height of 20 and prefer 30: five rows in 100 points become four.
    @Test func wrappedFlowLayoutUsesPreferredSizes() {
        let source = RowSource(rows: 10)
        for row in 0..<10 { source.heights["r\(row)"] = 30 }
        var flow = FlowLayout()
        flow.estimatedItemSize = Size(width: 100, height: 20)
        flow.minimumLineSpacing = 0
        flow.minimumInteritemSpacing = 0
        let view = makeView(source, Dimmed(wrapped: flow))
        expectEqual((0..<4).map { view.attributes(of: .item(path(0, $0)))?.layoutFrame.height }, [30, 30, 30, 30])
        expectEqual(view.attributes(of: .item(path(0, 0)))?.alpha, 0.5)
    }
}

extension LayoutWrapperTests.Dimmed: OrthogonalScrolling where Base: OrthogonalScrolling {}
