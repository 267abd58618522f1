internal import EPGModel

/// A listing, and the stop that is taken for it.
struct TimedListing {
    enum StopOrigin {
        case published
        /// None was given (facts, rule 1).
        case missing
        /// One before the start was given (facts, rule 3).
        case reversed
    }

    /// The index of the listing.
    var index: Int
    /// Later than the start.
    var end: Instant
    var origin: StopOrigin

    /// Whether two have the same window, and the same place in a clump or none.
    func isAlike(_ other: TimedListing, in listings: [Listing]) -> Bool {
        end == other.end && listings[index].clump == listings[other.index].clump
    }

    /// The order in which what belongs together stands together: by end, clump, title, and then the better one first.
    func precedes(_ other: TimedListing, in listings: [Listing]) -> Bool {
        if end != other.end { return end < other.end }
        let (first, second) = (listings[index], listings[other.index])
        if first.clump != second.clump { return Listing.precedes(first.clump, second.clump) }
        if first.titleKey != second.titleKey { return first.titleKey < second.titleKey }
        return first.outranks(second)
    }
}
