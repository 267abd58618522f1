package import EPGModel

/// A normalizer that turns one source's listings for one station into a schedule (Documentation/Rules.md).
///
/// The result doesn't depend on the order of the listings, and every difference between the published listings and the
/// schedule is a ``Repair``. It happens in three steps:
///
/// 1. `TimedListings` gives each listing a stop, merges duplicates, and joins the parts of clumps (rules 1 to 5, 14 and 20).
/// 2. `Arrangement` selects a schedule if the feed mixes two (``ScheduleSelection``), and places the listings without overlaps,
///    from the last to the first (rules 6, 13 and 17).
/// 3. ``NormalizedListings`` receives the airings and fills gaps with the rest of airings that were cut (rule 16).
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
    /// - Parameters:
    ///   - listings: All listings of the source for the station, in any order.
    ///   - names: The keys of titles that name no programme, but the station (``Listing/titleKey``); none by default.
    /// - Complexity: O(n log n), or O(n) if they are sorted by start.
    package func normalize(_ listings: consuming [Listing], stationNames names: Set<UInt32> = []) -> NormalizedListings
    {
        listings.sort { $0.start < $1.start }
        let timed = TimedListings(listings, stationNames: names, policy: policy)
        var arrangement = Arrangement(of: timed, policy: policy)
        arrangement.settle()
        return NormalizedListings(settling: arrangement)
    }
}

/// Limits on plausible times in a feed.
///
/// Values below 1 become 1. Other lengths above ``longestAiringSeconds`` become that.
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
    /// The maximum length of a listing for which there is evidence besides its times, such as a live broadcast that several
    /// listings agree on, and of one that stops on the next day (Rules.md, rules 3 and 6). The default is 12 hours.
    package let longestBroadcastSeconds: Int64

    /// The minimum length of a continuation (Rules.md, rule 16): 5 minutes.
    static let shortestContinuationSeconds: Int64 = 300

    /// The default values.
    package static let standard = NormalizationPolicy()

    package init(
        longestAiringSeconds: Int64 = 24 * 3600, assumedSeconds: Int64 = 3600,
        longestProgrammeSeconds: Int64 = 4 * 3600, longestBroadcastSeconds: Int64 = 12 * 3600
    ) {
        let longest = max(1, longestAiringSeconds)
        self.longestAiringSeconds = longest
        self.assumedSeconds = min(max(1, assumedSeconds), longest)
        self.longestProgrammeSeconds = min(max(1, longestProgrammeSeconds), longest)
        self.longestBroadcastSeconds = min(max(1, longestBroadcastSeconds), longest)
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
        /// The contenders that may continue, the last one of which began last.
        var suspended: [Suspended] = []
        // Both run from last to first.
        var outlasting = arrangement.outlasting[...]
        for position in arrangement.settled.indices.reversed() {
            let contender = arrangement.settled[position]
            let next = position > 0 ? arrangement.settled[position - 1] : nil
            append(contender, of: arrangement, before: next)
            let hasReliableEnd = !contender.isTooLong && arrangement.hasPublishedStop(contender)
            let end = hasReliableEnd ? contender.shownEnd : contender.start.advanced(by: 1)
            reached = max(reached ?? end, end)
            while let other = outlasting.last, other.contender.start <= contender.start {
                suspended.append(outlasting.removeLast())
            }
            if contender.shownEnd < contender.end, arrangement.canContinue(contender) {
                suspended.append(Suspended(contender: contender))
            }
            while let other = outlasting.last, next.map({ other.contender.start < $0.start }) ?? true {
                suspended.append(outlasting.removeLast())
            }
            if !suspended.isEmpty {
                let end = fillGap(
                    from: contender.shownEnd, to: next?.start, of: arrangement, after: contender, with: &suspended)
                if let end { reached = max(reached ?? end, end) }
            }
        }
        for last in suspended { dropUnlessShown(last, of: arrangement) }
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
                    window: window, clump: isShared ? part.clump : nil,
                    published: isAsPublished ? nil : listing.published, isStopInferred: part.origin != .published,
                    programme: listing.programme, transmission: listing.transmission))
            guard !isAsPublished else { continue }
            let keyword: Diagnostic.Keyword =
                switch part.origin {
                case .missing: .missingstop
                case .shared: .sharedstart
                case .zeroLength: .zerolength
                case .reversed, .afterMidnight: .badstop
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

    /// Continues suspended contenders in a gap, those that began last first (Rules.md, rule 16).
    ///
    /// - Parameters:
    ///   - end: The end of the gap; `nil` at the end of the schedule.
    ///   - previous: The contender before the gap.
    /// - Returns: The end of the last continuation; `nil` if there is none.
    /// - Complexity: Amortized O(1): each step fills the gap or removes a contender.
    private mutating func fillGap(
        from start: Instant, to end: Instant?, of arrangement: Arrangement, after previous: Contender,
        with suspended: inout [Suspended]
    ) -> Instant? {
        var reached = start
        while let outer = suspended.last?.contender, end.map({ reached < $0 }) ?? true {
            let stop = min(outer.end, end ?? outer.end)
            if stop <= reached || reached.seconds(to: stop) < NormalizationPolicy.shortestContinuationSeconds {
                if stop < outer.end { break }
                dropUnlessShown(suspended.removeLast(), of: arrangement)
                continue
            }
            suspended[suspended.count - 1].winner = nil
            let window = TimeWindow(start: reached, end: stop)
            let listing = arrangement.leader(of: outer)
            airings.append(
                ScheduledListing(
                    window: window, published: listing.published, programme: listing.programme,
                    transmission: listing.transmission))
            repairs.append(
                Repair(
                    keyword: .overlap, action: .continued, listing: listing, other: arrangement.leader(of: previous),
                    window: window))
            reached = stop
        }
        return reached > start ? reached : nil
    }

    /// Reports a contender that lost against another contender with the same start, if nothing of it is in the schedule.
    private mutating func dropUnlessShown(_ suspended: Suspended, of arrangement: Arrangement) {
        guard let winner = suspended.winner else { return }
        repairs.append(
            Repair(
                keyword: .overlap, action: .dropped, listing: arrangement.leader(of: suspended.contender),
                other: arrangement.leader(of: winner)))
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
    private let policy: NormalizationPolicy
    /// The contenders by start, then by end, without contenders of a second schedule.
    private var contenders: [Contender]
    /// The placed contenders, last one first.
    private(set) var settled: [Contender] = []
    /// The contenders that lost against one with the same start and end after it, the last start first, then by end.
    private(set) var outlasting: [Suspended] = []
    private(set) var repairs: [Repair]

    init(of timed: TimedListings, policy: NormalizationPolicy) {
        self.timed = timed
        self.policy = policy
        repairs = timed.repairs
        contenders = timed.contenders
        settled.reserveCapacity(timed.contenders.count)
    }

    /// Places or drops every contender.
    ///
    /// - Complexity: O(n).
    mutating func settle() {
        separateSchedules()
        var high = contenders.count
        while high > 0 {
            var low = high - 1
            while low > 0, contenders[low - 1].start == contenders[low].start { low -= 1 }
            place(low + 1 == high ? contenders[low] : winner(among: low..<high))
            high = low
        }
    }

    /// Removes the listings of a second schedule under the identifier of the station (Rules.md, rule 17).
    private mutating func separateSchedules() {
        let overlaps = zip(contenders, contenders.dropFirst()).count { $0.end > $1.start }
        guard overlaps >= ScheduleSelection.minimumConflicts / 2 else { return }
        let selection = ScheduleSelection(
            contenders.map { contender in
                let length = contender.start.seconds(to: contender.end)
                return ScheduleSelection.Candidate(
                    start: contender.start, end: contender.end,
                    isEligible: length <= policy.longestProgrammeSeconds && !contender.isNameless,
                    isReliable: hasPublishedStop(contender), richness: contender.richness, title: contender.titleKey,
                    line: leader(of: contender).line, otherLines: copies(of: contender))
            })
        guard let first = selection.rejected.first else { return }
        for (index, winner) in selection.rejected { drop(contenders[index], for: contenders[winner]) }
        repairs.append(
            Repair(
                keyword: .twoschedules, action: .kept, listing: leader(of: contenders[first.index]),
                other: leader(of: contenders[first.winner]),
                window: TimeWindow(
                    start: contenders[first.index].start,
                    end: selection.rejected.reduce(contenders[first.index].end) { max($0, contenders[$1.index].end) })))
        var isRejected = [Bool](repeating: false, count: contenders.count)
        for (index, _) in selection.rejected { isRejected[index] = true }
        contenders = contenders.indices.filter { !isRejected[$0] }.map { contenders[$0] }
    }

    /// Returns the listing that represents a contender in reports.
    func leader(of contender: Contender) -> Listing {
        timed.listings[timed.parts[contender.parts.lowerBound].index]
    }

    /// Returns the lines of the listings that were merged into a contender.
    private func copies(of contender: Contender) -> [UInt32] {
        contender.copies > 1 ? timed.parts[contender.parts.lowerBound].copyLines : []
    }

    /// Returns whether a contender may continue after an airing within it.
    func canContinue(_ contender: Contender) -> Bool {
        contender.parts.count == 1 && !contender.isTooLong
            && timed.parts[contender.parts.lowerBound].origin == .published
    }

    /// Returns whether the feed gave a usable stop for any part of a contender.
    func hasPublishedStop(_ contender: Contender) -> Bool {
        contender.parts.contains { timed.parts[$0].origin == .published }
    }

    /// Places a contender before all settled ones: it may displace the one within it, and the next start then trims it.
    private mutating func place(_ contender: Contender) {
        var placed = contender
        while let next = settled.last, outranks(placed, broken: next) {
            settled.removeLast()
            drop(next, for: placed)
        }
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

    /// Returns the winner among contenders that start at the same instant. Drops the others, except those that may continue
    /// after it (Rules.md, rule 16).
    private mutating func winner(among range: Range<Int>) -> Contender {
        var best = range.lowerBound
        for index in range.dropFirst() where beats(contenders[index], contenders[best]) { best = index }
        let winner = contenders[best]
        for index in range where index != best {
            let other = contenders[index]
            if other.end > winner.end, other.clumpCount == nil, canContinue(other) {
                outlasting.append(Suspended(contender: other, winner: winner))
            } else {
                drop(other, for: winner)
            }
        }
        return winner
    }

    /// Returns whether a contender wins against a contender that starts with it and ends no later.
    private func beats(_ outer: Contender, _ inner: Contender) -> Bool {
        if isBroken(outer) != isBroken(inner), !outer.isTooLong { return isBroken(inner) }
        if outer.end > inner.end { return displaces(outer, within: inner, following: settled.last) }
        if outer.isNameless != inner.isNameless { return inner.isNameless }
        if outer.richness != inner.richness { return outer.richness > inner.richness }
        return leader(of: outer).outranks(leader(of: inner))
    }

    /// Returns whether a contender displaces one within it.
    ///
    /// - Parameter following: The contender that starts next after the inner one.
    private func displaces(_ outer: Contender, within inner: Contender, following: Contender?) -> Bool {
        if outer.isTooLong { return false }
        if let following, following.start < outer.end, following.end <= outer.end { return false }
        if outer.isNameless, !inner.isNameless { return false }
        if outer.hasTitle(of: inner) { return !inner.isClearlyRicher(than: outer) }
        let length = outer.start.seconds(to: outer.end)
        if length > policy.longestProgrammeSeconds {
            // Placeholders are long, too, but usually nothing else speaks for them.
            let leavesGap = outer.start == inner.start && following.map { $0.start >= outer.end } ?? true
            guard length <= policy.longestBroadcastSeconds, leavesGap || outer.copies > 1 else { return false }
            if leavesGap { return !inner.isClearlyRicher(than: outer) }
        }
        // Only one of two that start together can be shown. But the start of an earlier one can be shown before a later
        // one, so it is displaced only if that would leave time after it without any information.
        if outer.start == inner.start {
            return inner.isNameless && !outer.isNameless || outer.richness >= inner.richness
        }
        return inner.end < outer.end && outer.isClearlyRicher(than: inner)
    }

    /// Returns whether a contender displaces the next one, which stops before it starts according to the feed: if the feed gives
    /// a plausible stop and the next one is within it or would cut off more than half of it (Rules.md, rule 6).
    private func outranks(_ contender: Contender, broken next: Contender) -> Bool {
        guard isBroken(next), timed.parts[contender.parts].allSatisfy({ $0.origin == .published }) else { return false }
        let length = contender.start.seconds(to: contender.end)
        return length <= policy.longestProgrammeSeconds
            && (next.end <= contender.end || 2 * next.start.seconds(to: contender.end) > length)
    }

    /// Returns whether all parts of a contender stop before they start according to the feed.
    private func isBroken(_ contender: Contender) -> Bool {
        timed.parts[contender.parts].allSatisfy { $0.origin == .reversed }
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
    /// The number of parts that the clump should have.
    var clumpCount: Int?
    /// The number of listings that agree on each part.
    var copies: Int
    /// Whether it is longer than the cap (Rules.md, rule 13).
    var isTooLong: Bool
    /// Whether no part has a title other than the name of the station (Rules.md, rule 6).
    var isNameless: Bool

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

/// A contender that continues in the next gap (Rules.md, rule 16).
private struct Suspended {
    let contender: Contender
    /// The contender with the same start that won against it; `nil` once a part of it is in the schedule.
    var winner: Contender?
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
    private let stationNames: Set<UInt32>
    /// Whether the feed rounded the starts down to hours (Rules.md, rule 20).
    private let hasRoundedStarts: Bool
    /// The latest stop of the listings so far.
    private var reached = Instant(secondsSince1970: .min)
    /// The earliest stop of each listing and those after it; empty if no listing stops before it starts.
    private var earliestStops: [Instant] = []

    /// The maximum number of programmes that share an hour because the feed rounded their starts: five minutes for each.
    private static let maximumRounded = 12

    /// - Parameters:
    ///   - listings: The listings by start.
    ///   - stationNames: The keys of titles that name the station.
    /// - Complexity: O(n), and O(k log k) for k listings that start at the same instant.
    init(_ listings: [Listing], stationNames: Set<UInt32>, policy: NormalizationPolicy) {
        self.listings = listings
        self.stationNames = stationNames
        self.policy = policy
        hasRoundedStarts = Self.hasRoundedStarts(listings)
        if listings.contains(where: { listing in listing.stop.map { $0 < listing.start } ?? false }) {
            earliestStops = Array(repeating: Instant(secondsSince1970: .max), count: listings.count + 1)
            for index in listings.indices.reversed() {
                let following = earliestStops[index + 1]
                earliestStops[index] = listings[index].usableStop.map { min($0, following) } ?? following
            }
        }
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

    /// Returns whether all starts are whole hours apart, and several programmes without a length start at six or more of them, and
    /// at a quarter or more (Rules.md, rule 20).
    private static func hasRoundedStarts(_ listings: [Listing]) -> Bool {
        guard let first = listings.first?.start.secondsSince1970,
            listings.allSatisfy({ ($0.start.secondsSince1970 &- first) % 3600 == 0 })
        else { return false }
        var (starts, shared, low) = (0, 0, 0)
        while low < listings.count {
            let high = listings[low...].firstIndex { $0.start != listings[low].start } ?? listings.count
            starts += 1
            if isRounded(listings[low..<high]) { shared += 1 }
            low = high
        }
        return shared >= ScheduleSelection.minimumConflicts && 4 * shared >= starts
    }

    /// Returns whether listings with one start are several programmes, of which only the last one may have a length.
    private static func isRounded(_ listings: ArraySlice<Listing>) -> Bool {
        guard (2...maximumRounded).contains(listings.count),
            listings.allSatisfy({ $0.titleKey != 0 && $0.clump == nil }),
            listings.count(where: { $0.usableStop == nil }) >= listings.count - 1
        else { return false }
        return Set(listings.map(\.titleKey)).count > 1
    }

    /// Adds the listings that start at one instant.
    private mutating func append(_ range: Range<Int>, before next: Instant?) {
        let (first, start) = (parts.count, listings[range.lowerBound].start)
        let isRounded = hasRoundedStarts && Self.isRounded(listings[range])
        let inference = StopInference(from: listings[range], before: next, policy: policy)
        let isCovered = reached > start || range.count > 1 && listings[range].contains { !$0.hasZeroLength }
        for index in range {
            let listing = listings[index]
            if listing.hasZeroLength, isCovered && !isRounded || listing.titleKey == 0 {
                markers.append(listing)
            } else if let stop = listing.usableStop {
                parts.append(TimedListing(index: index, end: stop, origin: .published, in: listings))
                if start.seconds(to: stop) <= policy.longestAiringSeconds { reached = max(reached, stop) }
            } else if start.secondsSince1970 == .max {
                repairs.append(Repair(keyword: .badstart, action: .dropped, listing: listing))
            } else if let stop = stopAfterMidnight(of: listing, before: range.upperBound) {
                parts.append(TimedListing(index: index, end: stop, origin: .afterMidnight, in: listings))
                reached = max(reached, stop)
            } else {
                let origin: TimedListing.StopOrigin =
                    listing.stop == nil ? .missing : listing.hasZeroLength ? .zeroLength : .reversed
                parts.append(
                    TimedListing(index: index, end: inference.stop(of: listing), origin: origin, in: listings))
            }
        }
        if parts.count - first > 1 {
            let listings = listings
            parts[first...].sort { $0.precedes($1, in: listings) }
            resolveDuplicates(from: first)
            resolveConflictsOfClumps(from: first)
            if isRounded || parts[first...].allSatisfy({ listings[$0.index].isRelease }) { share(from: first) }
        }
        join(from: first)
    }

    /// Makes a clump of all parts that start at one instant (Rules.md, rule 20): those without a length first, then in the order
    /// of the feed.
    private mutating func share(from first: Int) {
        let count = min(parts.count - first, Clump.maximumCount)
        guard count > 1, let end = parts[first...].map(\.end).max() else { return }
        parts[first...].sort { one, other in
            let hasLength = one.origin == .published
            let (listing, following) = (listings[one.index], listings[other.index])
            if !listing.isRelease, hasLength != (other.origin == .published) { return !hasLength }
            return listing.line == following.line ? listing.outranks(following) : listing.line < following.line
        }
        for (index, part) in parts.indices[first...].enumerated() {
            // More than the maximum compete with the clump.
            parts[part].clump = index < count ? Clump(index: index, count: count) : nil
            if parts[part].end < end { (parts[part].end, parts[part].origin) = (end, .shared) }
        }
        let leader = listings[parts[first].index]
        repairs.append(
            Repair(
                keyword: .sharedstart, action: .kept, listing: leader, other: listings[parts[first + 1].index],
                window: TimeWindow(start: leader.start, end: end)))
    }

    /// Returns the stop of a listing that stops before it starts, if the feed omitted that midnight is in between (Rules.md,
    /// rule 3): a day later, if that gives a plausible length and no later listing is within it.
    ///
    /// - Parameter following: The index of the first listing that starts later.
    private func stopAfterMidnight(of listing: Listing, before following: Int) -> Instant? {
        guard let stop = listing.stop, stop < listing.start else { return nil }
        let later = stop.advanced(by: 24 * 3600)
        let length = listing.start.seconds(to: later)
        return (1...policy.longestBroadcastSeconds).contains(length) && earliestStops[following] > later ? later : nil
    }

    /// Merges listings with the same window, title, and position in a clump, except different episodes: those become the parts of
    /// a clump (Rules.md, rules 4 and 14).
    private mutating func resolveDuplicates(from first: Int) {
        var (kept, low) = (first, first)
        while low < parts.count {
            var high = low + 1
            while high < parts.count, parts[low].isAlike(parts[high]),
                listings[parts[low].index].titleKey == listings[parts[high].index].titleKey
            {
                high += 1
            }
            let episodes = high - low == 1 ? [parts[low]] : distinctEpisodes(low..<high)
            if episodes.count > 1 {
                repairs.append(
                    Repair(
                        keyword: .doublebill, action: .kept, listing: listings[episodes[0].index],
                        other: listings[episodes[1].index],
                        window: TimeWindow(start: listings[episodes[0].index].start, end: episodes[0].end)))
            }
            parts.replaceSubrange(kept..<kept + episodes.count, with: episodes)
            kept += episodes.count
            low = high
        }
        parts.removeLast(parts.count - kept)
    }

    /// Returns the best part of each episode, in the order of the episodes, and reports the others as merged.
    private mutating func distinctEpisodes(_ range: Range<Int>) -> [TimedListing] {
        var episodes: [(best: TimedListing, others: [TimedListing])] = []
        for part in parts[range].sorted(by: { listings[$0.index].precedesAsEpisode(listings[$1.index]) }) {
            let isInClump = part.clump != nil || episodes.count == Clump.maximumCount
            let same = episodes.firstIndex { episode in
                isInClump || !listings[part.index].episodeKey.isOther(than: listings[episode.best.index].episodeKey)
            }
            if let same {
                if listings[part.index].outranks(listings[episodes[same].best.index]) {
                    episodes[same].others.append(episodes[same].best)
                    episodes[same].best = part
                } else {
                    episodes[same].others.append(part)
                }
            } else {
                episodes.append((part, []))
            }
        }
        for (best, others) in episodes {
            for other in others {
                repairs.append(
                    Repair(
                        keyword: .duplicate, action: .merged, listing: listings[other.index],
                        other: listings[best.index]))
            }
        }
        return episodes.enumerated().map { index, episode in
            var best = episode.best
            best.copyLines = episode.others.map { listings[$0.index].line }
            if episodes.count > 1 { best.clump = Clump(index: index, count: episodes.count) }
            return best
        }
    }

    /// Keeps the best of several parts with the same position in a clump (Rules.md, rule 5).
    private mutating func resolveConflictsOfClumps(from first: Int) {
        var (kept, low) = (first, first)
        while low < parts.count {
            var (high, best) = (low + 1, low)
            while high < parts.count, listings[parts[low].index].clump != nil,
                listings[parts[high].index].clump != nil, parts[low].isAlike(parts[high])
            {
                if listings[parts[high].index].outranks(listings[parts[best].index]) { best = high }
                high += 1
            }
            let winner = parts[best]
            for index in low..<high where index != best {
                repairs.append(
                    Repair(
                        keyword: .badclump, action: .dropped, listing: listings[parts[index].index],
                        other: listings[winner.index]))
            }
            parts[kept] = winner
            kept += 1
            low = high
        }
        parts.removeLast(parts.count - kept)
    }

    /// Creates contenders from the parts that start at one instant: one for each clump, and one for each other part.
    private mutating func join(from first: Int) {
        var low = first
        while low < parts.count {
            let (index, end) = (parts[low].index, parts[low].end)
            let count = parts[low].clump?.count
            var (high, richness) = (low + 1, Int(listings[index].richness))
            while let clump = parts[high - 1].clump, high < parts.count, parts[high].end == end,
                let next = parts[high].clump, next.count == clump.count, next.index > clump.index
            {
                richness += Int(listings[parts[high].index].richness)
                high += 1
            }
            let start = listings[index].start
            contenders.append(
                Contender(
                    parts: low..<high, start: start, end: end, shownEnd: end, richness: richness,
                    titleKey: high - low == 1 ? listings[index].titleKey : nil, clumpCount: count,
                    copies: 1 + (parts[low..<high].map(\.copyLines.count).min() ?? 0),
                    isTooLong: start.seconds(to: end) > policy.longestAiringSeconds,
                    isNameless: parts[low..<high].allSatisfy { isNameless(listings[$0.index]) }))
            low = high
        }
    }

    private func isNameless(_ listing: Listing) -> Bool {
        listing.titleKey == 0 || stationNames.contains(listing.titleKey)
    }
}

/// A listing and its published or inferred stop.
private struct TimedListing {
    enum StopOrigin {
        case published
        /// No stop was published (Rules.md, rule 1).
        case missing
        /// The published stop is the start, and no other listing covers that instant (Rules.md, rule 2).
        case zeroLength
        /// The published stop is before the start, because midnight is in between (Rules.md, rule 3).
        case afterMidnight
        /// The published stop is before the start (Rules.md, rule 3).
        case reversed
        /// Other listings that share the time stop later (Rules.md, rule 20).
        case shared
    }

    /// The index of the listing.
    var index: Int
    /// The stop, after the start.
    var end: Instant
    var origin: StopOrigin
    /// The position in a clump of the feed or a double bill.
    var clump: Clump?
    /// The lines of the listings that were merged into it.
    var copyLines: [UInt32] = []

    init(index: Int, end: Instant, origin: StopOrigin, in listings: [Listing]) {
        self.index = index
        self.end = end
        self.origin = origin
        clump = listings[index].clump
    }

    /// Returns whether both have the same window, and the same position in a clump or none.
    func isAlike(_ other: TimedListing) -> Bool {
        end == other.end && clump == other.clump
    }

    /// Orders related listings next to each other: by end, clump, and title, and then the better one first.
    func precedes(_ other: TimedListing, in listings: [Listing]) -> Bool {
        if end != other.end { return end < other.end }
        if clump != other.clump { return Listing.precedes(clump, other.clump) }
        let (first, second) = (listings[index], listings[other.index])
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

    /// Whether its stop equals its start (Rules.md, rule 2).
    fileprivate var hasZeroLength: Bool { stop == start }

    /// Orders by the number of the episode, those with a number first, then those with a subtitle, then the better one first.
    fileprivate func precedesAsEpisode(_ other: Listing) -> Bool {
        let (first, second) = (episodeKey, other.episodeKey)
        if first.number != second.number {
            return second.number == 0 || first.number != 0 && first.number < second.number
        }
        if first.subtitle != second.subtitle {
            return second.subtitle == 0 || first.subtitle != 0 && first.subtitle < second.subtitle
        }
        return outranks(other)
    }

    /// Returns whether it wins against a listing that starts at the same instant: the richer listing wins, then the listing that
    /// has a stop, then the one with the smaller ``contentKey``.
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
        if episodeKey != other.episodeKey { return episodeKey.rawValue < other.episodeKey.rawValue }
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
