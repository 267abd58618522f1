import Foundation
import Testing

/// Sources, and the nightly job over files. (Over HTTP it is proved where it is made, in EPGRefreshTests.)
@Suite struct SourceCommandTests {
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
        let run = try sandbox.epg("refresh", "--retention", "3660")
        #expect((run.status, run.output, run.errors) == (0, "", ""))
        #expect(try sandbox.epg("stations", "--json").json(as: [Any].self).count == 12)
    }

    @Test func refreshReportsOutcomesAsJSON() throws {
        let sandbox = try sandboxWithSource()
        func outcome() throws -> String? {
            let run = try sandbox.epg("refresh", "--json", "--retention", "3660")
            let sources = try run.json(as: [String: Any].self)["sources"] as? [[String: Any]]
            return sources?.first?["outcome"] as? String
        }
        #expect(try outcome() == "imported")
        #expect(try outcome() == "unchanged")
    }

    @Test func sourceThatIsGoneFailsAndItsListingsStand() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--retention", "3660").status == 0)
        let before = try sandbox.dump()
        try FileManager.default.removeItem(atPath: sandbox.path("feed.xml"))
        let run = try sandbox.epg("refresh", "--retention", "3660")
        #expect(run.status == 66)
        #expect(run.output == "")
        #expect(run.errors.contains("1 of 1 sources failed"))
        #expect(try sandbox.dump() == before)
        #expect(try sandbox.epg("sources").output.contains("failed"))
    }

    @Test func brokenGuideFailsWith65AndTheOldOneStands() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--retention", "3660").status == 0)
        let before = try sandbox.dump()
        _ = try sandbox.write("<tv>\n<programme", to: "feed.xml")
        let run = try sandbox.epg("refresh", "--retention", "3660")
        #expect(run.status == 65)
        #expect(run.errors.contains("line 2"))
        #expect(try sandbox.dump() == before)
    }

    /// Else the refresh would take the body for the one that stands.
    @Test func refreshReadsASourceAnewThatWasImportedByHandMeanwhile() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--retention", "3660").status == 0)
        #expect(try sandbox.epg("import", Package.sample("evening-next.xml"), "--source", "evening").status == 0)
        let run = try sandbox.epg("refresh", "--json", "--retention", "3660")
        let sources = try run.json(as: [String: Any].self)["sources"] as? [[String: Any]]
        #expect(sources?.first?["outcome"] as? String == "imported")
    }

    @Test func removedSourceTakesItsListingsAlong() throws {
        let sandbox = try sandboxWithSource()
        #expect(try sandbox.epg("refresh", "--retention", "3660").status == 0)
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

    @Test func keysInAddressesAreNotShown() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.epg("source", "add", "a", "https://me:secret@example.com/guide.xml?key=secret").status == 0)
        let text = try sandbox.epg("sources").output
        #expect(text.contains("https://example.com/guide.xml"))
        #expect(!text.contains("secret"))
    }
}
