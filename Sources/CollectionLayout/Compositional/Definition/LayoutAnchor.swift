/// Edges of a rectangle, by the direction of reading (documented: `NSDirectionalRectEdge`).
public struct RectEdges: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The upper one.
    public static let top = RectEdges(rawValue: 1)
    /// Where lines of text begin: the left one if text runs from left to right.
    public static let leading = RectEdges(rawValue: 2)
    /// The lower one.
    public static let bottom = RectEdges(rawValue: 4)
    /// Where lines of text end.
    public static let trailing = RectEdges(rawValue: 8)

    /// Where on an axis the edges lie: 0 at its start, 1 at its end, ½ where they name neither or both.
    func part(_ axis: Axis) -> Double {
        let start = contains(axis == .horizontal ? .leading : .top)
        let end = contains(axis == .horizontal ? .trailing : .bottom)
        return start == end ? 0.5 : (start ? 0 : 1)
    }
}

/// The place of a supplementary element by edges of its container (documented: `NSCollectionLayoutAnchor`).
///
/// Along each axis its origin is the container's minimum + (container length − own length) · a + offset, where a is 0
/// at the leading edge and the top, 1 at the trailing edge and the bottom, and ½ where neither is named.
public struct LayoutAnchor: Hashable, Sendable {
    /// By how much an element is moved from the place that the edges give.
    public enum Offset: Hashable, Sendable {
        /// Points.
        case absolute(Point)
        /// Parts of the element's own width and height (documented).
        case fractional(Point)
    }

    /// Those of the container that the element stands at; none for its middle.
    public var edges: RectEdges
    /// Positive values go to the trailing edge and downwards.
    public var offset: Offset

    /// A place at some edges; not moved by default.
    public init(edges: RectEdges, offset: Offset = .absolute(.zero)) {
        self.edges = edges
        self.offset = offset
    }

    /// A place moved by points.
    public init(edges: RectEdges, absoluteOffset: Point) {
        self.init(edges: edges, offset: .absolute(absoluteOffset))
    }

    /// A place moved by parts of the element's own width and height.
    public init(edges: RectEdges, fractionalOffset: Point) {
        self.init(edges: edges, offset: .fractional(fractionalOffset))
    }

    /// The distance that the offset moves an element of that size, along an axis.
    private func shift(_ size: Size, _ axis: Axis) -> Double {
        switch offset {
        case .absolute(let points): points[axis].asDistance
        case .fractional(let parts): (parts[axis] * size[axis]).asDistance
        }
    }

    /// The frame of an element of that size in a container.
    ///
    /// - Parameter own: A point of the element that is laid on the container's; by default the one that this anchor
    ///   names, so that the element lies inside (documented: the item anchor).
    package func frame(of size: Size, in container: Rect, own: LayoutAnchor? = nil) -> Rect {
        func origin(_ axis: Axis) -> Double {
            let part = edges.part(axis)
            let ownPart = own?.edges.part(axis) ?? part
            return container.start(axis) + container.length(axis) * part - size[axis] * ownPart + shift(size, axis)
                - (own?.shift(size, axis) ?? 0)
        }
        return Rect(origin: Point(x: origin(.horizontal), y: origin(.vertical)), size: size)
    }
}
