import Foundation
import TestSupport
import Testing

/// Tests of the documented members of JSON output.
@Suite struct JSONShapeTests {
    @Test func airingHasOnlyDocumentedMembers() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg(
            "airings", "--station", "harbour-one.example", "--from", "2026-10-24T21:00", "--to", "2026-10-24T22:01",
            "--json")
        let airings = try run.json(as: [[String: Any]].self)
        let first = try #require(airings.first)
        #expect(
            Set(first.keys) == [
                "id", "station", "start", "stop", "title", "subtitle", "description", "categories", "episode",
                "inferredStop",
            ])
        expectMembers(
            first,
            [
                "start": "2026-10-24T20:00:00Z", "stop": "2026-10-24T21:00:00Z", "title": "Low Water",
                "subtitle": "The Causeway", "categories": ["Drama"], "episode": "S1 E3", "inferredStop": false,
            ])
        // The news has neither subtitle nor episode number.
        #expect(airings.count == 2)
        expectMembers(airings.last, ["subtitle": nil, "episode": nil])
    }

    @Test func inferredStopsAndPublishedTimesAreIncluded() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg(
            "airings", "--station", "touchline.example", "--from", "2026-10-24T06:00", "--to", "2026-10-24T17:00",
            "--json")
        let airings = try run.json(as: [[String: Any]].self)
        expectMembers(airings.first, ["inferredStop": true])
        // Football.
        expectMembers(airings.last, ["stop": "2026-10-24T16:00:00Z"])
        expectMembers(airings.last?["published"] as? [String: Any], ["stop": "2026-10-24T16:10:00Z"])
    }

    @Test func gridElementHasDocumentedMembers() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg(
            "grid", "--json", "--from", "2026-10-24T20:30", "--at", "2026-10-24T20:40", "--points-per-hour", "120",
            "--scale",
            "2")
        let page = try run.json(as: [String: Any].self)
        // Width: a station column of 160 and 3 hours of 120. Height: a header of 40 and 12 rows of 60.
        expectMembers(page, ["contentSize": ["width": 520, "height": 760]])
        let elements = try #require(page["elements"] as? [[String: Any]])
        let kerbside = try #require(elements.first { $0["title"] as? String == "Kerbside" })
        let keys = [
            "kind", "station", "airing", "start", "stop", "frame", "visibleStart", "zIndex", "clippedStart",
            "clippedEnd",
        ]
        #expect(keys.filter { kerbside[$0] == nil } == [])
        // The airing runs from 20:15 to 21:00. From 20:30 on, half an hour is visible, at 120 points per hour.
        expectMembers(
            kerbside,
            ["frame": ["x": 160, "y": 40, "width": 60, "height": 60], "clippedStart": true, "clippedEnd": false])
        let nowLine = elements.first { $0["kind"] as? String == "nowLine" }
        expectMembers(nowLine?["frame"] as? [String: Any], ["x": 180])
    }

    @Test func viewportContainsOnlyVisibleElements() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg(
            "grid", "--json", "--from", "2026-10-24T18:00", "--hours", "24", "--x", "960", "--y", "120",
            "--viewport-width",
            "400", "--viewport-height", "140")
        let elements = try #require(try run.json(as: [String: Any].self)["elements"] as? [[String: Any]])
        // Row n starts at 40 + 60 · n, so rows 1, 2 and 3 are visible from 120 to 260.
        #expect(Set(elements.compactMap { $0["row"] as? Int }) == [1, 2, 3])
        // Pinned elements are at the offset of the viewport.
        let corner = elements.first { $0["kind"] as? String == "corner" }
        expectMembers(corner?["frame"] as? [String: Any], ["x": 960, "y": 120])
    }

    @Test func eachImportedGuideIsOneLineOfJSON() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg(
            "import", PackageFiles.sample("evening.xml"), PackageFiles.sample("oddities.xml"), "--json", "--explain")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let report = try #require((object["outcome"] as? [String: Any])?["report"] as? [String: Any])
            func number(_ key: String) -> Int { report[key] as? Int ?? 0 }
            func sum(_ key: String) -> Int { (report[key] as? [String: Int] ?? [:]).values.reduce(0, +) }
            #expect(
                number("programmesRead")
                    == number("airingsStored") + number("merged") + sum("dropped") + sum("skipped") + number("filtered")
            )
            #expect((object["diagnostics"] as? [[String: Any]])?.count == sum("diagnostics"))
        }
    }

    @Test func resultsAreArraysOrObjects() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let stations = try sandbox.epg("stations", "--json").json(as: [[String: Any]].self)
        #expect(stations.map { $0["row"] as? Int } == Array(0..<12))
        expectMembers(stations[8], ["name": "江心卫视"])
        #expect(try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).count == 1)
        let check = try sandbox.epg("check", "--json").json(as: [String: Any].self)
        expectMembers(check, ["intact": true, "airings": 415])
        let airing = try sandbox.epg("show", "1", "--json").json(as: [String: Any].self)
        #expect(airing["programme"] is [String: Any])
        #expect((airing["start"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }
}
