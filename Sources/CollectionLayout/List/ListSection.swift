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
    /// Returns a layout whose sections are all lists with the same configuration, like
    /// UIKit's `UICollectionViewCompositionalLayout.list(using:)`.
    public static func list(using configuration: ListConfiguration) -> CompositionalLayout {
        CompositionalLayout { _, environment in .list(using: configuration, layoutEnvironment: environment) }
    }
}

/// The solved rows of a list with their separators and group background.
///
/// Separators are derived from the rows on each query and are not stored.
private struct ListContent: SectionContent {
    let configuration: ListConfiguration
    private(set) var rows: RepeatedGroup

    init(configuration: ListConfiguration, rows: RepeatedGroup) {
        self.configuration = configuration
        self.rows = rows
    }

    var size: Size { rows.size }
    var reach: Rect { rows.reach }
    var groupLengths: (group: Double, pitch: Double) { rows.groupLengths }

    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {
        if let background, background.layoutFrame.touches(rect) {
            found.append(background)
            cost.attributes += 1
        }
        let first = found.count
        rows.append(to: &found, in: rect, cost: &cost)
        let last = found.count
        for index in first..<last {
            let separators = self.separators(of: found[index])
            found += separators
            cost.attributes += separators.count
        }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard case .decoration(let kind, let path) = element else { return rows.attributes(of: element) }
        if kind == .listGroupBackground { return background.flatMap { $0.element == element ? $0 : nil } }
        guard kind == .listSeparatorTop || kind == .listSeparatorBottom, let row = rows.attributes(of: .item(path))
        else { return nil }
        return separators(of: row).first { $0.element == element }
    }

    func estimatedAxes(of element: LayoutElement) -> AxisSet { rows.estimatedAxes(of: element) }

    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        rows.remeasure(elements, measures: measures, diagnostics: &diagnostics)
    }
}

// MARK: - Separators

extension ListContent {
    /// Returns the separators of a row: one device pixel high, inside the row at its edges. UIKit was observed to use
    /// the same thickness.
    ///
    /// If row heights are multiples of a device pixel, separators cover exactly one pixel row.
    private func separators(of row: LayoutAttributes) -> [LayoutAttributes] {
        guard configuration.showsSeparators else { return [] }
        let path = row.indexPath
        let own = configuration.separatorConfiguration(forItemAt: path)
        let place = ListRowPlace(
            path, in: rows.space, headerMode: configuration.headerMode, appearance: configuration.appearance)
        var found: [LayoutAttributes] = []
        if place.isShown(own.topSeparatorVisibility, automatic: place.hasTopSeparator) {
            found.append(separator(.listSeparatorTop, of: row, own.topSeparatorInsets, isEdge: place.isTopEdge))
        }
        if place.isShown(own.bottomSeparatorVisibility, automatic: place.hasBottomSeparator) {
            found.append(
                separator(.listSeparatorBottom, of: row, own.bottomSeparatorInsets, isEdge: place.isBottomEdge))
        }
        return found
    }

    /// - Parameter isEdge: Whether the separator bounds a group and is therefore as wide as the group, as observed in
    ///   UIKit.
    private func separator(
        _ kind: ElementKind, of row: LayoutAttributes, _ insets: ListSeparatorConfiguration.Insets, isEdge: Bool
    ) -> LayoutAttributes {
        let frame = row.layoutFrame
        let automatic =
            isEdge ? 0 : configuration.textLeadingHandler?(row.indexPath) ?? configuration.textLeading
        let leading = min((insets.leading ?? automatic).asLength, frame.width)
        let trailing = min((insets.trailing ?? 0).asLength, frame.width - leading)
        let thickness = min(rows.space.environment.pixels.pixel, frame.height)
        let y =
            kind == .listSeparatorTop ? (frame.minY, frame.minY + thickness) : (frame.maxY - thickness, frame.maxY)
        return LayoutAttributes(
            .decoration(kind, row.indexPath),
            frame: Rect(minX: frame.minX + leading, minY: y.0, maxX: frame.maxX - trailing, maxY: y.1),
            band: row.band, zIndex: row.zIndex + 1)
    }
}

// MARK: - Group background

extension ListContent {
    /// The background behind all rows except a header row; `nil` if the appearance has none or there are no rows.
    private var background: LayoutAttributes? {
        guard configuration.appearance.hasGroupBackground else { return nil }
        let section = rows.space.section
        let axis = rows.space.axis
        var start = 0.0
        if configuration.headerMode == .firstItemInSection {
            guard rows.space.itemCount > 1,
                let header = rows.attributes(of: .item(IndexPath(section: section, item: 0)))
            else { return nil }
            start = header.layoutFrame.end(axis)
        } else if rows.space.itemCount < 1 {
            return nil
        }
        let frame = Rect(along: axis, (start, rows.size[axis]), across: (0, rows.size[axis.perpendicular]))
        return LayoutAttributes(
            .decoration(.listGroupBackground, IndexPath(section: section, item: 0)), frame: frame,
            band: .background)
    }
}

/// The position of a row in its section and the separators that follow from it.
///
/// Adjacent rows have one separator between them, the lower separator of the upper row. There is no separator next to
/// headers and footers, except at the edges of groups. The separators above the first row and below the last row depend
/// on the appearance:
///
/// * plain: above the first row only in the first section and only without a header; below the last row unless a footer
///   follows. In other sections, the separator of the preceding row is enough.
/// * grouped: both, as wide as the group
/// * inset grouped, sidebar and sidebarPlain: neither
///
/// UIKit was observed to follow these rules, except that the limit to the first section and the rule for sidebars are
/// ours.
private struct ListRowPlace {
    private let appearance: ListConfiguration.Appearance
    private let isHeader: Bool
    private let isFirst: Bool
    private let isLast: Bool
    private let isFirstSection: Bool
    private let followsHeader: Bool
    private let precedesFooter: Bool

    init(
        _ path: IndexPath, in space: SectionSpace, headerMode: ListConfiguration.HeaderMode,
        appearance: ListConfiguration.Appearance
    ) {
        self.appearance = appearance
        let hasHeaderRow = headerMode == .firstItemInSection
        isHeader = hasHeaderRow && path.item == 0
        isFirst = path.item == (hasHeaderRow ? 1 : 0)
        isLast = path.item == space.itemCount - 1
        isFirstSection = path.section == 0
        followsHeader = hasHeaderRow || space.takenKinds.contains(.header)
        precedesFooter = space.takenKinds.contains(.footer)
    }

    func isShown(_ visibility: ListSeparatorConfiguration.Visibility, automatic: Bool) -> Bool {
        switch visibility {
        case .automatic: automatic
        case .visible: true
        case .hidden: false
        }
    }

    /// Whether the row is at the upper or lower edge of a group.
    var isTopEdge: Bool { appearance == .grouped && isFirst && !isHeader }
    var isBottomEdge: Bool { appearance == .grouped && isLast && !isHeader }

    var hasTopSeparator: Bool {
        guard isFirst else { return false }
        return isTopEdge || (appearance == .plain && isFirstSection && !followsHeader)
    }

    var hasBottomSeparator: Bool {
        if isHeader { return false }
        guard isLast else { return true }
        return isBottomEdge || (appearance == .plain && !precedesFooter)
    }
}

/// The rows of a list: a repeated group of one row, with separators.
private struct ListArrangement: SectionArrangement {
    var configuration: ListConfiguration

    /// The minimum estimate of a row's height, in points. Without it, all rows of height 0 would be visible at once.
    private static let minimumEstimate = 1.0

    func solved(
        in space: SectionSpace, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        let row = LayoutSize(
            widthDimension: .fractionalWidth(1),
            heightDimension: .estimated(rowHeight(section: space.section, diagnostics: &diagnostics)))
        var rows = RepeatedGroup(
            group: .horizontal(layoutSize: row, repeatingSubitem: LayoutItem(layoutSize: row), count: 1),
            space: space, reusing: (previous as? ListContent)?.rows, diagnostics: &diagnostics)
        rows.remeasure(measures.elements(inSection: space.section), measures: measures, diagnostics: &diagnostics)
        return ListContent(configuration: configuration, rows: rows)
    }

    private func rowHeight(section: Int, diagnostics: inout LayoutDiagnostics) -> Double {
        let height = configuration.estimatedRowHeight
        let usable = max(Self.minimumEstimate, height.asLength)
        if usable != height {
            diagnostics.add(
                LayoutDiagnostic(
                    .unusableLength, section: section, detail: "estimatedRowHeight is \(height); \(usable) is used"))
        }
        return usable
    }
}
