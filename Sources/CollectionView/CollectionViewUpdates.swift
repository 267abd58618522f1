public import CollectionLayout

extension CollectionView {
    /// Changes the data and updates the view.
    ///
    /// Pending layout is performed first, with the old data. The closure then changes the data and records every
    /// change, in any order; see ``/CollectionLayout/BatchUpdates`` for the meaning of index paths.
    ///
    /// Cells of items that stay or move are kept, cells of reloaded items are replaced, and cells of reconfigured items
    /// are configured again. The selection moves with its items; a reloaded item stays selected. Deleted items are
    /// deselected without calling the delegate. The content offset stays, as far as the content allows, and
    /// orthogonally scrolling sections keep their offsets.
    ///
    /// - Returns: The changes of the visible elements, with their initial and final attributes.
    /// - Throws: ``/CollectionLayout/BatchUpdateError`` if the changes are inconsistent; the view is unchanged. If the
    ///   data has changed by then, call ``reloadData()``.
    @discardableResult
    public func performBatchUpdates(
        _ record: (inout BatchUpdates) -> Void
    ) throws(BatchUpdateError) -> VisibleChanges {
        guard !state.isUpdating, !state.isLayingOut else { throw .nested }
        layoutIfNeeded()
        // The closure may change the layout along with the data.
        let oldLayout = layout
        var updates = BatchUpdates()
        state.isUpdating = true
        record(&updates)
        let new = loadedCounts()
        state.isUpdating = false
        guard !state.needsReload else {
            // Everything is loaded again anyway: the data source was replaced, or the closure called `reloadData()`.
            return layoutIfNeeded()
        }
        let map = try UpdateMap(updates, from: knownCounts, to: new)
        return applyUpdates(ElementMap(updates: map), counts: new, from: oldLayout)
    }

    private func applyUpdates(
        _ map: ElementMap, counts: CheckedCounts, from oldLayout: any CollectionViewLayout
    ) -> VisibleChanges {
        knownCounts = counts
        state.hasCounted = true
        updateSelection(with: map.updates)
        drag?.applyUpdates(map.updates)
        // Lets the layout move measured sizes and offsets of sections.
        withLayout { $0.prepare(forUpdates: map.updates) }
        invalidate(with: .counts)
        var pass = LayoutPass()
        state.isLayingOut = true
        pass.applyUpdates(map, in: self)
        layOut(&pass)
        let newLayout = layout
        return pass.changes(
            to: shown,
            initial: { element in
                map.old(element).map { old in
                    oldLayout.attributes(of: old).map { $0.moved(to: element) }
                } ?? newLayout.initialAttributes(forAppearing: element)
            },
            final: { old in
                map.new(old.element).map { newLayout.attributes(of: $0) }
                    ?? newLayout.finalAttributes(forDisappearing: old.element)
            })
    }
}

// MARK: - Elements after updates

/// The effect of batch updates on visible elements.
struct ElementMap {
    let updates: UpdateMap

    /// Returns the new element; `nil` if it was deleted or replaced.
    ///
    /// A supplementary element moves with its section and keeps its index in it; see ``isReconfigured(_:)``.
    func kept(_ element: LayoutElement) -> LayoutElement? {
        switch element {
        case .item(let path): updates.reloads(path) ? nil : updates.newIndexPath(for: path).map(LayoutElement.item)
        case .supplementary, .decoration: inSection(element)
        }
    }

    /// Returns whether a visible element is replaced at its position.
    func isReloaded(_ element: LayoutElement) -> Bool {
        guard case .item(let path) = element else { return false }
        return updates.reloads(path)
    }

    /// Returns whether the view of an element that stays is configured again.
    ///
    /// Supplementary views are, too, if items of their section changed, because a header can't be distinguished from a
    /// badge of the first item.
    func isReconfigured(_ element: LayoutElement) -> Bool {
        switch element {
        case .item(let path): updates.reconfigures(path)
        case .supplementary(_, let path): !isOfWholeLayout(element) && !updates.keepsWhole(path.section)
        case .decoration: false
        }
    }

    /// Returns the new element, whatever its view; `nil` if it was deleted.
    func new(_ element: LayoutElement) -> LayoutElement? {
        guard case .item(let path) = element else { return inSection(element) }
        return updates.newIndexPath(for: path).map(LayoutElement.item)
    }

    /// Returns the old element; `nil` if it was inserted.
    func old(_ element: LayoutElement) -> LayoutElement? {
        let path = element.indexPath
        guard case .item = element else {
            if isOfWholeLayout(element) { return element }
            return updates.oldSection(for: path.section).map {
                element.moved(to: IndexPath(section: $0, item: path.item))
            }
        }
        return updates.oldIndexPath(for: path).map(LayoutElement.item)
    }

    /// Returns whether the element belongs to no section, so that changes of the data don't affect it.
    private func isOfWholeLayout(_ element: LayoutElement) -> Bool {
        element.indexPath.section == IndexPath.wholeLayoutSection
    }

    private func inSection(_ element: LayoutElement) -> LayoutElement? {
        if isOfWholeLayout(element) { return element }
        let path = element.indexPath
        guard !updates.reloadsSection(path.section), let section = updates.newSection(for: path.section)
        else { return nil }
        return element.moved(to: IndexPath(section: section, item: path.item))
    }
}
