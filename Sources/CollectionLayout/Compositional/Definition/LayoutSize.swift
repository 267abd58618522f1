/// A width or height, absolute or relative to its container, like UIKit's `NSCollectionLayoutDimension`.
///
/// Lengths are clamped to 0...10¹², and NaN becomes 0, with a ``LayoutDiagnostic``.
public enum LayoutDimension: Hashable, Sendable {
    /// A fraction of the container's width; 1 is the full width. It can also be used for a height.
    case fractionalWidth(Double)
    /// A fraction of the container's height; 1 is the full height. It can also be used for a width.
    case fractionalHeight(Double)
    /// A length in points.
    case absolute(Double)
    /// An initial length in points, until the element has been measured.
    case estimated(Double)

    /// Whether a measured length replaces the dimension.
    public var isEstimated: Bool {
        if case .estimated = self { return true }
        return false
    }

    /// Returns the length in points in a container. The result may be unusable, for instance negative.
    package func length(in container: Size) -> Double {
        switch self {
        case .fractionalWidth(let part): part * container.width
        case .fractionalHeight(let part): part * container.height
        case .absolute(let points), .estimated(let points): points
        }
    }
}

/// A width and a height, each with its own dimension, like UIKit's `NSCollectionLayoutSize`.
public struct LayoutSize: Hashable, Sendable {
    /// The width.
    public var widthDimension: LayoutDimension
    /// The height.
    public var heightDimension: LayoutDimension

    /// Creates a size from a dimension for each axis.
    public init(widthDimension: LayoutDimension, heightDimension: LayoutDimension) {
        self.widthDimension = widthDimension
        self.heightDimension = heightDimension
    }

    /// The full size of the container.
    public static let full = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(1))

    /// The axes with estimated dimensions.
    package var estimatedAxes: AxisSet {
        AxisSet(horizontal: widthDimension.isEstimated, vertical: heightDimension.isEstimated)
    }

    /// Returns the size in points in a container. Unusable lengths are clamped, with a diagnostic.
    ///
    /// - Parameter name: The name of the size for diagnostics, such as `group`.
    package func resolved(
        in container: Size, name: String, section: Int, diagnostics: inout LayoutDiagnostics
    ) -> Size {
        Size(
            width: diagnostics.length(
                widthDimension.length(in: container), "\(name).widthDimension", section: section),
            height: diagnostics.length(
                heightDimension.length(in: container), "\(name).heightDimension", section: section))
    }
}

/// A set of axes.
package struct AxisSet: Hashable, Sendable {
    /// Whether the set contains the horizontal axis.
    package var horizontal: Bool
    /// Whether the set contains the vertical axis.
    package var vertical: Bool

    package init(horizontal: Bool = false, vertical: Bool = false) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Whether the set contains no axis.
    package var isEmpty: Bool { !horizontal && !vertical }

    /// Returns whether the set contains `axis`.
    package func contains(_ axis: Axis) -> Bool { axis == .horizontal ? horizontal : vertical }

    /// Removes an axis.
    package mutating func remove(_ axis: Axis) {
        if axis == .horizontal { horizontal = false } else { vertical = false }
    }
}

/// A distance between elements, in points, like UIKit's `NSCollectionLayoutSpacing`.
///
/// A negative distance becomes 0, with a diagnostic.
public enum LayoutSpacing: Hashable, Sendable {
    /// Exactly this distance.
    case fixed(Double)
    /// At least this distance. The flexible spacings of a line share its remaining length equally.
    case flexible(Double)

    /// The fixed or minimum distance.
    public var spacing: Double {
        switch self {
        case .fixed(let points), .flexible(let points): points
        }
    }

    /// Whether the spacing takes a share of the remaining length.
    public var isFlexible: Bool {
        if case .flexible = self { return true }
        return false
    }
}

/// Distances around an item or group, which move it but don't change its size, like UIKit's
/// `NSCollectionLayoutEdgeSpacing`.
///
/// A flexible distance takes a share of the remaining length: `bottom: .flexible(0)` keeps an item at the top of its
/// group.
public struct LayoutEdgeSpacing: Hashable, Sendable {
    /// The distance before the element in the reading direction. All distances are `nil` by default.
    public var leading: LayoutSpacing?
    /// The distance above the element.
    public var top: LayoutSpacing?
    /// The distance after the element in the reading direction.
    public var trailing: LayoutSpacing?
    /// The distance below the element.
    public var bottom: LayoutSpacing?

    /// Creates spacing with the given distances; there is none at edges that are `nil`.
    public init(
        leading: LayoutSpacing? = nil, top: LayoutSpacing? = nil, trailing: LayoutSpacing? = nil,
        bottom: LayoutSpacing? = nil
    ) {
        self.leading = leading
        self.top = top
        self.trailing = trailing
        self.bottom = bottom
    }

    func start(_ axis: Axis) -> LayoutSpacing? { axis == .horizontal ? leading : top }

    func end(_ axis: Axis) -> LayoutSpacing? { axis == .horizontal ? trailing : bottom }
}
