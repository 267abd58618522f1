import EPGRefresh
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// The signals that end the service: the first lets it finish what is under way, the second ends it at once.
struct EndingSignals {
    let logger: Logger

    /// Waits for signals until it is cancelled.
    ///
    /// - Parameter drainTime: How long the end may take; a moment after it the process ends whatever stands.
    func watch(_ group: ServiceGroup, drainTime: Duration) async {
        var began: ContinuousClock.Instant?
        await withDiscardingTaskGroup { tasks in
            for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
                let number = signal == .sigint ? SIGINT : SIGTERM
                if let began {
                    // `timeout` and some supervisors signal the process and then its group: that is one order.
                    guard began.duration(to: .now) > .milliseconds(200) else { continue }
                    logger.warning("ended by a second signal")
                    RunningCommand.end()
                    _exit(128 + number)
                }
                began = .now
                logger.info("ending", metadata: ["signal": "\(signal)"])
                await group.triggerGracefulShutdown()
                tasks.addTask {
                    do {
                        try await Task.sleep(for: drainTime + .seconds(2))
                    } catch {
                        return
                    }
                    logger.warning("ended with requests under way")
                    RunningCommand.end()
                    _exit(0)
                }
            }
        }
    }
}
