package import EPGModel

/// A gap, an airing or a cluster of a row, told by its place in the schedules that were handed in: what is quick to make.
package struct GuideCell: Hashable, Sendable {
    /// What it stands for.
    package enum Kind: Hashable, Sendable {
        case gap
        /// The airing at an index of the row's schedule.
        case airing(index: Int)
        /// Several airings that are too short to be shown one by one.
        case cluster(count: Int)
    }

    package let kind: Kind
    /// The layout's row, from 0.
    package let row: Int
    /// The range in full: of an airing its window, of a clump's member the window that it shares.
    package let window: TimeWindow
    /// The range that is shown: ``window`` cut at the guide's window, of a clump's member its share.
    package let shown: TimeWindow
    /// See ``GuideElement/isStartClipped``.
    package let isStartClipped: Bool
    /// See ``GuideElement/isEndClipped``.
    package let isEndClipped: Bool
}
