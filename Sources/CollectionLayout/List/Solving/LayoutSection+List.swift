extension LayoutSection {
    /// A section of rows that are as wide as it is and as high as they ask to be (documented:
    /// `NSCollectionLayoutSection.list(using:layoutEnvironment:)`).
    ///
    /// It can be changed like any other one and stand among others. It belongs into a layout that scrolls vertically;
    /// in another one its rows stand side by side (chosen).
    ///
    /// - Parameter environment: As the section provider got it. Nothing is taken from it yet: margins, pixels and
    ///   direction come with the solution (chosen).
    public static func list(
        using configuration: ListConfiguration, layoutEnvironment environment: LayoutEnvironment
    ) -> LayoutSection {
        var section = LayoutSection(arrangement: ListArrangement(configuration: configuration))
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
    /// A layout whose sections are all lists of one kind (documented:
    /// `UICollectionViewCompositionalLayout.list(using:)`).
    public static func list(using configuration: ListConfiguration) -> CompositionalLayout {
        CompositionalLayout { _, environment in .list(using: configuration, layoutEnvironment: environment) }
    }
}
