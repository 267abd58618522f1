import EPGModel
import EPGStore
import Foundation
import TestSupport
import Testing

/// Tests of `epg profile`, and of `--profile`, with the sample guide around 24 October 2026, 20:00 UTC.
@Suite struct ProfileCommandTests {
    private static let evening = ["--at", "2026-10-24T20:10", "--zone", "UTC"]

    private func profiles(_ run: CommandRun) throws -> [[String: Any]] { try run.json(as: [[String: Any]].self) }

    @Test func profilesAreAddedChangedAndRemoved() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        #expect(try sandbox.epg("profile", "list").output.hasPrefix("No profiles."))
        let added = try sandbox.epg(
            "profile", "add", "kids", "--max-age", "12", "--hide-category", "News", "--hide-category", "Film", "--pin",
            input: "2468\n")
        added.expect(0, outputContains: ["kids", "Film, News"])
        try sandbox.epg("profile", "add", "kids").expect(64)
        let listed = try #require(try profiles(sandbox.epg("profile", "list", "--json")).first)
        expectMembers(listed, ["hasPIN": true, "acceptsRules": false])
        expectMembers(listed["limit"] as? [String: Any], ["maximumAge": 12])
        let changed = try sandbox.epg("profile", "set", "kids", "--max-age", "6")
        changed.expect(outputContains: ["Film, News", "yes"])
        let open = try #require(try profiles(sandbox.epg("profile", "set", "kids", "--accept-rules", "--json")).first)
        expectMembers(open, ["hasPIN": true, "acceptsRules": true])
        let replaced = try sandbox.epg("profile", "set", "kids", "--hide-category", "Sport")
        replaced.expect(outputContains: ["Sport"], outputOmits: ["News"])
        let free = try #require(
            try profiles(sandbox.epg("profile", "set", "kids", "--no-limit", "--no-pin", "--json")).first)
        expectMembers(free, ["hasPIN": false, "acceptsRules": true])
        let closed = try #require(
            try profiles(sandbox.epg("profile", "set", "kids", "--no-accept-rules", "--json")).first)
        expectMembers(closed, ["acceptsRules": false])
        expectMembers(free["limit"] as? [String: Any], ["hiddenCategories": [String]()])
        #expect(try sandbox.epg("profile", "remove", "kids").output.hasPrefix("No profiles."))
        for arguments in [["profile", "remove", "kids"], ["profile", "set", "kids"], ["now", "--profile", "kids"]] {
            let run = try sandbox.epg(arguments)
            run.expect(66, errorsContain: ["epg profile list"])
        }
    }

    @Test(arguments: [
        ["profile", "add", ""], ["profile", "add", "a", "--max-age", "22"],
        ["profile", "add", ".."], ["profile", "add", "a", "--hide-category", " "],
        ["profile", "set", "a", "--pin", "--no-pin"],
    ]) func invalidArgumentsExitWith64(arguments: [String]) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg(arguments).expect(64)
    }

    @Test(arguments: ["123\n", "\n", ""]) func invalidPINExitsWith64(input: String) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg("profile", "add", "a", "--pin", input: input).expect(64)
        try sandbox.epg("profile", "list", "--json").expect(output: "[]\n")
    }

    /// `Low Water` (BBFC 15) is on Harbour One from 20:00 to 21:00 UTC.
    @Test func limitLocksProgrammesInGridNowAndSearch() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg("profile", "add", "kids", "--max-age", "12").expect(0)
        let from = ["--from", "2026-10-24T20:00", "--zone", "UTC"]
        for command in [
            ["grid"] + from, ["grid", "--json"] + from, ["grid", "--format", "svg"] + from, ["now"] + Self.evening,
        ] {
            let whole = try sandbox.epg(command)
            whole.expect(outputContains: ["Low Water"])
            let limited = try sandbox.epg(command + ["--profile", "kids"])
            limited.expect(0, outputContains: ["Locked"], outputOmits: ["Low Water"])
        }
        try sandbox.epg(["search", "Low Water"] + Self.evening).expect(outputContains: ["Low Water"])
        let found = try sandbox.epg(["search", "Low Water", "--profile", "kids"] + Self.evening)
        found.expect(0, outputOmits: ["Low Water"])
    }

    @Test func favoritesComeFirstAndHiddenStationsAreLeftOut() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let settings = #"{"favorites":["larder.example","lantern.example"],"hidden":["harbour-one.example"]}"#
        try GuideDatabase(path: sandbox.database).write {
            _ = try $0.saveProfile(Profile(name: "anna", document: Array(settings.utf8)))
        }
        let now = try sandbox.epg(["now", "--json", "--profile", "anna"] + Self.evening).json(as: [[String: Any]].self)
        let all = try sandbox.epg(["now", "--json"] + Self.evening).json(as: [[String: Any]].self)
        let stations = now.compactMap { $0["station"] as? String }
        #expect(stations.prefix(2) == ["larder.example", "lantern.example"])
        #expect(!stations.contains("harbour-one.example") && stations.count == all.count - 1)
        let grid = try sandbox.epg(
            "grid", "--profile", "anna", "--rows", "0-1", "--from", "2026-10-24T18:00", "--zone", "UTC")
        grid.expect(outputContains: ["The Larder", "Lantern Films"], outputOmits: ["Harbour"])
        let search = try sandbox.epg(["search", "news", "--json", "--profile", "anna"] + Self.evening)
        let found = try search.json(as: [[String: Any]].self)
        #expect(!found.contains { $0["station"] as? String == "harbour-one.example" })
        // Matches of hidden stations do not count toward the limit.
        let two = try sandbox.epg(["search", "news", "--json", "--profile", "anna", "--limit", "2"] + Self.evening)
        let first = try two.json(as: [[String: Any]].self)
        #expect(
            found.count > 2 && first.compactMap { $0["id"] as? Int } == found.prefix(2).compactMap { $0["id"] as? Int })
    }
}
