internal import EPGModel

/// The stop for those without a usable one among the listings that start at one instant (facts, rules 1, 3 and 5).
struct StopInference {
    /// The earliest stop that one of the listings has.
    private var earliest: Instant?
    /// The earliest stop of a clump's part, by the clump's count; empty where there is none.
    private var earliestOfClump: [Instant?] = []
    /// For those that can borrow from none.
    private let fallback: Instant

    /// - Parameters:
    ///   - listings: All that start at one instant; not empty.
    ///   - next: The next start of the station, which is later; `nil` where these are the last.
    init(from listings: ArraySlice<Listing>, before next: Instant?, policy: NormalisationPolicy) {
        let start = listings[listings.startIndex].start
        let cap = start.advanced(by: policy.longestAiringSeconds)
        // A next start beyond the cap gives a stop beyond it, which is cut like every other one (facts, rule 13).
        fallback = next ?? start.advanced(by: policy.assumedSeconds)
        guard listings.count > 1 else { return }
        for listing in listings {
            // What is absurdly long is no help to others.
            guard let stop = listing.usableStop, stop <= cap else { continue }
            earliest = min(earliest ?? stop, stop)
            if let count = listing.clump?.count {
                if earliestOfClump.count <= count {
                    earliestOfClump += Array(repeating: nil, count: count + 1 - earliestOfClump.count)
                }
                earliestOfClump[count] = min(earliestOfClump[count] ?? stop, stop)
            }
        }
    }

    /// The stop of one of the listings that has none; later than its start, unless that is the last instant of time.
    func stop(of listing: Listing) -> Instant {
        if let count = listing.clump?.count, count < earliestOfClump.count, let stop = earliestOfClump[count] {
            return stop
        }
        return earliest ?? fallback
    }
}
