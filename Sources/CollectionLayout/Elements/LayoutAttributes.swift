/// The position and appearance of an element, like UIKit's `UICollectionViewLayoutAttributes`.
public struct LayoutAttributes: Hashable, Sendable {
    /// The element.
    public var element: LayoutElement
    /// The frame before ``transform`` is applied, in content coordinates.
    public var layoutFrame: Rect
    /// The transform about the center; the identity by default.
    public var transform: AffineTransform
    /// The drawing layer, which takes precedence over ``zIndex``.
    public var band: ZBand
    /// The stacking order within ``band``: higher values are drawn on top. 0 by default.
    public var zIndex: Int
    /// The opacity, from 0 (transparent) to 1 (the default).
    public var alpha: Double
    /// Whether the element is not drawn, although it keeps its space; `false` by default.
    public var isHidden: Bool

    /// Creates the attributes of an element that is visible, opaque and not transformed by default.
    ///
    /// - Parameter frame: The frame before the transform, in content coordinates.
    public init(
        _ element: LayoutElement, frame: Rect, band: ZBand = .content, zIndex: Int = 0, alpha: Double = 1,
        isHidden: Bool = false, transform: AffineTransform = .identity
    ) {
        self.element = element
        self.layoutFrame = frame
        self.transform = transform
        self.band = band
        self.zIndex = zIndex
        self.alpha = alpha
        self.isHidden = isHidden
    }

    /// The bounding box of the transformed element in content coordinates.
    public var frame: Rect {
        guard transform != .identity else { return layoutFrame }
        let size = layoutFrame.size
        let centered = Rect(x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
        return transform.boundingBox(of: centered).offset(x: layoutFrame.midX, y: layoutFrame.midY)
    }

    /// The element's own coordinate space, which the transform doesn't change.
    public var bounds: Rect { Rect(origin: .zero, size: layoutFrame.size) }

    /// The center, about which the transform is applied.
    public var center: Point { layoutFrame.center }

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

    /// Returns the attributes mirrored for right-to-left text in content of this width.
    public func mirrored(inWidth contentWidth: Double) -> LayoutAttributes {
        var copy = self
        copy.layoutFrame = layoutFrame.mirrored(inWidth: contentWidth)
        return copy
    }
}

extension LayoutAttributes: CustomStringConvertible {
    /// The element, its frame, and all values that differ from the defaults, such as `item [0, 2]: x 0, y 88, 320 × 44,
    /// z 1, alpha 0.5`.
    public var description: String {
        let frame = layoutFrame
        var parts = ["x \(frame.minX.short)", "y \(frame.minY.short)", "\(frame.width.short) × \(frame.height.short)"]
        if band != .content { parts.append("band \(band.rawValue)") }
        if zIndex != 0 { parts.append("z \(zIndex)") }
        if alpha != 1 { parts.append("alpha \(alpha.short)") }
        if isHidden { parts.append("hidden") }
        if transform != .identity {
            let matrix = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
            parts.append("transform \(matrix.map(\.short).joined(separator: " "))")
        }
        return "\(element): " + parts.joined(separator: ", ")
    }
}

extension Double {
    /// The value in decimal, without a fraction if it is an integer.
    fileprivate var short: String { magnitude < 1e15 && floored == self ? "\(Int64(self))" : "\(self)" }
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
