import Foundation
import TestSupport
import Testing

/// Tests of `epg import`.
@Suite struct ImportCommandTests {
    private static func guide(_ programmes: String...) -> String {
        "<tv><channel id=\"a\"><display-name>A</display-name></channel>\n" + programmes.joined(separator: "\n")
            + "</tv>"
    }

    private static func programme(_ start: String, _ stop: String, _ title: String, station: String = "a") -> String {
        "<programme start=\"\(start)\" stop=\"\(stop)\" channel=\"\(station)\"><title>\(title)</title></programme>"
    }

    private func titles(in sandbox: Sandbox, from: String = "2026-10-24", to: String = "2026-10-27") throws -> [String]
    {
        let run = try sandbox.epg("airings", "--station", "a", "--from", from, "--to", to, "--json")
        return try run.json(as: [[String: Any]].self).compactMap { $0["title"] as? String }
    }

    @Test func summaryCountsProgrammes() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", PackageFiles.sample("evening.xml"))
        run.expect(0, errors: "")
        // sample-data/README.md: 417 programmes, one an exact duplicate, one a heading of zero length.
        for text in [
            "417 programmes, 12 station descriptions", "415 airings", "merged   1 ", "dropped  1 zerolength",
            "415 added",
        ] {
            run.expect(outputContains: [text])
        }
    }

    @Test func explanationNamesLineStationAiringsAndRepair() throws {
        let sandbox = try Sandbox()
        let guide = Self.guide(
            Self.programme("20261024190000 +0000", "20261024200500 +0000", "Long"),
            Self.programme("20261024200000 +0000", "20261024210000 +0000", "Next"))
        let run = try sandbox.epg("import", "-", "--explain", input: guide, environment: ["COLUMNS": ""])
        // 19:00 UTC is 20:00 in London.
        run.expect(outputContains: [
            "standard input:2: warning: a: “Long” (Sat 24 Oct 2026 20:00–21:05) overlaps another airing: "
                + "stop changed to 21:00, when “Next” (line 3, 21:00–22:00) starts [overlap]\n"
        ])
    }

    @Test func encodingOptionAppliesToPlaylist() throws {
        let sandbox = try Sandbox()
        // 0xDD is “İ” in windows-1254, and “Ý” in windows-1252.
        let list = Array("#EXTM3U\n#EXTINF:-1,".utf8) + [0xDD] + Array("z\nhttp://a.test/1\n".utf8)
        try Data(list).write(to: URL(filePath: sandbox.path("list.m3u")))
        for (encoding, name) in [("windows-1254", "İz"), ("latin1", "Ýz")] {
            try sandbox.epg("import", "list.m3u", "--encoding", encoding).expect(0)
            try sandbox.epg("export", "--format", "m3u").expect(outputContains: [",\(name)\n"])
        }
    }

    @Test func importsWithoutSourceNameExtendTheSameSource() throws {
        let sandbox = try Sandbox()
        for day in ["24", "25", "26"] {
            let guide = Self.guide(
                Self.programme("202610\(day)120000 +0000", "202610\(day)130000 +0000", "On the \(day)th"))
            try sandbox.epg("import", "-", input: guide).expect(0)
        }
        #expect(try titles(in: sandbox) == ["On the 24th", "On the 25th", "On the 26th"])
        #expect(
            try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).map { $0["name"] as? String } == [
                "default"
            ])
    }

    @Test func importOfSameFileKeepsGeneration() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("import", PackageFiles.sample("evening.xml"), "--json")
        let outcome = try #require(try run.json(as: [String: Any].self)["outcome"] as? [String: Any])
        expectMembers(outcome, ["changedGuide": false, "generation": 1, "airingsUnchanged": 415])
    }

    @Test func timeZoneAndShiftApplyToTimesWithoutZone() throws {
        let sandbox = try Sandbox()
        let guide = Self.guide(Self.programme("20261024200000", "20261024210000", "Local"))
        let run = try sandbox.epg("import", "-", "--zone", "Europe/London", "--shift", "-3600", input: guide)
        run.expect(0)
        let airings = try sandbox.epg("airings", "--station", "a", "--from", "2026-10-24", "--json")
        // 20:00 in London is 19:00 UTC; the shift makes it 18:00.
        #expect(try airings.json(as: [[String: Any]].self).first?["start"] as? String == "2026-10-24T18:00:00Z")
    }

    @Test func importOptionsApplyToOneImport() throws {
        let sandbox = try Sandbox()
        let first = Self.guide(Self.programme("20261024200000", "20261024210000", "First"))
        let second = Self.guide(Self.programme("20261025200000", "20261025210000", "Second"))
        try sandbox.epg("import", "-", "--shift", "3600", input: first).expect(0)
        try sandbox.epg("import", "-", input: second).expect(0)
        let airings = try sandbox.epg(
            "airings", "--station", "a", "--from", "2026-10-24", "--to", "2026-10-27", "--json")
        #expect(
            try airings.json(as: [[String: Any]].self).map { $0["start"] as? String } == [
                "2026-10-24T21:00:00Z", "2026-10-25T20:00:00Z",
            ])
    }

    @Test func stationsOptionSelectsStations() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("import", PackageFiles.sample("evening.xml"), "--stations", "harbour-*", "LARDER.*").expect(0)
        let stations = try sandbox.epg("stations", "--json").json(as: [[String: Any]].self)
        #expect(
            stations.map { $0["id"] as? String } == ["harbour-one.example", "harbour-two.example", "larder.example"])
    }

    @Test func daysOptionSelectsDays() throws {
        let sandbox = try Sandbox()
        // Noon of today and of the days around it, in UTC.
        let today = Int(Date().timeIntervalSince1970) / 86_400 * 86_400
        func time(_ day: Int, _ hour: Int) throws -> String {
            let date = Date(timeIntervalSince1970: Double(today + day * 86_400 + hour * 3600))
            return date.ISO8601Format(.iso8601(timeZone: .gmt, dateSeparator: .omitted, timeSeparator: .omitted))
        }
        let guide = Self.guide(
            Self.programme(try time(-2, 12), try time(-2, 13), "Past"),
            Self.programme(try time(0, 12), try time(0, 13), "Today"),
            Self.programme(try time(1, 12), try time(1, 13), "Tomorrow"),
            Self.programme(try time(3, 12), try time(3, 13), "Later"))
        let run = try sandbox.epg("import", "-", "--days", "2", "--zone", "UTC", "--json", input: guide)
        let outcome = try #require(try run.json(as: [String: Any].self)["outcome"] as? [String: Any])
        let report = try #require(outcome["report"] as? [String: Any])
        expectMembers(report, ["airingsStored": 2, "filtered": 2])
    }

    @Test func searchIndexIsCompleteAfterImport() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let check = try sandbox.epg("check", "--json").json(as: [String: Any].self)
        #expect(check["searchComplete"] as? Bool == true)
    }

    @Test func pruneRemovesAiringsThatStoppedByTime() throws {
        let sandbox = try Sandbox()
        let guide = Self.guide(
            Self.programme("20261024100000 +0000", "20261024110000 +0000", "Over"),
            Self.programme("20261024110000 +0000", "20261024120000 +0000", "On"))
        try sandbox.epg("import", "-", input: guide).expect(0)
        let run = try sandbox.epg("prune", "--before", "2026-10-24T12:00", "--json")
        #expect(try run.json(as: [String: Any].self)["removed"] as? Int == 1)
        #expect(try titles(in: sandbox) == ["On"])
    }
}
