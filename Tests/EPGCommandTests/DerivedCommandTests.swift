import Foundation
import TestSupport
import Testing

/// Derived listings (Rules.md, rule 19) on the command line.
@Suite struct DerivedCommandTests {
    private static let settings = #"""
        zone: Europe/London
        derived: {days: 2, plus-one: true}
        sources:
          - name: evening
            file: evening.xml
        channel-names:
          - pattern: '^(?<channel>PPV \d+): (?<title>.+) @ (?<time>\d+:\d\d) (?<zone>[A-Z]+) (?<date>\d+ \w+)$'
            category: Sports
        placeholders:
          - channels: ["Lighthouse *"]
            description: Live pictures from {channel}
        """#

    private static let playlist = """
        #EXTM3U
        #EXTINF:-1 tvg-id="harbour-one.example" tvg-chno="1",Harbour One
        https://streams.example.com/1
        #EXTINF:-1 tvg-id="harbour-one.example" tvg-chno="2" tvg-shift="1",Harbour One later
        https://streams.example.com/2
        #EXTINF:-1 tvg-chno="3",PPV 3: Rook vs Harrow @ 20:00 UK 24 Oct
        https://streams.example.com/3
        #EXTINF:-1 tvg-chno="4",Lighthouse Camera
        https://streams.example.com/4
        #EXTINF:-1 tvg-chno="5",Kestrel News +1
        https://streams.example.com/5

        """

    /// Creates a guide with listings of a feed and derived ones at 18:00 on 24 October 2026.
    static func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try FileManager.default.copyItem(
            atPath: PackageFiles.sample("evening.xml"), toPath: sandbox.path("evening.xml"))
        let playlist = try sandbox.write(Self.playlist, to: "cable.m3u")
        let settings = try sandbox.write(Self.settings, to: "epg.yml")
        // Without the settings, the import derives nothing at the current time.
        for arguments in [["import", playlist], ["refresh", "--config", settings, "--at", "2026-10-24T18:00"]] {
            let run = try sandbox.epg(arguments)
            try #require(run.status == 0 && run.errors == "", "\(run.errors)")
        }
        return sandbox
    }

    @Test func secondRefreshChangesNothing() throws {
        let sandbox = try Self.sandbox()
        let before = try sandbox.dump()
        let run = try sandbox.epg(
            "refresh", "--config", sandbox.path("epg.yml"), "--at", "2026-10-24T23:30", "--json")
        #expect(try run.json(as: [String: Any].self)["changedGuide"] as? Bool == false)
        #expect(try sandbox.dump() == before)
    }

    @Test func everyOutputMarksDerivedListings() throws {
        let sandbox = try Self.sandbox()
        let airings = try sandbox.epg(
            "airings", "--station", "derived:Lighthouse Camera", "--from", "2026-10-24", "--to", "2026-10-25", "--json"
        ).json(as: [[String: Any]].self)
        let first = try #require(airings.first)
        #expect(airings.count == 12)
        #expect((first["programme"] as? [String: Any] ?? first)["title"] as? String == "Lighthouse Camera")
        let id = try #require(first["id"] as? Int)
        let show = try sandbox.epg("show", "\(id)").output
        #expect(show.contains("from a template, because no feed has listings"))
        #expect(show.contains("Live pictures from Lighthouse Camera"))
        let calendar = try sandbox.epg("export", "--format", "ics").output
        #expect(calendar.contains("SUMMARY:Rook vs Harrow\r\n") && calendar.contains("STATUS:TENTATIVE\r\n"))
        let guide = try sandbox.epg("export").output
        #expect(guide.contains("<derived>channel-name</derived>") && guide.contains("<derived>shift</derived>"))
        let json = try sandbox.epg("export", "--format", "json").output
        #expect(json.contains(#""derived":["placeholder"]"#))
        let now = try sandbox.epg("now", "--at", "2026-10-24T20:40").output
        #expect(now.contains("~Lighthouse Camera") && now.contains("~22:00 Lighthouse"))
        let grid = ["grid", "--from", "2026-10-24T18:30", "--at", "2026-10-24T20:40"]
        #expect(try sandbox.epg(grid).output.contains("~Lighthouse Camera"))
        #expect(try sandbox.epg(grid + ["--style", "detailed"]).output.contains("~20:00–22:00"))
    }

    @Test func explanationShowsDerivedStations() throws {
        let sandbox = try Self.sandbox()
        let words = try sandbox.epg("match", "--explain").output.split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        #expect(text.contains("derived:harbour-one.example+1h, with the listings of harbour-one.example"))
        #expect(text.contains("1 h later"))
        #expect(text.contains("derived:PPV 3, with listings from the name of the channel"))
        #expect(text.contains("derived:Lighthouse Camera, with placeholders"))
        let reports = try sandbox.epg("match", "--explain", "--json").json(as: [[String: Any]].self)
        let channels = try #require(reports.first?["channels"] as? [[String: Any]])
        #expect(channels.map { $0["shift"] as? Int } == [nil, 3600, nil, nil, nil])
        let derived = channels.map { ($0["derived"] as? [String: Any])?["kind"] as? String }
        #expect(derived == [nil, "shift", "channel-name", "placeholder", "shift"])
    }

    @Test func mappingWithShiftIsStoredAndExplained() throws {
        let sandbox = try Self.sandbox()
        let run = try sandbox.epg("match", "--shift", "+1h30min", "Lighthouse Camera", "kestrel.example")
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("now shows Kestrel News (kestrel.example), 1 h 30 min later.\n"))
        let text = try sandbox.epg("match", "Lighthouse Camera").output
        #expect(text.contains("shift") && text.contains("1 h 30 min later, by your mapping"))
        let change = try sandbox.epg("match", "--shift", "-30m", "Lighthouse Camera", "kestrel.example", "--json")
        #expect(try change.json(as: [String: Any].self)["shift"] as? Int == -1800)
        // Without --shift, the tvg-shift of the playlist applies.
        #expect(
            try sandbox.epg("match", "Lighthouse Camera", "kestrel.example").output.hasSuffix("(kestrel.example).\n"))
        #expect(try !sandbox.epg("match", "Lighthouse Camera").output.contains("later"))
    }

    @Test(arguments: ["1", "x", "1d", "25h", "+", "1h1h", "30min1h", ""])
    func invalidShiftIsRejected(text: String) throws {
        let run = try Sandbox().epg("match", "--shift", text, "A", "B")
        #expect(run.status == 64)
        #expect(run.errors.contains("is not a duration such as +1h"))
    }

    @Test func derivedSourceCannotBeRemoved() throws {
        let run = try Self.sandbox().epg("source", "remove", "derived")
        #expect(run.status == 64 && run.errors.contains("Imports and refreshes add derived listings again."))
    }

    @Test func shiftRequiresStation() throws {
        let run = try Sandbox().epg("match", "--shift", "1h", "A")
        #expect(run.status == 64 && run.errors.contains("--shift requires CHANNEL and STATION."))
    }

    @Test func nameOfDerivedSourceIsReserved() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", "--source", "derived", PackageFiles.sample("evening.xml"))
        #expect(run.status == 64 && run.errors.contains("is the source of derived listings"))
    }
}
