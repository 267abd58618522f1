import Foundation
import TestSupport
import Testing

/// Tests of `epg favorite` with the sample guide.
@Suite struct FavoriteCommandTests {
    private static let empty = "No favorites. Add one with `epg favorite add STATION`.\n"

    private func stations(_ run: CommandRun) throws -> [String?] {
        try run.json(as: [[String: Any]].self).map { $0["station"] as? String }
    }

    @Test func favoritesAreAddedMovedAndRemoved() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg("favorite", "list").expect(output: Self.empty)
        try sandbox.epg("favorite", "add", "larder.example").expect(0)
        try sandbox.epg("favorite", "add", "harbour one").expect(0)
        let moved = try sandbox.epg("favorite", "add", "Lantern Films", "--place", "1", "--json")
        #expect(try stations(moved) == ["lantern.example", "larder.example", "harbour-one.example"])
        // Adding a favorite again keeps its place; a place beyond the end means the end.
        let again = try sandbox.epg("favorite", "add", "lantern.example", "--json")
        again.expect(output: moved.output)
        let last = try sandbox.epg("favorite", "add", "lantern.example", "--place", "9", "--json")
        #expect(try stations(last) == ["larder.example", "harbour-one.example", "lantern.example"])
        let removed = try sandbox.epg("favorite", "remove", "The Larder", "--json")
        #expect(try stations(removed) == ["harbour-one.example", "lantern.example"])
        try sandbox.epg("favorite", "list", "--json").expect(output: removed.output)
    }

    @Test func favoriteSurvivesRemovalOfStation() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg("favorite", "add", "larder.example").expect(0)
        try sandbox.epg("source", "remove", "default").expect(0)
        let list = try sandbox.epg("favorite", "list").output
        #expect(list.contains("larder.example") && list.contains("not in the guide"), "\(list)")
        let entry = try sandbox.epg("favorite", "list", "--json").json(as: [[String: Any]].self).first
        #expect(entry?.keys.sorted() == ["station"])
        try sandbox.epg("import", PackageFiles.sample("evening.xml")).expect(0)
        let restored = try sandbox.epg("favorite", "list", "--json").json(as: [[String: Any]].self).first
        #expect(restored?["name"] as? String == "The Larder")
        #expect(restored?["row"] as? Int != nil)
        // A favorite without a station can be removed.
        try sandbox.epg("source", "remove", "default").expect(0)
        try sandbox.epg("favorite", "remove", "larder.example").expect(output: Self.empty)
    }

    @Test func favoritesDoNotChangeGeneration() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        func generation() throws -> Int? {
            try sandbox.epg("check", "--json").json(as: [String: Any].self)["generation"] as? Int
        }
        let before = (try sandbox.dump(), try generation())
        try sandbox.epg("favorite", "add", "larder.example").expect(0)
        #expect((try sandbox.dump(), try generation()) == before)
    }

    @Test func unknownStationOrFavoriteExitsWith66() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let unknown = try sandbox.epg("favorite", "add", "harbor-one.example")
        unknown.expect(66, errorsContain: ["Did you mean harbour-one.example (Harbour One)"])
        let other = try sandbox.epg("favorite", "remove", "Harbour One")
        other.expect(66, errorsContain: ["“harbour-one.example” is not a favorite"])
        try sandbox.epg("favorite", "remove", "nobody").expect(66)
        try sandbox.epg("favorite", "list").expect(output: Self.empty)
    }

    @Test func favoritesRequireDatabase() throws {
        let sandbox = try Sandbox()
        for arguments in [["list"], ["add", "a"], ["remove", "a"]] {
            try sandbox.epg(["favorite"] + arguments).expect(66)
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }
}
