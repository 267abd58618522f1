import EPGCalendar
import EPGModel
import EPGServer
import EPGStore
import Logging
import ServiceLifecycle
import Synchronization

@testable import epgd

/// The service over a guide, on a free port of 127.0.0.1, for as long as a test needs it.
struct RunningServer: Sendable {
    /// 0 where it listens on a Unix socket.
    let port: Int
    private let group: ServiceGroup

    /// What counts as now unless a test says otherwise: Saturday 24 October 2026, 18:10 UTC.
    static let now = Instant(secondsSince1970: 1_792_865_400)

    /// Starts the service, hands it over, and shuts it down.
    ///
    /// - Parameters:
    ///   - guide: Where the database is; what is imported over HTTP goes there too.
    ///   - change: Sets the service up otherwise.
    ///   - log: Takes the lines of the log; `nil` for no log.
    ///   - reading: What the service reads the guide through.
    /// - Throws: What the service or the body throws; ``NotStarted`` where the service ended before it listened.
    static func run<Outcome: Sendable>(
        _ guide: ServedGuide, now: @escaping @Sendable () -> Instant = { RunningServer.now },
        change: (inout ServerSettings) -> Void = { _ in },
        limits: ImportLimits = ImportLimits(),
        log: LogLines? = nil,
        reading: (any GuideStorage, ServerSettings) -> any GuideStorage = { guide, _ in guide },
        _ body: @Sendable (RunningServer) async throws -> Outcome
    ) async throws -> Outcome {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        if let log {
            logger = Logger(label: "test") { _ in
                LineLogHandler(format: log.format, level: .info) { log.add($0) }
            }
            logger.logLevel = .info
        }
        var settings = ServerSettings(site: Site(zone: .utc))
        settings.address = .port(0, host: "127.0.0.1")
        settings.database = guide.path
        settings.feeds.folder = guide.folder
        settings.importing.folder = guide.folder
        settings.limits.drainPause = .milliseconds(20)
        // The machine may be busy with all other tests.
        settings.queryDeadline = .seconds(600)
        change(&settings)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let storage = GuideDatabase(path: guide.path, connections: GuideServer.concurrentReadings)
        let server = try GuideServer(
            reading(storage, settings), importer: StoreImporter(guide: storage, limits: limits), settings: settings,
            logger: logger, now: now,
            onRunning: { continuation.yield($0.port ?? 0) })
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw NotStarted()
            }
            let outcome: Outcome
            do {
                outcome = try await body(RunningServer(port: port, group: group))
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return outcome
        }
    }

    /// Shuts the service down as a signal does.
    func shutDown() async { await group.triggerGracefulShutdown() }

    struct NotStarted: Error {}
}

/// Lines that a service logs.
final class LogLines: Sendable {
    let format: LineLogHandler.Format
    private let lines = Mutex<[String]>([])

    init(_ format: LineLogHandler.Format = .text) {
        self.format = format
    }

    func add(_ bytes: [UInt8]) { lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }

    var all: [String] { lines.withLock { $0 } }
}
