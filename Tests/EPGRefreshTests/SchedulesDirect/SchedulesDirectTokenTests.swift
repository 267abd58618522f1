import EPGModel
import Glibc
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests that the fetcher logs in once per lifetime of a token.
@Suite struct SchedulesDirectTokenTests {
    /// The response to the first login or `nil` for a token of a day, its lifetime in seconds, and the logins that it takes.
    @Test(
        arguments: [
            (nil, 86_400, 1),
            // The end of the lifetime uses the server's clock. The first response replaces the login.
            ("{\"code\":0,\"token\":\"early\",\"tokenExpires\":1000003600,\"serverTime\":1000000000}", 3600, 0),
        ] as [(String?, Int64, Int)])
    func tokenIsUsedForItsLifetime(response: String?, lifetime: Int64, loginCount: Int) throws {
        let fixture = try SchedulesDirectFixture { state in
            guard let response else { return }
            state.tokens = ["early"]
            state.nextReplies["/token"] = [ServiceReply(body: response)]
        }
        _ = try fixture.tag()
        fixture.advance(lifetime - 100)
        _ = try fixture.tag()
        #expect(fixture.fake.loginCount == loginCount)
        fixture.advance(100)
        _ = try fixture.tag()
        #expect(fixture.fake.loginCount == loginCount + 1)
    }

    /// The server may send extreme numbers.
    @Test(
        arguments: [(.min, 0), (.max, .min), (.min, .max), (.min + 30, 0), (.max, 0), (0, .max), (0, 0)]
            as [(Int64, Int64)])
    func extremeTokenLifetimesDoNotTrap(end: Int64, now: Int64) throws {
        let fixture = try SchedulesDirectFixture { state in
            state.tokens = ["odd"]
            state.nextReplies["/token"] = [
                ServiceReply(body: "{\"code\":0,\"token\":\"odd\",\"tokenExpires\":\(end),\"serverTime\":\(now)}")
            ]
        }
        // The only login returned the extreme number.
        #expect(try fixture.tag() != nil && fixture.fake.loginCount == 0)
        // The lifetime is at most a day.
        fixture.advance(86_400)
        _ = try fixture.tag()
        #expect(fixture.fake.loginCount > 0)
    }

    /// Returns the fetcher of another process, with the same file and nothing in memory.
    private func nextProcessFetcher(_ fixture: SchedulesDirectFixture, password: String = "secret")
        -> SchedulesDirectFetcher
    {
        fixture.fetcher(password: password, tokens: SchedulesDirectTokens(path: "\(fixture.folder.path)/tokens"))
    }

    @Test func tokenIsStoredInAPrivateFile() throws {
        let fixture = try SchedulesDirectFixture()
        for _ in 0..<3 { _ = try fixture.fetch(nextProcessFetcher(fixture)) }
        fixture.advance(86_000)
        _ = try fixture.fetch(nextProcessFetcher(fixture))
        let path = "\(fixture.folder.path)/tokens"
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let text = try TestFolder.contents(of: path)
        #expect(text.hasSuffix(" token token1\n") && !text.contains("viewer") && !text.contains("e5e9fa1b"))
        let loginCount = fixture.fake.loginCount
        fixture.advance(400)
        _ = try fixture.fetch(nextProcessFetcher(fixture))
        #expect([loginCount, fixture.fake.loginCount] == [1, 2])
    }

    @Test func nextProcessRepeatsRefusedLoginOnlyWithAnotherPassword() throws {
        let fixture = try SchedulesDirectFixture()
        for _ in 0..<3 {
            let error = try fixture.error(nextProcessFetcher(fixture, password: "wrong"))
            expectText(error.description, contains: ["password is wrong"])
        }
        try fixture.expect(requests: ["POST /token"])
        _ = try fixture.fetch(nextProcessFetcher(fixture))
        fixture.advance(900)
        _ = try fixture.error(nextProcessFetcher(fixture, password: "wrong"))
        #expect(fixture.fake.takeRequests().count { $0 == "POST /token" } == 2)
    }

    /// Expirations are in seconds since 1970: 2026-03-28T12:00Z is 1774699200.
    @Test(arguments: [
        "", "nonsense\n", "KEY 1774699200 token old\n", "KEY 1774699199 token old\n", "KEY 1774785601 token old\n",
        "KEY 9223372036854775807 token old\n", "KEY -9223372036854775808 refused 4003\n", "KEY x token old\n",
        "KEY 1774700000 refused x\n", "KEY 1774700000 granted old\n", "KEY 1774700000 token\n",
    ]) func invalidOrExpiredEntriesAreIgnored(text: String) throws {
        let fixture = try SchedulesDirectFixture()
        let key = SHA1.hexadecimal(of: "\(fixture.fake.url)\nviewer@example.org\n\(SHA1.hexadecimal(of: "secret"))")
        try fixture.folder.write(text.replacing("KEY", with: key), to: "tokens")
        _ = try fixture.fetch(nextProcessFetcher(fixture))
        #expect(fixture.fake.loginCount == 1)
    }

    @Test func expiredTokenIsRenewedAndRequestRepeated() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag()
        _ = fixture.fake.takeRequests()
        fixture.fake.change { $0.tokens = [] }
        _ = try fixture.tag()
        let requests = fixture.fake.takeRequests()
        #expect((requests.prefix(3), fixture.fake.loginCount) == (["GET /status", "POST /token", "GET /status"], 2))
    }

    @Test func tokenIsRenewedDuringARefresh() throws {
        let expired = FakeSchedulesDirect.error(4006, "TOKEN_EXPIRED", status: 403)
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/programs"] = [expired] }
        _ = try fixture.tag()
        #expect(fixture.fake.takeRequests().suffix(3) == ["POST /programs", "POST /token", "POST /programs"])
    }

    @Test func refusedNewTokenIsAnError() throws {
        let expired = FakeSchedulesDirect.error(4006, "TOKEN_EXPIRED", status: 403)
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/status"] = [expired, expired] }
        expectText(try fixture.error().description, contains: ["even a new one"])
        #expect(fixture.fake.loginCount == 2)
    }

    @Test func passwordIsSentOnlyAsHashAndNeverShown() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag()
        let requests = fixture.fake.takeRequestsWithBodies()
        #expect(
            requests.first?.body
                == #"{"username":"viewer@example.org","password":"e5e9fa1ba31ecd1ae84f75caaa474f3a663f05f4"}"#)
        #expect(requests.map { $0.headers["token"] } == [nil] + Array(repeating: "token1", count: requests.count - 1))
        let account = SchedulesDirectAccount(username: "viewer", password: "hunter2", lineups: ["A"])
        var dumped = ""
        dump(account, to: &dumped)
        expectText("\(dumped) \(account) \(String(reflecting: account))", lacks: ["hunter2"])
        expectText(try TestFolder.contents(of: fixture.cachePath), lacks: ["e5e9fa1b"])
    }
}
