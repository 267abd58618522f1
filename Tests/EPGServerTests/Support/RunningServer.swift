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
    let port: Int
    private let group: ServiceGroup

    /// What counts as now unless a test says otherwise: Saturday 24 October 2026, 18:10 UTC.
    static let now = Instant(secondsSince1970: 1_792_865_400)

    /// Starts the service, hands it over, and shuts it down.
    ///
    /// - Parameters:
    ///   - guide: Where the database is; what is imported over HTTP goes there too.
    ///   - change: Sets the service up otherwise.
    static func run<Outcome: Sendable>(
        _ guide: ServedGuide, now: @escaping @Sendable () -> Instant = { RunningServer.now },
        change: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (RunningServer) async throws -> Outcome
    ) async throws -> Outcome {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var settings = ServerSettings(site: Site(zone: .utc))
        settings.address = .port(0, host: "127.0.0.1")
        settings.feeds.folder = guide.folder
        settings.importing.folder = guide.folder
        change(&settings)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = try GuideServer(
            try GuideReaderPool(path: guide.path), importer: StoreImporter(path: guide.path), settings: settings,
            logger: logger, now: now, onRunning: { continuation.yield($0.port ?? 0) })
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        return try await withThrowingTaskGroup(of: Outcome?.self) { tasks in
            tasks.addTask {
                try await group.run()
                continuation.finish()
                return nil
            }
            guard let port = await ports.first(where: { _ in true }) else { throw NotStarted() }
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
