import EPGAccess
import EPGAdmin
import EPGConfig
import EPGModel
import EPGProgram
import EPGRefresh
import EPGRender
import Glibc
import Logging
import Synchronization

/// A refresh of the service in a process of its own, which works like `epg refresh`.
///
/// The process runs this program with ``EPGDaemon/refreshRun``, reads the current settings, and logs the result. Its exit code is
/// for the service only, so it is not from sysexits.h. It holds the refresh lock, and opens the guide for writing only briefly,
/// under the writer lock, like other processes.
struct RefreshProcess {
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

    let configuration: ServiceConfiguration
    let guide: any GuideStorage
    let logger: Logger

    init(_ configuration: ServiceConfiguration, guide: any GuideStorage, logger: Logger) {
        (self.configuration, self.guide, self.logger) = (configuration, guide, logger)
    }

    /// - Throws: As ``Daemon/init(reading:file:flags:)``.
    init(reading reader: ConfigurationReader, file: String?, flags: [String: [String]]) throws {
        (configuration, guide, logger) = try reader.workerSettings(file: file, flags: flags)
    }

    /// Refreshes the guide; blocks until done or interrupted by a signal.
    func run(_ trigger: RefreshTrigger) -> Code {
        WorkerProcess.yieldToService()
        // Both systemd and the service send SIGTERM. The service kills this process if it does not end.
        Interruption.installHandlers(repetitionMilliseconds: 10_000)
        do {
            let report = try refresh(
                trigger, at: Instant(secondsSince1970: Int64(time(nil))), isCancelled: { Interruption.isRequested },
                limitsMemory: true, watch: StepOutput().write)
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

    /// Refreshes the guide; blocks until done.
    ///
    /// - Parameter watch: Receives the steps of the refresh.
    /// - Throws: ``StoreError/refreshing(path:)`` or ``StoreError/busy(path:)`` at once if another process is
    ///   refreshing or writing.
    func refresh(
        _ trigger: RefreshTrigger, at now: Instant, isCancelled: @escaping @Sendable () -> Bool,
        limitsMemory: Bool = false, watch: @escaping @Sendable (RefreshState.Step) -> Void = { _ in }
    ) throws -> RefreshReport {
        let settings = try CurrentSettings.Values(configuration, databasePath: guide.location)
        var options = RefreshOptions(retention: settings.retention)
        options.plans = settings.plans
        options.limits = configuration.importLimits
        options.privateHosts = configuration.privateHosts
        options.derived = configuration.derivedListings
        options.schedule = settings.times?.schedule
        options.isScheduledRun = trigger == .schedule
        if case .request(let sources, let isForced) = trigger {
            (options.names, options.isForced) = (sources, isForced)
        }
        // The database may have been deleted since the start of the service.
        try guide.createOrMigrate()
        // The caller logs failures once.
        var steps = logger
        if steps.logLevel > .debug { steps.logLevel = .critical }
        let refresher = Refresher(
            guide: guide,
            fetcher: GuideFetcher(userAgent: "swift-epg/\(EPGDaemon.version)", databasePath: guide.companionPath),
            options: options, logger: steps, watch: { watch(RefreshState.Step($0)) }, isCancelled: isCancelled,
            secret: { [access = AccessStore(besideGuide: guide.companionPath)] in
                try $0.value(environment: ProcessEnvironment.variables) {
                    try access.records().accounts[AccountName(username: $0, url: $1)]
                }
            }, advice: { $0.advice }
        ) { fetched, store in
            guard limitsMemory else { return try fetched.importContent(into: store) }
            return try WorkerProcess.limitingMemory(to: Self.memory(for: fetched.limits)) {
                try fetched.importContent(into: store)
            }
        }
        return try guide.withRefreshLock(waiting: .never) { try refresher.refresh(at: now) }
    }

    /// The memory limit of the process during an import, in bytes: twice the limit of the settings for the import, and 1 GiB for
    /// the index of stored airings, buffers and stacks.
    private static func memory(for limits: ImportLimits) -> Int {
        let (doubled, overflows) = limits.memory.multipliedReportingOverflow(by: 2)
        return overflows ? .max : doubled.addingReportingOverflow(1 << 30).overflow ? .max : doubled + 1 << 30
    }
}

extension RefreshProcess {
    /// Runs a refresh in a separate process, and logs how it ended unless the process did; blocks until it has ended.
    ///
    /// - Parameters:
    ///   - flags: Settings from the start of the service, which override the current file.
    ///   - takeStep: Receives the steps of the refresh.
    /// - Returns: Whether a retry may succeed. A killed process may succeed next time and has not reached the remaining sources;
    ///   the source that it was importing waits for its next regular time.
    /// - Throws: ``StoreError/busy(path:)`` or ``StoreError/refreshing(path:)`` if another process is writing or
    ///   refreshing; ``RefreshFailure`` if the process cannot start.
    static func start(
        _ trigger: RefreshTrigger, flags: [String], guide location: String, logger: Logger,
        isCancelled: @escaping @Sendable () -> Bool, takeStep: (RefreshState.Step) -> Void = { _ in }
    ) throws -> Bool {
        var line: [UInt8] = []
        let termination = try WorkerProcess.run(trigger.arguments + flags, isCancelled: isCancelled) { bytes in
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                if let step = RefreshState.Step(line: line) { takeStep(step) }
                line.removeAll()
            }
        }
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

// MARK: - Steps

extension RefreshState.Step {
    /// Creates a step for administrators.
    init(_ step: RefreshStep) {
        switch step {
        case .requesting(let name): self.init(source: name, kind: .requesting)
        case .fetching(let name, let progress):
            self.init(source: name, kind: .fetching, byteCount: progress.byteCount, total: progress.total ?? 0)
        case .importing(let name, let byteCount): self.init(source: name, kind: .importing, byteCount: byteCount)
        case .reading(let name, let progress):
            self.init(source: name, kind: .importing, byteCount: progress.byteCount, total: progress.total)
        case .ended(let end): self.init(end)
        }
    }

    private init(_ end: SourceRefresh) {
        switch end.outcome {
        case .notDue: self.init(source: end.name, kind: .notDue)
        case .notConfigured: self.init(source: end.name, kind: .notConfigured)
        case .notModified: self.init(source: end.name, kind: .notModified)
        case .unchanged: self.init(source: end.name, kind: .unchanged)
        case .imported(let content, let byteCount):
            let detail =
                switch content {
                case .guide(let outcome): Wording.changes(outcome)
                case .playlist(let outcome, _): Wording.result(of: outcome)
                }
            self.init(source: end.name, kind: .imported, byteCount: byteCount, detail: detail)
        case .failed(let failure): self.init(source: end.name, kind: .failed, detail: failure.sentence)
        }
    }

    /// The line that the refresh process writes: `KIND BYTES TOTAL SOURCE DETAIL`, without spaces in the texts.
    var line: String {
        "\(kind.rawValue) \(byteCount) \(total) \(source.percentEncoded) \(detail.percentEncoded)\n"
    }

    /// Parses a line without its line break; `nil` for other text.
    init?(line bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 5, let kind = String(validating: parts[0], as: UTF8.self).flatMap(Kind.init(rawValue:)),
            let byteCount = String(validating: parts[1], as: UTF8.self).flatMap({ Int64($0) }),
            let total = String(validating: parts[2], as: UTF8.self).flatMap({ Int64($0) }),
            let source = String(percentDecoding: parts[3]), let detail = String(percentDecoding: parts[4])
        else { return nil }
        self.init(source: source, kind: kind, byteCount: byteCount, total: total, detail: detail)
    }
}

/// Writes the steps of a refresh to standard output, the frequent ones at most five times per second.
final class StepOutput: Sendable {
    private let next = Mutex<(kind: RefreshState.Step.Kind, time: ContinuousClock.Instant)?>(nil)
    private static let interval = Duration.milliseconds(200)

    func write(_ step: RefreshState.Step) {
        let now = ContinuousClock.now
        let isWanted = next.withLock { next in
            if let next, next.kind == step.kind, !step.isFinal, now < next.time { return false }
            next = (step.kind, now + Self.interval)
            return true
        }
        guard isWanted else { return }
        let bytes = Array(step.line.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
    }
}
