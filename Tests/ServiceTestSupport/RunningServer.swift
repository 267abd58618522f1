import EPGAccess
import EPGCalendar
import EPGModel
import EPGOutput
import EPGStore
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport

@testable import EPGAdmin
@testable import epgd
@testable import EPGHTTP
@testable import EPGServer

/// A running service with a guide, on a free port of 127.0.0.1.
struct RunningServer: Sendable {
    /// The port; 0 if the service listens on a Unix socket.
    let port: Int
    private let group: ServiceGroup

    /// The default current time: Saturday, October 24, 2026, 18:10 UTC.
    static let now = Instant(secondsSince1970: 1_792_865_400)

    /// Starts the service, runs `body` and shuts the service down.
    ///
    /// - Parameters:
    ///   - guide: The served database, into which guides are imported over HTTP.
    ///   - given: Another storage to serve, with the files of the service beside the database.
    ///   - tokens: The tokens that the service accepts, by their text.
    ///   - administration: The operations of administrators; `nil` without administration.
    ///   - change: Changes the settings of the service.
    ///   - log: Collects the log lines; `nil` for no log.
    ///   - reading: Returns the storage through which the service reads the guide.
    /// - Throws: Errors of the service and of `body`; ``NotStarted`` if the service ends before it listens.
    static func run<Outcome: Sendable>(
        _ guide: ServedGuide, on given: (any GuideStorage)? = nil,
        now: @escaping @Sendable () -> Instant = { RunningServer.now }, tokens: [String: Set<AccessScope>] = [:],
        administration: (any GuideAdministration)? = nil, change: (inout ServerSettings) -> Void = { _ in },
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
        // All other tests may run at the same time.
        settings.queryDeadline = TestScope.unreachedTimeLimit
        settings.limits.drainTimeout = TestScope.unreachedTimeLimit
        if !tokens.isEmpty {
            let store = AccessStore(besideGuide: guide.path)
            try store.add(tokens)
            settings.access = AccessSettings(store)
        }
        change(&settings)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let storage: any GuideStorage =
            given
            ?? GuideDatabase(
                path: guide.path, connections: GuideServer.concurrentReadings,
                shown: { [logos = settings.site.logos] in logos.applied(to: $0) })
        let server = try GuideServer(
            reading(storage, settings), importer: StoreImporter(guide: storage, limits: limits),
            administration: { [imports = settings.importing] in
                AdminController(administration, imports: imports, of: $0)
            },
            settings: settings, logger: logger, now: now,
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

/// The log lines of a service.
final class LogLines: Sendable {
    let format: LineLogHandler.Format
    private let lines = Mutex<[String]>([])

    init(_ format: LineLogHandler.Format = .text) {
        self.format = format
    }

    func add(_ bytes: [UInt8]) { lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }

    var all: [String] { lines.withLock { $0 } }
}
