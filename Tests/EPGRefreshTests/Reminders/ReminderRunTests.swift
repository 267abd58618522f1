import EPGCalendar
import EPGModel
import EPGRefresh
import EPGStore
import Foundation
import StoreConformance
import Synchronization
import Testing

/// Tests of the reminders that a run sends: each at least once, with one key, over failures, moves and changes of the clock.
@Suite struct ReminderRunTests {
    /// `EPG_SLOW`.
    private static let isSlow = ProcessInfo.processInfo.environment["EPG_SLOW"] != nil
    private static let phone = ReminderTarget(
        kind: .webhook, settings: SourceConfiguration(Source(name: "phone", location: "https://phone.example/")),
        profiles: [])

    private func run(
        _ guide: any GuideStorage, _ sender: RecordingSender, at now: Instant, targets: [ReminderTarget] = [phone]
    ) throws -> ReminderReport? {
        try ReminderRun(guide, targets: targets, zone: .utc, publicURL: nil, sender: sender, now: { now }).send()
    }

    private func guide(_ airings: [String], _ rules: [WatchRule]) throws -> ReminderGuide {
        let scratch = try ReminderGuide()
        try scratch.database.write { guide in
            try guide.importing(text: Day.guide(airings))
            try guide.refreshSearchIndex()
            for rule in rules { try guide.saveWatchRule(rule) }
        }
        return scratch
    }

    @Test func reminderIsSentOnceFromItsMinutesBeforeTheStartOn() throws {
        let scratch = try guide(
            ["one 20:00-21:00 News: Today.", "one 21:00-22:00 Other"],
            [WatchRule(name: "news", WatchConditions(title: "news"), minutesBefore: 10)])
        let sender = RecordingSender()
        for clock in ["19:49", "19:50", "19:51", "20:30", "21:00"] {
            #expect(try run(scratch.database, sender, at: Day.instant(clock))?.isSuccess == true)
            #expect(sender.titles == (clock == "19:49" ? [] : ["News"]), "\(clock)")
        }
    }

    @Test func runWithoutDueRemindersDoesNotWrite() throws {
        let scratch = try guide(
            ["one 20:00-21:00 News"], [WatchRule(name: "news", WatchConditions(title: "news"), minutesBefore: 10)])
        let storage = CountingStorage(scratch.database)
        _ = try run(storage, RecordingSender(), at: Day.instant("19:00"))
        #expect(storage.writes == 0)
        _ = try run(storage, RecordingSender(), at: Day.instant("19:55"))
        #expect(storage.writes == 2)
        _ = try run(storage, RecordingSender(), at: Day.instant("19:56"))
        #expect(storage.writes == 2)
    }

    @Test func otherProcessIsLeftToSend() throws {
        let scratch = try guide(["one 20:00-21:00 News"], [WatchRule(name: "news", WatchConditions(title: "news"))])
        let sender = RecordingSender()
        let outcome = try scratch.database.withReminderLock {
            try run(GuideDatabase(path: scratch.path), sender, at: Day.instant("20:10")) == nil
        }
        #expect(outcome == true)
        #expect(sender.titles == [])
    }

    @Test func writerLockIsFreeWhileATargetIsRequested() throws {
        let scratch = try guide(["one 20:00-21:00 News"], [WatchRule(name: "news", WatchConditions(title: "news"))])
        let sender = RecordingSender { _ in
            let other = GuideDatabase(path: scratch.path)
            #expect(throws: Never.self) {
                try other.write(waiting: .never) { try $0.setFavorite(StationID("one"), to: 0) }
            }
        }
        #expect(try run(scratch.database, sender, at: Day.instant("20:10"))?.sent.count == 1)
    }

    @Test func clockThatGoesBackDoesNotSendAgainAndOneThatJumpsSendsWhatIsStillOn() throws {
        let scratch = try guide(
            ["one 20:00-21:00 News: A.", "one 21:00-22:00 News: B.", "one 22:00-23:00 News: C."],
            [WatchRule(name: "news", WatchConditions(title: "news"))])
        let sender = RecordingSender()
        for clock in ["19:56", "12:00", "19:57", "22:30", "21:30", "22:40"] {
            _ = try run(scratch.database, sender, at: Day.instant(clock))
        }
        // B was over when the clock jumped, and is on when it goes back.
        #expect(sender.texts == ["A.", "C.", "B."])
        #expect(Set(sender.keys).count == 3)
    }

    @Test func repeatOfAnEpisodeIsRemindedOfOnceIfTheRuleSaysSo() throws {
        let airings = [
            "one 20:00-21:00 Tide / First", "two 21:00-22:00 Tide / First", "one 22:00-23:00 Tide / Second",
        ]
        for (isOnce, count) in [(true, 2), (false, 3)] {
            let scratch = try guide(
                airings, [WatchRule(name: "tide", WatchConditions(title: "tide"), isOncePerEpisode: isOnce)])
            let sender = RecordingSender()
            for clock in ["20:00", "21:30", "22:30"] { _ = try run(scratch.database, sender, at: Day.instant(clock)) }
            #expect(sender.titles.count == count)
        }
    }

    @Test func airingThatLosesItsIdentifierIsNotRemindedOfAgain() throws {
        // "Late" takes the place and the identifier of "News", which moves to a new airing.
        let scratch = try guide(
            ["one 19:00-20:00 A", "one 20:00-21:00 News: Today.", "one 21:00-22:00 Late", "one 22:00-23:00 Z"],
            [WatchRule(name: "all", WatchConditions(station: StationID("one")))])
        let sender = RecordingSender()
        _ = try run(scratch.database, sender, at: Day.instant("19:56"))
        #expect(sender.titles == ["A", "News"])
        _ = try scratch.database.write {
            try $0.importing(
                text: Day.guide([
                    "one 19:00-20:00 A", "one 20:00-21:00 Late", "one 21:00-22:00 News: Today.", "one 22:00-23:00 Z",
                ]))
        }
        for clock in ["19:57", "20:57", "21:57"] { _ = try run(scratch.database, sender, at: Day.instant(clock)) }
        #expect(sender.titles == ["A", "News", "Late", "Z"])
        #expect(Set(sender.keys).count == 4)
    }

    @Test func equalAiringsNearbyHaveRemindersOfTheirOwn() throws {
        let rule = try WatchRule(name: "news", WatchConditions(title: "news"))
        // The first one is moved behind another programme, or canceled; the second one stays.
        for (later, count) in [
            (["one 20:00-20:30 Sport", "one 20:30-21:00 News", "one 21:00-22:00 News"], 2),
            (["one 20:00-21:00 Sport", "one 21:00-22:00 News"], 2),
            (["one 20:00-20:30 Sport", "one 20:30-20:40 News", "one 20:40-21:00 News", "one 21:00-22:00 News"], 3),
        ] {
            let fixed = ["one 18:00-19:00 Before", "one 23:00-24:00 After"]
            let scratch = try guide(fixed + ["one 20:00-21:00 News", "one 21:00-22:00 News"], [rule])
            let sender = RecordingSender()
            _ = try run(scratch.database, sender, at: Day.instant("19:56"))
            #expect(sender.titles == ["News"])
            _ = try scratch.database.write { try $0.importing(text: Day.guide(fixed + later)) }
            for clock in ["19:58", "20:27", "20:41", "20:57", "21:30"] {
                _ = try run(scratch.database, sender, at: Day.instant(clock))
            }
            #expect(Set(sender.keys).count == count, "\(later)")
            #expect(sender.keys.count == count, "\(later)")
        }
    }

    @Test func editedDescriptionDoesNotRemindAgain() throws {
        for isOnce in [false, true] {
            let scratch = try guide(
                ["one 20:00-21:00 News: Today."],
                [WatchRule(name: "news", WatchConditions(title: "news"), isOncePerEpisode: isOnce)])
            let sender = RecordingSender()
            _ = try run(scratch.database, sender, at: Day.instant("19:58"))
            _ = try scratch.database.write {
                try $0.importing(text: Day.guide(["one 20:00-21:00 News: Today, edited."]))
            }
            _ = try run(scratch.database, sender, at: Day.instant("19:59"))
            #expect(sender.titles == ["News"])
        }
    }

    @Test func failingTargetGetsTheSameKeyUntilTheAiringEnds() throws {
        let scratch = try guide(["one 20:00-21:00 News"], [WatchRule(name: "news", WatchConditions(title: "news"))])
        let sender = RecordingSender()
        sender.behavior = .fails
        for minute in stride(from: 0, through: 70, by: 1) {
            _ = try run(scratch.database, sender, at: Day.instant("20:00").advanced(by: Int64(minute) * 60))
        }
        #expect(Set(sender.keys).count == 1)
        // At 20:00, and after pauses of 0.5, 1, 2, 4, 8, 15 and 15 minutes, which end at the next full minute.
        #expect(sender.keys.count == 8)
        let stored = try scratch.database.read { try $0.reminders() }
        #expect(stored.map(\.state) == [.failed])
        #expect(stored.first?.failures == 8)
        #expect(stored.first?.error == "refused")
    }

    @Test func profilesLimitTargets() throws {
        let rules = try [
            WatchRule(name: "a", profile: "anna", WatchConditions(title: "news")),
            WatchRule(name: "b", profile: "ben", WatchConditions(title: "news")),
        ]
        let scratch = try guide(["one 20:00-21:00 News"], rules)
        let sender = RecordingSender()
        let targets = ["anna", "ben", ""].map { profile in
            ReminderTarget(
                kind: .webhook, settings: SourceConfiguration(Source(name: "to \(profile)")),
                profiles: profile.isEmpty ? [] : [profile])
        }
        _ = try run(scratch.database, sender, at: Day.instant("20:00"), targets: targets)
        #expect(sender.targets.sorted() == ["to ", "to ", "to anna", "to ben"])
        #expect(Set(sender.keys).count == 2)
    }

    /// Random moves, crashes and changes of the clock against a list of what must and must not have been sent.
    @Test(arguments: 1...(isSlow ? 200 : 6)) func remindersAreSentAtLeastOnceWithOneKey(seed: Int) throws {
        for isOnce in [false, true] {
            var world = try ReminderWorld(seed: UInt64(seed) * 2 + (isOnce ? 1 : 0), isOncePerEpisode: isOnce)
            for _ in 0..<100 { try world.step() }
            #expect(world.keysByProgramme.values.allSatisfy { $0.count == 1 }, "\(world.keysByProgramme)")
            #expect(world.keysByProgramme.count > 5)
        }
    }
}

/// A guide on disk in a temporary folder.
private final class ReminderGuide: Sendable {
    private let folder: TemporaryFolder
    let database: GuideDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = GuideDatabase(path: folder.path(of: "guide.sqlite"))
    }

    var path: String { database.location }
}

/// A sender that records what it gets.
private final class RecordingSender: ReminderSending {
    enum Behavior { case confirms, fails, failsAfterDelivery }

    private struct State {
        var messages: [(ReminderMessage, String)] = []
        var behavior = Behavior.confirms
    }

    private let state = Mutex(State())
    private let onSend: @Sendable (ReminderMessage) -> Void

    init(onSend: @escaping @Sendable (ReminderMessage) -> Void = { _ in }) {
        self.onSend = onSend
    }

    var behavior: Behavior {
        get { state.withLock { $0.behavior } }
        set { state.withLock { $0.behavior = newValue } }
    }

    func send(_ message: ReminderMessage, to target: ReminderTarget) throws(ReminderFailure) {
        onSend(message)
        let behavior = state.withLock { state in
            state.messages.append((message, target.recipient.name))
            return state.behavior
        }
        if behavior != .confirms { throw ReminderFailure("refused") }
    }

    var messages: [ReminderMessage] { state.withLock { $0.messages.map(\.0) } }
    var titles: [String] { messages.map(\.title) }
    var keys: [String] { messages.map(\.key) }
    var targets: [String] { state.withLock { $0.messages.map(\.1) } }
    /// The descriptions in the JSON.
    var texts: [String] {
        messages.compactMap { message in
            let json = String(decoding: message.json, as: UTF8.self)
            return json.firstMatch(of: /"description":"([^"]*)"/).map { String($0.1) }
        }
    }
}

/// A store that counts writes.
private final class CountingStorage: ForwardingStorage, @unchecked Sendable {
    private let count = Mutex(0)
    var writes: Int { count.withLock { $0 } }

    override func write<Answer>(
        waiting wait: LockWait, _ body: (any GuideWriting) throws -> Answer
    ) throws -> Answer {
        count.withLock { $0 += 1 }
        return try super.write(waiting: wait, body)
    }
}

/// A store whose process dies at a write: before it, or after it was committed.
private final class DyingStorage: ForwardingStorage, @unchecked Sendable {
    struct Death: Error {}

    /// The writes before the death; `nil` to survive.
    private let left: Mutex<Int?>
    private let isAfterCommit: Bool

    init(_ storage: any GuideStorage, after writes: Int?, isAfterCommit: Bool) {
        left = Mutex(writes)
        self.isAfterCommit = isAfterCommit
        super.init(storage)
    }

    override func write<Answer>(
        waiting wait: LockWait, _ body: (any GuideWriting) throws -> Answer
    ) throws -> Answer {
        let dies = left.withLock { left in
            guard let count = left else { return false }
            left = count - 1
            return count == 0
        }
        if dies, !isAfterCommit { throw Death() }
        let answer = try super.write(waiting: wait, body)
        if dies { throw Death() }
        return answer
    }
}

/// A guide whose programmes move between imports, a clock that jumps, and a sender whose process dies.
///
/// Every programme is on once, so that each may have one key only. A run that ends must have sent all reminders that are due.
private struct ReminderWorld {
    private struct Programme {
        let name: String
        var text: String
        let isWatched: Bool
    }

    private let scratch: ReminderGuide
    private let rule: WatchRule
    private let sender = RecordingSender()
    private var random: SeededGenerator
    private var now = Day.instant("18:00")
    /// The programmes of each station in order, each for 20 minutes from 18:00 on. `nil` is a gap.
    private var stations: [[Programme?]]

    private static let first = Day.instant("18:00")
    private static let length: Int64 = 1200

    init(seed: UInt64, isOncePerEpisode: Bool) throws {
        random = SeededGenerator(seed: seed)
        scratch = try ReminderGuide()
        rule = try WatchRule(
            name: "watched", WatchConditions(category: "Watched"), isOncePerEpisode: isOncePerEpisode, minutesBefore: 5)
        stations = (0..<2).map { station in
            (0..<24).map { index in
                Programme(name: "P\(station)-\(index)", text: "Text \(index)", isWatched: index % 3 != 0)
            }
        }
        try importGuide()
        try scratch.database.write { [rule] in try $0.saveWatchRule(rule) }
    }

    /// The keys that were received for each programme.
    var keysByProgramme: [String: Set<String>] {
        Dictionary(sender.messages.map { ($0.title, [$0.key]) }) { $0.union($1) }
    }

    mutating func step() throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try swap()
        case 1: try shift()
        case 2: try vanish()
        case 4: now = now.advanced(by: -Int64.random(in: 0..<3600, using: &random))
        case 5: now = now.advanced(by: Int64.random(in: 0..<3600, using: &random))
        default: now = now.advanced(by: Int64.random(in: 0..<600, using: &random))
        }
        try send()
    }

    // MARK: - The guide

    private func window(_ index: Int) -> TimeWindow {
        let start = Self.first.advanced(by: Int64(index) * Self.length)
        return TimeWindow(start: start, end: start.advanced(by: Self.length))
    }

    private func importGuide() throws {
        var records: [String] = []
        for (station, programmes) in stations.enumerated() {
            // Fixed airings around, so that each import covers the same time.
            records.append("s\(station) 16:00-16:30 Before")
            for (index, programme) in programmes.enumerated() {
                guard let programme else { continue }
                let times = [window(index).start, window(index).end].map { Day.stamp(Day.clock($0)) }
                records.append(
                    "<programme start=\"\(times[0])\" stop=\"\(times[1])\" channel=\"s\(station)\"><title>\(programme.name)</title>"
                        + "<sub-title>\(programme.name)</sub-title><desc>\(programme.text)</desc>"
                        + "<category>\(programme.isWatched ? "Watched" : "Other")</category></programme>")
            }
            records.append("s\(station) 40:00-41:00 After")
        }
        let text = Day.guide(records)
        _ = try scratch.database.write { try $0.importing(text: text) }
    }

    /// Exchanges two programmes of a station.
    private mutating func swap() throws {
        let station = Int.random(in: 0..<stations.count, using: &random)
        let first = Int.random(in: 0..<24, using: &random)
        let second = min(23, max(0, first + Int.random(in: -6...6, using: &random)))
        stations[station].swapAt(first, second)
        try importGuide()
    }

    /// Moves all programmes of a station from one on by a place; the last one is dropped if it is a gap.
    private mutating func shift() throws {
        let station = Int.random(in: 0..<stations.count, using: &random)
        guard let gap = stations[station].indices.filter({ stations[station][$0] == nil }).randomElement(using: &random)
        else { return try vanish() }
        let place = Int.random(in: 0..<24, using: &random)
        stations[station].remove(at: gap)
        stations[station].insert(nil, at: place)
        try importGuide()
    }

    /// Removes a programme that is not watched, so that there is a gap.
    private mutating func vanish() throws {
        let station = Int.random(in: 0..<stations.count, using: &random)
        let others = stations[station].indices.filter { stations[station][$0]?.isWatched == false }
        guard let index = others.randomElement(using: &random) else { return }
        stations[station][index] = nil
        try importGuide()
    }

    // MARK: - Sending

    private mutating func send() throws {
        sender.behavior =
            [.confirms, .confirms, .confirms, .fails, .failsAfterDelivery].randomElement(using: &random) ?? .confirms
        let dies = Int.random(in: 0..<3, using: &random) == 0
        let storage = DyingStorage(
            scratch.database, after: dies ? Int.random(in: 0..<4, using: &random) : nil,
            isAfterCommit: Bool.random(using: &random))
        let target = ReminderTarget(
            kind: .webhook, settings: SourceConfiguration(Source(name: "phone")), profiles: [])
        let now = now
        do {
            _ = try ReminderRun(storage, targets: [target], zone: .utc, publicURL: nil, sender: sender, now: { now })
                .send()
        } catch is DyingStorage.Death {
            return
        }
        guard sender.behavior == .confirms else { return }
        let records = try scratch.database.read { try $0.reminders() }
        let waiting = records.filter { $0.state != .sent && ($0.notBefore ?? now) > now }.map(\.title)
        for programmes in stations {
            for (index, programme) in programmes.enumerated() {
                guard let programme, programme.isWatched, !waiting.contains(programme.name) else { continue }
                let isDue = rule.dueTime(of: window(index)) <= now && now < window(index).end
                if isDue {
                    #expect(
                        keysByProgramme[programme.name] != nil,
                        "\(programme.name) at \(Day.clock(now)): \(records.filter { $0.title == programme.name })")
                }
            }
        }
    }
}
