extension WrappedGroups {
    /// One group where it stands.
    struct Place {
        let group: SolvedGroup
        let firstItem: Int
        let start: Double
    }

    /// - Complexity: O(log parts).
    func place(ofGroup index: Int) -> Place {
        let part = parts[parts.partitioningIndex { $0.firstGroup > index } - 1]
        return place(index - part.firstGroup, in: part)
    }

    private func place(_ offset: Int, in part: Part) -> Place {
        Place(
            group: part.own ?? base.template, firstItem: part.firstItem + offset * base.capacity,
            start: part.start + Double(offset) * base.pitch)
    }

    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {
        let axis = base.room.axis
        let count = groupCount
        var index = (0..<count).partitioningIndex { index in
            let place = place(ofGroup: index)
            return place.start + place.group.size[axis] + total.after >= rect.start(axis)
        }
        let first = cost.items
        while index < count, cost.items - first < CompositionalLayout.queryLimit {
            let place = place(ofGroup: index)
            guard place.start - total.before <= rect.end(axis) else { return }
            base.append(
                place.group, at: base.origin(place.group, start: place.start), firstItem: place.firstItem, to: &found,
                in: rect, cost: &cost)
            index += 1
        }
    }

    func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard let (place, offset) = place(of: element) else { return nil }
        let origin = base.origin(place.group, start: place.start)
        return base.attributes(of: element, in: place.group, at: origin, offset: offset)
    }

    func estimatedAxes(of element: LayoutElement) -> AxisSet {
        guard let (place, offset) = place(of: element) else { return AxisSet() }
        return place.group.estimatedAxes(of: element, offset: offset)
    }

    /// The group of an element, and its item's place in it; `nil` where there is no such item.
    ///
    /// - Complexity: O(log parts).
    private func place(of element: LayoutElement) -> (place: Place, offset: Int)? {
        let path = element.indexPath
        guard path.section == base.room.section, path.item >= 0, path.item < base.room.itemCount, !parts.isEmpty
        else { return nil }
        let part = parts[parts.partitioningIndex { $0.firstItem > path.item } - 1]
        let index = part.own == nil ? (path.item - part.firstItem) / base.capacity : 0
        let place = place(index, in: part)
        let offset = path.item - place.firstItem
        return place.group.leaves.indices.contains(offset) ? (place, offset) : nil
    }
}
