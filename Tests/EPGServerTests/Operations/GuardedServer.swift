import Dispatch
import EPGCalendar
import EPGImport
import EPGModel
import EPGStore
import Foundation
import Glibc
import Logging
import ServiceLifecycle
import XMLTV

@testable import EPGServer

/// The service over the sample guide, with limits of a test's own.
struct GuardedServer: Sendable {
    /// 0 where it listens on a Unix socket.
    let port: Int
    private let group: ServiceGroup

    /// Starts the service on a free port of 127.0.0.1, hands it over, and shuts it down.
    ///
    /// - Parameters:
    ///   - delay: How long the guide takes to every question besides.
    ///   - gate: What every question to the guide passes; `nil` for none.
    static func run<Outcome: Sendable>(
        delay: Duration = .zero, gate: Gate? = nil, change: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (GuardedServer) async throws -> Outcome
    ) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "epgd-guard-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        let path = folder + "/guide.sqlite"
        try importSample(to: path)
        var settings = ServerSettings(site: Site(zone: .utc))
        settings.address = .port(0, host: "127.0.0.1")
        settings.database = path
        change(&settings)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = try GuideServer(
            GatedGuide(guide: try GuideReaderPool(path: path), delay: delay, gate: gate, limit: settings.queryDeadline),
            settings: settings, logger: logger,
            now: { Instant(secondsSince1970: 1_792_865_400) }, onRunning: { continuation.yield($0.port ?? 0) })
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
                outcome = try await body(GuardedServer(port: port, group: group))
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

    /// Sends bytes on a connection of their own, and reads the answer; `nil` where the connection is closed without one.
    func exchange(_ bytes: String) async throws -> RawAnswer? {
        try await RawClient.onThread { [port] in
            let client = try RawClient(port: port)
            // A server that has refused already may have closed.
            _ = Result { try client.send(bytes) }
            return try? client.readAnswer()
        }
    }

    /// Whether a healthy client is answered.
    func isHealthy() async throws -> Bool {
        try await RawClient.get("/healthz", port: port).status == 200
    }

    private static func importSample(to path: String) throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let bytes = Array(try Data(contentsOf: package.appending(path: "sample-data/evening.xml")))
        let store = try GuideStore(writingTo: path)
        _ = try GuideImporter(store: store).importGuide(
            ChunkSource(bytes), as: Source(name: "sample \"quoted\" \\ feed"),
            now: Instant(secondsSince1970: 1_792_861_800))
        try store.close()
    }

    struct NotStarted: Error {}
}

/// Holds questions to the guide until a test lets them go.
final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    /// Whether a question came to it, within a minute.
    func isReached() async throws -> Bool {
        try await RawClient.onThread { self.reached.wait(timeout: .now() + 60) == .success }
    }

    /// Lets questions go, those that come later too.
    func open() { opened.signal() }

    fileprivate func pass() {
        reached.signal()
        opened.wait()
        opened.signal()
    }
}

/// A guide that thinks before it answers, behind a gate.
private struct GatedGuide: GuideReading {
    let guide: any GuideReading
    let delay: Duration
    let gate: Gate?
    /// What questions have; the watch's have less, and neither wait nor pass the gate.
    let limit: Duration

    func read<Answer>(within limit: Duration?, _ body: (any GuideBrowsing) throws -> Answer) throws -> Answer {
        try guide.read(within: limit) { reading in
            if limit == self.limit {
                usleep(useconds_t(delay / .microseconds(1)))
                gate?.pass()
            }
            return try body(reading)
        }
    }
}
