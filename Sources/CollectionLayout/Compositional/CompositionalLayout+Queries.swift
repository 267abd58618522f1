extension CompositionalLayout {
    /// The number of things touched after which a query ends (chosen): a rectangle without end may hold any number.
    public static let queryLimit = 1_000_000

    /// The attributes of the elements whose frames intersect a rectangle, in no particular order.
    ///
    /// After ``queryLimit`` things touched the query ends without a word: the elements behind it are missing (chosen). The
    /// rectangle of a view doesn't come near.
    ///
    /// - Complexity: O(log sections + log groups + elements of the groups touched).
    public func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        guard let prepared, let rect = rect.asFinite else { return [] }
        // Snapping moves edges: what lies just outside may come in.
        let slack = prepared.container.pixels.pixel + rect.magnitude * 1e-12
        let wide = prepared.mirrored(rect).inset(by: EdgeInsets(all: -slack))
        var answers: [LayoutAttributes] = []
        func take(_ attributes: LayoutAttributes) {
            guard adjusted[attributes.element] == nil else { return }
            let answer = prepared.answered(attributes)
            if answer.layoutFrame.intersects(rect) { answers.append(answer) }
        }
        for placed in prepared.boundary {
            cost.attributes += 1
            take(prepared.attributes(placed, origin: .zero, host: prepared.frame))
        }
        let sections = prepared.stack.sections(from: wide.start(prepared.axis), to: wide.end(prepared.axis))
        let first = cost.total
        for index in sections where cost.total - first < Self.queryLimit {
            for attributes in attributes(ofSection: index, in: wide, of: prepared, cost: &cost) { take(attributes) }
        }
        for attributes in adjusted.values {
            cost.attributes += 1
            if attributes.frame.intersects(rect) { answers.append(attributes) }
        }
        return answers
    }

    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        if let attributes = adjusted[element] { return attributes }
        guard let prepared else { return nil }
        let path = element.indexPath
        if path.section == IndexPath.wholeLayoutSection {
            let placed = prepared.boundary.first { $0.element == element }
            return placed.map {
                prepared.answered(prepared.attributes($0, origin: .zero, host: prepared.frame))
            }
        }
        guard prepared.stack.sections.indices.contains(path.section) else { return nil }
        let section = prepared.stack.sections[path.section]
        let origin = prepared.origin(ofSection: path.section)
        if let placed = section.boundary.first(where: { $0.element == element }) {
            let host = Rect(origin: origin, size: section.size)
            return prepared.answered(prepared.attributes(placed, origin: origin, host: host))
        }
        if let decoration = section.decorations.first(where: { $0.element == element }) {
            return prepared.answered(decoration.moved(by: origin))
        }
        let offset = section.orthogonalOffset(orthogonalOffsets[path.section])
        return section.content.attributes(of: element).map {
            prepared.answered($0.moved(by: origin + section.contentOrigin(offset: offset)))
        }
    }

    /// The elements of a section that touch a rectangle, and some more, both in the coordinates of the solution.
    func attributes(
        ofSection index: Int, in rect: Rect, of prepared: PreparedSections, cost: inout LayoutCost
    ) -> [LayoutAttributes] {
        let section = prepared.stack.sections[index]
        let origin = prepared.origin(ofSection: index)
        cost.sections += 1
        let start = origin[prepared.axis]
        guard start + section.reach.end >= rect.start(prepared.axis),
            start + section.reach.start <= rect.end(prepared.axis)
        else { return [] }
        var found: [LayoutAttributes] = []
        for decoration in section.decorations { found.append(decoration.moved(by: origin)) }
        let host = Rect(origin: origin, size: section.size)
        for placed in section.boundary {
            found.append(prepared.attributes(placed, origin: origin, host: host))
        }
        cost.attributes += found.count
        let first = found.count
        let offset = section.orthogonalOffset(orthogonalOffsets[index])
        let place = origin + section.contentOrigin(offset: offset)
        section.content.append(to: &found, in: rect.offset(x: -place.x, y: -place.y), cost: &cost)
        for index in first..<found.count { found[index] = found[index].moved(by: place) }
        return found
    }
}

extension LayoutAttributes {
    /// The same attributes elsewhere.
    fileprivate func moved(by distance: Point) -> LayoutAttributes {
        var copy = self
        copy.layoutFrame = layoutFrame.offset(x: distance.x, y: distance.y)
        return copy
    }
}

extension Rect {
    /// The rectangle with infinite edges brought to finite ones; `nil` if an edge is not a number.
    fileprivate var asFinite: Rect? {
        guard !minX.isNaN, !minY.isNaN, !maxX.isNaN, !maxY.isNaN else { return nil }
        func finite(_ edge: Double) -> Double { edge.clamped(to: -1e300...1e300) }
        return Rect(minX: finite(minX), minY: finite(minY), maxX: finite(maxX), maxY: finite(maxY))
    }

    /// The greatest distance of an edge from 0.
    fileprivate var magnitude: Double {
        max(max(minX.magnitude, minY.magnitude), max(maxX.magnitude, maxY.magnitude))
    }
}
