import EPGJSON
import EPGImport
import Foundation
import Synchronization
import Testing

@testable import EPGRefresh

/// Bodies that the real service sent, in the folder beside the package.
private enum SharedBodies {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/data")
    static let isThere = FileManager.default.fileExists(atPath: folder.path)
    static let sage = "OpenSageTV_sagetv/test/resources/epg/sd/json"
    static let jellyfin = "jellyfin_jellyfin/tests/Jellyfin.LiveTv.Tests/Test_Data/SchedulesDirect"
}

/// The service's real answers are told apart, and go the whole way.
@Suite(.enabled(if: SharedBodies.isThere, "needs the real bodies of ../shared/data"))
struct SchedulesDirectBodiesTests {
    private func text(_ name: String) throws -> String {
        try String(contentsOf: SharedBodies.folder.appending(path: name), encoding: .utf8)
    }

    private func body(_ text: String) throws -> SchedulesDirectBody {
        let file = try TemporaryFile(inFolder: "/tmp")
        try Array(text.utf8).withUnsafeBytes { (bytes) throws in try file.write(bytes) }
        return try SchedulesDirectBody(path: file.path, file: file)
    }

    @Test func offlineServiceIsTold() throws {
        let reply = ServiceReply(
            status: 503, body: try text("\(SharedBodies.jellyfin)/token_offline_response.json"))
        let bench = try SchedulesDirectBench { $0.interventions["/token"] = [reply] }
        let error = #expect(throws: FetchError.self) { try bench.fetch() }
        #expect(error?.description.contains("code 3000") == true)
        #expect(bench.fake.takeRequests() == ["POST /token"])
    }

    @Test func lineupsTokenAndContentsGoTheWholeWay() throws {
        let token = try text("\(SharedBodies.jellyfin)/token_live_response.json")
        let lineups = try text("\(SharedBodies.jellyfin)/lineups_response.json")
        let lineup = try text("\(SharedBodies.sage)/map/mapCable.json")
        let contents = try text("\(SharedBodies.jellyfin)/programs_response.json")
        let id = try #require(FakeSchedulesDirect.json(contents)?.elements.first?["programID"]?.text)
        let lineupID = try #require(
            FakeSchedulesDirect.json(lineups)?["lineups"]?.elements.first?["lineup"]?.text)
        let station = try #require(
            FakeSchedulesDirect.json(lineup)?["map"]?.elements.first?["stationID"]?.text)
        let bench = try SchedulesDirectBench { world in
            world.tokens = [FakeSchedulesDirect.json(token)?["token"]?.text ?? ""]
            world.interventions = [
                "/token": [ServiceReply(body: token)], "/lineups": [ServiceReply(body: lineups)],
                "/lineups/\(lineupID)": [ServiceReply(body: lineup)],
                "/programs": [ServiceReply(body: contents)],
            ]
            world.days = [station: ["2026-03-28": [.init(content: id, start: "2026-03-28T20:00:00Z")]]]
        }
        _ = try bench.tag(bench.fetcher(lineups: [lineupID]))
        #expect(bench.fake.logIns == 0)
        let title = FakeSchedulesDirect.json(contents)?.elements.first?["titles"]?.elements
            .first?["title120"]?.text
        let airings = try bench.airings()
        #expect(airings.count == 1)
        #expect(airings.first?.hasSuffix(title ?? "no title") == true)
    }

    @Test func scheduleIsTakenForTheDayThatWasAskedFor() throws {
        let schedule = try text("\(SharedBodies.sage)/schedules/scheduleStation.json")
        let station = try #require(FakeSchedulesDirect.json(schedule)?["stationID"]?.text)
        var answers = DayAnswers([StationDay(station: station, day: "2016-08-04")])
        try body("[\(schedule)]").forEachRecord { answers.take($0, $1) }
        #expect(answers.schedules.count == 1)
        let node = try answers.schedules.first?.value.node()
        #expect(
            node?["programs"]?.elements.count
                == FakeSchedulesDirect.json(schedule)?["programs"]?.elements.count)
    }

    /// The day of each answer is the one that it is given for here.
    @Test(arguments: [
        ("2201", "2015-07-20", "refused"), ("7020", "2015-07-20", "refused"), ("7100", "2014-12-04", "queued"),
    ])
    func answerForADayIsToldApart(name: String, day: String, outcome: String) throws {
        let text = try text("\(SharedBodies.sage)/errors/\(name).json")
        let station = try #require(FakeSchedulesDirect.json(text)?["stationID"]?.text)
        var answers = DayAnswers([StationDay(station: station, day: day)])
        try body("[\(text)]").forEachRecord { answers.take($0, $1) }
        #expect(answers.schedules.isEmpty)
        #expect(answers.refusals.count == (outcome == "refused" ? 1 : 0))
        #expect(answers.queued.count == (outcome == "queued" ? 1 : 0))
    }

    @Test(arguments: [("6000", "ZZ01234567891234", true), ("6001", "SH012423280000", false)])
    func answerForAContentIsToldApart(name: String, id: String, isRefused: Bool) throws {
        var answers = ContentAnswers([id, "EP000000000000"])
        try body("[\(try text("\(SharedBodies.sage)/errors/\(name).json"))]").forEachRecord { answers.take($0, $1) }
        #expect(answers.refusals.keys.sorted() == (isRefused ? [id] : []))
        #expect(answers.missing.contains(id) != isRefused)
        #expect(answers.missing.contains("EP000000000000"))
    }
}
