extension LayoutSection {
    /// Returns a section whose rows have its width and the heights that their cells prefer, like
    /// UIKit's `NSCollectionLayoutSection.list(using:layoutEnvironment:)`.
    ///
    /// It can be modified like any other section and combined with others. Use it in a layout that scrolls vertically;
    /// in a horizontally scrolling layout, its rows are placed side by side.
    ///
    /// - Parameter environment: The environment passed to the section provider. It is not used yet: margins, pixels and
    ///   direction are taken from the container when the section is solved.
    public static func list(
        using configuration: ListConfiguration, layoutEnvironment environment: LayoutEnvironment
    ) -> LayoutSection {
        // If the estimate were 0, all rows would be visible at once.
        let height = configuration.estimatedRowHeight >= 1 ? configuration.estimatedRowHeight : 1
        let row = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(height))
        var section = LayoutSection(
            group: .horizontal(layoutSize: row, repeatingSubitem: LayoutItem(layoutSize: row), count: 1))
        section.contentInsets = configuration.resolvedSectionMargins
        section.contentInsetsReference = configuration.appearance.contentInsetsReference
        section.spaceBeforeBoundary = configuration.resolvedHeaderTopPadding
        if configuration.headerMode == .supplementary {
            section.boundarySupplementaryItems.append(
                boundary(.header, .top, configuration.estimatedHeaderHeight, in: configuration))
        }
        if configuration.footerMode == .supplementary {
            section.boundarySupplementaryItems.append(
                boundary(.footer, .bottom, configuration.estimatedFooterHeight, in: configuration))
        }
        return section
    }

    private static func boundary(
        _ kind: ElementKind, _ alignment: RectAlignment, _ height: Double, in configuration: ListConfiguration
    ) -> BoundarySupplementary {
        BoundarySupplementary(
            elementKind: kind,
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(height)),
            alignment: alignment, pinToVisibleBounds: configuration.appearance.pinsHeaders)
    }
}

extension CompositionalLayout {
    /// Returns a layout whose sections are all lists with the same configuration, like
    /// UIKit's `UICollectionViewCompositionalLayout.list(using:)`.
    public static func list(using configuration: ListConfiguration) -> CompositionalLayout {
        CompositionalLayout { _, environment in .list(using: configuration, layoutEnvironment: environment) }
    }
}
