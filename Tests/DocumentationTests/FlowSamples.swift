import CollectionLayout
import Testing

/// The layouts of the article on flow layouts; the pictures draw the same.
enum FlowSamples {
    static func justified() -> FlowLayout {
        var layout = FlowLayout()
        layout.itemSize = Size(width: 80, height: 40)
        layout.sectionInset = EdgeInsets(top: 10, leading: 10, bottom: 10, trailing: 10)
        layout.headerReferenceSize = Size(width: 0, height: 28)
        layout.footerReferenceSize = Size(width: 0, height: 20)
        return layout
    }

    static func varied() -> FlowLayout {
        let widths = [120.0, 90, 60, 150, 70, 110, 200]
        var layout = FlowLayout()
        layout.delegate.sizeForItem = { path in
            Size(width: widths[path.item % 7], height: path.item % 3 == 0 ? 60 : 36)
        }
        return layout
    }

    static func pinned() -> FlowLayout {
        var layout = justified()
        layout.sectionHeadersPinToVisibleBounds = true
        return layout
    }

    static func leading() -> FlowLayout {
        var layout = justified()
        layout.rowAlignment = .leading
        return layout
    }
}

@Suite struct FlowSampleTests {
    /// 300 points hold three items of 80 with gaps of 10; the 40 left over go into two gaps.
    @Test func fullRowsAreJustified() {
        var layout = FlowSamples.justified()
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([5, 2])))
        let starts = (0..<5).map { layout.attributes(of: .item(IndexPath(section: 0, item: $0)))?.frame.minX }
        #expect(starts == [10, 120, 230, 10, 120])
    }
}
