public import CollectionLayout

/// Sections that scroll by themselves, across the direction of the view (facts, layout 4.9).
///
/// The original gives each a scroll view of its own, which the program doesn't see; here they are scrolled through these
/// methods (chosen). For a section that doesn't scroll by itself, and in a layout other than ``CompositionalLayout``, they
/// answer 0 and change nothing.
extension CollectionView {
    /// Where a section stands, in points, growing in the direction of reading.
    public func orthogonalOffset(section: Int) -> Double {
        (layout as? CompositionalLayout)?.orthogonalOffset(section: section) ?? 0
    }

    /// Scrolls a section, as a drag does; the next layout shows it, and what handlers of visible items make of it.
    ///
    /// - Parameter offset: Brought into the range of the section.
    public func setOrthogonalOffset(_ offset: Double, section: Int) {
        if !state.isLayingOut { layoutIfNeeded() }
        guard let compositional = layout as? CompositionalLayout,
            compositional.orthogonalMetrics(section: section) != nil
        else { return }
        changeLayout(CompositionalLayout.self) { layout in
            layout.setOrthogonalOffset(offset, section: section)
            return InvalidationContext()
        }
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
        guard let compositional = layout as? CompositionalLayout else { return 0 }
        let now = compositional.orthogonalOffset(section: section)
        let longest = compositional.longestFling(section: section)
        let proposed = (now + decelerationRate.distance(from: velocity))
            .clamped(to: min(now, start - longest)...max(now, start + longest))
        let target = compositional.targetOrthogonalOffset(section: section, proposed: proposed, velocity: velocity)
        setOrthogonalOffset(target, section: section)
        return orthogonalOffset(section: section)
    }

    /// Scrolls the section of an item so that the item is seen in it.
    func scrollSection(ofItemAt path: IndexPath, position: ScrollPosition) {
        guard let compositional = layout as? CompositionalLayout,
            let offset = compositional.orthogonalOffset(showing: path, position: position)
        else { return }
        if offset != compositional.orthogonalOffset(section: path.section) {
            setOrthogonalOffset(offset, section: path.section)
        }
    }
}
