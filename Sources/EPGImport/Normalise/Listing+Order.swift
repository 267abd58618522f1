internal import EPGModel

extension Listing {
    /// The stop, where it can be one: later than the start (facts, rules 2 and 3).
    var usableStop: Instant? {
        guard let stop, stop > start else { return nil }
        return stop
    }

    /// Whether it heads a group instead of being on: the stop is the start (facts, rule 2).
    var isGroupingMarker: Bool { stop == start }

    /// Whether it stands where only one of two listings that start at the same instant can: the richer one, then the one
    /// that has a stop, then the one with the lesser ``contentKey``.
    ///
    /// A strict order over every field, so that the order of the input decides nothing. The line comes last: it chooses
    /// between listings that are alike in all else, and so only which line a report names.
    func outranks(_ other: Listing) -> Bool {
        if richness != other.richness { return richness > other.richness }
        let (hasStop, otherHasStop) = (usableStop != nil, other.usableStop != nil)
        if hasStop != otherHasStop { return hasStop }
        if contentKey != other.contentKey { return contentKey < other.contentKey }
        if programme != other.programme { return programme < other.programme }
        if transmission != other.transmission { return transmission < other.transmission }
        if titleKey != other.titleKey { return titleKey < other.titleKey }
        if stop != other.stop { return Listing.precedes(stop, other.stop) }
        if clump != other.clump { return Listing.precedes(clump, other.clump) }
        return line < other.line
    }

    /// By count, then by index; none comes first.
    static func precedes(_ first: Clump?, _ second: Clump?) -> Bool {
        (first?.count ?? 0, first?.index ?? 0) < (second?.count ?? 0, second?.index ?? 0)
    }

    /// None comes last.
    private static func precedes(_ first: Instant?, _ second: Instant?) -> Bool {
        guard let first, let second else { return first != nil }
        return first < second
    }
}

extension Repair {
    /// In the order of start, then of the listings, then of what was done.
    func precedes(_ other: Repair) -> Bool {
        if listing.start != other.listing.start { return listing.start < other.listing.start }
        if listing != other.listing { return listing.outranks(other.listing) }
        if keyword != other.keyword { return keyword.rawValue < other.keyword.rawValue }
        return action.rawValue < other.action.rawValue
    }
}
