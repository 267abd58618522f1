/// The position and appearance of an element, like UIKit's `UICollectionViewLayoutAttributes`.
public struct LayoutAttributes: Hashable, Sendable {
    /// The element.
    public var element: LayoutElement
    /// The frame in content coordinates.
    public var frame: Rect
    /// The drawing layer, which takes precedence over ``zIndex``.
    public var band: ZBand
    /// The stacking order within ``band``: higher values are drawn on top. 0 by default.
    public var zIndex: Int
    /// The opacity, from 0 (transparent) to 1 (the default).
    public var alpha: Double
    /// Whether the element is not drawn, although it keeps its space; `false` by default.
    public var isHidden: Bool

    /// Creates the attributes of an element that is visible and opaque by default.
    ///
    /// - Parameter frame: The frame in content coordinates.
    public init(
        _ element: LayoutElement, frame: Rect, band: ZBand = .content, zIndex: Int = 0, alpha: Double = 1,
        isHidden: Bool = false
    ) {
        self.element = element
        self.frame = frame
        self.band = band
        self.zIndex = zIndex
        self.alpha = alpha
        self.isHidden = isHidden
    }

    /// The index path of the element.
    public var indexPath: IndexPath { element.indexPath }
}

extension LayoutAttributes {
    /// Returns whether `lhs` is drawn before `rhs`: ordered by band, z-index, kind, section and item.
    ///
    /// The order is total, whereas UIKit leaves the order of equal z-indexes undefined.
    public static func isDrawnBefore(_ lhs: LayoutAttributes, _ rhs: LayoutAttributes) -> Bool {
        if lhs.band != rhs.band { return lhs.band < rhs.band }
        if lhs.zIndex != rhs.zIndex { return lhs.zIndex < rhs.zIndex }
        return lhs.element < rhs.element
    }
}

/// A drawing layer of a layout. Elements of a higher band cover elements of a lower band, whatever their z-indexes.
public struct ZBand: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: Int

    /// Creates a band. Any number is valid; numbers other than the predefined ones define additional bands.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Backgrounds of sections and groups.
    public static let background = ZBand(rawValue: 0)
    /// Grid lines and separators.
    public static let lines = ZBand(rawValue: 100)
    /// Items and their supplementary elements; the default.
    public static let content = ZBand(rawValue: 200)
    /// Markers that point at content, such as the line at the current time.
    public static let indicator = ZBand(rawValue: 300)
    /// Elements that stay visible while the content scrolls.
    public static let pinned = ZBand(rawValue: 400)
    /// Elements that cover the intersection of elements pinned on both axes.
    public static let corner = ZBand(rawValue: 500)

    public static func < (lhs: ZBand, rhs: ZBand) -> Bool { lhs.rawValue < rhs.rawValue }
}
