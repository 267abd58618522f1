/// The rows of one source that an import reads and writes: its airings, and its coverage of stations.
///
/// Stations are the numbers of a store, and times are seconds since 1970.
package protocol ScheduleTable: SendableMetatype {
    /// Returns the coverage of a station; `nil` if the source does not cover it.
    func coverage(of station: Int64) throws -> StoredCoverage?

    /// Returns the first start of an airing in a half-open range.
    func firstStart(of station: Int64, from start: Int64, before end: Int64) throws -> Int64?

    /// Returns the airings that start before `end` and stop after `start`, latest first.
    func airings(of station: Int64, stoppingAfter start: Int64, startingBefore end: Int64) throws -> [StoredAiring]

    /// Returns whether the source has an airing of a station.
    func hasAirings(of station: Int64) throws -> Bool

    /// Deletes airings by their start and part.
    func delete(_ airings: [StoredAiring], of station: Int64) throws

    /// Updates airings that keep their start, part and identifier.
    func update(_ airings: [StoredAiring], of station: Int64) throws

    func insert(_ airings: [StoredAiring], of station: Int64) throws

    /// Extends the coverage of a station to a range, and stores the hash of its listings.
    func extendCoverage(of station: Int64, from start: Int64, to stop: Int64, hash: ContentHash) throws

    /// Returns the number of airings of each station of the source that the import does not contain and the safeguard compares.
    /// Only airings that stop after `start` and start before `stop` count.
    func airingCounts(
        from start: Int64, to stop: Int64, where isCompared: (_ key: Int64, _ station: StationID) -> Bool
    ) throws -> [Int]

    /// Writes buffered rows.
    func flush() throws
}

extension ScheduleTable {
    /// Does nothing, because a table writes its rows at once unless it implements this method.
    package func flush() throws {}
}

/// The range for which a source covers a station, and the hash of the listings of the last import.
package struct StoredCoverage: Hashable, Sendable {
    /// The start of the range in seconds since 1970.
    package var start: Int64
    /// The end of the range in seconds since 1970.
    package var stop: Int64
    /// `nil` after airings were pruned.
    package var hash: ContentHash?

    /// Creates the coverage that a store has read, or will write.
    package init(start: Int64, stop: Int64, hash: ContentHash?) {
        self.start = start
        self.stop = stop
        self.hash = hash
    }
}

/// A writer of the schedules of an import, which writes only differences to the stored schedules.
package final class ScheduleWriter<Table: ScheduleTable> {
    package let table: Table
    private let hasher: ContentHasher
    package private(set) var nextAiring: Int64
    // Each airing counts in exactly one of these.
    package private(set) var inserted = 0
    package private(set) var changed = 0
    package private(set) var moved = 0
    package private(set) var removed = 0
    package private(set) var unchanged = 0
    /// Programmes that lost an airing and may be unused.
    package private(set) var released: Set<Int64> = []
    /// The stations whose coverage changed.
    package private(set) var touched: [Int64] = []
    /// The changes for the change log.
    package private(set) var changes = ChangeCollector()
    /// The ranges with changed listings by the number of the station.
    package private(set) var changedRanges: [Int64: ChangedRanges] = [:]
    /// The comparison for the safeguard; `nil` without one.
    private var comparison: ListingsComparison?
    private let now: Int64

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - nextAiring: The identifier of the next new airing.
    ///   - contentKey: The key of hashes of this store.
    ///   - safeguard: The condition that ``checkListings(_:)`` checks; `nil` for none.
    ///   - now: Airings that stop later count for the safeguard. Earlier ones stay unless a new airing overlaps them.
    package init(
        _ table: Table, nextAiring: Int64, contentKey: ContentHash, safeguard: ImportSafeguard?, now: Instant
    ) {
        self.table = table
        self.nextAiring = nextAiring
        hasher = ContentHasher(key: contentKey)
        comparison = safeguard.map { ListingsComparison($0, from: now) }
        self.now = now.secondsSince1970
    }

    /// Marks programmes as possibly unused.
    package func release(_ programmes: [Int64]) { released.formUnion(programmes) }

    /// Replaces the stored airings of a station within the coverage of new listings.
    ///
    /// Airings before and after the coverage stay, and airings that are over and overlap no new one, because feeds stop listing the
    /// past. An earlier airing that extends into the coverage is trimmed, and so is the
    /// last new one if it extends into later airings (its stop was inferred or is implausible). Both keep the published times,
    /// which are the only record of the trimming.
    package func replace(station: Int64, with listings: NormalizedListings) throws {
        guard var plan = try plan(listings, station: station) else { return }
        try apply(&plan, to: station)
    }

    /// Checks the safeguard.
    ///
    /// - Throws: ``RefusedImport``.
    package func checkListings(_ report: ImportReport) throws { try comparison?.check(report, in: table) }

    /// The changes to write, and the resulting coverage.
    private struct Plan {
        var difference: ScheduleDifference
        let start: Int64
        let stop: Int64
        /// Whether the source has no airing of the station yet.
        var isFirst = false
        let hash: ContentHash
        /// Whether the source already covers the range.
        let isCovered: Bool
        /// Whether these are the listings of the source's last import.
        let isKnown: Bool
        /// The coverage before the import; `nil` if there was none.
        let former: StoredCoverage?
    }

    private func plan(_ listings: NormalizedListings, station: Int64) throws -> Plan? {
        guard let first = listings.airings.first, let last = listings.airings.last, let coverage = listings.coverage
        else { return nil }
        let start = min(coverage.start, first.window.start).secondsSince1970
        let stop = coverage.end.secondsSince1970
        let end = max(stop, last.window.start.secondsSince1970 + 1)
        var new = listings.airings.map { StoredAiring($0) }
        let hash = hash(of: new, start, stop)
        let covered = try table.coverage(of: station)
        var plan = Plan(
            difference: ScheduleDifference(unchanged: new.count), start: start, stop: max(stop, start + 1), hash: hash,
            isCovered: covered.map { $0.start <= start && $0.stop >= stop } ?? false, isKnown: covered?.hash == hash,
            former: covered)
        // The airings of equal listings are still stored.
        if plan.isKnown {
            comparison?.record(new, inPlaceOf: new, of: station, from: start, to: stop)
            return plan
        }
        // Every airing belongs to a station that its source covers.
        guard covered != nil else {
            comparison?.record(new, inPlaceOf: [], of: station, from: start, to: stop)
            plan.difference = ScheduleDifference(from: [], to: new)
            plan.isFirst = true
            return plan
        }
        // The first airing after the coverage, if the last new airing extends to it.
        let successor = try table.firstStart(of: station, from: end, before: last.window.end.secondsSince1970)
        if let successor {
            for index in new.indices.reversed() {
                guard new[index].stop > successor else { break }
                new[index].trim(at: successor)
            }
        }
        // Those before the start are several if they are a clump.
        let stored = try table.airings(of: station, stoppingAfter: start, startingBefore: end)
        let count = stored.firstIndex { $0.start < start } ?? stored.count
        let (old, predecessors) = (Array(stored[..<count].reversed()), stored[count...])
        comparison?.record(new, inPlaceOf: old, of: station, from: start, to: stop)
        plan.difference = ScheduleDifference(from: old, to: new, keepingUntil: now)
        for predecessor in predecessors {
            var cut = predecessor
            cut.trim(at: start)
            plan.difference.changed.append((predecessor, cut))
        }
        plan.isFirst = try stored.isEmpty && !table.hasAirings(of: station)
        return plan
    }

    /// Returns a hash of new airings. Measured: for an unchanged guide, it takes a tenth of the time of comparing all stored
    /// airings, which would be a quarter of the import.
    private func hash(of airings: [StoredAiring], _ start: Int64, _ stop: Int64) -> ContentHash {
        var numbers = [start, stop]
        numbers.reserveCapacity(2 + airings.count * 9)
        for airing in airings {
            // Append one by one to avoid an array allocation per airing.
            numbers.append(airing.start)
            numbers.append(airing.part)
            numbers.append(airing.parts)
            numbers.append(airing.stop)
            numbers.append(airing.programme)
            numbers.append(airing.inferred)
            numbers.append(airing.transmission ?? -1)
            numbers.append(airing.publishedStart ?? .min)
            numbers.append(airing.publishedStop ?? .min)
        }
        return unsafe numbers.withUnsafeBytes { unsafe hasher.hash($0.bindMemory(to: UInt8.self).span) }
    }

    private func apply(_ plan: inout Plan, to station: Int64) throws {
        let shifted = plan.difference.shifted
        let deleted = plan.difference.removed + shifted.map(\.old)
        try table.delete(deleted, of: station)
        released.formUnion(deleted.lazy.map(\.programme))
        released.formUnion(deleted.lazy.compactMap(\.completed))
        try table.update(plan.difference.changed.map(\.new), of: station)
        for change in plan.difference.changed where change.old.programme != change.new.programme {
            released.insert(change.old.programme)
            if let completed = change.old.completed { released.insert(completed) }
        }
        for index in plan.difference.inserted.indices {
            plan.difference.inserted[index].id = nextAiring
            nextAiring += 1
        }
        try table.insert(plan.difference.inserted, of: station)
        try table.insert(shifted.map(\.new), of: station)
        let rearranged = shifted.count { $0.old.start == $0.new.start }
        removed += plan.difference.removed.count
        changed += plan.difference.changed.count + rearranged
        moved += shifted.count - rearranged
        inserted += plan.difference.inserted.count
        unchanged += plan.difference.unchanged
        // Either no source has any, or others have and share the station.
        if plan.isFirst { changes.setWhole(station) } else { changes.add(plan.difference, of: station) }
        guard !plan.isKnown else { return }
        noteRanges(of: plan, station)
        try table.extendCoverage(of: station, from: plan.start, to: plan.stop, hash: plan.hash)
        if !plan.isCovered { touched.append(station) }
    }

    /// Notes where the listings of a station, or the coverage, changed.
    private func noteRanges(of plan: Plan, _ station: Int64) {
        var ranges = changedRanges[station] ?? ChangedRanges(formerStop: plan.former?.stop)
        let (difference, former) = (plan.difference, plan.former)
        for airing in difference.removed + difference.inserted { ranges.add(airing.start, airing.stop) }
        for change in difference.changed + difference.shifted {
            ranges.add(change.old.start, change.old.stop)
            ranges.add(change.new.start, change.new.stop)
        }
        if let former {
            ranges.add(plan.start, min(former.start, plan.stop))
            ranges.add(max(former.stop, plan.start), plan.stop)
        } else {
            ranges.add(plan.start, plan.stop)
        }
        changedRanges[station] = ranges
    }
}

/// The difference between the stored and the new airings of a station.
package struct ScheduleDifference {
    package typealias Change = (old: StoredAiring, new: StoredAiring)

    package var removed: [StoredAiring] = []
    /// Airings with changed content at the same start, which keep their identifier.
    package var changed: [Change] = []
    /// Airings that moved to another start or part of a clump, which keep their identifier.
    package private(set) var shifted: [Change] = []
    /// New airings without identifiers.
    package var inserted: [StoredAiring] = []
    package private(set) var unchanged = 0

    /// Creates an empty difference: all airings are already stored.
    package init(unchanged: Int) { self.unchanged = unchanged }

    package var isEmpty: Bool { removed.isEmpty && changed.isEmpty && shifted.isEmpty && inserted.isEmpty }

    /// Compares two lists of airings that are sorted by start and part.
    ///
    /// An airing with the same start and part keeps its identifier. A removed and an inserted airing of the same programme are a
    /// move if there is exactly one of each.
    /// - Parameter end: An airing that stopped by then is not removed unless a new airing overlaps it.
    /// - Complexity: O(n).
    package init(from old: [StoredAiring], to new: [StoredAiring], keepingUntil end: Int64 = .min) {
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if right == new.count || (left < old.count && old[left].key < new[right].key) {
                // The new airings before `right` start earlier. They do not overlap, so that the last one also stops last.
                let isCovered =
                    right < new.count && new[right].start < old[left].stop
                    || right > 0 && new[right - 1].stop > old[left].start
                if old[left].stop > end || isCovered { removed.append(old[left]) }
                left += 1
            } else if left == old.count || new[right].key < old[left].key {
                inserted.append(new[right])
                right += 1
            } else {
                var airing = new[right]
                airing.id = old[left].id
                // The completion follows from other listings, too.
                if airing.programme == old[left].programme { airing.completed = old[left].completed }
                if airing == old[left] { unchanged += 1 } else { changed.append((old[left], airing)) }
                left += 1
                right += 1
            }
        }
        if !removed.isEmpty, !inserted.isEmpty { pairShifted() }
    }

    private mutating func pairShifted() {
        // By programme; `nil` if there are several.
        let removedByProgramme = Dictionary(removed.map { ($0.programme, Optional($0)) }) { _, _ in nil }
        let insertedByProgramme = Dictionary(inserted.map { ($0.programme, Optional($0)) }) { _, _ in nil }
        for old in removed where removedByProgramme[old.programme] == .some(old) {
            guard case var new?? = insertedByProgramme[old.programme] else { continue }
            new.id = old.id
            new.completed = old.completed
            shifted.append((old, new))
        }
        let programmes = Set(shifted.map(\.old.programme))
        removed.removeAll { programmes.contains($0.programme) }
        inserted.removeAll { programmes.contains($0.programme) }
    }
}

/// The numbers of a stored airing, as compared by imports. Times are seconds since 1970.
package struct StoredAiring: Hashable, Sendable {
    package var id: Int64
    package var start: Int64
    package var part: Int64
    package var parts: Int64
    package var stop: Int64
    package var programme: Int64
    package var transmission: Int64?
    package var inferred: Int64
    package var publishedStart: Int64?
    package var publishedStop: Int64?
    /// The programme with fields of other sources, which is shown instead of ``programme``; `nil` if there is none.
    package var completed: Int64?

    /// The position in the schedule of its station.
    package var key: (Int64, Int64) { (start, part) }

    /// Creates the row of a listing without an identifier.
    package init(_ listing: ScheduledListing) {
        id = 0
        start = listing.window.start.secondsSince1970
        part = Int64(listing.clump?.index ?? 0)
        parts = Int64(listing.clump?.count ?? 1)
        stop = listing.window.end.secondsSince1970
        programme = listing.programme
        transmission = listing.transmission == 0 ? nil : Int64(listing.transmission)
        inferred = listing.isStopInferred ? 1 : 0
        publishedStart = listing.published?.start.secondsSince1970
        publishedStop = listing.published?.stop?.secondsSince1970
    }

    /// Creates the row of a store.
    package init(
        id: Int64, start: Int64, part: Int64, parts: Int64, stop: Int64, programme: Int64, transmission: Int64?,
        inferred: Int64, publishedStart: Int64?, publishedStop: Int64?, completed: Int64?
    ) {
        self.id = id
        self.start = start
        self.part = part
        self.parts = parts
        self.stop = stop
        self.programme = programme
        self.transmission = transmission
        self.inferred = inferred
        self.publishedStart = publishedStart
        self.publishedStop = publishedStop
        self.completed = completed
    }

    /// The window, which is empty for a damaged row.
    package var window: TimeWindow {
        TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: max(start, stop)))
    }

    /// Trims the stop and keeps the published times.
    package mutating func trim(at instant: Int64) {
        if publishedStart == nil { (publishedStart, publishedStop) = (start, stop) }
        stop = instant
    }
}

/// The counts of current and future airings of new listings and of stored ones in their range, for ``ImportSafeguard``.
private struct ListingsComparison {
    private let safeguard: ImportSafeguard
    /// The current time; past airings do not count.
    private let now: Int64
    /// The counts by the number of the station.
    private var stations: [Int64: (found: Int, stored: Int)] = [:]
    /// The range from the first start to the last stop of all listings.
    private var range: (start: Int64, stop: Int64)?

    init(_ safeguard: ImportSafeguard, from now: Instant) {
        self.safeguard = safeguard
        self.now = now.secondsSince1970
    }

    /// Adds the listings of a station and its stored airings in their range.
    mutating func record(
        _ new: [StoredAiring], inPlaceOf old: [StoredAiring], of station: Int64, from start: Int64, to stop: Int64
    ) {
        stations[station] = (new.count { $0.stop > now }, old.count { $0.stop > now })
        range = (min(start, range?.start ?? start), max(stop, range?.stop ?? stop))
    }

    /// Compares the listings with the stored airings in the same range, including airings of the source's other stations.
    func check(_ report: ImportReport, in table: some ScheduleTable) throws {
        guard report.airingsStored > 0 else { throw RefusedImport.empty(programmesRead: report.programmesRead) }
        guard safeguard.minimumShare > 0, let range else { return }
        let others = try table.airingCounts(from: max(now, range.start), to: range.stop) { key, station in
            stations[key] == nil && safeguard.includes(station)
        }
        func size(_ counts: [Int]) -> (stations: Int, airings: Int) {
            (counts.count { $0 > 0 }, counts.reduce(0, +))
        }
        let refusal = safeguard.refusal(
            found: size(stations.values.map(\.found)), stored: size(stations.values.map(\.stored) + others))
        if let refusal { throw refusal }
    }
}
