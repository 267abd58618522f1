package import EPGCalendar
package import EPGModel

/// Sends all reminders that are due, once.
///
/// Each reminder is recorded in the guide before it is sent and after it was confirmed. The guide is not locked while a target is
/// requested, and nothing is written if nothing is due. Only one process sends at a time.
package struct ReminderRun: Sendable {
    private let guide: any GuideStorage
    private let targets: [ReminderTarget]
    private let zone: Zone
    private let publicURL: String?
    private let sender: any ReminderSending
    private let index: WatchIndex
    private let now: @Sendable () -> Instant
    private let isCancelled: @Sendable () -> Bool

    /// The maximum time that a run waits for an import to finish.
    private static let longestWait = Duration.seconds(300)

    /// - Parameters:
    ///   - targets: The targets in the settings.
    ///   - zone: The time zone of times of day in rules, and of texts.
    ///   - publicURL: The public URL of the service, for links; `nil` for none.
    ///   - index: What former runs on the same guide have read; by default, nothing.
    ///   - now: Returns the current time.
    ///   - isCancelled: Returns whether to end the run. Unsent reminders follow in the next one.
    package init(
        _ guide: any GuideStorage, targets: [ReminderTarget], zone: Zone, publicURL: String?,
        sender: any ReminderSending, index: WatchIndex = WatchIndex(), now: @escaping @Sendable () -> Instant,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.guide = guide
        self.targets = targets
        self.zone = zone
        self.publicURL = publicURL
        self.sender = sender
        self.index = index
        self.now = now
        self.isCancelled = isCancelled
    }

    /// Returns whether there is anything to send or to record now.
    ///
    /// - Parameter pause: The result of the last check, if nothing was due. While it holds, only the generation and the rules are
    ///   read.
    /// - Throws: An error of the store.
    package func isDue(after pause: inout ReminderPause?) throws -> Bool {
        let now = now()
        let last = pause
        pause = nil
        pause = try guide.read { reading in
            let (version, rules) = (try reading.version(), try reading.watchRules())
            if let last, last.version == version, last.rules == rules, last.begin <= now, now < last.end { return last }
            let plan = try plan(of: reading, now: now)
            return plan.isEmpty
                ? ReminderPause(version: version, rules: rules, begin: now, end: plan.nextDue) : nil
        }
        return pause == nil
    }

    private func plan(of reading: any GuideReading, now: Instant) throws -> ReminderPlan {
        try ReminderPlan(
            reading, to: targets.map(\.recipient), now: now, index: index,
            minuteOfDay: { [zone] in zone.minuteOfDay(at: $0) })
    }

    private func plan() throws -> ReminderPlan { try guide.read { try plan(of: $0, now: now()) } }

    /// Sends the reminders that are due. Blocks until all targets were requested.
    ///
    /// - Returns: The report; `nil` if another process is sending reminders.
    /// - Throws: An error of the store.
    package func send() throws -> ReminderReport? {
        let first = try plan()
        guard !first.isEmpty else { return ReminderReport(failures: first.failures) }
        return try guide.withReminderLock { () throws -> ReminderReport in
            // Another process may have sent them since.
            let plan = try self.plan()
            var report = ReminderReport(failures: plan.failures)
            guard !plan.isEmpty else { return report }
            let claimed = try write { guide in
                if !plan.expired.isEmpty { try guide.saveReminders(plan.expired) }
                return try guide.claimReminders(plan.due.map(\.reminder))
            }
            report.expired = plan.expired
            let stored = Dictionary(claimed.map { ([$0.key, $0.target], $0) }) { first, _ in first }
            // A target that fails does not delay the others.
            var pauses: [String: Instant?] = [:]
            var waiting: [Reminder] = []
            for entry in plan.due where !isCancelled() {
                guard var reminder = stored[[entry.reminder.key, entry.reminder.target]],
                    let target = targets.first(where: { $0.recipient.name == reminder.target })
                else { continue }
                if let pause = pauses[reminder.target] {
                    reminder.wait(until: pause, at: now())
                    waiting.append(reminder)
                    continue
                }
                do throws(ReminderFailure) {
                    try sender.send(ReminderMessage(entry, zone: zone, publicURL: publicURL), to: target)
                    reminder.state = .sent
                    reminder.changed = now()
                    reminder.notBefore = nil
                    reminder.error = nil
                    report.sent.append(reminder)
                } catch {
                    // An interrupted request is repeated by the next run.
                    if isCancelled() { break }
                    reminder.fail(error.description, at: now(), retryAfter: error.retryAfter)
                    if error.isOfTarget { pauses[reminder.target] = .some(reminder.notBefore) }
                    report.failed.append(reminder)
                }
                let outcome = reminder
                try write { try $0.saveReminders([outcome]) }
            }
            if !waiting.isEmpty { try write { [waiting] in try $0.saveReminders(waiting) } }
            return report
        }
    }

    private func write<Value>(_ body: (any GuideWriting) throws -> Value) throws -> Value {
        let end = ContinuousClock.now + Self.longestWait
        return try guide.write(waiting: .until { [isCancelled] in isCancelled() || ContinuousClock.now > end }, body)
    }
}

/// A time in which no reminder is due.
package struct ReminderPause: Sendable {
    fileprivate let version: GuideVersion
    fileprivate let rules: [WatchRule]
    fileprivate let begin: Instant
    fileprivate let end: Instant
}

/// The result of a ``ReminderRun``.
package struct ReminderReport: Sendable {
    /// The reminders that were confirmed.
    package fileprivate(set) var sent: [Reminder] = []
    /// The reminders that were not confirmed, and are sent again.
    package fileprivate(set) var failed: [Reminder] = []
    /// The reminders that were given up.
    package fileprivate(set) var expired: [Reminder] = []
    /// Rules that could not be evaluated.
    package let failures: [WatchFailure]

    fileprivate init(failures: [WatchFailure]) {
        self.failures = failures
    }

    /// Whether every due reminder was confirmed.
    package var isSuccess: Bool { failed.isEmpty && expired.isEmpty && failures.isEmpty }

    /// Sentences about what went wrong.
    package var problems: [String] {
        let failed = failed.map {
            "Cannot remind “\($0.target)” of \($0.title): \($0.error ?? "unknown reason"). It is tried again."
        }
        let expired = expired.map { "“\($0.target)” was not reminded of \($0.title): \($0.error ?? "unknown reason")." }
        let rules = failures.map { "Cannot evaluate the rule “\($0.rule.name)”: \($0.error)" }
        return failed + expired + rules
    }
}
