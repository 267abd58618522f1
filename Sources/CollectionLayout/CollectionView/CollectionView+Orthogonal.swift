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
    /// - Parameter velocity: That of the offset, in points per second; the finger's with the other sign.
    /// - Returns: The offset at rest.
    @discardableResult
    public func endOrthogonalScroll(section: Int, velocity: Double) -> Double {
        guard let compositional = layout as? CompositionalLayout else { return 0 }
        let way = decelerationRate.distance(from: velocity)
        let longest = compositional.longestFling(section: section)
        let proposed = compositional.orthogonalOffset(section: section) + way.clamped(to: -longest...longest)
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
