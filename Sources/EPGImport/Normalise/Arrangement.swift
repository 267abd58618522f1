internal import EPGModel

/// The contenders of a station on their way into a schedule without overlaps (facts, rules 6 and 13).
///
/// They are placed from the last to the first, so that what follows a contender is settled when its turn comes.
struct Arrangement {
    let timed: TimedListings
    /// Those that have their place, the last one first.
    private(set) var settled: [Contender] = []
    private(set) var repairs: [Repair]
    private let policy: NormalisationPolicy

    init(of timed: TimedListings, policy: NormalisationPolicy) {
        self.timed = timed
        self.policy = policy
        repairs = timed.repairs
        settled.reserveCapacity(timed.contenders.count)
    }

    /// Gives every contender its place, or drops it.
    ///
    /// - Complexity: O(n).
    mutating func settle() {
        var high = timed.contenders.count
        while high > 0 {
            var low = high - 1
            while low > 0, timed.contenders[low - 1].start == timed.contenders[low].start { low -= 1 }
            place(low + 1 == high ? timed.contenders[low] : winner(among: low..<high))
            high = low
        }
    }

    /// The listing by which a contender is named in reports.
    func leader(of contender: Contender) -> Listing {
        timed.listings[timed.parts[contender.parts.lowerBound].index]
    }

    /// Whether the feed gave a usable stop for any of its parts.
    func hasPublishedStop(_ contender: Contender) -> Bool {
        contender.parts.contains { timed.parts[$0].origin == .published }
    }

    /// Puts a contender before all that is settled: what is within it may go, then the next start trims it.
    private mutating func place(_ contender: Contender) {
        var placed = contender
        if let next = settled.last, next.end <= placed.end {
            let following = settled.count > 1 ? settled[settled.count - 2] : nil
            if displaces(placed, within: next, following: following) {
                settled.removeLast()
                drop(next, for: placed)
            }
        }
        if placed.isTooLong { placed.shownEnd = placed.start.advanced(by: policy.longestAiringSeconds) }
        if let next = settled.last { placed.shownEnd = min(placed.shownEnd, next.start) }
        settled.append(placed)
    }

    /// The one that stands of those that start at the same instant; the others are dropped.
    private mutating func winner(among range: Range<Int>) -> Contender {
        var best = range.lowerBound
        for index in range.dropFirst() where beats(timed.contenders[index], timed.contenders[best]) { best = index }
        let standing = timed.contenders[best]
        for index in range where index != best { drop(timed.contenders[index], for: standing) }
        return standing
    }

    /// Whether a contender stands instead of another one that starts with it and ends no later.
    private func beats(_ outer: Contender, _ inner: Contender) -> Bool {
        if outer.end > inner.end { return displaces(outer, within: inner, following: settled.last) }
        if outer.richness != inner.richness { return outer.richness > inner.richness }
        return leader(of: outer).outranks(leader(of: inner))
    }

    /// Whether a contender displaces one within it.
    ///
    /// - Parameter following: What starts next after the one within.
    private func displaces(_ outer: Contender, within inner: Contender, following: Contender?) -> Bool {
        if outer.isTooLong { return false }
        if let following, following.start < outer.end, following.end <= outer.end { return false }
        if outer.hasTitle(of: inner) { return !inner.isClearlyRicher(than: outer) }
        if outer.start.seconds(to: outer.end) > policy.longestProgrammeSeconds { return false }
        // Only one of two that start together can be shown. The beginning of the earlier one can be shown with the later
        // one: that goes only where time would be left after it that nothing is known of any more.
        if outer.start == inner.start { return outer.richness >= inner.richness }
        return inner.end < outer.end && outer.isClearlyRicher(than: inner)
    }

    private mutating func drop(_ contender: Contender, for other: Contender) {
        // Parts of one clump that don't agree on the window are in each other's way.
        let isSameClump = contender.clumpCount != nil && contender.clumpCount == other.clumpCount
        for part in timed.parts[contender.parts] {
            repairs.append(
                Repair(
                    keyword: isSameClump ? .badclump : .overlap, action: .dropped, listing: timed.listings[part.index],
                    other: leader(of: other)))
        }
    }
}
