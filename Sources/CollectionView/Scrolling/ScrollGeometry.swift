import CollectionLayout

/// Whether the safe area is added to the content inset (documented: `ContentInsetAdjustmentBehavior`, without the cases
/// that depend on the axes).
public enum ContentInsetAdjustment: String, Hashable, Sendable {
    /// The safe area counts, the default; or the content inset alone is in force.
    case always, never
}

/// What of the surroundings of a view the offset depends on.
struct Surroundings {
    var contentInset: EdgeInsets
    var safeAreaInsets: EdgeInsets
    var adjustment: ContentInsetAdjustment
    var direction: LayoutDirection

    init(_ view: CollectionView) {
        contentInset = view.contentInset
        safeAreaInsets = view.safeAreaInsets
        adjustment = view.contentInsetAdjustment
        direction = view.layoutDirection
    }

    var adjustedInset: EdgeInsets {
        switch adjustment {
        case .always: (contentInset + safeAreaInsets).usable
        case .never: contentInset.usable
        }
    }

    /// The inset at the lesser and at the greater coordinates of an axis: leading is right where text runs from there.
    func insets(_ axis: Axis) -> (lower: Double, upper: Double) {
        let inset = adjustedInset
        return axis == .horizontal && direction == .rightToLeft
            ? (inset.trailing, inset.leading) : (inset.start(axis), inset.end(axis))
    }

    func offsetRange(_ axis: Axis, of view: CollectionView) -> ClosedRange<Double> {
        let (lower, upper) = insets(axis)
        let greatest = view.contentSize[axis] + upper - view.bounds.length(axis)
        // 0 less the inset: never the zero with a sign.
        return 0 - lower...max(0 - lower, greatest)
    }

    /// The offset at which an axis begins.
    func start(_ axis: Axis, of view: CollectionView) -> Double {
        let range = offsetRange(axis, of: view)
        return axis == .horizontal && direction == .rightToLeft ? range.upperBound : range.lowerBound
    }
}

extension Rect {
    /// The rectangle with numbers that a layout can work with.
    var usable: Rect {
        Rect(x: minX.asDistance, y: minY.asDistance, width: width.asLength, height: height.asLength)
    }
}

/// An item that shall be seen at the same place when another layout places it.
struct OffsetAnchor {
    /// The item; `nil` where none was in sight.
    let element: LayoutElement?
    /// Where it stood, from the origin of the bounds.
    let distance: Point
    /// The axes on which the view stood at the beginning, and stays there.
    let axesAtStart: [Axis]

    /// The first visible item, in the order of the data.
    init(_ view: CollectionView) {
        let surroundings = Surroundings(view)
        let origin = view.bounds.origin
        axesAtStart = Axis.allCases.filter { origin[$0] == surroundings.start($0, of: view) }
        let first = view.shown.values.map(\.attributes).filter { $0.element.kind == nil }
            .min { $0.indexPath < $1.indexPath }
        element = first?.element
        distance = first.map { $0.layoutFrame.origin - origin } ?? .zero
    }

    /// The origin of the bounds with the layout that the view has now, before it is kept in the content.
    func origin(in view: CollectionView) -> Point {
        var origin = view.bounds.origin
        if let element, let attributes = view.layout.attributes(of: element) {
            origin = attributes.layoutFrame.origin - distance
        }
        let surroundings = Surroundings(view)
        for axis in axesAtStart { origin[axis] = surroundings.start(axis, of: view) }
        return origin
    }
}

/// How far the content offset may go.
public enum OffsetLimit: Hashable, Sendable {
    /// No place beyond the content is seen, as far as the content fills the view; the default.
    case content
    /// Anywhere: beyond the edges too, as while a drag bounces.
    case free
}

/// What of the velocity is left after each millisecond (documented: `UIScrollView.DecelerationRate`).
public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
    public let rawValue: Double

    /// A rate; from 0, where scrolling stops at once, to 0.9999.
    public init(rawValue: Double) {
        self.rawValue = rawValue > 0 ? min(rawValue, 0.9999) : 0
    }

    /// 0.998 (documented).
    public static let normal = DecelerationRate(rawValue: 0.998)
    /// 0.99 (documented).
    public static let fast = DecelerationRate(rawValue: 0.99)

    /// How far it goes on, in points: v / 1000 · r / (1 − r) (documented: the projection of "Designing Fluid Interfaces").
    ///
    /// - Parameter velocity: Points per second.
    func distance(from velocity: Double) -> Double {
        velocity.asDistance / 1000 * rawValue / (1 - rawValue)
    }
}
