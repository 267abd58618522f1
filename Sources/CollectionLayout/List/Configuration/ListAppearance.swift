extension ListConfiguration {
    /// The overall looks of a list (documented: `UICollectionLayoutListConfiguration.Appearance`).
    public enum Appearance: String, Hashable, Sendable, CaseIterable {
        /// Rows from edge to edge; headers and footers stay in sight (observed, as in plain tables).
        case plain
        /// Rows from edge to edge, sections apart; headers and footers scroll away (observed).
        case grouped
        /// As grouped, within the layout margins, each group on a rounded ground (observed). A view's margins are 8 by
        /// default; on a phone's screen they are 16 or 20.
        case insetGrouped
        /// A column beside the content: no separators, backgrounds of cells are inset (observed).
        case sidebar
        /// A sidebar that looks like a plain list: headers and footers stay in sight (chosen).
        case sidebarPlain
    }
}

extension ListConfiguration.Appearance {
    /// Whether it is for a column beside the content.
    public var isSidebar: Bool { self == .sidebar || self == .sidebarPlain }

    /// Whether headers and footers stay in sight.
    public var pinsHeaders: Bool { self == .plain || self == .sidebarPlain }

    /// What rows keep at their sides: the layout margins in inset groups (observed), nothing otherwise, so that rows
    /// reach under notches and their content keeps clear of them by its own margins (observed).
    public var contentInsetsReference: ContentInsetsReference { self == .insetGrouped ? .layoutMargins : .none }

    /// Whether there is a rounded ground behind the rows of a section.
    public var hasGroupBackground: Bool { self == .insetGrouped }

    /// The radius of the corners of a group's ground, in points: 10 (observed), 0 where there is none.
    public var groupCornerRadius: Double { hasGroupBackground ? 10 : 0 }

    /// Above each header, in points: 22 in plain lists (observed in plain tables since iOS 15), otherwise 0 (chosen:
    /// headers of groups bring 17 points in their own margins).
    public var headerTopPadding: Double { self == .plain ? 22 : 0 }

    /// Around the rows of a section, in points: groups are 35 apart (observed in grouped tables), half of it on each
    /// side (chosen); otherwise 0.
    public var sectionMargins: EdgeInsets {
        switch self {
        case .grouped, .insetGrouped: EdgeInsets(top: 17.5, bottom: 17.5)
        case .plain, .sidebar, .sidebarPlain: .zero
        }
    }

    /// Behind everything (observed).
    public var backgroundColor: ColorToken {
        switch self {
        case .plain, .sidebarPlain: .systemBackground
        case .grouped, .insetGrouped: .groupedBackground
        case .sidebar: .sidebarBackground
        }
    }
}
