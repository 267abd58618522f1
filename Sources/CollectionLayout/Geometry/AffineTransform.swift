/// A transform of the plane: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty (documented: Core Graphics' order).
///
/// Where Foundation is imported too, write `CollectionLayout.AffineTransform`.
public struct AffineTransform: Hashable, Sendable {
    /// How much x adds to x′.
    public var a: Double
    /// How much x adds to y′.
    public var b: Double
    /// How much y adds to x′.
    public var c: Double
    /// How much y adds to y′.
    public var d: Double
    /// The distance to the right, in points.
    public var tx: Double
    /// The distance downwards, in points.
    public var ty: Double

    /// Leaves everything where it is.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    public init(a: Double, b: Double, c: Double, d: Double, tx: Double = 0, ty: Double = 0) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// Lengths multiplied by factors, about the origin; a negative factor mirrors.
    public static func scale(x: Double, y: Double) -> AffineTransform { AffineTransform(a: x, b: 0, c: 0, d: y) }

    /// A move by distances in points.
    public static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// A turn by the angle whose cosine and sine are given: this library links no trigonometry.
    public static func rotation(cosine: Double, sine: Double) -> AffineTransform {
        AffineTransform(a: cosine, b: sine, c: -sine, d: cosine)
    }

    /// The image of a point.
    public func callAsFunction(_ point: Point) -> Point {
        Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// The least rectangle that holds the image of one.
    public func boundingBox(of rect: Rect) -> Rect {
        let corners = [
            self(Point(x: rect.minX, y: rect.minY)), self(Point(x: rect.maxX, y: rect.minY)),
            self(Point(x: rect.minX, y: rect.maxY)), self(Point(x: rect.maxX, y: rect.maxY)),
        ]
        var (minX, minY) = (Double.infinity, Double.infinity)
        var (maxX, maxY) = (-Double.infinity, -Double.infinity)
        for corner in corners {
            minX = min(minX, corner.x)
            minY = min(minY, corner.y)
            maxX = max(maxX, corner.x)
            maxY = max(maxY, corner.y)
        }
        return Rect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }
}

extension AffineTransform {
    /// The way back; `nil` for a transform that leaves no area.
    package var inverse: AffineTransform? {
        let determinant = a * d - b * c
        guard determinant.isFinite, determinant != 0 else { return nil }
        return AffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}
