import CollectionLayout
import CollectionView
import Testing

/// The samples of the article on bad input.
@Suite struct BadInputSamples {
    @Test func aBadLengthIsADiagnostic() {
        var layout = FlowLayout()
        layout.itemSize = Size(width: -20, height: .infinity)
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([3])))
        for diagnostic in layout.diagnostics {
            print(diagnostic.problem, diagnostic.detail)
        }
        #expect(layout.diagnostics.map(\.problem).contains(.unusableLength))
        #expect(layout.contentSize.height.isFinite)
    }

    @Test func countsThatDontAddUpAreAnError() throws {
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 320, height: 480))
        let films = FilmSource()
        view.dataSource = films
        view.layoutIfNeeded()
        do {
            try view.performBatchUpdates { updates in
                films.titles.removeFirst(2)
                updates.deleteItems(at: [IndexPath(section: 0, item: 0)])
            }
        } catch {
            print(error)
            view.reloadData()
            view.layoutIfNeeded()
        }
        #expect(view.counts.itemCount(inSection: 0) == 998)
        #expect(throws: BatchUpdateError.self) {
            try view.performBatchUpdates { $0.deleteItems(at: [IndexPath(section: 0, item: 0)]) }
        }
    }
}
