import Foundation
import Testing

/// Tests of sources that are configured in `epg.yml`.
@Suite struct ConfiguredSourceTests {
    /// Returns a guide that starts at the last full hour, so that no airing is over.
    private func guide(stations: Int) -> String {
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyyMMddHHmmss +0000"
        formatter.timeZone = TimeZone(identifier: "UTC")
        let hour = (Date().timeIntervalSince1970 / 3600).rounded(.down) * 3600
        let airings = (0..<stations).flatMap { station in
            (0..<10).map { index in
                let start = formatter.string(from: Date(timeIntervalSince1970: hour + Double(index) * 3600))
                let stop = formatter.string(from: Date(timeIntervalSince1970: hour + Double(index + 1) * 3600))
                return
                    "<programme start=\"\(start)\" stop=\"\(stop)\" channel=\"s\(station)\"><title>T</title></programme>"
            }
        }
        return "<tv>\(airings.joined())</tv>"
    }

    @Test func refreshCreatesGuideFromFileAndCommandSources() throws {
        let sandbox = try Sandbox()
        let feed = try sandbox.write(guide(stations: 3), to: "feed.xml")
        let settings = try sandbox.write(
            """
            database: of-the-settings.sqlite
            sources:
              - {name: a, file: feed.xml, schedule: "0 3 * * *"}
              - {name: b, command: [cat, \(feed)], priority: 2}
            """, to: "settings.yml")
        // Neither a variable nor an option gives a database, so the settings apply.
        let environment = ["EPG_DATABASE": ""]
        let run = try sandbox.epg("refresh", "--config", settings, "--json", environment: environment)
        run.expect(0)
        #expect(FileManager.default.fileExists(atPath: sandbox.path("of-the-settings.sqlite")))
        let sources = try sandbox.epg("sources", "--config", settings, "--json", environment: environment)
            .json(as: [[String: Any]].self)
        #expect(sources.count == 2 && sources[0]["nextRefresh"] is String)
        expectMembers(sources.first, ["name": "a", "airings": 30, "schedule": "0 3 * * *", "command": nil])
        expectMembers(
            sources.last, ["name": "b", "airings": 30, "schedule": nil, "command": "cat", "nextRefresh": nil])
        try sandbox.epg("sources", "--config", settings, environment: environment).expect(
            outputContains: ["the command cat\n"], outputOmits: ["cat \(feed)"])
        // The scheduled source is not due before three; the one without a schedule always is.
        let again = try sandbox.epg("refresh", "--config", settings, "--json", environment: environment)
            .json(as: [String: Any].self)
        let outcomes = (again["sources"] as? [[String: Any]] ?? []).map { $0["outcome"] as? String }
        #expect(outcomes == ["not-due", "unchanged"])
    }

    @Test func changingConfiguredSourceWarns() throws {
        let sandbox = try Sandbox()
        let settings = try sandbox.write("sources: [{name: a, file: feed.xml}]", to: "settings.yml")
        _ = try sandbox.write("<tv/>", to: "other.xml")
        let environment = ["EPG_CONFIG": settings]
        let message = "epg: \(settings) defines “a”, so the next refresh overrides this change. "
        for (arguments, advice) in [
            (["add", "a", "other.xml"], "Change it there.\n"), (["set", "a", "--priority", "3"], "Change it there.\n"),
            (["remove", "a"], "Remove it there, too.\n"),
        ] {
            let run = try sandbox.epg(["source"] + arguments, environment: environment)
            run.expect(0, errors: message + advice)
        }
        try sandbox.epg(["source", "add", "b", "other.xml"], environment: environment).expect(errors: "")
    }

    @Test func sourceRemovedFromSettingsIsReportedAndNotRefreshed() throws {
        let sandbox = try Sandbox()
        let feed = try sandbox.write(guide(stations: 3), to: "feed.xml")
        let settings = try sandbox.write(
            "sources: [{name: a, file: \(feed)}, {name: b, file: \(feed)}]", to: "settings.yml")
        let environment = ["EPG_CONFIG": settings, "COLUMNS": "200"]
        try sandbox.epg(["refresh"], environment: environment).expect(0)
        _ = try sandbox.write("sources: [{name: b, file: \(feed)}]", to: "settings.yml")
        let run = try sandbox.epg(["refresh", "--json"], environment: environment)
        let outcomes = try run.json(as: [String: Any].self)["sources"] as? [[String: Any]]
        #expect(outcomes?.map { $0["outcome"] as? String } == ["not-configured", "unchanged"])
        try sandbox.epg(["sources"], environment: environment).expect(outputContains: [
            "never: no longer in epg.yml; delete it with epg source remove"
        ])
        // Its listings are kept.
        #expect(try sandbox.epg(["stations", "--json"]).json(as: [Any].self).count == 3)
        let withoutSettings = try sandbox.epg(["refresh"])
        withoutSettings.expect(78, errorsContain: ["2 of 2 sources failed", "EPG_CONFIG"])
    }

    @Test func shareOptionOverridesSettings() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write(guide(stations: 10), to: "feed.xml")
        let settings = try sandbox.write(
            "sources: [{name: a, file: feed.xml, minimum-share: 80 %}]", to: "settings.yml")
        try sandbox.epg("refresh", "--config", settings).expect(0)
        _ = try sandbox.write(guide(stations: 7), to: "feed.xml")
        try sandbox.epg("refresh", "--config", settings).expect(65)
        try sandbox.epg("refresh", "--config", settings, "--share", "60").expect(0)
    }

    /// Covers a missing guide and a guide with another source.
    @Test func unrefreshedSourcesAreListedWithNextScheduledRun() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write(guide(stations: 1), to: "feed.xml")
        let settings = try sandbox.write(
            """
            zone: UTC
            sources:
              - {name: c, file: feed.xml, schedule: "0 3 * * *"}
              - {name: a, url: "https://guides.example/a.xml"}
            """, to: "settings.yml")
        for known in [[], ["b"]] {
            if let name = known.first { try sandbox.epg("source", "add", name, "feed.xml").expect(0) }
            let sources = try sandbox.epg("sources", "--config", settings, "--json").json(as: [[String: Any]].self)
            #expect(sources.map { $0["name"] as? String } == ["a"] + known + ["c"])
            #expect(sources.allSatisfy { $0["isDue"] as? Bool == true && $0["airings"] as? Int == 0 })
            let next = try #require(sources.last?["nextRefresh"] as? String)
            let time = try #require(ISO8601DateFormatter().date(from: next)).timeIntervalSinceNow
            #expect(next.hasSuffix("T03:00:00Z") && (-60...86_400).contains(time), "\(next)")
            expectMembers(sources.first, ["nextRefresh": nil])
            let text = try sandbox.epg(["sources", "--config", settings], environment: ["COLUMNS": "200"]).output
            #expect(text.split(separator: "\n").count { $0.hasSuffix(" never") } == 2 + known.count)
            #expect(text.contains("at the next epg refresh, then after ") && text.contains("03:00"), "\(text)")
        }
        // A missing guide is an error if the settings have no sources.
        let none = try sandbox.epg(
            "sources", "--database", "nowhere", "--config", try sandbox.write("title: a\n", to: "empty.yml"))
        none.expect(66)
    }

    /// The schedule is 03:30 daily, with a delay of up to ten minutes.
    @Test func nextRefreshByServiceIsListed() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write(guide(stations: 1), to: "feed.xml")
        let settings = try sandbox.write(
            """
            zone: UTC
            refresh: "30 3 * * *"
            sources: [{name: a, file: feed.xml}]
            """, to: "settings.yml")
        func next() throws -> String {
            let sources = try sandbox.epg("sources", "--config", settings, "--json").json(as: [[String: Any]].self)
            return try #require(sources.first?["nextServiceRefresh"] as? String)
        }
        let before = try next()
        #expect(before.firstMatch(of: /T03:(3[0-9]|40):/) != nil, "\(before)")
        try sandbox.epg("refresh", "--config", settings).expect(0)
        #expect(try next() == before)
        try sandbox.epg("import", "feed.xml", "--source", "by hand").expect(0)
        let text = try sandbox.epg("sources", "--config", settings, "--zone", "UTC").output
        let count = text.split(separator: "\n").count { $0.hasSuffix(", by epgd") }
        #expect(count == 1 && !text.contains("epg refresh"), "\(text)")
    }

    /// XDG Base Directory Specification: with mode 0700.
    @Test func firstRefreshCreatesDefaultFolder() throws {
        let sandbox = try Sandbox()
        let feed = try sandbox.write(guide(stations: 1), to: "feed.xml")
        let settings = try sandbox.write("sources: [{name: a, file: \(feed)}]", to: "settings.yml")
        let run = try sandbox.epg("refresh", "--config", settings, environment: ["EPG_DATABASE": ""])
        run.expect(0)
        let folder = sandbox.path(".local/share/epg")
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect((mode, FileManager.default.fileExists(atPath: folder + "/guide.sqlite")) == (0o700, true))
        // epg does not create other folders.
        let named = try sandbox.epg("refresh", "--config", settings, "--database", sandbox.path("nowhere/g.sqlite"))
        named.expect(73)
    }

    @Test func missingSchedulesDirectPasswordFailsOnlyItsSource() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.write(guide(stations: 1), to: "feed.xml")
        let settings = try sandbox.write(
            """
            sources:
              - name: a
                schedules-direct: {username: viewer, password: {file: password}, lineups: [L-1]}
                schedule: "0 3 * * *"
                jitter: 2 h
              - {name: b, file: feed.xml}
            """, to: "settings.yml")
        let run = try sandbox.epg("refresh", "--config", settings)
        run.expect(78, errorsContain: ["1 of 2 sources failed", "password: No such file or directory"])
        let sources = try sandbox.epg("sources", "--config", settings, "--json").json(as: [[String: Any]].self)
        #expect(sources.count == 2)
        expectMembers(sources.first, ["service": "Schedules Direct, L-1", "airings": 0])
        expectMembers(sources.last, ["service": nil, "airings": 10])
        try sandbox.epg("sources", "--config", settings).expect(outputContains: [
            "Schedules Direct, L-1\n", "0 3 * * *, up to 2 h later\n",
        ])
        // Removing the source also removes its stored guide.
        try sandbox.epg("source", "remove", "a").expect(0)
    }

    @Test func invalidSettingsStopRefreshBeforeAnyChange() throws {
        let sandbox = try Sandbox()
        let settings = try sandbox.write(
            "sources: [{name: a, file: feed.xml, schedule: 61 * * * *}]", to: "settings.yml")
        let run = try sandbox.epg("refresh", "--config", settings)
        run.expect(78, errorsContain: ["\(settings):1: sources[0].schedule: "])
        #expect(!FileManager.default.fileExists(atPath: sandbox.database))
    }
}
