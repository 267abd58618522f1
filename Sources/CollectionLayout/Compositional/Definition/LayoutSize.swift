/// A width and a height, each a dimension of its own (documented: `NSCollectionLayoutSize`).
public struct LayoutSize: Hashable, Sendable {
    /// In points, or as a part of what holds it.
    public var widthDimension: LayoutDimension
    /// In points, or as a part of what holds it.
    public var heightDimension: LayoutDimension

    public init(widthDimension: LayoutDimension, heightDimension: LayoutDimension) {
        self.widthDimension = widthDimension
        self.heightDimension = heightDimension
    }

    /// All of the container.
    public static let full = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(1))

    /// The dimension along an axis.
    public func dimension(_ axis: Axis) -> LayoutDimension {
        axis == .horizontal ? widthDimension : heightDimension
    }

    /// The axes along which it is an estimate.
    package var estimatedAxes: AxisSet {
        AxisSet(horizontal: widthDimension.isEstimated, vertical: heightDimension.isEstimated)
    }

    /// The size in points within a container; what is unusable is brought to the nearest length, with a diagnostic.
    ///
    /// - Parameter name: What it is the size of, such as `group`.
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

/// Neither, one or both of the axes.
package struct AxisSet: Hashable, Sendable {
    /// Whether the horizontal axis is among them.
    package var horizontal: Bool
    /// Whether the vertical axis is among them.
    package var vertical: Bool

    package init(horizontal: Bool = false, vertical: Bool = false) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Whether it is neither.
    package var isEmpty: Bool { !horizontal && !vertical }

    /// Whether an axis is among them.
    package func contains(_ axis: Axis) -> Bool { axis == .horizontal ? horizontal : vertical }

    /// Leaves an axis out.
    package mutating func remove(_ axis: Axis) {
        switch axis {
        case .horizontal: horizontal = false
        case .vertical: vertical = false
        }
    }
}
