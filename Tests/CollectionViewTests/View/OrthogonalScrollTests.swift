import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// Sections that scroll by themselves in a view: groups of 200 with 10 between them, insets of 20 at the sides, in a view
/// of 300. The container is 260, the content 1040, and the offset goes from 0 to 1040 + 40 − 300 = 780.
@Suite struct OrthogonalScrollTests {
    private let source = RowSource([["a", "b", "c", "d", "e"], ["f"]])

    private func makeShelf(
        _ behavior: OrthogonalScrollingBehavior, _ configure: (inout LayoutSection) -> Void = { _ in },
        view change: (CollectionView) -> Void = { _ in }
    ) -> CollectionView {
        let size = LayoutSize(widthDimension: .absolute(200), heightDimension: .absolute(80))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))]))
        section.interGroupSpacing = 10
        section.contentInsets = EdgeInsets(leading: 20, trailing: 20)
        section.orthogonalScrollingBehavior = behavior
        configure(&section)
        let shelf = section
        let view = CollectionView(
            layout: CompositionalLayout { index, _ in
                index == 0
                    ? shelf
                    : LayoutSection(
                        group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))]))
            }, bounds: Rect(x: 0, y: 0, width: 300, height: 100))
        view.dataSource = source
        change(view)
        view.layoutIfNeeded()
        return view
    }

    private func x(_ item: Int, in section: Int = 0, _ view: CollectionView) -> Double? {
        view.attributes(of: .item(path(section, item)))?.layoutFrame.minX
    }

    @Test func aSectionIsScrolledInTheView() {
        let view = makeShelf(.continuous)
        #expect(view.visibleItems == [path(0, 0), path(0, 1), path(1, 0)])
        let preparations = view.preparationCount
        view.setOrthogonalOffset(250, section: 0)
        let changes = view.layoutIfNeeded()
        #expect(view.orthogonalOffset(section: 0) == 250 && x(1, view) == -20)
        #expect(changes.left.map(\.attributes.indexPath) == [path(0, 0)])
        #expect(changes.entered.map(\.attributes.indexPath) == [path(0, 2)])
        #expect(view.preparationCount == preparations + 1 && view.contentOffset == .zero)
        view.setOrthogonalOffset(5_000, section: 0)
        #expect(view.orthogonalOffset(section: 0) == 780)
    }

    /// From 100, with 300 points per second at the rate 0.998: 300 / 1000 · 0.998 / 0.002 = 149.7 further, to 249.7.
    @Test(
        arguments: [
            (.continuous, 249.7), (.continuousGroupLeadingBoundary, 420), (.paging, 300), (.groupPaging, 210),
            // (249.7 + 30) / 210 rounds to 1, and the group stands (260 − 200) / 2 from the inset.
            (.groupPagingCentered, 180),
        ] as [(OrthogonalScrollingBehavior, Double)])
    func itComesToRestWhereItsBehaviourSays(behavior: OrthogonalScrollingBehavior, offset: Double) {
        let view = makeShelf(behavior)
        view.setOrthogonalOffset(100, section: 0)
        let rest = view.endOrthogonalScroll(section: 0, velocity: 300)
        #expect(abs(rest - offset) < 1e-9)
        view.layoutIfNeeded()
        #expect(view.orthogonalOffset(section: 0) == rest)
    }

    /// Item 3 stands from 630 to 830 in its content, and 260 of it are seen at once.
    @Test(
        arguments: [
            (.left, 630), (.right, 570), (.centeredHorizontally, 600), (.nearest, 570), (.top, 0),
        ] as [(ScrollPosition, Double)])
    func anItemIsScrolledToInItsSection(position: ScrollPosition, offset: Double) throws {
        let view = makeShelf(.continuous)
        try view.scrollToItem(at: path(0, 3), position: position)
        #expect(view.orthogonalOffset(section: 0) == offset && view.contentOffset == .zero)
    }

    @Test func whatIsSeenAlreadyStaysWhereItIs() throws {
        let view = makeShelf(.continuous)
        view.setOrthogonalOffset(200, section: 0)
        try view.scrollToItem(at: path(0, 1))
        #expect(view.orthogonalOffset(section: 0) == 200)
    }

    @Test func fromRightToLeftLeftIsTheEnd() throws {
        let view = makeShelf(.continuous, view: { $0.layoutDirection = .rightToLeft })
        #expect(x(0, view) == 80)
        try view.scrollToItem(at: path(0, 3), position: .left)
        view.layoutIfNeeded()
        // Its left edge stands at the left inset.
        #expect(view.orthogonalOffset(section: 0) == 570 && x(3, view) == 20)
    }

    @Test func aSectionThatMovesKeepsItsOffset() throws {
        let source = RowSource([["a", "b", "c", "d", "e"], ["f", "g", "h"]])
        let size = LayoutSize(widthDimension: .absolute(200), heightDimension: .absolute(40))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))]))
        section.orthogonalScrollingBehavior = .continuous
        let view = makeView(source, CompositionalLayout(section: section))
        view.setOrthogonalOffset(250, section: 0)
        view.setOrthogonalOffset(30, section: 1)
        try view.performBatchUpdates { updates in
            source.sections.insert(["new", "newer"], at: 0)
            source.sections.remove(at: 2)
            updates.insertSections([0])
            updates.deleteSections([1])
        }
        #expect([0, 1].map { view.orthogonalOffset(section: $0) } == [0, 250])
        #expect(x(1, in: 1, view) == -50)
    }

    @Test func handlersSeeTheScroll() {
        let view = makeShelf(.continuous) {
            $0.visibleItemsInvalidationHandler = { items, offset, _ in
                for index in items.indices { items[index].alpha = offset.x == 250 ? 0.5 : 0.75 }
            }
        }
        #expect(view.attributes(of: .item(path(0, 1)))?.alpha == 0.75)
        view.setOrthogonalOffset(250, section: 0)
        view.layoutIfNeeded()
        #expect(view.attributes(of: .item(path(0, 1)))?.alpha == 0.5)
    }

    @Test(arguments: [-1, 1, 2, .max, .min])
    func sectionsThatDoNotScrollAnswerNothing(section: Int) {
        let view = makeShelf(.paging)
        view.setOrthogonalOffset(100, section: section)
        #expect(view.orthogonalOffset(section: section) == 0 && !view.needsLayout)
        #expect(view.endOrthogonalScroll(section: section, velocity: .nan) == 0)
        let other = makeView(source, RowTable())
        other.setOrthogonalOffset(5, section: 0)
        #expect(other.endOrthogonalScroll(section: 0, velocity: 1) == 0 && !other.needsLayout)
    }

    /// However fast: one page of the visible length, or one group.
    @Test(arguments: [OrthogonalScrollingBehavior.paging, .groupPaging, .groupPagingCentered])
    func aFlingTakesAShelfThatPagesOnePageOn(behavior: OrthogonalScrollingBehavior) throws {
        let view = makeShelf(behavior)
        let layout = try #require(view.layout as? CompositionalLayout)
        let metrics = try #require(layout.orthogonalMetrics(section: 0))
        let start = view.orthogonalOffset(section: 0)
        let page = behavior == .paging ? metrics.viewport : metrics.pitch
        #expect(view.endOrthogonalScroll(section: 0, velocity: 100_000) == start + page)
        #expect(view.endOrthogonalScroll(section: 0, velocity: -100_000) == start)
    }

    /// What is set beyond the end is the end; a longer shelf doesn't go there.
    @Test func anOffsetBeyondTheEndIsTheEnd() throws {
        let view = makeShelf(.continuous)
        view.setOrthogonalOffset(1e9, section: 0)
        let layout = try #require(view.layout as? CompositionalLayout)
        let metrics = try #require(layout.orthogonalMetrics(section: 0))
        let end = OrthogonalScrollingBehavior.continuous.offsets(for: metrics).upperBound
        #expect(view.orthogonalOffset(section: 0) == end && layout.orthogonalOffset(section: 0) == end)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func offsetsAndVelocitiesThatAreNoneAreBroughtIn(value: Double) {
        let view = makeShelf(.groupPagingCentered)
        view.setOrthogonalOffset(value, section: 0)
        view.layoutIfNeeded()
        #expect((-30...810).contains(view.orthogonalOffset(section: 0)))
        #expect((-30...810).contains(view.endOrthogonalScroll(section: 0, velocity: value)))
    }
}
