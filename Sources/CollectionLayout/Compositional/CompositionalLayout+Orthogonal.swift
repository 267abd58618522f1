extension CompositionalLayout {
    /// Scrolls a section that scrolls by itself, at once.
    ///
    /// The section keeps it through later layouts, by its number; ``follow(_:)`` takes it along when batch updates give the
    /// section another one (chosen). Handlers of visible items are asked at the next layout.
    ///
    /// - Parameter offset: In points, growing in the direction of reading; brought into the section's range, at once where
    ///   that is known, else when it is used.
    public mutating func setOrthogonalOffset(_ offset: Double, section: Int) {
        orthogonalOffsets[section] = solvedSection(section)?.orthogonalOffset(offset) ?? offset
    }

    /// How far a fling takes a section at most: one page where its behaviour pages (observed), else without end.
    public func longestFling(section: Int) -> Double {
        guard let solved = solvedSection(section), let metrics = solved.metrics else { return 0 }
        return switch solved.layout.orthogonalScrollingBehavior {
        case .paging: metrics.viewport
        case .groupPaging, .groupPagingCentered: metrics.pitch
        case .none, .continuous, .continuousGroupLeadingBoundary: .greatestFiniteMagnitude
        }
    }

    /// Where a section stands; 0 for one that doesn't scroll by itself or doesn't exist.
    public func orthogonalOffset(section: Int) -> Double {
        guard let solved = solvedSection(section) else { return 0 }
        return solved.orthogonalOffset(orthogonalOffsets[section])
    }

    /// The lengths of a section that scrolls by itself; `nil` for another.
    public func orthogonalMetrics(section: Int) -> OrthogonalMetrics? {
        solvedSection(section)?.metrics
    }

    /// Where a section comes to rest; see ``OrthogonalScrollingBehavior/targetOffset(proposed:velocity:metrics:)``.
    public func targetOrthogonalOffset(section: Int, proposed: Double, velocity: Double) -> Double {
        guard let solved = solvedSection(section), let metrics = solved.metrics else { return 0 }
        return solved.layout.orthogonalScrollingBehavior.targetOffset(
            proposed: proposed, velocity: velocity, metrics: metrics)
    }

    /// Where a section has to stand so that one of its items is seen inside of its insets, as near as a position asks for;
    /// `nil` for an item that doesn't exist, a section that doesn't scroll by itself, and a position of the other axis.
    public func orthogonalOffset(showing path: IndexPath, position: ScrollPosition) -> Double? {
        guard let prepared, let solved = solvedSection(path.section), let metrics = solved.metrics,
            let frame = solved.content.attributes(of: .item(path))?.layoutFrame
        else { return nil }
        let axis = prepared.axis.crossing
        guard var alignment = position.alignment(axis) else { return nil }
        if prepared.isMirrored, axis == .horizontal { alignment = alignment.mirrored }
        let now = solved.orthogonalOffset(orthogonalOffsets[path.section])
        let offset = alignment.offset(
            showing: (frame.start(axis), frame.end(axis)), length: metrics.container, now: now)
        return solved.orthogonalOffset(offset)
    }

    /// The section at a point of the content that scrolls by itself, and its axis; `nil` for one that fits, and on boundary
    /// items, which don't scroll with it.
    public func orthogonalSection(at point: Point) -> (section: Int, axis: Axis)? {
        guard let prepared, point.x.isFinite, point.y.isFinite else { return nil }
        let point = prepared.mirrored(Rect(origin: point, size: .zero)).origin
        let along = point[prepared.axis]
        for index in prepared.stack.sections(from: along, to: along) {
            let solved = prepared.stack.sections[index]
            let origin = prepared.origin(ofSection: index)
            let frame = Rect(origin: origin, size: solved.size)
            guard let metrics = solved.metrics, frame.contains(point) else { continue }
            let range = solved.layout.orthogonalScrollingBehavior.offsets(for: metrics)
            let isCovered =
                solved.boundary.contains {
                    prepared.attributes($0, origin: origin, host: frame).layoutFrame.contains(point)
                }
                || prepared.boundary.contains {
                    prepared.attributes($0, origin: .zero, host: prepared.frame).layoutFrame.contains(point)
                }
            return isCovered || range.lowerBound == range.upperBound ? nil : (index, prepared.axis.crossing)
        }
        return nil
    }

    private func solvedSection(_ index: Int) -> SolvedSection? {
        guard let prepared, prepared.stack.sections.indices.contains(index) else { return nil }
        return prepared.stack.sections[index]
    }
}
