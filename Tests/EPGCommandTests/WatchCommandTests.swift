import Foundation
import TestSupport
import Testing

/// Tests of `epg watch` with the sample guide, around 24 October 2026, 18:00 UTC.
@Suite struct WatchCommandTests {
    private static let evening = ["--at", "2026-10-24T18:00", "--zone", "UTC"]

    private func airings(_ run: CommandRun) throws -> [[String: Any]] {
        try #require(try run.json(as: [String: Any].self)["airings"] as? [[String: Any]])
    }

    @Test func rulesAreAddedShownAndRemoved() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        #expect(try sandbox.epg("watch", "list").output.hasPrefix("No watch rules."))
        let added = try sandbox.epg(
            "watch", "add", "kerb", "--title", "kerbside", "--profile", "anna", "--between", "18:00-23:00", "--minutes",
            "10")
        added.expect(0, outputContains: ["“kerbside”, 18:00-23:00"])
        let shown = try sandbox.epg(["watch", "show", "kerb", "--json"] + Self.evening)
        let titles = Set(try airings(shown).compactMap { $0["title"] as? String })
        #expect(titles == ["Kerbside"])
        let text = try sandbox.epg(["watch", "show"] + Self.evening)
        text.expect(outputContains: ["Kerbside", "19:15–20:00"])
        // The same rule again, and another rule with its name.
        let same = try sandbox.epg(
            "watch", "add", "kerb", "--title", "kerbside", "--profile", "anna", "--between", "18:00-23:00", "--minutes",
            "10")
        same.expect(0)
        try sandbox.epg("watch", "add", "kerb", "--title", "Other").expect(64)
        #expect(try sandbox.epg("watch", "remove", "kerb").output.hasPrefix("No watch rules."))
        try sandbox.epg("watch", "remove", "kerb").expect(66)
        try sandbox.epg("watch", "show", "kerb").expect(66)
    }

    @Test func editingChangesOnlyWhatIsGiven() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg(
            "watch", "add", "sea", "--any", "ferry", "--any", "lighthouse", "--without", "choir", "--minutes", "10",
            "--new"
        )
        .expect(0, outputContains: ["any of ferry or lighthouse, without choir, new"])
        try sandbox.epg(
            "watch", "edit", "sea", "--name", "shore", "--any", "low*", "--pattern", "^the ", "--clear", "new"
        )
        .expect(0, outputContains: ["shore", "any of low*, without choir, pattern ^the", "10 min"])
        try sandbox.epg(
            "watch", "edit", "shore", "--clear", "any", "--clear", "without", "--profile", "anna", "--minutes", "5",
            "--once"
        )
        .expect(0, outputContains: ["anna", "pattern ^the , once per episode", " 5 min"])
        try sandbox.epg("watch", "edit", "shore", "--clear", "pattern").expect(64, errorsContain: ["A rule needs"])
        try sandbox.epg("watch", "edit", "sea", "--new").expect(66)
        try sandbox.epg("watch", "add", "b", "--title", "B").expect(0)
        try sandbox.epg("watch", "edit", "b", "--name", "shore").expect(64, errorsContain: ["another rule"])
        try sandbox.epg("watch", "list", "--json").expect(
            outputContains: [
                #"{"name":"shore","profile":"anna","pattern":"^the ","once":true,"minutes":5}"#,
                #"{"name":"b","profile":"default","title":"B","minutes":5}"#,
            ])
    }

    @Test func previewShowsMatchesWithoutAddingARule() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let shown = try sandbox.epg(
            ["watch", "preview", "--any", "kerbside", "--any", "nothing", "--pattern", "kerb(side|stone)", "--json"]
                + Self.evening)
        #expect(try Set(airings(shown).compactMap { $0["title"] as? String }) == ["Kerbside"])
        try sandbox.epg(["watch", "preview", "--station", "Harbour One", "--without", "kerbside"] + Self.evening)
            .expect(0, outputContains: ["The Ferry Choir"])
        #expect(try sandbox.epg("watch", "list").output.hasPrefix("No watch rules."))
    }

    @Test func airingBecomesARuleForItself() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let found = try sandbox.epg("search", "Kerbside", "--json", "--at", "2026-10-24T18:00", "--zone", "UTC")
        let id = try #require(try found.json(as: [[String: Any]].self).first?["id"] as? Int)
        try sandbox.epg("watch", "add", "one", "--airing", "#\(id)").expect(0)
        let shown = try airings(try sandbox.epg(["watch", "show", "one", "--json"] + Self.evening))
        #expect(shown.compactMap { $0["id"] as? Int } == [id])
        try sandbox.epg("watch", "add", "none", "--airing", "999999").expect(66)
        try sandbox.epg("watch", "add", "none", "--airing", "\(id)", "--title", "x").expect(64)
    }

    @Test(arguments: [
        ["watch", "add", "a"], ["watch", "add", "a", "--new"], ["watch", "add", "", "--title", "x"],
        ["watch", "add", "a", "--title", "x", "--between", "20-23"],
        ["watch", "add", "a", "--title", "x", "--minutes", "-1"],
        ["watch", "show", "--tuners", "0"], ["watch", "show", "--days", "61"],
        ["watch", "add", "a", "--words", "a* b*"], ["watch", "add", "..", "--title", "x"],
        ["watch", "add", "a", "--without", "x"], ["watch", "add", "a", "--title", "x", "--any", "a* b*"],
        ["watch", "add", "a", "--pattern", "(a"], ["watch", "preview"],
    ]) func invalidArgumentsExitWith64(arguments: [String]) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        try sandbox.epg(arguments).expect(64)
        #expect(try sandbox.epg("watch", "list").output.hasPrefix("No watch rules."))
    }

    @Test(arguments: ["\"", "-* …", "+", "🙂"]) func wordsWithoutLettersAndDigitsExitWith64(words: String) throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("watch", "add", "a", "--words=\(words)")
        run.expect(64, errorsContain: ["neither letters nor digits"])
    }

    @Test func minutesOutOfRangeExitWith64() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let run = try sandbox.epg("watch", "add", "a", "--title", "x", "--minutes", "-1")
        run.expect(errorsContain: ["The minutes must be a number from 0 to"])
    }

    @Test func conflictsDependOnTheNumberOfTuners() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        for station in ["Harbour One", "Lantern Films", "The Larder"] {
            try sandbox.epg("watch", "add", station, "--station", station).expect(0)
        }
        func conflicts(_ tuners: String) throws -> Int {
            let shown = try sandbox.epg(["watch", "show", "--days", "1", "--tuners", tuners, "--json"] + Self.evening)
            return (try shown.json(as: [String: Any].self)["conflicts"] as? [Any])?.count ?? -1
        }
        #expect(try conflicts("1") > 0 && conflicts("3") == 0)
        try sandbox.epg(["watch", "show", "--days", "1"] + Self.evening).expect(outputContains: [
            "Conflicts with 1 tuner:", "!",
        ])
    }

    @Test func programOfATargetGetsEachReminderOnce() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let settings = try sandbox.write(
            """
            reminders:
              - name: file
                command: [sh, -c, "cat >>received; echo >>received"]
              - name: broken
                command: ["false"]
                profiles: [bert]
            """, to: "epg.yml")
        try sandbox.epg("watch", "add", "kerb", "--title", "Kerbside").expect(0)
        func send(_ at: String) throws -> CommandRun {
            try sandbox.epg("watch", "send", "--config", settings, "--at", at, "--zone", "UTC")
        }
        func received() -> [Substring] {
            ((try? String(contentsOfFile: sandbox.path("received"), encoding: .utf8)) ?? "").split(separator: "\n")
        }
        try send("2026-10-24T19:09").expect(0)
        #expect(received().isEmpty)
        for _ in 0..<2 {
            let run = try send("2026-10-24T19:10")
            run.expect(0, output: "", errors: "")
            #expect(received().count == 1)
        }
        #expect(received().first?.contains("\"title\":\"Kerbside\"") == true)
    }

    @Test func failingTargetExitsWith69AndIsListed() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let settings = try sandbox.write(
            "reminders:\n  - name: broken\n    command: [sh, -c, \"echo no battery >&2; exit 3\"]\n", to: "epg.yml")
        try sandbox.epg("watch", "add", "kerb", "--title", "Kerbside").expect(0)
        let run = try sandbox.epg(
            "watch", "send", "--config", settings, "--at", "2026-10-24T19:15", "--zone", "UTC")
        run.expect(69, errorsContain: ["“broken”", "no battery"])
        try sandbox.epg("watch", "list").expect(outputContains: ["broken", "sending", "no battery"])
    }

    @Test func sendingNeedsTargets() throws {
        let sandbox = try Sandbox(importing: "evening.xml")
        let settings = try sandbox.write("title: A\n", to: "epg.yml")
        let run = try sandbox.epg("watch", "send", "--config", settings)
        run.expect(78, errorsContain: ["reminders"])
    }
}
