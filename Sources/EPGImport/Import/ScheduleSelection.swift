import EPGModel

/// The selection of one schedule where the listings of a station mix two of them (Rules.md, rule 17).
///
/// A day mixes schedules if more than ``conflictPercent`` of its listings overlap another listing by more than half of the
/// shorter of both, unless both have the same title and one is within the other. Of the listings of such days, the selection
/// keeps a chain without overlaps that fills the most time and rarely changes between the parts of the file, because trimming
/// two schedules against each other leaves only pieces of both.
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
        /// Its line in the feed.
        let line: UInt32
        /// The lines of the same listing in other parts of the feed.
        let otherLines: [UInt32]

        fileprivate var length: Int64 { start.seconds(to: end) }

        /// The end, less an overlap that is common between listings of one schedule.
        fileprivate var laxEnd: Instant { end.advanced(by: -min(300, length / 8)) }

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
            // Of two listings of one programme, the one within the other is a duplicate with other times (Rules.md, rule 6).
            let isWithin = candidate.end <= candidates[other].end || candidate.start == candidates[other].start
            let isDuplicate = candidate.title != nil && candidate.title == candidates[other].title && isWithin
            if overlap > 0, 2 * overlap > min(candidate.length, candidates[other].length), !isDuplicate {
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

    /// Selects the chain of the greatest weight, and rejects the other candidates.
    private mutating func reject(from run: [Int], of candidates: [Candidate]) {
        let selected = Chains(run, of: candidates).heaviest
        guard !selected.isEmpty else { return }
        let kept = Set(selected)
        for index in run where !kept.contains(index) {
            let winner = selected.partitioningIndex { candidates[$0].laxEnd > candidates[index].start }
            rejected.append((index, selected[min(winner, selected.count - 1)]))
        }
    }
}

/// The chains of candidates that don't overlap, by weighted interval scheduling.
private struct Chains {
    /// The best chain that ends with a candidate.
    private struct Chain {
        let candidate: Int
        let end: Instant
        let weight: Int64
        /// The index of the chain that it extends.
        let previous: Int?
    }

    /// The weight that a chain loses with each change to another run of the file: half an hour.
    private static let changeCost: Int64 = 2 * 1800
    /// The number of runs above which the order of the file is no evidence.
    private static let maximumRuns = 8

    /// The chains by end.
    private var chains: [Chain] = []

    /// - Parameter indices: The candidates by start.
    init(_ indices: [Int], of candidates: [ScheduleSelection.Candidate]) {
        let runs = Self.runs(indices, of: candidates)
        // The indices of the heaviest chains so far, overall and in each run; each is heavier than the one before.
        var best: [Int] = []
        var bestOfRun: [[Int]] = Array(repeating: [], count: (runs.values.lazy.compactMap(\.last).max() ?? 0) + 1)
        let order = indices.sorted { first, second in
            let (firstEnd, secondEnd) = (candidates[first].laxEnd, candidates[second].laxEnd)
            return firstEnd == secondEnd ? first < second : firstEnd < secondEnd
        }
        for index in order {
            let (candidate, own) = (candidates[index], runs[index] ?? [0])
            let same = own.compactMap { heaviest(of: bestOfRun[$0], until: candidate.start) }
                .max { weight($0) < weight($1) }
            let other = heaviest(of: best, until: candidate.start)
            var previous = same
            if weight(other) - Self.changeCost > weight(same) { previous = other }
            chains.append(
                Chain(
                    candidate: index, end: candidate.laxEnd,
                    weight: candidate.weight + max(0, weight(previous) - (previous == same ? 0 : Self.changeCost)),
                    previous: previous))
            let new = chains.count - 1
            if weight(new) > weight(best.last) { best.append(new) }
            for run in own where weight(new) > weight(bestOfRun[run].last) { bestOfRun[run].append(new) }
        }
    }

    /// The candidates of the heaviest chain, in order.
    var heaviest: [Int] {
        var selected: [Int] = []
        var next = chains.indices.max { chains[$0].weight < chains[$1].weight }
        while let chain = next {
            selected.append(chains[chain].candidate)
            next = chains[chain].previous
        }
        return selected.reversed()
    }

    private func weight(_ chain: Int?) -> Int64 { chain.map { chains[$0].weight } ?? 0 }

    /// Returns the last of some chains that end until an instant; `nil` if there is none.
    private func heaviest(of indices: [Int], until start: Instant) -> Int? {
        let place = indices.partitioningIndex { chains[$0].end > start }
        return place > 0 ? indices[place - 1] : nil
    }

    /// Returns the runs of the file that each candidate belongs to: parts of the file whose listings are sorted by start. A
    /// listing that occurs in several runs belongs to each of them. All are in one run if there are too many.
    private static func runs(_ indices: [Int], of candidates: [ScheduleSelection.Candidate]) -> [Int: [Int]] {
        var runs: [Int: [Int]] = [:]
        var (run, last) = (0, Instant(secondsSince1970: .min))
        let lines = indices.flatMap { index in
            ([candidates[index].line] + candidates[index].otherLines).map { (line: $0, index: index) }
        }
        for (_, index) in lines.sorted(by: { $0.line < $1.line }) {
            if candidates[index].start < last { run += 1 }
            last = candidates[index].start
            if runs[index]?.last != run { runs[index, default: []].append(run) }
        }
        return run < maximumRuns ? runs : [:]
    }
}
