import CollectionLayout
import CollectionView
import Testing

/// What a port of `layout.register(_:forDecorationViewOfKind:)` relies on.
@Suite struct DecorationViewTests {
    private final class Ground: ReusableView {
        var frames: [Rect] = []
        var reuses = 0
        var questions = 0

        func prepareForReuse() { reuses += 1 }

        func apply(_ attributes: LayoutAttributes) { frames.append(attributes.layoutFrame) }

        func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
            questions += 1
            return attributes
        }
    }

    /// Remembers the views of decorations that it is handed.
    private final class Host: CollectionViewDelegate {
        var shown: [ObjectIdentifier] = []
        var hidden: [ObjectIdentifier] = []

        func collectionView(
            _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes
        ) {
            if let ground = content as? Ground { shown.append(ObjectIdentifier(ground)) }
        }

        func collectionView(
            _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes
        ) {
            if let ground = content as? Ground { hidden.append(ObjectIdentifier(ground)) }
        }
    }

    /// Sections of one row of 100, each with a background.
    private func makeLayout() -> CompositionalLayout {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.decorationItems = [.background(elementKind: "ground")]
        return CompositionalLayout(section: section)
    }

    private func background(_ section: Int) -> LayoutElement {
        .decoration("ground", IndexPath(item: 0, section: section))
    }

    @Test func registeredDecorationReachesTheDelegateAndTheHost() throws {
        let (source, host) = (RowSource([["a"], ["b"], ["c"], ["d"]]), Host())
        let view = CollectionView(layout: makeLayout(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.register(Ground.self, forDecorationViewOfKind: "ground")
        view.dataSource = source
        view.delegate = host
        view.layoutIfNeeded()
        let ground = try #require(view.reusableView(for: background(0)) as? Ground)
        #expect(ground.frames == [Rect(x: 0, y: 0, width: 100, height: 100)])
        #expect(host.shown == [ObjectIdentifier(ground)] && host.hidden.isEmpty)
        #expect(ground.questions == 0)
    }

    @Test func decorationViewsAreReused() throws {
        let source = RowSource([["a"], ["b"], ["c"], ["d"]])
        let view = CollectionView(layout: makeLayout(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.register(Ground.self, forDecorationViewOfKind: "ground")
        view.dataSource = source
        view.layoutIfNeeded()
        let first = try #require(view.reusableView(for: background(0)) as? Ground)
        view.contentOffset.y = 100
        view.layoutIfNeeded()
        let second = try #require(view.reusableView(for: background(1)) as? Ground)
        #expect(view.reusableView(for: background(0)) == nil)
        #expect(second === first && first.reuses == 1)
        #expect(first.frames.last == Rect(x: 0, y: 100, width: 100, height: 100))
    }

    @Test func decorationOfAnotherKindHasNoView() {
        let source = RowSource([["a"]])
        let view = CollectionView(layout: makeLayout(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.register(Ground.self, forDecorationViewOfKind: "other")
        view.dataSource = source
        view.layoutIfNeeded()
        #expect(view.visibleElements.map(\.element).contains(background(0)))
        #expect(view.reusableView(for: background(0)) == nil)
    }
}
