import Foundation
import Testing

/// Sources, and the nightly job over files. (Over HTTP it is proved where it is made, in EPGRefreshTests.)
@Suite struct SourceCommandTests {
    /// An instant in the sample guide.
    private static let evening = "2026-10-24T18:00:00Z"

    /// A sandbox with a copy of a sample guide as the source `evening`.
    private func sandboxWithSource(_ options: String...) throws -> Sandbox {
        let sandbox = try Sandbox()
        try FileManager.default.copyItem(atPath: Package.sample("evening.xml"), toPath: sandbox.path("feed.xml"))
        let run = try CommandRun(
            ["source", "add", "evening", "feed.xml"] + options, input: nil, environment: sandbox.variables([:]),
            folder: sandbox.folder)
        try #require(run.status == 0, "\(run.errors)")
        return sandbox
    }

    @Test func addedSourceIsListedWithWhatWasSaidOfIt() throws {
        let sandbox = try sandboxWithSource("--zone", "Europe/Paris", "--shift", "-90", "--every", "6h")
        let source = try #require(try sandbox.epg("source", "list", "--json").json(as: [[String: Any]].self).first)
        #expect(source["name"] as? String == "evening")
        #expect((source["location"] as? String)?.hasPrefix("/") == true)
        #expect(source["timeZone"] as? String == "Europe/Paris")
        #expect(source["shift"] as? Int == -90)
        #expect(source["interval"] as? Int == 21_600)
    }

    @Test func refreshIsSilentOnSuccessAndImports() throws {
        let sandbox = try sandboxWithSource()
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        #expect((run.status, run.output, run.errors) == (0, "", ""))
        #expect(try sandbox.epg("stations", "--json").json(as: [Any].self).count == 12)
    }

    /// Else a job of cron's whose epg.yml stands elsewhere would do nothing for ever.
    @Test func refreshWithoutSourcesSaysSo() throws {
        let sandbox = try Sandbox()
        let none = try sandbox.epg("refresh")
        #expect(none.status == 66)
        let words = "epg: There is no guide at \(sandbox.database), and no source to make one of. Add one"
        #expect(none.errors.hasPrefix(words))
        try #require(try sandbox.epg("import", Package.sample("evening.xml")).status == 0)
        let run = try sandbox.epg("refresh", "--retention", "3660")
        #expect((run.status, run.output) == (0, ""))
        #expect(run.errors.hasPrefix("epg: There are no sources to refresh. Add one (epg source add NAME URL)"))
        #expect(try sandbox.epg("refresh", "--quiet", "--retention", "3660").errors == "")
    }

    @Test func refreshReportsOutcomesAsJSON() throws {
        let sandbox = try sandboxWithSource()
        func outcome() throws -> String? {
            let run = try sandbox.epg("refresh", "--json", "--at", Self.evening)
            let sources = try run.json(as: [String: Any].self)["sources"] as? [[String: Any]]
            return sources?.first?["outcome"] as? String
        }
        #expect(try outcome() == "imported")
        #expect(try outcome() == "unchanged")
    }

    @Test func aGuideThatIsOverFailsWith65AndStands() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--at", Self.evening).status == 0)
        let before = try sandbox.dump()
        // Its last airing ends at 2026-10-27T00:45:00Z; what is two days old stays.
        for at in ["2026-10-27T00:45:00Z", "2026-10-29T00:00:00Z"] {
            let run = try sandbox.epg("refresh", "--at", at)
            #expect(run.status == 65)
            #expect(run.errors.contains("Nothing of its guide airs any more: it ended at 2026-10-27T00:45:00Z."))
        }
        #expect(try sandbox.dump() == before)
        #expect(try sandbox.epg("refresh", "--at", "2026-10-27T00:44:59Z").status == 0)
        let wide = ["COLUMNS": "200"]
        let sources = try sandbox.epg("sources", environment: wide).output
        #expect(sources.contains("until Tue 27 Oct 2026, 00:45 GMT: all of it is over"))
        #expect(try sandbox.epg("refresh", "--force", "--at", "2026-10-29T00:00:00Z").status == 0)
    }

    @Test func sourceThatIsGoneFailsAndItsListingsStand() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--at", Self.evening).status == 0)
        let before = try sandbox.dump()
        try FileManager.default.removeItem(atPath: sandbox.path("feed.xml"))
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        #expect(run.status == 66)
        #expect(run.output == "")
        #expect(run.errors.contains("1 of 1 sources failed"))
        #expect(try sandbox.dump() == before)
        #expect(try sandbox.epg("sources").output.contains("failed"))
    }

    @Test func brokenGuideFailsWith65AndTheOldOneStands() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--at", Self.evening).status == 0)
        let before = try sandbox.dump()
        _ = try sandbox.write("<tv>\n<programme", to: "feed.xml")
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        #expect(run.status == 65)
        #expect(run.errors.contains("line 2"))
        // A flag of epg import, which a refresh hasn't.
        #expect(!run.errors.contains("--partial"), "\(run.errors)")
        #expect(try sandbox.epg("import", "feed.xml").errors.contains("--partial"))
        #expect(try sandbox.dump() == before)
    }

    /// 65 is for guides: the same damage is bad content to other commands.
    @Test func refreshOfADamagedDatabaseEndsWith74() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--at", Self.evening).status == 0)
        var bytes = try Data(contentsOf: URL(filePath: sandbox.database))
        // The schema stands on the first page.
        bytes.replaceSubrange(4096..., with: Data(count: bytes.count - 4096))
        try bytes.write(to: URL(filePath: sandbox.database))
        _ = try sandbox.write("<tv>\n<programme", to: "feed.xml")
        let run = try sandbox.epg("refresh", "--at", Self.evening)
        #expect(run.status == 74, "\(run.errors)")
        #expect(run.errors.contains("is damaged") && run.errors.contains("epg check"), "\(run.errors)")
        #expect(try sandbox.epg("sources").status == 65)
    }

    /// Else the refresh would take the body for the one that stands.
    @Test func refreshReadsASourceAnewThatWasImportedByHandMeanwhile() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--at", Self.evening).status == 0)
        #expect(try sandbox.epg("import", Package.sample("evening-next.xml"), "--source", "evening").status == 0)
        let run = try sandbox.epg("refresh", "--json", "--at", Self.evening)
        let sources = try run.json(as: [String: Any].self)["sources"] as? [[String: Any]]
        #expect(sources?.first?["outcome"] as? String == "imported")
    }

    @Test func removedSourceTakesItsListingsAlong() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--at", Self.evening).status == 0)
        #expect(try sandbox.epg("source", "remove", "evening").status == 0)
        #expect(try sandbox.epg("stations", "--json").json(as: [Any].self).isEmpty)
        #expect(try sandbox.epg("source", "remove", "evening").status == 66)
    }

    @Test func addressThatCannotBeFetchedIs78() throws {
        let sandbox = try Sandbox()
        let run = try sandbox.epg("source", "add", "a", "gopher://example.com/guide.xml")
        #expect(run.status == 78)
        #expect(run.errors.contains("gopher"))
    }

    @Test func folderOrPlaylistIsNoSourceAndTheAdviceIsToImportIt() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write("#EXTM3U\n#EXTINF:-1,A\nhttp://a.test/1\n", to: "channels")
        for location in [".", "channels", "nowhere.m3u", "nowhere.M3U8", "https://a.test/x.m3u?key=secret"] {
            let run = try sandbox.epg("source", "add", "a", location)
            #expect(run.status == 64, "\(location)")
            #expect(run.errors.contains("epg import") && !run.errors.contains("secret"), "\(run.errors)")
        }
        #expect(try sandbox.epg("sources").status == 66)
        // Bytes count more than names.
        _ = try sandbox.write("<tv/>", to: "guide.m3u")
        #expect(try sandbox.epg("source", "add", "a", "guide.m3u").status == 0)
    }

    @Test func encodingThatNobodyKnowsIsRefusedAtOnceAndAutoTakesOneBack() throws {
        let sandbox = try sandboxWithSource("--encoding", "windows-1251")
        func encoding() throws -> String? {
            try sandbox.epg("sources", "--json").json(as: [[String: Any]].self).first?["encoding"] as? String
        }
        #expect(try encoding() == "windows-1251")
        for arguments in [["add", "b", "feed.xml"], ["set", "evening"]] {
            let run = try sandbox.epg(["source"] + arguments + ["--encoding", "klingon"])
            #expect(run.status == 64)
            #expect(run.errors.contains("klingon") && run.errors.contains("ISO-8859-1"), "\(run.errors)")
        }
        #expect(try encoding() == "windows-1251")
        #expect(try sandbox.epg("source", "set", "evening", "--encoding", "auto").status == 0)
        #expect(try encoding() == nil)
    }

    @Test func keysInAddressesAreNotShown() throws {
        let sandbox = try Sandbox()
        // Nobody listens at that port.
        let address = "http://u:hunter2@127.0.0.1:1/?key=SECRET"
        let settings = try sandbox.write(
            """
            sources:
              - {name: a, url: "\(address)", time-limit: 1 s}
              - name: b
                url: "http://127.0.0.1:1/?key=SECRET"
                schedules-direct: {username: u, password: {environment: P}}
                time-limit: 1 s
            """, to: "settings.yml")
        let environment = ["EPG_CONFIG": settings, "P": "hunter2"]
        for arguments in [
            ["source", "add", "a", address], ["source", "set", "a", "--priority", "2"],
            ["refresh", "--verbose"], ["refresh", "--json", "--verbose"], ["refresh", "a"], ["sources"],
            ["sources", "--json"], ["source", "list"], ["source", "list", "--json"],
            ["changes", "--since", "0", "--json"],
            ["check"], ["check", "--json"], ["stations", "--json"], ["config", "check"], ["config", "check", "--json"],
            ["config", "show"], ["config", "show", "--json"], ["export"], ["import", address], ["validate", address],
            ["source", "add", "d", address + " "], ["source", "add", "d", "ftp" + address.dropFirst(4)],
            ["source", "remove", "a"], ["source", "remove", "a"],
        ] {
            let run = try sandbox.epg(arguments, environment: environment)
            let said = run.output + run.errors
            #expect(!said.contains("hunter2") && !said.contains("SECRET"), "\(arguments): \(said)")
            guard arguments.first == "sources" else { continue }
            #expect(said.contains("http://127.0.0.1:1/?…"), "\(said)")
        }
    }

    @Test(arguments: [
        ["import", "--source", "http://ann:secret@h/", "-"], ["import", "--lineup", "http://ann:secret@h/", "-"],
        ["source", "add", "http://ann:secret@h/", "feed.xml"], ["source", "set", "http://ann:secret@h/"],
    ]) func nameWithCredentialsIsRefused(arguments: [String]) throws {
        let run = try Sandbox().epg(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains("public") && !run.errors.contains("secret"), "\(run.errors)")
    }
}
