import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import EPGStore
import Foundation
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import epgd
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of the refresh of a served database.
@Suite("Refresh of a served guide")
struct RefreshProcessTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func configuration(_ sources: [SourceConfiguration]) -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration.refresh = "0 4 * * *"
        configuration.zone = "UTC"
        // The sample guide has fixed dates.
        configuration.retention = 3660
        configuration.sources = sources
        return configuration
    }

    private func refresh(_ guide: ServedGuide, _ sources: [SourceConfiguration]) -> RefreshProcess {
        RefreshProcess(configuration(sources), guide: GuideDatabase(path: guide.path), logger: Self.quiet)
    }

    /// Copies a sample guide to a file and returns a source with its location.
    private func sample(_ name: String = "evening.xml", in guide: ServedGuide) throws -> SourceConfiguration {
        let path = guide.folder + "/feed.xml"
        try Data(try ServedGuide.sample(name)).write(to: URL(filePath: path))
        return SourceConfiguration(Source(name: "evening", location: path))
    }

    private func instant(_ text: String) throws -> Instant {
        Instant(secondsSince1970: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970))
    }

    private func state(of name: String, in guide: ServedGuide) throws -> SourceState? {
        try GuideDatabase(path: guide.path).read { try $0.sourceRecords() }.first { $0.source.name == name }?.state
    }

    @Test func withoutScheduleThereAreNoRefreshTimes() throws {
        expectEqual(try CurrentSettings.Values(ServiceConfiguration(), databasePath: "/g").times, nil)
    }

    /// - Parameter isEmpty: Whether an empty file exists, as after a killed import.
    @Test(arguments: [false, true]) func missingGuideIsCreated(isEmpty: Bool) throws {
        let guide = try ServedGuide()
        for name in try FileManager.default.contentsOfDirectory(atPath: guide.folder) {
            try FileManager.default.removeItem(atPath: guide.folder + "/" + name)
        }
        if isEmpty { try Data().write(to: URL(filePath: guide.path)) }
        let refresh = refresh(guide, [try sample(in: guide)])
        try GuideDatabase(path: guide.path).createOrMigrate()
        _ = try refresh.refresh(.start, at: RunningServer.now, isCancelled: { false })
        #expect(try guide.lines().count > 300)
    }

    @Test func folderOfUserGuideIsCreated() throws {
        let guide = try ServedGuide()
        let place = try #require(DefaultDatabase(environment: ["HOME": guide.folder + "/home"]))
        // Only the folder of the default database is created.
        #expect(throws: StoreError.self) { try GuideDatabase(path: place.path).createOrMigrate() }
        try GuideDatabase(path: place.path).createOrMigrate(at: place)
        #expect(FileManager.default.fileExists(atPath: guide.folder + "/home/.local/share/epg/guide.sqlite"))
    }

    @Test func clientsReceiveTheRefreshedGuide() async throws {
        let guide = try ServedGuide(bytes: ServedGuide.document(""), as: "empty")
        let refresh = refresh(guide, [try sample(in: guide)])
        try await RunningServer.run(guide) { server in
            let before = try await RawClient.get("/api/v1/stations", port: server.port)
            _ = try refresh.refresh(.start, at: RunningServer.now, isCancelled: { false })
            // The service checks the database four times a second.
            try await expectEventually {
                try await RawClient.get("/api/v1/stations", port: server.port).text != before.text
            }
            expectResponse(
                try await RawClient.get("/api/v1/stations", port: server.port), contains: ["lantern.example"])
            expectEqual(try await RawClient.get("/readyz", port: server.port).text, "ready\n")
        }
    }

    @Test func deletedGuideIsCreatedAgain() throws {
        let guide = try ServedGuide()
        let refresh = refresh(guide, [try sample(in: guide)])
        _ = try refresh.refresh(.schedule, at: RunningServer.now, isCancelled: { false })
        let before = try guide.lines()
        for suffix in ["", "-wal", "-shm", "-search", "-search-wal", "-search-shm"] { unlink(guide.path + suffix) }
        let report = try refresh.refresh(.schedule, at: RunningServer.now, isCancelled: { false })
        expectEqual(report.sources.map(\.outcome.keyword), ["imported"])
        expectEqual(try guide.lines(), before)
    }

    /// The scheduled run is at 04:00, with a delay of at most ten minutes.
    @Test(arguments: [
        // Refreshed after the last run.
        ("2026-10-24T04:30:00Z", "2026-10-25T03:59:59Z", false),
        // One run was missed; several runs were missed.
        ("2026-10-24T03:30:00Z", "2026-10-24T09:00:00Z", true), ("2026-10-01T04:30:00Z", "2026-10-24T09:00:00Z", true),
    ])
    func startRefreshesSourcesThatMissedRun(_ success: String, _ now: String, _ isRefreshed: Bool) throws {
        let guide = try ServedGuide(bytes: ServedGuide.document(""), as: "empty")
        let refresh = refresh(guide, [try sample(in: guide)])
        _ = try refresh.refresh(.schedule, at: try instant(success), isCancelled: { false })
        let report = try refresh.refresh(.start, at: try instant(now), isCancelled: { false })
        expectEqual(report.sources.map(\.outcome.keyword), [isRefreshed ? "unchanged" : "not-due"])
    }

    @Test func scheduleRefreshesSourcesWithoutOwnSchedule() throws {
        let guide = try ServedGuide(bytes: ServedGuide.document(""), as: "empty")
        var weekly = SourceConfiguration(Source(name: "weekly", location: "/nowhere"))
        weekly.schedule = "@weekly"
        let refresh = refresh(guide, [try sample(in: guide), weekly])
        let outcomes = try (0..<2).map { number in
            let now = RunningServer.now.advanced(by: 700 * Int64(number))
            return try refresh.refresh(.schedule, at: now, isCancelled: { false }).sources.map(\.outcome.keyword)
        }
        // A failed source is retried at the next run, after ten minutes at the earliest.
        expectEqual(outcomes, [["imported", "failed"], ["unchanged", "failed"]])
    }

    @Test func failedSourcesAreRetried() throws {
        let guide = try ServedGuide(bytes: ServedGuide.document(""), as: "empty")
        let refresh = refresh(
            guide, [try sample(in: guide), SourceConfiguration(Source(name: "gone", location: "/nowhere"))])
        let night = try instant("2026-10-24T04:20:00Z")
        let outcomes = try [RefreshTrigger.schedule, .failure].enumerated().map { number, trigger in
            let now = night.advanced(by: 1200 * Int64(number))
            return try refresh.refresh(trigger, at: now, isCancelled: { false }).sources.map(\.outcome.keyword)
        }
        expectEqual(outcomes, [["imported", "failed"], ["not-due", "failed"]])
    }

    @Test func refreshDoesNotWaitForAnotherOne() throws {
        let guide = try ServedGuide()
        let refresh = refresh(guide, [try sample(in: guide)])
        _ = try GuideDatabase(path: guide.path).withRefreshLock(waiting: .never) {
            #expect(throws: StoreError.refreshing(path: guide.path)) {
                try refresh.refresh(.schedule, at: RunningServer.now, isCancelled: { false })
            }
        }
    }

    @Test func shutdownCancelsTheFetchAndKeepsTheGuide() async throws {
        let guide = try ServedGuide()
        let before = try guide.lines()
        var slow = SourceConfiguration(Source(name: "slow"))
        slow.command = ["sleep", "60"]
        let refresh = refresh(guide, [slow])
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, ended) = (Moment(), Moment())
        let schedule = CronSchedule(try CronExpression("0 4 * * *"), in: .utc)
        let service = RefreshService(
            { schedule }, clock: .continuous, now: { RunningServer.now }, logger: Self.quiet
        ) { trigger, now, isCancelled in
            continuation.finish()
            // On its own thread, because other tests share the thread pool.
            Thread.detachNewThread {
                while !isCancelled() { usleep(5000) }
                cancelled.set()
            }
            defer { ended.set() }
            return try refresh.refresh(trigger, at: now, isCancelled: isCancelled).hasTransientFailure
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [service], logger: Self.quiet))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await _ in begun {}
            let began = ContinuousClock.now
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            // Half of the duration of the command: other tests use the thread pool at the same time.
            #expect(began.duration(to: .now) < .seconds(30))
        }
        // The refresh may have ended before the thread checked again.
        let hasEnded = try #require(ended.instant)
        #expect((cancelled.instant ?? hasEnded).duration(to: hasEnded) < .seconds(5))
        expectEqual(try guide.lines(), before)
        // A cancellation is not recorded as a failure of the source.
        expectEqual(try state(of: "slow", in: guide)?.lastError, nil)
        expectEqual(try state(of: "slow", in: guide)?.lastAttempt, nil)
    }
}

/// The time of the first call of `set`.
private final class Moment: Sendable {
    private let first = Mutex<ContinuousClock.Instant?>(nil)

    var instant: ContinuousClock.Instant? { first.withLock { $0 } }

    func set() { first.withLock { $0 = $0 ?? .now } }
}
