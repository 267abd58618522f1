public import CollectionLayout

extension CollectionView {
    /// The selected items in the order of the data.
    public var selectedItems: [IndexPath] { selection.sorted() }

    /// Returns whether an item is selected.
    public func isSelected(_ path: IndexPath) -> Bool { selection.contains(path) }

    /// Selects an item and, with single selection, deselects any other. As in UIKit, the delegate isn't called.
    ///
    /// Does nothing if ``allowsSelection`` is `false`, as observed in UIKit. Pending layout is performed first.
    ///
    /// - Throws: ``CollectionViewError`` if the item doesn't exist.
    public func selectItem(at path: IndexPath) throws(CollectionViewError) {
        layoutIfNeeded()
        guard knownCounts.contains(path) else { throw .unknownItem(path) }
        guard allowsSelection else { return }
        let others = allowsMultipleSelection ? [] : selection.subtracting([path])
        selection.subtract(others)
        selection.insert(path)
        for path in others.sorted() + [path] { showState(at: path) }
    }

    /// Deselects an item if it is selected. As in UIKit, the delegate isn't called.
    public func deselectItem(at path: IndexPath) {
        guard selection.remove(path) != nil else { return }
        showState(at: path)
    }

    /// Deselects all items without calling the delegate.
    public func deselectAllItems() {
        let old = selection
        selection = []
        for path in old.sorted() { showState(at: path) }
    }

    /// Returns the state of an item's cell.
    func cellState(at path: IndexPath) -> CellState {
        CellState(isSelected: selection.contains(path), isHighlighted: touched == path)
    }

    private func showState(at path: IndexPath) {
        shown[.item(path)]?.content?.apply(cellState(at: path))
    }

    /// Reduces the selection to one item if multiple selection isn't allowed.
    func limitSelection() {
        guard !allowsMultipleSelection, let first = selection.min() else { return }
        let others = selection.subtracting([first])
        selection = [first]
        for path in others.sorted() { showState(at: path) }
    }

    /// Moves the selection and the highlight to the new index paths.
    func updateSelection(with updates: UpdateMap) {
        selection = Set(selection.compactMap { updates.newIndexPath(for: $0) })
        touched = touched.flatMap { updates.newIndexPath(for: $0) }
    }
}

// MARK: - Touches

extension CollectionView {
    /// The item highlighted by a touch.
    public var highlightedItem: IndexPath? { touched }

    /// Begins a touch: highlights the item at the point if the delegate allows it.
    ///
    /// An element that covers the item, such as a pinned header, receives the touch instead; decorations don't.
    ///
    /// - Parameter point: A point in content coordinates.
    /// - Returns: The highlighted item.
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

    /// Ends the touch: selects or deselects the highlighted item if the delegate allows it.
    ///
    /// With single selection, the previously selected item is deselected first, without asking the delegate, and
    /// touching a selected item selects it again. With multiple selection, touching a selected item deselects it. Both
    /// are as in UIKit.
    public func endTouch() {
        guard let path = touched else { return }
        if allowsSelection { select(byTouchAt: path) }
        cancelTouch()
    }

    /// Cancels the touch, for instance because it became a drag; no item is highlighted anymore.
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
