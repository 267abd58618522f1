internal import EPGModel

extension NormalisedListings {
    /// The schedule of contenders that all have their place, and the report of it.
    ///
    /// - Complexity: O(n), and O(k log k) for k repairs.
    init(settling arrangement: Arrangement) {
        self.init(repairs: arrangement.repairs)
        airings.reserveCapacity(arrangement.timed.parts.count)
        var reached: Instant?
        var next: Contender?
        for position in arrangement.settled.indices.reversed() {
            let contender = arrangement.settled[position]
            next = position > 0 ? arrangement.settled[position - 1] : nil
            append(contender, of: arrangement, before: next)
            let isBelieved = !contender.isTooLong && arrangement.hasPublishedStop(contender)
            let end = isBelieved ? contender.shownEnd : contender.start.advanced(by: 1)
            reached = max(reached ?? end, end)
        }
        if let first = airings.first, let reached {
            coverage = TimeWindow(start: first.window.start, end: reached)
        }
        dropMarkers(of: arrangement)
        repairs.sort { $0.precedes($1) }
    }

    /// Adds a contender's parts to the airings, and what was done to them to the repairs.
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

    /// Reports the grouping markers, with the airings that they head.
    private mutating func dropMarkers(of arrangement: Arrangement) {
        // Both run from the last to the first.
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
