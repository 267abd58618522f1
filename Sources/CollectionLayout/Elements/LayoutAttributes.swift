/// Where an element stands and how it is drawn (documented: `UICollectionViewLayoutAttributes`).
public struct LayoutAttributes: Hashable, Sendable {
    /// What stands there.
    public var element: LayoutElement
    /// Where it stands before its transform, in the content's coordinates.
    public var layoutFrame: Rect
    /// Turns and scales it about its centre; the identity by default.
    public var transform: AffineTransform
    /// The layer; compared before ``zIndex``.
    public var band: ZBand
    /// The higher one covers the lower one; 0 by default.
    public var zIndex: Int
    /// From 0, not seen, to 1, the default.
    public var alpha: Double
    /// Not drawn, though it keeps its place; `false` by default.
    public var isHidden: Bool

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

    /// The rectangle that it takes in its parent: the box around it after its transform (documented).
    public var frame: Rect {
        guard transform != .identity else { return layoutFrame }
        let size = layoutFrame.size
        let centred = Rect(x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
        return transform.boundingBox(of: centred).offset(x: layoutFrame.midX, y: layoutFrame.midY)
    }

    /// Its own coordinates: no transform changes them (documented).
    public var bounds: Rect { Rect(origin: .zero, size: layoutFrame.size) }

    /// The middle, about which the transform works (documented).
    public var center: Point { layoutFrame.center }

    /// The place of the element in the data.
    public var indexPath: IndexPath { element.indexPath }
}

extension LayoutAttributes {
    /// Whether one is drawn before the other: by band, z-index, kind, section and item.
    ///
    /// The order is total (chosen; the original leaves equal z-indexes undefined).
    public static func isDrawnBefore(_ lhs: LayoutAttributes, _ rhs: LayoutAttributes) -> Bool {
        if lhs.band != rhs.band { return lhs.band < rhs.band }
        if lhs.zIndex != rhs.zIndex { return lhs.zIndex < rhs.zIndex }
        return lhs.element < rhs.element
    }

    /// The same attributes in a content of that width where text runs from right to left.
    public func mirrored(inWidth contentWidth: Double) -> LayoutAttributes {
        var copy = self
        copy.layoutFrame = layoutFrame.mirrored(inWidth: contentWidth)
        return copy
    }
}

extension LayoutAttributes: CustomStringConvertible {
    /// The element, its frame, and whatever differs from the defaults:
    /// `item [0, 2]: x 0, y 88, 320 × 44, z 1, alpha 0.5`.
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
    /// Without the fraction of a whole number.
    fileprivate var short: String { magnitude < 1e15 && floored == self ? "\(Int64(self))" : "\(self)" }
}
