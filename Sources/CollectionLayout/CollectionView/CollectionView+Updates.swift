extension CollectionView {
    /// Tells the view what changed in the data, and lays out.
    ///
    /// What was marked before is laid out first, with the data as it was; then the closure changes the data and records
    /// every change, in any order; see ``BatchUpdates`` for what the index paths mean. Cells of items that stay or move
    /// are kept, reloaded ones replaced, reconfigured ones kept and filled again. The selection goes with its items, a
    /// reloaded one staying selected (chosen: it is the same item); what is deleted is no longer selected, and nothing is
    /// reported about it. The content offset stays, as far as the content allows; a section that scrolls by itself keeps its
    /// own (chosen).
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
        state.isUpdating = true
        record(&updates)
        let new = loadedCounts()
        state.isUpdating = false
        guard !state.reloads else {
            // Everything is loaded anew anyway: the data source was exchanged, or the closure asked for it.
            return layoutIfNeeded()
        }
        let map = try UpdateMap(updates, from: knownCounts, to: new, checking: countChecking)
        return follow(ElementMap(updates: map), counts: new, from: oldLayout)
    }

    /// Lets the layout carry along what it has measured, and where its sections stand.
    private func followInLayout(_ updates: UpdateMap) {
        var working = layout
        // Taken out of the view, so that it is changed in place and not copied.
        layout = AbsentLayout()
        working.follow(updates)
        layout = working
    }

    private func follow(
        _ map: ElementMap, counts: CheckedCounts, from oldLayout: any CollectionViewLayout
    ) -> VisibleChanges {
        knownCounts = counts
        state.hasCounted = true
        follow(map.updates)
        drag?.follow(map.updates)
        followInLayout(map.updates)
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

extension LayoutAttributes {
    /// The same looks for the element as it is now.
    func moved(to element: LayoutElement) -> LayoutAttributes {
        var copy = self
        copy.element = element
        return copy
    }
}
