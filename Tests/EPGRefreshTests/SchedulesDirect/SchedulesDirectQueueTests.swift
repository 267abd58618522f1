import Testing

@testable import EPGRefresh

/// Days and contents that the service can't give, or not yet.
@Suite struct SchedulesDirectQueueTests {
    private static let day = "101 2026-03-28T20:00:00Z Harbour, first part"

    @Test func queuedDayIsAskedForAgainALittleLater() throws {
        let bench = try SchedulesDirectBench { $0.queuedDays = ["101 2026-03-28": 2] }
        _ = try bench.tag()
        #expect(bench.takeWaits() == [.seconds(20), .seconds(20)])
        let asked = bench.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }.map(\.body)
        #expect(asked.dropFirst() == [asked[1], asked[1]][...])
        #expect(asked[1] == #"[{"stationID":"101","date":["2026-03-28"]}]"#)
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func dayThatStaysQueuedComesWithALaterRefreshAloneAndTheOthersAtOnce() throws {
        let bench = try SchedulesDirectBench { $0.queuedDays = ["101 2026-03-28": 3] }
        let tag = try bench.tag()
        #expect(try bench.airings().count == 3)
        _ = bench.fake.takeRequests()
        #expect(try bench.tag(known: tag) != tag)
        let asked = bench.fake.takeRequestsWithBodies().filter { $0.path.hasSuffix("/schedules") }.map(\.body)
        #expect(asked == [#"[{"stationID":"101","date":["2026-03-28"]}]"#])
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func changedDayThatIsQueuedStaysAsItStood() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        bench.fake.change { world in
            world.days["101"]?["2026-03-28"]?[0].start = "2026-03-28T20:30:00Z"
            world.queuedDays = ["101 2026-03-28": 3]
        }
        guard case .notModified = try bench.fetch(known: tag) else {
            Issue.record("what stands is what the request knows")
            return
        }
        #expect(try bench.airings().contains(Self.day))
        _ = try bench.tag(known: tag)
        #expect(try bench.airings().contains("101 2026-03-28T20:30:00Z Harbour, first part"))
    }

    @Test func queuedContentIsAskedForAgainALittleLater() throws {
        let bench = try SchedulesDirectBench { $0.queuedContents = ["EP000000010001": 1] }
        _ = try bench.tag()
        #expect(bench.takeWaits() == [.seconds(20)])
        #expect(bench.fake.takeRequestsWithBodies().last?.body == #"["EP000000010001"]"#)
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func contentThatStaysQueuedComesWithALaterRefreshThoughNoDayChanged() throws {
        let bench = try SchedulesDirectBench { $0.queuedContents = ["EP000000010001": 3] }
        let tag = try bench.tag()
        #expect(try bench.airings().contains("101 2026-03-28T20:00:00Z -"))
        _ = bench.fake.takeRequests()
        #expect(try bench.tag(known: tag) != tag)
        #expect(
            bench.fake.takeRequests() == ["GET /status", "GET /lineups", "POST /schedules/md5", "POST /programs"])
        #expect(try bench.airings().contains(Self.day))
    }

    @Test func changedContentThatIsQueuedKeepsItsOldTextAndIsAskedForAgain() throws {
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

    @Test func contentThatTheServiceDoesNotKnowIsNotAskedForEveryNight() throws {
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
    func dayThatTheServiceRefusesCostsItselfAndIsNotAskedForEveryNight(code: Int) throws {
        let bench = try SchedulesDirectBench { $0.dayCodes = ["101 2026-03-28": code] }
        let tag = try bench.tag()
        #expect(try bench.airings().count == 3)
        #expect(bench.takeWaits().isEmpty)
        _ = bench.fake.takeRequests()
        _ = try bench.fetch(known: tag)
        #expect(!bench.fake.takeRequests().contains("POST /schedules"))
    }

    @Test func changedDayThatIsRefusedStaysAsItStood() throws {
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
