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
    private let now: @Sendable () -> Instant
    private let isCancelled: @Sendable () -> Bool

    /// The maximum time that a run waits for an import to finish.
    private static let longestWait = Duration.seconds(300)

    /// - Parameters:
    ///   - targets: The targets in the settings.
    ///   - zone: The time zone of times of day in rules, and of texts.
    ///   - publicURL: The public URL of the service, for links; `nil` for none.
    ///   - now: Returns the current time.
    ///   - isCancelled: Returns whether to end the run. Unsent reminders follow in the next one.
    package init(
        _ guide: any GuideStorage, targets: [ReminderTarget], zone: Zone, publicURL: String?,
        sender: any ReminderSending, now: @escaping @Sendable () -> Instant,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.guide = guide
        self.targets = targets
        self.zone = zone
        self.publicURL = publicURL
        self.sender = sender
        self.now = now
        self.isCancelled = isCancelled
    }

    /// Returns whether there is anything to send or to record now.
    ///
    /// - Throws: An error of the store.
    package func isDue() throws -> Bool { try !plan().isEmpty }

    private func plan() throws -> ReminderPlan {
        try guide.read { reading in
            try ReminderPlan(
                reading, to: targets.map(\.recipient), now: now(), minuteOfDay: { zone.minuteOfDay(at: $0) })
        }
    }

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
            var failing: [String: ReminderFailure] = [:]
            for entry in plan.due where !isCancelled() {
                guard var reminder = stored[[entry.reminder.key, entry.reminder.target]],
                    let target = targets.first(where: { $0.recipient.name == reminder.target })
                else { continue }
                do throws(ReminderFailure) {
                    if let failure = failing[reminder.target] { throw failure }
                    try sender.send(ReminderMessage(entry, zone: zone, publicURL: publicURL), to: target)
                    reminder.state = .sent
                    reminder.changed = now()
                    reminder.notBefore = nil
                    reminder.error = nil
                    report.sent.append(reminder)
                } catch {
                    failing[reminder.target] = error
                    // An interrupted request is repeated by the next run.
                    if isCancelled() { break }
                    reminder.fail(error.description, at: now(), retryAfter: error.retryAfter)
                    report.failed.append(reminder)
                }
                let outcome = reminder
                try write { try $0.saveReminders([outcome]) }
            }
            return report
        }
    }

    private func write<Value>(_ body: (any GuideWriting) throws -> Value) throws -> Value {
        let end = ContinuousClock.now + Self.longestWait
        return try guide.write(waiting: .until { [isCancelled] in isCancelled() || ContinuousClock.now > end }, body)
    }
}

/// The result of a ``ReminderRun``.
package struct ReminderReport: Sendable {
    /// The reminders that were confirmed.
    package fileprivate(set) var sent: [Reminder] = []
    /// The reminders that were not confirmed, and are sent again.
    package fileprivate(set) var failed: [Reminder] = []
    /// The reminders that were given up.
    package fileprivate(set) var expired: [Reminder] = []
    /// Rules that could not be evaluated, with the reason.
    package let failures: [(rule: WatchRule, reason: String)]

    fileprivate init(failures: [(rule: WatchRule, reason: String)]) {
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
        let rules = failures.map { "Cannot evaluate the rule “\($0.rule.name)”: \($0.reason)" }
        return failed + expired + rules
    }
}
