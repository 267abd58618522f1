import EPGCalendar
import EPGModel
import EPGStore
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import epgd
@testable import EPGRefresh
@testable import EPGServer

@Suite("Refreshes of the service")
struct RefreshServiceTests {
    /// Saturday, October 24, 2026, 12:00 UTC.
    private static let noon = Instant(secondsSince1970: 1_792_843_200)

    /// A refresh that the service started.
    private struct Call: Equatable {
        let trigger: RefreshTrigger
        let at: Instant
    }

    /// Runs the service with the schedule "30 3 * * *" until it has refreshed `count` times.
    ///
    /// - Parameter outcome: Returns the report of the refresh with a number, from 0, or throws its error.
    private func run(
        refreshes count: Int, outcome: @escaping @Sendable (Int, Instant) throws -> RefreshReport
    ) async throws -> (calls: [Call], log: [String], clock: SteppingClock) {
        let clock = SteppingClock(Self.noon)
        let calls = Mutex<[Call]>([])
        let lines = Mutex<[String]>([])
        let pausesBefore = Mutex(0)
        let (enough, continuation) = AsyncStream.makeStream(of: Void.self)
        let schedule = CronSchedule(try CronExpression("30 3 * * *"), in: .utc)
        let service = RefreshService(
            { schedule }, clock: clock, now: { clock.currentTime },
            logger: Logger(label: "test") { _ in
                LineLogHandler(format: .text, level: .info) { line in
                    // Drops the time.
                    let parts = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ", maxSplits: 1)
                    lines.withLock { $0.append(parts.last.map(String.init) ?? "") }
                }
            }
        ) { trigger, now, isCancelled in
            let number = calls.withLock { calls in
                calls.append(Call(trigger: trigger, at: now))
                return calls.count - 1
            }
            if number + 1 == count {
                pausesBefore.withLock { $0 = clock.pauses.count }
                continuation.finish()
            }
            guard number < count else {
                while !isCancelled() { usleep(1000) }
                return false
            }
            return try outcome(number, now).hasTransientFailure
        }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await service.run() }
            for await _ in enough {}
            // The service logs the result of the last refresh before it pauses again.
            while clock.pauses.count == pausesBefore.withLock({ $0 }) { await Task.yield() }
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
        return (Array(calls.withLock { $0 }.prefix(count)), lines.withLock { $0 }, clock)
    }

    @Test func guideIsRefreshedAtStartAndOnSchedule() async throws {
        let (calls, log, clock) = try await run(refreshes: 3) { _, now in RefreshReport(now: now) }
        let night = Instant(secondsSince1970: 1_792_899_000)
        expectEqual(
            calls,
            [
                Call(trigger: .start, at: Self.noon), Call(trigger: .schedule, at: night),
                Call(trigger: .schedule, at: night.advanced(by: 86_400)),
            ])
        #expect(clock.pauses.allSatisfy { $0 <= .seconds(60) })
        expectEqual(log, [#"info refreshes the guide next=2026-10-25T03:30:00Z schedule="30 3 * * * UTC""#])
    }

    @Test func serviceWaitsForAnotherWriterAndLogsItOnce() async throws {
        let (calls, log, clock) = try await run(refreshes: 4) { number, now in
            switch number {
            case 0: throw StoreError.refreshing(path: "/g")
            case 1: throw StoreError.busy(path: "/g")
            default: return RefreshReport(now: now)
            }
        }
        expectEqual(calls.prefix(3).map(\.at), [0, 10, 20].map(Self.noon.advanced(by:)))
        expectEqual(calls.map(\.trigger), [.start, .start, .start, .schedule])
        expectEqual(Array(clock.pauses.prefix(3)), [.seconds(10), .seconds(10), .seconds(60)])
        expectEqual(log.filter { $0.contains("is waiting") }.count, 1)
    }

    @Test func failedRefreshIsLoggedOnceAndNextRunIsOnTime() async throws {
        struct Broken: Error, CustomStringConvertible {
            let description = "the disk is away"
        }
        let (calls, log, _) = try await run(refreshes: 2) { number, now in
            if number == 0 { throw Broken() }
            return RefreshReport(now: now)
        }
        expectEqual(calls.map(\.trigger), [.start, .schedule])
        expectEqual(log.filter { $0.hasPrefix("error") }, [#"error a refresh failed reason="the disk is away""#])
    }

    /// An unavailable source or a disk error may be temporary. An invalid guide or setting needs a user to fix it.
    @Test(arguments: [
        (RefreshFailure.Kind.unavailable, true), (.inputOutput, true), (.busy, true), (.badContent, false),
        (.noInput, false), (.configuration, false),
    ])
    func temporaryFailureIsRetriedThreeTimesPerNight(kind: RefreshFailure.Kind, isRetried: Bool) async throws {
        let expected: [RefreshTrigger] =
            isRetried ? [.start, .failure, .failure, .failure, .schedule, .failure] : [.start, .schedule]
        let (calls, _, _) = try await run(refreshes: expected.count) { _, now in
            var report = RefreshReport(now: now)
            let failure = RefreshFailure(sentence: "It failed.", kind: kind)
            report.sources = [SourceRefresh(name: "a", location: "", outcome: .failed(failure), lastSuccess: nil)]
            return report
        }
        expectEqual(calls.map(\.trigger), expected)
        // A retry starts twenty minutes later, plus up to one minute between two checks of the clock.
        for (first, second) in zip(calls, calls.dropFirst()) where second.trigger == .failure {
            #expect((1200...1260).contains(first.at.seconds(to: second.at)))
        }
    }

    @Test func currentRefreshIsCanceledOnShutdown() async throws {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let ended = Mutex(false)
        let schedule = CronSchedule(try CronExpression("@daily"), in: .utc)
        let service = RefreshService(
            { schedule }, clock: SteppingClock(Self.noon), now: { Self.noon },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { _, now, isCancelled in
            continuation.finish()
            while !isCancelled() { usleep(1000) }
            ended.withLock { $0 = true }
            return false
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [JoinedServices(services: [service])], logger: Logger(label: "test")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await _ in begun {}
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(ended.withLock { $0 })
    }
}
