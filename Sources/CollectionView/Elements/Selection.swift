public import CollectionLayout

extension CollectionView {
    /// Selects an item and deselects any other. As in UIKit, the delegate isn't called.
    ///
    /// Does nothing if ``allowsSelection`` is `false`, as observed in UIKit. Pending layout is performed first.
    ///
    /// - Throws: ``CollectionViewError`` if the item doesn't exist.
    public func selectItem(at path: IndexPath) throws(CollectionViewError) {
        layoutIfNeeded()
        guard knownCounts.contains(path) else { throw .unknownItem(path) }
        guard allowsSelection else { return }
        if path != selectedItem { deselectItem() }
        selectedItem = path
        showState(at: path)
    }

    /// Deselects the selected item. As in UIKit, the delegate isn't called.
    public func deselectItem() {
        guard let path = selectedItem else { return }
        selectedItem = nil
        showState(at: path)
    }

    /// Returns the state of an item's cell.
    func cellState(at path: IndexPath) -> CellState {
        CellState(isSelected: selectedItem == path, isHighlighted: touched == path)
    }

    private func showState(at path: IndexPath) {
        shown[.item(path)]?.content?.apply(cellState(at: path))
    }

    /// Moves the selection and the highlight to the new index paths.
    func updateSelection(with updates: UpdateMap) {
        selectedItem = selectedItem.flatMap { updates.newIndexPath(for: $0) }
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

    /// Ends the touch: selects the highlighted item if the delegate allows it.
    ///
    /// The previously selected item is deselected first, without asking the delegate, and touching a selected item
    /// selects it again. Both are as in UIKit.
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
        guard delegate?.collectionView(self, shouldSelectItemAt: path) ?? true, knownCounts.contains(path) else {
            return
        }
        if let other = selectedItem, other != path {
            deselectItem()
            delegate?.collectionView(self, didDeselectItemAt: other)
        }
        selectedItem = path
        showState(at: path)
        delegate?.collectionView(self, didSelectItemAt: path)
    }
}
