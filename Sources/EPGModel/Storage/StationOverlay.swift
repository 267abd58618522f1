/// Seeks in the stored airings of stations, for ``StationOverlay``. Sources and stations are the numbers of a store.
package protocol AiringSeeking {
    /// Announces seeks in the schedules of stations during windows.
    func prepare(_ ranges: [(station: Int64, window: TimeWindow)]) throws

    /// Returns the sources that cover a station in order of precedence, at most eight.
    func ranking(ofSourcesOf station: Int64) throws -> [Int64]

    /// Returns the last airing of a source that starts before an instant.
    func latest(of source: Int64, station: Int64, before end: Instant) throws -> TimeWindow?

    /// Returns the first airing of a source that starts after an instant.
    func earliest(of source: Int64, station: Int64, after start: Instant) throws -> TimeWindow?
}

/// The combination of several sources of a station by the rule at the table `coverage` of `schema.sql`.
///
/// It reads only the requested airings and adjacent ones, never the whole schedule, and results do not depend on earlier
/// requests. A clump counts as one airing, identified by its start.
package struct StationOverlay<Seeker: AiringSeeking> {
    package struct Shown {
        package let source: Int64
        /// The stored time.
        package let stored: TimeWindow
        /// The shown time.
        package let window: TimeWindow
    }

    /// A source with its coverage.
    private struct RankedSource {
        /// The number of the source.
        let id: Int64
        let coverage: TimeWindow
        /// The coverage of all better sources, sorted by start.
        let better: [TimeWindow]
        /// The shown times of airings determined so far, by their start; `nil` for hidden airings.
        var known: [Instant: TimeWindow?] = [:]
    }

    private let seeker: Seeker
    private let station: Int64
    /// The sources in order of precedence.
    private var sources: [RankedSource] = []

    package init(_ seeker: Seeker, station: Int64) throws {
        self.seeker = seeker
        self.station = station
        var better: [TimeWindow] = []
        for source in try seeker.ranking(ofSourcesOf: station) {
            // The bounds are beyond all instants of a guide.
            guard let first = try earliest(of: source, after: Instant(secondsSince1970: .min)),
                let last = try latest(of: source, before: Instant(secondsSince1970: .max))
            else { continue }
            let window = TimeWindow(start: first.start, end: max(first.start, last.end))
            sources.append(RankedSource(id: source, coverage: window, better: better))
            better.append(window)
            better.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        }
    }

    /// Returns the shown airings during a window in ascending order: a few seeks per source and airing.
    package mutating func shown(during window: TimeWindow) throws -> [Shown] {
        var shown: [Shown] = []
        for (rank, source) in sources.enumerated() where source.coverage.overlaps(window) {
            var end = window.end
            while let airing = try latest(of: source.id, before: end), airing.end > window.start {
                end = airing.start
                guard let left = try self.window(of: airing, rank: rank), left.overlaps(window) else { continue }
                shown.append(Shown(source: source.id, stored: airing, window: left))
            }
        }
        return shown.sorted { $0.window.start < $1.window.start }
    }

    /// Returns the first shown airing that starts after an instant.
    package mutating func next(after instant: Instant) throws -> Shown? {
        var best: Shown?
        for (rank, source) in sources.enumerated() where source.coverage.end > instant {
            // An airing that has already begun in its source may be shown from a later instant on.
            var candidate = try latest(of: source.id, before: instant.advanced(by: 1))
            var reached = instant
            while true {
                if let airing = candidate, let window = try window(of: airing, rank: rank), window.start > instant {
                    if best.map({ window.start < $0.window.start }) ?? true {
                        best = Shown(source: source.id, stored: airing, window: window)
                    }
                    break
                }
                candidate = try earliest(of: source.id, after: reached)
                guard let airing = candidate, best.map({ airing.start < $0.window.start }) ?? true else { break }
                reached = airing.start
            }
        }
        return best
    }

    /// Returns the shown time of an airing; `nil` if it is hidden.
    package mutating func window(of airing: TimeWindow, source: Int64) throws -> TimeWindow? {
        try sources.firstIndex { $0.id == source }.flatMap { try window(of: airing, rank: $0) }
    }

    private mutating func window(of airing: TimeWindow, rank: Int) throws -> TimeWindow? {
        if rank == 0 { return airing }
        if let known = sources[rank].known[airing.start] { return known }
        var window = Self.firstPiece(of: airing, outside: sources[rank].better)
        if window == nil, try isFree(airing, below: rank) { window = airing }
        sources[rank].known.updateValue(window, forKey: airing.start)
        return window
    }

    /// Returns whether no shown airing of a better source overlaps an airing: at most two unnecessary lookups per source.
    private mutating func isFree(_ airing: TimeWindow, below rank: Int) throws -> Bool {
        for better in 0..<rank where sources[better].coverage.overlaps(airing) {
            var end = airing.end
            while let other = try latest(of: sources[better].id, before: end), other.end > airing.start {
                if try window(of: other, rank: better)?.overlaps(airing) ?? false { return false }
                end = other.start
            }
        }
        return true
    }

    /// Returns the first part of an airing outside windows that are sorted by start.
    private static func firstPiece(of airing: TimeWindow, outside windows: [TimeWindow]) -> TimeWindow? {
        var start = airing.start
        for window in windows where window.end > start {
            if window.start > start { return TimeWindow(start: start, end: min(airing.end, window.start)) }
            start = window.end
            if start >= airing.end { return nil }
        }
        return TimeWindow(start: start, end: airing.end)
    }

    // A damaged index may return rows beyond the bound, which would cause an endless loop.

    private func latest(of source: Int64, before end: Instant) throws -> TimeWindow? {
        try seeker.latest(of: source, station: station, before: end).flatMap { $0.start < end ? $0 : nil }
    }

    private func earliest(of source: Int64, after start: Instant) throws -> TimeWindow? {
        try seeker.earliest(of: source, station: station, after: start).flatMap { $0.start > start ? $0 : nil }
    }
}

extension Airing {
    /// Clips the window to its shown part and keeps the published times.
    package mutating func show(_ shown: TimeWindow) {
        guard shown != window else { return }
        published = published ?? PublishedTimes(start: window.start, stop: window.end)
        window = shown
        isCut = true
    }
}

/// An airing of a programme.
package struct Showing: Sendable {
    package let airing: Int64
    /// The stored or shown time.
    package var window: TimeWindow
    package let station: Int64
    package let source: Int64
    /// Whether several sources cover the station, so that the airing may be shown in part or not at all.
    package let isShared: Bool

    /// Creates an airing from the numbers of its row, of its station and of its source.
    package init(airing: Int64, window: TimeWindow, station: Int64, source: Int64, isShared: Bool) {
        self.airing = airing
        self.window = window
        self.station = station
        self.source = source
        self.isShared = isShared
    }
}

/// A lookup of the shown times of airings, which caches the overlays of stations.
package struct ShownTimes<Seeker: AiringSeeking> {
    private let seeker: Seeker
    private var overlays: [Int64: StationOverlay<Seeker>] = [:]

    /// Creates a lookup without overlays.
    package init(_ seeker: Seeker) {
        self.seeker = seeker
    }

    /// Returns the airings that are shown, with their shown times.
    package mutating func shown(_ showings: [Showing]) throws -> [Showing] {
        try seeker.prepare(showings.filter(\.isShared).map { ($0.station, $0.window) })
        return try showings.compactMap { showing in
            guard showing.isShared else { return showing }
            var overlay =
                try overlays.removeValue(forKey: showing.station) ?? StationOverlay(seeker, station: showing.station)
            defer { overlays[showing.station] = overlay }
            guard let window = try overlay.window(of: showing.window, source: showing.source) else { return nil }
            var showing = showing
            showing.window = window
            return showing
        }
    }
}
