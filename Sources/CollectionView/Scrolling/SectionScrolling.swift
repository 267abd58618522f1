import CollectionLayout

/// Sections that scroll by themselves, across the direction of the view (facts, layout 4.9).
///
/// The original gives each a scroll view of its own, which the program doesn't see; here they are scrolled through these
/// methods (chosen). For a section that doesn't scroll by itself they return 0 and change nothing.
extension CollectionView {
    /// Where a section stands, in points, growing in the direction of reading.
    public func orthogonalOffset(section: Int) -> Double {
        layout.orthogonalOffset(section: section)
    }

    /// Scrolls a section, as a drag does; the next layout shows it, and what handlers of visible items make of it.
    ///
    /// - Parameter offset: Brought into the range of the section.
    public func setOrthogonalOffset(_ offset: Double, section: Int) {
        if !state.isLayingOut { layoutIfNeeded() }
        guard layout.orthogonalMetrics(section: section) != nil else { return }
        withLayout { $0.setOrthogonalOffset(offset, section: section) }
        invalidate(with: InvalidationContext())
    }

    /// Lets a section come to rest after a drag, where its behaviour wants it.
    ///
    /// Where it pages, a fling takes it one page from where it stands. A ``DragSession`` limits it to one page from where
    /// the drag began.
    ///
    /// - Parameter velocity: That of the offset, in points per second; the finger's with the other sign.
    /// - Returns: The offset at rest.
    @discardableResult
    public func endOrthogonalScroll(section: Int, velocity: Double) -> Double {
        endOrthogonalScroll(section: section, velocity: velocity, from: orthogonalOffset(section: section))
    }

    /// The same after a drag that began at some offset: what the finger did is kept, a fling only adds to it up to a page
    /// from there (observed).
    @discardableResult
    func endOrthogonalScroll(section: Int, velocity: Double, from start: Double) -> Double {
        let now = layout.orthogonalOffset(section: section)
        let longest = layout.longestFling(section: section)
        let proposed = (now + decelerationRate.distance(from: velocity))
            .clamped(to: min(now, start - longest)...max(now, start + longest))
        let target = layout.targetOrthogonalOffset(section: section, proposed: proposed, velocity: velocity)
        setOrthogonalOffset(target, section: section)
        return orthogonalOffset(section: section)
    }

    /// Scrolls the section of an item so that the item is seen in it.
    func scrollSection(ofItemAt path: IndexPath, position: ScrollPosition) {
        guard let offset = layout.orthogonalOffset(showing: path, position: position) else { return }
        if offset != layout.orthogonalOffset(section: path.section) {
            setOrthogonalOffset(offset, section: path.section)
        }
    }
}
