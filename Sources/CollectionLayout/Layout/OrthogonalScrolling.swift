/// What a view asks of a layout whose sections can scroll by themselves, across the direction of the view.
///
/// Every ``CollectionViewLayout`` conforms to it. By default no section scrolls by itself; ``CompositionalLayout`` answers
/// for sections with an ``OrthogonalScrollingBehavior``. Offsets are in points and grow in the direction of reading.
public protocol OrthogonalScrolling {
    /// The lengths of a section that scrolls by itself; `nil`, the default, for any other section.
    func orthogonalMetrics(section: Int) -> OrthogonalMetrics?

    /// The offset of a section; 0 for one that doesn't scroll by itself or doesn't exist.
    func orthogonalOffset(section: Int) -> Double

    /// Scrolls a section that scrolls by itself.
    ///
    /// - Parameter offset: Brought into the range of the section.
    mutating func setOrthogonalOffset(_ offset: Double, section: Int)

    /// The offset at which a section comes to rest.
    ///
    /// - Parameters:
    ///   - proposed: The offset at which scrolling would end by itself.
    ///   - velocity: Points per second, positive while the offset grows.
    func targetOrthogonalOffset(section: Int, proposed: Double, velocity: Double) -> Double

    /// The largest distance that a fling adds to a drag, in points.
    func longestFling(section: Int) -> Double

    /// The offset of a section at which one of its items is visible; `nil`, the default, for an item that doesn't exist, a
    /// section that doesn't scroll by itself, and a position of the other axis.
    func orthogonalOffset(showing path: IndexPath, position: ScrollPosition) -> Double?

    /// The section that a drag from a point scrolls, and its axis; `nil`, the default, where the drag scrolls the view.
    ///
    /// - Parameter point: In the content's coordinates.
    func orthogonalSection(at point: Point) -> (section: Int, axis: Axis)?
}

extension OrthogonalScrolling {
    public func orthogonalMetrics(section: Int) -> OrthogonalMetrics? { nil }

    public func orthogonalOffset(section: Int) -> Double { 0 }

    public mutating func setOrthogonalOffset(_ offset: Double, section: Int) {}

    public func targetOrthogonalOffset(section: Int, proposed: Double, velocity: Double) -> Double { 0 }

    public func longestFling(section: Int) -> Double { 0 }

    public func orthogonalOffset(showing path: IndexPath, position: ScrollPosition) -> Double? { nil }

    public func orthogonalSection(at point: Point) -> (section: Int, axis: Axis)? { nil }
}
