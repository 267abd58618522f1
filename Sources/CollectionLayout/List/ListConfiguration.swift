/// The appearance of a list and the elements of its sections, like UIKit's `UICollectionLayoutListConfiguration`.
///
/// ```swift
/// var configuration = ListConfiguration(appearance: .insetGrouped)
/// configuration.headerMode = .supplementary
/// var layout = CompositionalLayout.list(using: configuration)
/// ```
///
/// Swipe actions are not included because they don't affect the layout.
public struct ListConfiguration {
    /// Returns the separators of an item, given the separators of the section.
    public typealias ItemSeparatorHandler =
        (_ path: IndexPath, _ section: ListSeparatorConfiguration) -> ListSeparatorConfiguration

    /// The appearance, which determines the defaults of all properties that are `nil`.
    public var appearance: Appearance
    /// The kind of section header; none by default.
    public var headerMode: HeaderMode = .none
    /// The kind of section footer; none by default.
    public var footerMode: FooterMode = .none
    /// Whether the list has separators; `true` by default, but `false` in both sidebar appearances, as UIKit was
    /// observed to do.
    ///
    /// If `false`, ``separatorConfiguration`` and ``itemSeparatorHandler`` are ignored.
    public var showsSeparators: Bool
    /// The default separators of all items.
    public var separatorConfiguration: ListSeparatorConfiguration
    /// The handler that customizes separators for an item. Its result is final. It is called only for rows that are
    /// queried.
    public var itemSeparatorHandler: ItemSeparatorHandler?
    /// Returns the distance from the leading edge of a row to its text, for separators with automatic insets; `nil` for
    /// ``textLeading``.
    ///
    /// In UIKit the list gets this distance from the cell. Here the layout doesn't know cells: return
    /// `separatorLeading` of the row's `ListCellLayout` from the module `CollectionView`.
    public var textLeadingHandler: ((_ path: IndexPath) -> Double?)?
    /// The distance from the leading edge of a row to its text if the handler returns none, in points. 16 by default,
    /// as observed in UIKit for cells without an image.
    public var textLeading = 16.0
    /// The padding above each supplementary header, in points; `nil`, the default, for the appearance's own.
    public var headerTopPadding: Double?
    /// The margins around the rows of each section, inside header and footer; `nil`, the default, for the margins of the
    /// appearance.
    public var sectionMargins: EdgeInsets?
    /// The color behind the list; `nil`, the default, for the appearance's own. The layout creates no element for it:
    /// the renderer fills the background with ``resolvedBackgroundColor``.
    public var backgroundColor: ColorToken?
    /// The height of rows before they are measured, in points; at least 1. 44 by default, as observed in UIKit.
    public var estimatedRowHeight = 44.0
    /// The height of headers before they are measured, in points; 28 by default, as observed in UIKit's plain tables.
    public var estimatedHeaderHeight = 28.0
    /// The height of footers before they are measured, in points; 28 by default, as observed in UIKit's plain tables.
    public var estimatedFooterHeight = 28.0

    /// Creates a configuration with the defaults of an appearance.
    public init(appearance: Appearance) {
        self.appearance = appearance
        showsSeparators = !appearance.isSidebar
        separatorConfiguration = ListSeparatorConfiguration(listAppearance: appearance)
    }
}

extension ListConfiguration {
    /// The kind of header above the rows of a section.
    public enum HeaderMode: String, Hashable, Sendable, CaseIterable {
        /// No header.
        case none
        /// An element of the kind ``ElementKind/header``, which the data source must provide.
        case supplementary
        /// The first item of the section, such as a header that expands and collapses an outline. It scrolls with the
        /// other items in every appearance.
        case firstItemInSection
    }

    /// The kind of footer below the rows of a section.
    public enum FooterMode: String, Hashable, Sendable, CaseIterable {
        /// No footer.
        case none
        /// An element of the kind ``ElementKind/footer``, which the data source must provide.
        case supplementary
    }
}

// MARK: - Resolved values

extension ListConfiguration {
    /// Returns the separators of an item, with its color resolved and its visibility and insets not yet resolved.
    public func separatorConfiguration(forItemAt path: IndexPath) -> ListSeparatorConfiguration {
        itemSeparatorHandler?(path, separatorConfiguration) ?? separatorConfiguration
    }

    /// The color of the list's background.
    public var resolvedBackgroundColor: ColorToken { backgroundColor ?? appearance.backgroundColor }

    /// The padding above each supplementary header, in points; 0 if there are no headers.
    public var resolvedHeaderTopPadding: Double {
        headerMode == .supplementary ? headerTopPadding ?? appearance.headerTopPadding : 0
    }

    /// The margins around the rows of each section.
    ///
    /// Margins of the appearance are omitted next to a header or footer, because these include space of their own.
    public var resolvedSectionMargins: EdgeInsets {
        if let sectionMargins { return sectionMargins }
        var margins = appearance.sectionMargins
        if headerMode != .none { margins.top = 0 }
        if footerMode != .none { margins.bottom = 0 }
        return margins
    }
}

extension ListConfiguration {
    /// The overall style of a list, like UIKit's `UICollectionLayoutListConfiguration.Appearance`.
    public enum Appearance: String, Hashable, Sendable, CaseIterable {
        /// Rows from edge to edge, with pinned headers and footers, as in UIKit's plain tables.
        case plain
        /// Rows from edge to edge in separated sections, with headers and footers that scroll.
        case grouped
        /// Grouped sections within the layout margins, each on a rounded background. The margins of a view are 8 points
        /// by default, and 16 or 20 points on a phone.
        case insetGrouped
        /// A column beside the content, without separators and with inset cell backgrounds.
        case sidebar
        /// A sidebar that looks like a plain list, with pinned headers and footers.
        case sidebarPlain
    }
}

extension ListConfiguration.Appearance {
    /// Whether the appearance is one of the two sidebars.
    public var isSidebar: Bool { self == .sidebar || self == .sidebarPlain }

    /// Whether rows are in separated groups.
    package var isGrouped: Bool { self == .grouped || self == .insetGrouped }

    /// Whether headers and footers are pinned.
    public var pinsHeaders: Bool { self == .plain || self == .sidebarPlain }

    /// The reference for the horizontal insets of rows: the layout margins in inset groups, otherwise none, so that
    /// rows extend under notches and their margins keep the content clear of them. UIKit was observed to do so.
    public var contentInsetsReference: ContentInsetsReference { self == .insetGrouped ? .layoutMargins : .none }

    /// Whether the rows of a section have a rounded background.
    public var hasGroupBackground: Bool { self == .insetGrouped }

    /// The corner radius of a group's background, in points: 10, as observed in UIKit, or 0 without a background.
    public var groupCornerRadius: Double { hasGroupBackground ? 10 : 0 }

    /// The padding above each header, in points: 22 in plain lists, as observed in plain tables since iOS 15, and
    /// otherwise 0, because headers of groups include 17 points in their margins.
    public var headerTopPadding: Double { self == .plain ? 22 : 0 }

    /// The margins around the rows of a section, in points. Groups are 35 points apart, as observed in UIKit, half of
    /// it on each side; other appearances have no margins.
    public var sectionMargins: EdgeInsets {
        isGrouped ? EdgeInsets(top: 17.5, bottom: 17.5) : .zero
    }

    /// The background color of the list, as observed in UIKit.
    public var backgroundColor: ColorToken {
        switch self {
        case .plain, .sidebarPlain: .systemBackground
        case .grouped, .insetGrouped: .groupedBackground
        case .sidebar: .sidebarBackground
        }
    }
}

/// The separators above and below a row, like UIKit's `UIListSeparatorConfiguration`, but without visual effects.
public struct ListSeparatorConfiguration: Hashable, Sendable {
    /// Whether a separator is drawn.
    public enum Visibility: String, Hashable, Sendable, CaseIterable {
        /// The list decides; see ``ListConfiguration`` for its rules.
        case automatic
        /// `visible` draws the separator if the list shows separators at all; `hidden` never draws it.
        case visible, hidden
    }

    /// Distances from the sides of the row, in points; `nil`, the default, lets the list choose.
    ///
    /// A negative distance becomes 0, and a distance longer than the row becomes its width.
    public struct Insets: Hashable, Sendable {
        /// The distance from the side where lines of text begin.
        public var leading: Double?
        /// The distance from the side where lines of text end.
        public var trailing: Double?

        /// Insets that the list chooses.
        public static let automatic = Insets()

        /// Creates insets in points; the list chooses those that are `nil`.
        public init(leading: Double? = nil, trailing: Double? = nil) {
            self.leading = leading
            self.trailing = trailing
        }
    }

    /// Visibility of the upper separator; automatic by default in all appearances, as observed in UIKit.
    public var topSeparatorVisibility: Visibility = .automatic
    /// Visibility of the lower separator; automatic by default in all appearances, as observed in UIKit.
    public var bottomSeparatorVisibility: Visibility = .automatic
    /// Insets of the upper separator; automatic by default.
    public var topSeparatorInsets: Insets = .automatic
    /// Insets of the lower separator; automatic by default.
    public var bottomSeparatorInsets: Insets = .automatic
    /// The color of both separators.
    public var color: ColorToken = .separator

    /// Creates the defaults of an appearance, which are the same in all appearances, as observed in UIKit.
    public init(listAppearance: ListConfiguration.Appearance) {}
}

/// The kinds of decorations that lists create. Other decorations of a list section need different kinds.
extension ElementKind {
    /// The separator at the upper edge of a row; it has the index path of the row.
    public static let listSeparatorTop: ElementKind = "listSeparatorTop"
    /// The separator at the lower edge of a row; it has the index path of the row.
    public static let listSeparatorBottom: ElementKind = "listSeparatorBottom"
    /// The rounded background of an inset group; its index path is [section, 0].
    public static let listGroupBackground: ElementKind = "listGroupBackground"
}

/// A semantic color name, similar to the semantic colors of `UIColor`. The renderer chooses the color for light and
/// dark mode.
public struct ColorToken: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    /// Creates a token with a name. The renderer decides how to draw names that it does not know.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a token from a literal, such as `"separator"`.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// Primary text.
    public static let label: ColorToken = "label"
    /// Secondary text, such as a second line.
    public static let secondaryLabel: ColorToken = "secondaryLabel"
    /// Symbols and disabled text.
    public static let tertiaryLabel: ColorToken = "tertiaryLabel"
    /// Text on a background of the tint color.
    public static let selectedLabel: ColorToken = "selectedLabel"
    /// Interactive elements, such as controls and images.
    public static let tint: ColorToken = "tint"
    /// Destructive actions.
    public static let destructive: ColorToken = "destructive"
    /// Actions that add something.
    public static let constructive: ColorToken = "constructive"
    /// The line between two rows.
    public static let separator: ColorToken = "separator"
    /// The background of plain lists and their rows.
    public static let systemBackground: ColorToken = "systemBackground"
    /// The background of grouped lists.
    public static let groupedBackground: ColorToken = "groupedBackground"
    /// Elements on a grouped background.
    public static let secondaryGroupedBackground: ColorToken = "secondaryGroupedBackground"
    /// The background of sidebars.
    public static let sidebarBackground: ColorToken = "sidebarBackground"
    /// The background of a selected row.
    public static let selection: ColorToken = "selection"
    /// The background of a highlighted row.
    public static let highlight: ColorToken = "highlight"
}
