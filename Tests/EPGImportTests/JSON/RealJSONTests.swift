import EPGJSON
import EPGImport
import EPGModel
import Foundation
import TestSupport
import Testing
import XMLTV

/// Compares the records of real Schedules Direct and TVmaze responses with those that Foundation's JSON reader finds.
@Suite(.needs(.sharedData()))
struct RealJSONTests {
    private static let schedulesDirect = "OpenSageTV_sagetv/test/resources/epg/sd/json/"
    private static let jellyfin = "jellyfin_jellyfin/tests/Jellyfin.LiveTv.Tests/Test_Data/SchedulesDirect/"

    private func bytes(_ name: String) throws -> [UInt8] { try RealGuide.bytes(of: name) }

    private func records(_ names: String...) throws -> [GuideRecord] {
        var reader = GuideJSONReader(sources: try names.map { ($0, JSONReading.source(try bytes($0), chunk: 60_000)) })
        var records: [GuideRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func object(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(try bytes(name)))
    }

    private static let time = Date.ISO8601FormatStyle()

    @Test(arguments: [
        "\(schedulesDirect)schedules/scheduleStation.json", "\(jellyfin)schedules_response.json",
        "\(schedulesDirect)schedules/scheduleBadVideoProperties.json.gz",
    ])
    func schedulesContainAllAirings(_ name: String) throws {
        let json = try object(name)
        let schedules = try #require(json as? [[String: Any]] ?? (json as? [String: Any]).map { [$0] })
        var expected: [String] = []
        for schedule in schedules {
            let station = try #require(schedule["stationID"] as? String)
            for entry in try #require(schedule["programs"] as? [[String: Any]]) {
                let text = try #require(entry["airDateTime"] as? String)
                let start = Int64(try Self.time.parse(text).timeIntervalSince1970)
                let seconds = Int64(try #require(entry["duration"] as? Int))
                expected.append("\(station) \(start) \(start + seconds) \(entry["new"] as? Bool ?? false)")
            }
        }
        let airings = try records(name).airings
        let found = airings.map { airing in
            let station = airing.station.rawValue.dropFirst().prefix { $0 != "." }
            return "\(station) \(airing.start.seconds) \(airing.stop?.seconds ?? 0) \(airing.nodes.xml("new") != [])"
        }
        expectEqual(found.sorted(), expected.sorted())
    }

    @Test func programsAreReadCompletely() throws {
        let folder = Self.schedulesDirect + "programs/"
        let all = try records(
            "\(Self.jellyfin)schedules_response.json", "\(Self.jellyfin)programs_response.json",
            "\(folder)programMovie.json", "\(folder)programEpisode.json", "\(folder)programShow.json",
            "\(folder)programSports.json")
        // None of these programs is in that schedule.
        expectEqual(all.airings.count, 2)
        expectEqual(all.faults.count, 2)
    }

    @Test(arguments: ["mapAntenna", "mapCable", "mapSatellite"])
    func lineupsContainAllStations(_ name: String) throws {
        let file = "\(Self.schedulesDirect)map/\(name).json"
        let lineup = try #require(try object(file) as? [String: Any])
        let stations = try #require(lineup["stations"] as? [[String: Any]])
        let map = try #require(lineup["map"] as? [[String: Any]])
        let described = Set(stations.compactMap { $0["stationID"] as? String })
        let numbered = Set(map.compactMap { $0["stationID"] as? String })
        let found = try records(file).stations
        // In `mapSatellite`, which was shortened by hand, some stations are in only one of the two lists.
        let name = { (id: String) in "I\(id).json.schedulesdirect.org" }
        expectEqual(Set(found.map(\.id)), Set(described.union(numbered).map(name)))
        expectEqual(found.count, described.union(numbered).count)
        expectEqual(Set(found.filter { $0.nodes.xml("display-name") != [] }.map(\.id)), Set(described.map(name)))
        expectEqual(Set(found.filter { $0.nodes.xml("lcn") != [] }.map(\.id)), Set(numbered.map(name)))
    }

    @Test(arguments: [
        "derived/tvmaze_schedule_US_2023-11-27.json",
        "szeller_whatsontv/src/tests/fixtures/tvmaze/network-schedule.json",
        "szeller_whatsontv/src/tests/fixtures/tvmaze/web-schedule.json",
        "szeller_whatsontv/src/tests/fixtures/tvmaze/combined-schedule.json",
    ])
    func episodesBecomeAirings(_ name: String) throws {
        let episodes = try #require(try object(name) as? [[String: Any]])
        let expected = try episodes.map { episode in
            let embedded = (episode["_embedded"] as? [String: Any])?["show"]
            let show = try #require((embedded ?? episode["show"]) as? [String: Any])
            let start = try Self.time.parse(try #require(episode["airstamp"] as? String))
            return "\(Int64(start.timeIntervalSince1970)) <title>\(show["name"] as? String ?? "")</title>"
        }
        let all = try records(name)
        expectEqual(all.faults, [])
        expectEqual(all.airings.map { "\($0.start.seconds) \($0.nodes.xml("title").joined())" }, expected)
        expectEqual(Set(all.airings.map(\.station.rawValue)), Set(all.stations.map(\.id)))
    }

    /// Every guide in the folder is read, and every other file is rejected with a reason or has no records.
    @Test func everyJSONFileIsReadOrRejected() throws {
        let paths =
            FileManager.default.enumerator(atPath: PackageFiles.sharedData.path)?.compactMap { $0 as? String } ?? []
        let names = paths.filter { $0.hasSuffix(".json") || $0.hasSuffix(".json.gz") }
        #expect(names.count > 60)
        for name in names {
            let isGuide =
                name.contains("/tvmaze") || name.contains("/sd/json/map/") || name.contains("schedules_response")
                || name.contains("scheduleStation") || name.contains("scheduleBad")
                || name.contains("programs_response") && !name.contains("metadata") || name.contains("lineup_response")
            do {
                let all = try records(name)
                #expect(isGuide || all.airings.isEmpty && all.stations.isEmpty, "\(name)")
            } catch let error as JSONError {
                expectEqual(isGuide, false, "\(name): \(error)")
                #expect(!error.description.isEmpty, "\(name): \(error)")
            }
        }
    }
}

extension AiringRecord.Time {
    fileprivate var seconds: Int64 {
        if case .instant(let instant) = self { instant.secondsSince1970 } else { 0 }
    }
}
