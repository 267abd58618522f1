import Testing

@testable import EPGRefresh

/// Where redirects lead, and where the token never goes.
@Suite struct SchedulesDirectTargetTests {
    private static let base = "https://json.schedulesdirect.org/20141201"

    @Test(arguments: [
        ("/20141201/lineups?x=1", "https://json.schedulesdirect.org/20141201/lineups?x=1"),
        ("https://json.schedulesdirect.org/a", "https://json.schedulesdirect.org/a"),
        ("https://web2.SchedulesDirect.org:8443/a", "https://web2.schedulesdirect.org:8443/a"),
        ("https://json.schedulesdirect.org?a", "https://json.schedulesdirect.org/?a"),
    ])
    func redirectWithinTheServiceIsFollowed(location: String, target: String) {
        #expect(SchedulesDirectTarget(Self.base)?.redirected(to: location)?.text == target)
    }

    @Test(arguments: [
        "https://example.org/", "http://json.schedulesdirect.org/20141201", "http://web2.schedulesdirect.org/",
        "https://schedulesdirect.org.example.org/", "https://evilschedulesdirect.org/", "//example.org/",
        "https://json.schedulesdirect.org@example.org/", "https://example.org\\json.schedulesdirect.org/",
        "https://example.org#.schedulesdirect.org/", "https://127.0.0.1/", "https://[::1]/",
        "ftp://json.schedulesdirect.org/",
        "", "lineups", "https://", "https://json.schedulesdirect.org:x/",
    ])
    func redirectAnywhereElseIsRefused(location: String) {
        #expect(SchedulesDirectTarget(Self.base)?.redirected(to: location) == nil)
    }

    @Test(arguments: [
        ("https://10.1.2.3/", "https://11.1.2.3/"), ("https://example.org/", "https://other.org/"),
        ("https://guide.co.example/", "https://other.co.example/"),
        ("https://guide.example/", "https://json.schedulesdirect.org/"),
    ])
    func anotherServerHasNoRelatives(base: String, location: String) {
        #expect(SchedulesDirectTarget(base)?.redirected(to: location) == nil)
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
        let location = other.address("/20141201/status").replacing("127.0.0.1", with: "localhost")
        let bench = try SchedulesDirectBench { world in
            world.interventions["/status"] = [
                ServiceReply(status: 302, headers: ["Location: \(location)"], body: "")
            ]
        }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .redirectRefused)
        #expect(other.requests.isEmpty)
    }

    @Test func redirectsInACircleEnd() throws {
        let reply = ServiceReply(status: 302, headers: ["Location: /20141201/status"], body: "")
        let bench = try SchedulesDirectBench { $0.interventions["/status"] = Array(repeating: reply, count: 20) }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .tooManyRedirects(limit: 5))
    }
}
