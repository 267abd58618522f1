/// An affine transform of the plane: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty, as in Core Graphics.
///
/// In a file that also imports Foundation, write `CollectionLayout.AffineTransform`.
public struct AffineTransform: Hashable, Sendable {
    /// The contribution of x to x′.
    public var a: Double
    /// The contribution of x to y′.
    public var b: Double
    /// The contribution of y to x′.
    public var c: Double
    /// The contribution of y to y′.
    public var d: Double
    /// The translation to the right, in points.
    public var tx: Double
    /// The translation downward, in points.
    public var ty: Double

    /// The identity transform.
    public static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Creates a transform from its coefficients. The translation is in points.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double = 0, ty: Double = 0) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// Returns a transform that scales about the origin; a negative factor mirrors.
    public static func scale(x: Double, y: Double) -> AffineTransform { AffineTransform(a: x, b: 0, c: 0, d: y) }

    /// Returns a translation by distances in points.
    public static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// Returns a rotation by the angle with this cosine and sine. (The library links no trigonometric functions.)
    public static func rotation(cosine: Double, sine: Double) -> AffineTransform {
        AffineTransform(a: cosine, b: sine, c: -sine, d: cosine)
    }

    /// Returns the image of a point.
    public func callAsFunction(_ point: Point) -> Point {
        Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// Returns the smallest rectangle that contains the image of `rect`.
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
    /// The inverse transform, or `nil` if the transform is singular.
    package var inverse: AffineTransform? {
        let determinant = a * d - b * c
        guard determinant.isFinite, determinant != 0 else { return nil }
        return AffineTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}
