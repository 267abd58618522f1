import Foundation
import TestSupport
import Testing

/// Tests of `epg lineup`.
@Suite struct LineupCommandTests {
    private static func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
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
        #expect(try sandbox.epg("import", guide, playlist).status == 0)
        return sandbox
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
        #expect(lineups.count == 1 && lineups[0]["name"] as? String == "home")
        #expect(lineups[0]["channels"] as? Int == 4 && lineups[0]["matched"] as? Int == 3)
        #expect(lineups[0]["ordered"] as? Bool == false)
        let channels = try channels(sandbox)
        #expect(channels.map { $0["name"] as? String } == ["Alder", "Birch", "Cedar", "Dogwood"])
        #expect(channels[1]["number"] as? String == "2" && channels[1]["groups"] as? [String] == ["Films", "Kids"])
        #expect(channels[3]["station"] == nil && channels[3]["place"] as? Int == 4)
        let text = try sandbox.epg("lineup", "list", "home").output
        #expect(text.contains("Films; Kids") && text.contains("b.example"))
    }

    @Test func channelIsChangedHiddenMovedAndRestored() throws {
        let sandbox = try Self.sandbox()
        let before = try channels(sandbox) as NSArray
        #expect(try sandbox.epg("lineup", "set", "Alder", "--number", "7.1", "--groups", "Local", "Late").status == 0)
        #expect(try sandbox.epg("lineup", "set", "b.example", "--hide").output.contains("hidden"))
        #expect(try sandbox.epg("lineup", "set", "7.1", "--place", "3", "--lineup", "home").status == 0)
        let channels = try channels(sandbox)
        #expect(channels.map { $0["name"] as? String } == ["Birch", "Cedar", "Alder", "Dogwood"])
        #expect(channels[2]["number"] as? String == "7.1" && channels[2]["groups"] as? [String] == ["Local", "Late"])
        #expect(channels[0]["hidden"] as? Bool == true && channels[0]["station"] == nil)
        // The rows of the guide have this order, without the hidden channel.
        #expect(try rows(sandbox) == ["c.example", "a.example", "b.example"])
        #expect(try sandbox.epg("lineup", "set", "Birch", "--show", "--groups", "none", "--number", "none").status == 0)
        #expect(try rows(sandbox) == ["b.example", "c.example", "a.example"])
        #expect(try sandbox.epg("lineup", "restore", "home").status == 0)
        #expect(try self.channels(sandbox) as NSArray == before)
        #expect(try rows(sandbox) == ["a.example", "b.example", "c.example"])
    }

    @Test func unknownNamesExitWith66() throws {
        let sandbox = try Self.sandbox()
        for arguments in [
            ["list", "none"], ["restore", "none"], ["set", "Aldr", "--hide"],
            ["set", "Alder", "--hide", "--lineup", "none"],
        ] {
            #expect(try sandbox.epg(["lineup"] + arguments).status == 66, "\(arguments)")
        }
        #expect(try sandbox.epg("lineup", "set", "Aldr", "--hide").errors.contains("Did you mean Alder"))
    }

    @Test(arguments: [
        [], ["--hide", "--show"], ["--place", "0"], ["--number", "seven"],
    ])
    func invalidChangeExitsWith64(options: [String]) throws {
        #expect(try Self.sandbox().epg(["lineup", "set", "Alder"] + options).status == 64)
    }
}
