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
            run.expect(0, errors: "")
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
        let title = (first["programme"] as? [String: Any] ?? first)["title"] as? String
        #expect((airings.count, title) == (12, "Lighthouse Camera"))
        let id = try #require(first["id"] as? Int)
        try sandbox.epg("show", "\(id)").expect(outputContains: [
            "from a template, because no feed has listings", "Live pictures from Lighthouse Camera",
        ])
        try sandbox.epg("export", "--format", "ics").expect(outputContains: [
            "SUMMARY:Rook vs Harrow\r\n", "STATUS:TENTATIVE\r\n",
        ])
        try sandbox.epg("export").expect(outputContains: [
            "<derived>channel-name</derived>", "<derived>shift</derived>",
        ])
        try sandbox.epg("export", "--format", "json").expect(outputContains: [#""derived":["placeholder"]"#])
        try sandbox.epg("now", "--at", "2026-10-24T20:40").expect(outputContains: [
            "~Lighthouse Camera", "~22:00 Lighthouse",
        ])
        let grid = ["grid", "--from", "2026-10-24T18:30", "--at", "2026-10-24T20:40"]
        try sandbox.epg(grid).expect(outputContains: ["~Lighthouse Camera"])
        try sandbox.epg(grid + ["--style", "detailed"]).expect(outputContains: ["~20:00–22:00"])
    }

    @Test func explanationShowsDerivedStations() throws {
        let sandbox = try Self.sandbox()
        let words = try sandbox.epg("match", "--explain").output.split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        let parts = [
            "derived:harbour-one.example+1h, with the listings of harbour-one.example", "1 h later",
            "derived:PPV 3, with listings from the name of the channel", "derived:Lighthouse Camera, with placeholders",
        ]
        #expect(parts.filter { !text.contains($0) } == [], "\(text)")
        let reports = try sandbox.epg("match", "--explain", "--json").json(as: [[String: Any]].self)
        let channels = try #require(reports.first?["channels"] as? [[String: Any]])
        let derived = channels.map { ($0["derived"] as? [String: Any])?["kind"] as? String }
        #expect(
            (channels.map { $0["shift"] as? Int }, derived)
                == ([nil, 3600, nil, nil, nil], [nil, "shift", "channel-name", "placeholder", "shift"]))
    }

    @Test func mappingWithShiftIsStoredAndExplained() throws {
        let sandbox = try Self.sandbox()
        let run = try sandbox.epg("match", "--shift", "+1h30min", "Lighthouse Camera", "kestrel.example")
        run.expect(0)
        #expect(run.output.hasSuffix("now shows Kestrel News (kestrel.example), 1 h 30 min later.\n"))
        try sandbox.epg("match", "Lighthouse Camera").expect(outputContains: [
            "shift", "1 h 30 min later, by your mapping",
        ])
        let change = try sandbox.epg("match", "--shift", "-30m", "Lighthouse Camera", "kestrel.example", "--json")
        expectMembers(try change.json(), ["shift": -1800])
        // Without --shift, the tvg-shift of the playlist applies.
        #expect(
            try sandbox.epg("match", "Lighthouse Camera", "kestrel.example").output.hasSuffix("(kestrel.example).\n"))
        try sandbox.epg("match", "Lighthouse Camera").expect(outputOmits: ["later"])
    }

    @Test(arguments: ["1", "x", "1d", "25h", "+", "1h1h", "30min1h", ""])
    func invalidShiftIsRejected(text: String) throws {
        let run = try Sandbox().epg("match", "--shift", text, "A", "B")
        run.expect(64, errorsContain: ["is not a duration such as +1h"])
    }

    @Test func derivedSourceCannotBeRemoved() throws {
        let run = try Self.sandbox().epg("source", "remove", "derived")
        run.expect(64, errorsContain: ["Imports and refreshes add derived listings again."])
    }

    @Test(arguments: [
        (["match", "--shift", "1h", "A"], "--shift requires CHANNEL and STATION."),
        (["import", "--source", "derived", PackageFiles.sample("evening.xml")], "is the source of derived listings"),
    ])
    func invalidCommandIsAUsageError(arguments: [String], message: String) throws {
        try Sandbox().epg(arguments).expect(64, errorsContain: [message])
    }
}
