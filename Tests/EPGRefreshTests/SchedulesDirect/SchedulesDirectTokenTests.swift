import Testing

@testable import EPGRefresh

/// Logging in: once for as long as a token holds.
@Suite struct SchedulesDirectTokenTests {
    @Test func tokenIsKeptForItsLife() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        bench.advance(86_000)
        _ = try bench.tag()
        #expect(bench.fake.logIns == 1)
        // A day is 86,400 seconds.
        bench.advance(400)
        _ = try bench.tag()
        #expect(bench.fake.logIns == 2)
    }

    @Test func tokenThatTheServerEndsEarlierIsKeptUntilThenByItsOwnClock() throws {
        let bench = try SchedulesDirectBench { world in
            world.tokens = ["early"]
            world.interventions["/token"] = [
                PostServer.Reply(
                    body: "{\"code\":0,\"token\":\"early\",\"tokenExpires\":1000003600,\"serverTime\":1000000000}")
            ]
        }
        _ = try bench.tag()
        bench.advance(3500)
        _ = try bench.tag()
        #expect(bench.fake.logIns == 0)
        bench.advance(100)
        _ = try bench.tag()
        #expect(bench.fake.logIns == 1)
    }

    @Test func tokenThatExpiredIsRenewedAndTheQuestionAskedAgain() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        _ = bench.fake.takeRequests()
        bench.fake.change { $0.tokens = [] }
        _ = try bench.tag()
        #expect(bench.fake.takeRequests().prefix(3) == ["GET /status", "POST /token", "GET /status"])
        #expect(bench.fake.logIns == 2)
    }

    @Test func tokenIsRenewedInTheMiddleOfARefresh() throws {
        let expired = FakeSchedulesDirect.error(4006, "TOKEN_EXPIRED", status: 403)
        let bench = try SchedulesDirectBench { $0.interventions["/programs"] = [expired] }
        _ = try bench.tag()
        #expect(bench.fake.takeRequests().suffix(3) == ["POST /programs", "POST /token", "POST /programs"])
    }

    @Test func newTokenThatIsRefusedTooIsAnError() throws {
        let expired = FakeSchedulesDirect.error(4006, "TOKEN_EXPIRED", status: 403)
        let bench = try SchedulesDirectBench { $0.interventions["/status"] = [expired, expired] }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.description.contains("not even a new one") == true)
        #expect(bench.fake.logIns == 2)
    }

    @Test func passwordIsSentAsItsHashAloneAndShownNowhere() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        let requests = bench.fake.takeRequestsWithBodies()
        #expect(
            requests.first?.body
                == #"{"username":"viewer@example.org","password":"e5e9fa1ba31ecd1ae84f75caaa474f3a663f05f4"}"#)
        #expect(requests.first?.headers["token"] == nil)
        #expect(requests.dropFirst().allSatisfy { $0.headers["token"] == "token1" })
        let account = SchedulesDirectAccount(username: "viewer", password: "hunter2", lineups: ["A"])
        var dumped = ""
        dump(account, to: &dumped)
        #expect(![dumped, "\(account)", String(reflecting: account)].contains { $0.contains("hunter2") })
        #expect(try !TestFolder.contents(of: bench.cachePath).contains("e5e9fa1b"))
    }

    /// Expected by sha1sum(1) and hashlib.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (String(repeating: "a", count: 56), "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
        (String(repeating: "a", count: 119), "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        (String(repeating: "a", count: 120), "f34c1488385346a55709ba056ddd08280dd4c6d6"),
    ])
    func hashIsThatOfTheStandard(text: String, hash: String) {
        #expect(SHA1.hexadecimal(text) == hash)
    }
}
