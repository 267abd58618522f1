public import CollectionLayout

/// The part of the content that is seen: the content offset and the size of the view, in points.
public struct Viewport: Hashable, Sendable {
    /// The offset from the content's leading edge; negative while the view is pulled beyond it.
    public let x: Double
    /// The offset from the content's upper edge; negative while the view is pulled beyond it.
    public let y: Double
    /// Above 0.
    public let width: Double
    /// Above 0.
    public let height: Double

    /// A checked viewport.
    ///
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)`` for an offset beyond ±10¹⁵, or a width or
    ///   height below 10⁻⁶ or above 10¹².
    public init(x: Double, y: Double, width: Double, height: Double) throws(GuideLayoutError) {
        let offset = -1e15...1e15
        let length = 1e-6...1e12
        self.x = try GuideMeasure.viewportX.checked(x, in: offset)
        self.y = try GuideMeasure.viewportY.checked(y, in: offset)
        self.width = try GuideMeasure.viewportWidth.checked(width, in: length)
        self.height = try GuideMeasure.viewportHeight.checked(height, in: length)
    }

    /// The rectangle that is seen, in content coordinates.
    public var rect: Rect { Rect(minX: x, minY: y, maxX: x + width, maxY: y + height) }
}
