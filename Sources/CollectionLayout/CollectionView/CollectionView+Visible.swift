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
    func isDrawn(at point: Point, _ direction: LayoutDirection) -> Bool {
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

extension AffineTransform {
    /// The way back; `nil` for a transform that leaves no area.
    var inverse: AffineTransform? {
        let determinant = a * d - b * c
        guard determinant.isFinite, determinant != 0 else { return nil }
        return AffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}
