public import CollectionLayout

/// The ground of a cell, a header or a footer (documented: `UIBackgroundConfiguration`).
///
/// Colours, radii and insets are chosen; that there is one for each appearance is documented.
public struct BackgroundConfiguration: Hashable, Sendable {
    /// What the ground belongs to, and in which appearance of a list.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// Nothing in any state.
        case clear
        /// Grounds of rows.
        case listPlainCell, listGroupedCell, listSidebarCell
        /// Grounds of headers and footers.
        case listPlainHeaderFooter, listGroupedHeaderFooter, listSidebarHeader
    }

    /// What the defaults come from.
    public let style: Style
    /// `nil` lets what is behind shine through.
    public var backgroundColor: ColorToken?
    /// In points; 8 in sidebars (chosen), otherwise 0.
    public var cornerRadius: Double
    /// Taken off the frame of the cell.
    public var backgroundInsets: EdgeInsets
    /// The colour of a line around it; `nil` by default.
    public var strokeColor: ColorToken?
    /// In points; 0 by default.
    public var strokeWidth = 0.0
    private var state = CellState()

    /// The defaults of a style.
    public init(style: Style) {
        self.style = style
        backgroundColor = style.color(CellState())
        cornerRadius = style == .listSidebarCell ? 8 : 0
        backgroundInsets = style == .listSidebarCell ? EdgeInsets(leading: 8, trailing: 8) : .zero
    }

    /// Nothing in any state.
    public static func clear() -> BackgroundConfiguration { BackgroundConfiguration(style: .clear) }

    /// The ground of a cell in the appearance of a list.
    public static func cell(for appearance: ListConfiguration.Appearance) -> BackgroundConfiguration {
        switch appearance {
        case .plain: BackgroundConfiguration(style: .listPlainCell)
        case .grouped, .insetGrouped: BackgroundConfiguration(style: .listGroupedCell)
        case .sidebar, .sidebarPlain: BackgroundConfiguration(style: .listSidebarCell)
        }
    }

    /// The ground of a header or a footer in the appearance of a list.
    public static func headerFooter(for appearance: ListConfiguration.Appearance) -> BackgroundConfiguration {
        switch appearance {
        case .plain: BackgroundConfiguration(style: .listPlainHeaderFooter)
        case .grouped, .insetGrouped: BackgroundConfiguration(style: .listGroupedHeaderFooter)
        case .sidebar, .sidebarPlain: BackgroundConfiguration(style: .listSidebarHeader)
        }
    }

    /// The same ground as it looks in a state of the cell; a colour that was set on purpose stays (documented).
    public func updated(for state: CellState) -> BackgroundConfiguration {
        var copy = self
        if backgroundColor == style.color(self.state) { copy.backgroundColor = style.color(state) }
        copy.state = state
        return copy
    }

    /// Where it is drawn in a cell: within the insets, at least of no size. Insets that are no numbers count as 0.
    public func frame(in bounds: Rect, direction: LayoutDirection = .leftToRight) -> Rect {
        var insets = backgroundInsets.usable
        if direction == .rightToLeft { swap(&insets.leading, &insets.trailing) }
        return bounds.inset(by: insets)
    }
}

extension BackgroundConfiguration.Style {
    fileprivate func color(_ state: CellState) -> ColorToken? {
        switch self {
        case .clear, .listGroupedHeaderFooter, .listSidebarHeader: return nil
        case .listPlainHeaderFooter: return .systemBackground
        case .listPlainCell, .listGroupedCell, .listSidebarCell: break
        }
        if state.isFocused || (self == .listSidebarCell && state.isSelected) { return .tint }
        if state.isSelected { return .selection }
        if state.isHighlighted { return .highlight }
        return switch self {
        case .listPlainCell: .systemBackground
        case .listGroupedCell: .secondaryGroupedBackground
        case .clear, .listSidebarCell, .listPlainHeaderFooter, .listGroupedHeaderFooter, .listSidebarHeader: nil
        }
    }
}
