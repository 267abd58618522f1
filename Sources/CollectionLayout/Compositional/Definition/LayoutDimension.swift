/// A width or a height, absolute or as part of what holds it (documented: `NSCollectionLayoutDimension`).
///
/// A dimension that is negative, infinite or not a number is taken as the nearest length that is none of these, with a
/// ``LayoutDiagnostic`` (chosen).
public enum LayoutDimension: Hashable, Sendable {
    /// That part of the container's width; 1 is all of it. A height may be one too (documented).
    case fractionalWidth(Double)
    /// That part of the container's height; 1 is all of it. A width may be one too (documented).
    case fractionalHeight(Double)
    /// Points.
    case absolute(Double)
    /// Points to begin with, until the element has been measured (documented).
    case estimated(Double)

    /// Whether measuring replaces it.
    public var isEstimated: Bool {
        if case .estimated = self { return true }
        return false
    }

    /// The length in points within a container, not yet made usable.
    package func length(in container: Size) -> Double {
        switch self {
        case .fractionalWidth(let part): part * container.width
        case .fractionalHeight(let part): part * container.height
        case .absolute(let points), .estimated(let points): points
        }
    }
}
