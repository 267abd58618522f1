public import CollectionLayout

extension CollectionView {
    /// Tells the view what changed in the data, and lays out.
    ///
    /// What was marked before is laid out first, with the data as it was; then the closure changes the data and records
    /// every change, in any order; see ``/CollectionLayout/BatchUpdates`` for what the index paths mean. Calls such as
    /// ``insertItems(at:)`` record too while the closure runs.
    ///
    /// Cells of items that stay or move are kept, reloaded ones replaced, reconfigured ones kept and filled again. The
    /// selection goes with its items, a reloaded one staying selected (chosen: it is the same item); what is deleted is no
    /// longer selected, and nothing is reported about it. The content offset stays, as far as the content allows; a
    /// section that scrolls by itself keeps its own (chosen).
    ///
    /// - Returns: What changed among the visible elements, with their initial and final attributes.
    /// - Throws: Where the changes don't add up; the view then stays as it was. If the data is changed by then, reload it.
    @discardableResult
    public func performBatchUpdates(
        _ record: (inout BatchUpdates) -> Void
    ) throws(BatchUpdateError) -> VisibleChanges {
        guard !state.isUpdating, !state.isLayingOut else { throw .nested }
        layoutIfNeeded()
        // As it stood: the closure may change the layout along with the data.
        let oldLayout = layout
        var updates = BatchUpdates()
        recordedUpdates = BatchUpdates()
        state.isUpdating = true
        record(&updates)
        let new = loadedCounts()
        state.isUpdating = false
        updates.append(recordedUpdates)
        return try follow(updates, counts: new, from: oldLayout)
    }

    private func follow(
        _ updates: BatchUpdates, counts: CheckedCounts, from oldLayout: any CollectionViewLayout
    ) throws(BatchUpdateError) -> VisibleChanges {
        guard !state.reloads else {
            // Everything is loaded anew anyway: the data source was exchanged, or the closure asked for it.
            return layoutIfNeeded()
        }
        let map = try UpdateMap(updates, from: knownCounts, to: counts, checking: countChecking)
        return follow(ElementMap(updates: map), counts: counts, from: oldLayout)
    }

    private func follow(
        _ map: ElementMap, counts: CheckedCounts, from oldLayout: any CollectionViewLayout
    ) -> VisibleChanges {
        knownCounts = counts
        state.hasCounted = true
        follow(map.updates)
        drag?.follow(map.updates)
        // Lets the layout carry along what it has measured, and where its sections stand.
        withLayout { $0.follow(map.updates) }
        invalidate(with: .counts)
        var pass = LayoutPass()
        state.isLayingOut = true
        pass.follow(map, in: self)
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

// MARK: - One change

/// Each call updates the view at once, after the data was changed (documented). Inside of ``performBatchUpdates(_:)`` it
/// records the change instead and returns no changes.
extension CollectionView {
    /// Inserts items.
    ///
    /// - Parameter paths: Where they stand in the data as it is now.
    /// - Throws: ``/CollectionLayout/BatchUpdateError`` if the change doesn't match the counts of the data source; see
    ///   ``performBatchUpdates(_:)``.
    @discardableResult
    public func insertItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.insertItems(at: paths) }
    }

    /// Deletes items.
    ///
    /// - Parameter paths: Where they stood before.
    /// - Throws: As ``insertItems(at:)``.
    @discardableResult
    public func deleteItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.deleteItems(at: paths) }
    }

    /// Replaces the cells of items.
    ///
    /// - Throws: As ``insertItems(at:)``.
    @discardableResult
    public func reloadItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.reloadItems(at: paths) }
    }

    /// Fills the cells of items again.
    ///
    /// - Throws: As ``insertItems(at:)``.
    @discardableResult
    public func reconfigureItems(at paths: [IndexPath]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.reconfigureItems(at: paths) }
    }

    /// Moves an item.
    ///
    /// - Throws: As ``insertItems(at:)``.
    @discardableResult
    public func moveItem(at source: IndexPath, to target: IndexPath) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.moveItem(at: source, to: target) }
    }

    /// Inserts sections.
    ///
    /// - Throws: As ``insertItems(at:)``.
    @discardableResult
    public func insertSections(_ sections: [Int]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.insertSections(sections) }
    }

    /// Deletes sections.
    ///
    /// - Throws: As ``insertItems(at:)``.
    @discardableResult
    public func deleteSections(_ sections: [Int]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.deleteSections(sections) }
    }

    /// Replaces all items of sections.
    ///
    /// - Throws: As ``insertItems(at:)``.
    @discardableResult
    public func reloadSections(_ sections: [Int]) throws(BatchUpdateError) -> VisibleChanges {
        try update { $0.reloadSections(sections) }
    }

    /// Moves a section with its items.
    ///
    /// - Throws: As ``insertItems(at:)``.
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
        // Nothing is laid out before: the data has changed already.
        return try follow(updates, counts: loadedCounts(), from: layout)
    }
}
