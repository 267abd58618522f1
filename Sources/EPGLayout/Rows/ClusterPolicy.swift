import CollectionLayout
import EPGModel

/// When neighbouring airings that are too narrow for a title are shown as one cell, such as “3 short programmes”.
///
/// It is apart from the geometry: the airings keep their frames, and can be hit, focused and asked for one by one (facts,
/// layout 2). Two or more cells narrower than ``leastWidth`` that touch, in one row, become one cell where they start within
/// the same stretch of four least widths, counted from the guide's start (chosen: what belongs together can then be told
/// from what is near, and splitting a viewport changes nothing).
public struct ClusterPolicy: Hashable, Sendable {
    /// In points: what is narrower is short.
    public let leastWidth: Double

    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)`` below 0.01 or above 100,000.
    public init(leastWidth: Double) throws(GuideLayoutError) {
        self.leastWidth = try GuideMeasure.clusterWidth.checked(leastWidth, in: 0.01...100_000)
    }
}

/// A cluster policy at a number of points per hour: whole seconds.
struct ClusterTimes: Sendable {
    /// The stretch that short airings must start in to become one cell, at least a second.
    let stretch: Int64
    let origin: Instant
    private let policy: ClusterPolicy
    private let pointsPerHour: Double

    init(_ policy: ClusterPolicy, pointsPerHour: Double, origin: Instant) {
        self.policy = policy
        self.pointsPerHour = pointsPerHour
        self.origin = origin
        // At most 4 · 10⁵ · 3600 · 10², far below 2⁶³.
        stretch = max(1, Int64(policy.leastWidth * 4 * 3600 / pointsPerHour))
    }

    func isShort(_ window: TimeWindow) -> Bool {
        Double(window.seconds) * pointsPerHour / 3600 < policy.leastWidth
    }

    /// The number of the stretch that an instant of the guide lies in.
    func index(of instant: Instant) -> Int64 {
        origin.seconds(to: instant).quotientAndRemainderFloored(dividingBy: stretch).quotient
    }

    /// What must be known to tell the clusters that may have a part in a window.
    func reach(of window: TimeWindow) -> TimeWindow {
        // A short airing is shorter than a stretch, so it starts in that of the window's start or the one before.
        let start = origin.advanced(by: (index(of: window.start) - 1) * stretch)
        let end = origin.advanced(by: (index(of: window.end) + 1) * stretch)
        return TimeWindow(start: min(start, window.start), end: max(end, window.end))
    }
}
