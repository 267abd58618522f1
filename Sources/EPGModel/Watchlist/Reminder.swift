/// The record of a reminder to a target, which makes sure that the reminder is sent once.
///
/// A reminder is recorded as ``State/sending`` before it is sent. After a crash it is therefore sent again, with the same key.
public struct Reminder: Hashable, Sendable {
    /// The state of a delivery.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The target may have received it, and gets it again until it confirms it.
        case sending
        /// The target confirmed it.
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
    /// The airing. This property and the next six are as of the first time that the reminder was due.
    public let airing: AiringID
    /// The station of the airing.
    public let station: StationID
    /// The time of the airing.
    public let window: TimeWindow
    /// The first title of the feed.
    public let title: String
    /// The episode; `nil` if it is unknown.
    public let episode: EpisodeIdentity?
    /// The generation of the guide.
    public let generation: Generation
    /// The other airings on the station with the same title and episode at that generation, within ``siblingRange``.
    public let siblings: [AiringID]
    /// The state of the delivery.
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

    /// Returns this stored reminder, ready to be sent; `nil` if it was sent. `reminder` replaces it if it belongs to another airing,
    /// such as the repeat of an episode whose first airing has ended.
    package func claimed(for reminder: Reminder) -> Reminder? {
        guard state != .sent else { return nil }
        guard (reminder.airing, reminder.station, reminder.window) == (airing, station, window) else { return reminder }
        var claimed = self
        claimed.state = .sending
        return claimed
    }

    /// Records that the target is not requested before an instant, because it failed to confirm another reminder.
    package mutating func wait(until instant: Instant?, at now: Instant) {
        changed = now
        notBefore = instant
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

    /// Returns whether an airing with the same title has the identifier, or the station and start, of the reminder's airing. Its
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

    /// Seconds by which an airing may move and still be the same: half a day, so that it is not the next day's airing.
    static let longestMove: Int64 = 43_200
    /// Seconds around the start of an airing in which its siblings start: a day.
    static let siblingRange: Int64 = 86_400

    /// Returns whether a start is near enough for the airing to have moved there.
    func mayMove(to airing: Airing) -> Bool {
        airing.station == station && airing.title == title
            && abs(window.start.seconds(to: airing.window.start)) <= Self.longestMove
    }
}

/// The name of a target of reminders, and the profiles whose reminders it gets.
package struct ReminderRecipient: Hashable, Sendable {
    /// The name of the target, which is part of each ``Reminder``.
    package let name: String
    /// The profiles; empty for all.
    package let profiles: [String]

    /// Creates a recipient.
    ///
    /// - Parameter profiles: The profiles; empty for all.
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
        /// The record to store before the reminder is sent.
        package let reminder: Reminder
        /// The rule whose reminder it is.
        package let rule: WatchRule
        /// The airing, with all rules that it matches.
        package let watched: WatchedAiring
    }

    /// The reminders to send now: first those that have not failed, then by start.
    package private(set) var due: [Entry] = []
    /// The reminders whose airing has ended before they were confirmed, as failed.
    package private(set) var expired: [Reminder] = []
    /// Rules that cannot be evaluated.
    package private(set) var failures: [WatchFailure] = []
    /// The next instant at which there may be something to send or to record if guide, rules and reminders stay the same.
    package private(set) var nextDue: Instant

    /// Whether there is nothing to send or to record.
    package var isEmpty: Bool { due.isEmpty && expired.isEmpty }

    /// Seconds from now on for which ``nextDue`` is determined.
    private static let horizon = Reminder.longestPause

    /// Plans the reminders of a guide: those that are due by `now` and whose airing has not ended, and those that were not
    /// confirmed.
    ///
    /// No airing leads to a second reminder of a rule: neither after it has moved, nor after the clock was changed.
    /// - Parameters:
    ///   - index: See ``Watchlist/init(_:now:reminders:index:minuteOfDay:)``, as for `minuteOfDay`.
    /// - Throws: An error of the store.
    package init(
        _ guide: any GuideReading, to recipients: [ReminderRecipient], now: Instant, index: WatchIndex = WatchIndex(),
        minuteOfDay: @escaping @Sendable (Instant) -> Int
    ) throws {
        nextDue = now.advanced(by: Self.horizon)
        let rules = try guide.watchRules()
        guard !rules.isEmpty, !recipients.isEmpty else { return }
        let records = try guide.reminders()
        let list = Watchlist(guide, now: now, reminders: records, index: index, minuteOfDay: minuteOfDay)
        let recordsByRule = Dictionary(grouping: records, by: \.rule)
        var planned: Set<[String]> = []
        // Those that were not confirmed are sent again even if the rule no longer matches their airing. A failed one whose
        // airing has not ended was given up by a fast clock.
        for rule in rules {
            for reminder in recordsByRule[rule.id] ?? [] where reminder.state != .sent {
                try addUnconfirmed(reminder, rule, recipients, list, now, &planned)
            }
        }
        let found = try list.airings(of: rules.filter { rule in recipients.contains { $0.receives(rule) } }) { rule in
            // An airing that starts at the end of the window is due.
            now.advanced(by: Int64(rule.minutesBefore) * 60 + Self.horizon + 1)
        }
        failures = found.failures
        let generation = try guide.generation()
        for watched in found.airings {
            for rule in watched.rules {
                let dueTime = rule.dueTime(of: watched.airing.window)
                guard dueTime <= now else {
                    nextDue = min(nextDue, dueTime)
                    continue
                }
                let key = try list.key(of: watched, for: rule)
                for recipient in recipients
                where recipient.receives(rule) && planned.insert([recipient.name, key]).inserted {
                    let known = (recordsByRule[rule.id] ?? []).first { $0.key == key && $0.target == recipient.name }
                    if let known {
                        guard known.state != .sent else { continue }
                        // A failed reminder of an episode is sent for its repeat; see GuideWriting/claimReminders(_:).
                        guard known.window.end <= now, !known.isOf(watched) else {
                            addIfDue(known, rule, watched, now)
                            continue
                        }
                    }
                    let reminder = Reminder(
                        key, to: recipient.name, of: watched, for: rule, at: generation,
                        siblings: try list.siblings(of: watched, for: rule), now: now)
                    due.append(Entry(reminder: reminder, rule: rule, watched: watched))
                }
            }
        }
        due.sort { left, right in
            let isRepeated = [left, right].map { $0.reminder.failures > 0 }
            guard isRepeated[0] == isRepeated[1] else { return isRepeated[1] }
            return (left.watched.airing.window.start, left.reminder.key, left.reminder.target)
                < (right.watched.airing.window.start, right.reminder.key, right.reminder.target)
        }
    }

    /// Adds a reminder that was not confirmed, if its next attempt is due.
    private mutating func addIfDue(_ reminder: Reminder, _ rule: WatchRule, _ watched: WatchedAiring, _ now: Instant) {
        if reminder.isDue(at: now) {
            due.append(Entry(reminder: reminder, rule: rule, watched: watched))
        } else if let notBefore = reminder.notBefore {
            nextDue = min(nextDue, notBefore)
        }
    }

    /// Adds a reminder that was not confirmed: to those that are due, or if its airing has ended, to the expired ones. An airing
    /// that is missing may have moved.
    private mutating func addUnconfirmed(
        _ reminder: Reminder, _ rule: WatchRule, _ recipients: [ReminderRecipient], _ list: Watchlist, _ now: Instant,
        _ planned: inout Set<[String]>
    ) throws {
        let current = try list.airing(of: reminder, for: rule)
        let end = current?.airing.window.end ?? reminder.window.end.advanced(by: Reminder.longestMove)
        if end > now {
            if reminder.state == .sending { nextDue = min(nextDue, end) }
            guard let current, recipients.contains(where: { $0.name == reminder.target && $0.receives(rule) }) else {
                return
            }
            planned.insert([reminder.target, reminder.key])
            let dueTime = rule.dueTime(of: current.airing.window)
            if dueTime <= now { addIfDue(reminder, rule, current, now) } else { nextDue = min(nextDue, dueTime) }
        } else if reminder.state == .sending {
            var reminder = reminder
            reminder.state = .failed
            reminder.changed = now
            reminder.error = reminder.error ?? "the airing ended before the reminder was sent"
            expired.append(reminder)
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

    /// The form of the reminders.
    package let kind: Kind
    /// The name, and the settings of requests or of the program.
    package let settings: SourceConfiguration
    /// The name and the profiles.
    package let recipient: ReminderRecipient

    /// Creates a target, whose recipient has the name of the settings.
    package init(kind: Kind, settings: SourceConfiguration, profiles: [String]) {
        self.kind = kind
        self.settings = settings
        recipient = ReminderRecipient(name: settings.source.name, profiles: profiles)
    }
}
