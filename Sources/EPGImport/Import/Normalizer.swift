package import EPGModel

/// A normalizer that turns one source's listings for one station into a schedule (Documentation/Rules.md).
///
/// The result doesn't depend on the order of the listings, and every difference between the published listings and the
/// schedule is a ``Repair``.
///
/// 1. *Missing stop*: the earliest stop of listings that start at the same instant (of the same clump first), else the
///    next start, else the start plus ``NormalizationPolicy/assumedSeconds``. It is never beyond the cap of rule 13,
///    even if the next start is. `tv_sort` of the XMLTV project does the same, but leaves the last listing without a
///    stop.
/// 2. *Zero length*: a grouping marker, dropped in favor of the next airing. It still indicates that something starts
///    then, so it ends a preceding airing without a stop.
/// 3. *Stop before start*: treated as a missing stop.
/// 4. *Duplicates*: same start, stop, titles, and position in a clump. The richer one is kept.
/// 5. *Clumps*: parts with the same window and count share it. Of two parts with the same index, the richer one is
///    kept. A single remaining part gets the complete window.
/// 6. *Overlaps* within one source:
///    * The later start trims the earlier airing, even a richer one: 20:00–21:05 before 21:00 becomes 20:00–21:00. The
///      part after the later one's stop becomes a gap.
///    * A listing completely within another is dropped if the outer one is *clearly richer* (twice) and continues after
///      it, or has the same title and is not clearly poorer.
///    * Of listings that start at the same instant, one is kept: the richer one, then the longer one.
///    * A *placeholder* never displaces a listing within it. It is longer than the cap, or contains two others, or is
///      longer than ``NormalizationPolicy/longestProgrammeSeconds`` and has a different title.
/// 13. *Longer than the cap*: flagged, trimmed at the next start or the cap, and excluded from
///     ``NormalizedListings/coverage`` except for its first second.
///
/// Rules 7 to 12 don't concern the normalizer. ``Schedule/segments(in:)`` finds gaps. A listing at the last
/// representable instant, which leaves no room for a second, is dropped as `badstart`.
package struct Normalizer: Sendable {
    /// The limits on plausible times.
    package let policy: NormalizationPolicy

    /// Creates a normalizer.
    package init(_ policy: NormalizationPolicy = .standard) {
        self.policy = policy
    }

    /// Returns the schedule of a station.
    ///
    /// - Parameter listings: All listings of the source for the station, in any order.
    /// - Complexity: O(n log n), or O(n) if they are sorted by start.
    package func normalize(_ listings: consuming [Listing]) -> NormalizedListings {
        listings.sort { $0.start < $1.start }
        let timed = TimedListings(listings, policy: policy)
        var arrangement = Arrangement(of: timed, policy: policy)
        arrangement.settle()
        return NormalizedListings(settling: arrangement)
    }
}

/// Limits on plausible times in a feed.
///
/// Values below 1 become 1. Assumed and programme lengths above ``longestAiringSeconds`` become that.
package struct NormalizationPolicy: Hashable, Sendable {
    /// The maximum plausible length of an airing. Longer ones are flagged and trimmed (Rules.md, rule 13). The default
    /// is 24 hours.
    package let longestAiringSeconds: Int64
    /// The assumed length of a station's last airing if the feed gives no stop (Rules.md, rule 1). The default is 1
    /// hour, twice the median of real guides: hiding part of a gap is better than cutting the last movie short.
    package let assumedSeconds: Int64
    /// The length above which a listing is a placeholder ("to be announced", "night rerun") that never displaces
    /// another title within it (Rules.md, rule 6). The default is 4 hours, longer than the longest movies. In real
    /// guides, all listings above it that contain others are placeholders.
    package let longestProgrammeSeconds: Int64

    /// The default values.
    package static let standard = NormalizationPolicy()

    package init(
        longestAiringSeconds: Int64 = 24 * 3600, assumedSeconds: Int64 = 3600, longestProgrammeSeconds: Int64 = 4 * 3600
    ) {
        let longest = max(1, longestAiringSeconds)
        self.longestAiringSeconds = longest
        self.assumedSeconds = min(max(1, assumedSeconds), longest)
        self.longestProgrammeSeconds = min(max(1, longestProgrammeSeconds), longest)
    }
}

extension NormalizedListings {
    /// Creates the schedule and the report of an arrangement whose contenders are all settled.
    ///
    /// - Complexity: O(n), and O(k log k) for k repairs.
    fileprivate init(settling arrangement: Arrangement) {
        self.init(repairs: arrangement.repairs)
        airings.reserveCapacity(arrangement.timed.parts.count)
        var reached: Instant?
        var next: Contender?
        for position in arrangement.settled.indices.reversed() {
            let contender = arrangement.settled[position]
            next = position > 0 ? arrangement.settled[position - 1] : nil
            append(contender, of: arrangement, before: next)
            let hasReliableEnd = !contender.isTooLong && arrangement.hasPublishedStop(contender)
            let end = hasReliableEnd ? contender.shownEnd : contender.start.advanced(by: 1)
            reached = max(reached ?? end, end)
        }
        if let first = airings.first, let reached {
            coverage = TimeWindow(start: first.window.start, end: reached)
        }
        dropMarkers(of: arrangement)
        repairs.sort { $0.precedes($1) }
    }

    /// Adds a contender's parts to the airings, and the changes to the repairs.
    private mutating func append(_ contender: Contender, of arrangement: Arrangement, before next: Contender?) {
        let window = TimeWindow(start: contender.start, end: contender.shownEnd)
        let isShared = contender.parts.count > 1
        for index in contender.parts {
            let part = arrangement.timed.parts[index]
            let listing = arrangement.timed.listings[part.index]
            let isAsPublished = part.origin == .published && contender.shownEnd == part.end
            airings.append(
                ScheduledListing(
                    window: window, clump: isShared ? listing.clump : nil,
                    published: isAsPublished ? nil : listing.published, isStopInferred: part.origin != .published,
                    programme: listing.programme, transmission: listing.transmission))
            guard !isAsPublished else { continue }
            let keyword: Diagnostic.Keyword =
                switch part.origin {
                case .missing: .missingstop
                case .reversed: .badstop
                case .published: contender.isTooLong ? .toolong : .overlap
                }
            let trimmer = contender.shownEnd == next?.start ? next.map(arrangement.leader) : nil
            repairs.append(
                Repair(
                    keyword: keyword, action: part.origin == .published ? .trimmedStop : .inferredStop,
                    listing: listing, other: trimmer, window: window))
        }
        if contender.isIncomplete {
            repairs.append(
                Repair(
                    keyword: .badclump, action: .kept, listing: arrangement.leader(of: contender), window: window))
        }
    }

    /// Reports the grouping markers, each with the next airing.
    private mutating func dropMarkers(of arrangement: Arrangement) {
        // Both run from last to first.
        var heading = arrangement.settled.startIndex
        for marker in arrangement.timed.markers.reversed() {
            while heading < arrangement.settled.endIndex, arrangement.settled[heading].start >= marker.start {
                heading += 1
            }
            let headed = heading > 0 ? arrangement.leader(of: arrangement.settled[heading - 1]) : nil
            repairs.append(Repair(keyword: .zerolength, action: .dropped, listing: marker, other: headed))
        }
    }
}

/// The arrangement of a station's contenders in a schedule without overlaps (Rules.md, rules 6 and 13).
///
/// Contenders are placed from last to first, so that everything after a contender is settled when it is placed.
private struct Arrangement {
    let timed: TimedListings
    /// The placed contenders, last one first.
    private(set) var settled: [Contender] = []
    private(set) var repairs: [Repair]
    private let policy: NormalizationPolicy

    init(of timed: TimedListings, policy: NormalizationPolicy) {
        self.timed = timed
        self.policy = policy
        repairs = timed.repairs
        settled.reserveCapacity(timed.contenders.count)
    }

    /// Places or drops every contender.
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

    /// Returns the listing that represents a contender in reports.
    func leader(of contender: Contender) -> Listing {
        timed.listings[timed.parts[contender.parts.lowerBound].index]
    }

    /// Returns whether the feed gave a usable stop for any part of a contender.
    func hasPublishedStop(_ contender: Contender) -> Bool {
        contender.parts.contains { timed.parts[$0].origin == .published }
    }

    /// Places a contender before all settled ones: it may displace the one within it, and the next start then trims it.
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

    /// Returns the winner among contenders that start at the same instant, and drops the others.
    private mutating func winner(among range: Range<Int>) -> Contender {
        var best = range.lowerBound
        for index in range.dropFirst() where beats(timed.contenders[index], timed.contenders[best]) { best = index }
        let winner = timed.contenders[best]
        for index in range where index != best { drop(timed.contenders[index], for: winner) }
        return winner
    }

    /// Returns whether a contender wins against another one that starts with it and ends no later.
    private func beats(_ outer: Contender, _ inner: Contender) -> Bool {
        if outer.end > inner.end { return displaces(outer, within: inner, following: settled.last) }
        if outer.richness != inner.richness { return outer.richness > inner.richness }
        return leader(of: outer).outranks(leader(of: inner))
    }

    /// Returns whether a contender displaces one within it.
    ///
    /// - Parameter following: The contender that starts next after the inner one.
    private func displaces(_ outer: Contender, within inner: Contender, following: Contender?) -> Bool {
        if outer.isTooLong { return false }
        if let following, following.start < outer.end, following.end <= outer.end { return false }
        if outer.hasTitle(of: inner) { return !inner.isClearlyRicher(than: outer) }
        if outer.start.seconds(to: outer.end) > policy.longestProgrammeSeconds { return false }
        // Only one of two that start together can be shown. But the start of an earlier one can be shown before a later
        // one, so it is displaced only if that would leave time after it without any information.
        if outer.start == inner.start { return outer.richness >= inner.richness }
        return inner.end < outer.end && outer.isClearlyRicher(than: inner)
    }

    private mutating func drop(_ contender: Contender, for other: Contender) {
        // Parts of one clump that disagree on the window conflict with each other.
        let isSameClump = contender.clumpCount != nil && contender.clumpCount == other.clumpCount
        for part in timed.parts[contender.parts] {
            repairs.append(
                Repair(
                    keyword: isSameClump ? .badclump : .overlap, action: .dropped, listing: timed.listings[part.index],
                    other: leader(of: other)))
        }
    }
}

/// A claim to a window of a schedule: one listing, or the parts of a clump.
private struct Contender {
    /// The indices of its timed listings; never empty.
    var parts: Range<Int>
    var start: Instant
    /// The published or inferred end, after the start.
    var end: Instant
    /// The end in the schedule: its own end, the next start, or the cap, whichever is first.
    var shownEnd: Instant
    /// The sum of all parts.
    var richness: Int
    /// The title; `nil` if there are several parts.
    var titleKey: UInt32?
    /// The number of parts that the clump should have, as published.
    var clumpCount: Int?
    /// Whether it is longer than the cap (Rules.md, rule 13).
    var isTooLong: Bool

    /// Whether parts of its clump are missing (Rules.md, rule 5).
    var isIncomplete: Bool { clumpCount.map { $0 != parts.count } ?? false }

    /// Returns whether it is at least twice as rich.
    func isClearlyRicher(than other: Contender) -> Bool {
        richness > other.richness && richness / 2 >= other.richness
    }

    /// Returns whether both are single listings with the same title.
    func hasTitle(of other: Contender) -> Bool {
        titleKey != nil && titleKey == other.titleKey
    }
}

/// The listings of a station with a stop for each, without duplicates and grouped into clumps (Rules.md, rules 1 to 5).
private struct TimedListings {
    /// The listings by start.
    let listings: [Listing]
    /// The parts, grouped by contender and in clump order.
    private(set) var parts: [TimedListing] = []
    /// The contenders by start, then by end. Those with the same start still compete.
    private(set) var contenders: [Contender] = []
    /// The grouping markers by start.
    private(set) var markers: [Listing] = []
    private(set) var repairs: [Repair] = []
    private let policy: NormalizationPolicy

    /// - Parameter listings: The listings by start.
    /// - Complexity: O(n), and O(k log k) for k listings that start at the same instant.
    init(_ listings: [Listing], policy: NormalizationPolicy) {
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

    /// Adds the listings that start at one instant.
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
            resolveDuplicates(from: first, reporting: .duplicate, .merged) {
                $0.isAlike($1, in: listings) && listings[$0.index].titleKey == listings[$1.index].titleKey
            }
            resolveDuplicates(from: first, reporting: .badclump, .dropped) {
                $0.isAlike($1, in: listings) && listings[$0.index].clump != nil
            }
        }
        join(from: first)
    }

    /// Keeps the best one of each run of related parts, and reports the others.
    private mutating func resolveDuplicates(
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
            let winner = parts[best]
            for index in low..<high where index != best {
                repairs.append(
                    Repair(
                        keyword: keyword, action: action, listing: listings[parts[index].index],
                        other: listings[winner.index]))
            }
            parts[kept] = winner
            kept += 1
            low = high
        }
        parts.removeLast(parts.count - kept)
    }

    // MARK: - Clumps

    /// Creates contenders from the parts that start at one instant: one for each clump, and one for each other part.
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

/// A listing and its published or inferred stop.
private struct TimedListing {
    enum StopOrigin {
        case published
        /// No stop was published (Rules.md, rule 1).
        case missing
        /// The published stop is before the start (Rules.md, rule 3).
        case reversed
    }

    /// The index of the listing.
    var index: Int
    /// The stop, after the start.
    var end: Instant
    var origin: StopOrigin

    /// Returns whether both have the same window, and the same position in a clump or none.
    func isAlike(_ other: TimedListing, in listings: [Listing]) -> Bool {
        end == other.end && listings[index].clump == listings[other.index].clump
    }

    /// Orders related listings next to each other: by end, clump, and title, and then the better one first.
    func precedes(_ other: TimedListing, in listings: [Listing]) -> Bool {
        if end != other.end { return end < other.end }
        let (first, second) = (listings[index], listings[other.index])
        if first.clump != second.clump { return Listing.precedes(first.clump, second.clump) }
        if first.titleKey != second.titleKey { return first.titleKey < second.titleKey }
        return first.outranks(second)
    }
}

/// The inferred stop for listings that start at one instant and have no usable one (Rules.md, rules 1, 3, and 5).
private struct StopInference {
    /// The earliest stop of the listings.
    private var earliest: Instant?
    /// The earliest stop of a clump's parts, indexed by the clump's count; empty if there is none.
    private var earliestOfClump: [Instant?] = []
    /// The stop if no listing provides one.
    private let fallback: Instant

    /// - Parameters:
    ///   - listings: All listings that start at one instant; not empty.
    ///   - next: The next start of the station, which is later; `nil` if these are the last listings.
    init(from listings: ArraySlice<Listing>, before next: Instant?, policy: NormalizationPolicy) {
        let start = listings[listings.startIndex].start
        let cap = start.advanced(by: policy.longestAiringSeconds)
        // A next start beyond the cap gives a stop beyond it, which is trimmed like any other (Rules.md, rule 13).
        fallback = next ?? start.advanced(by: policy.assumedSeconds)
        guard listings.count > 1 else { return }
        for listing in listings {
            // Ignore an implausibly long listing.
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

    /// Returns the stop of a listing that has none. It is after the start, unless that is the last representable
    /// instant.
    func stop(of listing: Listing) -> Instant {
        if let count = listing.clump?.count, count < earliestOfClump.count, let stop = earliestOfClump[count] {
            return stop
        }
        return earliest ?? fallback
    }
}

extension Listing {
    /// The stop if it is after the start (Rules.md, rules 2 and 3).
    fileprivate var usableStop: Instant? {
        guard let stop, stop > start else { return nil }
        return stop
    }

    /// Whether it is a heading rather than an airing: its stop equals its start (Rules.md, rule 2).
    fileprivate var isGroupingMarker: Bool { stop == start }

    /// Returns whether it wins against a listing that starts at the same instant: the richer one, then the one that has
    /// a stop, then the one with the smaller ``contentKey``.
    ///
    /// This is a strict order over all fields, so that the input order doesn't matter. The line comes last: it decides
    /// only between listings that are otherwise equal, and thus only which line a report names.
    fileprivate func outranks(_ other: Listing) -> Bool {
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

    /// Orders by count, then by index, with `nil` first.
    fileprivate static func precedes(_ first: Clump?, _ second: Clump?) -> Bool {
        (first?.count ?? 0, first?.index ?? 0) < (second?.count ?? 0, second?.index ?? 0)
    }

    /// Orders with `nil` last.
    private static func precedes(_ first: Instant?, _ second: Instant?) -> Bool {
        guard let first, let second else { return first != nil }
        return first < second
    }
}

extension Repair {
    /// Orders by start, then by listing, then by action.
    fileprivate func precedes(_ other: Repair) -> Bool {
        if listing.start != other.listing.start { return listing.start < other.listing.start }
        if listing != other.listing { return listing.outranks(other.listing) }
        if keyword != other.keyword { return keyword.rawValue < other.keyword.rawValue }
        return action.rawValue < other.action.rawValue
    }
}
