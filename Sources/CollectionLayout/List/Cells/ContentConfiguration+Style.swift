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
