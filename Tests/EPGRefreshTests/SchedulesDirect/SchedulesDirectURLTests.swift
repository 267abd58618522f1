import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of allowed redirects and of hosts that never receive the token.
@Suite struct SchedulesDirectURLTests {
    private static let base = "https://json.schedulesdirect.org/20141201"

    @Test(arguments: [
        ("/20141201/lineups?x=1", "https://json.schedulesdirect.org/20141201/lineups?x=1"),
        ("https://json.schedulesdirect.org/a", "https://json.schedulesdirect.org/a"),
        ("https://web2.SchedulesDirect.org:8443/a", "https://web2.schedulesdirect.org:8443/a"),
        ("https://json.schedulesdirect.org?a", "https://json.schedulesdirect.org/?a"),
    ])
    func redirectWithinTheServiceIsFollowed(location: String, target: String) {
        #expect(Self.target(of: Self.base, location)?.lowercased() == target)
    }

    /// Returns the target of a redirect; `nil` if it is not followed.
    private static func target(of base: String, _ location: String) -> String? {
        guard let url = try? WebURL(base), let target = try? url.redirected(to: location),
            SchedulesDirectClient.mayRedirect(from: url, to: target)
        else { return nil }
        return target.text
    }

    /// The URL of the service or of another server, and a URL to which it redirects.
    private static let refusedRedirects: [(base: String, location: String)] =
        [
            "https://example.org/", "http://json.schedulesdirect.org/20141201", "http://web2.schedulesdirect.org/",
            "https://schedulesdirect.org.example.org/", "https://evilschedulesdirect.org/", "//example.org/",
            "https://json.schedulesdirect.org@example.org/", "https://example.org\\json.schedulesdirect.org/",
            "https://example.org#.schedulesdirect.org/", "https://127.0.0.1/", "https://[::1]/",
            "ftp://json.schedulesdirect.org/",
            "https://", "https://json.schedulesdirect.org:x/",
        ].map { (base, $0) }
        // Other servers have no related hosts.
        + [
            ("https://10.1.2.3/", "https://11.1.2.3/"), ("https://example.org/", "https://other.org/"),
            ("https://guide.co.example/", "https://other.co.example/"),
            ("https://guide.example/", "https://json.schedulesdirect.org/"),
        ]

    @Test(arguments: refusedRedirects)
    func redirectToAnotherServerIsRefused(base: String, location: String) throws {
        #expect(Self.target(of: base, location) == nil)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectKeepsMethodBodyAndToken(status: Int) throws {
        let fixture = try SchedulesDirectFixture { state in
            state.nextReplies["/schedules"] = [
                ServiceReply(status: status, headers: ["Location: /20141201/schedules"], body: "")
            ]
        }
        _ = try fixture.tag()
        let requests = fixture.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }
        #expect(requests.count == 2 && requests.first?.body == requests.last?.body)
        #expect(requests.allSatisfy { $0.method == "POST" && $0.headers["token"] == "token1" })
    }

    @Test func redirectToAnotherHostGetsNoToken() throws {
        let other = try LoopbackServer { _ in ServiceReply(body: "{}").bytes }
        defer { other.stop() }
        let location = other.url("/20141201/status").replacing("127.0.0.1", with: "localhost")
        let fixture = try SchedulesDirectFixture { state in
            state.nextReplies["/status"] = [
                ServiceReply(status: 302, headers: ["Location: \(location)"], body: "")
            ]
        }
        #expect(try fixture.error().reason == .redirectRefused && other.requests.isEmpty)
    }

    @Test func redirectLoopEnds() throws {
        let reply = ServiceReply(status: 302, headers: ["Location: /20141201/status"], body: "")
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/status"] = Array(repeating: reply, count: 20) }
        #expect(try fixture.error().reason == .tooManyRedirects(limit: 5))
    }
}

/// Tests of progress, cancellation, time limits and private addresses.
@Suite struct SchedulesDirectWatchTests {
    @Test func progressCountsBytesOfAllResponses() throws {
        let fixture = try SchedulesDirectFixture()
        let counts = Mutex<[Int64]>([])
        _ = try fixture.fetch(watch: FetchObserver(progress: { step in counts.withLock { $0.append(step.byteCount) } }))
        let found = counts.withLock { $0 }
        // Each of the seven responses causes progress, and their sum exceeds the size of the file.
        #expect(found == found.sorted() && found.count >= 7 && found.last ?? 0 > 1000, "\(found)")
    }

    @Test func canceledFetchSendsNoRequest() throws {
        let fixture = try SchedulesDirectFixture()
        let error = try fetchError { try fixture.fetch(watch: FetchObserver(isCancelled: { true })) }
        #expect(error.reason == .cancelled)
        try fixture.expect(requests: [])
    }

    /// The fetch is canceled while days are queued. The received days are kept.
    @Test func canceledFetchKeepsReceivedDays() throws {
        let fixture = try SchedulesDirectFixture { $0.queuedDays = ["101 2026-03-28": 9] }
        let watch = FetchObserver(isCancelled: { fixture.hasWaited })
        let error = try fetchError { try fixture.fetch(watch: watch) }
        #expect(error.reason == .cancelled)
        try fixture.expect(waits: [.seconds(20)])
        fixture.fake.change { $0.queuedDays = [:] }
        _ = fixture.fake.takeRequests()
        _ = try fixture.tag()
        let scheduleRequests = fixture.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }.map(
            \.body)
        #expect(scheduleRequests == [#"[{"stationID":"101","date":["2026-03-28"]}]"#])
    }

    /// The limit comes from the request or from the fetcher.
    @Test(arguments: [false, true]) func timeLimitAppliesToAllRequestsTogether(isOfRequest: Bool) throws {
        let fixture = try SchedulesDirectFixture()
        // The clock advances by a minute with each request.
        let watch = FetchObserver(isCancelled: {
            fixture.advance(60)
            return false
        })
        let error = try fetchError {
            let fetcher = fixture.fetcher(fetchLimits: FetchLimits(totalSeconds: isOfRequest ? 3600 : 120))
            let request = FetchRequest(location: .url(fixture.fake.url), timeLimit: isOfRequest ? 120 : nil)
            return try fetcher.fetch(request, watch: watch)
        }
        #expect(error.reason == .timedOut("more than 120 seconds in total"))
    }

    @Test(arguments: [false, true]) func privateAddressRequiresPermission(isAllowed: Bool) throws {
        let fixture = try SchedulesDirectFixture()
        let port = fixture.fake.server.port
        let request = FetchRequest(
            location: .url("http://service.test:\(port)/20141201"), allowsPrivateAddresses: isAllowed)
        let fetcher = fixture.fetcher(names: ["service.test:\(port):127.0.0.1"])
        if isAllowed {
            _ = try fetcher.fetch(request)
            #expect(fixture.fake.loginCount == 1)
        } else {
            let error = try fetchError { try fetcher.fetch(request) }
            #expect(
                (error.reason, error.kind)
                    == (.refusedAddress(host: "service.test", .loopback, isRedirect: false), .configuration))
            #expect(fixture.fake.server.requests.isEmpty)
        }
    }

    @Test func redirectToAnotherPortOfThisMachineIsRefused() throws {
        let other = try LoopbackServer { _ in ServiceReply(body: "{}").bytes }
        defer { other.stop() }
        let reply = ServiceReply(status: 307, headers: ["Location: \(other.url("/20141201/status"))"], body: "")
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/status"] = [reply] }
        let reason = try fixture.error().reason
        #expect(reason == .refusedAddress(host: "127.0.0.1", .loopback, isRedirect: true))
        #expect(other.requests.isEmpty)
    }

    @Test func fetchRequiresADatabase() throws {
        let account = SchedulesDirectAccount(username: "a", password: "b")
        let request = FetchRequest(location: .url("https://a.example/"), schedulesDirect: account)
        let error = try fetchError { try GuideFetcher(userAgent: "swift-epg/test").fetch(request) }
        #expect(error.reason == .unsupportedScheme("Schedules Direct"))
    }
}
