import EPGImport
import EPGJSON
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of the messages for the service's error codes and of the reactions to them.
@Suite struct SchedulesDirectCodeTests {
    /// The service's error codes, with a part of the message and the kind.
    static let errors: [(code: Int, part: String, kind: RefreshFailure.Kind)] = [
        (1001, "rejected the request", .unavailable), (1003, "newest version", .configuration),
        (2000, "rejected the request", .unavailable),
        (2102, "the lineup is unavailable", .configuration), (2106, "deleted", .configuration),
        (2107, "still generating the lineup", .unavailable),
        (3000, "30 minutes", .unavailable), (4001, "subscription has expired", .configuration),
        (4002, "password is wrong", .configuration),
        (4003, "password is wrong", .configuration), (4004, "locked", .configuration),
        (4005, "not allowed to use the service", .configuration),
        (4007, "blocked this program", .configuration), (4008, "account is inactive", .configuration),
        (4009, "too many logins", .unavailable),
        (4010, "too many IP addresses", .unavailable), (4102, "no lineup", .configuration),
        (7010, "Words of the service", .unavailable),
        (9999, "Words of the service", .unavailable),
    ]

    @Test(arguments: errors)
    func errorIsExplained(code: Int, part: String, kind: RefreshFailure.Kind) throws {
        let fixture = try SchedulesDirectFixture {
            $0.nextReplies["/lineups"] = [
                FakeSchedulesDirect.error(code, "RESPONSE", message: "Words of the service.")
            ]
        }
        let error = try fixture.error()
        expectText(error.description, contains: [part, "code \(code))"])
        #expect(error.kind == kind && error.description.hasPrefix(fixture.fake.url), "\(error)")
        try fixture.expect(waits: [])
    }

    @Test func offlineStatusIsAnError() throws {
        let fixture = try SchedulesDirectFixture { $0.status = "Offline" }
        expectText(try fixture.error().description, contains: ["down for maintenance"])
        try fixture.expect(requests: ["POST /token", "GET /status"])
    }

    @Test func offlineServiceIsNotContactedForHalfAnHour() throws {
        let offline = FakeSchedulesDirect.error(3000, "SERVICE_OFFLINE", status: 503)
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/token"] = [offline] }
        for _ in 0..<3 { _ = try fixture.error() }
        try fixture.expect(requests: ["POST /token"])
        fixture.advance(1800)
        _ = try fixture.tag()
    }

    @Test(arguments: [(code: 4003, seconds: Int64(900)), (4004, 900), (4009, 21_600), (4010, 21_600)])
    func refusedLoginIsNotRepeated(code: Int, seconds: Int64) throws {
        let fixture = try SchedulesDirectFixture {
            $0.nextReplies["/token"] = [FakeSchedulesDirect.error(code, "REFUSED", status: 403)]
        }
        _ = try fixture.error()
        fixture.advance(seconds - 1)
        expectText(try fixture.error().description, contains: ["code \(code))"])
        try fixture.expect(requests: ["POST /token"])
        fixture.advance(1)
        _ = try fixture.tag()
    }

    @Test func correctedPasswordIsTriedImmediately() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.error(fixture.fetcher(password: "wrong"))
        _ = try fixture.tag()
        #expect(fixture.fake.loginCount == 2)
    }

    @Test(arguments: [
        ServiceReply(body: "<html>gateway</html>"), ServiceReply(body: "[1, 2"), ServiceReply(body: "7"),
        ServiceReply(body: "{\"code\":0}"),
    ])
    func invalidResponseExitsWith65(reply: ServiceReply) throws {
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/token"] = [reply] }
        let error = try fixture.error()
        expectText(error.description, contains: ["cannot read the response"])
        #expect(error.kind == .badContent)
    }

    @Test(arguments: [429, 500, 502, 503])
    func transientStatusIsRetried(status: Int) throws {
        let failure = ServiceReply(status: status, body: "<html>gateway</html>")
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/schedules"] = [failure, failure] }
        _ = try fixture.tag()
        // Half of 2 and of 4 seconds, because the random number is 0.
        try fixture.expect(waits: [.seconds(1), .seconds(2)])
        #expect(fixture.fake.takeRequests().count { $0 == "POST /schedules" } == 3)
    }

    @Test func retryAfterIsHonored() throws {
        let failure = ServiceReply(status: 429, headers: ["Retry-After: 40"], body: "")
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/status"] = [failure] }
        _ = try fixture.tag()
        try fixture.expect(waits: [.seconds(40)])
    }

    @Test func brokenConnectionIsRetriedUntilAttemptsAreExhausted() throws {
        let broken = ServiceReply(body: "", closesConnection: true)
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/lineups"] = [broken, broken, broken] }
        let error = try fixture.error()
        #expect((error.reason, error.attempts, fixture.takeWaits().count) == (.truncated, 3, 2))
    }

    @Test func longRetryAfterEndsTheFetchAndIsReported() throws {
        let failure = ServiceReply(status: 429, headers: ["Retry-After: 4000"], body: "")
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/status"] = [failure] }
        let error = try fixture.error()
        expectText(error.description, contains: ["a delay of 4000 seconds"])
        #expect((error.retryAfter, fixture.hasWaited) == (4000, false))
    }

    @Test(arguments: [400, 404])
    func permanentStatusIsNotRetried(status: Int) throws {
        let fixture = try SchedulesDirectFixture {
            $0.nextReplies["/status"] = [ServiceReply(status: status, body: "no")]
        }
        #expect(try (fixture.error().reason, fixture.hasWaited) == (.status(status), false))
    }
}

/// Responses of the real service, in a folder next to the package.
private enum RecordedResponses {
    static let sage = "OpenSageTV_sagetv/test/resources/epg/sd/json"
    static let jellyfin = "jellyfin_jellyfin/tests/Jellyfin.LiveTv.Tests/Test_Data/SchedulesDirect"
}

/// Tests with recorded responses of the real service.
@Suite(.needs(.sharedData(RecordedResponses.sage), .sharedData(RecordedResponses.jellyfin)))
struct SchedulesDirectRecordedResponseTests {
    private func text(_ name: String) throws -> String {
        try String(contentsOf: PackageFiles.sharedData.appending(path: name), encoding: .utf8)
    }

    private func body(_ text: String) throws -> SchedulesDirectBody {
        let sink = try BodySink(folder: "/tmp", byteLimit: 1 << 30)
        try Array(text.utf8).withUnsafeBytes { (bytes) throws in try sink.append(bytes) }
        return try SchedulesDirectBody(sink.file)
    }

    @Test func offlineServiceIsReported() throws {
        let reply = ServiceReply(
            status: 503, body: try text("\(RecordedResponses.jellyfin)/token_offline_response.json"))
        let fixture = try SchedulesDirectFixture { $0.nextReplies["/token"] = [reply] }
        expectText(try fixture.error().description, contains: ["code 3000"])
        try fixture.expect(requests: ["POST /token"])
    }

    @Test func lineupsTokenAndProgramsAreFetched() throws {
        let token = try text("\(RecordedResponses.jellyfin)/token_live_response.json")
        let lineups = try text("\(RecordedResponses.jellyfin)/lineups_response.json")
        let lineup = try text("\(RecordedResponses.sage)/map/mapCable.json")
        let contents = try text("\(RecordedResponses.jellyfin)/programs_response.json")
        let id = try #require(FakeSchedulesDirect.json(contents)?.elements.first?["programID"]?.text)
        let lineupID = try #require(
            FakeSchedulesDirect.json(lineups)?["lineups"]?.elements.first?["lineup"]?.text)
        let station = try #require(
            FakeSchedulesDirect.json(lineup)?["map"]?.elements.first?["stationID"]?.text)
        let fixture = try SchedulesDirectFixture { state in
            state.tokens = [FakeSchedulesDirect.json(token)?["token"]?.text ?? ""]
            state.nextReplies = [
                "/token": [ServiceReply(body: token)], "/lineups": [ServiceReply(body: lineups)],
                "/lineups/\(lineupID)": [ServiceReply(body: lineup)],
                "/programs": [ServiceReply(body: contents)],
            ]
            state.days = [station: ["2026-03-28": [.init(program: id, start: "2026-03-28T20:00:00Z")]]]
        }
        _ = try fixture.tag(fixture.fetcher(lineups: [lineupID]))
        let title = FakeSchedulesDirect.json(contents)?.elements.first?["titles"]?.elements
            .first?["title120"]?.text
        let airings = try fixture.airings()
        #expect((fixture.fake.loginCount, airings.count) == (0, 1))
        #expect(airings.first?.hasSuffix(title ?? "no title") == true)
    }

    @Test func scheduleIsAssignedToTheRequestedDay() throws {
        let schedule = try text("\(RecordedResponses.sage)/schedules/scheduleStation.json")
        let station = try #require(FakeSchedulesDirect.json(schedule)?["stationID"]?.text)
        var responses = ScheduleResponse([StationDay(station: station, day: "2016-08-04")])
        try body("[\(schedule)]").forEachRecord { responses.take($0, $1) }
        let counts = try responses.schedules.values.map { try $0.node()?["programs"]?.elements.count }
        #expect(counts == [FakeSchedulesDirect.json(schedule)?["programs"]?.elements.count])
    }

    /// The response, its day and its classification.
    @Test(arguments: [
        ("2201", "2015-07-20", "refused"), ("7020", "2015-07-20", "refused"), ("7100", "2014-12-04", "queued"),
    ])
    func scheduleResponseIsClassified(name: String, day: String, outcome: String) throws {
        let text = try text("\(RecordedResponses.sage)/errors/\(name).json")
        let station = try #require(FakeSchedulesDirect.json(text)?["stationID"]?.text)
        var responses = ScheduleResponse([StationDay(station: station, day: day)])
        try body("[\(text)]").forEachRecord { responses.take($0, $1) }
        let counts = [responses.schedules.count, responses.refusals.count, responses.queued.count]
        #expect(counts == [0, outcome == "refused" ? 1 : 0, outcome == "queued" ? 1 : 0])
    }

    @Test(arguments: [("6000", "ZZ01234567891234", true), ("6001", "SH012423280000", false)])
    func programResponseIsClassified(name: String, id: String, isRefused: Bool) throws {
        var responses = ProgramResponse([id, "EP000000000000"])
        try body("[\(try text("\(RecordedResponses.sage)/errors/\(name).json"))]").forEachRecord {
            responses.take($0, $1)
        }
        #expect(responses.refusals.keys.sorted() == (isRefused ? [id] : []))
        #expect(responses.missing.contains(id) != isRefused && responses.missing.contains("EP000000000000"))
    }
}
