/// The appearance of a list and the elements of its sections, like UIKit's `UICollectionLayoutListConfiguration`.
///
/// ```swift
/// var configuration = ListConfiguration(appearance: .insetGrouped)
/// configuration.headerMode = .supplementary
/// var layout = CompositionalLayout.list(using: configuration)
/// ```
///
/// Separators and backgrounds are not included: the renderer draws them with the rows.
public struct ListConfiguration: Hashable, Sendable {
    /// The appearance, which determines the defaults of all properties that are `nil`.
    public var appearance: Appearance
    /// The kind of section header; none by default.
    public var headerMode: BoundaryMode = .none
    /// The kind of section footer; none by default.
    public var footerMode: BoundaryMode = .none
    /// The padding above each header, in points; `nil`, the default, for the appearance's own.
    public var headerTopPadding: Double?
    /// The margins around the rows of each section, inside header and footer; `nil`, the default, for the margins of the
    /// appearance.
    public var sectionMargins: EdgeInsets?
    /// The height of rows before they are measured, in points; at least 1. 44 by default, as observed in UIKit.
    public var estimatedRowHeight = 44.0
    /// The height of headers before they are measured, in points; 28 by default, as observed in UIKit's plain tables.
    public var estimatedHeaderHeight = 28.0
    /// The height of footers before they are measured, in points; 28 by default, as observed in UIKit's plain tables.
    public var estimatedFooterHeight = 28.0

    /// Creates a configuration with the defaults of an appearance.
    public init(appearance: Appearance) {
        self.appearance = appearance
    }
}

extension ListConfiguration {
    /// The kind of header above the rows of a section, or of footer below them.
    public enum BoundaryMode: String, Hashable, Sendable, CaseIterable {
        /// No header or footer.
        case none
        /// An element of the kind ``ElementKind/header`` or ``ElementKind/footer``, which the data source must provide.
        case supplementary
    }
}

// MARK: - Resolved values

extension ListConfiguration {
    /// The padding above each header, in points; 0 if there are no headers.
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
    /// The overall style of a list, like UIKit's `UICollectionLayoutListConfiguration.Appearance`, but without sidebars.
    public enum Appearance: String, Hashable, Sendable, CaseIterable {
        /// Rows from edge to edge, with pinned headers and footers, as in UIKit's plain tables.
        case plain
        /// Rows from edge to edge in separated sections, with headers and footers that scroll.
        case grouped
        /// Grouped sections within the layout margins. The margins of a view are 8 points by default, and 16 or 20
        /// points on a phone.
        case insetGrouped
    }
}

extension ListConfiguration.Appearance {
    /// Whether headers and footers are pinned.
    public var pinsHeaders: Bool { self == .plain }

    /// The reference for the horizontal insets of rows: the layout margins in inset groups, otherwise none, so that
    /// rows extend under notches and their margins keep the content clear of them. UIKit was observed to do so.
    public var contentInsetsReference: ContentInsetsReference { self == .insetGrouped ? .layoutMargins : .none }

    /// The padding above each header, in points: 22 in plain lists, as observed in plain tables since iOS 15, and
    /// otherwise 0, because headers of groups include 17 points in their margins.
    public var headerTopPadding: Double { self == .plain ? 22 : 0 }

    /// The margins around the rows of a section, in points. Groups are 35 points apart, as observed in UIKit, half of
    /// it on each side; plain lists have no margins.
    public var sectionMargins: EdgeInsets { self == .plain ? .zero : EdgeInsets(top: 17.5, bottom: 17.5) }
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
    /// The background of a selected row.
    public static let selection: ColorToken = "selection"
    /// The background of a highlighted row.
    public static let highlight: ColorToken = "highlight"
}
