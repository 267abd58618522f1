import Foundation
import TestSupport
import Testing

/// Tests of `epg lineup`.
@Suite struct LineupCommandTests {
    private static func sandbox() throws -> Sandbox {
        try Sandbox(named: "lineup", prepare: prepare)
    }

    private static func prepare(_ sandbox: Sandbox) throws {
        let stations = ["a.example", "b.example", "c.example"]
        let channels = stations.map { "<channel id=\"\($0)\"><display-name>\($0)</display-name></channel>" }
        let guide = try sandbox.write("<tv>\(channels.joined())</tv>", to: "guide.xml")
        let entries = [
            "tvg-id=\"a.example\" tvg-chno=\"1\" group-title=\"News\",Alder",
            "tvg-id=\"b.example\" tvg-chno=\"2\" group-title=\"Films;Kids\",Birch",
            "tvg-id=\"c.example\",Cedar", "tvg-id=\"none.example\",Dogwood",
        ]
        let playlist = try sandbox.write(
            "#EXTM3U\n" + entries.map { "#EXTINF:-1 \($0)\nhttp://s.example/\n" }.joined(), to: "home.m3u")
        try sandbox.epg("import", guide, playlist).expect(0)
    }

    private func channels(_ sandbox: Sandbox) throws -> [[String: Any]] {
        try sandbox.epg("lineup", "list", "home", "--json").json(as: [[String: Any]].self)
    }

    private func rows(_ sandbox: Sandbox) throws -> [String?] {
        try sandbox.epg("stations", "--json").json(as: [[String: Any]].self).map { $0["id"] as? String }
    }

    @Test func channelsAreListedWithTheirValues() throws {
        let sandbox = try Self.sandbox()
        let lineups = try sandbox.epg("lineup", "list", "--json").json(as: [[String: Any]].self)
        #expect(lineups.count == 1)
        expectMembers(lineups.first, ["name": "home", "channels": 4, "matched": 3, "ordered": false])
        let channels = try channels(sandbox)
        #expect(channels.map { $0["name"] as? String } == ["Alder", "Birch", "Cedar", "Dogwood"])
        expectMembers(channels[1], ["number": "2", "groups": ["Films", "Kids"]])
        expectMembers(channels[3], ["station": nil, "place": 4])
        try sandbox.epg("lineup", "list", "home").expect(outputContains: ["Films; Kids", "b.example"])
    }

    @Test func channelIsChangedHiddenMovedAndRestored() throws {
        let sandbox = try Self.sandbox()
        let before = try channels(sandbox) as NSArray
        try sandbox.epg("lineup", "set", "Alder", "--number", "7.1", "--groups", "Local", "Late").expect(0)
        try sandbox.epg("lineup", "set", "b.example", "--hide").expect(outputContains: ["hidden"])
        try sandbox.epg("lineup", "set", "7.1", "--place", "3", "--lineup", "home").expect(0)
        let channels = try channels(sandbox)
        #expect(channels.map { $0["name"] as? String } == ["Birch", "Cedar", "Alder", "Dogwood"])
        expectMembers(channels[2], ["number": "7.1", "groups": ["Local", "Late"]])
        expectMembers(channels[0], ["hidden": true, "station": nil])
        // The rows of the guide have this order, without the hidden channel.
        #expect(try rows(sandbox) == ["c.example", "a.example", "b.example"])
        try sandbox.epg("lineup", "set", "Birch", "--show", "--groups", "none", "--number", "none").expect(0)
        #expect(try rows(sandbox) == ["b.example", "c.example", "a.example"])
        try sandbox.epg("lineup", "restore", "home").expect(0)
        #expect(try self.channels(sandbox) as NSArray == before)
        #expect(try rows(sandbox) == ["a.example", "b.example", "c.example"])
    }

    @Test func unknownNamesExitWith66() throws {
        let sandbox = try Self.sandbox()
        for arguments in [
            ["list", "none"], ["restore", "none"], ["set", "Aldr", "--hide"],
            ["set", "Alder", "--hide", "--lineup", "none"],
        ] {
            try sandbox.epg(["lineup"] + arguments).expect(66)
        }
        try sandbox.epg("lineup", "set", "Aldr", "--hide").expect(errorsContain: ["Did you mean Alder"])
    }

    @Test(arguments: [
        [], ["--hide", "--show"], ["--place", "0"], ["--number", "seven"],
    ])
    func invalidChangeExitsWith64(options: [String]) throws {
        try Self.sandbox().epg(["lineup", "set", "Alder"] + options).expect(64)
    }
}
