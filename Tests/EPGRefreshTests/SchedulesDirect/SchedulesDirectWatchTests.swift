import Synchronization
import Testing

@testable import EPGRefresh

/// Who looks on hears how far it is and may end it; addresses of one's own network are asked only where that is meant.
@Suite struct SchedulesDirectWatchTests {
    @Test func progressCountsTheBytesOfAllAnswers() throws {
        let bench = try SchedulesDirectBench()
        let counts = Mutex<[Int64]>([])
        _ = try bench.fetch(watch: FetchWatch(progress: { step in counts.withLock { $0.append(step.byteCount) } }))
        let found = counts.withLock { $0 }
        #expect(found == found.sorted())
        // Each of the seven answers has some, and what came of them is in the file.
        #expect(found.count >= 7)
        #expect(found.last ?? 0 > 1000)
    }

    @Test func fetchThatNobodyWantsAsksNothing() throws {
        let bench = try SchedulesDirectBench()
        let error = #expect(throws: FetchError.self) { try bench.fetch(watch: FetchWatch(isCancelled: { true })) }
        #expect(error?.reason == .cancelled)
        #expect(bench.fake.takeRequests().isEmpty)
    }

    /// Where it is ended while days are being made, those that came are kept.
    @Test func fetchThatIsEndedKeepsWhatCame() throws {
        let bench = try SchedulesDirectBench { $0.queuedDays = ["101 2026-03-28": 9] }
        let watch = FetchWatch(isCancelled: { bench.hasWaited })
        let error = #expect(throws: FetchError.self) { try bench.fetch(watch: watch) }
        #expect(error?.reason == .cancelled)
        #expect(bench.takeWaits() == [.seconds(20)])
        bench.fake.change { $0.queuedDays = [:] }
        _ = bench.fake.takeRequests()
        _ = try bench.tag()
        let asked = bench.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }.map(\.body)
        #expect(asked == [#"[{"stationID":"101","date":["2026-03-28"]}]"#])
    }

    /// Whether the request says it, or the fetcher.
    @Test(arguments: [false, true]) func timeInAllHoldsForAllQuestionsTogether(isOfRequest: Bool) throws {
        let bench = try SchedulesDirectBench()
        // The clock goes on by a minute with each request.
        let watch = FetchWatch(isCancelled: {
            bench.advance(60)
            return false
        })
        let error = #expect(throws: FetchError.self) {
            let fetcher = bench.fetcher(fetchLimits: FetchLimits(totalSeconds: isOfRequest ? 3600 : 120))
            let request = FetchRequest(location: .address(bench.fake.address), timeLimit: isOfRequest ? 120 : nil)
            return try fetcher.fetch(request, watch: watch)
        }
        #expect(error?.reason == .timedOut("more than 120 seconds in all"))
    }

    @Test(arguments: [false, true]) func addressOfOnesOwnNetworkIsAskedOnlyWhereThatIsAllowed(isAllowed: Bool) throws {
        let bench = try SchedulesDirectBench()
        let port = bench.fake.server.port
        let request = FetchRequest(
            location: .address("http://service.test:\(port)/20141201"), allowsPrivateAddresses: isAllowed)
        let fetcher = bench.fetcher(names: ["service.test:\(port):127.0.0.1"])
        if isAllowed {
            _ = try fetcher.fetch(request)
            #expect(bench.fake.logIns == 1)
        } else {
            let error = #expect(throws: FetchError.self) { try fetcher.fetch(request) }
            #expect(error?.reason == .refusedAddress(host: "service.test", .loopback, isRedirect: false))
            #expect(error?.exitCode == 78)
            #expect(bench.fake.server.requests.isEmpty)
        }
    }

    @Test func redirectToAnotherPortOfThisMachineIsRefused() throws {
        let other = try LoopbackServer { _ in ServiceReply(body: "{}").bytes }
        defer { other.stop() }
        let reply = ServiceReply(status: 307, headers: ["Location: \(other.address("/20141201/status"))"], body: "")
        let bench = try SchedulesDirectBench { $0.interventions["/status"] = [reply] }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .refusedAddress(host: "127.0.0.1", .loopback, isRedirect: true))
        #expect(other.requests.isEmpty)
    }

    @Test func withoutADatabaseNothingIsFetched() {
        let account = SchedulesDirectAccount(username: "a", password: "b")
        let request = FetchRequest(location: .address("https://a.example/"), schedulesDirect: account)
        let error = #expect(throws: FetchError.self) {
            try GuideFetcher(userAgent: "swift-epg/test").fetch(request)
        }
        #expect(error?.reason == .unsupportedScheme("Schedules Direct"))
    }
}
