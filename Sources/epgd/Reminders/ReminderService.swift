import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import Glibc
import Logging
import ServiceLifecycle

/// Sends the reminders of the watchlist while the service runs.
///
/// The service only reads the guide to find out whether a reminder is due. A separate process sends it, as `epg watch send` does,
/// so that neither a target nor a writer delays responses. With several services on one guide, one of them sends.
struct ReminderService: Service {
    let guide: any GuideStorage
    let targets: [ReminderTarget]
    /// Returns the current time zone of the settings.
    let zone: @Sendable () -> Zone
    let now: @Sendable () -> Instant
    /// Settings from the start of the service, which override the current file.
    let flags: [String]
    let logger: Logger
    private let index = WatchIndex()

    /// The time between two checks.
    private static let pause = Duration.seconds(15)

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await work() }
        } catch is CancellationError {
            // The service ends.
        }
    }

    private func work() async throws {
        logger.info("sends reminders", metadata: ["targets": "\(targets.count)"])
        var lastProblem: String?
        var pause: ReminderPause?
        while true {
            do {
                pause = try await DedicatedThread.run { [last = pause] isCancelled in
                    try check(after: last, isCancelled: isCancelled)
                }
                lastProblem = nil
            } catch {
                try Task.checkCancellation()
                pause = nil
                // Log the same problem once, not with each check.
                let problem = DaemonFailure.message(of: error)
                if problem != lastProblem { logger.error("cannot send reminders", metadata: ["reason": "\(problem)"]) }
                lastProblem = problem
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// Starts the process if a reminder is due, and waits for it. Returns the pause until the next one is due, if it is known.
    private func check(
        after pause: ReminderPause?, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> ReminderPause? {
        let run = ReminderRun(
            guide, targets: targets, zone: zone(), publicURL: nil, sender: NoSender(), index: index, now: now)
        var pause = pause
        guard try guide.exists && run.isDue(after: &pause) else { return pause }
        let termination = try WorkerProcess.run(["--remind-run"] + flags, isCancelled: isCancelled)
        if let termination, !isCancelled(), termination != .exit(ReminderProcess.failed) {
            logger.error("cannot send reminders", metadata: ["reason": "The process \(termination)."])
        }
        return nil
    }

    /// The service itself sends nothing.
    private struct NoSender: ReminderSending {
        func send(_ message: ReminderMessage, to target: ReminderTarget) throws(ReminderFailure) {
            throw ReminderFailure("not sent by this process")
        }
    }
}

/// The process that sends the reminders that are due, once, and logs the result.
struct ReminderProcess {
    /// The exit code if a target failed, which the process has logged.
    static let failed: Int32 = 1

    private let reminders: ReminderRun
    private let logger: Logger

    /// - Throws: As ``Daemon/init(reading:file:flags:)``.
    init(reading reader: ConfigurationReader, file: String?, flags: [String: [String]]) throws {
        let (configuration, guide, logger) = try reader.workerSettings(file: file, flags: flags)
        self.logger = logger
        let sender = ReminderSender(
            userAgent: "swift-epg/\(EPGDaemon.version)", privateHosts: configuration.privateHosts,
            secret: { try $0.value(environment: ProcessEnvironment.variables) },
            isCancelled: { Interruption.isRequested })
        reminders = ReminderRun(
            guide, targets: configuration.reminders,
            zone: try configuration.zone.map { try Zone(named: $0) } ?? .current, publicURL: configuration.publicURL,
            sender: sender, now: { Instant(secondsSince1970: Int64(time(nil))) },
            isCancelled: { Interruption.isRequested })
    }

    /// Sends the reminders; blocks until done or interrupted by a signal. Returns the exit code.
    func run() -> Int32 {
        WorkerProcess.yieldToService()
        Interruption.installHandlers(repetitionMilliseconds: 10_000)
        do {
            // Another service may be sending.
            guard let report = try reminders.send() else { return 0 }
            if !report.sent.isEmpty { logger.info("sent reminders", metadata: ["count": "\(report.sent.count)"]) }
            for problem in report.problems { logger.warning("\(problem)") }
            return report.isSuccess ? 0 : Self.failed
        } catch {
            logger.error("cannot send reminders", metadata: ["reason": "\(DaemonFailure.message(of: error))"])
            return Self.failed
        }
    }
}
