package import EPGModel

/// Makes a schedule of the listings that one source has for one station (facts/xmltv, section 3).
///
/// The same listings give the same result in whatever order they come, and every difference between what was published
/// and what stands in the schedule is a ``Repair``.
///
/// 1. *Missing stop*: the earliest stop of those that start at the same instant (of its own clump first), else the next
///    start, else the start and ``NormalisationPolicy/assumedSeconds``; never beyond the cap of rule 13, even when the
///    next start is. `tv_sort` of the XMLTV project does the same, but leaves the last one open.
/// 2. *Zero length*: a grouping marker, dropped in favour of the next airing. It still says that something begins then,
///    and so ends one without a stop before it.
/// 3. *Stop before start*: as if it were missing.
/// 4. *Duplicates*: same start, same stop, same titles, same place in a clump: the richer one stands for both.
/// 5. *Clumps*: parts of the same window and count share it. Of two parts with one index the richer one stands; a part
///    that is left alone has the window for itself.
/// 6. *Overlaps*, here of one source:
///    * The later start trims the earlier one, however rich that is: 20:00–21:05 before 21:00 becomes 20:00–21:00. What
///      would follow after the later one's stop isn't shown again; it is a gap.
///    * One wholly within another goes when that is *clearly richer* (twice) and goes on after it, or is of the same
///      title and not clearly poorer.
///    * Of those that start at the same instant one stands: the richer one, then the longer one.
///    * A *placeholder* never displaces what is within it. It is longer than the cap, or has two others within it, or is
///      longer than ``NormalisationPolicy/longestProgrammeSeconds`` and of another title.
/// 13. *Longer than the cap*: flagged, cut at the next start or the cap, and no part of ``NormalisedListings/coverage``
///    but for its first second.
///
/// Rules 7 to 12 concern nothing that is decided here; gaps are what ``Schedule/segments(in:)`` finds. A listing at the
/// last instant of time, with no room for a second of it, is dropped as `badstart`.
package struct Normaliser: Sendable {
    package let policy: NormalisationPolicy

    package init(_ policy: NormalisationPolicy = .standard) {
        self.policy = policy
    }

    /// The schedule of a station.
    ///
    /// - Parameter listings: All that the source has for the station, in any order.
    /// - Complexity: O(n log n); O(n) where they are in the order of start.
    package func normalise(_ listings: consuming [Listing]) -> NormalisedListings {
        listings.sort { $0.start < $1.start }
        let timed = TimedListings(listings, policy: policy)
        var arrangement = Arrangement(of: timed, policy: policy)
        arrangement.settle()
        return NormalisedListings(settling: arrangement)
    }
}
