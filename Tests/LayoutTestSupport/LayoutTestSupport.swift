package import CollectionLayout

/// Returns an index path. A short form, because tests use many.
package func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(section: section, item: item) }

extension CollectionViewLayout {
    /// Returns the invalidation context for one measured element.
    package func invalidationContext(
        forPreferred preferred: LayoutAttributes, original: LayoutAttributes
    ) -> InvalidationContext {
        invalidationContext(forPreferredSizes: [original.element: preferred.frame.size])
    }
}

extension LayoutAttributes {
    /// Returns the attributes mirrored in content of this width.
    package func mirrored(inWidth width: Double) -> LayoutAttributes {
        var copy = self
        copy.frame = frame.mirrored(inWidth: width)
        return copy
    }
}

/// Helpers for tests of lists.
package enum Lists {
    package static func item(_ section: Int, _ item: Int) -> LayoutElement {
        .item(IndexPath(section: section, item: item))
    }

    package static func configuration(
        _ appearance: ListConfiguration.Appearance, _ configure: (inout ListConfiguration) -> Void = { _ in }
    ) -> ListConfiguration {
        var configuration = ListConfiguration(appearance: appearance)
        configure(&configuration)
        return configuration
    }

    /// Returns a list of equal sections, prepared in a container of 320 × 480 points.
    package static func layout(
        _ configuration: ListConfiguration, counts: [Int], offset: Double = 0, margins: EdgeInsets = .zero,
        direction: LayoutDirection = .leftToRight
    ) -> CompositionalLayout {
        var layout = CompositionalLayout.list(using: configuration)
        layout.prepare(
            in: LayoutContainer(
                bounds: Rect(x: 0, y: offset, width: 320, height: 480), counts: ItemCounts(counts),
                layoutMargins: margins, layoutDirection: direction))
        return layout
    }
}
