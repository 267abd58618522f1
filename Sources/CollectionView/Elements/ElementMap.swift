import CollectionLayout

/// What becomes of the visible elements by batch updates.
struct ElementMap {
    let updates: UpdateMap

    /// The element now; `nil` for one that is gone or is replaced by another.
    ///
    /// A supplementary element goes with its section, at the same place in it; see ``isFilledAgain(_:)``.
    func kept(_ element: LayoutElement) -> LayoutElement? {
        switch element {
        case .item(let path): updates.reloads(path) ? nil : updates.newIndexPath(for: path).map(LayoutElement.item)
        case .supplementary, .decoration: inSection(element)
        }
    }

    /// Whether an element that was seen is replaced by another one at its place.
    func isReloaded(_ element: LayoutElement) -> Bool {
        guard case .item(let path) = element else { return false }
        return updates.reloads(path)
    }

    /// Whether the view of an element that is kept is filled again.
    ///
    /// So are supplementary views where items of their section changed, since nothing tells a header from a badge of the
    /// first item (chosen).
    func isFilledAgain(_ element: LayoutElement) -> Bool {
        switch element {
        case .item(let path): updates.reconfigures(path)
        case .supplementary(_, let path): !isOfWholeLayout(element) && !updates.keepsWhole(path.section)
        case .decoration: false
        }
    }

    /// Where the element stands now, with whatever view; `nil` for one that is gone.
    func new(_ element: LayoutElement) -> LayoutElement? {
        guard case .item(let path) = element else { return inSection(element) }
        return updates.newIndexPath(for: path).map(LayoutElement.item)
    }

    /// Where the element stood; `nil` for one that is new.
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

    /// Whether it belongs to no section: then no change of the data concerns it.
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
