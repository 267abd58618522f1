import EPGModel
import Foundation
import Testing

@testable import EPGServer
@testable import epgd

/// The screens of administration, as a browser without scripts uses them.
@Suite("Screens of administration", .serialized)
struct AdminScreenTests {
    private static let playlist = Array(
        """
        #EXTM3U
        #EXTINF:-1 tvg-id="one.example" tvg-chno="1" group-title="News",One HD
        http://streams.example/1
        #EXTINF:-1 tvg-id="two.example" tvg-chno="2" group-title="Films;Kids",Two
        http://streams.example/2
        #EXTINF:-1 tvg-id="" group-title="News",Harbour Televison
        http://streams.example/3
        #EXTINF:-1 tvg-id="" ,Zzyzx
        http://streams.example/4

        """.utf8)

    private static func programme(_ station: String) -> String {
        "<programme start=\"20261024180000 +0000\" stop=\"20261024190000 +0000\" channel=\"\(station)\"><title>T</title></programme>"
    }

    private func guide() throws -> ServedGuide {
        let guide = try ServedGuide(
            """
            <channel id="one.example"><display-name>One</display-name></channel>
            <channel id="two.example"><display-name>Two</display-name></channel>
            <channel id="harbour.example"><display-name>Harbour Television Network</display-name></channel>
            """ + ["one.example", "two.example", "harbour.example"].map(Self.programme).joined())
        try guide.importPlaylist(Self.playlist, named: "home")
        return guide
    }

    private func match(_ channel: String, _ server: AdminServer) throws -> String? {
        try server.read { guide in
            guard let (lineup, matches) = try guide.lineup(named: "home") else { return nil }
            return zip(lineup.channels, matches).first { $0.0.name == channel }?.1?.station.rawValue
        }
    }

    // MARK: - Matching

    @Test func suggestionIsAcceptedAndUndone() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/matching").text
            #expect(page.contains("Harbour Televison") && page.contains("value=\"harbour.example\""))
            #expect(page.contains("2 of 4 channels show a station."))
            let mapped = try await client.post(
                "/admin/matching",
                ["key": "Harbour Televison", "station": "harbour.example", "back": "/admin/matching?show=unmatched#m0"])
            #expect(mapped["location"] == "/admin/matching?show=unmatched#m0")
            #expect(try match("Harbour Televison", server) == "harbour.example")
            let after = try await client.get("/admin/matching").text
            #expect(after.contains("now shows Harbour Television Network") && after.contains("Undo"))
            #expect(try await client.post("/admin/matching/undo", [:]).status == 303)
            #expect(try match("Harbour Televison", server) == nil)
            #expect(try server.read { try $0.mappings() }.isEmpty)
        }
    }

    @Test func anotherStationIsNamedByIdentifierOrName() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "harbour television network"])
            #expect(try match("Zzyzx", server) == "harbour.example")
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "two.example"])
            #expect(try match("Zzyzx", server) == "two.example")
            // Undoing restores the mapping before.
            _ = try await client.post("/admin/matching/undo", [:])
            #expect(try match("Zzyzx", server) == "harbour.example")
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "Twoo"])
            let page = try await client.get("/admin/matching").text
            #expect(page.contains("There is no station “Twoo”. Did you mean"))
            #expect(try match("Zzyzx", server) == "harbour.example")
            _ = try await client.post("/admin/matching", ["key": "Zzyzx"])
            #expect(try match("Zzyzx", server) == nil)
        }
    }

    @Test func clearSuggestionsAboveAScoreAreAcceptedTogether() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let none = try await client.post("/admin/matching/accept", ["score": "1"])
            #expect(none.status == 303)
            #expect(try server.read { try $0.mappings() }.isEmpty)
            _ = try await client.post("/admin/matching/accept", ["score": "0.5"])
            #expect(try server.read { try $0.mappings() } == ["Harbour Televison": StationID("harbour.example")])
            _ = try await client.post("/admin/matching/undo", [:])
            #expect(try server.read { try $0.mappings() }.isEmpty)
            for score in ["0.4", "1.1", "x", ""] {
                #expect(try await client.post("/admin/matching/accept", ["score": score]).status == 422)
            }
        }
    }

    @Test func filterSelectsChannels() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let all = try await client.get("/admin/matching?show=all").text
            for name in ["One HD", "Two", "Harbour Televison", "Zzyzx"] { #expect(all.contains(name)) }
            let some = try await client.get("/admin/matching?show=all&q=one+hd").text
            #expect(some.contains("One HD") && !some.contains("Zzyzx"))
            let matched = try await client.get("/admin/matching?show=matched").text
            #expect(matched.contains("One HD") && !matched.contains("Zzyzx"))
        }
    }

    @Test func returnPathIsThatOfTheScreenOnly() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            for back in ["https://evil.example", "//evil.example", "/admin/matchingx", "/admin"] {
                let response = try await client.post(
                    "/admin/matching", ["key": "Zzyzx", "station": "two.example", "back": back])
                #expect(response["location"] == "/admin/matching")
            }
        }
    }

    // MARK: - Lineups

    private func change(_ client: inout AdminClient, hides hidden: Bool = true) async throws -> RawResponse {
        try await client.post(
            "/admin/lineup",
            [
                "name": "home", "action": "save", "channel": "0", "key0": "one.example", "number0": "7.1",
                "groups0": "News; Local", "channel": "1", "key1": "two.example", "number1": "2",
                "groups1": "Films; Kids", "hidden1": hidden ? "1" : "",
            ])
    }

    @Test func numbersGroupsAndHiddenChannelsAreChanged() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            #expect(try await change(&client).status == 303)
            let lineup = try #require(try server.read { try $0.lineup(named: "home") })
            #expect(lineup.lineup.channels[0].number == ChannelNumber("7.1"))
            #expect(lineup.lineup.channels[0].groups == ["News", "Local"])
            #expect(lineup.lineup.channels[1].isHidden && lineup.matches[1] == nil)
            let playlist = try await RawClient.get("/playlist.m3u", port: server.port).text
            #expect(playlist.contains("tvg-chno=\"7.1\"") && playlist.contains("group-title=\"News;Local\""))
            #expect(!playlist.contains("streams.example/2") && !playlist.contains("epg-"))
            // The guide is sorted by the new number.
            let stations = try server.read { try $0.stations(inRows: 0..<9) }
            #expect(stations.first?.station.id == StationID("one.example"))
            #expect(stations.first?.channelNumber == ChannelNumber("7.1"))
        }
    }

    @Test func newImportKeepsChanges() async throws {
        let guide = try guide()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            _ = try await change(&client)
            let text = String(decoding: Self.playlist, as: UTF8.self)
                .replacing("tvg-chno=\"1\" group-title=\"News\"", with: "tvg-chno=\"100\" group-title=\"Other\"")
            try guide.importPlaylist(Array(text.utf8), named: "home")
            var channels = try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels
            #expect(channels[0].number == ChannelNumber("7.1") && channels[0].groups == ["News", "Local"])
            #expect(channels[1].isHidden)
            // Restoring shows what the new list has.
            _ = try await client.post("/admin/lineup", ["name": "home", "action": "restore"])
            channels = try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels
            #expect(channels[0].number == ChannelNumber("100") && channels[0].groups == ["Other"])
            #expect(!channels[1].isHidden && channels.allSatisfy { !$0.isEdited })
        }
    }

    @Test func channelsAreNumberedInOrder() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            _ = try await change(&client)
            _ = try await client.post("/admin/lineup", ["name": "home", "action": "number"])
            let channels = try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels
            // Hidden channels keep their numbers.
            #expect(channels.map { $0.number?.description } == ["1", "2", "2", "3"])
        }
    }

    @Test func invalidNumberChangesNothing() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let response = try await client.post(
                "/admin/lineup",
                ["name": "home", "action": "save", "channel": "0", "key0": "one.example", "number0": "seven"])
            #expect(response.status == 422)
            #expect(response.text.contains("“seven” is not a channel number"))
            let stale = try await client.post(
                "/admin/lineup", ["name": "home", "action": "save", "channel": "0", "key0": "other", "number0": "9"])
            #expect(stale.status == 409)
            #expect(
                try server.read { try $0.lineup(named: "home") }?.lineup.channels.contains { $0.isEdited } == false)
        }
    }

    @Test func lineupIsRemoved() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            #expect(try await client.get("/admin/lineups").text.contains("home"))
            _ = try await client.post("/admin/lineup/remove", ["name": "home"])
            #expect(try server.read { try $0.lineups() }.isEmpty)
        }
    }

    // MARK: - Sources

    @Test func sourceShowsItsHealthWithProblemsByRule() async throws {
        let guide = try ServedGuide(bytes: ServedGuide.sample("evening.xml"), as: "evening")
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let overview = try await client.get("/admin").text
            #expect(overview.contains("failing (3 failures)") && overview.contains("not fetched yet"))
            #expect(!overview.contains("secret"))
            let page = try await client.get("/admin/source?name=evening").text
            #expect(page.contains("overlapping airings (overlap)"))
            #expect(page.contains("417"))
            let failing = try await client.get("/admin/source?name=east").text
            #expect(failing.contains("https://a.example/?…") && !failing.contains("a.example/?key"))
            #expect(try await client.get("/admin/source?name=none").status == 404)
        }
    }

    @Test func settingsOfASourceAreChanged() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            _ = try await client.post(
                "/admin/source",
                [
                    "name": "east", "location": "", "interval": "12h", "zone": "Europe/Berlin", "shift": "-3600",
                    "encoding": "latin1", "stations": "a* b?",
                ])
            var source = try #require(try server.read { try $0.sourceRecords() }.first { $0.source.name == "east" })
                .source
            #expect(source.location == "https://a.example/?key=secret")
            #expect(source.interval == 43_200 && source.timeZone == "Europe/Berlin" && source.shift == -3600)
            #expect(source.encoding == "latin1" && source.stations == ["a*", "b?"])
            for (field, value) in [
                ("zone", "Mars"), ("interval", "soon"), ("shift", "x"), ("encoding", "klingon"),
                ("location", "file:///a"),
            ] {
                let response = try await client.post("/admin/source", ["name": "east", "shift": "0", field: value])
                #expect(response.status == (field == "shift" ? 303 : 422), "\(field)")
            }
            _ = try await client.post("/admin/source/remove", ["name": "east"])
            source = Source(name: "east")
            #expect(try !server.read { try $0.sourceRecords() }.contains { $0.source.name == "east" })
        }
    }

    @Test func orderOfSourcesBecomesTheirPriorities() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            for names in [["new", "default", "east"], ["east", "new", "default"], ["default", "east", "new"]] {
                _ = try await client.post(
                    "/admin/priorities", ["name": names[0], "name": names[1], "name": names[2]])
                let sources = try server.read { try $0.sourceRecords() }.map(\.source)
                let sorted = sources.sorted { $0.priority > $1.priority }
                #expect(sorted.map(\.name) == names)
                #expect(Set(sources.map(\.priority)).count == 3)
            }
        }
    }

    @Test func fixedPrioritiesStay() {
        let sources = [
            Source(name: "a", priority: 0), Source(name: "b", priority: 5), Source(name: "c", priority: 9),
            Source(name: "derived", priority: -1_000_000_000),
        ]
        let changed = SourceOrder(["a", "b", "c", "derived"]).priorities(of: sources, keeping: ["b"])
        // c moves below b, and a above it.
        #expect(changed.map(\.name) == ["c", "a"])
        #expect(changed[0].priority < 5 && changed[1].priority > 5)
        #expect(SourceOrder(["c", "b", "a", "derived"]).priorities(of: sources, keeping: []).isEmpty)
    }

    @Test func sourceOfTheSettingsFileIsNotChanged() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        let settings = "sources:\n  - {name: east, url: 'https://a.example/?key=secret'}\n"
        try await AdminServer.run(guide, settings: settings) { server in
            var client = try await server.loggedIn()
            #expect(try await client.get("/admin/source?name=east").text.contains("defines this source"))
            let before = try server.read { try $0.sourceRecords() }.map(\.source)
            #expect(try await client.post("/admin/source", ["name": "east", "shift": "1"]).status == 409)
            #expect(try await client.post("/admin/source/remove", ["name": "east"]).status == 409)
            _ = try await client.post("/admin/priorities", ["name": "east", "name": "default", "name": "new"])
            let after = try server.read { try $0.sourceRecords() }.map(\.source)
            #expect(after.first { $0.name == "east" } == before.first { $0.name == "east" })
        }
    }

    // MARK: - Changes and settings

    @Test func changesOfThePeriodAreListed() async throws {
        let guide = try guide()
        try guide.importGuide(
            ServedGuide.document(Self.programme("two.example")), at: RunningServer.now.advanced(by: -60))
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/changes?range=week").text
            #expect(page.contains("Changed schedules") && page.contains("Two"))
        }
    }

    @Test func settingsAreChangedInTheFileWithItsComments() async throws {
        let text = "# Ours.\nretention: 5 d # days\n\n#refresh: \"30 3 * * *\"\n# The end.\n"
        try await AdminServer.run(try ServedGuide(), settings: text) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/settings").text
            #expect(page.contains("value=\"5 d\"") && page.contains("name=\"refresh\""))
            let saved = try await client.post(
                "/admin/settings", ["refresh": "15 4 * * *", "retention": "9 d", "zone": ""])
            #expect(saved.status == 303)
            #expect(
                try String(contentsOfFile: server.settingsPath, encoding: .utf8)
                    == "# Ours.\nretention: 9 d # days\n\n#refresh: \"30 3 * * *\"\nrefresh: \"15 4 * * *\"\n# The end.\n"
            )
            let invalid = try await client.post(
                "/admin/settings", ["refresh": "at midnight", "retention": "9 d", "zone": "Mars"])
            #expect(invalid.status == 422)
            #expect(
                try String(contentsOfFile: server.settingsPath, encoding: .utf8).contains("refresh: \"15 4 * * *\""))
            _ = try await client.post("/admin/settings", ["refresh": "", "retention": "9 d", "zone": ""])
            #expect(
                try String(contentsOfFile: server.settingsPath, encoding: .utf8)
                    == "# Ours.\nretention: 9 d # days\n\n#refresh: \"30 3 * * *\"\n#refresh: \"15 4 * * *\"\n# The end.\n"
            )
        }
    }

    @Test func settingsFileIsCreatedIfThereIsNone() async throws {
        try await AdminServer.run(try ServedGuide()) { server in
            var client = try await server.loggedIn()
            _ = try await client.post("/admin/settings", ["refresh": "@daily", "retention": "", "zone": ""])
            let path = server.guide.folder + "/.config/epg/epg.yml"
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "refresh: \"@daily\"\n")
        }
    }

    /// `.config` is a file here. In packages, the settings file belongs to root.
    @Test func settingsThatCannotBeChangedSayWhereTheyAre() async throws {
        let guide = try ServedGuide()
        try Data().write(to: URL(filePath: guide.folder + "/.config"))
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/settings").text
            #expect(page.contains("\(server.guide.folder)/.config/epg/epg.yml, which the service has no permission"))
            #expect(!page.contains(">Save<") && page.contains("disabled"))
            let response = try await client.post("/admin/settings", ["refresh": "@daily"])
            #expect(response.status == 422)
            #expect(response.text.contains("cannot"))
        }
    }

    // MARK: - Refreshes

    @Test func refreshIsRequestedAndItsStepsAreShown() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            #expect(try await client.post("/admin/refresh", ["name": "east"]).status == 303)
            #expect(try await client.get("/admin/refresh").text.contains("begins in a moment"))
            #expect(server.requests.begin(at: RunningServer.now))
            #expect(server.requests.current?.names == ["east"])
            server.requests.record(
                RefreshState.Step(source: "east", kind: .fetching, byteCount: 5_000_000, total: 10_000_000))
            let running = try await client.get("/admin/refresh")
            #expect(running["refresh"] == "2")
            #expect(running.text.contains("downloading, 5000 kB") && running.text.contains("value=\"50\""))
            #expect(try await client.post("/admin/refresh/cancel", [:]).status == 303)
            #expect(server.requests.isCancelled)
            server.requests.record(
                RefreshState.Step(source: "east", kind: .failed, detail: "The server <b>is</b> away."))
            server.requests.end(at: RunningServer.now, failure: nil)
            let ended = try await client.get("/admin/refresh")
            #expect(ended["refresh"] == nil)
            #expect(ended.text.contains("The server &lt;b&gt;is&lt;/b&gt; away."))
        }
    }
}
