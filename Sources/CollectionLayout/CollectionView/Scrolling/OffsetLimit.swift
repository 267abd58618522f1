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
