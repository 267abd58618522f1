package import EPGCalendar
package import EPGModel
internal import Glibc

/// A configured source, with its schedule and the settings of its requests.
package struct SourcePlan: Hashable, Sendable {
    /// The settings of the source.
    package let configuration: SourceConfiguration
    /// The source's own schedule; `nil` if it has an interval or is due in every run.
    package let schedule: CronSchedule?

    /// Seconds after a transient failure until a source with a schedule or an interval is due again.
    private static let retryDelay: Int64 = 600
    /// Seconds after an import that ended the process until a source without a schedule or an interval is due again.
    private static let delayAfterCrash: Int64 = 3600
    /// Maximum `Retry-After` in seconds that is honored.
    private static let maximumRetryAfter: Int64 = 86_400

    /// Creates a source with the schedule in its settings.
    ///
    /// - Parameters:
    ///   - zone: The time zone of the schedule.
    ///   - machine: A seed for the random delay, so that it differs between machines.
    /// - Throws: `CronError` if the schedule is invalid.
    package init(_ configuration: SourceConfiguration, zone: Zone, machine: String = "") throws(CronError) {
        self.configuration = configuration
        guard let expression = configuration.schedule else {
            schedule = nil
            return
        }
        schedule = CronSchedule(
            try CronExpression(expression), in: zone, jitter: configuration.jitter,
            seed: "\(machine) \(configuration.source.name)")
    }

    /// Seconds between attempts of a source without a schedule; `nil` if it is due in every run.
    ///
    /// This is the interval minus a tenth of it or ten minutes, whichever is less, so that a nightly job that starts a few
    /// seconds earlier than the night before does not skip a day.
    private var minimumDelay: Int64? {
        guard let interval = configuration.source.interval, interval > 0 else { return nil }
        return interval - min(interval / 10, 600)
    }

    /// Returns when the source is due again; `nil` for every run.
    ///
    /// After a transient failure it is sooner; see ``notBefore(after:at:)``.
    package func nextRefresh(after state: SourceState) -> Instant? {
        if let notBefore = state.notBefore { return notBefore }
        guard let schedule else { return minimumDelay.flatMap { state.lastAttempt?.advanced(by: $0) } }
        return (state.lastError == nil ? state.lastSuccess : state.lastAttempt).flatMap(schedule.next(after:))
    }

    /// Returns when the source is due after a failure; `nil` for its next regular time.
    ///
    /// `Retry-After` is honored, up to one day. After a transient failure, a source with a schedule or an interval is
    /// due in the next run, but not within ten minutes (or its interval, if that is shorter).
    package func notBefore(after failure: RefreshFailure, at now: Instant) -> Instant? {
        if let seconds = failure.retryAfter { return now.advanced(by: min(max(0, seconds), Self.maximumRetryAfter)) }
        guard failure.isTransient else { return nil }
        if schedule != nil { return now.advanced(by: Self.retryDelay) }
        return minimumDelay.map { now.advanced(by: min($0, Self.retryDelay)) }
    }

    /// Returns when the source is due after an import that ended the process; `nil` for its next regular time.
    ///
    /// The same guide would probably end the next process too. A source that is due in every run waits for an hour, so
    /// that a restarted unit, or a server that retries, skips it.
    func notBeforeAfterCrash(at now: Instant) -> Instant? {
        schedule != nil || minimumDelay != nil ? nil : now.advanced(by: Self.delayAfterCrash)
    }

    /// Returns whether the source is due. Several missed runs count as one.
    ///
    /// A last attempt in the future was stored with a wrong clock and is ignored.
    package func isDue(at now: Instant, after state: SourceState) -> Bool {
        guard let schedule else {
            guard let next = nextRefresh(after: state), let lastAttempt = state.lastAttempt else { return true }
            return next <= now || lastAttempt > now
        }
        let isPlausible = state.lastAttempt.map { $0 <= now } ?? true
        if isPlausible, let notBefore = state.notBefore { return notBefore <= now }
        let hasFailed = state.lastError != nil && isPlausible
        return schedule.isDue(at: now, lastRun: hasFailed ? state.lastAttempt : state.lastSuccess)
    }

    /// The program that writes the guide; empty for a source with a location.
    var command: [String] { configuration.command }

    /// Returns the additional environment variables of the program.
    ///
    /// - Parameter secret: Reads a secret.
    /// - Throws: ``RefreshFailure`` if a secret cannot be read.
    func environment(secret: (Secret) throws -> String) throws(RefreshFailure) -> [String: String] {
        do {
            return try configuration.environment.reduce(into: [:]) { $0[$1.name] = try secret($1.value) }
        } catch {
            throw RefreshFailure(
                sentence: "A variable of this source's command is not available: \(error).",
                kind: .configuration)
        }
    }

    /// Adds the settings of the source to a request.
    ///
    /// - Parameter secret: Reads a secret.
    /// - Throws: ``RefreshFailure`` if a secret cannot be read.
    func add(to request: inout FetchRequest, secret: (Secret) throws -> String) throws(RefreshFailure) {
        request.sourceName = configuration.source.name
        request.timeLimit = configuration.timeLimit
        do {
            if let account = configuration.schedulesDirect {
                request.schedulesDirect = SchedulesDirectAccount(
                    username: account.username, password: try secret(account.password), lineups: account.lineups)
            }
            if let account = configuration.source.account, let password = configuration.xtreamPassword {
                request.setLocation(
                    ofAccount: account, server: configuration.source.location ?? "", password: try secret(password))
            }
            request.headers = try configuration.headers.map {
                HeaderField(name: $0.name, value: try secret($0.value))
            }
            if let token = configuration.token { request.headers.append(.bearer(try secret(token))) }
        } catch {
            throw RefreshFailure(
                sentence: "A secret of this source is not available: \(error).",
                kind: .configuration)
        }
    }
}

// MARK: - Settings

extension SourcePlan {
    /// Creates the plan of a source that is not configured.
    package init(of source: Source) { self.init(SourceConfiguration(source), schedule: nil) }

    /// Creates a source with a given schedule instead of its own; `nil` for its interval, or every run.
    init(_ configuration: SourceConfiguration, schedule: CronSchedule?) {
        self.configuration = configuration
        self.schedule = schedule
    }

    /// Returns configured sources by name. The first one of a name applies.
    ///
    /// - Parameters:
    ///   - zone: The time zone of their schedules.
    ///   - machine: See ``init(_:zone:machine:)``.
    package static func plans(
        of sources: [SourceConfiguration], zone: Zone, machine: String = MachineName.current
    ) throws(CronError) -> [String: SourcePlan] {
        var plans: [String: SourcePlan] = [:]
        for source in sources where plans[source.source.name] == nil {
            plans[source.source.name] = try SourcePlan(source, zone: zone, machine: machine)
        }
        return plans
    }
}

/// The schedule of a server's refreshes, and of its sources.
package struct ServiceSchedule: Hashable, Sendable {
    /// The schedule of the refreshes.
    package let schedule: CronSchedule
    private var plans: [String: SourcePlan]

    /// Maximum random delay of a run in seconds, so that servers do not all send requests at the same time.
    private static let jitter: Int64 = 600

    /// - Parameters:
    ///   - expression: The cron expression of the setting `refresh`.
    ///   - zone: The time zone of the expression.
    ///   - path: The guide's database. Together with the host name, it is the seed of the random delay.
    ///   - plans: The configured sources, by name.
    /// - Throws: `CronError` if the expression is invalid.
    package init(
        _ expression: String, in zone: Zone, databasePath path: String, plans: [String: SourcePlan]
    ) throws(CronError) {
        schedule = CronSchedule(
            try CronExpression(expression), in: zone, jitter: Self.jitter, seed: "\(MachineName.current) \(path)")
        self.plans = plans
    }

    /// Returns the first run after `now` in which a source is due; `nil` for a source without a location or command.
    package func nextRefresh(of source: Source, after state: SourceState, now: Instant) -> Instant? {
        let plan = plans[source.name] ?? SourcePlan(of: source)
        guard source.location != nil || !plan.command.isEmpty, !source.isConfigured || plans[source.name] != nil
        else { return nil }
        guard !plan.isDue(at: now, after: state), let due = plan.nextRefresh(after: state), due > now else {
            return schedule.next(after: now)
        }
        return schedule.next(after: due.advanced(by: -1))
    }
}

/// The host name of this machine (uname(2)).
package enum MachineName {
    /// The host name; empty if unavailable.
    package static var current: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "" }
        return withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
