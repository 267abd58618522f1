/// The record of a reminder to a target, which makes sure that the reminder is sent once.
///
/// A reminder is recorded as ``State/sending`` before it is sent. After a crash it is therefore sent again, with the same key.
public struct Reminder: Hashable, Sendable {
    /// The state of a delivery.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The target may have received it, and gets it again until it confirms it.
        case sending
        case sent
        /// The airing ended before the target confirmed it.
        case failed
    }

    /// The idempotency key: the same for all targets and attempts. It does not depend on the time of the airing.
    public let key: String
    /// The name of the target.
    public let target: String
    /// See ``WatchRule/id``.
    public let rule: Int64
    /// The airing when the reminder was first due, like the next six properties.
    public let airing: AiringID
    public let station: StationID
    public let window: TimeWindow
    /// The first title of the feed.
    public let title: String
    /// The episode; `nil` if it is unknown.
    public let episode: EpisodeIdentity?
    /// The generation of the guide.
    public let generation: Generation
    /// The other airings on the station with the same title and episode, within a day.
    public let siblings: [AiringID]
    public var state: State
    /// The number of requests that have failed.
    public var failures: Int
    /// The time of the last change.
    public var changed: Instant
    /// The earliest time of the next attempt after a failure.
    public var notBefore: Instant?
    /// The reason of the last failure, without secrets.
    public var error: String?

    /// Restores a stored reminder.
    package init(
        key: String, target: String, rule: Int64, airing: AiringID, station: StationID, window: TimeWindow,
        title: String, episode: EpisodeIdentity?, generation: Generation, siblings: [AiringID], state: State,
        failures: Int,
        changed: Instant, notBefore: Instant?, error: String?
    ) {
        self.key = key
        self.target = target
        self.rule = rule
        self.airing = airing
        self.station = station
        self.window = window
        self.title = title
        self.episode = episode
        self.generation = generation
        self.siblings = siblings
        self.state = state
        self.failures = failures
        self.changed = changed
        self.notBefore = notBefore
        self.error = error
    }

    /// Creates a reminder that is due and was never sent to a target.
    package init(
        _ key: String, to target: String, of watched: WatchedAiring, for rule: WatchRule, at generation: Generation,
        siblings: [AiringID], now: Instant
    ) {
        let airing = watched.airing
        self.init(
            key: key, target: target, rule: rule.id, airing: airing.id, station: airing.station, window: airing.window,
            title: airing.title, episode: watched.episode, generation: generation, siblings: siblings, state: .sending,
            failures: 0,
            changed: now, notBefore: nil, error: nil)
    }

    /// The key of a new reminder: a hash of the rule and the episode if the rule counts a repeat once; otherwise of the rule, the
    /// airing and its title, because the identifier stays if another programme takes the place of an airing.
    package static func key(of watched: WatchedAiring, for rule: WatchRule) -> String {
        let subject =
            if rule.isOncePerEpisode, let episode = watched.episode {
                "episode \(episode)"
            } else {
                "airing \(watched.id) \(watched.airing.title)"
            }
        return ContentHasher.fixed.hash(Array("\(rule.id) \(subject)".utf8).span).base36
    }

    /// Records a failed attempt, and when the next one follows.
    ///
    /// - Parameters:
    ///   - reason: The reason without secrets.
    ///   - delay: The seconds that the target asks to wait; `nil` if it does not.
    package mutating func fail(_ reason: String, at now: Instant, retryAfter delay: Int64? = nil) {
        let pause = min(Self.longestPause, Self.firstPause << Int64(min(failures, 10)))
        failures += 1
        changed = now
        error = reason
        notBefore = now.advanced(by: min(Self.longestPause, max(pause, delay ?? 0)))
    }

    /// Seconds before the second attempt; they double with each further one.
    private static let firstPause: Int64 = 30
    /// Maximum seconds between attempts.
    package static let longestPause: Int64 = 900
    /// Seconds after the end of an airing for which rules that count a repeat once keep its reminder: a year.
    package static let episodeRetention: Int64 = 366 * 86_400

    /// Returns whether the next attempt is due. A time further in the future than any pause was stored with a fast clock.
    fileprivate func isDue(at now: Instant) -> Bool {
        guard let notBefore else { return true }
        return notBefore <= now || notBefore > now.advanced(by: Self.longestPause)
    }

    /// Returns whether an airing with the same title has the identifier, or the station and start, of that of the reminder. Its
    /// description may have changed.
    func isLike(_ airing: Airing) -> Bool {
        airing.title == title
            && (airing.id == self.airing || (airing.station == station && airing.window.start == window.start))
    }

    /// Returns whether the reminder is for an airing with the same title and episode.
    func isOf(_ watched: WatchedAiring) -> Bool { isLike(watched.airing) && watched.episode == episode }

    /// Returns whether an import has removed or replaced the airing, rather than a removal of old airings; `true` if that is
    /// unknown.
    func lostItsAiring(in guide: any GuideReading) throws -> Bool {
        guard let changes = try guide.changes(since: .generation(generation), of: station), changes.isComplete else {
            return true
        }
        switch changes.stations.first?.extent {
        case .airings(let changed): return changed.contains { $0.id == airing }
        case .whole: return true
        case nil: return false
        }
    }

    /// Seconds by which an airing may move and still be the same.
    static let longestMove: Int64 = 86_400

    /// Returns whether a start is near enough for the airing to have moved there.
    func mayMove(to airing: Airing) -> Bool {
        airing.station == station && airing.title == title
            && abs(window.start.seconds(to: airing.window.start)) <= Self.longestMove
    }
}

/// The name of a target of reminders, and the profiles whose reminders it gets.
package struct ReminderRecipient: Hashable, Sendable {
    package let name: String
    /// The profiles; empty for all.
    package let profiles: [String]

    package init(name: String, profiles: [String]) {
        self.name = name
        self.profiles = profiles
    }

    func receives(_ rule: WatchRule) -> Bool { profiles.isEmpty || profiles.contains(rule.profile) }
}

/// The reminders that are to be sent at an instant.
package struct ReminderPlan: Sendable {
    /// A reminder with its airing as it is now.
    package struct Entry: Sendable {
        package let reminder: Reminder
        package let rule: WatchRule
        package let watched: WatchedAiring
    }

    /// The reminders to send now, by start.
    package private(set) var due: [Entry] = []
    /// The reminders whose airing has ended before they were confirmed, as failed.
    package private(set) var expired: [Reminder] = []
    /// Rules that cannot be evaluated, with the reason.
    package private(set) var failures: [(rule: WatchRule, reason: String)] = []

    /// Whether there is nothing to send or to record.
    package var isEmpty: Bool { due.isEmpty && expired.isEmpty }

    /// Plans the reminders of a guide: those that are due by `now` and whose airing has not ended, and those that were not
    /// confirmed.
    ///
    /// No airing leads to a second reminder of a rule: neither after it has moved, nor after the clock was changed.
    /// - Parameter minuteOfDay: See ``Watchlist/init(_:now:reminders:minuteOfDay:)``.
    /// - Throws: An error of the store.
    package init(
        _ guide: any GuideReading, to recipients: [ReminderRecipient], now: Instant,
        minuteOfDay: @escaping (Instant) -> Int
    ) throws {
        let rules = try guide.watchRules()
        guard !rules.isEmpty, !recipients.isEmpty else { return }
        let records = try guide.reminders()
        let generation = try guide.generation()
        let list = Watchlist(guide, now: now, reminders: records, minuteOfDay: minuteOfDay)
        let recordsByRule = Dictionary(grouping: records, by: \.rule)
        for rule in rules {
            let own = recordsByRule[rule.id] ?? []
            // Those that were not confirmed are sent again even if the rule no longer matches their airing. A failed one whose
            // airing has not ended was given up by a fast clock.
            var resent: Set<String> = []
            for reminder in own
            where reminder.state != .sent && recipients.contains(where: { $0.name == reminder.target }) {
                guard let current = try list.airing(of: reminder, for: rule), current.airing.window.end > now else {
                    continue
                }
                resent.insert(reminder.target + "\u{1F}" + reminder.key)
                if reminder.isDue(at: now), rule.dueTime(of: current.airing.window) <= now {
                    due.append(Entry(reminder: reminder, rule: rule, watched: current))
                }
            }
            try addExpired(own, list, rule, now)
            let receiving = recipients.filter { $0.receives(rule) }
            guard !receiving.isEmpty else { continue }
            do {
                // An airing that starts at the end of the window is due.
                let end = now.advanced(by: Int64(rule.minutesBefore) * 60 + 1)
                for watched in try list.airings(of: [rule], until: end).airings {
                    let former = try Self.reminder(of: watched, among: own, guide, list, rule)
                    let key = former?.key ?? Reminder.key(of: watched, for: rule)
                    for recipient in receiving where resent.insert(recipient.name + "\u{1F}" + key).inserted {
                        let known = own.first { $0.key == key && $0.target == recipient.name }
                        guard known.map({ $0.state != .sent && $0.isDue(at: now) }) ?? true else { continue }
                        let reminder =
                            try known
                            ?? Reminder(
                                key, to: recipient.name, of: watched, for: rule, at: generation,
                                siblings: list.airings(withContentOf: watched, for: rule).map(\.id)
                                    .filter { $0 != watched.id }, now: now)
                        due.append(Entry(reminder: reminder, rule: rule, watched: watched))
                    }
                }
            } catch let error as SearchIndexMissing {
                failures.append((rule, "\(error)"))
            } catch let error as SearchExpressionError {
                failures.append((rule, "\(error)"))
            }
        }
        due.sort {
            ($0.watched.airing.window.start, $0.reminder.key, $0.reminder.target)
                < ($1.watched.airing.window.start, $1.reminder.key, $1.reminder.target)
        }
    }

    /// Adds the reminders that were not confirmed and whose airing has ended; one that is missing may have moved.
    private mutating func addExpired(_ own: [Reminder], _ list: Watchlist, _ rule: WatchRule, _ now: Instant) throws {
        for var reminder in own where reminder.state == .sending {
            let end =
                try list.airing(of: reminder, for: rule)?.airing.window.end
                ?? reminder.window.end.advanced(by: Reminder.longestMove)
            guard end <= now else { continue }
            reminder.state = .failed
            reminder.changed = now
            reminder.error = reminder.error ?? "the airing ended before the reminder was sent"
            expired.append(reminder)
        }
    }

    /// Returns the former reminder of an airing; `nil` if there is none.
    ///
    /// Identifiers stay with their place if another programme takes it, so a moved airing may have another identifier. It is then
    /// recognized by its title and episode: the reminder's airing is gone, and there are as many airings with that content as
    /// before.
    private static func reminder(
        of watched: WatchedAiring, among own: [Reminder], _ guide: any GuideReading, _ list: Watchlist,
        _ rule: WatchRule
    ) throws -> Reminder? {
        if let same = own.first(where: { $0.isOf(watched) }) { return same }
        let near = own.filter { $0.mayMove(to: watched.airing) }
        guard !near.isEmpty else { return nil }
        let present = try list.airings(withContentOf: watched, for: rule)
        let former = Dictionary(near.map { ($0.key, $0) }) { first, _ in first }.values
            .filter { $0.episode == watched.episode }
            .sorted { ($0.window.start, $0.key) < ($1.window.start, $1.key) }
        var moved: [Reminder] = []
        var free = present
        for reminder in former {
            if free.contains(where: { reminder.isOf($0) }) {
                free.removeAll { reminder.isOf($0) }
            } else if present.count > reminder.siblings.count, try reminder.lostItsAiring(in: guide) {
                moved.append(reminder)
            }
        }
        for reminder in moved {
            func distance(_ watched: WatchedAiring) -> Int64 {
                abs(reminder.window.start.seconds(to: watched.airing.window.start))
            }
            let nearest = free.filter { !reminder.siblings.contains($0.id) }
                .min { (distance($0), $0.id) < (distance($1), $1.id) }
            guard let nearest else { continue }
            if nearest.id == watched.id { return reminder }
            free.removeAll { $0.id == nearest.id }
        }
        // The same airing with another description, unless the former one is elsewhere.
        return try near.first { reminder in
            guard reminder.isLike(watched.airing) else { return false }
            return try !list.airings(
                on: reminder.station, near: reminder.window.start, titled: reminder.title, for: rule
            )
            .contains { $0.episode == reminder.episode }
        }
    }
}

/// A target of reminders, as configured in `epg.yml`.
package struct ReminderTarget: Hashable, Sendable {
    /// The form of a reminder.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An HTTP request with a JSON object.
        case webhook
        /// An HTTP request with a text, and the title in a header, for ntfy and compatible services.
        case ntfy
        /// A program with a JSON object as its standard input.
        case command
    }

    package let kind: Kind
    /// The name, and the settings of requests or of the program.
    package let settings: SourceConfiguration
    /// The name and the profiles.
    package let recipient: ReminderRecipient

    package init(kind: Kind, settings: SourceConfiguration, profiles: [String]) {
        self.kind = kind
        self.settings = settings
        recipient = ReminderRecipient(name: settings.source.name, profiles: profiles)
    }
}
