/// The identity of an episode, by which a repeat counts once.
///
/// It is the same on all stations and in all sources that describe the episode in the same way:
///
/// 1. the title with season, episode and part, if the feed has a valid number (`xmltv_ns`, `SxxExx`);
/// 2. an identifier of the programme: `dd_progid`, except that of a show as a whole (`SH…`); a reference to an episode or a movie
///    on a web site (`episode/…`, `movie/…`); a CRID of a programme;
/// 3. title, subtitle and description, if there is a subtitle or a description.
///
/// ``EpisodeKey`` has only 32 bits and is for listings with the same title and time.
public struct EpisodeIdentity: Hashable, Sendable, CustomStringConvertible {
    /// A hash in base 36.
    public let rawValue: String

    /// Restores a stored identity.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates the identity of a programme; `nil` if its feed describes it with a title only.
    public init?(_ programme: Programme) {
        let title = (programme.titles.first?.text ?? "").trimmed.lowercased()
        if let position = programme.episodeNumbers.lazy.compactMap(\.position).first(where: { $0.episode.number != nil }
        ),
            !title.isEmpty
        {
            let numbers = [position.season.number, position.episode.number, position.part.number].map { $0 ?? 0 }
            self.init(parts: ["number", title] + numbers.map(String.init))
        } else if let id = Self.identifier(of: programme) {
            self.init(parts: ["id", id])
        } else {
            let texts = [programme.subtitles, programme.descriptions].map { ($0.first?.text ?? "").trimmed }
            guard texts.contains(where: { !$0.isEmpty }) else { return nil }
            self.init(parts: ["text", title] + texts)
        }
    }

    private init(parts: [String]) {
        // The texts of a feed have no unit separators, so that different parts are different bytes.
        rawValue = ContentHasher.fixed.hash(Array(parts.joined(separator: "\u{1F}").utf8).span).base36
    }

    private static func identifier(of programme: Programme) -> String? {
        for number in programme.episodeNumbers {
            let (system, value) = (number.system.lowercased(), number.value.trimmed)
            if system == "dd_progid", value.utf8.count >= 10, !value.uppercased().hasPrefix("SH") {
                return "dd_progid:" + value.uppercased().filter { $0 != "." }
            }
            let kind = value.prefix { $0 != "/" }.lowercased()
            if system.contains("."), ["episode", "movie"].contains(kind) { return "\(system):\(value)" }
        }
        return programme.extras.elements.lazy
            .filter { $0.name == "crid" && ["item", "episode", "programme"].contains($0[attribute: "type"] ?? "") }
            .map(\.text.trimmed).first { !$0.isEmpty }
    }

    public var description: String { rawValue }
}

/// An airing that matches watch rules.
public struct WatchedAiring: Hashable, Sendable, Identifiable {
    public let detail: AiringDetail
    /// The station in the guide; `nil` if the guide does not have it.
    public let station: StationRow?
    /// The matching rules, at least one.
    public internal(set) var rules: [WatchRule]
    /// The identity of the episode; `nil` if it is unknown.
    public let episode: EpisodeIdentity?

    public var id: AiringID { detail.airing.id }
    public var airing: Airing { detail.airing }
    /// The number of the first channel of the station, else the number in the feed.
    public var channelNumber: ChannelNumber? { station?.channelNumber ?? station?.station.number }

    init(_ detail: AiringDetail, on station: StationRow?, rule: WatchRule) {
        self.detail = detail
        self.station = station
        rules = [rule]
        episode = EpisodeIdentity(detail.programme)
    }

    /// The order of lists: by start, row and identifier.
    static func isOrdered(_ left: WatchedAiring, _ right: WatchedAiring) -> Bool {
        (left.airing.window.start, left.station?.row ?? .max, left.id)
            < (right.airing.window.start, right.station?.row ?? .max, right.id)
    }
}

/// The evaluation of watch rules on a guide, which depends on the guide, the rules, the current time and the time zone only.
public struct Watchlist {
    private let guide: any GuideReading
    private let now: Instant
    private let minuteOfDay: (Instant) -> Int
    /// The last reminders that were sent, by rule and episode.
    private var announced: [String: Reminder] = [:]

    /// The days after now that lists cover.
    public static let defaultDays = 14
    /// Maximum number of airings of a rule in a list.
    public static let maximumCount = 1000
    /// The number of rows and of matches that are read at once.
    private static let rowsAtOnce = 200
    private static let matchesAtOnce = 2000
    /// The length of a window in seconds up to which reading all schedules is cheaper than a search.
    private static let shortWindow: Int64 = 6 * 3600

    /// Creates an evaluation.
    ///
    /// - Parameters:
    ///   - now: The current time. Airings that have ended never match.
    ///   - reminders: The former reminders. An airing of an episode that a rule has announced, and that has ended, is a repeat.
    ///   - minuteOfDay: Returns the minutes since the start of the local day, from 0 to 1439.
    public init(
        _ guide: any GuideReading, now: Instant, reminders: [Reminder] = [], minuteOfDay: @escaping (Instant) -> Int
    ) {
        self.guide = guide
        self.now = now
        self.minuteOfDay = minuteOfDay
        for reminder in reminders {
            guard let episode = reminder.episode, reminder.state == .sent else { continue }
            let key = "\(reminder.rule) \(episode)"
            if announced[key].map({ $0.window.end < reminder.window.end }) ?? true { announced[key] = reminder }
        }
    }

    /// Returns the current and upcoming airings of rules that start before an instant, each with all rules that it matches,
    /// sorted by start and row.
    ///
    /// - Returns: At most ``maximumCount`` airings of each rule, and whether these are all.
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``, errors of the store.
    /// - Complexity: Depends on the airings that match words or titles, and on those between now and `end` for other conditions;
    ///   not on past airings.
    public func airings(
        of rules: [WatchRule], until end: Instant
    ) throws -> (airings: [WatchedAiring], isComplete: Bool) {
        var found: [AiringID: WatchedAiring] = [:]
        var stations: [StationID: StationRow?] = [:]
        var isComplete = true
        for rule in rules {
            let own = try airings(of: rule, until: end, &stations)
            if !own.isComplete { isComplete = false }
            for airing in own.airings {
                if found[airing.id] == nil { found[airing.id] = airing } else { found[airing.id]?.rules.append(rule) }
            }
        }
        return (found.values.sorted(by: WatchedAiring.isOrdered), isComplete)
    }

    private func airings(
        of rule: WatchRule, until end: Instant, _ stations: inout [StationID: StationRow?]
    ) throws -> (airings: [WatchedAiring], isComplete: Bool) {
        guard let window = TimeWindow(from: now, to: end), !window.isEmpty else { return ([], true) }
        var candidates: [Airing] = []
        try visitCandidates(for: rule.conditions, during: window) { airing in
            guard airing.window.overlaps(window), rule.conditions.match(airing, minuteOfDay: minuteOfDay) else {
                return
            }
            candidates.append(airing)
        }
        candidates.sort { ($0.window.start, $0.id) < ($1.window.start, $1.id) }
        let isComplete = candidates.count <= Self.maximumCount
        var watched: [WatchedAiring] = []
        for candidate in candidates.prefix(Self.maximumCount) {
            guard let airing = try self.airing(candidate.id, for: rule, &stations) else { continue }
            watched.append(airing)
        }
        watched.sort(by: WatchedAiring.isOrdered)
        guard rule.isOncePerEpisode else { return (watched, isComplete) }
        var known: Set<EpisodeIdentity> = []
        let first = try watched.filter { airing in
            guard let episode = airing.episode else { return true }
            if let former = announced["\(rule.id) \(episode)"], try isOver(former, for: rule) { return false }
            return known.insert(episode).inserted
        }
        return (first, isComplete)
    }

    /// Returns whether the airing of a reminder has ended, rather than moved.
    private func isOver(_ reminder: Reminder, for rule: WatchRule) throws -> Bool {
        guard reminder.window.end <= now else { return false }
        if let airing = try airing(of: reminder, for: rule)?.airing { return airing.window.end <= now }
        return try !reminder.lostItsAiring(in: guide)
    }

    /// Visits at least the airings that meet the conditions, with the data of a grid.
    private func visitCandidates(
        for conditions: WatchConditions, during window: TimeWindow, _ body: (Airing) throws -> Void
    ) throws {
        if let reference = conditions.airing {
            if let airing = try airing(reference, conditions) { try body(airing) }
        } else if let words = conditions.words {
            try search(words, during: window, body)
        } else if let station = conditions.station {
            for airing in try guide.schedule(of: station, during: window).airings { try body(airing) }
        } else if window.seconds > Self.shortWindow, let phrase = conditions.title?.phrase, try isSearchable(phrase) {
            try search(phrase, during: window, body)
        } else {
            let count = try guide.stationCount()
            for first in stride(from: 0, to: count, by: Self.rowsAtOnce) {
                let rows = first..<min(first + Self.rowsAtOnce, count)
                for row in try guide.schedules(inRows: rows, during: window) {
                    for airing in row.schedule.airings { try body(airing) }
                }
            }
        }
    }

    /// Returns the airing of a rule for a single one. If another programme has taken its place, the nearest airing with the title
    /// on the station.
    private func airing(_ reference: AiringReference, _ conditions: WatchConditions) throws -> Airing? {
        if let detail = try guide.airing(reference.id), detail.isShown,
            conditions.title.map({ $0.isEqualIgnoringCase(to: detail.airing.title) }) ?? true
        {
            return detail.airing
        }
        guard let station = conditions.station, let title = conditions.title else { return nil }
        let span = TimeWindow(
            start: reference.start.advanced(by: -AiringReference.longestMove),
            end: reference.start.advanced(by: AiringReference.longestMove))
        return try guide.schedule(of: station, during: span).airings
            .filter { title.isEqualIgnoringCase(to: $0.title) && !$0.isContinuation }
            .min {
                abs(reference.start.seconds(to: $0.window.start)) < abs(reference.start.seconds(to: $1.window.start))
            }
    }

    /// Returns whether a search finds every programme with a phrase.
    private func isSearchable(_ phrase: String) throws -> Bool {
        guard try guide.isSearchIndexCurrent() else { return false }
        do {
            _ = try guide.search(SearchQuery(words: phrase, now: now, order: .start, limit: 1))
            return true
        } catch is SearchExpressionError {
            return false
        } catch is SearchIndexMissing {
            return false
        }
    }

    /// Visits the matches of a search that overlap a window, which begins now.
    private func search(_ words: String, during window: TimeWindow, _ body: (Airing) throws -> Void) throws {
        var offset = 0
        while true {
            let matches = try guide.search(
                SearchQuery(words: words, now: now, order: .start, offset: offset, limit: Self.matchesAtOnce)
            ).matches
            for match in matches {
                // Current and upcoming airings come first, sorted by start.
                guard match.airing.window.end > window.start, match.airing.window.start < window.end else { return }
                try body(match.airing)
            }
            guard matches.count == Self.matchesAtOnce else { return }
            offset += matches.count
        }
    }

    private func airing(
        _ id: AiringID, for rule: WatchRule, _ stations: inout [StationID: StationRow?]
    ) throws -> WatchedAiring? {
        guard let detail = try guide.airing(id) else { return nil }
        let station = detail.airing.station
        let row: StationRow?
        if let known = stations[station] {
            row = known
        } else {
            row = try guide.station(station)
            stations.updateValue(row, forKey: station)
        }
        return WatchedAiring(detail, on: row, rule: rule)
    }

    /// Returns the airings on the station of an airing with its title and episode that start within a day of it, with itself.
    func airings(withContentOf watched: WatchedAiring, for rule: WatchRule) throws -> [WatchedAiring] {
        let airing = watched.airing
        return try airings(on: airing.station, near: airing.window.start, titled: airing.title, for: rule)
            .filter { $0.episode == watched.episode }
    }

    /// Returns the airings on a station with a title that start within a day of an instant.
    func airings(
        on station: StationID, near start: Instant, titled title: String, for rule: WatchRule
    ) throws -> [WatchedAiring] {
        var stations: [StationID: StationRow?] = [:]
        let span = TimeWindow(
            start: start.advanced(by: -Reminder.longestMove), end: start.advanced(by: Reminder.longestMove + 1))
        return try guide.schedule(of: station, during: span).airings
            .filter { $0.title == title && !$0.isContinuation && $0.window.start >= span.start }
            .compactMap { try airing($0.id, for: rule, &stations) }
    }

    /// Returns the airing of a reminder as it is now: the one with its identifier, else the one at its station and start; `nil`
    /// if neither has its title.
    package func airing(of reminder: Reminder, for rule: WatchRule) throws -> WatchedAiring? {
        var stations: [StationID: StationRow?] = [:]
        if let found = try airing(reminder.airing, for: rule, &stations), found.detail.isShown,
            found.airing.title == reminder.title
        {
            return found
        }
        let start = reminder.window.start
        let moment = TimeWindow(start: start, end: start.advanced(by: 1))
        let other = try guide.schedule(of: reminder.station, during: moment).airings.first {
            $0.window.start == start && $0.title == reminder.title
        }
        return try other.flatMap { try airing($0.id, for: rule, &stations) }
    }
}

extension String {
    /// The text as a phrase of a search; `nil` without a letter or a digit.
    fileprivate var phrase: String? {
        guard contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        return "\"\(String(map { $0 == "\"" ? " " : $0 }))\""
    }
}

/// Airings that are on at the same time on more stations than there are tuners.
public struct WatchConflict: Hashable, Sendable {
    /// The time during which there are too many.
    public let window: TimeWindow
    /// The airings that are on then, sorted like the list.
    public let airings: [AiringID]

    /// Returns the conflicts in a list of airings, sorted by time. Airings of a station share a tuner.
    ///
    /// - Parameter tuners: The number of tuners, at least 1.
    /// - Complexity: O(n log n + m) for n airings and m airings in the result and between neighboring starts and ends.
    public static func conflicts(in airings: [WatchedAiring], tuners: Int) -> [WatchConflict] {
        let sorted = airings.sorted(by: WatchedAiring.isOrdered)
        let bounds = Set(sorted.flatMap { [$0.airing.window.start, $0.airing.window.end] }).sorted()
        var conflicts: [WatchConflict] = []
        var current: [WatchedAiring] = []
        var next = 0
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            current.removeAll { $0.airing.window.end <= start }
            while next < sorted.count, sorted[next].airing.window.start <= start {
                if sorted[next].airing.window.end > start { current.append(sorted[next]) }
                next += 1
            }
            guard Set(current.map(\.airing.station)).count > max(1, tuners) else { continue }
            let ids = current.map(\.id)
            if let last = conflicts.last, last.window.end == start, last.airings == ids {
                conflicts[conflicts.count - 1] = WatchConflict(
                    window: TimeWindow(start: last.window.start, end: end), airings: ids)
            } else {
                conflicts.append(WatchConflict(window: TimeWindow(start: start, end: end), airings: ids))
            }
        }
        return conflicts
    }
}
