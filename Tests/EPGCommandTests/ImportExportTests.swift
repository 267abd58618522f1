import Foundation
import TestSupport
import Testing

/// Tests of importing and exporting playlists, folders, JSON and several sources.
@Suite struct ImportExportTests {
    @Test func importedPlaylistIsMatchedAndExported() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", PackageFiles.sample("evening.m3u"), PackageFiles.sample("evening.xml"))
        #expect(run.status == 0)
        // The playlist is read last, so that it finds the stations. sample-data/README.md: 12 of 13 entries match.
        #expect(run.output.contains("matched    12: 11 by identifier, 1 by name"))
        let playlist = try sandbox.epg("export", "--format", "m3u").output
        #expect(playlist.hasPrefix("#EXTM3U "))
        #expect(playlist.components(separatedBy: "#EXTINF:").count == 14)
        #expect(playlist.contains("tvg-id=\"harbour-one.example\""))
        #expect(try sandbox.epg("import", "-", "--lineup", "evening", input: playlist).output.contains("matched    12"))
    }

    @Test func mappingSurvivesImport() throws {
        let sandbox = try Sandbox()
        #expect(
            try sandbox.epg("import", PackageFiles.sample("evening.xml"), PackageFiles.sample("evening.m3u")).status
                == 0)
        let entries = try sandbox.epg("match", "--explain", "--json").output
        #expect(entries.contains("exactID"))
        #expect(try sandbox.epg("match", "Harbour One", "larder.example").status == 0)
        #expect(
            try sandbox.epg("import", PackageFiles.sample("evening-next.xml"), PackageFiles.sample("evening.m3u"))
                .status == 0)
        #expect(try sandbox.epg("match", "Harbour One").output.contains("larder.example"))
        #expect(try sandbox.epg("match", "Harbour One", "nowhere.example").status == 66)
        #expect(try sandbox.epg("match", "--remove", "Harbour One").status == 0)
        #expect(try sandbox.epg("match", "Harbour One").output.contains("harbour-one.example"))
    }

    @Test func schedulesDirectFolderIsOneGuide() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("import", PackageFiles.sample("schedules-direct"), "--json")
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["xmltv", "json"]) func exportedGuideImportsUnchanged(format: String) throws {
        let sandbox = try Sandbox()
        let other = try Sandbox()
        #expect(try sandbox.epg("import", PackageFiles.sample("oddities.xml")).status == 0)
        let file = sandbox.folder.appending(path: "guide.\(format).gz").path
        #expect(try sandbox.epg("export", "--format", format, "--times", "published", "--output", file).status == 0)
        #expect(try other.epg("import", file, "--strict").status == 0)
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
        #expect(try sandbox.epg("import", "-", "--source", "old", input: guide("Old")).status == 0)
        #expect(try sandbox.epg("import", "-", "--source", "new", input: guide("New")).status == 0)
        #expect(try shown() == "Old")
        #expect(try sandbox.epg("source", "set", "new", "--priority", "5").status == 0)
        #expect(try shown() == "New")
        let airings = try sandbox.epg("airings", "--station", "a", "--from", "2026-10-24", "--json")
        let id = try #require(try airings.json(as: [[String: Any]].self).first?["id"] as? Int)
        #expect(try sandbox.epg("show", String(id)).output.contains("new"))
    }

    @Test func invalidGuideFailsValidationWith65() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("validate", PackageFiles.sample("oddities.xml"))
        #expect(run.status == 65)
        #expect(run.output.contains("[badstart]"))
        let valid = try sandbox.epg(
            "validate", "-", input: "<tv><channel id=\"a.b\"><display-name>A</display-name></channel></tv>")
        #expect(valid.status == 65, "a guide without programmes gives a warning")
        let json = try sandbox.epg("validate", "--json", PackageFiles.sample("evening.xml"))
        #expect(try json.json(as: [String: Any].self)["programmes"] as? Int == 417)
    }

    @Test(arguments: ["", "  "]) func emptyLineupNameExitsWith64(name: String) throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.epg("import", PackageFiles.sample("evening.m3u"), "--lineup", name).status == 64)
    }
}
