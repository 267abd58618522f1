import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import ServiceLifecycle
import Synchronization

/// Refreshes the guide at the times of a timetable, for as long as the service runs.
///
/// A refresh that fails is logged. Where it may end better in a while (a server that isn't to be had, a network that isn't
/// there yet), it is tried again a few times; else the next one comes at its time. While another process refreshes or writes,
/// it is tried again every few seconds. When the service ends, a refresh that is under way is broken off; the guide then
/// stands as it was.
struct RefreshService<Waiting: Clock>: Service where Waiting.Duration == Duration {
    /// Refreshes at an instant; blocks until that is done, or until somebody says that it is to end.
    typealias Refresh =
        @Sendable (_ occasion: RefreshOccasion, _ now: Instant, _ isCancelled: @escaping @Sendable () -> Bool) throws
        -> any RefreshOutcome

    private let timetable: Timetable
    private let clock: Waiting
    private let now: @Sendable () -> Instant
    private let logger: Logger
    private let refresh: Refresh

    /// How long another process that refreshes or writes is left alone.
    private static var busyPause: Duration { .seconds(10) }
    /// How long after a failure it is tried again, and how often; the same as those of `epg-refresh.service`.
    private static var patience: Duration { .seconds(1200) }
    private static var tries: Int { 3 }

    /// What became of an attempt.
    private enum Ending {
        case done
        /// It failed for a reason that may pass.
        case failed
        /// Another process is at work.
        case busy
    }

    /// - Parameters:
    ///   - clock: What is waited by.
    ///   - now: The time of day, which the timetable goes by.
    init(
        _ timetable: Timetable, clock: Waiting, now: @escaping @Sendable () -> Instant, logger: Logger,
        refresh: @escaping Refresh
    ) {
        self.timetable = timetable
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
        var plan = RefreshPlan(timetable, from: now())
        logger.info(
            "refreshes the guide",
            metadata: ["timetable": "\(timetable)", "next": "\(plan.next.map(String.init(describing:)) ?? "never")"])
        var occasion: RefreshOccasion? = .start
        var saysThatItWaits = true
        /// When it is tried again after a failure, and how often it may be.
        var again: Waiting.Instant?
        var triesLeft = Self.tries
        while true {
            try Task.checkCancellation()
            if plan.isDue(at: now()) {
                (occasion, triesLeft) = (.timetable, Self.tries)
            } else if occasion == nil, let instant = again, instant <= clock.now {
                (occasion, triesLeft) = (.failure, triesLeft - 1)
            }
            if let due = occasion {
                let ending = try await attempt(due, saysThatItWaits: saysThatItWaits)
                if ending != .busy { occasion = nil }
                again = ending == .failed && triesLeft > 0 ? clock.now.advanced(by: Self.patience) : nil
                saysThatItWaits = occasion == nil
            }
            try await clock.sleep(for: occasion == nil ? plan.pause(at: now()) : Self.busyPause)
        }
    }

    /// Refreshes, on a thread of its own.
    private func attempt(_ occasion: RefreshOccasion, saysThatItWaits: Bool) async throws -> Ending {
        let ending = EndingFlag()
        do {
            let report = try await withTaskCancellationHandler {
                try await DedicatedThread.run { [refresh, now] in try refresh(occasion, now(), { ending.isSet }) }
            } onCancel: {
                ending.set()
            }
            report.log(to: logger)
            return report.mayPass ? .failed : .done
        } catch let error as StoreError where error.isPassing {
            if saysThatItWaits { logger.notice("a refresh waits", metadata: ["reason": "\(error)"]) }
            return .busy
        } catch {
            logger.error("a refresh failed", metadata: ["reason": "\(error)"])
            return .done
        }
    }
}

/// Whether something is to end; set once.
private final class EndingFlag: Sendable {
    private let flag = Atomic(false)

    func set() { flag.store(true, ordering: .relaxed) }

    var isSet: Bool { flag.load(ordering: .relaxed) }
}

extension StoreError {
    /// Whether another process is at work, which will have done in a while.
    fileprivate var isPassing: Bool {
        switch self {
        case .busy, .refreshing: true
        default: false
        }
    }
}
