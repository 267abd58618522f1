public import CollectionLayout

extension CollectionView {
    /// The selected items, in the order of the data.
    public var selectedItems: [IndexPath] { selection.sorted() }

    /// Whether an item is selected.
    public func isSelected(_ path: IndexPath) -> Bool { selection.contains(path) }

    /// Selects an item, and with single selection deselects any other; nothing is asked or reported (documented).
    ///
    /// Without ``allowsSelection`` nothing happens (observed).
    ///
    /// - Throws: ``CollectionViewError`` for an item that doesn't exist; what is marked is laid out first.
    public func selectItem(at path: IndexPath) throws(CollectionViewError) {
        layoutIfNeeded()
        guard knownCounts.contains(path) else { throw .unknownItem(path) }
        guard allowsSelection else { return }
        let others = allowsMultipleSelection ? [] : selection.subtracting([path])
        selection.subtract(others)
        selection.insert(path)
        for path in others.sorted() + [path] { showState(at: path) }
    }

    /// Deselects an item, if it is selected; nothing is asked or reported (documented).
    public func deselectItem(at path: IndexPath) {
        guard selection.remove(path) != nil else { return }
        showState(at: path)
    }

    /// Deselects all items; nothing is asked or reported.
    public func deselectAllItems() {
        let old = selection
        selection = []
        for path in old.sorted() { showState(at: path) }
    }

    /// How the cell of an item shows itself.
    func cellState(at path: IndexPath) -> CellState {
        CellState(isSelected: selection.contains(path), isHighlighted: touched == path)
    }

    func showState(at path: IndexPath) {
        shown[.item(path)]?.content?.apply(cellState(at: path))
    }

    /// Leaves one item selected where more can't be.
    func limitSelection() {
        guard !allowsMultipleSelection, let first = selection.min() else { return }
        let others = selection.subtracting([first])
        selection = [first]
        for path in others.sorted() { showState(at: path) }
    }

    /// Takes the selection to where its items are now.
    func follow(_ updates: UpdateMap) {
        selection = Set(selection.compactMap { updates.newIndexPath(for: $0) })
        touched = touched.flatMap { updates.newIndexPath(for: $0) }
    }
}

// MARK: - Touches

extension CollectionView {
    /// The item that a touch highlights.
    public var highlightedItem: IndexPath? { touched }

    /// A finger is put down: highlights the item under it, if the delegate allows it (documented).
    ///
    /// What covers the item, such as a pinned header, takes the touch away from it; decorations don't (chosen).
    ///
    /// - Parameter point: In the content's coordinates.
    /// - Returns: The item that is highlighted.
    @discardableResult
    public func beginTouch(at point: Point) -> IndexPath? {
        layoutIfNeeded()
        cancelTouch()
        guard case .item(let path)? = hitElement(at: point)?.element else { return nil }
        guard delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true, knownCounts.contains(path) else {
            return nil
        }
        touched = path
        showState(at: path)
        delegate?.collectionView(self, didHighlightItemAt: path)
        return touched
    }

    /// The finger was lifted: selects the highlighted item, or deselects it, if the delegate allows it.
    ///
    /// With single selection the item selected before is deselected first, without being asked about; a selected item that
    /// is touched again is selected again. With multiple selection a touch on a selected item deselects it (documented).
    public func endTouch() {
        guard let path = touched else { return }
        if allowsSelection { select(byTouchAt: path) }
        cancelTouch()
    }

    /// The touch became something else, a drag perhaps: nothing is highlighted any more.
    public func cancelTouch() {
        guard let path = touched else { return }
        touched = nil
        showState(at: path)
        delegate?.collectionView(self, didUnhighlightItemAt: path)
    }

    private func select(byTouchAt path: IndexPath) {
        if allowsMultipleSelection, selection.contains(path) {
            guard delegate?.collectionView(self, shouldDeselectItemAt: path) ?? true else { return }
            deselectItem(at: path)
            delegate?.collectionView(self, didDeselectItemAt: path)
            return
        }
        guard delegate?.collectionView(self, shouldSelectItemAt: path) ?? true, knownCounts.contains(path) else {
            return
        }
        let others = allowsMultipleSelection ? [] : selection.subtracting([path]).sorted()
        for other in others {
            deselectItem(at: other)
            delegate?.collectionView(self, didDeselectItemAt: other)
        }
        selection.insert(path)
        showState(at: path)
        delegate?.collectionView(self, didSelectItemAt: path)
    }
}
