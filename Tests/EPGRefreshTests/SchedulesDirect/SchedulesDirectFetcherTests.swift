import EPGModel
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of the requests of consecutive nights and of the resulting guides.
@Suite struct SchedulesDirectFetcherTests {
    private static let firstNight = [
        "101 2026-03-28T20:00:00Z Harbour, first part", "101 2026-03-29T20:00:00Z Harbour, second part",
        "102 2026-03-28T19:00:00Z The Long Field", "102 2026-03-29T21:00:00Z Harbour, first part",
    ]

    @Test func firstRefreshRequestsEverythingOnce() throws {
        let fixture = try SchedulesDirectFixture()
        guard case .body(let body) = try fixture.fetch() else {
            Issue.record("Expected a body")
            return
        }
        try fixture.expect(
            requests: [
                "POST /token", "GET /status", "GET /lineups", "GET /lineups/ZZZ-TEST-X", "POST /schedules/md5",
                "POST /schedules", "POST /programs",
            ], airings: Self.firstNight)
        let size = Int64(try TestFolder.bytes(of: fixture.cachePath).count)
        #expect((body.path, body.byteCount, body.entityTag) == (fixture.cachePath, size, "\"\(body.hash)\""))
    }

    @Test func lineupsOfAnAccountAreRequestedWithTheTokenOfRefreshes() throws {
        let fixture = try SchedulesDirectFixture()
        let request = FetchRequest(location: try GuideLocation(fixture.fake.url))
        let offers = try fixture.fetcher().offers(request, watch: .none)
        #expect(offers.map(\.id) == ["ZZZ-TEST-X"])
        try fixture.expect(requests: ["POST /token", "GET /status", "GET /lineups"])
        _ = try fixture.fetch()
        // A second log-in could lock the account.
        #expect(fixture.fake.loginCount == 1)
    }

    @Test func accountWithoutLineupsOffersNone() throws {
        let fixture = try SchedulesDirectFixture { state in
            state.nextReplies["/lineups"] = [FakeSchedulesDirect.error(4102, "NO_LINEUPS")]
        }
        let request = FetchRequest(location: try GuideLocation(fixture.fake.url))
        #expect(try fixture.fetcher().offers(request, watch: .none).isEmpty)
    }

    @Test func refreshOfUnchangedGuideRequestsOnlyHashes() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        let before = try TestFolder.contents(of: fixture.cachePath)
        _ = fixture.fake.takeRequests()
        try fixture.expectNotModified(known: tag)
        try fixture.expect(requests: ["GET /status", "GET /lineups", "POST /schedules/md5"])
        #expect(try TestFolder.contents(of: fixture.cachePath) == before)
    }

    @Test func unchangedGuideIsReturnedWithoutEntityTag() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        _ = fixture.fake.takeRequests()
        let tags = try [fixture.tag(known: nil), fixture.tag(known: "\"another\"")]
        let posts = fixture.fake.takeRequests().filter { $0.hasPrefix("POST") }
        #expect((tags, Set(posts)) == ([tag, tag], ["POST /schedules/md5"]))
    }

    @Test func onlyChangedDaysAndProgramsAreRequested() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        _ = fixture.fake.takeRequests()
        fixture.fake.change { state in
            state.titles["MV000000020000"] = "The Longer Field"
        }
        let changed = try fixture.tag(known: tag)
        let bodies = fixture.fake.takeRequestsWithBodies().suffix(2).map(\.body)
        #expect(changed != tag && bodies == [#"[{"stationID":"102","date":["2026-03-28"]}]"#, #"["MV000000020000"]"#])
        try fixture.expect(airings: Self.firstNight.map { $0.replacing("The Long Field", with: "The Longer Field") })
    }

    @Test func changedTimesRequestNoPrograms() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        _ = fixture.fake.takeRequests()
        fixture.fake.change { $0.days["102"]?["2026-03-29"]?[0].start = "2026-03-29T22:00:00Z" }
        _ = try fixture.tag(known: tag)
        #expect(fixture.fake.takeRequests().suffix(2) == ["POST /schedules/md5", "POST /schedules"])
        #expect(try fixture.airings().last == "102 2026-03-29T22:00:00Z Harbour, first part")
    }

    @Test func pastDaysAndTheirProgramsAreRemoved() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        fixture.fake.change { state in
            for station in ["101", "102"] { state.days[station]?["2026-03-28"] = nil }
        }
        let changed = try fixture.tag(known: tag)
        try fixture.expect(airings: [Self.firstNight[1], Self.firstNight[3]])
        #expect(try changed != tag && !TestFolder.contents(of: fixture.cachePath).contains("MV000000020000"))
    }

    @Test func stationWithoutScheduleHashesKeepsItsDaysUntilTheyAreOver() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag()
        fixture.fake.change { $0.days["102"] = nil }
        _ = try fixture.tag()
        try fixture.expect(airings: Self.firstNight)
        fixture.advance(2 * 86_400)
        _ = try fixture.tag()
        try fixture.expect(airings: [Self.firstNight[0], Self.firstNight[1], Self.firstNight[3]])
    }

    @Test func modifiedLineupAndItsNewStationAreRequested() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        _ = fixture.fake.takeRequests()
        fixture.fake.change { state in
            state.lineups[0] = ("ZZZ-TEST-X", "2026-03-02T00:00:00Z", ["102", "103"])
            state.days["103"] = ["2026-03-28": [.init(program: "EP000000010002", start: "2026-03-28T05:00:00Z")]]
        }
        #expect(try fixture.tag(known: tag) != tag)
        try fixture.expect(
            requests: [
                "GET /status", "GET /lineups", "GET /lineups/ZZZ-TEST-X", "POST /schedules/md5", "POST /schedules",
            ],
            airings: [
                Self.firstNight[2], Self.firstNight[3], "103 2026-03-28T05:00:00Z Harbour, second part",
            ])
    }

    @Test func onlyConfiguredLineupsAreRequested() throws {
        let fixture = try SchedulesDirectFixture { state in
            state.lineups = [("A", "1", ["101"]), ("B", "1", ["102"])]
            state.deletedLineups = ["C"]
        }
        _ = try fixture.tag(fixture.fetcher(lineups: ["B"]))
        try fixture.expect(airings: [Self.firstNight[2], Self.firstNight[3]])
        #expect(fixture.fake.takeRequests().filter { $0.hasPrefix("GET /lineups/") } == ["GET /lineups/B"])
    }

    @Test func unknownLineupIsReported() throws {
        let fixture = try SchedulesDirectFixture { $0.deletedLineups = ["GONE"] }
        let error = try fixture.error(fixture.fetcher(lineups: ["GONE"]))
        expectText(error.description, contains: ["no lineup GONE; it has ZZZ-TEST-X"])
        #expect(error.kind == .configuration)
    }

    @Test(arguments: [(stations: 1, contents: 1, schedules: 4, programs: 3), (3, 2, 2, 2), (4, 3, 1, 1)])
    func requestsAreSplitIntoBatches(stations: Int, contents: Int, schedules: Int, programs: Int) throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag(fixture.fetcher(limits: SchedulesDirectLimits(stations: stations, programs: contents)))
        let requests = fixture.fake.takeRequests()
        let counts = ["schedules/md5", "schedules", "programs"].map { path in
            requests.count { $0 == "POST /\(path)" }
        }
        #expect(counts == [(2 + stations - 1) / stations, schedules, programs])
        try fixture.expect(airings: Self.firstNight)
    }

    @Test func failureKeepsEarlierResponses() throws {
        let fixture = try SchedulesDirectFixture {
            $0.nextReplies["/programs"] = [FakeSchedulesDirect.error(3000, "SERVICE_OFFLINE", status: 503)]
        }
        #expect(try fixture.error().kind == .unavailable)
        try fixture.expect(waits: [])
        _ = fixture.fake.takeRequests()
        fixture.advance(1801)
        _ = try fixture.tag()
        try fixture.expect(
            requests: ["POST /token", "GET /status", "GET /lineups", "POST /schedules/md5", "POST /programs"],
            airings: Self.firstNight)
    }

    @Test func compressedResponsesAreAccepted() throws {
        let fixture = try SchedulesDirectFixture { $0.isCompressed = true }
        _ = try fixture.tag()
        try fixture.expect(airings: Self.firstNight)
        let headers = fixture.fake.takeRequestsWithBodies().map(\.headers)
        #expect(
            headers.allSatisfy { fields in
                let encodings = fields["accept-encoding"] ?? ""
                return encodings.contains("gzip") && encodings.contains("deflate")
                    && fields["user-agent"] == "swift-epg/test"
            }, "\(headers)")
    }

    @Test func guideLargerThanTheLimitIsRejected() throws {
        let fixture = try SchedulesDirectFixture()
        let error = try fixture.error(fixture.fetcher(fetchLimits: FetchLimits(byteCount: 300)))
        #expect(error.reason == .tooLarge(limit: 300))
    }

    @Test func unwritableCacheIsReported() throws {
        let fixture = try SchedulesDirectFixture()
        let file = try fixture.folder.write("", to: "file")
        let error = try fixture.error(fixture.fetcher(cachePath: "\(file)/guide.json"))
        expectText(error.description, contains: ["cannot read or write \(file)/guide.json (Not a directory)"])
        #expect(error.kind == .inputOutput)
    }
}

/// Tests of days and programs that the service refuses or has queued.
@Suite struct SchedulesDirectQueueTests {
    private static let day = "101 2026-03-28T20:00:00Z Harbour, first part"
    /// The body of a request of the first day of station 101.
    private static let dayRequest = #"[{"stationID":"101","date":["2026-03-28"]}]"#

    /// Returns the bodies of the requests of schedules since the last call.
    private func scheduleRequests(_ fixture: SchedulesDirectFixture) -> [String] {
        fixture.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }.map(\.body)
    }

    @Test func queuedDayIsRequestedAgain() throws {
        let fixture = try SchedulesDirectFixture { $0.queuedDays = ["101 2026-03-28": 2] }
        _ = try fixture.tag()
        #expect(scheduleRequests(fixture).dropFirst() == [Self.dayRequest, Self.dayRequest])
        try fixture.expect(waits: [.seconds(20), .seconds(20)], airing: Self.day)
    }

    @Test func dayThatStaysQueuedIsFetchedByALaterRefresh() throws {
        let fixture = try SchedulesDirectFixture { $0.queuedDays = ["101 2026-03-28": 3] }
        let tag = try fixture.tag()
        let count = try fixture.airings().count
        _ = fixture.fake.takeRequests()
        let later = try fixture.tag(known: tag)
        #expect(later != tag && count == 3)
        #expect(scheduleRequests(fixture) == [Self.dayRequest])
        try fixture.expect(airing: Self.day)
    }

    @Test func queuedChangedDayKeepsItsOldSchedule() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        fixture.fake.change { state in
            state.days["101"]?["2026-03-28"]?[0].start = "2026-03-28T20:30:00Z"
            state.queuedDays = ["101 2026-03-28": 3]
        }
        try fixture.expectNotModified(known: tag)
        try fixture.expect(airing: Self.day)
        _ = try fixture.tag(known: tag)
        try fixture.expect(airing: "101 2026-03-28T20:30:00Z Harbour, first part")
    }

    @Test func queuedProgramIsRequestedAgain() throws {
        let fixture = try SchedulesDirectFixture { $0.queuedPrograms = ["EP000000010001": 1] }
        _ = try fixture.tag()
        #expect(fixture.fake.takeRequestsWithBodies().last?.body == #"["EP000000010001"]"#)
        try fixture.expect(waits: [.seconds(20)], airing: Self.day)
    }

    @Test func programThatStaysQueuedIsFetchedByALaterRefresh() throws {
        let fixture = try SchedulesDirectFixture { $0.queuedPrograms = ["EP000000010001": 3] }
        let tag = try fixture.tag()
        try fixture.expect(airing: "101 2026-03-28T20:00:00Z -")
        _ = fixture.fake.takeRequests()
        #expect(try fixture.tag(known: tag) != tag)
        try fixture.expect(
            requests: ["GET /status", "GET /lineups", "POST /schedules/md5", "POST /programs"], airing: Self.day)
    }

    @Test func queuedChangedProgramKeepsItsOldTextAndIsRequestedAgain() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        fixture.fake.change { state in
            state.titles["EP000000010001"] = "Harbour, part one"
            state.queuedPrograms = ["EP000000010001": 3]
        }
        let next = try fixture.tag(known: tag)
        try fixture.expect(airing: Self.day)
        #expect(try fixture.tag(known: next) != next)
        try fixture.expect(airing: "101 2026-03-28T20:00:00Z Harbour, part one")
    }

    @Test func unknownProgramIsNotRequestedEveryNight() throws {
        let fixture = try SchedulesDirectFixture { $0.programErrorCodes = ["EP000000010002": 6000] }
        let tag = try fixture.tag()
        try fixture.expect(airing: "101 2026-03-29T20:00:00Z -")
        _ = fixture.fake.takeRequests()
        try fixture.expectNotModified(known: tag)
        #expect(!fixture.fake.takeRequests().contains("POST /programs"))
        fixture.fake.change { state in
            state.programErrorCodes = [:]
            state.titles["EP000000010002"] = "Harbour, last part"
        }
        _ = try fixture.tag(known: tag)
        try fixture.expect(airing: "101 2026-03-29T20:00:00Z Harbour, last part")
    }

    @Test(arguments: [2200, 2201, 7000, 7020, 7030])
    func refusedDayIsNotRequestedEveryNight(code: Int) throws {
        let fixture = try SchedulesDirectFixture { $0.dayErrorCodes = ["101 2026-03-28": code] }
        let tag = try fixture.tag()
        #expect(try fixture.airings().count == 3 && !fixture.hasWaited)
        _ = fixture.fake.takeRequests()
        _ = try fixture.fetch(known: tag)
        #expect(!fixture.fake.takeRequests().contains("POST /schedules"))
    }

    @Test func refusedChangedDayKeepsItsOldSchedule() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag()
        fixture.fake.change { state in
            state.days["101"]?["2026-03-28"]?[0].start = "2026-03-28T20:30:00Z"
            state.dayErrorCodes = ["101 2026-03-28": 7000]
        }
        _ = try fixture.tag()
        try fixture.expect(airing: Self.day)
    }
}
