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
