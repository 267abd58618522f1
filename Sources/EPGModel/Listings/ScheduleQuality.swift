/// How much of a guide's time its schedules show as the feed published it.
///
/// It judges feeds and rules: a better rule shows more time whole and leaves less of it empty. Airings that share a window
/// count once.
public struct ScheduleQuality: Hashable, Sendable {
    /// The seconds of airings with the published start and stop.
    public var whole: Int64 = 0
    /// The seconds of airings that show only part of the published time.
    public var cut: Int64 = 0
    /// The seconds of airings with an inferred stop.
    public var inferred: Int64 = 0
    /// The seconds between airings of a station. A gap of more than ``longestGapSeconds`` interrupts the guide and doesn't count.
    public var empty: Int64 = 0
    /// The number of stations with airings.
    public var stations = 0
    /// The number of stations with an airing that is cut or has an inferred stop.
    public var affectedStations = 0

    /// The maximum length of a gap that counts as empty: 24 hours.
    public static let longestGapSeconds: Int64 = 24 * 3600

    /// Creates the quality of an empty guide: all numbers are 0.
    public init() {}

    /// Adds the counts of another part of the guide, with other stations.
    public static func += (total: inout ScheduleQuality, part: ScheduleQuality) {
        total.whole += part.whole
        total.cut += part.cut
        total.inferred += part.inferred
        total.empty += part.empty
        total.stations += part.stations
        total.affectedStations += part.affectedStations
    }

    /// Counts the airings of one station.
    ///
    /// - Parameter airings: All airings that one source has for the station, sorted by start.
    /// - Complexity: O(n).
    package init(of airings: some Sequence<ScheduledListing>) {
        var reached: Instant?
        for airing in airings {
            // The parts of a clump share their window.
            guard airing.window.start >= reached ?? airing.window.start else { continue }
            if let reached {
                let gap = reached.seconds(to: airing.window.start)
                if gap <= Self.longestGapSeconds { empty += gap }
            }
            reached = airing.window.end
            if airing.isStopInferred {
                inferred += airing.window.seconds
            } else if airing.published != nil {
                cut += airing.window.seconds
            } else {
                whole += airing.window.seconds
            }
        }
        stations = reached == nil ? 0 : 1
        affectedStations = cut > 0 || inferred > 0 ? 1 : 0
    }
}
