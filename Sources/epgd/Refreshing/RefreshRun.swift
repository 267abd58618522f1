import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import Glibc
import Logging

/// One refresh of the service in a process of its own, which logs how it went.
///
/// The process is this program, called with ``EPGDaemon/refreshRun``. Its exit code says what the service has to know; it is
/// no code of sysexits.h, since only the service sees it.
struct RefreshRun {
    /// What the process ends with.
    enum Code: Int32 {
        case done = 0
        /// It failed for a reason that stays.
        case failed = 1
        /// It failed for a reason that may pass.
        case mayPass = 2
        /// Another process writes, or refreshes.
        case busy = 3
        case refreshing = 4
    }

    private let refresh: GuideRefresh
    private let logger: Logger

    /// - Throws: As ``Daemon/init(reading:file:flags:)``.
    init(reading reader: ConfigurationReader, file: String?, flags: [String: [String]]) throws {
        let findings = try reader.read(file: file, flags: flags)
        let configuration = findings.configuration
        logger = Logger(configuration.log)
        let refresh = try GuideRefresh(
            configuration, guide: configuration.guide(logger: logger),
            zone: try configuration.zone.map { try Zone(named: $0) } ?? .current, logger: logger,
            settings: { [file = findings.file ?? file] in try reader.read(file: file, flags: flags).configuration })
        guard let refresh else { preconditionFailure("a service without a timetable started a refresh") }
        self.refresh = refresh
    }

    /// Refreshes; blocks until that is done or a signal breaks it off.
    func run(_ occasion: RefreshOccasion) -> Code {
        RefreshProcess.yieldToService()
        // systemd and the service both send SIGTERM. The service kills this process if it doesn't end.
        Interruption.take(echo: 10_000)
        do {
            let report = try refresh.run(
                occasion, at: Instant(secondsSince1970: Int64(time(nil))), isCancelled: { Interruption.isWanted },
                limitsMemory: true)
            report.log(to: logger)
            return report.mayPass ? .mayPass : report.failures.isEmpty ? .done : .failed
        } catch StoreError.busy {
            return .busy
        } catch StoreError.refreshing {
            return .refreshing
        } catch {
            logger.error("a refresh failed", metadata: ["reason": "\(error)"])
            return .failed
        }
    }
}

/// The end of such a process, as the service sees it.
struct RefreshRunEnding: RefreshOutcome {
    /// `nil` for exit code 0.
    private let ending: CommandEnding?
    private let wasCancelled: Bool

    /// Runs a refresh in a process of its own; blocks until that has ended.
    ///
    /// - Parameter flags: The settings that are those of the start, whatever stands in the file meanwhile.
    /// - Throws: ``StoreError/busy(path:)`` and ``StoreError/refreshing(path:)`` where another process is at work;
    ///   ``RefreshFailure`` where the process can't be started.
    init(
        running occasion: RefreshOccasion, flags: [String], guide location: String,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws {
        // What runs, even where another version was installed since.
        let command = ["/proc/self/exe", "--refresh-run", occasion.rawValue] + flags
        ending = try RefreshProcess.run(
            command, isCancelled: isCancelled, takeErrors: { LineLogHandler.writeToStandardError(Array($0)) })
        wasCancelled = isCancelled()
        switch code {
        case .busy: throw StoreError.busy(path: location)
        case .refreshing: throw StoreError.refreshing(path: location)
        default: break
        }
    }

    private var code: RefreshRun.Code? {
        switch ending {
        case nil: .done
        case .exit(let number): RefreshRun.Code(rawValue: number)
        default: nil
        }
    }

    /// A process that was killed may have had bad luck, and the sources behind the one that it was at are still to come. That
    /// one waits for its next regular time.
    var mayPass: Bool { code.map { $0 == .mayPass } ?? !wasCancelled }

    func log(to logger: Logger) {
        guard code == nil, let ending else { return }
        guard !wasCancelled else {
            logger.notice("a refresh was broken off; the next one takes it up")
            return
        }
        logger.error(
            "a refresh failed",
            metadata: [
                "reason":
                    """
                The process of the refresh \(ending). If the kernel ended it, memory ran out. If it was importing, that \
                source counts as failed; what was imported before stays.
                """
            ])
    }
}
