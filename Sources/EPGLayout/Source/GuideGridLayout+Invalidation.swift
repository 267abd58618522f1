public import CollectionLayout
public import EPGModel

/// What happened to a guide: the three levels of invalidation (facts, layout 1: chosen).
public enum GuideChange: Hashable, Sendable {
    /// The view was scrolled or resized: only pinned elements move.
    case scroll(to: Rect)
    /// Time went on: the now-line moves, and the progress of what is on.
    case tick(from: Instant?, to: Instant?)
    /// Airings of these rows are others.
    case rows(Set<Int>)
}

extension GuideGridLayout {
    /// What a change invalidates, as far as it is in sight; everything, where more than 10,000 rows are.
    ///
    /// - Complexity: O(visible rows).
    public func invalidationContext(for change: GuideChange) -> InvalidationContext {
        switch change {
        case .scroll(let bounds):
            pinnedElements(in: bounds).map { InvalidationContext(elements: $0) } ?? .everything
        case .tick(let old, let new):
            tickedElements(from: old, to: new).map { InvalidationContext(elements: $0) } ?? .everything
        case .rows(let rows):
            InvalidationContext(invalidatesCounts: true, sections: rows.filter { (0..<grid.rowCount).contains($0) })
        }
    }

    /// Always, where the bounds are others: pinned elements move with them.
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { old != new }

    public func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
        invalidationContext(for: .scroll(to: new))
    }

    /// Nothing has to be noted: every answer is computed anew from measures and source.
    public mutating func invalidate(with context: InvalidationContext) {}

    // MARK: - Changes

    /// Moves the now-line to an instant, which may be any: it is never advanced by adding intervals, so that it is right
    /// also after a sleep.
    ///
    /// - Returns: What to invalidate.
    public mutating func tick(to now: Instant?) -> InvalidationContext {
        let context = invalidationContext(for: .tick(from: self.now, to: now))
        self.now = now
        return context
    }

    /// Takes airings from another source with the same stations.
    ///
    /// - Parameter rows: The rows whose airings are others; `nil` where that isn't known.
    /// - Returns: What to invalidate.
    public mutating func replaceSource(_ source: any GuideSource, changedRows rows: Set<Int>?) -> InvalidationContext {
        self.source = source
        return rows.map { invalidationContext(for: .rows($0)) } ?? .counts
    }

    /// Takes another geometry: other stations, another window, another zoom, rows of other heights.
    ///
    /// - Parameters:
    ///   - source: Where the airings come from now; `nil`, the default, for where they came from.
    ///   - marks: The marks of the hours and days now; `nil`, the default, for those that stand.
    /// - Returns: What to invalidate: everything.
    public mutating func replaceGrid(
        _ grid: GuideLayout, source: (any GuideSource)? = nil, marks: GuideMarks? = nil
    ) -> InvalidationContext {
        self.grid = grid
        if let source { self.source = source }
        if let marks { self.marks = marks }
        return .counts
    }

    // MARK: - What moves

    /// The elements that stay in sight while the content scrolls; `nil` for too many to name.
    private func pinnedElements(in bounds: Rect) -> Set<LayoutElement>? {
        let demand = grid.demand(of: grid.presentation.solved(bounds))
        guard demand.rows.count <= 10_000 else { return nil }
        var elements: Set<LayoutElement> = [
            .supplementary(.corner, IndexPath(section: IndexPath.wholeLayoutSection, item: 0))
        ]
        let isThumbnailPinned = if case .sticky = grid.metrics.thumbnails { true } else { false }
        for row in demand.rows {
            let path = IndexPath(section: row, item: 0)
            elements.insert(.supplementary(.station, path))
            if isThumbnailPinned { elements.insert(.supplementary(.thumbnail, path)) }
        }
        var collector = ElementCollector(.attributes, rect: .everywhere, presentation: grid.presentation)
        let pins = grid.pins(at: Viewport(nearest: bounds))
        grid.addGroupHeaders(ofRows: demand.rows, pins: pins, to: &collector)
        grid.addHeaders(marks, during: demand.window, pins: pins, to: &collector)
        for shown in collector.places { elements.insert(LayoutElement(shown.place)) }
        return elements
    }

    /// The now-line, and the airings in sight that are on at one of two instants, with the clusters that they share;
    /// `nil` for too many to name.
    private func tickedElements(from old: Instant?, to new: Instant?) -> Set<LayoutElement>? {
        var elements: Set<LayoutElement> = [
            .decoration(.nowLine, IndexPath(section: IndexPath.wholeLayoutSection, item: 0))
        ]
        let rows = grid.demand(of: viewport).rows
        guard rows.count <= 10_000 else { return nil }
        guard !rows.isEmpty else { return elements }
        for instant in Set([old, new].compactMap(\.self)) where grid.window.contains(instant) {
            for element in cells(inRows: rows, at: instant) { elements.insert(LayoutElement(element)) }
        }
        return elements
    }

    /// The cells of airings that are on at an instant: of a cluster also the member that is, of a clump all of them.
    private func cells(inRows rows: Range<Int>, at instant: Instant) -> [GuideElement] {
        let moment = TimeWindow(start: instant, end: instant.advanced(by: 1))
        let range = grid.clusterTimes?.reach(of: moment) ?? moment
        let pins = grid.pins(at: viewport)
        var collector = ElementCollector(rect: .everywhere, presentation: grid.presentation)
        for slice in source.slices(inRows: rows, during: range) {
            grid.addRow(
                slice.schedule, firstItem: slice.firstItem, during: range, coverage: grid.window, pins: pins,
                to: &collector)
        }
        return collector.elements.flatMap { [$0] + $0.members }.filter { element in
            (element.kind == .airing || element.kind == .cluster) && element.window?.contains(instant) == true
        }
    }
}
