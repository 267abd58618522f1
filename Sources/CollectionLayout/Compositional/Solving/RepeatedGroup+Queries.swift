extension RepeatedGroup {
    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {
        let axis = room.axis
        let count = groupCount
        var index = (0..<count).partitioningIndex { index in
            let (group, place) = solution(index)
            return start(index, ownIndex: place) + group.size[axis] + total.after >= rect.start(axis)
        }
        let first = cost.items
        while index < count, cost.items - first < CompositionalLayout.queryLimit {
            let (group, place) = solution(index)
            let origin = origin(index, group, ownIndex: place)
            guard origin[axis] - total.before <= rect.end(axis) else { return }
            let firstItem = index * capacity
            append(group, at: origin, firstItem: firstItem, to: &found, in: rect, cost: &cost)
            index += 1
        }
    }

    /// Adds the elements of one group that touch a rectangle.
    func append(
        _ group: SolvedGroup, at origin: Point, firstItem: Int, to found: inout [LayoutAttributes], in rect: Rect,
        cost: inout LayoutCost
    ) {
        cost.items += group.leaves.count + group.anchored.count
        for (offset, leaf) in group.leaves.enumerated() where offset < room.itemCount - firstItem {
            let frame = leaf.frame.offset(x: origin.x, y: origin.y)
            guard frame.touches(rect) else { continue }
            found.append(attributes(leaf, frame: frame, item: firstItem + offset))
            cost.attributes += 1
        }
        for element in group.anchored where element.leaf < room.itemCount - firstItem {
            let frame = element.frame.offset(x: origin.x, y: origin.y)
            guard frame.touches(rect) else { continue }
            found.append(attributes(element, frame: frame, item: firstItem + element.leaf))
            cost.attributes += 1
        }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard let (index, offset) = groupPlace(of: element) else { return nil }
        let (group, place) = solution(index)
        return attributes(of: element, in: group, at: origin(index, group, ownIndex: place), offset: offset)
    }

    /// The attributes of an element of one group.
    ///
    /// - Parameter offset: The place of its item in the group.
    func attributes(
        of element: LayoutElement, in group: SolvedGroup, at origin: Point, offset: Int
    ) -> LayoutAttributes? {
        switch element {
        case .item(let path):
            let leaf = group.leaves[offset]
            return attributes(leaf, frame: leaf.frame.offset(x: origin.x, y: origin.y), item: path.item)
        case .supplementary(let kind, let path):
            return group.anchored(at: offset).first { $0.supplementary.elementKind == kind }.map {
                attributes($0, frame: $0.frame.offset(x: origin.x, y: origin.y), item: path.item)
            }
        case .decoration:
            return nil
        }
    }

    func estimatedAxes(of element: LayoutElement) -> AxisSet {
        guard let (_, offset) = groupPlace(of: element) else { return AxisSet() }
        return template.estimatedAxes(of: element, offset: offset)
    }

    /// The group of an element, and its item's place in it; `nil` where there is no such item.
    func groupPlace(of element: LayoutElement) -> (index: Int, offset: Int)? {
        let path = element.indexPath
        guard path.section == room.section, path.item >= 0, path.item < room.itemCount, capacity > 0,
            path.item / capacity < groupCount
        else { return nil }
        return (path.item / capacity, path.item % capacity)
    }

    private func attributes(_ leaf: SolvedGroup.Leaf, frame: Rect, item: Int) -> LayoutAttributes {
        LayoutAttributes(
            .item(IndexPath(section: room.section, item: item)), frame: frame, zIndex: leaf.zIndex)
    }

    private func attributes(_ anchored: SolvedGroup.Anchored, frame: Rect, item: Int) -> LayoutAttributes {
        LayoutAttributes(
            .supplementary(anchored.supplementary.elementKind, IndexPath(section: room.section, item: item)),
            frame: frame, zIndex: anchored.supplementary.zIndex)
    }
}

extension SolvedGroup {
    /// The axes along which the size of an element is an estimate.
    ///
    /// - Parameter offset: The place of its item in the group.
    func estimatedAxes(of element: LayoutElement, offset: Int) -> AxisSet {
        switch element {
        case .item:
            return leaves[offset].estimatedAxes
        case .supplementary(let kind, _):
            let anchored = anchored(at: offset).first { $0.supplementary.elementKind == kind }
            return anchored?.supplementary.layoutSize.estimatedAxes ?? AxisSet()
        case .decoration:
            return AxisSet()
        }
    }
}

extension Rect {
    /// Whether the two touch or overlap, the edges of both included.
    package func touches(_ other: Rect) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }
}
