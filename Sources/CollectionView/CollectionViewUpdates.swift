public import CollectionLayout

extension CollectionView {
    /// Changes the data and updates the view.
    ///
    /// Pending layout is performed first, with the old data. The closure then changes the data and records every
    /// change, in any order; see ``/CollectionLayout/BatchUpdates`` for the meaning of index paths. Methods such as
    /// ``insertItems(at:)`` also record changes while the closure runs.
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
        recordedUpdates = BatchUpdates()
        state.isUpdating = true
        record(&updates)
        let new = loadedCounts()
        state.isUpdating = false
        updates.append(recordedUpdates)
        return try applyUpdates(updates, counts: new, from: oldLayout)
    }

    private func applyUpdates(
        _ updates: BatchUpdates, counts: CheckedCounts, from oldLayout: any CollectionViewLayout
    ) throws(BatchUpdateError) -> VisibleChanges {
        guard !state.needsReload else {
            // Everything is loaded again anyway: the data source was replaced, or the closure called `reloadData()`.
            return layoutIfNeeded()
        }
        let map = try UpdateMap(updates, from: knownCounts, to: counts, checking: countChecking)
        return applyUpdates(ElementMap(updates: map), counts: counts, from: oldLayout)
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

// MARK: - Single updates

/// Each method updates the view immediately, after the data was changed. During ``performBatchUpdates(_:)``, it records
/// the change instead and returns no changes.
extension CollectionView {
    /// Inserts items.
    ///
    /// - Parameter paths: Index paths in the current data.
    /// - Throws: ``/CollectionLayout/BatchUpdateError`` if the change doesn't match the counts of the data source; see
    ///   ``performBatchUpdates(_:)``.
    @discardableResult
    public func insertItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.insertItems(at: paths) }
    }

    /// Deletes items.
    ///
    /// - Parameter paths: Index paths before the deletion.
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func deleteItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.deleteItems(at: paths) }
    }

    /// Replaces the cells of items.
    ///
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func reloadItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.reloadItems(at: paths) }
    }

    /// Configures the existing cells of items again.
    ///
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func reconfigureItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.reconfigureItems(at: paths) }
    }

    /// Moves an item.
    ///
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func moveItem(at source: IndexPath, to target: IndexPath) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.moveItem(at: source, to: target) }
    }

    /// Inserts sections.
    ///
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func insertSections(_ sections: [Int]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.insertSections(sections) }
    }

    /// Deletes sections.
    ///
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func deleteSections(_ sections: [Int]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.deleteSections(sections) }
    }

    /// Replaces all items of sections.
    ///
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func reloadSections(_ sections: [Int]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.reloadSections(sections) }
    }

    /// Moves a section with its items.
    ///
    /// - Throws: The same errors as ``insertItems(at:)``.
    @discardableResult
    public func moveSection(_ source: Int, to target: Int) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.moveSection(source, to: target) }
    }

    private func update(_ record: (inout BatchUpdates) -> Void) throws(BatchUpdateError) -> VisibleChanges {
        guard !state.isUpdating else {
            record(&recordedUpdates)
            return VisibleChanges()
        }
        guard !state.isLayingOut else { throw .nested }
        var updates = BatchUpdates()
        record(&updates)
        // Don't perform pending layout first: the data has already changed.
        return try applyUpdates(updates, counts: loadedCounts(), from: layout)
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
