import CollectionLayout
import Testing

@Suite struct LayoutContainerTests {
    private let container = LayoutContainer(
        bounds: Rect(x: 0, y: 100, width: 400, height: 800), counts: [] as ItemCounts,
        contentInset: EdgeInsets(top: 10, leading: 5, bottom: 0, trailing: 50),
        safeAreaInsets: EdgeInsets(top: 47, leading: 0, bottom: 34, trailing: 44),
        layoutMargins: EdgeInsets(top: 55, leading: 16, bottom: 42, trailing: 60))

    @Test func theContentInsetAloneAddsNothing() {
        #expect(container.insets(from: .fromContentInset) == .zero)
    }

    @Test func whatTheContentInsetCoversIsNotCountedTwice() {
        #expect(
            container.insets(from: .fromSafeArea) == EdgeInsets(top: 37, leading: 0, bottom: 34, trailing: 0))
        #expect(
            container.insets(from: .fromLayoutMargins) == EdgeInsets(top: 45, leading: 11, bottom: 42, trailing: 10))
    }

    @Test func visibleBoundsLieInsideTheContentInset() {
        #expect(container.visibleBounds == Rect(minX: 5, minY: 110, maxX: 350, maxY: 900))
        #expect(container.length(.horizontal) == 345 && container.length(.vertical) == 790)
    }

    @Test func theLeadingInsetIsAtTheRightWhereTextRunsFromThere() {
        var mirrored = container
        mirrored.layoutDirection = .rightToLeft
        #expect(mirrored.visibleBounds == Rect(minX: 50, minY: 110, maxX: 395, maxY: 900))
    }

    @Test func insetsWithoutNumbersCountAsNothing() {
        var broken = container
        broken.safeAreaInsets = EdgeInsets(top: .nan, leading: -.infinity, bottom: .infinity, trailing: -1)
        #expect(broken.insets(from: .fromSafeArea) == EdgeInsets(top: 0, leading: 0, bottom: 1e12, trailing: 0))
    }
}
