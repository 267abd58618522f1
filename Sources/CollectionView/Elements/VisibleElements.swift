public import CollectionLayout

// MARK: - Visible elements

extension CollectionView {
    /// The attributes of the visible elements in drawing order, as of the last layout pass.
    public var visibleElements: [LayoutAttributes] {
        shown.values.map(\.attributes).sorted(by: LayoutAttributes.isDrawnBefore)
    }

    /// The visible items in the order of the data.
    public var visibleItems: [IndexPath] {
        shown.keys.filter { $0.kind == nil }.map(\.indexPath).sorted()
    }

    /// Returns the cell of an item; `nil` if the item isn't visible or has no cell.
    public func cell(at path: IndexPath) -> (any ReusableView)? { shown[.item(path)]?.content }

    /// Returns the view of a supplementary element; `nil` if the element isn't visible or has no view.
    public func supplementaryView(ofKind kind: ElementKind, at path: IndexPath) -> (any ReusableView)? {
        shown[.supplementary(kind, path)]?.content
    }

    /// Returns the view of any element: a cell, supplementary view or decoration view. Returns `nil` if the element
    /// isn't visible or has no view.
    public func reusableView(for element: LayoutElement) -> (any ReusableView)? { shown[element]?.content }

    /// Returns the index path of a visible cell; `nil` for any other view.
    ///
    /// - Complexity: O(visible elements).
    public func indexPath(for cell: any ReusableView) -> IndexPath? {
        shown.first { $0.key.kind == nil && $0.value.content === cell }?.key.indexPath
    }

    /// Returns the attributes of an element, visible or not; `nil` if the element doesn't exist.
    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        if case .item(let path) = element, !knownCounts.contains(path) { return nil }
        return state.isPrepared ? layout.attributes(of: element) : nil
    }
}

// MARK: - Hit testing

extension CollectionView {
    /// Returns the item at a point in content coordinates; if there are several, the topmost one.
    ///
    /// Frames are half-open in the reading direction, so that the edge between two items belongs to the later one: the
    /// left edge in left-to-right layouts, the right edge in right-to-left layouts. Supplementary elements
    /// and hidden items are ignored.
    public func indexPathForItem(at point: Point) -> IndexPath? {
        elements(at: point).last { $0.element.kind == nil }?.indexPath
    }

    /// Returns the topmost cell or supplementary element at a point, as a touch finds it.
    ///
    /// As in UIKit, hidden elements and those with an alpha below 0.01 are ignored; decorations are ignored, too.
    func hitElement(at point: Point) -> LayoutAttributes? {
        elements(at: point).last { attributes in
            guard case .decoration = attributes.element else { return attributes.alpha >= 0.01 }
            return false
        }
    }

    /// Returns all elements that are drawn at a point and aren't hidden, in drawing order.
    public func elements(at point: Point) -> [LayoutAttributes] {
        guard state.isPrepared, point.x.isFinite, point.y.isFinite else { return [] }
        // Rectangles exclude their right edge: an element that ends at the point is found slightly to the left of it.
        let left = layoutDirection == .rightToLeft ? point.x.nextDown : point.x
        let rect = Rect(minX: left, minY: point.y, maxX: point.x, maxY: point.y)
        return layout.attributes(in: rect).filter { attributes in
            guard !attributes.isHidden, attributes.frame.contains(point, layoutDirection) else { return false }
            guard case .item(let path) = attributes.element else { return true }
            return knownCounts.contains(path)
        }.sorted(by: LayoutAttributes.isDrawnBefore)
    }
}

extension Rect {
    /// Returns whether the rectangle contains a point, including the edges where lines and columns begin.
    fileprivate func contains(_ point: Point, _ direction: LayoutDirection) -> Bool {
        switch direction {
        case .leftToRight: contains(point)
        case .rightToLeft: minX < point.x && point.x <= maxX && minY <= point.y && point.y < maxY
        }
    }
}

// MARK: - Reuse

extension CollectionView {
    /// Returns a cell configured for an item: a reused cell, or a new one.
    ///
    /// Call it from the data source. A cell that is being reconfigured is returned as it is; any other reused cell
    /// receives ``ReusableView/prepareForReuse()`` first.
    public func dequeueCell<Cell: ReusableView, Item>(
        using registration: CellRegistration<Cell, Item>, for path: IndexPath, item: Item
    ) -> Cell {
        let cell: Cell = dequeue(registration.identity)
        registration.configure(cell, path, item)
        return cell
    }

    /// Returns a configured supplementary view: a reused view, or a new one.
    public func dequeueSupplementary<View: ReusableView>(
        using registration: SupplementaryRegistration<View>, for path: IndexPath
    ) -> View {
        let view: View = dequeue(registration.identity)
        registration.configure(view, registration.kind, path)
        return view
    }

    /// Registers a view type for decorations of a kind. In UIKit, this is a method of the layout:
    /// `register(_:forDecorationViewOfKind:)`.
    ///
    /// A decoration view has no data: it receives its attributes through `apply(_:)` and is reused. The data source
    /// isn't asked for it. Decorations that are visible already keep their views.
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
        if let used = pool.dequeue(identity) as? View {
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
        for other in dequeued where other.content !== content { pool.enqueue(other.content, other.identity) }
        guard let content else { return nil }
        if let kept, kept.content === content { return (content, kept.identity) }
        if let identity = dequeued.first(where: { $0.content === content })?.identity { return (content, identity) }
        return shown.contains { $0.key != element && $0.value.content === content } ? nil : (content, nil)
    }

    /// Creates the view of an element that becomes visible.
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

    /// Stores the views of elements that are no longer visible for reuse, in drawing order.
    func release(_ elements: [ShownElement]) {
        for element in elements.sorted(by: { LayoutAttributes.isDrawnBefore($0.attributes, $1.attributes) }) {
            if let content = element.content, let identity = element.identity { pool.enqueue(content, identity) }
            delegate?.collectionView(self, didEndDisplaying: element.content, with: element.attributes)
        }
    }

    /// Configures the cell of an item again; the data source may return another cell.
    func reconfigure(_ element: LayoutElement) {
        guard let current = shown[element] else { return }
        let kept = current.content.flatMap { content in current.identity.map { (content, $0) } }
        let answer = content(for: element, keeping: kept)
        shown[element]?.measuredSize = nil
        guard answer?.content !== current.content else { return }
        shown[element]?.content = answer?.content
        shown[element]?.identity = answer?.identity
        if let kept { pool.enqueue(kept.0, kept.1) }
        answer?.content.apply(current.attributes)
        answer?.content.apply(cellState(at: element.indexPath))
    }

    /// Returns attributes with a finite frame, adding a diagnostic if the layout's frame isn't finite.
    func finite(_ attributes: LayoutAttributes) -> LayoutAttributes {
        let frame = attributes.frame
        guard !(frame.minX.isFinite && frame.minY.isFinite && frame.maxX.isFinite && frame.maxY.isFinite) else {
            return attributes
        }
        viewDiagnostics.add(
            LayoutDiagnostic(
                .unusableLength, element: attributes.element, detail: "the layout returned a frame that is not finite"))
        var copy = attributes
        copy.frame = frame.usable
        return copy
    }

    /// Adds a diagnostic for an element that a layout places twice.
    func reportDuplicate(_ element: LayoutElement) {
        viewDiagnostics.add(
            LayoutDiagnostic(
                .duplicateElement, element: element, detail: "the layout places it twice; the first one is used"))
    }

    /// Returns whether the data contains the item of an element, adding a diagnostic otherwise.
    func exists(_ element: LayoutElement) -> Bool {
        guard case .item(let path) = element, !knownCounts.contains(path) else { return true }
        viewDiagnostics.add(
            LayoutDiagnostic(
                .unknownIndexPath, element: element, detail: "the layout places it, but the data does not contain it"))
        return false
    }
}

/// An element that is visible or has just become invisible.
struct ShownElement {
    var attributes: LayoutAttributes
    /// The last round in which the element was placed.
    var round = 0
    var content: (any ReusableView)?
    /// The registration of the view; `nil` for a view that was not dequeued.
    var identity: ReuseIdentity?
    /// The size for which the view was last measured.
    var measuredSize: Size?
}

/// The state of a request to the data source.
struct ViewRequest {
    /// The view being configured again, until it is dequeued.
    var kept: (content: any ReusableView, identity: ReuseIdentity)?
    /// Views that were dequeued but aren't shown yet.
    var dequeued: [(content: any ReusableView, identity: ReuseIdentity)] = []
    var isOpen = false
}
