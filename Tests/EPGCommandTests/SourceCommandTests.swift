import Foundation
import TestSupport
import Testing

/// Tests of `epg source`, and of `epg refresh` with files. EPGRefreshTests covers HTTP.
@Suite struct SourceCommandTests {
    /// A time in the sample guide.
    private static let evening = "2026-10-24T18:00:00Z"

    /// Creates a sandbox with a copy of the sample guide as the source `evening`.
    private func sandboxWithSource(_ options: String...) throws -> Sandbox {
        let sandbox = try Sandbox()
        try FileManager.default.copyItem(atPath: PackageFiles.sample("evening.xml"), toPath: sandbox.path("feed.xml"))
        let run = try CommandRun(
            ["source", "add", "evening", "feed.xml"] + options, input: nil, environment: sandbox.variables([:]),
            folder: sandbox.folder)
        run.expect(0)
        return sandbox
    }

    @Test func addedSourceIsListedWithItsOptions() throws {
        let sandbox = try sandboxWithSource("--zone", "Europe/Paris", "--shift", "-90", "--every", "6h")
        let source = try #require(try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).first)
        #expect((source["location"] as? String)?.hasPrefix("/") == true)
        expectMembers(source, ["name": "evening", "timeZone": "Europe/Paris", "shift": -90, "interval": 21_600])
    }

    @Test func successfulRefreshIsSilent() throws {
        let sandbox = try sandboxWithSource()
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        run.expect(0, output: "", errors: "")
        #expect(try sandbox.epg("stations", "--json").json(as: [Any].self).count == 12)
    }

    /// A cron job that does not find epg.yml must not fail silently.
    @Test func refreshWithoutSourcesPrintsAdvice() throws {
        let sandbox = try Sandbox()
        let none = try sandbox.epg("refresh")
        none.expect(66)
        let message = "epg: There is no guide at \(sandbox.database), and no source to create it from. Add one"
        #expect(none.errors.hasPrefix(message))
        try sandbox.epg("import", PackageFiles.sample("evening.xml")).expect(0)
        // The airings of the sample guide may be long over.
        let run = try sandbox.epg("refresh", "--at", "2027-10-24T18:00:00Z")
        run.expect(0, output: "")
        #expect(run.errors.hasPrefix("epg: No sources to refresh. Add one with `epg source add NAME URL`"))
        try sandbox.epg("refresh", "--quiet", "--at", "2027-10-24T18:00:00Z").expect(0, errors: "")
    }

    @Test func refreshReportsOutcomesAsJSON() throws {
        let sandbox = try sandboxWithSource()
        func outcome() throws -> String? {
            let run = try sandbox.epg("refresh", "--json", "--at", Self.evening)
            let sources = try run.json(as: [String: Any].self)["sources"] as? [[String: Any]]
            return sources?.first?["outcome"] as? String
        }
        #expect(try [outcome(), outcome()] == ["imported", "unchanged"])
    }

    @Test func outdatedGuideIsRejectedWith65() throws {
        let sandbox = try sandboxWithSource()
        try sandbox.epg("refresh", "--at", Self.evening).expect(0)
        let before = try sandbox.dump()
        // The last airing ends at 2026-10-27T00:45:00Z. Airings of the last two days are kept.
        for at in ["2026-10-27T00:45:00Z", "2026-10-29T00:00:00Z"] {
            let run = try sandbox.epg("refresh", "--at", at)
            run.expect(
                65,
                errorsContain: ["The guide contains no current or future airings; it ended at 2026-10-27T00:45:00Z."])
        }
        #expect(try sandbox.dump() == before)
        try sandbox.epg("refresh", "--at", "2026-10-27T00:44:59Z").expect(0)
        let wide = ["COLUMNS": "200"]
        try sandbox.epg("sources", environment: wide).expect(outputContains: [
            "until Tue 27 Oct 2026, 00:45 GMT (all airings are over)"
        ])
        try sandbox.epg("refresh", "--force", "--at", "2026-10-29T00:00:00Z").expect(0)
    }

    @Test func missingSourceFailsAndKeepsListings() throws {
        let sandbox = try sandboxWithSource()
        try sandbox.epg("refresh", "--at", Self.evening).expect(0)
        let before = try sandbox.dump()
        try FileManager.default.removeItem(atPath: sandbox.path("feed.xml"))
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        run.expect(66, output: "", errorsContain: ["1 of 1 source failed"])
        #expect(try sandbox.dump() == before)
        try sandbox.epg("sources").expect(outputContains: ["failed"])
    }

    @Test func invalidGuideFailsRefreshWith65AndKeepsGuide() throws {
        let sandbox = try sandboxWithSource()
        try sandbox.epg("refresh", "--at", Self.evening).expect(0)
        let before = try sandbox.dump()
        _ = try sandbox.write(
            "<tv>\n<programme start=\"20261024180000\" channel=\"a\"><title>A</title></programme>\n<programme",
            to: "feed.xml")
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        run.expect(65, errorsContain: ["line 3"])
        // An option of epg import, but not of epg refresh.
        run.expect(errorsOmit: ["--partial"])
        try sandbox.epg("import", "feed.xml").expect(errorsContain: ["--partial"])
        #expect(try sandbox.dump() == before)
    }

    /// Exit code 65 is for guides; other commands report the same damage with 65.
    @Test func refreshOfDamagedDatabaseExitsWith74() throws {
        let sandbox = try sandboxWithSource()
        try sandbox.epg("refresh", "--at", Self.evening).expect(0)
        var bytes = try Data(contentsOf: URL(filePath: sandbox.database))
        // The first page has the schema.
        bytes.replaceSubrange(4096..., with: Data(count: bytes.count - 4096))
        try bytes.write(to: URL(filePath: sandbox.database))
        _ = try sandbox.write("<tv>\n<programme", to: "feed.xml")
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        run.expect(74, errorsContain: ["is damaged", "epg check"])
        try sandbox.epg("sources").expect(65)
    }

    /// The import replaces the listings, so the unchanged file has to be imported again.
    @Test func refreshReimportsSourceAfterManualImport() throws {
        let sandbox = try sandboxWithSource()
        try sandbox.epg("refresh", "--at", Self.evening).expect(0)
        try sandbox.epg("import", PackageFiles.sample("evening-next.xml"), "--source", "evening").expect(0)
        let run = try sandbox.epg("refresh", "--json", "--at", Self.evening)
        let sources = try run.json(as: [String: Any].self)["sources"] as? [[String: Any]]
        #expect(sources?.first?["outcome"] as? String == "imported")
    }

    @Test func removingSourceRemovesListings() throws {
        let sandbox = try sandboxWithSource()
        try sandbox.epg("refresh", "--at", Self.evening).expect(0)
        try sandbox.epg("source", "remove", "evening").expect(0)
        #expect(try sandbox.epg("stations", "--json").json(as: [Any].self).isEmpty)
        try sandbox.epg("source", "remove", "evening").expect(66)
    }

    @Test func addingAnExistingSourceChangesNothing() throws {
        let sandbox = try sandboxWithSource("--shift", "60")
        func source() throws -> [String: Any] {
            try #require(try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).first)
        }
        let run = try sandbox.epg("source", "add", "evening", "https://guides.example/other.xml")
        run.expect(64, errorsContain: ["epg source set evening --location"])
        #expect((try source()["location"] as? String)?.hasSuffix("feed.xml") == true)
        try sandbox.epg("source", "set", "evening", "--location", "https://guides.example/other.xml").expect(0)
        expectMembers(try source(), ["location": "https://guides.example/other.xml", "shift": 60])
    }

    @Test(arguments: ["import", "validate"]) func urlAsAFileSuggestsASource(command: String) throws {
        let run = try Sandbox().epg(command, "https://guides.example/guide.xml")
        run.expect(64, errorsContain: ["https://guides.example/guide.xml is a URL", "epg source add"])
    }

    @Test func unsupportedURLExitsWith78() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("source", "add", "a", "gopher://example.com/guide.xml")
        run.expect(78, errorsContain: ["gopher"])
    }

    @Test func folderAsSourceSuggestsImport() throws {
        let sandbox = try Sandbox()
        try sandbox.epg("source", "add", "a", ".").expect(64, errorsContain: ["epg import"])
        try sandbox.epg("source", "add", "a", "nowhere.m3u").expect(66)
        try sandbox.epg("sources").expect(66)
    }

    /// The content decides, and not the name of the file.
    @Test func playlistIsRefreshedAsLineupOfItsSource() throws {
        let sandbox = try Sandbox()
        func playlist(_ names: String...) -> String {
            "#EXTM3U x-tvg-url=\"http://guide.test/g.xml\"\n"
                + names.map { "#EXTINF:-1 tvg-id=\"\($0).test\",\($0)\nhttp://a.test/\($0)?key=secret\n" }.joined()
        }
        _ = try sandbox.write(playlist("One", "Two", "Three"), to: "channels.xml")
        try sandbox.epg("source", "add", "tv", "channels.xml").expect(0, errorsContain: ["--follow-guides"])
        try sandbox.epg("refresh").expect(0)
        try sandbox.epg("sources").expect(0, outputContains: ["3 channels, 0 matched", "3 channels read; 0 added"])
        try sandbox.epg("source", "set", "tv", "--follow-guides").expect(0)
        // The guide that the playlist names cannot be fetched; the lineup is up to date.
        try sandbox.epg("refresh").expect(69, errorsContain: ["tv-guide", "1 of 2 sources failed"])
        try sandbox.epg("source", "remove", "tv-guide").expect(64, errorsContain: ["--no-follow-guides"])
        _ = try sandbox.write(playlist("One"), to: "channels.xml")
        try sandbox.epg("refresh", "tv").expect(
            65, errorsContain: ["the new playlist has 1 channel; the stored one has 3 (minimum: 50%)", "--force"])
        _ = try sandbox.write("<tv/>", to: "channels.xml")
        try sandbox.epg("refresh", "tv").expect(65, errorsContain: ["Add the guide as another source"])
        _ = try sandbox.write(playlist("One", "Four", "Three"), to: "channels.xml")
        let report = try sandbox.epg("refresh", "tv", "--json").json(as: [String: Any].self)
        let source = try #require((report["sources"] as? [[String: Any]])?.first)
        let lineup = try #require(source["lineup"] as? [String: Any])
        #expect(["added", "removed", "renamed"].map { lineup[$0] as? Int } == [1, 1, 0])
        try sandbox.epg("changes", "--since", "0").expect(
            0, outputContains: ["lineup tv", "added    Four", "removed  Two"])
        try sandbox.epg("source", "remove", "tv").expect(0)
        try sandbox.epg("sources").expect(0, outputContains: ["There are no sources"])
        try sandbox.epg("lineup", "list").expect(0, outputOmits: ["tv"])
    }

    @Test func unknownEncodingIsRejectedAndAutoResetsIt() throws {
        let sandbox = try sandboxWithSource("--encoding", "windows-1251")
        func encoding() throws -> String? {
            try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).first?["encoding"] as? String
        }
        #expect(try encoding() == "windows-1251")
        for arguments in [["add", "b", "feed.xml"], ["set", "evening"]] {
            let run = try sandbox.epg(["source"] + arguments + ["--encoding", "klingon"])
            run.expect(64, errorsContain: ["klingon", "ISO-8859-1"])
        }
        #expect(try encoding() == "windows-1251")
        try sandbox.epg("source", "set", "evening", "--encoding", "auto").expect(0)
        #expect(try encoding() == nil)
    }

    @Test func secretsInURLsAreNeverPrinted() throws {
        let sandbox = try Sandbox()
        // No process listens on this port.
        let url = "http://u:hunter2@127.0.0.1:1/?key=SECRET"
        let settings = try sandbox.write(
            """
            sources:
              - {name: a, url: "\(url)", time-limit: 1 s}
              - name: b
                url: "http://127.0.0.1:1/?key=SECRET"
                schedules-direct: {username: u, password: {environment: P}}
                time-limit: 1 s
            """, to: "settings.yml")
        let environment = ["EPG_CONFIG": settings, "P": "hunter2"]
        for arguments in [
            ["source", "add", "a", url], ["source", "set", "a", "--priority", "2"],
            ["refresh", "--verbose"], ["refresh", "--json", "--verbose"], ["refresh", "a"], ["sources"],
            ["sources", "--json"],
            ["changes", "--since", "0", "--json"],
            ["check"], ["check", "--json"], ["stations", "--json"], ["config", "check"], ["config", "check", "--json"],
            ["config", "show"], ["config", "show", "--json"], ["export"], ["import", url], ["validate", url],
            ["source", "add", "d", url + " "], ["source", "add", "d", "ftp" + url.dropFirst(4)],
            ["source", "remove", "a"], ["source", "remove", "a"],
        ] {
            let run = try sandbox.epg(arguments, environment: environment)
            let output = run.output + run.errors
            #expect(!output.contains("hunter2") && !output.contains("SECRET"), "\(arguments): \(output)")
            guard arguments.first == "sources" else { continue }
            #expect(output.contains("http://127.0.0.1:1/?…"), "\(output)")
        }
    }

    @Test(arguments: [
        ["import", "--source", "http://ann:secret@h/", "-"], ["import", "--lineup", "http://ann:secret@h/", "-"],
        ["source", "add", "http://ann:secret@h/", "feed.xml"], ["source", "set", "http://ann:secret@h/"],
    ]) func sourceNameWithCredentialsIsRejected(arguments: [String]) throws {
        let run = try Sandbox().epg(arguments)
        run.expect(64, errorsContain: ["public"], errorsOmit: ["secret"])
    }
}
