import CollectionLayout
import EPGModel

/// The policy by which adjacent airings that are too narrow for a title share a cell, such as “3 short programs”.
///
/// Clusters do not change the geometry: their airings keep their frames, and can be hit, focused and looked up individually
/// (GridRules.md). Two or more adjacent cells narrower than ``leastWidth`` become one cell if they start in the same
/// bucket of time. A bucket is four times as wide as ``leastWidth``, counted from the guide's start, so that clusters do
/// not depend on the viewport.
public struct ClusterPolicy: Hashable, Sendable {
    /// The width in points below which a cell is short.
    public let leastWidth: Double

    /// Creates a policy.
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)`` below 0.01 or above 100,000.
    public init(leastWidth: Double) throws(GuideLayoutError) {
        self.leastWidth = try GuideMeasure.clusterWidth.checked(leastWidth, in: 0.01...100_000)
    }
}

/// A cluster policy at a scale, in whole seconds.
struct ClusterTimes: Sendable {
    /// The length of a bucket in seconds, at least 1.
    private let bucketSeconds: Int64
    private let origin: Instant
    private let policy: ClusterPolicy
    private let pointsPerHour: Double

    init(_ policy: ClusterPolicy, pointsPerHour: Double, origin: Instant) {
        self.policy = policy
        self.pointsPerHour = pointsPerHour
        self.origin = origin
        // At most 4 · 10⁵ · 3600 · 10², far below 2⁶³.
        bucketSeconds = max(1, Int64(policy.leastWidth * 4 * 3600 / pointsPerHour))
    }

    func isShort(_ window: TimeWindow) -> Bool {
        Double(window.seconds) * pointsPerHour / 3600 < policy.leastWidth
    }

    /// Returns the index of the bucket that contains an instant.
    func index(of instant: Instant) -> Int64 {
        origin.seconds(to: instant).quotientAndRemainderFloored(dividingBy: bucketSeconds).quotient
    }

    /// Returns the time that determines the clusters that may overlap a window.
    func reach(of window: TimeWindow) -> TimeWindow {
        // A short airing is shorter than a bucket, so it starts in the bucket of the window's start or the one before.
        let start = origin.advanced(by: (index(of: window.start) - 1) * bucketSeconds)
        let end = origin.advanced(by: (index(of: window.end) + 1) * bucketSeconds)
        return TimeWindow(start: min(start, window.start), end: max(end, window.end))
    }
}
