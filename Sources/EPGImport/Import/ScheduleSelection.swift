import EPGModel

/// The selection of one schedule where the listings of a station mix two of them (Rules.md, rule 17).
///
/// A day mixes schedules if more than ``conflictPercent`` of its listings overlap another title by more than half of the shorter
/// of both. Of the listings of such days, the selection keeps those without overlaps that fill the most time (weighted interval
/// scheduling), because trimming two schedules against each other leaves only pieces of both.
struct ScheduleSelection {
    /// A listing, or the parts of a clump.
    struct Candidate {
        let start: Instant
        let end: Instant
        /// Whether it may belong to a schedule, unlike a placeholder.
        let isEligible: Bool
        /// Whether the feed gave its stop.
        let isReliable: Bool
        let richness: Int
        /// The key of its title; `nil` for several titles.
        let title: UInt32?

        fileprivate var length: Int64 { start.seconds(to: end) }

        /// The end, less an overlap that is common between listings of one schedule.
        fileprivate var laxEnd: Instant { end.advanced(by: -min(600, length / 4)) }

        /// The value for the selection: the length, half of it for an inferred stop, and at most five minutes for its richness.
        fileprivate var weight: Int64 { (isReliable ? 2 * length : length) + Int64(min(richness, 600)) }

        /// The number of the day in UTC.
        fileprivate var day: Int64 {
            let (days, rest) = start.secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
            return rest < 0 ? days - 1 : days
        }
    }

    /// The share of conflicting listings, in percent, above which a day mixes schedules.
    static let conflictPercent = 15
    /// The minimum number of conflicting listings of such a day.
    static let minimumConflicts = 6

    /// The candidates of other schedules by start, each with the selected one that it overlaps.
    private(set) var rejected: [(index: Int, winner: Int)] = []

    /// - Parameter candidates: The listings of one station, by start, then by end.
    /// - Complexity: O(n), and O(n log n) if a day mixes schedules.
    init(_ candidates: [Candidate]) {
        let ends = Dictionary(
            candidates.indices.lazy.map { (candidates[$0].end, candidates[$0].start) }, uniquingKeysWith: max)
        // A heading that begins with one listing and ends with another belongs to no other schedule than these.
        let eligible = candidates.indices.filter { index in
            let candidate = candidates[index]
            let beginsWithOther = index > 0 && candidates[index - 1].start == candidate.start
            return candidate.isEligible
                && !(beginsWithOther && (ends[candidate.end] ?? candidate.start) > candidate.start)
        }
        let days = Self.mixedDays(eligible, of: candidates)
        guard !days.isEmpty else { return }
        var run: [Int] = []
        for index in eligible {
            let day = candidates[index].day
            guard days.contains(day) else { continue }
            if let last = run.last, candidates[last].day < day - 1 {
                reject(from: run, of: candidates)
                run = []
            }
            run.append(index)
        }
        reject(from: run, of: candidates)
    }

    /// Returns the days (UTC) that mix schedules.
    private static func mixedDays(_ eligible: [Int], of candidates: [Candidate]) -> Set<Int64> {
        var isInConflict: Set<Int> = []
        var latest: Int?
        for index in eligible {
            let candidate = candidates[index]
            guard let other = latest else {
                latest = index
                continue
            }
            let overlap = candidate.start.seconds(to: min(candidate.end, candidates[other].end))
            let isSameTitle = candidate.title != nil && candidate.title == candidates[other].title
            if 2 * overlap > min(candidate.length, candidates[other].length), !isSameTitle {
                isInConflict.formUnion([index, other])
            }
            if candidate.end > candidates[other].end { latest = index }
        }
        guard isInConflict.count >= minimumConflicts else { return [] }
        let conflicts = Dictionary(grouping: isInConflict) { candidates[$0].day }
        let listings = Dictionary(grouping: eligible) { candidates[$0].day }
        return Set(
            conflicts.keys.filter { day in
                let (count, total) = (conflicts[day]?.count ?? 0, listings[day]?.count ?? 0)
                return count >= minimumConflicts && count * 100 > total * conflictPercent
            })
    }

    /// Selects the candidates of the greatest weight that don't overlap, and rejects the others.
    private mutating func reject(from run: [Int], of candidates: [Candidate]) {
        let order = run.sorted { first, second in
            let (firstEnd, secondEnd) = (candidates[first].laxEnd, candidates[second].laxEnd)
            return firstEnd == secondEnd ? first < second : firstEnd < secondEnd
        }
        /// The greatest weights of the candidates that end first.
        var best: [Int64] = [0]
        /// The number of candidates that end before each starts.
        var earlier: [Int] = []
        for index in order {
            let place = order.partitioningIndex { candidates[$0].laxEnd > candidates[index].start }
            earlier.append(place)
            best.append(max(best[best.count - 1], best[min(place, best.count - 1)] + candidates[index].weight))
        }
        var selected: [Int] = []
        var place = order.count
        while place > 0 {
            if best[place] == best[place - 1] {
                place -= 1
            } else {
                selected.append(order[place - 1])
                place = min(earlier[place - 1], place - 1)
            }
        }
        selected.sort()
        let kept = Set(selected)
        for index in run where !kept.contains(index) {
            let winner = selected.partitioningIndex { candidates[$0].laxEnd > candidates[index].start }
            rejected.append((index, selected[min(winner, selected.count - 1)]))
        }
    }
}
