public import CollectionLayout

// MARK: - What is in sight

extension CollectionView {
    /// The attributes of what is in sight, in the order of drawing, as of the last layout.
    public var visibleElements: [LayoutAttributes] {
        shown.values.map(\.attributes).sorted(by: LayoutAttributes.isDrawnBefore)
    }

    /// The items that are in sight, in the order of the data.
    public var visibleItems: [IndexPath] {
        shown.keys.filter { $0.kind == nil }.map(\.indexPath).sorted()
    }

    /// The cell of an item; `nil` if it is out of sight or has none (documented).
    public func cell(at path: IndexPath) -> (any ReusableView)? { shown[.item(path)]?.content }

    /// The view of a supplementary element; `nil` if it is out of sight or has none (documented).
    public func supplementaryView(ofKind kind: ElementKind, at path: IndexPath) -> (any ReusableView)? {
        shown[.supplementary(kind, path)]?.content
    }

    /// The view of any element: a cell, a supplementary view or a decoration view; `nil` if the element is out of sight or
    /// has none.
    public func reusableView(for element: LayoutElement) -> (any ReusableView)? { shown[element]?.content }

    /// The place of a cell that is in sight; `nil` for any other (documented).
    ///
    /// - Complexity: O(visible elements).
    public func indexPath(for cell: any ReusableView) -> IndexPath? {
        shown.first { $0.key.kind == nil && $0.value.content === cell }?.key.indexPath
    }

    /// The attributes that the layout gives an element, in sight or not; `nil` for one that doesn't exist.
    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        if case .item(let path) = element, !knownCounts.contains(path) { return nil }
        return state.isPrepared ? layout.attributes(of: element) : nil
    }
}

// MARK: - Hit test

extension CollectionView {
    /// The item at a point, in the content's coordinates; of several, the one that is drawn last.
    ///
    /// Frames are half-open in the direction of reading: at the edge between two items lies the later one. So from left to
    /// right the left edge of an item is in it, and from right to left the right one (chosen). A transformed item is hit where it is drawn.
    /// Supplementary elements don't count (documented), hidden items neither.
    public func indexPathForItem(at point: Point) -> IndexPath? {
        elements(at: point).last { $0.element.kind == nil }?.indexPath
    }

    /// The topmost cell or supplementary element at a point, as a touch finds it.
    ///
    /// Hidden elements and those with an alpha below 0.01 let touches through (documented), decorations too (chosen).
    func hitElement(at point: Point) -> LayoutAttributes? {
        elements(at: point).last { attributes in
            guard case .decoration = attributes.element else { return attributes.alpha >= 0.01 }
            return false
        }
    }

    /// What is drawn at a point and not hidden, in the order of drawing.
    public func elements(at point: Point) -> [LayoutAttributes] {
        guard state.isPrepared, point.x.isFinite, point.y.isFinite else { return [] }
        // Rectangles are open at the right: what ends there is found a hair to the left.
        let left = layoutDirection == .rightToLeft ? point.x.nextDown : point.x
        let rect = Rect(minX: left, minY: point.y, maxX: point.x, maxY: point.y)
        return layout.attributes(in: rect).filter { attributes in
            guard !attributes.isHidden, attributes.isDrawn(at: point, layoutDirection) else { return false }
            guard case .item(let path) = attributes.element else { return true }
            return knownCounts.contains(path)
        }
    }
}

extension LayoutAttributes {
    /// Whether a point lies in the element as it is drawn, its transform undone.
    fileprivate func isDrawn(at point: Point, _ direction: LayoutDirection) -> Bool {
        guard transform != .identity else { return layoutFrame.contains(point, direction) }
        guard let inverse = transform.inverse else { return false }
        let origin = inverse(point - center)
        return layoutFrame.contains(origin + center, direction)
    }
}

extension Rect {
    /// Whether a point lies in the rectangle, of whose edges those are in it where lines and columns begin.
    fileprivate func contains(_ point: Point, _ direction: LayoutDirection) -> Bool {
        switch direction {
        case .leftToRight: contains(point)
        case .rightToLeft: minX < point.x && point.x <= maxX && minY <= point.y && point.y < maxY
        }
    }
}

// MARK: - Reuse

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

    /// Shows decorations of a kind by views of a type (documented: `register(_:forDecorationViewOfKind:)` of a layout).
    ///
    /// A decoration view has no data: it gets its attributes by `apply(_:)`, and is reused. The data source
    /// isn't asked for it. Decorations that are in sight already keep what they have.
    public func register<View: ReusableView>(_ type: View.Type, forDecorationViewOfKind kind: ElementKind) {
        let identity = ReuseIdentity()
        decorationProviders[kind] = { view in
            let decoration: View = view.dequeue(identity)
            return decoration
        }
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
            case .decoration(let kind, _): decorationProviders[kind]?(self)
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

/// An element that is in sight, or was until now.
struct ShownElement {
    var attributes: LayoutAttributes
    /// The round of placing that it was placed in last.
    var round = 0
    var content: (any ReusableView)?
    /// `nil` for a view that was not dequeued.
    var identity: ReuseIdentity?
    /// The size that the view was last asked about.
    var fitted: Size?
}

/// What is asked of the data source at the moment.
struct ViewRequest {
    /// The view that is filled again, until it is dequeued.
    var kept: (content: any ReusableView, identity: ReuseIdentity)?
    /// Views that were dequeued and not shown yet.
    var dequeued: [(content: any ReusableView, identity: ReuseIdentity)] = []
    var isOpen = false
}
