/// The identity of an episode, by which a repeat counts once.
///
/// It is the same on all stations and in all sources that describe the episode in the same way:
///
/// 1. the title with season, episode and part, if the feed has a valid number (`xmltv_ns`, `S01E02` in any system);
/// 2. an identifier of the programme: `dd_progid`, except the identifier of a show as a whole (`SH…`); a reference to an episode
///    or a movie on a web site (`episode/…`, `movie/…`); a CRID of a programme;
/// 3. the title with the season and episode that the texts state (``DerivedEpisode``), without the number in the title. An episode
///    without a season also has the subtitle, because its number may return in the next season, and must not be from a description;
/// 4. title, subtitle and description, if there is a subtitle or a description.
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
        if let position = programme.episodeNumbers.lazy.compactMap(\.publishedPosition)
            .first(where: { $0.episode.number != nil }), !title.isEmpty
        {
            self.init(parts: ["number", title] + Self.numbers(of: position))
        } else if let id = Self.identifier(of: programme) {
            self.init(parts: ["id", id])
        } else if let derived = programme.derivedEpisode, derived.identifiesEpisode {
            let subtitle = derived.position.season.number == nil ? derived.subtitle : ""
            self.init(
                parts: ["number", derived.series.lowercased()] + Self.numbers(of: derived.position)
                    + [derived.last.map(String.init) ?? "", subtitle.lowercased()].filter { !$0.isEmpty })
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

    private static func numbers(of position: EpisodePosition) -> [String] {
        [position.season.number, position.episode.number, position.part.number].map { String($0 ?? 0) }
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
    /// The airing with all texts.
    public let detail: AiringDetail
    /// The station in the guide; `nil` if the guide does not have it.
    public let station: StationRow?
    /// The matching rules, at least one.
    public package(set) var rules: [WatchRule]
    /// The identity of the episode; `nil` if it is unknown.
    public let episode: EpisodeIdentity?

    /// The identifier of the airing.
    public var id: AiringID { detail.airing.id }
    /// The airing as lists show it.
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
    static func isOrdered(_ left: WatchedAiring, _ right: WatchedAiring) -> Bool { left.place < right.place }

    fileprivate var place: (Instant, Int, AiringID) { (airing.window.start, station?.row ?? .max, id) }
}

/// A rule that cannot be evaluated.
public struct WatchFailure: Sendable {
    /// The rule.
    public let rule: WatchRule
    /// ``SearchExpressionError`` for unusable words, ``TextPatternError`` for a pattern that takes too long, or
    /// ``SearchIndexMissing``.
    public let error: any Error
}

/// The result of an evaluation of watch rules.
public struct WatchedAirings: Sendable {
    /// The airings, each with all rules that it matches, sorted by start and row.
    public internal(set) var airings: [WatchedAiring] = []
    /// Whether these are all; see ``Watchlist/maximumCount``.
    public internal(set) var isComplete = true
    /// The rules without a result.
    public internal(set) var failures: [WatchFailure] = []
}

/// The evaluation of watch rules on a guide, which depends on the guide, the rules, the former reminders, the current time and the
/// time zone only.
public struct Watchlist: Sendable {
    private let guide: any GuideReading
    private let now: Instant
    /// What former evaluations have read.
    private let index: WatchIndex
    private let minuteOfDay: @Sendable (Instant) -> Int
    /// The former reminders by rule.
    private let records: [Int64: [Reminder]]

    /// The days after now that lists cover.
    public static let defaultDays = 14
    /// Maximum number of airings of a rule in a list.
    public static let maximumCount = 1000
    /// Maximum number of airings in a list: the first ones.
    public static let maximumTotal = 15_000
    /// Seconds before now in which an airing of the guide makes a later one of the same episode a repeat: a week.
    public static let lookBack: Int64 = 7 * 86_400

    /// Creates an evaluation.
    ///
    /// - Parameters:
    ///   - now: The current time. Airings that have ended never match.
    ///   - reminders: The former reminders.
    ///   - index: What former evaluations of the same guide have read; by default, nothing.
    ///   - minuteOfDay: Returns the minutes since the start of the local day, from 0 to 1439.
    public init(
        _ guide: any GuideReading, now: Instant, reminders: [Reminder] = [], index: WatchIndex = WatchIndex(),
        minuteOfDay: @escaping @Sendable (Instant) -> Int
    ) {
        self.guide = guide
        self.now = now
        self.index = index
        self.minuteOfDay = minuteOfDay
        records = Dictionary(grouping: reminders, by: \.rule)
    }

    /// Returns the current and upcoming airings of rules that start before an instant.
    ///
    /// An airing of an episode is a repeat, which rules that count it once omit, if an earlier airing precedes it in the result, or
    /// has ended: according to the rule's reminders of the episode, or without any, an airing in the guide that matches the rule
    /// and has ended within ``lookBack`` and since the rule was made.
    /// - Parameter limit: The maximum number of airings; by default, ``maximumTotal``.
    /// - Returns: At most ``maximumCount`` airings of each rule, and at most `limit` of all: those that start first.
    /// - Throws: Errors of the store.
    /// - Complexity: Without what the index has: one search for each text with words; one pass over all programmes for rules with
    ///   titles, patterns and categories, which after an import are only the new ones; one pass over the airings from a week ago, or from
    ///   now on, until `end`. In addition, reads each airing of the result.
    public func airings(
        of rules: [WatchRule], until end: Instant, limit: Int = Watchlist.maximumTotal
    ) throws -> WatchedAirings {
        try airings(of: rules, limit: limit) { _ in end }
    }

    /// Returns the airings of each rule that start before an instant that depends on the rule; see ``airings(of:until:limit:)``.
    func airings(
        of rules: [WatchRule], limit: Int = .max, until end: (WatchRule) -> Instant
    ) throws -> WatchedAirings {
        let ends = rules.map(end)
        var result = WatchedAirings()
        guard let window = ends.max().flatMap({ TimeWindow(from: now, to: $0) }), !window.isEmpty else { return result }
        // Repeats need the airings that have ended, too.
        let past = rules.contains(where: \.isOncePerEpisode) ? Self.lookBack : 0
        let candidates = try candidates(
            for: rules.map(\.conditions), during: window,
            reading: TimeWindow(start: now.advanced(by: -past), end: window.end), limit: Self.maximumCount + 1)
        var details = Details(guide, index)
        var found: [(rule: WatchRule, airings: [Candidate])] = []
        for (index, rule) in rules.enumerated() {
            if let error = candidates.failures[index] {
                result.failures.append(WatchFailure(rule: rule, error: error))
                continue
            }
            let own = candidates.airings[index].filter { $0.window.start < ends[index] }
            if own.count > Self.maximumCount { result.isComplete = false }
            found.append((rule, Array(own.prefix(Self.maximumCount))))
        }
        let last = Self.last(of: max(1, limit), in: found.map(\.airings))
        if last != nil { result.isComplete = false }
        var lists = found.map { rule, airings in
            WatchedList(rule: rule, airings: airings.prefix { airing in last.map { airing <= $0 } ?? true }.map(\.id))
        }
        if let rule = rules.first { try details.read(Array(Set(lists.lazy.flatMap(\.airings))), for: rule) }
        try removeRepeats(from: &lists, &details)
        var matching: [AiringID: [Int]] = [:]
        for (index, list) in lists.enumerated() {
            for id in list.airings { matching[id, default: []].append(index) }
        }
        result.airings = details.airings(Array(matching.keys)).map { watched in
            var watched = watched
            watched.rules = (matching[watched.id] ?? []).map { lists[$0].rule }
            return watched
        }
        return result
    }

    /// Returns the rules that match airings that overlap a window and have not ended, without their details.
    ///
    /// - Parameter window: A window that ends after now; its part before now counts as empty.
    /// - Returns: At most ``maximumCount`` airings of each rule. Omits rules that cannot be evaluated.
    /// - Complexity: As ``airings(of:until:limit:)``; reads details only for rules that count a repeat once.
    package func marks(of rules: [WatchRule], during window: TimeWindow) throws -> [AiringID: [WatchRule]] {
        guard let window = TimeWindow(from: max(now, window.start), to: window.end), !window.isEmpty else { return [:] }
        var marks: [AiringID: [WatchRule]] = [:]
        let plain = rules.filter { !$0.isOncePerEpisode }
        let found = try candidates(
            for: plain.map(\.conditions), during: window, reading: window, limit: Self.maximumCount)
        for (rule, airings) in zip(plain, found.airings) {
            for airing in airings { marks[airing.id, default: []].append(rule) }
        }
        // Whether an airing is the first one of its episode depends on those before it.
        for watched in try airings(of: rules.filter(\.isOncePerEpisode), until: window.end, limit: .max).airings
        where watched.airing.window.overlaps(window) {
            marks[watched.id, default: []] += watched.rules
        }
        return marks
    }

    /// Checks that the words, the alternatives and the exclusions of a rule can be searched.
    ///
    /// - Throws: ``WatchRuleError``, errors of the store.
    package static func checkWords(of rule: WatchRule, in guide: any GuideReading) throws {
        let texts = rule.conditions.searchedTexts
        guard !texts.isEmpty else { return }
        for (field, text) in texts where !text.unicodeScalars.contains(where: \.isOfWord) {
            throw WatchRuleError.noWords(field)
        }
        // No programme is above the number, so this only parses the words. A missing search index is no error.
        let results = try guide.programmes(meeting: texts.map { .words($0.text) }, above: .max)
        for (text, result) in zip(texts, results) {
            if case .failure(let error as SearchExpressionError) = result {
                throw WatchRuleError.unsearchable(text.field, error)
            }
        }
    }

    // MARK: - Repeats

    /// The current and upcoming airings of a rule. Rules share their details.
    private struct WatchedList {
        let rule: WatchRule
        var airings: [AiringID]
    }

    /// Removes repeats from the airings of rules that count an episode once.
    private func removeRepeats(from lists: inout [WatchedList], _ details: inout Details) throws {
        var announced: [Int: [EpisodeIdentity: Reminder]] = [:]
        var unrecorded: [Int: [WatchedAiring]] = [:]
        for (index, list) in lists.enumerated() where list.rule.isOncePerEpisode {
            var own: [EpisodeIdentity: Reminder] = [:]
            var recorded: Set<EpisodeIdentity> = []
            for reminder in records[list.rule.id] ?? [] {
                guard let episode = reminder.episode else { continue }
                recorded.insert(episode)
                guard reminder.state == .sent else { continue }
                if own[episode].map({ $0.window.end < reminder.window.end }) ?? true { own[episode] = reminder }
            }
            announced[index] = own
            unrecorded[index] = try list.airings.compactMap { try details.airing($0, for: list.rule) }
                .filter { $0.episode.map { !recorded.contains($0) } ?? false }
        }
        let ended = try endedEpisodes(of: unrecorded, in: lists.map(\.rule))
        for (index, own) in announced {
            let rule = lists[index].rule
            var known = ended[index] ?? []
            lists[index].airings = try lists[index].airings.compactMap { try details.airing($0, for: rule) }
                .sorted(by: WatchedAiring.isOrdered).filter { airing in
                    guard let episode = airing.episode else { return true }
                    if let former = own[episode], try isOver(former, for: rule) { return false }
                    return known.insert(episode).inserted
                }.map(\.id)
        }
    }

    /// Returns, by rule, the episodes of airings that had another airing in the guide, which matches the rule and has ended.
    ///
    /// - Parameter watched: The airings by the index of their rule.
    private func endedEpisodes(
        of watched: [Int: [WatchedAiring]], in rules: [WatchRule]
    ) throws -> [Int: Set<EpisodeIdentity>] {
        let week = now.advanced(by: -Self.lookBack)
        var searched: [(rule: Int, conditions: WatchConditions, start: Instant)] = []
        for (index, airings) in watched.sorted(by: { $0.key < $1.key }) where !airings.isEmpty {
            let rule = rules[index]
            // A rule that is made later was made before the clock was set back, or for another time.
            let start = rule.created > now ? week : max(week, rule.created)
            guard start < now else { continue }
            searched.append((index, rule.conditions, start))
        }
        guard let first = searched.map(\.start).min() else { return [:] }
        let window = TimeWindow(start: first, end: now)
        let past = try candidates(for: searched.map(\.conditions), during: window, reading: window, limit: nil).airings
        let version = try guide.version()
        var ended: [Int: Set<EpisodeIdentity>] = [:]
        for (search, airings) in zip(searched, past) {
            let episodes = Set((watched[search.rule] ?? []).compactMap(\.episode))
            for airing in airings where airing.window.end <= now && airing.window.end > search.start {
                if let episode = try episode(of: airing, at: version), episodes.contains(episode) {
                    ended[search.rule, default: []].insert(episode)
                }
            }
        }
        return ended
    }

    /// Returns whether the airing of a reminder has ended, rather than moved.
    private func isOver(_ reminder: Reminder, for rule: WatchRule) throws -> Bool {
        guard reminder.window.end <= now else { return false }
        if let airing = try airing(of: reminder, for: rule)?.airing { return airing.window.end <= now }
        return try !reminder.lostItsAiring(in: guide)
    }

    // MARK: - Candidates

    /// An airing that meets conditions. The order is the order of start and identifier.
    private struct Candidate: Hashable, Comparable {
        let id: AiringID
        let window: TimeWindow
        /// The number of the programme; `nil` for the airing of a rule for a single one.
        let programme: Int64?
        /// The place among all airings of the index; `nil` if the index was not read, or does not have the airing.
        let rank: Int32?

        static func < (left: Candidate, right: Candidate) -> Bool {
            (left.window.start, left.id) < (right.window.start, right.id)
        }

        static func == (left: Candidate, right: Candidate) -> Bool { left.id == right.id }

        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// Returns the airing at position `limit` in the merged lists, which share airings; `nil` if there are at most `limit` airings.
    ///
    /// Lists of many rules with frequent words have a hundred times as many airings as they share, so these are marked instead of
    /// sorted.
    private static func last(of limit: Int, in lists: [[Candidate]]) -> Candidate? {
        let all = lists.joined()
        guard all.allSatisfy({ $0.rank != nil }) else {
            let sorted = Set(all).sorted()
            return sorted.count > limit ? sorted[limit - 1] : nil
        }
        let ranks = all.lazy.compactMap(\.rank)
        var isMarked = [Bool](repeating: false, count: ranks.max().map { Int($0) + 1 } ?? 0)
        for rank in ranks { isMarked[Int(rank)] = true }
        let marked = isMarked.indices.lazy.filter { isMarked[$0] }
        guard !marked.dropFirst(limit).isEmpty, let last = marked.dropFirst(limit - 1).first else { return nil }
        return all.first { $0.rank == Int32(clamping: last) }
    }

    /// Returns the airings that overlap a window and meet conditions, for each of them, in their order.
    ///
    /// - Parameters:
    ///   - reach: The window to read if the index does not have the airings.
    ///   - limit: The maximum number of airings for each of the conditions: the first ones; `nil` for all.
    /// - Returns: The airings, and the errors of conditions that cannot be evaluated.
    private func candidates(
        for all: [WatchConditions], during window: TimeWindow, reading reach: TimeWindow, limit: Int?
    ) throws -> (airings: [[Candidate]], failures: [Int: any Error]) {
        var found = [[Candidate]](repeating: [], count: all.count)
        var failures: [Int: any Error] = [:]
        guard !all.isEmpty else { return (found, failures) }
        // A rule for a single airing needs the index only for words.
        let needed = all.filter { $0.airing == nil || !$0.ofTexts.all.isEmpty }
        let contents =
            needed.isEmpty
            ? nil
            : try index.contents(
                of: guide.unlimited,
                meeting: Set(needed.flatMap { $0.airing == nil ? $0.ofProgramme.all : $0.ofTexts.all }), during: reach)
        var rows: [StationID: Int?] = [:]
        for (index, conditions) in all.enumerated() {
            if let reference = conditions.airing {
                if let airing = try airing(reference, conditions), airing.window.overlaps(window),
                    conditions.match(airing, minuteOfDay: minuteOfDay)
                {
                    let rank = contents?.airings.rank(of: airing.id, at: airing.window.start)
                    let texts = conditions.ofTexts
                    if let contents, !texts.all.isEmpty {
                        if let failure = texts.all.lazy.compactMap({ contents.failures[$0] }).first {
                            failures[index] = failure
                            continue
                        }
                        guard let rank, contents.ranks(meeting: texts, inRow: nil).contains(rank),
                            try !guide.isLocked(airing.id)
                        else { continue }
                    }
                    found[index] = [Candidate(id: airing.id, window: airing.window, programme: nil, rank: rank)]
                }
                continue
            }
            guard let contents else { continue }
            let ofProgramme = conditions.ofProgramme
            if let failure = ofProgramme.all.lazy.compactMap({ contents.failures[$0] }).first {
                failures[index] = failure
                continue
            }
            var row: Int?
            if let station = conditions.station {
                if rows[station] == nil {
                    rows.updateValue(try self.index.station(station, in: guide)?.row, forKey: station)
                }
                guard case .some(.some(let known)) = rows[station] else { continue }
                row = known
            }
            for rank in contents.ranks(meeting: ofProgramme, inRow: row) {
                let airing = contents.airings[rank]
                guard airing.window.overlaps(window), !airing.isContinuation,
                    conditions.times.map({ $0.contains(minuteOfDay(airing.window.start)) }) ?? true,
                    // A locked airing has no title and no category, but it is on its station.
                    try ofProgramme.all.isEmpty || !guide.isLocked(airing.id)
                else { continue }
                found[index].append(
                    Candidate(id: airing.id, window: airing.window, programme: airing.programme, rank: rank))
                if found[index].count == limit { break }
            }
        }
        return (found, failures)
    }

    /// Returns the identity of the episode of an airing; `nil` if it is unknown.
    private func episode(of airing: Candidate, at version: GuideVersion) throws -> EpisodeIdentity? {
        guard let programme = airing.programme else {
            return try guide.airing(airing.id).flatMap { EpisodeIdentity($0.programme) }
        }
        return try index.episode(of: airing.id, programme: programme, in: guide.unlimited, at: version)
    }

    /// Returns the airing of a rule for a single one. If another programme has taken its place, the nearest airing with the title
    /// on the station that the guide did not have when the rule was made.
    private func airing(_ reference: AiringReference, _ conditions: WatchConditions) throws -> Airing? {
        if let detail = try guide.airing(reference.id), detail.isShown,
            conditions.title.map({ $0.isEqualIgnoringCase(to: detail.airing.title) }) ?? true
        {
            return detail.airing
        }
        guard let station = conditions.station, let title = conditions.title else { return nil }
        return try guide.schedule(of: station, during: AiringReference.range(around: reference.start)).airings
            .filter {
                title.isEqualIgnoringCase(to: $0.title) && !$0.isContinuation && !reference.siblings.contains($0.id)
            }
            .min {
                abs(reference.start.seconds(to: $0.window.start)) < abs(reference.start.seconds(to: $1.window.start))
            }
    }

    // MARK: - Airings of reminders

    /// The details of airings, which are read once.
    private struct Details {
        private let guide: any GuideReading
        private let index: WatchIndex
        private var details: [WatchedAiring] = []
        /// The index of each airing: a dictionary of the large details would often copy and move them.
        private var indexes: [AiringID: Int] = [:]
        private var stations: [StationID: StationRow?] = [:]
        /// The number of airings that are read at once.
        private static let airingsAtOnce = 1000

        init(_ guide: any GuideReading, _ index: WatchIndex) {
            self.guide = guide
            self.index = index
        }

        /// Reads airings that are not known yet.
        mutating func read(_ ids: [AiringID], for rule: WatchRule) throws {
            let missing = ids.filter { indexes[$0] == nil }
            for start in stride(from: 0, to: missing.count, by: Self.airingsAtOnce) {
                let part = missing[start..<min(start + Self.airingsAtOnce, missing.count)]
                for detail in try guide.airings(Array(part)) {
                    let station = detail.airing.station
                    if stations[station] == nil {
                        stations.updateValue(try index.station(station, in: guide), forKey: station)
                    }
                    indexes[detail.airing.id] = details.count
                    details.append(WatchedAiring(detail, on: stations[station] ?? nil, rule: rule))
                }
            }
        }

        mutating func airing(_ id: AiringID, for rule: WatchRule) throws -> WatchedAiring? {
            if indexes[id] == nil { try read([id], for: rule) }
            guard let index = indexes[id] else { return nil }
            var known = details[index]
            known.rules = [rule]
            return known
        }

        /// Returns the airings that were read, in the order of lists.
        func airings(_ ids: [AiringID]) -> [WatchedAiring] {
            // Sorting moves the places, which are small.
            ids.compactMap { indexes[$0] }.map { (place: details[$0].place, index: $0) }
                .sorted { $0.place < $1.place }.map { details[$0.index] }
        }
    }

    /// Returns the airings on a station with a title that start within a day of an instant.
    func airings(
        on station: StationID, near start: Instant, titled title: String, for rule: WatchRule
    ) throws -> [WatchedAiring] {
        var details = Details(guide, index)
        let span = TimeWindow(
            start: start.advanced(by: -Reminder.siblingRange), end: start.advanced(by: Reminder.siblingRange + 1))
        return try guide.schedule(of: station, during: span).airings
            .filter { $0.title == title && !$0.isContinuation && $0.window.start >= span.start }
            .compactMap { try details.airing($0.id, for: rule) }
    }

    /// Returns the airing of a reminder as it is now: the one with its identifier, else the one at its station and start; `nil`
    /// if neither has its title.
    package func airing(of reminder: Reminder, for rule: WatchRule) throws -> WatchedAiring? {
        var details = Details(guide, index)
        if let found = try details.airing(reminder.airing, for: rule), found.detail.isShown,
            found.airing.title == reminder.title
        {
            return found
        }
        let start = reminder.window.start
        let moment = TimeWindow(start: start, end: start.advanced(by: 1))
        let other = try guide.schedule(of: reminder.station, during: moment).airings.first {
            $0.window.start == start && $0.title == reminder.title
        }
        return try other.flatMap { try details.airing($0.id, for: rule) }
    }

    /// Returns the key of the reminder of an airing: the key of its former reminder, else a new key.
    package func key(of watched: WatchedAiring, for rule: WatchRule) throws -> String {
        try formerReminder(of: watched, for: rule)?.key ?? Reminder.key(of: watched, for: rule)
    }

    /// Returns the former reminder of an airing; `nil` if there is none.
    ///
    /// Identifiers stay with their place if another programme takes it, so a moved airing may have another identifier. It is then
    /// recognized by its title and episode: the airing of the reminder is gone, and this one is the nearest of those that the
    /// station did not have then.
    func formerReminder(of watched: WatchedAiring, for rule: WatchRule) throws -> Reminder? {
        let own = records[rule.id] ?? []
        if let same = own.first(where: { $0.isOf(watched) }) { return same }
        let near = own.filter { $0.mayMove(to: watched.airing) }
        guard !near.isEmpty else { return nil }
        let former = Dictionary(near.map { ($0.key, $0) }) { first, _ in first }.values
            .filter { $0.episode == watched.episode }
            .sorted { ($0.window.start, $0.key) < ($1.window.start, $1.key) }
        var taken: Set<AiringID> = []
        var moved: [(reminder: Reminder, present: [WatchedAiring])] = []
        for reminder in former {
            let present = try airings(
                on: reminder.station, near: reminder.window.start, titled: reminder.title, for: rule
            ).filter { $0.episode == reminder.episode }
            if let same = present.first(where: { reminder.isOf($0) }) {
                taken.insert(same.id)
            } else if try reminder.lostItsAiring(in: guide) {
                moved.append((reminder, present))
            }
        }
        for (reminder, present) in moved {
            func distance(_ watched: WatchedAiring) -> Int64 {
                abs(reminder.window.start.seconds(to: watched.airing.window.start))
            }
            let nearest = present.filter {
                reminder.mayMove(to: $0.airing) && !taken.contains($0.id) && !reminder.siblings.contains($0.id)
            }.min { (distance($0), $0.id) < (distance($1), $1.id) }
            guard let nearest else { continue }
            if nearest.id == watched.id { return reminder }
            taken.insert(nearest.id)
        }
        // The same airing with another description, unless the former one is elsewhere.
        return try near.first { reminder in
            guard reminder.isLike(watched.airing) else { return false }
            return try !airings(on: reminder.station, near: reminder.window.start, titled: reminder.title, for: rule)
                .contains { $0.episode == reminder.episode }
        }
    }

    /// Returns the other airings on the station of an airing with its title and episode that start within a day of it.
    func siblings(of watched: WatchedAiring, for rule: WatchRule) throws -> [AiringID] {
        let airing = watched.airing
        return try airings(on: airing.station, near: airing.window.start, titled: airing.title, for: rule)
            .filter { $0.episode == watched.episode && $0.id != watched.id }.map(\.id)
    }
}

/// Airings that are on at the same time on more stations than there are tuners.
public struct WatchConflict: Hashable, Sendable {
    /// The time during which there are too many.
    public let window: TimeWindow
    /// The first airings that are on then, sorted like the list; at most ``maximumCount``.
    public let airings: [AiringID]
    /// The number of all airings that are on then.
    public let count: Int

    /// Maximum number of ``airings``.
    public static let maximumCount = 20
}

/// The conflicts in a list of airings. Airings of a station share a tuner.
public struct WatchConflicts: Sendable {
    /// The first conflicts, sorted by time; at most ``maximumCount``.
    public private(set) var list: [WatchConflict] = []
    /// The number of all conflicts.
    public private(set) var count = 0
    /// All airings with a conflict.
    public private(set) var airings: Set<AiringID> = []

    /// Maximum length of ``list``.
    public static let maximumCount = 100

    /// Finds the conflicts in a list of airings.
    ///
    /// - Parameter tuners: The number of tuners, at least 1.
    /// - Complexity: O(n log n) for n airings.
    public init(in watched: [WatchedAiring], tuners: Int) {
        // Sorting moves these, which are small.
        let sorted = watched.lazy.map { Place($0) }.filter { !$0.window.isEmpty }.sorted { $0.order < $1.order }
        let ending = sorted.sorted { $0.window.end < $1.window.end }
        let bounds = Set(sorted.flatMap { [$0.window.start, $0.window.end] }).sorted()
        /// The number of current airings by station.
        var current: [StationID: Int] = [:]
        var (begun, ended) = (0, 0)
        var windows: [TimeWindow] = []
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            while ended < ending.count, ending[ended].window.end <= start {
                let station = ending[ended].station
                current[station] = current[station].flatMap { $0 > 1 ? $0 - 1 : nil }
                ended += 1
            }
            while begun < sorted.count, sorted[begun].window.start <= start {
                current[sorted[begun].station, default: 0] += 1
                begun += 1
            }
            guard current.count > max(1, tuners) else { continue }
            let window = TimeWindow(start: start, end: end)
            windows.append(window)
            guard windows.count <= Self.maximumCount else { continue }
            let ids = sorted[..<begun].filter { $0.window.end > start }.map(\.id)
            list.append(
                WatchConflict(
                    window: window, airings: Array(ids.prefix(WatchConflict.maximumCount)), count: ids.count))
        }
        count = windows.count
        for airing in sorted {
            // The windows do not overlap, and are sorted.
            var (low, high) = (0, windows.count)
            while low < high {
                let middle = (low + high) / 2
                if windows[middle].end > airing.window.start { high = middle } else { low = middle + 1 }
            }
            if low < windows.count, windows[low].start < airing.window.end { airings.insert(airing.id) }
        }
    }
}

extension WatchConflicts {
    /// An airing without its details.
    private struct Place {
        let id: AiringID
        let station: StationID
        let window: TimeWindow
        let row: Int

        init(_ watched: WatchedAiring) {
            let airing = watched.airing
            (id, station, window, row) = (airing.id, airing.station, airing.window, watched.station?.row ?? .max)
        }

        var order: (Instant, Int, AiringID) { (window.start, row, id) }
    }
}

extension Unicode.Scalar {
    /// Whether words contain the character, as in the search index (the tokenizer `unicode61` of SQLite).
    fileprivate var isOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse, .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }
}
