extension CompositionalLayout {
    /// Scrolls a section that scrolls by itself, at once.
    ///
    /// The section keeps it through later layouts, by its number (chosen). Handlers of visible items are asked at the next
    /// layout.
    ///
    /// - Parameter offset: In points, growing in the direction of reading; it is brought into the section's range when
    ///   it is used.
    public mutating func setOrthogonalOffset(_ offset: Double, section: Int) {
        orthogonalOffsets[section] = offset
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

    private func solvedSection(_ index: Int) -> SolvedSection? {
        guard let prepared, prepared.stack.sections.indices.contains(index) else { return nil }
        return prepared.stack.sections[index]
    }
}
