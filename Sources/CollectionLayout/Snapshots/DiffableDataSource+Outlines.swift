extension DiffableDataSource {
    /// Fills a section with the visible items of an outline, and tells the view what differs (documented).
    ///
    /// A section that isn't there is appended (documented by example). Items that were there and are expanded or collapsed
    /// now are reconfigured, so that their cells can show it (chosen). The outline is kept until the section's items are
    /// changed by a snapshot (chosen).
    ///
    /// - Returns: What changed among the visible elements.
    /// - Throws: ``SnapshotError/duplicateItem(_:)`` for an item that stands in another section; nothing has changed then.
    ///   Also what ``apply(_:)`` throws; the outline isn't kept then.
    /// - Complexity: That of ``apply(_:)``, and O(visible items).
    @discardableResult
    public func apply(_ outline: SectionSnapshot<ItemID>, to section: SectionID) throws -> VisibleChanges {
        var next = current
        let items = outline.visibleItems
        if next.indexOfSection(section) == nil {
            try next.appendSections([section])
        } else {
            try next.deleteItems(next.itemIdentifiers(inSection: section))
        }
        try next.appendItems(items, toSection: section)
        if let before = outlines[section] {
            try next.reconfigureItems(
                items.filter { before.isExpanded($0) != outline.isExpanded($0) })
        }
        let changes = try apply(next)
        outlines[section] = outline
        return changes
    }

    /// The outline that a section was filled from; without one its items side by side, and none for a section that isn't
    /// there (documented).
    ///
    /// - Complexity: O(1) with an outline, otherwise O(items of the section).
    public func snapshot(for section: SectionID) -> SectionSnapshot<ItemID> {
        if let outline = outlines[section] { return outline }
        guard let token = current.tokens[section] else { return SectionSnapshot() }
        return .plain(current.sections[token].items)
    }
}
