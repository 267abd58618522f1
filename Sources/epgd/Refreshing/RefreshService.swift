import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import ServiceLifecycle

/// Refreshes the guide on a schedule while the service runs.
///
/// Failures are logged. After a failure that may be temporary, such as an unreachable server, the service retries a few
/// times; otherwise it waits for the next scheduled run. While another process is refreshing or writing, it retries
/// every few seconds. When the service ends, it interrupts a running refresh, which leaves the guide unchanged.
struct RefreshService<Waiting: Clock>: Service where Waiting.Duration == Duration {
    /// Runs a refresh and logs the result; blocks until done or canceled. Returns whether it failed and a retry may succeed.
    typealias Refresh =
        @Sendable (_ trigger: RefreshTrigger, _ now: Instant, _ isCancelled: @escaping @Sendable () -> Bool) throws
        -> Bool

    /// Returns the current schedule; `nil` for requests only.
    private let schedule: @Sendable () -> CronSchedule?
    private let queue: RefreshQueue
    private let clock: Waiting
    private let now: @Sendable () -> Instant
    private let logger: Logger
    private let refresh: Refresh

    /// The time between attempts while another process is refreshing or writing.
    private static var busyPause: Duration { .seconds(10) }
    /// The delay before a retry and the number of retries, the same as in `epg-refresh.service`.
    private static var retryDelay: Duration { .seconds(1200) }
    private static var maximumRetries: Int { 3 }

    /// The result of an attempt.
    private enum AttemptResult {
        case done
        /// A failure that may be temporary.
        case failed
        /// Another process is refreshing or writing.
        case busy
    }

    /// - Parameters:
    ///   - schedule: Returns the current schedule; `nil` for requests only.
    ///   - queue: The requests of administrators, which do not wait for the schedule.
    ///   - clock: The clock for waiting.
    ///   - now: The time of day, for the schedule.
    init(
        _ schedule: @escaping @Sendable () -> CronSchedule?, queue: RefreshQueue = RefreshQueue(),
        clock: Waiting, now: @escaping @Sendable () -> Instant, logger: Logger, refresh: @escaping Refresh
    ) {
        self.schedule = schedule
        self.queue = queue
        self.clock = clock
        self.now = now
        self.logger = logger
        self.refresh = refresh
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await work() }
        } catch is CancellationError {
            // The service ends.
        }
    }

    private func work() async throws {
        var timer = schedule().map { CronTimer($0, from: now()) }
        log(timer)
        var trigger: RefreshTrigger? = timer == nil ? nil : .start
        var logsWaiting = true
        /// The time of the next retry.
        var retryTime: Waiting.Instant?
        var retriesLeft = Self.maximumRetries
        while true {
            try Task.checkCancellation()
            let current = schedule()
            if current != timer?.schedule {
                timer = current.map { CronTimer($0, from: now()) }
                log(timer)
            }
            if let request = queue.beginRequest(at: now()) {
                _ = try await attempt(request, logsWaiting: true)
                // The schedule may have changed in the meantime.
                continue
            }
            if timer?.isDue(at: now()) ?? false {
                (trigger, retriesLeft) = (.schedule, Self.maximumRetries)
            } else if trigger == nil, let instant = retryTime, instant <= clock.now {
                (trigger, retriesLeft) = (.failure, retriesLeft - 1)
            }
            if let due = trigger {
                queue.begin(at: now())
                let result = try await attempt(due, logsWaiting: logsWaiting)
                if result != .busy { trigger = nil }
                retryTime = result == .failed && retriesLeft > 0 ? clock.now.advanced(by: Self.retryDelay) : nil
                logsWaiting = trigger == nil
            }
            try await pause(trigger == nil ? timer?.pause(at: now()) : Self.busyPause)
        }
    }

    private func log(_ timer: CronTimer?) {
        guard let timer else { return }
        logger.info(
            "refreshes the guide",
            metadata: [
                "schedule": "\(timer.schedule)", "next": "\(timer.next.map(String.init(describing:)) ?? "never")",
            ])
    }

    /// Waits for a duration, or until there is a request or another schedule.
    ///
    /// - Parameter duration: `nil` to wait for the latter alone.
    private func pause(_ duration: Duration?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            if let duration { tasks.addTask { [clock] in try await clock.sleep(for: duration) } }
            tasks.addTask { [queue] in await queue.wait() }
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    /// Runs the refresh that ``queue`` has begun, on a separate thread.
    private func attempt(_ trigger: RefreshTrigger, logsWaiting: Bool) async throws -> AttemptResult {
        var failure: String?
        defer { queue.end(at: now(), failure: failure) }
        do {
            let hasTransientFailure = try await DedicatedThread.run { [refresh, queue, now] isCancelled in
                try refresh(trigger, now(), { isCancelled() || queue.isCancelled })
            }
            return hasTransientFailure ? .failed : .done
        } catch let error as StoreError where error.isTemporary {
            failure = "\(error) Try again later."
            if logsWaiting { logger.notice("refresh is waiting for another process", metadata: ["reason": "\(error)"]) }
            return .busy
        } catch {
            failure = DaemonFailure.message(of: error)
            logger.error("a refresh failed", metadata: ["reason": "\(failure ?? "")"])
            return .done
        }
    }
}

extension StoreError {
    /// Whether another process is refreshing or writing, so that a retry will succeed later.
    fileprivate var isTemporary: Bool {
        switch self {
        case .busy, .refreshing: true
        default: false
        }
    }
}

extension RefreshReport {
    /// Whether a failure may be temporary.
    var hasTransientFailure: Bool { failures.contains(where: \.isTransient) }

    /// Logs the result in one entry: as an error with all reasons if anything failed.
    func log(to logger: Logger) {
        var metadata: Logger.Metadata = [:]
        for keyword in ["imported", "unchanged", "not-modified", "not-due"] {
            let count = sources.count { $0.outcome.keyword == keyword }
            if count > 0 { metadata[keyword] = "\(count)" }
        }
        if prunedAirings > 0 { metadata["pruned"] = "\(prunedAirings)" }
        guard failures.isEmpty else {
            let failed = sources.filter { $0.outcome.failure != nil }
            if !failed.isEmpty { metadata["failed"] = "\(failed.count)" }
            metadata["reason"] = "\(reasons)"
            logger.error("a refresh failed", metadata: metadata)
            return
        }
        guard !wasCancelled else {
            logger.notice("refresh interrupted; the next one continues", metadata: metadata)
            return
        }
        let hasAttempts = sources.contains { $0.outcome.keyword != "not-due" }
        logger.log(level: hasAttempts || prunedAirings > 0 ? .info : .debug, "refreshed the guide", metadata: metadata)
    }

    /// The failed sources with their reasons, and other failures.
    private var reasons: String {
        var parts = sources.compactMap { source in source.outcome.failure.map { "\(source.name): \($0.sentence)" } }
        if let maintenanceFailure { parts.append("database maintenance: \(maintenanceFailure.sentence)") }
        return parts.joined(separator: " ")
    }
}

/// Determines when the next run of a schedule is due, by a clock that may be adjusted.
struct CronTimer {
    let schedule: CronSchedule
    /// The first run after the last check.
    private(set) var next: Instant?
    private var lastCheck: Instant

    /// The seconds that the clock may be set back without consequences; a smaller step would only repeat a run.
    private static let tolerance: Int64 = 3600
    /// The maximum time between two checks in seconds, because the clock may be set or the machine may sleep.
    private static let maximumPause: Int64 = 60

    init(_ schedule: CronSchedule, from now: Instant) {
        self.schedule = schedule
        next = schedule.next(after: now)
        lastCheck = now
    }

    /// Returns whether a run became due since the last check; several missed runs count as one.
    mutating func isDue(at now: Instant) -> Bool {
        let isSetBack = now.seconds(to: lastCheck) > CronTimer.tolerance
        lastCheck = isSetBack ? now : max(now, lastCheck)
        if isSetBack { next = schedule.next(after: now) }
        guard let run = next, run <= now else { return false }
        next = schedule.next(after: now)
        return true
    }

    /// Returns the time to wait before the next check.
    func pause(at now: Instant) -> Duration {
        guard let next else { return .seconds(CronTimer.maximumPause) }
        return .seconds(min(max(1, now.seconds(to: next)), CronTimer.maximumPause))
    }
}
