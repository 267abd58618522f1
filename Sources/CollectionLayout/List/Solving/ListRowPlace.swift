/// Where a row stands in its section, and which separators it has for that.
///
/// Rows that stand together have one line between them, the lower separator of the upper one (observed). Headers and
/// footers have none beside them, except at the edges of groups. Above the first row and below the last one it goes by
/// the appearance:
///
/// * plain: above, in the first section alone (chosen: elsewhere the line below the row before is enough), unless a
///   header precedes; below, unless a footer follows (observed)
/// * grouped: both, as wide as the group (observed)
/// * inset grouped: neither (observed)
/// * sidebar, sidebarPlain: neither (chosen)
struct ListRowPlace {
    private let appearance: ListConfiguration.Appearance
    private let isHeader: Bool
    private let isFirst: Bool
    private let isLast: Bool
    private let isFirstSection: Bool
    private let followsHeader: Bool
    private let precedesFooter: Bool

    init(
        _ path: IndexPath, in room: SectionRoom, headerMode: ListConfiguration.HeaderMode,
        appearance: ListConfiguration.Appearance
    ) {
        self.appearance = appearance
        let hasHeaderRow = headerMode == .firstItemInSection
        isHeader = hasHeaderRow && path.item == 0
        isFirst = path.item == (hasHeaderRow ? 1 : 0)
        isLast = path.item == room.itemCount - 1
        isFirstSection = path.section == 0
        followsHeader = hasHeaderRow || room.takenKinds.contains(.header)
        precedesFooter = room.takenKinds.contains(.footer)
    }

    func isShown(_ visibility: ListSeparatorConfiguration.Visibility, automatic: Bool) -> Bool {
        switch visibility {
        case .automatic: automatic
        case .visible: true
        case .hidden: false
        }
    }

    /// Whether it bounds a group at the top, at the bottom.
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
