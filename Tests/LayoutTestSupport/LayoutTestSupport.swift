package import CollectionLayout

/// Returns an index path. A short form, because tests use many.
package func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(section: section, item: item) }

/// Helpers for tests of lists.
package enum Lists {
    package static func item(_ section: Int, _ item: Int) -> LayoutElement {
        .item(IndexPath(section: section, item: item))
    }

    package static func line(_ kind: ElementKind, _ section: Int, _ item: Int) -> LayoutElement {
        .decoration(kind, IndexPath(section: section, item: item))
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

/// A random number generator with a reproducible sequence for each seed (SplitMix64, S. Vigna, public domain).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Returns a new seed for each run. Tests print it when they fail, so that the run can be reproduced.
    package static func anySeed() -> UInt64 { UInt64.random(in: 0...UInt64.max) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
