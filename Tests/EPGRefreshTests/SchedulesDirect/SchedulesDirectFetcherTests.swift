import EPGModel
import Testing

@testable import EPGRefresh

/// The requests of consecutive nights, and the resulting guides.
@Suite struct SchedulesDirectFetcherTests {
    private static let firstNight = [
        "101 2026-03-28T20:00:00Z Harbour, first part", "101 2026-03-29T20:00:00Z Harbour, second part",
        "102 2026-03-28T19:00:00Z The Long Field", "102 2026-03-29T21:00:00Z Harbour, first part",
    ]

    @Test func firstRefreshRequestsEverythingOnce() throws {
        let bench = try SchedulesDirectBench()
        guard case .body(let body) = try bench.fetch() else {
            Issue.record("the first guide is a body")
            return
        }
        #expect(
            bench.fake.takeRequests() == [
                "POST /token", "GET /status", "GET /lineups", "GET /lineups/ZZZ-TEST-X", "POST /schedules/md5",
                "POST /schedules", "POST /programs",
            ])
        #expect(try bench.airings() == Self.firstNight)
        #expect(body.path == bench.cachePath)
        #expect(body.byteCount == Int64(try TestFolder.contents(of: bench.cachePath).utf8.count))
        #expect(body.entityTag == "\"\(body.hash)\"")
    }

    @Test func unchangedGuideRequestsOnlyMarks() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        let before = try TestFolder.contents(of: bench.cachePath)
        _ = bench.fake.takeRequests()
        guard case .notModified = try bench.fetch(known: tag) else {
            Issue.record("nothing changed")
            return
        }
        #expect(bench.fake.takeRequests() == ["GET /status", "GET /lineups", "POST /schedules/md5"])
        #expect(try TestFolder.contents(of: bench.cachePath) == before)
    }

    @Test func unchangedGuideIsReturnedWithoutEntityTag() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        _ = bench.fake.takeRequests()
        #expect(try bench.tag(known: nil) == tag)
        #expect(try bench.tag(known: "\"another\"") == tag)
        #expect(bench.fake.takeRequests().filter { $0.hasPrefix("POST") }.allSatisfy { $0 == "POST /schedules/md5" })
    }

    @Test func onlyChangedDaysAndProgramsAreRequested() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        _ = bench.fake.takeRequests()
        bench.fake.change { world in
            world.titles["MV000000020000"] = "The Longer Field"
        }
        #expect(try bench.tag(known: tag) != tag)
        let bodies = bench.fake.takeRequestsWithBodies().suffix(2).map(\.body)
        #expect(bodies == [#"[{"stationID":"102","date":["2026-03-28"]}]"#, #"["MV000000020000"]"#])
        #expect(
            try bench.airings()
                == Self.firstNight.map { $0.replacing("The Long Field", with: "The Longer Field") })
    }

    @Test func changedTimesRequestNoPrograms() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        _ = bench.fake.takeRequests()
        bench.fake.change { $0.days["102"]?["2026-03-29"]?[0].start = "2026-03-29T22:00:00Z" }
        _ = try bench.tag(known: tag)
        #expect(bench.fake.takeRequests().suffix(2) == ["POST /schedules/md5", "POST /schedules"])
        #expect(try bench.airings().last == "102 2026-03-29T22:00:00Z Harbour, first part")
    }

    @Test func pastDaysAndTheirProgramsAreRemoved() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        bench.fake.change { world in
            for station in ["101", "102"] { world.days[station]?["2026-03-28"] = nil }
        }
        #expect(try bench.tag(known: tag) != tag)
        #expect(try bench.airings() == [Self.firstNight[1], Self.firstNight[3]])
        #expect(try !TestFolder.contents(of: bench.cachePath).contains("MV000000020000"))
    }

    @Test func unlistedStationKeepsItsDaysUntilTheyAreOver() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        bench.fake.change { $0.days["102"] = nil }
        _ = try bench.tag()
        #expect(try bench.airings() == Self.firstNight)
        bench.advance(2 * 86_400)
        _ = try bench.tag()
        #expect(try bench.airings() == [Self.firstNight[0], Self.firstNight[1], Self.firstNight[3]])
    }

    @Test func modifiedLineupAndItsNewStationAreRequested() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        _ = bench.fake.takeRequests()
        bench.fake.change { world in
            world.lineups[0] = ("ZZZ-TEST-X", "2026-03-02T00:00:00Z", ["102", "103"])
            world.days["103"] = ["2026-03-28": [.init(content: "EP000000010002", start: "2026-03-28T05:00:00Z")]]
        }
        #expect(try bench.tag(known: tag) != tag)
        #expect(
            bench.fake.takeRequests() == [
                "GET /status", "GET /lineups", "GET /lineups/ZZZ-TEST-X", "POST /schedules/md5", "POST /schedules",
            ])
        #expect(
            try bench.airings() == [
                Self.firstNight[2], Self.firstNight[3], "103 2026-03-28T05:00:00Z Harbour, second part",
            ])
    }

    @Test func onlyConfiguredLineupsAreRequested() throws {
        let bench = try SchedulesDirectBench { world in
            world.lineups = [("A", "1", ["101"]), ("B", "1", ["102"])]
            world.deletedLineups = ["C"]
        }
        _ = try bench.tag(bench.fetcher(lineups: ["B"]))
        #expect(try bench.airings() == [Self.firstNight[2], Self.firstNight[3]])
        #expect(bench.fake.takeRequests().filter { $0.hasPrefix("GET /lineups/") } == ["GET /lineups/B"])
    }

    @Test func unknownLineupIsReported() throws {
        let bench = try SchedulesDirectBench { $0.deletedLineups = ["GONE"] }
        let error = #expect(throws: FetchError.self) { try bench.fetch(bench.fetcher(lineups: ["GONE"])) }
        #expect(error?.description.contains("no lineup GONE; it has ZZZ-TEST-X") == true)
        #expect(error?.exitCode == 78)
    }

    @Test(arguments: [(stations: 1, contents: 1, schedules: 4, programs: 3), (3, 2, 2, 2), (4, 3, 1, 1)])
    func requestsAreSplitIntoBatches(stations: Int, contents: Int, schedules: Int, programs: Int) throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag(bench.fetcher(limits: SchedulesDirectLimits(stations: stations, programs: contents)))
        let requests = bench.fake.takeRequests()
        #expect(requests.count { $0 == "POST /schedules/md5" } == (2 + stations - 1) / stations)
        #expect(requests.count { $0 == "POST /schedules" } == schedules)
        #expect(requests.count { $0 == "POST /programs" } == programs)
        #expect(try bench.airings() == Self.firstNight)
    }

    @Test func limitsAreClampedToThoseOfTheService() {
        let limits = SchedulesDirectLimits(stations: 50_000, programs: 0)
        #expect(limits.stations == 5000)
        #expect(limits.programs == 1)
    }

    @Test func failureKeepsEarlierResponses() throws {
        let bench = try SchedulesDirectBench {
            $0.interventions["/programs"] = [FakeSchedulesDirect.error(3000, "SERVICE_OFFLINE", status: 503)]
        }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.exitCode == 69)
        #expect(bench.takeWaits().isEmpty)
        _ = bench.fake.takeRequests()
        bench.advance(1801)
        _ = try bench.tag()
        #expect(
            bench.fake.takeRequests() == [
                "POST /token", "GET /status", "GET /lineups", "POST /schedules/md5", "POST /programs",
            ])
        #expect(try bench.airings() == Self.firstNight)
    }

    @Test func compressedResponsesAreAccepted() throws {
        let bench = try SchedulesDirectBench { $0.isCompressed = true }
        _ = try bench.tag()
        #expect(try bench.airings() == Self.firstNight)
        let requests = bench.fake.takeRequestsWithBodies()
        #expect(requests.allSatisfy { $0.headers["accept-encoding"]?.contains("gzip") == true })
        #expect(requests.allSatisfy { $0.headers["accept-encoding"]?.contains("deflate") == true })
        #expect(requests.allSatisfy { $0.headers["user-agent"] == "swift-epg/test" })
    }

    @Test func guideLargerThanTheLimitIsRejected() throws {
        let bench = try SchedulesDirectBench()
        let error = #expect(throws: FetchError.self) {
            try bench.fetch(bench.fetcher(fetchLimits: FetchLimits(byteCount: 300)))
        }
        #expect(error?.reason == .tooLarge(limit: 300))
    }

    @Test func unwritableCacheIsAFailure() throws {
        let bench = try SchedulesDirectBench()
        let file = try bench.folder.write("", to: "file")
        let error = #expect(throws: FetchError.self) {
            try bench.fetch(bench.fetcher(cachePath: "\(file)/guide.json"))
        }
        #expect(error?.description.contains("cannot read or write \(file)/guide.json (Not a directory)") == true)
        #expect(error?.exitCode == 74)
    }
}

/// Days and programs that the service cannot deliver, or not yet.
@Suite struct SchedulesDirectQueueTests {
    private static let day = "101 2026-03-28T20:00:00Z Harbour, first part"

    @Test func queuedDayIsRequestedAgain() throws {
        let bench = try SchedulesDirectBench { $0.queuedDays = ["101 2026-03-28": 2] }
        _ = try bench.tag()
        #expect(bench.takeWaits() == [.seconds(20), .seconds(20)])
        let asked = bench.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }.map(\.body)
        #expect(asked.dropFirst() == [asked[1], asked[1]][...])
        #expect(asked[1] == #"[{"stationID":"101","date":["2026-03-28"]}]"#)
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func dayThatStaysQueuedIsFetchedByALaterRefresh() throws {
        let bench = try SchedulesDirectBench { $0.queuedDays = ["101 2026-03-28": 3] }
        let tag = try bench.tag()
        #expect(try bench.airings().count == 3)
        _ = bench.fake.takeRequests()
        #expect(try bench.tag(known: tag) != tag)
        let asked = bench.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }.map(\.body)
        #expect(asked == [#"[{"stationID":"101","date":["2026-03-28"]}]"#])
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func queuedChangedDayKeepsItsOldSchedule() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        bench.fake.change { world in
            world.days["101"]?["2026-03-28"]?[0].start = "2026-03-28T20:30:00Z"
            world.queuedDays = ["101 2026-03-28": 3]
        }
        guard case .notModified = try bench.fetch(known: tag) else {
            Issue.record("expected: not modified")
            return
        }
        #expect(try bench.airings().contains(Self.day))
        _ = try bench.tag(known: tag)
        #expect(try bench.airings().contains("101 2026-03-28T20:30:00Z Harbour, first part"))
    }

    @Test func queuedProgramIsRequestedAgain() throws {
        let bench = try SchedulesDirectBench { $0.queuedContents = ["EP000000010001": 1] }
        _ = try bench.tag()
        #expect(bench.takeWaits() == [.seconds(20)])
        #expect(bench.fake.takeRequestsWithBodies().last?.body == #"["EP000000010001"]"#)
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func programThatStaysQueuedIsFetchedByALaterRefresh() throws {
        let bench = try SchedulesDirectBench { $0.queuedContents = ["EP000000010001": 3] }
        let tag = try bench.tag()
        #expect(try bench.airings().contains("101 2026-03-28T20:00:00Z -"))
        _ = bench.fake.takeRequests()
        #expect(try bench.tag(known: tag) != tag)
        #expect(
            bench.fake.takeRequests() == ["GET /status", "GET /lineups", "POST /schedules/md5", "POST /programs"])
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func queuedChangedProgramKeepsItsOldTextAndIsRequestedAgain() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        bench.fake.change { world in
            world.titles["EP000000010001"] = "Harbour, part one"
            world.queuedContents = ["EP000000010001": 3]
        }
        let next = try bench.tag(known: tag)
        #expect(try bench.airings().contains(Self.day))
        #expect(try bench.tag(known: next) != next)
        #expect(try bench.airings().contains("101 2026-03-28T20:00:00Z Harbour, part one"))
    }

    @Test func unknownProgramIsNotRequestedEveryNight() throws {
        let bench = try SchedulesDirectBench { $0.contentCodes = ["EP000000010002": 6000] }
        let tag = try bench.tag()
        #expect(try bench.airings().contains("101 2026-03-29T20:00:00Z -"))
        _ = bench.fake.takeRequests()
        guard case .notModified = try bench.fetch(known: tag) else {
            Issue.record("nothing changed")
            return
        }
        #expect(!bench.fake.takeRequests().contains("POST /programs"))
        bench.fake.change { world in
            world.contentCodes = [:]
            world.titles["EP000000010002"] = "Harbour, last part"
        }
        _ = try bench.tag(known: tag)
        #expect(try bench.airings().contains("101 2026-03-29T20:00:00Z Harbour, last part"))
    }

    @Test(arguments: [2200, 2201, 7000, 7020, 7030])
    func refusedDayIsNotRequestedEveryNight(code: Int) throws {
        let bench = try SchedulesDirectBench { $0.dayCodes = ["101 2026-03-28": code] }
        let tag = try bench.tag()
        #expect(try bench.airings().count == 3)
        #expect(bench.takeWaits().isEmpty)
        _ = bench.fake.takeRequests()
        _ = try bench.fetch(known: tag)
        #expect(!bench.fake.takeRequests().contains("POST /schedules"))
    }

    @Test func refusedChangedDayKeepsItsOldSchedule() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        bench.fake.change { world in
            world.days["101"]?["2026-03-28"]?[0].start = "2026-03-28T20:30:00Z"
            world.dayCodes = ["101 2026-03-28": 7000]
        }
        _ = try bench.tag()
        #expect(try bench.airings().contains(Self.day))
    }
}
