/// A supplementary element at the boundary of a section or of the whole layout, such as a header, a footer or a column
/// at the side, like UIKit's `NSCollectionLayoutBoundarySupplementaryItem`.
///
/// Its index path is [section, n] in a section and [-1, n] for the whole layout, where n counts the elements of the
/// same kind from 0. (UIKit uses index paths of other lengths.)
///
/// Fractional dimensions are relative to the container of the section's groups, on both axes.
public struct BoundarySupplementary: Hashable, Sendable {
    /// The kind, from which the data source chooses a view.
    public var elementKind: ElementKind
    /// The size. Its fractions refer to the container of the groups.
    public var layoutSize: LayoutSize
    /// The position. In a layout that scrolls vertically, alignments with `top` or `bottom` place the element before or
    /// after the content, and `leading` and `trailing` place it beside the content. In a layout that scrolls
    /// horizontally, it is the other way around.
    public var alignment: RectAlignment
    /// The offset from the aligned position, in points.
    public var absoluteOffset: Point
    /// Whether the element is outside the content and moves it (`true`, the default) or overlaps it.
    ///
    /// The boundary extends to the farthest element of each edge: elements at the same edge don't move each other.
    /// Elements beside the content make it narrower.
    public var extendsBoundary: Bool
    /// Whether the element stays visible while its section or layout is visible; `false` by default.
    public var pinToVisibleBounds: Bool
    /// The stacking order; 1 by default, above items, which have 0. Pinned elements are drawn above all unpinned ones
    /// (``ZBand/pinned``).
    public var zIndex: Int

    /// Creates an element that by default moves the content, scrolls with it, and is drawn above items.
    public init(
        elementKind: ElementKind, layoutSize: LayoutSize, alignment: RectAlignment, absoluteOffset: Point = .zero,
        extendsBoundary: Bool = true, pinToVisibleBounds: Bool = false, zIndex: Int = 1
    ) {
        self.elementKind = elementKind
        self.layoutSize = layoutSize
        self.alignment = alignment
        self.absoluteOffset = absoluteOffset
        self.extendsBoundary = extendsBoundary
        self.pinToVisibleBounds = pinToVisibleBounds
        self.zIndex = zIndex
    }
}

/// A supplementary element attached to an item or group, such as a badge, like UIKit's
/// `NSCollectionLayoutSupplementaryItem`.
///
/// It has the index path of its item, or of the first item of its group. Its size can be relative to the item or
/// group. The kinds for one item and for the boundary of its section must differ: of several elements with the same
/// kind and index path, only the first is placed.
public struct AnchoredSupplementary: Hashable, Sendable {
    /// The kind, from which the data source chooses a view.
    public var elementKind: ElementKind
    /// The size. Its fractions refer to the item or group.
    public var layoutSize: LayoutSize
    /// The position in the item or group. For an item, the frame inside its content insets is used.
    public var containerAnchor: LayoutAnchor
    /// The point of the element that is placed at the anchor of the container. If `nil` (the default), the element's
    /// point at the same edges is used.
    public var itemAnchor: LayoutAnchor?
    /// The stacking order; 1 by default, above items, which have 0.
    public var zIndex: Int

    /// Creates an element at an anchor of its item or group, by default drawn above items.
    public init(
        elementKind: ElementKind, layoutSize: LayoutSize, containerAnchor: LayoutAnchor,
        itemAnchor: LayoutAnchor? = nil,
        zIndex: Int = 1
    ) {
        self.elementKind = elementKind
        self.layoutSize = layoutSize
        self.containerAnchor = containerAnchor
        self.itemAnchor = itemAnchor
        self.zIndex = zIndex
    }
}

/// A decoration of the layout, like UIKit's `NSCollectionLayoutDecorationItem`.
public struct DecorationElement: Hashable, Sendable {
    /// The kind, by which the renderer chooses what to draw.
    public var elementKind: ElementKind
    /// The insets from the section's frame.
    public var contentInsets: EdgeInsets
    /// The stacking order among backgrounds; 0 by default.
    public var zIndex: Int

    /// Returns a background of a section: the frame of the section with its insets, headers and footers, minus the
    /// insets of the decoration. It is drawn below everything else. UIKit was observed to include headers and footers.
    ///
    /// Its index path is [section, n], where n counts the decorations of the same kind from 0.
    public static func background(
        elementKind: ElementKind, contentInsets: EdgeInsets = .zero, zIndex: Int = 0
    ) -> DecorationElement {
        DecorationElement(elementKind: elementKind, contentInsets: contentInsets, zIndex: zIndex)
    }
}

/// A set of edges of a rectangle, relative to the reading direction, like UIKit's `NSDirectionalRectEdge`.
public struct RectEdges: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    /// Creates a set from its bits: the sum of the raw values of the edges. Other bits are kept, but have no effect.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The upper edge.
    public static let top = RectEdges(rawValue: 1)
    /// The edge where lines of text begin: the left edge for left-to-right text.
    public static let leading = RectEdges(rawValue: 2)
    /// The lower edge.
    public static let bottom = RectEdges(rawValue: 4)
    /// The edge where lines of text end.
    public static let trailing = RectEdges(rawValue: 8)

    /// Returns the relative position of the edges on an axis: 0 at its start, 1 at its end, ½ for neither or both.
    func part(_ axis: Axis) -> Double {
        let start = contains(axis == .horizontal ? .leading : .top)
        let end = contains(axis == .horizontal ? .trailing : .bottom)
        return start == end ? 0.5 : (start ? 0 : 1)
    }
}

/// The position of a supplementary element relative to the edges of its container, like UIKit's
/// `NSCollectionLayoutAnchor`.
///
/// The origin along each axis is container minimum + (container length − element length) · a + offset, where a is 0 at
/// the leading or top edge, 1 at the trailing or bottom edge, and ½ otherwise.
public struct LayoutAnchor: Hashable, Sendable {
    /// The offset of an element from its position at the edges.
    public enum Offset: Hashable, Sendable {
        /// An offset in points.
        case absolute(Point)
        /// An offset in fractions of the element's own width and height.
        case fractional(Point)
    }

    /// The edges of the container at which the element is placed; its center if empty.
    public var edges: RectEdges
    /// The offset; positive values point to the trailing and bottom edges.
    public var offset: Offset

    /// Creates an anchor with an offset in points, zero by default.
    public init(edges: RectEdges, absoluteOffset: Point = .zero) {
        (self.edges, offset) = (edges, .absolute(absoluteOffset))
    }

    /// Creates an anchor with an offset in fractions of the element's own width and height.
    public init(edges: RectEdges, fractionalOffset: Point) {
        (self.edges, offset) = (edges, .fractional(fractionalOffset))
    }

    /// Returns the offset along an axis for an element of a given size.
    private func shift(_ size: Size, _ axis: Axis) -> Double {
        switch offset {
        case .absolute(let points): points[axis].asDistance
        case .fractional(let parts): (parts[axis] * size[axis]).asDistance
        }
    }

    /// Returns the frame of an element of a given size in a container.
    ///
    /// - Parameter own: The point of the element that is placed at this anchor. By default, it has the same edges, so
    ///   that the element lies inside the container.
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

/// A side, a corner or the center of a rectangle, relative to the reading direction, like UIKit's `NSRectAlignment`.
public enum RectAlignment: String, Hashable, Sendable, CaseIterable {
    /// The center.
    case none
    /// A side or corner.
    case top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing

    /// The edges that the alignment touches.
    public var edges: RectEdges {
        switch self {
        case .none: []
        case .top: .top
        case .topLeading: [.top, .leading]
        case .leading: .leading
        case .bottomLeading: [.bottom, .leading]
        case .bottom: .bottom
        case .bottomTrailing: [.bottom, .trailing]
        case .trailing: .trailing
        case .topTrailing: [.top, .trailing]
        }
    }
}
