import Foundation
import TestSupport
import Testing

/// Tests of importing and exporting playlists, folders, JSON and several sources.
@Suite struct ImportExportTests {
    @Test func importedPlaylistIsMatchedAndExported() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", PackageFiles.sample("evening.m3u"), PackageFiles.sample("evening.xml"))
        run.expect(0)
        // The playlist is read last, so that it finds the stations. sample-data/README.md: 12 of 13 entries match.
        run.expect(outputContains: ["matched    12: 11 by identifier, 1 by name"])
        let playlist = try sandbox.epg("export", "--format", "m3u").output
        #expect(playlist.hasPrefix("#EXTM3U ") && playlist.components(separatedBy: "#EXTINF:").count == 14)
        #expect(playlist.contains("tvg-id=\"harbour-one.example\""))
        try sandbox.epg("import", "-", "--lineup", "evening", input: playlist).expect(outputContains: ["matched    12"])
    }

    @Test func mappingSurvivesImport() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("import", PackageFiles.sample("evening.xml"), PackageFiles.sample("evening.m3u")).expect(0)
        try sandbox.epg("match", "--explain", "--json").expect(outputContains: ["exactID"])
        try sandbox.epg("match", "Harbour One", "larder.example").expect(0)
        try sandbox.epg("import", PackageFiles.sample("evening-next.xml"), PackageFiles.sample("evening.m3u")).expect(0)
        try sandbox.epg("match", "Harbour One").expect(outputContains: ["larder.example"])
        try sandbox.epg("match", "Harbour One", "nowhere.example").expect(66)
        try sandbox.epg("match", "--remove", "Harbour One").expect(0)
        try sandbox.epg("match", "Harbour One").expect(outputContains: ["harbour-one.example"])
    }

    @Test func schedulesDirectFolderIsOneGuide() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", PackageFiles.sample("schedules-direct"), "--json")
        run.expect(0)
        #expect(run.output.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["xmltv", "json"]) func exportedGuideImportsUnchanged(format: String) throws {
        let sandbox = try Sandbox()
        let other = try Sandbox()
        try sandbox.epg("import", PackageFiles.sample("oddities.xml")).expect(0)
        let file = sandbox.folder.appending(path: "guide.\(format).gz").path
        try sandbox.epg("export", "--format", format, "--times", "published", "--output", file).expect(0)
        try other.epg("import", file, "--strict").expect(0)
        for arguments in [
            ["stations", "--json"],
            ["airings", "--station", "loft.test", "--from", "2026-10-20", "--to", "2026-11-20", "--json"],
        ] {
            let first = try sandbox.epg(arguments).json(as: [[String: Any]].self)
            let second = try other.epg(arguments).json(as: [[String: Any]].self)
            #expect(!first.isEmpty)
            // The store assigns identifiers.
            #expect(Self.withoutIdentifiers(first) == Self.withoutIdentifiers(second))
        }
    }

    private static func withoutIdentifiers(_ rows: [[String: Any]]) -> [NSDictionary] {
        rows.map { row in
            var row = row
            if row["start"] != nil { row["id"] = nil }
            return row as NSDictionary
        }
    }

    @Test func sourceWithHighestPriorityIsShown() throws {
        let sandbox = try Sandbox()
        func guide(_ title: String) -> String {
            "<tv><programme start=\"20261024190000 +0000\" stop=\"20261024200000 +0000\" channel=\"a\"><title>\(title)</title></programme></tv>"
        }
        func shown() throws -> String? {
            let run = try sandbox.epg("airings", "--station", "a", "--from", "2026-10-24", "--json")
            return try run.json(as: [[String: Any]].self).first?["title"] as? String
        }
        try sandbox.epg("import", "-", "--source", "old", input: guide("Old")).expect(0)
        try sandbox.epg("import", "-", "--source", "new", input: guide("New")).expect(0)
        #expect(try shown() == "Old")
        try sandbox.epg("source", "set", "new", "--priority", "5").expect(0)
        #expect(try shown() == "New")
        let airings = try sandbox.epg("airings", "--station", "a", "--from", "2026-10-24", "--json")
        let id = try #require(try airings.json(as: [[String: Any]].self).first?["id"] as? Int)
        try sandbox.epg("show", String(id)).expect(outputContains: ["new"])
    }

    @Test func invalidGuideFailsValidationWith65() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("validate", PackageFiles.sample("oddities.xml"))
        run.expect(65, outputContains: ["[badstart]"])
        let valid = try sandbox.epg(
            "validate", "-", input: "<tv><channel id=\"a.b\"><display-name>A</display-name></channel></tv>")
        valid.expect(65, "a guide without programmes gives a warning")
        let json = try sandbox.epg("validate", "--json", PackageFiles.sample("evening.xml"))
        expectMembers(try json.json(), ["programmes": 417])
    }

    @Test(arguments: ["", "  "]) func emptyLineupNameExitsWith64(name: String) throws {
        let sandbox = try Sandbox()
        try sandbox.epg("import", PackageFiles.sample("evening.m3u"), "--lineup", name).expect(64)
    }
}
