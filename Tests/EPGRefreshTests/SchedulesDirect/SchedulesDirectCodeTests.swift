import Testing

@testable import EPGRefresh

/// The errors of the service, in words, and what is done about them.
@Suite struct SchedulesDirectCodeTests {
    /// The numbers of the service's own table of errors, with a part of what a person reads, and the exit code.
    static let errors: [(code: Int, words: String, exitCode: Int32)] = [
        (1001, "doesn't understand", 69), (1003, "newest version", 78), (2000, "doesn't understand", 69),
        (2102, "the lineup can't be had", 78), (2106, "deleted", 78), (2107, "still being made", 69),
        (3000, "30 minutes", 69), (4001, "subscription has run out", 78), (4002, "password is wrong", 78),
        (4003, "password is wrong", 78), (4004, "locked", 78), (4005, "may not use the service", 78),
        (4007, "shut this program out", 78), (4008, "isn't active", 78), (4009, "logged in too often", 69),
        (4010, "too many addresses", 69), (4102, "no lineup", 78), (7010, "Words of the service", 69),
        (9999, "Words of the service", 69),
    ]

    @Test(arguments: errors)
    func errorIsToldInWords(code: Int, words: String, exitCode: Int32) throws {
        let bench = try SchedulesDirectBench {
            $0.interventions["/lineups"] = [
                FakeSchedulesDirect.error(code, "RESPONSE", message: "Words of the service.")
            ]
        }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        let text = error?.description ?? ""
        #expect(text.contains(words))
        #expect(text.contains("code \(code))"))
        #expect(text.hasPrefix(bench.fake.address))
        #expect(error?.exitCode == exitCode)
        #expect(bench.takeWaits().isEmpty)
    }

    @Test func offlineStateOfTheServiceIsAnError() throws {
        let bench = try SchedulesDirectBench { $0.status = "Offline" }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.description.contains("down for maintenance") == true)
        #expect(bench.fake.takeRequests() == ["POST /token", "GET /status"])
    }

    @Test func offlineServiceIsLeftAloneForHalfAnHour() throws {
        let offline = FakeSchedulesDirect.error(3000, "SERVICE_OFFLINE", status: 503)
        let bench = try SchedulesDirectBench { $0.interventions["/token"] = [offline] }
        for _ in 0..<3 { #expect(throws: FetchError.self) { try bench.fetch() } }
        #expect(bench.fake.takeRequests() == ["POST /token"])
        bench.advance(1800)
        _ = try bench.tag()
    }

    @Test(arguments: [(code: 4003, seconds: Int64(900)), (4004, 900), (4009, 21_600), (4010, 21_600)])
    func refusedLogInIsNotRepeatedFor(code: Int, seconds: Int64) throws {
        let bench = try SchedulesDirectBench {
            $0.interventions["/token"] = [FakeSchedulesDirect.error(code, "REFUSED", status: 403)]
        }
        #expect(throws: FetchError.self) { try bench.fetch() }
        bench.advance(seconds - 1)
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.description.contains("code \(code))") == true)
        #expect(bench.fake.takeRequests() == ["POST /token"])
        bench.advance(1)
        _ = try bench.tag()
    }

    @Test func correctedPasswordIsTriedAtOnce() throws {
        let bench = try SchedulesDirectBench()
        #expect(throws: FetchError.self) { try bench.fetch(bench.fetcher(password: "wrong")) }
        _ = try bench.tag()
        #expect(bench.fake.logIns == 2)
    }

    @Test(arguments: [
        ServiceReply(body: "<html>gateway</html>"), ServiceReply(body: "[1, 2"), ServiceReply(body: "7"),
        ServiceReply(body: "{\"code\":0}"),
    ])
    func answerThatIsNoneIsBadContent(reply: ServiceReply) throws {
        let bench = try SchedulesDirectBench { $0.interventions["/token"] = [reply] }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.exitCode == 65)
        #expect(error?.description.contains("can't be read") == true)
    }

    @Test(arguments: [429, 500, 502, 503])
    func statusThatMayPassIsTriedAgain(status: Int) throws {
        let trouble = ServiceReply(status: status, body: "<html>gateway</html>")
        let bench = try SchedulesDirectBench { $0.interventions["/schedules"] = [trouble, trouble] }
        _ = try bench.tag()
        // Half of 2 and of 4 seconds, as nothing is drawn.
        #expect(bench.takeWaits() == [.seconds(1), .seconds(2)])
        #expect(bench.fake.takeRequests().count { $0 == "POST /schedules" } == 3)
    }

    @Test func serverThatAsksToWaitIsWaitedFor() throws {
        let trouble = ServiceReply(status: 429, headers: ["Retry-After: 40"], body: "")
        let bench = try SchedulesDirectBench { $0.interventions["/status"] = [trouble] }
        _ = try bench.tag()
        #expect(bench.takeWaits() == [.seconds(40)])
    }

    @Test func brokenConnectionIsTriedAgainAndGivenUpAfterAllAttempts() throws {
        let cut = ServiceReply(body: "", isCut: true)
        let bench = try SchedulesDirectBench { $0.interventions["/lineups"] = [cut, cut, cut] }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .cutShort)
        #expect(error?.attempts == 3)
        #expect(bench.takeWaits().count == 2)
    }

    @Test func serverThatAsksForALongWaitIsLeftAloneAndItsWishIsTold() throws {
        let trouble = ServiceReply(status: 429, headers: ["Retry-After: 4000"], body: "")
        let bench = try SchedulesDirectBench { $0.interventions["/status"] = [trouble] }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.retryAfter == 4000)
        #expect(error?.description.contains("left alone for 4000 seconds") == true)
        #expect(bench.takeWaits().isEmpty)
    }

    @Test(arguments: [400, 404])
    func statusThatStaysIsNotTriedAgain(status: Int) throws {
        let bench = try SchedulesDirectBench {
            $0.interventions["/status"] = [ServiceReply(status: status, body: "no")]
        }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.reason == .status(status))
        #expect(bench.takeWaits().isEmpty)
    }
}
