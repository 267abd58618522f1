import EPGModel
import GRDB

/// What is shown of a station that several sources know, by the rule at the table `coverage` of `schema.sql`.
///
/// It looks at the airings that it is asked about and at their neighbors, never at the whole schedule, and its answer about
/// an airing doesn't depend on what else it was asked. A clump counts as one airing, known by its start.
struct StationOverlay {
    struct Shown {
        let source: Int64
        /// As it is stored.
        let stored: TimeWindow
        /// What is left of it.
        let window: TimeWindow
    }

    /// A source, and what it speaks for.
    private struct Voice {
        let source: Int64
        let window: TimeWindow
        /// What all better ones speak for, in order of start.
        let better: [TimeWindow]
        /// What was found out so far of its airings, by their start: `nil` for one that isn't shown.
        var known: [Instant: TimeWindow?] = [:]
    }

    /// The sources of a station, the best one first; more than these aren't heard.
    static let rankingSQL = """
        SELECT c.source_id FROM coverage c CROSS JOIN source o ON o.id = c.source_id
        WHERE c.station_id = ? ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 8
        """

    static let latestSQL = """
        SELECT start, stop FROM airing WHERE source_id = ? AND station_id = ? AND start < ?
        ORDER BY start DESC, part DESC LIMIT 1
        """

    static let earliestSQL = """
        SELECT start, stop FROM airing WHERE source_id = ? AND station_id = ? AND start > ?
        ORDER BY start, part LIMIT 1
        """

    private let database: Database
    private let station: Int64
    private var voices: [Voice] = []

    init(_ database: Database, station: Int64) throws {
        self.database = database
        self.station = station
        var better: [TimeWindow] = []
        for source in try database.values(Self.rankingSQL, [station], value: { $0.integer(0) }) {
            // The bounds lie beyond every instant that a guide can hold.
            guard let first = try earliest(of: source, after: Instant(secondsSince1970: .min)),
                let last = try latest(of: source, before: Instant(secondsSince1970: .max))
            else { continue }
            let window = TimeWindow(start: first.start, end: max(first.start, last.end))
            voices.append(Voice(source: source, window: window, better: better))
            better.append(window)
            better.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        }
    }

    /// What is shown during a window, in order: a few seeks for each source and each airing in the window.
    mutating func shown(during window: TimeWindow) throws -> [Shown] {
        var shown: [Shown] = []
        for (rank, voice) in voices.enumerated() where voice.window.overlaps(window) {
            var end = window.end
            while let airing = try latest(of: voice.source, before: end), airing.end > window.start {
                end = airing.start
                guard let left = try self.window(of: airing, rank: rank), left.overlaps(window) else { continue }
                shown.append(Shown(source: voice.source, stored: airing, window: left))
            }
        }
        return shown.sorted { $0.window.start < $1.window.start }
    }

    /// What is shown first of what starts after an instant.
    mutating func next(after instant: Instant) throws -> Shown? {
        var best: Shown?
        for (rank, voice) in voices.enumerated() where voice.window.end > instant {
            // One that its source has on already may be shown from later on.
            var candidate = try latest(of: voice.source, before: instant.advanced(by: 1))
            var reached = instant
            while true {
                if let airing = candidate, let window = try window(of: airing, rank: rank), window.start > instant {
                    if best.map({ window.start < $0.window.start }) ?? true {
                        best = Shown(source: voice.source, stored: airing, window: window)
                    }
                    break
                }
                candidate = try earliest(of: voice.source, after: reached)
                guard let airing = candidate, best.map({ airing.start < $0.window.start }) ?? true else { break }
                reached = airing.start
            }
        }
        return best
    }

    /// What is left of an airing; `nil` where it isn't shown.
    mutating func window(of airing: TimeWindow, source: Int64) throws -> TimeWindow? {
        try voices.firstIndex { $0.source == source }.flatMap { try window(of: airing, rank: $0) }
    }

    private mutating func window(of airing: TimeWindow, rank: Int) throws -> TimeWindow? {
        if rank == 0 { return airing }
        if let known = voices[rank].known[airing.start] { return known }
        var window = Self.firstPiece(of: airing, outside: voices[rank].better)
        if window == nil, try isFree(airing, below: rank) { window = airing }
        voices[rank].known.updateValue(window, forKey: airing.start)
        return window
    }

    /// Whether nothing that better sources show overlaps an airing: at most two lookups for each source are in vain.
    private mutating func isFree(_ airing: TimeWindow, below rank: Int) throws -> Bool {
        for better in 0..<rank where voices[better].window.overlaps(airing) {
            var end = airing.end
            while let other = try latest(of: voices[better].source, before: end), other.end > airing.start {
                if try window(of: other, rank: better)?.overlaps(airing) ?? false { return false }
                end = other.start
            }
        }
        return true
    }

    /// The first piece of an airing that lies outside of some windows, which are in order of start.
    private static func firstPiece(of airing: TimeWindow, outside windows: [TimeWindow]) -> TimeWindow? {
        var start = airing.start
        for window in windows where window.end > start {
            if window.start > start { return TimeWindow(start: start, end: min(airing.end, window.start)) }
            start = window.end
            if start >= airing.end { return nil }
        }
        return TimeWindow(start: start, end: airing.end)
    }

    // A damaged index may give what lies beyond the bound, and a walk would never end.

    private func latest(of source: Int64, before end: Instant) throws -> TimeWindow? {
        try seek(Self.latestSQL, source, end).flatMap { $0.start < end ? $0 : nil }
    }

    private func earliest(of source: Int64, after start: Instant) throws -> TimeWindow? {
        try seek(Self.earliestSQL, source, start).flatMap { $0.start > start ? $0 : nil }
    }

    private func seek(_ sql: String, _ source: Int64, _ bound: Instant) throws -> TimeWindow? {
        try database.values(sql, [source, station, bound.secondsSince1970]) { $0.window(0, 1) }.first
    }
}

extension Airing {
    /// Cuts the window to what is shown of it, and keeps what was published.
    mutating func show(_ shown: TimeWindow) {
        guard shown != window else { return }
        published = published ?? PublishedTimes(start: window.start, stop: window.end)
        window = shown
        isCut = true
    }
}
