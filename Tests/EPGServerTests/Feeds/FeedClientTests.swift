import EPGCalendar
import EPGImport
import EPGModel
import EPGStore
import Glibc
import HTTPTypes
import Logging
import NIOPosix
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests that writing a feed stops when no client waits for it, and that one client cannot use all of the capacity.
@Suite("Clients of feeds", .timeLimit(.minutes(30)))
struct FeedClientTests {
    /// A guide whose reads run until they are canceled.
    private final class EndlessGuide: ForwardingStorage, @unchecked Sendable {
        private let rounds = Atomic(0)

        init() { super.init(GuideDatabase(path: "nowhere")) }

        /// Number of times that a read has checked for cancellation.
        var progress: Int { rounds.load(ordering: .relaxed) }

        override func read<Value>(
            until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value
        ) throws -> Value {
            while limit.isCancelled?() != true {
                rounds.add(1, ordering: .relaxed)
                sched_yield()
            }
            throw ReadingError.cancelled
        }
    }

    @Test(.timeLimit(.minutes(30))) func writingStopsWhenTheLastClientLeaves() async throws {
        let guide = EndlessGuide()
        let executor = WorkExecutor()
        let library = FeedLibrary(
            guide, settings: FeedSettings(), admission: executor[.feeds], logger: Logger(label: "test"))
        executor.start()
        let version = GuideVersion(generation: Generation(1), nonce: 7, since: nil)
        var parameters = try ParameterReader(query: nil, clock: Instant(secondsSince1970: 0), defaultZone: .utc)
        let query = try FeedQuery(.xmltv, &parameters, site: Site(zone: .utc))
        let disconnectSignals = [DisconnectSignal(), DisconnectSignal()]
        let clients = disconnectSignals.enumerated().map { number, disconnectSignal in
            Task {
                try await library.feed(query, at: version, for: .four(UInt32(number)), until: disconnectSignal)
            }
        }
        while library.waiterCount(of: query, at: version) < 2 || guide.progress == 0 { await Task.yield() }
        disconnectSignals[0].signal()
        while library.waiterCount(of: query, at: version) > 1 { await Task.yield() }
        // The other client is still waiting, so writing continues.
        let progress = guide.progress
        while guide.progress <= progress { await Task.yield() }
        disconnectSignals[1].signal()
        for client in clients { await #expect(throws: (any Error).self) { try await client.value } }
        try await executor.shutDown()
    }

    @Test func downloadsAreLimitedInTotalAndPerAddress() throws {
        var settings = FeedSettings()
        (settings.maximumDownloads, settings.maximumFeedsPerAddress) = (4, 2)
        let library = FeedLibrary(
            EndlessGuide(), settings: settings, admission: WorkExecutor()[.feeds], logger: Logger(label: "test"))
        let version = GuideVersion(generation: Generation(1), nonce: 7, since: nil)
        func begin(_ days: Int, _ address: UInt32) throws -> Lease {
            var parameters = try ParameterReader(
                query: "days=\(days)", clock: Instant(secondsSince1970: 0), defaultZone: .utc)
            return try library.beginDownload(
                of: try FeedQuery(.xmltv, &parameters, site: Site(zone: .utc)), at: version, for: .four(address))
        }
        func status(_ days: Int, _ address: UInt32) throws -> Int? {
            #expect(throws: Problem.self) { try begin(days, address) }?.status.code
        }
        var first = [try begin(1, 1), try begin(2, 1), try begin(2, 1)]
        try expectEqual(status(3, 1), 429)
        let other = try begin(3, 2)
        try expectEqual(status(1, 2), 503)
        first.removeFirst(2)
        _ = try begin(3, 2)
        // One download of the second feed continues.
        first.append(try begin(3, 1))
        try expectEqual(status(4, 1), 429)
        withExtendedLifetime(other) {}
        // Downloads of one feed are limited per address, too.
        settings = FeedSettings()
        settings.maximumDownloadsPerAddress = 2
        let shared = FeedLibrary(
            EndlessGuide(), settings: settings, admission: WorkExecutor()[.feeds], logger: Logger(label: "test"))
        var parameters = try ParameterReader(query: nil, clock: Instant(secondsSince1970: 0), defaultZone: .utc)
        let query = try FeedQuery(.xmltv, &parameters, site: Site(zone: .utc))
        let both = try (0..<2).map { _ in try shared.beginDownload(of: query, at: version, for: .four(1)) }
        let refusal = #expect(throws: Problem.self) {
            _ = try shared.beginDownload(of: query, at: version, for: .four(1))
        }
        expectEqual(refusal?.status, .tooManyRequests)
        _ = try shared.beginDownload(of: query, at: version, for: .four(2))
        withExtendedLifetime(both) {}
    }
}
