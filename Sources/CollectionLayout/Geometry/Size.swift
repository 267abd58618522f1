/// A width and a height in points.
public struct Size: Hashable, Sendable {
    /// The length along the horizontal axis.
    public var width: Double
    /// The length along the vertical axis.
    public var height: Double

    /// No length along either axis.
    public static let zero = Size(width: 0, height: 0)

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// A size by its length along an axis and its length across it.
    public init(along axis: Axis, _ length: Double, across thickness: Double) {
        self.init(
            width: axis == .horizontal ? length : thickness, height: axis == .horizontal ? thickness : length)
    }
}

extension Size {
    /// The length along an axis.
    public subscript(axis: Axis) -> Double {
        get { axis == .horizontal ? width : height }
        set {
            switch axis {
            case .horizontal: width = newValue
            case .vertical: height = newValue
            }
        }
    }
}

extension Size {
    /// What the differences of edges far out round away, in points.
    static let tolerance = 1e-6

    /// Whether both lengths are the same but for rounding.
    func isNearly(_ other: Size) -> Bool {
        (width - other.width).magnitude < Self.tolerance && (height - other.height).magnitude < Self.tolerance
    }
}
