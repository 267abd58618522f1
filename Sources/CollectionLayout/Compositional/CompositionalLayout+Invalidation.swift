extension CompositionalLayout {
    /// `true` when the size changed, or when something is pinned, sizes itself or a handler wants to see what is visible.
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool {
        if !old.size.isNearly(new.size) { return true }
        guard old != new, let prepared else { return false }
        return prepared.hasPinned || prepared.hasHandlers || sizesItself(in: new)
    }

    /// Everything for another length across the scroll direction, nothing for a scroll.
    ///
    /// For another length along it all is solved anew too, and what was measured is kept (chosen).
    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        let across = configuration.scrollDirection.crossing
        return (old.length(across) - new.length(across)).magnitude < Size.tolerance
            ? InvalidationContext() : .everything
    }

    /// Whether an element asks for another length than it has, along an axis where its length is an estimate.
    ///
    /// It isn't asked for ever: who changes its mind ten times keeps its last size, with a diagnostic (facts, layout
    /// 4.10).
    public func shouldInvalidate(forPreferred preferred: LayoutAttributes, original: LayoutAttributes) -> Bool {
        let element = original.element
        guard !measures.isSettled(element) else { return false }
        let axes = estimatedAxes(of: element)
        let wanted = preferred.layoutFrame.size
        // The frame is snapped; what was asked for before isn't.
        let known = measures[element] ?? original.layoutFrame.size
        return Axis.allCases.contains { axes.contains($0) && wanted[$0].asLength != known[$0] }
    }

    /// Notes what no longer holds.
    ///
    /// With everything the measures stay, as in ``FlowLayout``: another inset or margin is no reason to measure anew. With
    /// other counts they are forgotten, unless ``follow(_:)`` took them along before (chosen).
    public mutating func invalidate(with context: InvalidationContext) {
        if context.invalidatesEverything || context.invalidatesCounts {
            if context.invalidatesCounts {
                if !isFollowing { forgetsMeasures = true }
                isFollowing = false
            }
            pending = .everything
            return
        }
        var context = context
        for section in context.sections { measures.forget(section: section) }
        for element in context.elements where context.preferredSizes[element] == nil { measures.forget(element) }
        for (element, size) in context.preferredSizes {
            context.elements.insert(element)
            guard !estimatedAxes(of: element).isEmpty else { continue }
            measures.note(size, of: element)
        }
        pending = pending?.merged(with: context) ?? context
    }

    /// The axes along which the size of an element is an estimate.
    private func estimatedAxes(of element: LayoutElement) -> AxisSet {
        guard let prepared else { return AxisSet() }
        let section = element.indexPath.section
        if section == IndexPath.wholeLayoutSection {
            return prepared.boundary.estimatedAxes(of: element) ?? AxisSet()
        }
        guard prepared.stack.sections.indices.contains(section) else { return AxisSet() }
        let solved = prepared.stack.sections[section]
        return solved.boundary.estimatedAxes(of: element) ?? solved.content.estimatedAxes(of: element)
    }
}

extension [BoundaryPlan.Placed] {
    /// `nil` for an element that is none of them.
    fileprivate func estimatedAxes(of element: LayoutElement) -> AxisSet? {
        first { $0.element == element }?.item.layoutSize.estimatedAxes
    }
}
