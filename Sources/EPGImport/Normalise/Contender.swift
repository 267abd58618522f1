internal import EPGModel

/// What claims a window of a schedule for itself: one listing, or the parts of a clump.
struct Contender {
    /// The indexes of its timed listings; never empty.
    var parts: Range<Int>
    var start: Instant
    /// As it was published or inferred; later than the start.
    var end: Instant
    /// Where it ends in the schedule: at its end, at the next start or at the cap, whatever is first.
    var shownEnd: Instant
    /// Of all parts together.
    var richness: Int
    /// The title that it has; `nil` for several parts.
    var titleKey: UInt32?
    /// The count of the clump that the listings say they are of.
    var clumpCount: Int?
    /// Longer than the cap (facts, rule 13).
    var isTooLong: Bool

    /// Parts of its clump are missing (facts, rule 5).
    var isIncomplete: Bool { clumpCount.map { $0 != parts.count } ?? false }

    /// So much richer that it isn't chance: twice.
    func isClearlyRicher(than other: Contender) -> Bool {
        richness > other.richness && richness / 2 >= other.richness
    }

    /// Whether both are one listing of one title.
    func hasTitle(of other: Contender) -> Bool {
        titleKey != nil && titleKey == other.titleKey
    }
}
