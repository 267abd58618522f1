public import CollectionLayout

/// What a cell, a header or a footer of a list shows, and how (documented: `UIListContentConfiguration`).
///
/// ```swift
/// var content = ContentConfiguration.subtitleCell()
/// content.text = "Tatort"
/// content.secondaryText = "Das Erste"
/// ```
public struct ContentConfiguration: Hashable, Sendable {
    /// What the defaults come from.
    public let style: Style
    /// The first text; `nil`, the default, or an empty one for none.
    public var text: String?
    /// The second text; `nil`, the default, or an empty one for none.
    public var secondaryText: String?
    /// Before the texts; `nil`, the default, for none.
    public var image: CellImage?
    /// Of ``text``; the style's by default.
    public var textProperties: TextProperties
    /// Of ``secondaryText``; the style's by default.
    public var secondaryTextProperties: TextProperties
    /// Of ``image``; the style's by default.
    public var imageProperties: ImageProperties
    /// Between the content and the edges of the cell, or the accessories where there are some (documented).
    public var margins: EdgeInsets
    /// Whether leading and trailing margins are at least the layout margins of the cell, where no accessory stands;
    /// `true` by default (observed).
    public var preservesLayoutMargins = true
    /// Between the image and the texts, in points; 16 by default (observed).
    public var imageToTextPadding = 16.0
    /// Between the texts side by side, at least, in points (documented); 8 by default (chosen).
    public var textToSecondaryTextHorizontalPadding = 8.0
    /// Between the texts one below the other, in points; 3 by default (observed).
    public var textToSecondaryTextVerticalPadding = 3.0
    /// Whether the texts stand side by side if there is room for both in one line (documented).
    public var prefersSideBySideTextAndSecondaryText: Bool
    /// The least height of the cell, in points; 44 for cells (observed), 0 for headers and footers (chosen: the
    /// original keeps it in the cell).
    public var minimumHeight: Double
    private var state = CellState()

    /// The defaults of a style.
    public init(style: Style) {
        self.style = style
        textProperties = style.textProperties(CellState())
        secondaryTextProperties = style.secondaryTextProperties(CellState())
        imageProperties = ImageProperties(tintColor: style.imageTint(CellState()))
        margins = style.margins
        prefersSideBySideTextAndSecondaryText = style == .valueCell
        minimumHeight = style.isHeaderOrFooter ? 0 : 44
    }

    /// The same content as it looks in a state of the cell.
    ///
    /// Colours that are no longer the style's were set on purpose, and stay (documented).
    public func updated(for state: CellState) -> ContentConfiguration {
        var copy = self
        if textProperties.color == style.textProperties(self.state).color {
            copy.textProperties.color = style.textProperties(state).color
        }
        if secondaryTextProperties.color == style.secondaryTextProperties(self.state).color {
            copy.secondaryTextProperties.color = style.secondaryTextProperties(state).color
        }
        if imageProperties.tintColor == style.imageTint(self.state) {
            copy.imageProperties.tintColor = style.imageTint(state)
        }
        copy.state = state
        return copy
    }
}

// MARK: - By name

extension ContentConfiguration {
    /// A row with one text.
    public static func cell() -> ContentConfiguration { ContentConfiguration(style: .cell) }
    /// A row whose secondary text stands below the text.
    public static func subtitleCell() -> ContentConfiguration { ContentConfiguration(style: .subtitleCell) }
    /// The secondary text at the trailing edge.
    public static func valueCell() -> ContentConfiguration { ContentConfiguration(style: .valueCell) }
    /// Above the rows of a section in a plain list.
    public static func plainHeader() -> ContentConfiguration { ContentConfiguration(style: .plainHeader) }
    /// Below the rows of a section in a plain list.
    public static func plainFooter() -> ContentConfiguration { ContentConfiguration(style: .plainFooter) }
    /// Above a group of rows; the text is shown in capitals.
    public static func groupedHeader() -> ContentConfiguration { ContentConfiguration(style: .groupedHeader) }
    /// Below a group of rows.
    public static func groupedFooter() -> ContentConfiguration { ContentConfiguration(style: .groupedFooter) }
    /// A row of a sidebar.
    public static func sidebarCell() -> ContentConfiguration { ContentConfiguration(style: .sidebarCell) }
    /// A row of a sidebar whose secondary text stands below the text.
    public static func sidebarSubtitleCell() -> ContentConfiguration {
        ContentConfiguration(style: .sidebarSubtitleCell)
    }
    /// Above the rows of a section in a sidebar.
    public static func sidebarHeader() -> ContentConfiguration { ContentConfiguration(style: .sidebarHeader) }
    /// A row of a sidebar beside another sidebar.
    public static func accompaniedSidebarCell() -> ContentConfiguration {
        ContentConfiguration(style: .accompaniedSidebarCell)
    }
    /// The same with the secondary text below the text.
    public static func accompaniedSidebarSubtitleCell() -> ContentConfiguration {
        ContentConfiguration(style: .accompaniedSidebarSubtitleCell)
    }
    /// A larger header above a group of rows.
    public static func prominentInsetGroupedHeader() -> ContentConfiguration {
        ContentConfiguration(style: .prominentInsetGroupedHeader)
    }
    /// The largest header above a group of rows.
    public static func extraProminentInsetGroupedHeader() -> ContentConfiguration {
        ContentConfiguration(style: .extraProminentInsetGroupedHeader)
    }

    /// A cell as the appearance of a list has it (documented: `defaultContentConfiguration()`).
    public static func cell(for appearance: ListConfiguration.Appearance) -> ContentConfiguration {
        appearance.isSidebar ? sidebarCell() : cell()
    }

    /// A header as the appearance of a list has it (documented: the header of the surroundings).
    public static func header(for appearance: ListConfiguration.Appearance) -> ContentConfiguration {
        switch appearance {
        case .plain: plainHeader()
        case .grouped, .insetGrouped: groupedHeader()
        case .sidebar, .sidebarPlain: sidebarHeader()
        }
    }

    /// A footer as the appearance of a list has it; sidebars take that of plain lists (chosen).
    public static func footer(for appearance: ListConfiguration.Appearance) -> ContentConfiguration {
        switch appearance {
        case .plain, .sidebar, .sidebarPlain: plainFooter()
        case .grouped, .insetGrouped: groupedFooter()
        }
    }
}

extension ContentConfiguration {
    /// Where the defaults of a content come from. Fonts, colours and margins are chosen where nothing else is said.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Rows: with one text, with a second below it, with a second at the trailing edge.
        case cell, subtitleCell, valueCell
        /// What stands above and below the rows of a section.
        case plainHeader, plainFooter, groupedHeader, groupedFooter
        /// Larger headers of inset groups.
        case prominentInsetGroupedHeader, extraProminentInsetGroupedHeader
        /// The same in a sidebar.
        case sidebarCell, sidebarSubtitleCell, sidebarHeader
        /// Cells of a sidebar that stands beside another sidebar.
        case accompaniedSidebarCell, accompaniedSidebarSubtitleCell

        /// Whether it has no least height of its own.
        public var isHeaderOrFooter: Bool {
            switch self {
            case .plainHeader, .plainFooter, .groupedHeader, .groupedFooter, .prominentInsetGroupedHeader,
                .extraProminentInsetGroupedHeader, .sidebarHeader:
                true
            case .cell, .subtitleCell, .valueCell, .sidebarCell, .sidebarSubtitleCell, .accompaniedSidebarCell,
                .accompaniedSidebarSubtitleCell:
                false
            }
        }

        /// Whether its text changes where the cell is selected.
        fileprivate var followsSelection: Bool { self == .sidebarCell || self == .sidebarSubtitleCell }
    }
}

extension ContentConfiguration.Style {
    /// Around the content, in points: those of a cell and of a grouped header are observed.
    public var margins: EdgeInsets {
        switch self {
        case .cell, .subtitleCell, .valueCell, .sidebarCell, .sidebarSubtitleCell, .sidebarHeader,
            .accompaniedSidebarCell, .accompaniedSidebarSubtitleCell:
            EdgeInsets(top: 11, leading: 16, bottom: 11, trailing: 8)
        case .groupedHeader, .prominentInsetGroupedHeader, .extraProminentInsetGroupedHeader:
            EdgeInsets(top: 17, leading: 8, bottom: 6, trailing: 8)
        case .plainHeader, .plainFooter, .groupedFooter: EdgeInsets(top: 6, leading: 8, bottom: 6, trailing: 8)
        }
    }

    func textProperties(_ state: CellState) -> TextProperties {
        let color = color(.label, state)
        return switch self {
        case .cell, .subtitleCell, .valueCell, .sidebarCell, .sidebarSubtitleCell, .accompaniedSidebarCell,
            .accompaniedSidebarSubtitleCell:
            TextProperties(color: color)
        case .plainHeader, .prominentInsetGroupedHeader:
            TextProperties(style: .headline, isEmphasized: true, color: color)
        case .sidebarHeader, .extraProminentInsetGroupedHeader:
            TextProperties(style: .title3, isEmphasized: true, color: color)
        case .groupedHeader:
            TextProperties(style: .footnote, color: self.color(.secondaryLabel, state), transform: .uppercase)
        case .groupedFooter, .plainFooter:
            TextProperties(style: .footnote, color: self.color(.secondaryLabel, state))
        }
    }

    func secondaryTextProperties(_ state: CellState) -> TextProperties {
        let color = color(.secondaryLabel, state)
        return switch self {
        case .valueCell: TextProperties(color: color)
        case .cell, .subtitleCell, .sidebarCell, .sidebarSubtitleCell, .accompaniedSidebarCell,
            .accompaniedSidebarSubtitleCell:
            TextProperties(style: .subheadline, color: color)
        case .plainHeader, .plainFooter, .groupedHeader, .groupedFooter, .prominentInsetGroupedHeader,
            .extraProminentInsetGroupedHeader, .sidebarHeader:
            TextProperties(style: .footnote, color: color)
        }
    }

    func imageTint(_ state: CellState) -> ColorToken { color(.tint, state) }

    /// Disabled content is pale; on the tinted ground of a selected row of a sidebar, and of a focused one, it is the
    /// colour for such grounds (chosen).
    private func color(_ color: ColorToken, _ state: CellState) -> ColorToken {
        if state.isDisabled { return .tertiaryLabel }
        if state.isFocused || (followsSelection && state.isSelected) { return .selectedLabel }
        return color
    }
}
