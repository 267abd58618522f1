internal import EPGModel

/// The listings of a station with a stop for each, free of duplicates and joined to clumps (facts, rules 1 to 5).
struct TimedListings {
    /// In the order of start.
    let listings: [Listing]
    /// The parts of one contender stand together, in the clump's order.
    private(set) var parts: [TimedListing] = []
    /// In the order of start, then of end; what starts at the same instant is yet to be decided.
    private(set) var contenders: [Contender] = []
    /// In the order of start.
    private(set) var markers: [Listing] = []
    private(set) var repairs: [Repair] = []
    private let policy: NormalisationPolicy

    /// - Parameter listings: In the order of start.
    /// - Complexity: O(n), and O(k log k) for k listings that start at the same instant.
    init(_ listings: [Listing], policy: NormalisationPolicy) {
        self.listings = listings
        self.policy = policy
        parts.reserveCapacity(listings.count)
        contenders.reserveCapacity(listings.count)
        var low = 0
        while low < listings.count {
            var high = low + 1
            while high < listings.count, listings[high].start == listings[low].start { high += 1 }
            append(low..<high, before: high < listings.count ? listings[high].start : nil)
            low = high
        }
    }

    /// Takes the listings that start at one instant.
    private mutating func append(_ range: Range<Int>, before next: Instant?) {
        let first = parts.count
        let inference = StopInference(from: listings[range], before: next, policy: policy)
        for index in range {
            let listing = listings[index]
            if listing.isGroupingMarker {
                markers.append(listing)
            } else if let stop = listing.usableStop {
                parts.append(TimedListing(index: index, end: stop, origin: .published))
            } else if listing.start.secondsSince1970 == .max {
                repairs.append(Repair(keyword: .badstart, action: .dropped, listing: listing))
            } else {
                let origin: TimedListing.StopOrigin = listing.stop == nil ? .missing : .reversed
                parts.append(TimedListing(index: index, end: inference.stop(of: listing), origin: origin))
            }
        }
        if parts.count - first > 1 {
            let listings = listings
            parts[first...].sort { $0.precedes($1, in: listings) }
            keepOne(from: first, reporting: .duplicate, .merged) {
                $0.isAlike($1, in: listings) && listings[$0.index].titleKey == listings[$1.index].titleKey
            }
            keepOne(from: first, reporting: .badclump, .dropped) {
                $0.isAlike($1, in: listings) && listings[$0.index].clump != nil
            }
        }
        join(from: first)
    }

    /// Keeps the best one of each run of parts that belong together, and reports the others.
    private mutating func keepOne(
        from first: Int, reporting keyword: Diagnostic.Keyword, _ action: Diagnostic.Action,
        where belongTogether: (TimedListing, TimedListing) -> Bool
    ) {
        var (kept, low) = (first, first)
        while low < parts.count {
            var (high, best) = (low + 1, low)
            while high < parts.count, belongTogether(parts[low], parts[high]) {
                if listings[parts[high].index].outranks(listings[parts[best].index]) { best = high }
                high += 1
            }
            let standing = parts[best]
            for index in low..<high where index != best {
                repairs.append(
                    Repair(
                        keyword: keyword, action: action, listing: listings[parts[index].index],
                        other: listings[standing.index]))
            }
            parts[kept] = standing
            kept += 1
            low = high
        }
        parts.removeLast(parts.count - kept)
    }

    // MARK: - Clumps

    /// Makes contenders of the parts that start at one instant: those of one clump together, the others alone.
    private mutating func join(from first: Int) {
        var low = first
        while low < parts.count {
            let (index, end) = (parts[low].index, parts[low].end)
            let count = listings[index].clump?.count
            var (high, richness) = (low + 1, Int(listings[index].richness))
            while count != nil, high < parts.count, parts[high].end == end,
                listings[parts[high].index].clump?.count == count
            {
                richness += Int(listings[parts[high].index].richness)
                high += 1
            }
            let start = listings[index].start
            contenders.append(
                Contender(
                    parts: low..<high, start: start, end: end, shownEnd: end, richness: richness,
                    titleKey: high - low == 1 ? listings[index].titleKey : nil, clumpCount: count,
                    isTooLong: start.seconds(to: end) > policy.longestAiringSeconds))
            low = high
        }
    }
}
