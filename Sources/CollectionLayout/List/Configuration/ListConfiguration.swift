/// How a list looks and what belongs to its sections (documented: `UICollectionLayoutListConfiguration`).
///
/// ```swift
/// var configuration = ListConfiguration(appearance: .insetGrouped)
/// configuration.headerMode = .supplementary
/// var layout = CompositionalLayout.list(using: configuration)
/// ```
///
/// Swipe actions are missing: they are no matter of layout (chosen).
public struct ListConfiguration {
    /// Gives the separators of one item, from those of the section (documented).
    public typealias ItemSeparatorHandler =
        (_ path: IndexPath, _ section: ListSeparatorConfiguration) -> ListSeparatorConfiguration

    /// Decides the defaults of whatever is `nil`.
    public var appearance: Appearance
    /// None by default (documented).
    public var headerMode: HeaderMode = .none
    /// None by default (documented).
    public var footerMode: FooterMode = .none
    /// Whether there are separators at all; `true` by default, `false` in both sidebars (observed).
    ///
    /// Where it is `false`, neither ``separatorConfiguration`` (documented) nor the handler counts (chosen).
    public var showsSeparators: Bool
    /// What all separators of the section have in common.
    public var separatorConfiguration: ListSeparatorConfiguration
    /// What it gives is final for the item (documented); asked only for rows that are looked at (chosen).
    public var itemSeparatorHandler: ItemSeparatorHandler?
    /// From the leading edge of a row to its text, for separators with automatic insets; `nil` for ``textLeading``.
    ///
    /// In the original the cell tells the list; here the layout has no cells. The number to return is `separatorLeading`
    /// of the row's `ListCellLayout` in the module `CollectionView` (chosen).
    public var textLeadingHandler: ((_ path: IndexPath) -> Double?)?
    /// From the leading edge of a row to its text where no handler says otherwise, in points; 16 by default, the margin
    /// of a cell without an image (observed).
    public var textLeading = 16.0
    /// Above each supplementary header, in points; `nil`, the default, for the appearance's own (documented).
    public var headerTopPadding: Double?
    /// Around the rows of each section, inside of header and footer; `nil`, the default, for the appearance's own
    /// (chosen).
    public var sectionMargins: EdgeInsets?
    /// Behind the list; `nil`, the default, for the appearance's own (documented). No element stands for it: whoever
    /// draws fills the ground with ``resolvedBackgroundColor`` (chosen).
    public var backgroundColor: ColorToken?
    /// The height of rows that were not measured, in points; 44 by default (observed). At least 1 (chosen).
    public var estimatedRowHeight = 44.0
    /// The height of headers that were not measured, in points; 28 by default (observed in plain tables).
    public var estimatedHeaderHeight = 28.0
    /// The height of footers that were not measured, in points; 28 by default (observed in plain tables).
    public var estimatedFooterHeight = 28.0

    /// The defaults of an appearance.
    public init(appearance: Appearance) {
        self.appearance = appearance
        showsSeparators = !appearance.isSidebar
        separatorConfiguration = ListSeparatorConfiguration(listAppearance: appearance)
    }
}

extension ListConfiguration {
    /// What goes above the rows of a section (documented).
    public enum HeaderMode: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// An element of the kind ``ElementKind/header``; the data source has to give it.
        case supplementary
        /// The first item, such as the one that opens and closes an outline. It scrolls with the others in every
        /// appearance (chosen).
        case firstItemInSection
    }

    /// What goes below the rows of a section (documented).
    public enum FooterMode: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case none
        /// An element of the kind ``ElementKind/footer``; the data source has to give it.
        case supplementary
    }
}

// MARK: - What is in force

extension ListConfiguration {
    /// The separators of an item, visibility and insets not yet resolved: its colour is the one to draw.
    public func separatorConfiguration(forItemAt path: IndexPath) -> ListSeparatorConfiguration {
        itemSeparatorHandler?(path, separatorConfiguration) ?? separatorConfiguration
    }

    /// The colour to fill the ground of the list with.
    public var resolvedBackgroundColor: ColorToken { backgroundColor ?? appearance.backgroundColor }

    /// Above each supplementary header, in points; 0 where there is none.
    public var resolvedHeaderTopPadding: Double {
        headerMode == .supplementary ? headerTopPadding ?? appearance.headerTopPadding : 0
    }

    /// Around the rows of each section.
    ///
    /// Automatic ones are left out on a side where a header or a footer stands: those bring room of their own (chosen).
    public var resolvedSectionMargins: EdgeInsets {
        if let sectionMargins { return sectionMargins }
        var margins = appearance.sectionMargins
        if headerMode != .none { margins.top = 0 }
        if footerMode != .none { margins.bottom = 0 }
        return margins
    }
}
