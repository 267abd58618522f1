import EPGModel
import GRDB

/// What is shown of a station that several sources know, by the rule at the table `coverage` of `schema.sql`.
///
/// It looks at the airings that it is asked about and at their neighbours, never at the whole schedule, and its answer
/// about an airing doesn't depend on what else it was asked. A clump counts as one airing, known by its start.
struct StationOverlay {
    /// Seconds since 1970, half-open.
    struct Span: Hashable {
        var start: Int64
        var stop: Int64

        func overlaps(_ other: Span) -> Bool { start < other.stop && other.start < stop }
    }

    /// An airing that is shown.
    struct Shown {
        let source: Int64
        /// As it is stored.
        let stored: Span
        /// What is left of it.
        let span: Span
    }

    /// A source, and what it speaks for.
    private struct Voice {
        let source: Int64
        let span: Span
        /// What all better ones speak for, in order of start.
        let better: [Span]
    }

    private struct Place: Hashable {
        let rank: Int
        let start: Int64
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

    let database: Database
    let station: Int64
    private var voices: [Voice] = []
    /// What was found out so far: `nil` for an airing that isn't shown.
    private var known: [Place: Span?] = [:]

    init(_ database: Database, station: Int64) throws {
        self.database = database
        self.station = station
        var sources: [Int64] = []
        try database.rows(Self.rankingSQL, .integer(station)) { columns in
            sources.append(columns.integer(0))
            return true
        }
        var better: [Span] = []
        for source in sources {
            // The bounds lie beyond every instant that a guide can hold.
            guard let first = try earliest(of: source, after: .min), let last = try latest(of: source, before: .max)
            else { continue }
            let span = Span(start: first.start, stop: last.stop)
            voices.append(Voice(source: source, span: span, better: better))
            better.append(span)
            better.sort { ($0.start, $0.stop) < ($1.start, $1.stop) }
        }
    }

    /// What is shown during a window, in order.
    ///
    /// - Complexity: a few seeks for each source and each airing in the window.
    mutating func shown(during window: Span) throws -> [Shown] {
        guard window.start < window.stop else { return [] }
        var shown: [Shown] = []
        for (rank, voice) in voices.enumerated() where voice.span.overlaps(window) {
            var end = window.stop
            while let airing = try latest(of: voice.source, before: end), airing.stop > window.start {
                end = airing.start
                guard let span = try span(of: airing, rank: rank), span.overlaps(window) else { continue }
                shown.append(Shown(source: voice.source, stored: airing, span: span))
            }
        }
        return shown.sorted { $0.span.start < $1.span.start }
    }

    /// What is shown first of what starts after an instant.
    mutating func next(after instant: Int64) throws -> Shown? {
        var best: Shown?
        for (rank, voice) in voices.enumerated() where voice.span.stop > instant {
            // One that its source has on already may be shown from later on.
            var candidate = try latest(of: voice.source, before: instant == .max ? .max : instant + 1)
            var reached = instant
            while true {
                if let airing = candidate, let span = try span(of: airing, rank: rank), span.start > instant {
                    if best.map({ span.start < $0.span.start }) ?? true {
                        best = Shown(source: voice.source, stored: airing, span: span)
                    }
                    break
                }
                candidate = try earliest(of: voice.source, after: reached)
                guard let airing = candidate, best.map({ airing.start < $0.span.start }) ?? true else { break }
                reached = airing.start
            }
        }
        return best
    }

    /// What is left of an airing; `nil` where it isn't shown.
    mutating func span(of airing: Span, source: Int64) throws -> Span? {
        guard let rank = voices.firstIndex(where: { $0.source == source }) else { return nil }
        return try span(of: airing, rank: rank)
    }

    // MARK: - The rule

    private mutating func span(of airing: Span, rank: Int) throws -> Span? {
        if rank == 0 { return airing }
        let place = Place(rank: rank, start: airing.start)
        if let span = known[place] { return span }
        var span = Self.firstPiece(of: airing, outside: voices[rank].better)
        if span == nil, try isFree(airing, below: rank) { span = airing }
        known.updateValue(span, forKey: place)
        return span
    }

    /// Whether nothing that better sources show overlaps an airing.
    ///
    /// What lies within the airing is shown unless something better is in its way, which was found before; so at most the
    /// two at the edges of each source are looked at in vain.
    private mutating func isFree(_ airing: Span, below rank: Int) throws -> Bool {
        for better in 0..<rank where voices[better].span.overlaps(airing) {
            var end = airing.stop
            while let other = try latest(of: voices[better].source, before: end), other.stop > airing.start {
                if let span = try span(of: other, rank: better), span.overlaps(airing) { return false }
                end = other.start
            }
        }
        return true
    }

    /// The first piece of an airing that lies outside of some spans, which are in order of start.
    static func firstPiece(of airing: Span, outside spans: [Span]) -> Span? {
        var start = airing.start
        for span in spans where span.stop > start {
            if span.start > start { return Span(start: start, stop: min(airing.stop, span.start)) }
            start = span.stop
            if start >= airing.stop { return nil }
        }
        return Span(start: start, stop: airing.stop)
    }

    // MARK: - Seeks

    // A damaged index may give what lies beyond the bound, and a walk would never end.

    private func latest(of source: Int64, before end: Int64) throws -> Span? {
        let found = try database.firstRow(
            Self.latestSQL, .integer(source), .integer(station), .integer(end)
        ) { Span(start: $0.integer(0), stop: $0.integer(1)) }
        return found.flatMap { $0.start < end ? $0 : nil }
    }

    private func earliest(of source: Int64, after start: Int64) throws -> Span? {
        let found = try database.firstRow(
            Self.earliestSQL, .integer(source), .integer(station), .integer(start)
        ) { Span(start: $0.integer(0), stop: $0.integer(1)) }
        return found.flatMap { $0.start > start ? $0 : nil }
    }
}

extension StationOverlay.Span {
    init(_ window: TimeWindow) {
        self.init(start: window.start.secondsSince1970, stop: window.end.secondsSince1970)
    }
}

extension Airing {
    /// Cuts the window to what is shown of it, and keeps what was published.
    mutating func show(_ span: StationOverlay.Span) {
        guard StationOverlay.Span(window) != span else { return }
        published = published ?? PublishedTimes(start: window.start, stop: window.end)
        window = TimeWindow(span)
        isCut = true
    }
}

extension TimeWindow {
    init(_ span: StationOverlay.Span) {
        self.init(
            start: Instant(secondsSince1970: span.start), end: Instant(secondsSince1970: max(span.start, span.stop)))
    }
}
