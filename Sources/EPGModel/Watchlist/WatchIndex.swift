import Synchronization

/// What watch rules need of a guide, kept in memory from one evaluation to the next: the numbers of the programmes that meet each
/// condition, the airings of one version of the guide in a range of days, without texts, and the airings of these programmes.
///
/// Programmes never change. An evaluation after an import therefore examines only programmes that the guide did not have before.
///
/// Memory: 8 bytes for each programme and 4 bytes for each airing that meets a condition, at most 64 MiB together; 60 bytes for each
/// airing, at most 60 MB; 100 bytes for each ended airing of rules that count a repeat once, at most 10 MB; and the stations of watched airings. Data
/// beyond a limit is not kept, and is read again.
public final class WatchIndex: Sendable {
    /// The programmes that meet a condition.
    private struct Known {
        /// In ascending order.
        var numbers: [Int64] = []
        /// All programmes up to this number were examined.
        var examined: Int64 = 0
        /// The version of the guide whose programmes were all examined; `nil` if some were not.
        var version: GuideVersion?
    }

    private struct State {
        var version: GuideVersion?
        var programmes: [ProgrammeCondition: Known] = [:]
        /// The patterns that take too long for this version.
        var expensive: [ProgrammeCondition: TextPatternError] = [:]
        var airings: WatchedAiringTable?
        /// The ranks of the airings whose programmes meet conditions, in ascending order.
        var ranks: [ProgrammeCondition: [Int32]] = [:]
        var episodes: [Int64: EpisodeIdentity?] = [:]
        var stations: [StationID: StationRow?] = [:]

        /// The size of programmes, ranks and patterns.
        var byteCount: Int {
            programmes.reduce(0) { $0 + 8 * $1.value.numbers.count + $1.key.byteCount }
                + ranks.values.reduce(0) { $0 + 4 * $1.count } + expensive.keys.reduce(0) { $0 + $1.byteCount }
        }
    }

    private static let maximumByteCount = 64 << 20
    /// The number of conditions that are kept unless an evaluation needs more.
    private static let maximumConditionCount = 4 * WatchRule.maximumCount
    private static let maximumAiringCount = 1_000_000
    private static let maximumEpisodeCount = 100_000

    private let state = Mutex(State())

    /// Creates an empty index.
    public init() {}

    /// Returns the programmes that meet conditions, and the airings that overlap a window. Reads what is not in memory.
    ///
    /// - Throws: Errors of the store.
    func contents(
        of guide: any GuideReading, meeting conditions: Set<ProgrammeCondition>, during window: TimeWindow
    ) throws -> WatchIndexContents {
        let version = try guide.version()
        var known = state.withLock { $0 }
        if known.version != version {
            let isSuccessor = try known.version.map { try guide.version(of: $0.generation) == $0 } ?? false
            known =
                isSuccessor
                ? State(version: version, programmes: known.programmes, episodes: known.episodes)
                : State(version: version)
        }
        var failures: [ProgrammeCondition: any Error] = known.expensive
        let missing = conditions.filter { known.programmes[$0]?.version != version && known.expensive[$0] == nil }
        let patterns = missing.filter { if case .pattern = $0 { true } else { false } }
        let groups = Dictionary(grouping: missing.subtracting(patterns)) { known.programmes[$0]?.examined ?? 0 }.map(
            \.self)
        for (examined, group) in groups + patterns.map({ (known.programmes[$0]?.examined ?? 0, [$0]) }) {
            for (condition, result) in zip(group, try guide.programmes(meeting: group, above: examined)) {
                switch result {
                case .success(let found):
                    known.programmes[condition, default: Known()].numbers += found.numbers
                    known.programmes[condition]?.examined = max(examined, found.examined)
                    known.programmes[condition]?.version = found.isComplete ? version : nil
                case .failure(let error):
                    failures[condition] = error
                    known.expensive[condition] = error as? TextPatternError
                }
            }
            // A pattern can take seconds, so a time limit may end this evaluation before the next pattern.
            if !patterns.isDisjoint(with: group) { keep(known, for: conditions) }
        }
        let airings: WatchedAiringTable
        if let table = known.airings, table.covers(window) {
            airings = table
        } else {
            airings = try WatchedAiringTable(of: guide, during: window, and: known.airings?.window)
            (known.airings, known.ranks) = (airings, [:])
        }
        for condition in missing { known.ranks[condition] = nil }
        var room = Self.maximumByteCount - known.byteCount
        for condition in conditions where failures[condition] == nil && known.ranks[condition] == nil && room > 0 {
            let ranks = airings.ranks(ofProgrammes: known.programmes[condition]?.numbers ?? [])
            known.ranks[condition] = ranks
            room -= 4 * ranks.count
        }
        let contents = WatchIndexContents(
            programmes: known.programmes.filter { conditions.contains($0.key) }.mapValues(\.numbers),
            ranks: known.ranks, failures: failures, airings: airings)
        keep(known, for: conditions)
        return contents
    }

    private func keep(_ read: State, for conditions: Set<ProgrammeCondition>) {
        var known = read
        func isTooLarge() -> Bool {
            known.byteCount > Self.maximumByteCount
                || known.programmes.count + known.expensive.count > max(Self.maximumConditionCount, conditions.count)
        }
        if isTooLarge() {
            // Matches of rules that were removed, and of previews.
            known.programmes = known.programmes.filter { conditions.contains($0.key) }
            known.ranks = known.ranks.filter { conditions.contains($0.key) }
            known.expensive = known.expensive.filter { conditions.contains($0.key) }
            // Finding the airings of programmes again is fast, and finding the programmes is not.
            if isTooLarge() { known.ranks = [:] }
            if isTooLarge() { known.programmes = [:] }
        }
        if known.airings.map({ $0.count > Self.maximumAiringCount }) ?? false {
            (known.airings, known.ranks) = (nil, [:])
        }
        state.withLock { state in
            if state.version == known.version {
                // Others may have added some.
                (known.episodes, known.stations) = (state.episodes, state.stations)
            }
            state = known
        }
    }

    /// Returns the identity of the episode of an airing in a guide at a version; `nil` if it is unknown.
    ///
    /// - Throws: Errors of the store.
    func episode(
        of airing: AiringID, programme: Int64, in guide: any GuideReading, at version: GuideVersion
    ) throws -> EpisodeIdentity? {
        if let known = state.withLock({ $0.version == version ? $0.episodes[programme] : nil }) { return known }
        let episode = try guide.airing(airing).flatMap { EpisodeIdentity($0.programme) }
        state.withLock { state in
            // Another evaluation may have read another guide.
            guard state.version == version else { return }
            if state.episodes.count >= Self.maximumEpisodeCount { state.episodes = [:] }
            state.episodes.updateValue(episode, forKey: programme)
        }
        return episode
    }

    /// Returns a station; `nil` if the guide does not have it.
    ///
    /// - Throws: Errors of the store.
    func station(_ id: StationID, in guide: any GuideReading) throws -> StationRow? {
        let version = try guide.version()
        if let known = state.withLock({ $0.version == version ? $0.stations[id] : nil }) { return known }
        let station = try guide.station(id)
        state.withLock { if $0.version == version { $0.stations.updateValue(station, forKey: id) } }
        return station
    }
}

/// A part of a ``WatchIndex``.
struct WatchIndexContents {
    /// The numbers of the programmes that meet each condition, in ascending order.
    let programmes: [ProgrammeCondition: [Int64]]
    /// The ranks of the airings whose programmes meet conditions, in ascending order, as far as they fit into memory.
    let ranks: [ProgrammeCondition: [Int32]]
    /// The errors of conditions that cannot be evaluated.
    let failures: [ProgrammeCondition: any Error]
    let airings: WatchedAiringTable

    /// Returns the ranks of the airings whose programme meets conditions, in ascending order.
    ///
    /// - Parameters:
    ///   - conditions: The conditions; all airings meet none.
    ///   - row: The row of the station; `nil` for all stations.
    /// - Complexity: O(*n* · log *airings*) for the *n* airings of the row, or of the required condition with the fewest airings or
    ///   of all alternatives; each times the number of conditions.
    func ranks(meeting conditions: ProgrammeConditions, inRow row: Int?) -> [Int32] {
        var required = conditions.required.map(ranks(meeting:))
        if !conditions.alternatives.isEmpty {
            required.append(airings.union(of: conditions.alternatives.map(ranks(meeting:))))
        }
        required.sort { $0.count < $1.count }
        let excluded = conditions.excluded.map(ranks(meeting:))
        func has(_ ranks: [Int32], _ rank: Int32) -> Bool {
            let index = ranks.partitioningIndex { $0 >= rank }
            return index < ranks.count && ranks[index] == rank
        }
        func meets(_ rank: Int32, _ required: ArraySlice<[Int32]>) -> Bool {
            required.allSatisfy { has($0, rank) } && !excluded.contains { has($0, rank) }
        }
        if let row { return airings.ranks(inRow: row).filter { meets($0, required[...]) } }
        guard let first = required.first else { return airings.allRanks.filter { meets($0, []) } }
        return required.count == 1 && excluded.isEmpty ? first : first.filter { meets($0, required[1...]) }
    }

    private func ranks(meeting condition: ProgrammeCondition) -> [Int32] {
        ranks[condition] ?? airings.ranks(ofProgrammes: programmes[condition] ?? [])
    }
}

/// The shown airings of all stations in a range of days, without texts. Their ranks follow the order of start and identifier.
struct WatchedAiringTable: Sendable {
    struct Entry: Sendable {
        let id: AiringID
        let window: TimeWindow
        let programme: Int64
        let row: Int32
        let isContinuation: Bool
    }

    /// The range of days.
    let window: TimeWindow
    /// Sorted by start and identifier.
    private let entries: [Entry]
    /// The programmes of all airings in ascending order, and the ranks of these airings.
    private let programmes: [Int64]
    private let ranksByProgramme: [Int32]
    /// The ranks of the airings of each row, one row after the other.
    private let ranksByRow: [Int32]
    /// The places in ``ranksByRow`` at which the rows begin, and the end.
    private let rowStarts: [Int]

    private static let rowsAtOnce = 200

    /// Reads the airings on the UTC days of two windows and between them.
    init(of guide: any GuideReading, during window: TimeWindow, and other: TimeWindow?) throws {
        let (first, last) = (min(window.start, other?.start ?? window.start), max(window.end, other?.end ?? window.end))
        self.window = TimeWindow(start: first.day, end: last.advanced(by: 86_399).day)
        let count = try guide.stationCount()
        var entries: [Entry] = []
        for first in stride(from: 0, to: count, by: Self.rowsAtOnce) {
            let rows = Array(first..<min(first + Self.rowsAtOnce, count))
            for (row, outlines) in try guide.outlines(inRows: rows, during: self.window) {
                for outline in outlines {
                    entries.append(
                        Entry(
                            id: outline.id, window: outline.window, programme: outline.programme,
                            row: Int32(clamping: row), isContinuation: outline.isContinuation))
                }
            }
        }
        entries.sort { ($0.window.start, $0.id) < ($1.window.start, $1.id) }
        let places = entries.indices.map { (programme: entries[$0].programme, rank: Int32(clamping: $0)) }
            .sorted { $0.programme < $1.programme }
        self.entries = entries
        programmes = places.map(\.programme)
        ranksByProgramme = places.map(\.rank)
        var starts = [Int](repeating: 0, count: count + 1)
        for entry in entries { starts[Int(entry.row) + 1] += 1 }
        for row in 0..<count { starts[row + 1] += starts[row] }
        (rowStarts, ranksByRow) = (starts, Self.ranks(of: entries, byRowStarting: starts))
    }

    var count: Int { entries.count }

    var allRanks: Range<Int32> { 0..<Int32(clamping: entries.count) }

    subscript(rank: Int32) -> Entry { entries[Int(rank)] }

    func covers(_ other: TimeWindow) -> Bool { window.start <= other.start && other.end <= window.end }

    /// Returns the ranks of the airings in a row, in ascending order.
    func ranks(inRow row: Int) -> ArraySlice<Int32> {
        (0..<rowStarts.count - 1).contains(row) ? ranksByRow[rowStarts[row]..<rowStarts[row + 1]] : []
    }

    private static func ranks(of entries: [Entry], byRowStarting starts: [Int]) -> [Int32] {
        var (ranks, next) = ([Int32](repeating: 0, count: entries.count), starts)
        for (rank, entry) in entries.enumerated() {
            ranks[next[Int(entry.row)]] = Int32(clamping: rank)
            next[Int(entry.row)] += 1
        }
        return ranks
    }

    /// Returns the ranks of the airings of programmes, in ascending order.
    ///
    /// - Parameter numbers: The numbers of the programmes in ascending order.
    func ranks(ofProgrammes numbers: [Int64]) -> [Int32] {
        var marks = RankMarks(count: entries.count)
        var place = 0
        for number in numbers {
            // Search in growing steps, because both lists are sorted.
            var step = 1
            while place + step < programmes.count, programmes[place + step] < number {
                place += step
                step *= 2
            }
            let range = programmes[place..<min(place + step + 1, programmes.count)]
            place = range.partitioningIndex { $0 >= number }
            while place < programmes.count, programmes[place] == number {
                marks.insert(ranksByProgramme[place])
                place += 1
            }
            if place == programmes.count { break }
        }
        return marks.ranks
    }

    /// Returns the ranks in any of some lists, in ascending order.
    func union(of lists: [[Int32]]) -> [Int32] {
        guard lists.count > 1 else { return lists.first ?? [] }
        var marks = RankMarks(count: entries.count)
        for rank in lists.joined() { marks.insert(rank) }
        return marks.ranks
    }

    /// Returns the rank of an airing; `nil` for one that is not in the table.
    func rank(of id: AiringID, at start: Instant) -> Int32? {
        let index = entries.partitioningIndex { ($0.window.start, $0.id) >= (start, id) }
        return index < entries.count && entries[index].id == id ? Int32(clamping: index) : nil
    }
}

/// A set of ranks. Marking them in words of 64 bits sorts them.
private struct RankMarks {
    private var words: [UInt64]

    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    mutating func insert(_ rank: Int32) { words[Int(rank) / 64] |= 1 << UInt64(rank % 64) }

    /// The ranks in ascending order.
    var ranks: [Int32] {
        var ranks: [Int32] = []
        ranks.reserveCapacity(words.reduce(0) { $0 + $1.nonzeroBitCount })
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                ranks.append(Int32(clamping: index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return ranks
    }
}

extension Instant {
    /// The start of the UTC day.
    fileprivate var day: Instant {
        advanced(by: -secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400).remainder)
    }
}

extension ProgrammeCondition {
    /// The memory of a pattern, in bytes; other conditions are small.
    fileprivate var byteCount: Int { if case .pattern(let pattern) = self { pattern.byteCount } else { 0 } }
}
