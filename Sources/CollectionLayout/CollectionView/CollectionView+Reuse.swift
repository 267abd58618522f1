/// What is asked of the data source at the moment.
struct ViewRequest {
    /// The view that is filled again, until it is dequeued.
    var kept: (content: any ReusableView, identity: ReuseIdentity)?
    /// Views that were dequeued and not shown yet.
    var dequeued: [(content: any ReusableView, identity: ReuseIdentity)] = []
    var isOpen = false
}

extension CollectionView {
    /// A cell, filled with an item: one that left the view, else a new one (documented).
    ///
    /// Called by the data source. The cell that is reconfigured is handed out as it is; any other used one after
    /// ``ReusableView/prepareForReuse()``.
    public func dequeueCell<Cell: ReusableView, Item>(
        using registration: CellRegistration<Cell, Item>, for path: IndexPath, item: Item
    ) -> Cell {
        let cell: Cell = dequeue(registration.identity)
        registration.configure(cell, path, item)
        return cell
    }

    /// A supplementary view, filled: one that left the view, else a new one (documented).
    public func dequeueSupplementary<View: ReusableView>(
        using registration: SupplementaryRegistration<View>, for path: IndexPath
    ) -> View {
        let view: View = dequeue(registration.identity)
        registration.configure(view, registration.kind, path)
        return view
    }

    private func dequeue<View: ReusableView>(_ identity: ReuseIdentity) -> View {
        if let kept = request.kept, kept.identity == identity, let view = kept.content as? View {
            request.kept = nil
            return view
        }
        let view: View
        if let used = pool.take(identity) as? View {
            used.prepareForReuse()
            view = used
        } else {
            view = View()
        }
        if request.isOpen { request.dequeued.append((view, identity)) }
        return view
    }

    /// Asks the data source for the view of an element.
    private func content(
        for element: LayoutElement, keeping kept: (content: any ReusableView, identity: ReuseIdentity)? = nil
    ) -> (content: any ReusableView, identity: ReuseIdentity?)? {
        request = ViewRequest(kept: kept, isOpen: true)
        let content: (any ReusableView)? =
            switch element {
            case .item(let path): dataSource?.collectionView(self, cellForItemAt: path)
            case .supplementary(let kind, let path):
                dataSource?.collectionView(self, viewForSupplementaryElementOfKind: kind, at: path)
            case .decoration: nil
            }
        let dequeued = request.dequeued
        request = ViewRequest()
        for other in dequeued where other.content !== content { pool.put(other.content, other.identity) }
        guard let content else { return nil }
        if let kept, kept.content === content { return (content, kept.identity) }
        if let identity = dequeued.first(where: { $0.content === content })?.identity { return (content, identity) }
        return shown.contains { $0.key != element && $0.value.content === content } ? nil : (content, nil)
    }

    /// Makes the view of an element that comes into sight.
    func show(_ attributes: LayoutAttributes) {
        let element = attributes.element
        if let (content, identity) = content(for: element) {
            shown[element]?.content = content
            shown[element]?.identity = identity
            content.apply(attributes)
            if case .item(let path) = element { content.apply(cellState(at: path)) }
        }
        delegate?.collectionView(self, willDisplay: shown[element]?.content, with: attributes)
    }

    /// Puts the views of elements that are out of sight aside, in the order of drawing.
    func letGo(_ elements: [ShownElement]) {
        for element in elements.sorted(by: { LayoutAttributes.isDrawnBefore($0.attributes, $1.attributes) }) {
            if let content = element.content, let identity = element.identity { pool.put(content, identity) }
            delegate?.collectionView(self, didEndDisplaying: element.content, with: element.attributes)
        }
    }

    /// Fills the cell of an item again; the data source may give it another one.
    func configureAgain(_ element: LayoutElement) {
        guard let current = shown[element] else { return }
        let kept = current.content.flatMap { content in current.identity.map { (content, $0) } }
        let answer = content(for: element, keeping: kept)
        shown[element]?.fitted = nil
        guard answer?.content !== current.content else { return }
        shown[element]?.content = answer?.content
        shown[element]?.identity = answer?.identity
        if let kept { pool.put(kept.0, kept.1) }
        answer?.content.apply(current.attributes)
        answer?.content.apply(cellState(at: element.indexPath))
    }

    /// Attributes whose frame can be used, with a diagnostic where that of the layout can't.
    func finite(_ attributes: LayoutAttributes) -> LayoutAttributes {
        let frame = attributes.layoutFrame
        guard !(frame.minX.isFinite && frame.minY.isFinite && frame.maxX.isFinite && frame.maxY.isFinite) else {
            return attributes
        }
        ownDiagnostics.add(
            LayoutDiagnostic(
                .unusableLength, element: attributes.element, detail: "the layout gives it no finite frame"))
        var copy = attributes
        copy.layoutFrame = frame.usable
        return copy
    }

    /// Says that a layout places an element twice.
    func noteDuplicate(_ element: LayoutElement) {
        ownDiagnostics.add(
            LayoutDiagnostic(
                .duplicateElement, element: element, detail: "the layout places it twice: the first counts"))
    }

    /// Whether the data has what the layout places, with a diagnostic where it doesn't.
    func exists(_ element: LayoutElement) -> Bool {
        guard case .item(let path) = element, !knownCounts.contains(path) else { return true }
        ownDiagnostics.add(
            LayoutDiagnostic(.unknownIndexPath, element: element, detail: "the layout places it, the data has it not"))
        return false
    }
}
