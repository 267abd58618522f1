import EPGCalendar
import EPGModel
import EPGRefresh
import EPGStore
import Foundation
import StoreConformance
import Synchronization
import TestSupport
import Testing

/// Tests of the reminders that a run sends: each at least once, with one key, over failures, moves and changes of the clock.
@Suite struct ReminderRunTests {
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
        let writes = try ["19:00", "19:55", "19:56"].map { clock in
            _ = try run(storage, RecordingSender(), at: Day.instant(clock))
            return storage.writes
        }
        #expect(writes == [0, 2, 2])
    }

    @Test func otherProcessIsLeftToSend() throws {
        let scratch = try guide(["one 20:00-21:00 News"], [WatchRule(name: "news", WatchConditions(title: "news"))])
        let sender = RecordingSender()
        let outcome = try scratch.database.withReminderLock {
            try run(GuideDatabase(path: scratch.path), sender, at: Day.instant("20:10")) == nil
        }
        #expect((outcome, sender.titles) == (true, []))
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
        #expect((sender.texts, Set(sender.keys).count) == (["A.", "C.", "B."], 3))
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
        #expect((sender.titles, Set(sender.keys).count) == (["A", "News", "Late", "Z"], 4))
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
            #expect((sender.keys.count, Set(sender.keys).count) == (count, count), "\(later)")
        }
    }

    @Test(arguments: ["43:50-44:50", "44:10-45:10", "44:30-45:30", "40:00-41:00"])
    func displacedEpisodeOfADailyProgrammeIsNotRemindedOfAgain(moved: String) throws {
        // Only the title is known, and the same programme is on at the same time of the other days.
        let others = [
            "one 20:00-21:00 Strip", "one 68:00-69:00 Strip", "one 12:00-13:00 Before", "one 70:00-71:00 After",
        ]
        let scratch = try guide(
            others + ["one 44:00-45:00 Strip"],
            [WatchRule(name: "strip", WatchConditions(title: "strip"), minutesBefore: 10)])
        let sender = RecordingSender()
        _ = try run(scratch.database, sender, at: Day.instant("43:50"))
        #expect(sender.titles == ["Strip"])
        let special = moved.hasPrefix("43") ? "44:50-45:30" : "44:00-44:10"
        _ = try scratch.database.write {
            try $0.importing(text: Day.guide(others + ["one \(special) Special", "one \(moved) Strip"]))
        }
        for clock in ["40:00", "43:51", "44:10", "44:40"] {
            _ = try run(scratch.database, sender, at: Day.instant(clock))
        }
        #expect(sender.titles == ["Strip"])
        // The next day has a reminder of its own.
        _ = try run(scratch.database, sender, at: Day.instant("67:50"))
        #expect((sender.titles, Set(sender.keys).count) == (["Strip", "Strip"], 2))
    }

    @Test func canceledEpisodeDoesNotTakeTheReminderOfTheNextDay() throws {
        let fixed = ["one 12:00-13:00 Before", "one 70:00-71:00 After"]
        let rule = try WatchRule(name: "strip", WatchConditions(title: "strip"), minutesBefore: 10)
        let scratch = try guide(fixed + ["one 20:00-21:00 Strip"], [rule])
        let sender = RecordingSender()
        _ = try run(scratch.database, sender, at: Day.instant("19:50"))
        // The guide gets longer, and the episode is canceled.
        _ = try scratch.database.write {
            try $0.importing(text: Day.guide(fixed + ["one 20:00-21:00 Special", "one 44:00-45:00 Strip"]))
        }
        _ = try run(scratch.database, sender, at: Day.instant("43:50"))
        #expect(Set(sender.keys).count == 2)
    }

    @Test func refusedReminderDoesNotDelayOthersOfItsTarget() throws {
        let scratch = try guide(
            (0..<6).map { "s\($0) 20:00-21:00 Bad \($0)" } + ["s6 20:00-21:00 Good"],
            [WatchRule(name: "good", WatchConditions(title: "Good"))]
                + (0..<6).map { try WatchRule(name: "bad \($0)", WatchConditions(title: "Bad \($0)")) })
        let sender = RecordingSender()
        sender.refusedTitles = Set((0..<6).map { "Bad \($0)" })
        let report = try #require(try run(scratch.database, sender, at: Day.instant("20:00")))
        #expect((report.sent.map(\.title), report.failed.count) == (["Good"], 6))
    }

    @Test func unreachableTargetIsRequestedOncePerRunAndUnsentRemindersCountNoFailure() throws {
        let titles = ["A", "B", "C"]
        let scratch = try guide(
            titles.enumerated().map { "s\($0) 20:0\($0)-21:00 \($1)" },
            titles.map { try WatchRule(name: $0, WatchConditions(title: $0), minutesBefore: 30) })
        let sender = RecordingSender()
        sender.behavior = .isUnreachable
        _ = try run(scratch.database, sender, at: Day.instant("20:00"))
        #expect(sender.titles == ["A"])
        let stored = try scratch.database.read { try $0.reminders() }
        let notBefore = Day.instant("20:00").advanced(by: 30)
        #expect(
            stored.map { "\($0.failures) \($0.error ?? "-") \($0.notBefore.map { "\($0)" } ?? "-")" }
                == ["1 unreachable \(notBefore)", "0 - \(notBefore)", "0 - \(notBefore)"])
        // Those that have not failed come first.
        _ = try run(scratch.database, sender, at: Day.instant("20:01"))
        #expect(sender.titles == ["A", "B"])
        sender.behavior = .confirms
        _ = try run(scratch.database, sender, at: Day.instant("20:03"))
        #expect((sender.titles, Set(sender.keys).count) == (["A", "B", "C", "A", "B"], 3))
    }

    @Test func repeatIsSentToEachTargetThatMissedTheFirstAiring() throws {
        let scratch = try guide(
            ["one 20:00-21:00 Tide / First", "one 22:00-23:00 Tide / First"],
            [WatchRule(name: "tide", WatchConditions(title: "tide"), isOncePerEpisode: true)])
        let targets = ["A", "B"].map {
            ReminderTarget(kind: .webhook, settings: SourceConfiguration(Source(name: $0)), profiles: [])
        }
        let sender = RecordingSender()
        sender.behavior = .fails
        for clock in ["20:00", "21:30"] {
            _ = try run(scratch.database, sender, at: Day.instant(clock), targets: targets)
        }
        #expect(try scratch.database.read { try $0.reminders() }.map(\.state) == [.failed, .failed])
        sender.refusedTargets = ["B"]
        sender.behavior = .confirms
        _ = try run(scratch.database, sender, at: Day.instant("22:00"), targets: targets)
        let stored = try scratch.database.read { try $0.reminders() }
        #expect((stored.map(\.state), stored.map(\.failures)) == ([.sent, .sending], [0, 1]))
        #expect(stored.map(\.window) == Array(repeating: Day.window("22:00-23:00"), count: 2))
        sender.refusedTargets = []
        let report = try run(scratch.database, sender, at: Day.instant("22:10"), targets: targets)
        #expect((report?.isSuccess, report?.sent.map(\.target)) == (true, ["B"]))
        // The running repeat stays on the list.
        let list = try scratch.database.read { reading in
            try Watchlist(reading, now: Day.instant("22:20"), reminders: reading.reminders()) { _ in 0 }
                .airings(of: reading.watchRules(), until: Day.instant("24:00")).airings
        }
        #expect(list.map { Day.clock($0.airing.window.start) } == ["22:00"])
        #expect(Set(sender.keys).count == 1)
    }

    @Test func unconfirmedReminderIsNotRepeatedToATargetOfOtherProfiles() throws {
        let scratch = try guide(
            ["one 20:00-21:00 News"], [WatchRule(name: "a", profile: "anna", WatchConditions(title: "news"))])
        let sender = RecordingSender()
        sender.behavior = .fails
        _ = try run(scratch.database, sender, at: Day.instant("20:00"))
        let restricted = ReminderTarget(
            kind: .webhook, settings: SourceConfiguration(Source(name: "phone")), profiles: ["ben"])
        _ = try run(scratch.database, sender, at: Day.instant("20:10"), targets: [restricted])
        #expect(sender.titles.count == 1)
    }

    @Test func nothingIsEvaluatedAgainUntilTheNextReminderIsDue() throws {
        let scratch = try guide(
            ["one 20:00-21:00 News", "one 21:00-22:00 Film"],
            [WatchRule(name: "news", WatchConditions(title: "news"), minutesBefore: 5)])
        let storage = CountingStorage(scratch.database)
        func isDue(_ clock: String, _ pause: inout ReminderPause?) throws -> Bool {
            try ReminderRun(
                storage, targets: [Self.phone], zone: .utc, publicURL: nil, sender: RecordingSender(),
                now: { Day.instant(clock) }
            ).isDue(after: &pause)
        }
        var pause: ReminderPause?
        /// Expects whether a check evaluates the rules, and whether a reminder is due then.
        func check(
            _ clock: String, evaluates: Bool, isDue expected: Bool = false,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let before = storage.evaluations
            let found = try isDue(clock, &pause)
            #expect(
                (found, storage.evaluations > before) == (expected, evaluates), "\(clock)",
                sourceLocation: sourceLocation)
        }
        try check("19:45", evaluates: true)
        try check("19:46", evaluates: false)
        try check("19:54", evaluates: false)
        try check("19:55", evaluates: true, isDue: true)
        #expect(pause == nil)
        // The clock goes back, and the next evaluation is due after 15 minutes.
        try check("18:00", evaluates: true)
        try check("18:14", evaluates: false)
        try check("18:15", evaluates: true)
        try check("18:10", evaluates: true)
        // A new rule, and a new guide.
        try scratch.database.write {
            try $0.saveWatchRule(WatchRule(name: "film", WatchConditions(title: "film"), minutesBefore: 170))
        }
        try check("18:11", evaluates: true, isDue: true)
        _ = try scratch.database.write { try $0.removeWatchRule(named: "film") }
        try check("18:11", evaluates: true)
        _ = try scratch.database.write {
            try $0.importing(text: Day.guide(["one 18:13-21:00 News", "one 21:00-22:00 Film"]))
        }
        try check("18:12", evaluates: true, isDue: true)
    }

    @Test func timesOfDayAreLocalOnTheDaysOfClockChanges() throws {
        let zone = try Zone(named: "Europe/London")
        let rule = try WatchRule(
            name: "night", WatchConditions(station: StationID("one"), times: TimesOfDay("1:00-2:00")))
        // Clocks go from 1:00 to 2:00 on 29 March 2026, and from 2:00 back to 1:00 on 25 October 2026, both at 1:00 UTC.
        for (day, hours) in [
            ("20260328", ["01"]), ("20260329", []), ("20260330", ["00"]), ("20261024", ["00"]),
            ("20261025", ["00", "01"]), ("20261026", ["01"]),
        ] {
            let scratch = try ReminderGuide()
            let records = ["00", "01", "02", "03"].map { hour in
                "<programme start=\"\(day)\(hour)0000 +0000\" stop=\"\(day)\(hour)3000 +0000\" channel=\"one\"><title>\(hour)</title></programme>"
            }
            let found = try scratch.database.write { guide in
                try guide.importing(text: Day.guide(records))
                let start = try #require(try guide.guideSpan()?.start)
                return try Watchlist(guide, now: start) { zone.minuteOfDay(at: $0) }
                    .airings(of: [rule], until: start.advanced(by: 86_400)).airings
            }
            #expect(found.map(\.airing.title) == hours, "\(day)")
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
        // At 20:00, and after pauses of 0.5, 1, 2, 4, 8, 15 and 15 minutes, which end at the next full minute.
        #expect((sender.keys.count, Set(sender.keys).count) == (8, 1))
        let stored = try scratch.database.read { try $0.reminders() }
        #expect(stored.map { "\($0.state) \($0.failures) \($0.error ?? "-")" } == ["failed 8 refused"])
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
        #expect(
            (sender.targets.sorted(), Set(sender.keys).count) == (["to ", "to ", "to anna", "to ben"], 2))
    }

    /// Random moves, crashes and changes of the clock against a list of what must and must not have been sent.
    @Test(arguments: 1...(TestScope.current < .release ? 6 : 200))
    func remindersAreSentAtLeastOnceWithOneKey(seed: Int) throws {
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
    enum Behavior { case confirms, fails, failsAfterDelivery, isUnreachable }

    private struct State {
        var messages: [(ReminderMessage, String)] = []
        var behavior = Behavior.confirms
        var refusedTitles: Set<String> = []
        var refusedTargets: Set<String> = []
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
    /// Titles and targets that fail in any case.
    var refusedTitles: Set<String> {
        get { state.withLock { $0.refusedTitles } }
        set { state.withLock { $0.refusedTitles = newValue } }
    }
    var refusedTargets: Set<String> {
        get { state.withLock { $0.refusedTargets } }
        set { state.withLock { $0.refusedTargets = newValue } }
    }

    func send(_ message: ReminderMessage, to target: ReminderTarget) throws(ReminderFailure) {
        onSend(message)
        let behavior = state.withLock { state in
            let name = target.recipient.name
            state.messages.append((message, name))
            return state.refusedTitles.contains(message.title) || state.refusedTargets.contains(name)
                ? .fails : state.behavior
        }
        if behavior == .isUnreachable { throw ReminderFailure("unreachable", isOfTarget: true) }
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

/// A store that counts writes, and reads of the reminders.
private final class CountingStorage: ForwardingStorage, @unchecked Sendable {
    private let count = Mutex(0)
    private let reads = Atomic(0)
    var writes: Int { count.withLock { $0 } }
    /// The number of times that the reminders were read.
    var evaluations: Int { reads.load(ordering: .relaxed) }

    private final class Reading: ForwardingReading, @unchecked Sendable {
        private let onReminders: () -> Void

        init(_ reading: any GuideReading, _ onReminders: @escaping () -> Void) {
            self.onReminders = onReminders
            super.init(reading)
        }

        override func reminders() throws -> [Reminder] {
            onReminders()
            return try super.reminders()
        }
    }

    override func substitute(for guide: any GuideReading) -> any GuideReading {
        Reading(guide) { [self] in reads.add(1, ordering: .relaxed) }
    }

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
/// Every programme is on once, so that each may have one key only. On one station, a programme without a description is on every
/// two hours, and specials displace it. A run that ends must have sent all reminders that are due.
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
    /// The minutes by which specials displace each airing of the strip, from 0 to 50.
    private var delays = [0, 0, 0, 0]

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
        let named = sender.messages.map { message in
            guard message.title == "Strip",
                let start = String(decoding: message.json, as: UTF8.self).firstMatch(of: /"start":"([^"]*)"/),
                let instant = Instant(absolute: String(start.1))
            else { return (message.title, Set([message.key])) }
            return ("Strip \(Self.first.seconds(to: instant) / 7200)", [message.key])
        }
        return Dictionary(named) { $0.union($1) }
    }

    mutating func step() throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try swap()
        case 1: try shift()
        case 2: try vanish()
        case 3: try displace()
        case 4: now = now.advanced(by: -Int64.random(in: 0..<3600, using: &random))
        case 5: now = now.advanced(by: Int64.random(in: 0..<3600, using: &random))
        default: now = now.advanced(by: Int64.random(in: 0..<600, using: &random))
        }
        // A clock outside the guide has nothing to send.
        if now < Self.first.advanced(by: -600) || now >= window(24).start { now = Self.first }
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
        records += ["strips 16:00-16:30 Before", "strips 40:00-41:00 After"]
        for (slot, delay) in delays.enumerated() {
            let times = [stripWindow(slot).start, stripWindow(slot).end].map { Day.stamp(Day.clock($0)) }
            records.append(
                "<programme start=\"\(times[0])\" stop=\"\(times[1])\" channel=\"strips\"><title>Strip</title>"
                    + "<category>Watched</category></programme>")
            let begin = 18 + 2 * slot
            if delay > 0 { records.append("strips \(begin):00-\(begin):\(delay) Special \(slot)") }
        }
        let text = Day.guide(records)
        _ = try scratch.database.write { try $0.importing(text: text) }
    }

    private func stripWindow(_ slot: Int) -> TimeWindow {
        let start = Self.first.advanced(by: Int64(slot) * 7200 + Int64(delays[slot]) * 60)
        return TimeWindow(start: start, end: start.advanced(by: 1800))
    }

    /// Moves an airing of the strip behind a special, or back.
    private mutating func displace() throws {
        delays[Int.random(in: 0..<delays.count, using: &random)] = Int.random(in: 0...5, using: &random) * 10
        try importGuide()
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
        for slot in delays.indices where !waiting.contains("Strip") {
            if rule.dueTime(of: stripWindow(slot)) <= now && now < stripWindow(slot).end {
                #expect(keysByProgramme["Strip \(slot)"] != nil, "strip \(slot) at \(Day.clock(now))")
            }
        }
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
