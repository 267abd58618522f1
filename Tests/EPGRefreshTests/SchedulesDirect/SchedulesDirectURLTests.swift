import Synchronization
import Testing

@testable import EPGRefresh

/// Allowed redirects, and hosts that never receive the token.
@Suite struct SchedulesDirectURLTests {
    private static let base = "https://json.schedulesdirect.org/20141201"

    @Test(arguments: [
        ("/20141201/lineups?x=1", "https://json.schedulesdirect.org/20141201/lineups?x=1"),
        ("https://json.schedulesdirect.org/a", "https://json.schedulesdirect.org/a"),
        ("https://web2.SchedulesDirect.org:8443/a", "https://web2.schedulesdirect.org:8443/a"),
        ("https://json.schedulesdirect.org?a", "https://json.schedulesdirect.org/?a"),
    ])
    func redirectWithinTheServiceIsFollowed(location: String, target: String) {
        #expect(SchedulesDirectURL(Self.base)?.redirected(to: location)?.text == target)
    }

    @Test(arguments: [
        "https://example.org/", "http://json.schedulesdirect.org/20141201", "http://web2.schedulesdirect.org/",
        "https://schedulesdirect.org.example.org/", "https://evilschedulesdirect.org/", "//example.org/",
        "https://json.schedulesdirect.org@example.org/", "https://example.org\\json.schedulesdirect.org/",
        "https://example.org#.schedulesdirect.org/", "https://127.0.0.1/", "https://[::1]/",
        "ftp://json.schedulesdirect.org/",
        "", "lineups", "https://", "https://json.schedulesdirect.org:x/",
    ])
    func otherRedirectIsRefused(location: String) {
        #expect(SchedulesDirectURL(Self.base)?.redirected(to: location) == nil)
    }

    @Test(arguments: [
        ("https://10.1.2.3/", "https://11.1.2.3/"), ("https://example.org/", "https://other.org/"),
        ("https://guide.co.example/", "https://other.co.example/"),
        ("https://guide.example/", "https://json.schedulesdirect.org/"),
    ])
    func otherServerHasNoRelatedHosts(base: String, location: String) {
        #expect(SchedulesDirectURL(base)?.redirected(to: location) == nil)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectKeepsMethodBodyAndToken(status: Int) throws {
        let bench = try SchedulesDirectBench { world in
            world.interventions["/schedules"] = [
                ServiceReply(status: status, headers: ["Location: /20141201/schedules"], body: "")
            ]
        }
        _ = try bench.tag()
        let asked = bench.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }
        #expect(asked.count == 2)
        #expect(asked.first?.body == asked.last?.body)
        #expect(asked.allSatisfy { $0.method == "POST" && $0.headers["token"] == "token1" })
    }

    @Test func redirectToAnotherHostGetsNoToken() throws {
        let other = try LoopbackServer { _ in ServiceReply(body: "{}").bytes }
        defer { other.stop() }
        let location = other.url("/20141201/status").replacing("127.0.0.1", with: "localhost")
        let bench = try SchedulesDirectBench { world in
            world.interventions["/status"] = [
                ServiceReply(status: 302, headers: ["Location: \(location)"], body: "")
            ]
        }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .redirectRefused)
        #expect(other.requests.isEmpty)
    }

    @Test func redirectLoopEnds() throws {
        let reply = ServiceReply(status: 302, headers: ["Location: /20141201/status"], body: "")
        let bench = try SchedulesDirectBench { $0.interventions["/status"] = Array(repeating: reply, count: 20) }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .tooManyRedirects(limit: 5))
    }
}

/// Progress, cancellation, time limits, and private addresses.
@Suite struct SchedulesDirectWatchTests {
    @Test func progressCountsBytesOfAllResponses() throws {
        let bench = try SchedulesDirectBench()
        let counts = Mutex<[Int64]>([])
        _ = try bench.fetch(watch: FetchWatch(progress: { step in counts.withLock { $0.append(step.byteCount) } }))
        let found = counts.withLock { $0 }
        #expect(found == found.sorted())
        // There is progress for each of the seven responses, and their sum exceeds the size of the file.
        #expect(found.count >= 7)
        #expect(found.last ?? 0 > 1000)
    }

    @Test func canceledFetchSendsNoRequest() throws {
        let bench = try SchedulesDirectBench()
        let error = #expect(throws: FetchError.self) { try bench.fetch(watch: FetchWatch(isCancelled: { true })) }
        #expect(error?.reason == .cancelled)
        #expect(bench.fake.takeRequests().isEmpty)
    }

    /// If it is canceled while days are queued, the days that were received are kept.
    @Test func canceledFetchKeepsReceivedDays() throws {
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

    /// The limit is that of the request or of the fetcher.
    @Test(arguments: [false, true]) func timeLimitAppliesToAllRequestsTogether(isOfRequest: Bool) throws {
        let bench = try SchedulesDirectBench()
        // The clock advances by a minute with each request.
        let watch = FetchWatch(isCancelled: {
            bench.advance(60)
            return false
        })
        let error = #expect(throws: FetchError.self) {
            let fetcher = bench.fetcher(fetchLimits: FetchLimits(totalSeconds: isOfRequest ? 3600 : 120))
            let request = FetchRequest(location: .url(bench.fake.url), timeLimit: isOfRequest ? 120 : nil)
            return try fetcher.fetch(request, watch: watch)
        }
        #expect(error?.reason == .timedOut("more than 120 seconds in total"))
    }

    @Test(arguments: [false, true]) func privateAddressRequiresPermission(isAllowed: Bool) throws {
        let bench = try SchedulesDirectBench()
        let port = bench.fake.server.port
        let request = FetchRequest(
            location: .url("http://service.test:\(port)/20141201"), allowsPrivateAddresses: isAllowed)
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
        let reply = ServiceReply(status: 307, headers: ["Location: \(other.url("/20141201/status"))"], body: "")
        let bench = try SchedulesDirectBench { $0.interventions["/status"] = [reply] }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .refusedAddress(host: "127.0.0.1", .loopback, isRedirect: true))
        #expect(other.requests.isEmpty)
    }

    @Test func fetchRequiresADatabase() {
        let account = SchedulesDirectAccount(username: "a", password: "b")
        let request = FetchRequest(location: .url("https://a.example/"), schedulesDirect: account)
        let error = #expect(throws: FetchError.self) {
            try GuideFetcher(userAgent: "swift-epg/test").fetch(request)
        }
        #expect(error?.reason == .unsupportedScheme("Schedules Direct"))
    }
}
