import EPGAdmin
import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import Glibc
import Logging

/// A refresh of the service in a separate process, which logs the result.
///
/// The process runs this program with ``EPGDaemon/refreshRun``. Its exit code is for the service only, so it is not
/// from sysexits.h.
struct RefreshRun {
    /// The exit code of the process.
    enum Code: Int32 {
        case done = 0
        /// A permanent failure.
        case failed = 1
        /// A failure that may be temporary.
        case transientFailure = 2
        /// Another process is writing or refreshing.
        case busy = 3
        case refreshing = 4
    }

    private let refresh: GuideRefresh
    private let request: RefreshRequest?
    private let logger: Logger

    /// - Parameter request: The sources that an administrator requested; `nil` for those that are due.
    /// - Throws: As ``Daemon/init(reading:file:flags:)``.
    init(
        reading reader: ConfigurationReader, file: String?, flags: [String: [String]], request: RefreshRequest?
    ) throws {
        self.request = request
        var findings = try reader.read(file: file, flags: flags)
        logger = Logger(findings.configuration.log)
        let guide = try findings.configuration.guide(logger: logger)
        try reader.apply(settingsOf: guide, to: &findings)
        refresh = try GuideRefresh(
            findings.configuration, guide: guide, logger: logger,
            settings: { [file = findings.file ?? file] in
                try reader.read(file: file, flags: flags, guide: guide).configuration
            })
    }

    /// Refreshes the guide; blocks until done or interrupted by a signal.
    func run(_ trigger: RefreshTrigger) -> Code {
        RefreshProcess.yieldToService()
        // Both systemd and the service send SIGTERM. The service kills this process if it does not end.
        Interruption.installHandlers(repetitionMilliseconds: 10_000)
        do {
            let report = try refresh.run(
                trigger, at: Instant(secondsSince1970: Int64(time(nil))), isCancelled: { Interruption.isRequested },
                limitsMemory: true, request: request, watch: StepOutput().write)
            report.log(to: logger)
            return report.hasTransientFailure ? .transientFailure : report.failures.isEmpty ? .done : .failed
        } catch StoreError.busy {
            return .busy
        } catch StoreError.refreshing {
            return .refreshing
        } catch {
            logger.error("a refresh failed", metadata: ["reason": "\(DaemonFailure.message(of: error))"])
            return .failed
        }
    }
}

extension RefreshRun {
    /// Runs a refresh in a separate process, and logs how it ended unless the process did; blocks until it has ended.
    ///
    /// - Parameters:
    ///   - flags: Settings from the start of the service, which override the current file.
    ///   - request: The sources that an administrator requested; `nil` for those that are due.
    ///   - takeStep: Receives the steps of the refresh.
    /// - Returns: Whether a retry may succeed. A killed process may succeed next time and has not reached the remaining sources;
    ///   the source that it was importing waits for its next regular time.
    /// - Throws: ``StoreError/busy(path:)`` or ``StoreError/refreshing(path:)`` if another process is writing or
    ///   refreshing; ``RefreshFailure`` if the process cannot start.
    static func start(
        _ trigger: RefreshTrigger, flags: [String], guide location: String, request: RefreshRequest? = nil,
        logger: Logger, isCancelled: @escaping @Sendable () -> Bool,
        takeStep: (RefreshState.Step) -> Void = { _ in }
    ) throws -> Bool {
        // This is the running program, even if another version was installed since.
        let command =
            ["/proc/self/exe", "--refresh-run", trigger.rawValue] + (request?.arguments ?? []) + flags
        var line: [UInt8] = []
        let termination = try RefreshProcess.run(
            command, isCancelled: isCancelled, takeErrors: { LineLogHandler.writeToStandardError(Array($0)) },
            takeOutput: { bytes in
                for byte in bytes {
                    guard byte == UInt8(ascii: "\n") else {
                        line.append(byte)
                        continue
                    }
                    if let step = RefreshState.Step(line: line) { takeStep(step) }
                    line.removeAll()
                }
            })
        guard let termination else { return false }
        if case .exit(let number) = termination, let code = Code(rawValue: number) {
            switch code {
            case .busy: throw StoreError.busy(path: location)
            case .refreshing: throw StoreError.refreshing(path: location)
            case .done, .failed, .transientFailure: return code == .transientFailure
            }
        }
        guard !isCancelled() else {
            logger.notice("refresh interrupted; the next one continues")
            return false
        }
        logger.error(
            "a refresh failed",
            metadata: [
                "reason":
                    """
                The refresh process \(termination). If the kernel ended it, it ran out of memory. The source that it was \
                importing counts as failed; earlier imports stay.
                """
            ])
        return true
    }
}
