extension CompositionalLayout {
    /// Shows handlers what is visible of their sections, and keeps what they make of it (documented).
    ///
    /// As a query, it ends after ``queryLimit`` things touched.
    mutating func callHandlers() {
        adjusted = [:]
        guard let prepared, prepared.hasHandlers else { return }
        let bounds = prepared.container.bounds
        let wide = prepared.mirrored(bounds).inset(by: EdgeInsets(all: -prepared.container.pixels.pixel))
        var cost = LayoutCost()
        let sections = prepared.stack.sections(from: wide.start(prepared.axis), to: wide.end(prepared.axis))
        for index in sections where cost.total < Self.queryLimit {
            let section = prepared.stack.sections[index]
            guard let handler = section.layout.visibleItemsInvalidationHandler else { continue }
            // Looked for before they are mirrored: at the half-open edges the same elements are seen from both sides.
            let visible = attributes(ofSection: index, in: wide, of: prepared, cost: &cost)
                .filter { prepared.container.pixels.snapped($0.layoutFrame).intersects(prepared.mirrored(bounds)) }
                .map(prepared.answered).sorted(by: LayoutAttributes.isDrawnBefore)
            var offset = bounds.origin
            if section.metrics != nil {
                offset[prepared.axis.crossing] = section.orthogonalOffset(orthogonalOffsets[index])
            }
            var changed = visible
            handler(&changed, offset, prepared.context.environment)
            keep(changed, of: visible, section: index)
        }
    }

    /// Notes what differs, in numbers that are finite.
    private mutating func keep(_ changed: [LayoutAttributes], of visible: [LayoutAttributes], section: Int) {
        var known: [LayoutElement: LayoutAttributes] = [:]
        for attributes in visible { known[attributes.element] = attributes }
        for attributes in changed {
            guard let before = known[attributes.element] else {
                found.add(
                    LayoutDiagnostic(
                        .unknownIndexPath, section: section,
                        detail: "a handler of visible items added \(attributes.element)"))
                continue
            }
            guard attributes != before else { continue }
            let kept = attributes.finite
            if kept != attributes {
                found.add(
                    LayoutDiagnostic(
                        .unusableLength, element: attributes.element,
                        detail: "a handler of visible items gave numbers that are not finite"))
            }
            adjusted[attributes.element] = kept
        }
    }
}

extension LayoutAttributes {
    /// The attributes with finite numbers.
    fileprivate var finite: LayoutAttributes {
        var copy = self
        copy.layoutFrame = Rect(
            minX: layoutFrame.minX.asDistance, minY: layoutFrame.minY.asDistance, maxX: layoutFrame.maxX.asDistance,
            maxY: layoutFrame.maxY.asDistance)
        copy.alpha = alpha.isNaN ? 1 : alpha.clamped(to: 0...1)
        let parts = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
        if parts.contains(where: { $0.asDistance != $0 }) { copy.transform = .identity }
        return copy
    }
}
