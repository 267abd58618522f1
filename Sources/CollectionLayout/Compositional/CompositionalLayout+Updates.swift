extension CompositionalLayout {
    /// Takes measures along with their items, headers with their sections, and the offsets of sections that scroll by
    /// themselves (chosen): what is seen doesn't jump because rows above it fall back to their estimates.
    ///
    /// What a reloaded item measured is what it is taken for until its new cell is asked; the items of a reloaded section
    /// are others.
    ///
    /// - Complexity: O(measured elements · log changes).
    public mutating func follow(_ updates: UpdateMap) {
        isFollowing = true
        measures = measures.renamed { element($0, after: updates) }
        var offsets: [Int: Double] = [:]
        for (section, offset) in orthogonalOffsets {
            if let section = updates.newSection(for: section) { offsets[section] = offset }
        }
        orthogonalOffsets = offsets
    }

    /// What an element is called after updates; `nil` for one that is gone.
    private func element(_ old: LayoutElement, after updates: UpdateMap) -> LayoutElement? {
        let path = old.indexPath
        if path.section == IndexPath.wholeLayoutSection { return old }
        if old.kind == nil || !isOfBoundary(old) { return updates.newIndexPath(for: path).map(old.moved) }
        guard !updates.sections.reloaded.contains(path.section), let section = updates.newSection(for: path.section)
        else { return nil }
        return old.moved(to: IndexPath(section: section, item: path.item))
    }

    /// Whether it stands at the boundary of its section, and not at an item.
    private func isOfBoundary(_ element: LayoutElement) -> Bool {
        let section = element.indexPath.section
        guard let prepared, prepared.stack.sections.indices.contains(section) else { return true }
        return prepared.stack.sections[section].boundary.contains { $0.element == element }
    }
}
