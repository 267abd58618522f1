import EPGCalendar
import EPGModel
import Glibc
import Logging
import NIOPosix
import Testing

@testable import EPGServer

/// A feed that nobody waits for is not written to its end.
@Suite("Departure of clients that wait for feeds", .timeLimit(.minutes(2)))
struct FeedDepartureTests {
    /// Reads until it is told that the answer is no longer wanted.
    private struct EndlessGuide: GuideReading {
        func read<Answer>(until limit: ReadingLimit, _ body: (any GuideBrowsing) throws -> Answer) throws -> Answer {
            while limit.isCancelled?() != true { sched_yield() }
            throw ReadingCancelled()
        }
    }

    @Test func writingEndsWhenTheLastClientHasGone() async throws {
        let library = FeedLibrary(EndlessGuide(), settings: FeedSettings(), logger: Logger(label: "test"))
        library.threads.start()
        let version = GuideVersion(generation: Generation(1), key: "k", since: nil)
        var request = try RequestReader(
            query: nil, captures: [:], clock: Instant(secondsSince1970: 0), defaultZone: .utc, host: nil)
        let order = try FeedOrder(.xmltv, &request)
        let departures = [ClientDeparture(), ClientDeparture()]
        let clients = departures.enumerated().map { number, departure in
            Task {
                try await library.feed(order, at: version, for: .four(UInt32(number)), until: departure)
            }
        }
        // A departure before the client waits counts as well.
        for departure in departures { departure.announce() }
        for client in clients { await #expect(throws: (any Error).self) { try await client.value } }
        try await library.threads.shutdownGracefully()
    }
}
