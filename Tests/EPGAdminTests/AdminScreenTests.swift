import EPGAccess
import EPGConfig
import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import Testing

@testable import EPGAdmin
@testable import epgd
@testable import ServiceTestSupport

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
            expectText(
                page, contains: ["Harbour Televison", "value=\"harbour.example\"", "2 of 4 channels show a station."])
            let mapped = try await client.post(
                "/admin/matching",
                ["key": "Harbour Televison", "station": "harbour.example", "back": "/admin/matching?show=unmatched#m0"])
            expectResponse(mapped, headers: ["location": "/admin/matching?show=unmatched#m0"])
            expectEqual(try match("Harbour Televison", server), "harbour.example")
            let after = try await client.get("/admin/matching").text
            expectText(after, contains: ["now shows Harbour Television Network", "Undo"])
            expectResponse(try await client.post("/admin/undo", [:]), 303)
            expectEqual(try match("Harbour Televison", server), nil)
            expectEqual(try server.read { try $0.mappings() }, [:])
        }
    }

    @Test func currentProgrammesAreBesideTheStations() async throws {
        let guide = try guide()
        try guide.write {
            try $0.setMapping(
                "Zzyzx", to: StationID("two.example"), matcher: StationMatcher(), now: ServedGuide.imported)
        }
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            // A suggestion, the station of a mapping, and a station whose listings are over.
            for (filter, line) in [
                (
                    "show=unmatched&q=televison",
                    "<span dir=\"auto\">Harbour Television Network</span><span class=\"a-on-now\""
                ),
                ("show=mapped", "Shows Two, by your mapping.</p><span class=\"a-on-now\""),
            ] {
                let page = try await client.get("/admin/matching?\(filter)").text
                expectText(page, contains: [line + " dir=\"auto\">On now: T, 18:00–19:00</span>"], filter)
            }
        }
        let later = Self.programme("harbour.example").replacing("20261024180000", with: "20261024200000")
            .replacing("20261024190000", with: "20261024210000")
        let quiet = try ServedGuide(
            "<channel id=\"harbour.example\"><display-name>Harbour Television Network</display-name></channel>" + later)
        try quiet.importPlaylist(Self.playlist, named: "home")
        try await AdminServer.run(quiet) { server in
            var client = try await server.loggedIn()
            expectResponse(
                try await client.get("/admin/matching?q=televison"), contains: ["Nothing on now"], lacks: ["On now: "])
        }
    }

    @Test func selectedChannelsAreMappedHiddenAndRestored() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/matching?select=all").text
            expectEqual(page.matches(of: /name="row" value="\d" form="selection" checked/).count, 2)
            let fields: KeyValuePairs = [
                "row": "0", "row": "1", "key0": "Harbour Televison", "station0": "harbour.example", "lineup0": "home",
                "key1": "Zzyzx", "lineup1": "home", "action": "accept", "back": "/admin/matching?show=all",
            ]
            let mapped = try await client.post("/admin/matching/selected", fields)
            expectResponse(mapped, 303, headers: ["location": "/admin/matching?show=all"])
            expectEqual(try server.read { try $0.mappings() }, ["Harbour Televison": StationID("harbour.example")])
            expectResponse(
                try await client.get("/admin/matching"),
                contains: ["class=\"state toast\" role=\"status\"><span>Mapped 1 channel.</span>", ">Undo</button>"])
            _ = try await client.post(
                "/admin/matching/selected", ["row": "0", "key0": "Harbour Televison", "action": "remove"])
            expectEqual(try server.read { try $0.mappings() }, [:])
            _ = try await client.post("/admin/undo", ["back": "/admin/matching"])
            expectEqual(try server.read { try $0.mappings() }, ["Harbour Televison": StationID("harbour.example")])

            func hidden() throws -> [String] {
                try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels.filter(\.isHidden)
                    .map(\.name)
            }
            _ = try await client.post(
                "/admin/matching/selected",
                [
                    "row": "0", "row": "1", "key0": "two.example", "lineup0": "home", "key1": "Zzyzx",
                    "lineup1": "home",
                    "action": "hide",
                ])
            expectEqual(try hidden(), ["Two", "Zzyzx"])
            expectResponse(try await client.get("/admin/matching"), contains: ["Undo: the change of “home”"])
            _ = try await client.post("/admin/undo", [:])
            expectEqual(try hidden(), [])

            let refusals: [(KeyValuePairs<String, String>, String)] = [
                (["action": "hide"], "Select at least one channel."),
                (["row": "1", "key1": "Zzyzx", "action": "accept"], "None of the selected channels has a suggestion."),
                (["row": "1", "key1": "Zzyzx", "station1": "gone", "action": "accept"], "There is no station “gone”"),
                (["row": "1", "key1": "Zzyzx", "action": "burn"], "Choose what to do"),
            ]
            for (fields, message) in refusals {
                _ = try await client.post("/admin/matching/selected", fields)
                expectResponse(try await client.get("/admin/matching"), contains: [message, "role=\"alert\""], message)
            }
        }
    }

    @Test func anotherStationIsNamedByIdentifierOrName() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "harbour television network"])
            expectEqual(try match("Zzyzx", server), "harbour.example")
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "two.example"])
            expectEqual(try match("Zzyzx", server), "two.example")
            // Undoing restores the mapping before.
            _ = try await client.post("/admin/undo", [:])
            expectEqual(try match("Zzyzx", server), "harbour.example")
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "Twoo"])
            let page = try await client.get("/admin/matching").text
            expectText(page, contains: ["There is no station “Twoo”. Did you mean"])
            expectEqual(try match("Zzyzx", server), "harbour.example")
            // Blanks are no station, and remove nothing.
            for fields: KeyValuePairs<String, String> in [["key": "Zzyzx"], ["key": "Zzyzx", "other": "  "]] {
                _ = try await client.post("/admin/matching", fields)
                expectEqual(try match("Zzyzx", server), "harbour.example")
                expectResponse(try await client.get("/admin/matching"), contains: ["Enter the identifier"])
            }
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "action": "remove"])
            expectEqual(try match("Zzyzx", server), nil)
        }
    }

    @Test func clearSuggestionsAboveAScoreAreAcceptedTogether() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            expectResponse(try await client.get("/admin/matching/accept?score=1"), contains: ["None of these channels"])
            let review = try await client.get("/admin/matching/accept?score=0.5").text
            expectText(
                review,
                contains: ["1 channel of this view has a clear suggestion", "Harbour Televison", "Map 1 channel"])
            expectEqual(try server.read { try $0.mappings() }, [:])
            // Another number than the page's: the guide has changed in the meantime.
            _ = try await client.post("/admin/matching/accept", ["score": "0.5", "count": "2"])
            expectEqual(try server.read { try $0.mappings() }, [:])
            expectResponse(try await client.get("/admin/matching"), contains: ["have changed in the meantime"])
            _ = try await client.post("/admin/matching/accept", ["score": "0.5", "count": "1"])
            expectEqual(try server.read { try $0.mappings() }, ["Harbour Televison": StationID("harbour.example")])
            _ = try await client.post("/admin/undo", [:])
            expectEqual(try server.read { try $0.mappings() }, [:])
            for score in ["0.4", "1.1", "x", ""] {
                expectResponse(try await client.post("/admin/matching/accept", ["score": score]), 422)
                expectResponse(try await client.get("/admin/matching/accept?score=\(score)"), 422)
            }
        }
    }

    @Test func acceptedSuggestionsAreThoseOfTheFilter() async throws {
        let guide = try ServedGuide(
            """
            <channel id="harbour.example"><display-name>Harbour Television Network</display-name></channel>
            <channel id="meridian.example"><display-name>Meridian Drama Network</display-name></channel>
            """ + ["harbour.example", "meridian.example"].map(Self.programme).joined())
        let names = ["Harbour Televison", "Meridian Dramma"]
        try guide.importPlaylist(
            Array(("#EXTM3U\n" + names.map { "#EXTINF:-1,\($0)\nhttp://a.example/\n" }.joined()).utf8), named: "home")
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            expectResponse(try await client.get("/admin/matching/accept?score=0.5"), contains: ["Map 2 channels"])
            let review = try await client.get("/admin/matching/accept?score=0.5&q=dramma").text
            expectText(review, contains: ["Map 1 channel<", "name=\"q\" value=\"dramma\""])
            _ = try await client.post("/admin/matching/accept", ["score": "0.5", "q": "dramma", "count": "1"])
            expectEqual(try server.read { try $0.mappings() }, ["Meridian Dramma": StationID("meridian.example")])
            // The list of channels with a station has nothing to accept.
            expectResponse(try await client.get("/admin/matching?show=matched"), lacks: ["Review and accept"])
        }
    }

    @Test func undoRestoresShiftsAndStaysOffered() async throws {
        let guide = try guide()
        let now = ServedGuide.imported
        try guide.write { store in
            try store.setMapping("Zzyzx", to: StationID("two.example"), matcher: StationMatcher(), now: now)
            try store.setShift(ofMapping: "Zzyzx", to: 3600, matcher: StationMatcher(), now: now)
        }
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "action": "remove"])
            expectEqual(try server.read { try $0.mappings() }, [:])
            _ = try await client.post("/admin/matching", ["key": "Harbour Televison", "other": "harbour.example"])
            // It is offered on each later view of the page.
            for _ in 1...3 {
                expectResponse(
                    try await client.get("/admin/matching?show=all"),
                    contains: ["Undo: the mapping of “Harbour Televison”"])
            }
            _ = try await client.post("/admin/undo", [:])
            expectEqual(try server.read { try $0.mappings() }, [:])
            expectResponse(try await client.get("/admin/matching"), contains: ["Undo: the mapping of “Zzyzx”"])
            _ = try await client.post("/admin/undo", [:])
            expectEqual(try server.read { try $0.mappings() }, ["Zzyzx": StationID("two.example")])
            expectEqual(try server.read { try $0.mappingShifts() }, ["Zzyzx": 3600])
            expectResponse(try await client.get("/admin/matching"), lacks: ["Undo: "])
        }
    }

    @Test func undoKeepsLaterChangesOfOthers() async throws {
        let guide = try guide()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let review = try await client.get("/admin/matching/accept?score=0.5").text
            expectText(review, contains: ["Map 1 channel"])
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "one.example"])
            var other = try await server.loggedIn()
            _ = try await other.post("/admin/matching", ["key": "Zzyzx", "other": "two.example"])
            // The change is no longer valid.
            expectResponse(try await client.get("/admin/matching"), lacks: ["Undo: "])
            _ = try await client.post("/admin/undo", [:])
            expectEqual(try server.read { try $0.mappings() }, ["Zzyzx": StationID("two.example")])
            // The shift of a mapping is a change, too.
            _ = try await client.post("/admin/matching", ["key": "Zzyzx", "other": "one.example"])
            try guide.write {
                try $0.setShift(
                    ofMapping: "Zzyzx", to: 60, matcher: StationMatcher(), now: ServedGuide.imported)
            }
            _ = try await client.post("/admin/undo", [:])
            expectEqual(try server.read { try $0.mappings() }, ["Zzyzx": StationID("one.example")])
        }
    }

    @Test func filterSelectsChannels() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let all = try await client.get("/admin/matching?show=all").text
            for name in ["One HD", "Two", "Harbour Televison", "Zzyzx"] { expectText(all, contains: [name]) }
            // The overview says that a channel can be hidden.
            expectText(all, contains: ["hide it in its <a href=\"/admin/lineups\">lineup</a>"])
            let some = try await client.get("/admin/matching?show=all&q=one+hd").text
            expectText(some, contains: ["One HD"], lacks: ["Zzyzx"])
            let matched = try await client.get("/admin/matching?show=matched").text
            expectText(matched, contains: ["One HD"], lacks: ["Zzyzx"])
        }
    }

    @Test func returnPathIsThatOfTheScreenOnly() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            for back in ["https://evil.example", "//evil.example", "/admin/matchingx", "/admin"] {
                let response = try await client.post(
                    "/admin/matching", ["key": "Zzyzx", "station": "two.example", "back": back])
                expectResponse(response, headers: ["location": "/admin/matching"])
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
            expectResponse(try await client.get("/admin"), contains: ["home</a>: 2 of 4 channels matched"])
            expectResponse(try await change(&client), 303)
            // A channel that is hidden need not be matched.
            expectResponse(try await client.get("/admin"), contains: ["home</a>: 1 of 3 channels matched"])
            let lineup = try #require(try server.read { try $0.lineup(named: "home") })
            expectEqual(lineup.lineup.channels[0].number, ChannelNumber("7.1"))
            expectEqual(lineup.lineup.channels[0].groups, ["News", "Local"])
            expectEqual(lineup.matches[1], nil)
            #expect(lineup.lineup.channels[1].isHidden)
            let playlist = try await RawClient.get("/playlist.m3u", port: server.port).text
            expectText(
                playlist, contains: ["tvg-chno=\"7.1\"", "group-title=\"News;Local\""],
                lacks: ["streams.example/2", "epg-"])
            // The guide is sorted by the new number.
            let stations = try server.read { try $0.stations(inRows: 0..<9) }
            expectEqual(stations.first?.station.id, StationID("one.example"))
            expectEqual(stations.first?.channelNumber, ChannelNumber("7.1"))
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
            expectEqual(channels[0].number, ChannelNumber("7.1"))
            expectEqual(channels[0].groups, ["News", "Local"])
            #expect(channels[1].isHidden)
            // Restoring shows what the new list has.
            _ = try await client.post("/admin/lineup", ["name": "home", "action": "restore"])
            channels = try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels
            expectEqual(channels[0].number, ChannelNumber("100"))
            expectEqual(channels[0].groups, ["Other"])
            #expect(!channels[1].isHidden && channels.allSatisfy { !$0.isEdited })
        }
    }

    @Test func editsStayAfterAnError() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let response = try await client.post(
                "/admin/lineup",
                [
                    "name": "home", "action": "save", "channel": "0", "key0": "one.example", "number0": "7.1",
                    "groups0": "Local", "hidden0": "1", "channel": "1", "key1": "two.example", "number1": "seven",
                ])
            expectResponse(response, 422)
            for part in ["value=\"7.1\"", "value=\"Local\"", "value=\"seven\"", "name=\"hidden0\" value=\"1\" checked"]
            {
                expectResponse(response, contains: [part], "\(part)")
            }
        }
    }

    @Test func groupsAreNeverCutOff() async throws {
        // A playlist may have 64 groups per channel.
        let groups = (0..<60).map { "Group number \($0)" }
        let guide = try guide()
        let text = String(decoding: Self.playlist, as: UTF8.self)
            .replacing("group-title=\"Films;Kids\"", with: "group-title=\"\(groups.joined(separator: ";"))\"")
        try guide.importPlaylist(Array(text.utf8), named: "home")
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let shown = groups.joined(separator: "; ")
            let page = try await client.get("/admin/lineup?name=home").text
            expectText(page, contains: ["value=\"\(shown)\""], lacks: ["maxlength=\"400\""])
            let saved = try await client.post(
                "/admin/lineup",
                [
                    "name": "home", "action": "save", "channel": "1", "key1": "two.example", "number1": "5",
                    "groups1": shown,
                ])
            expectResponse(saved, 303)
            var channel = try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels[1]
            expectEqual(channel.groups, groups)
            expectEqual(channel.number, ChannelNumber("5"))
            let long = String(repeating: "a", count: 5000)
            let refused = try await client.post(
                "/admin/lineup",
                [
                    "name": "home", "action": "save", "channel": "1", "key1": "two.example", "number1": "6",
                    "groups1": long,
                ])
            expectResponse(refused, 422, contains: [long])
            channel = try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels[1]
            expectEqual(channel.groups, groups)
            expectEqual(channel.number, ChannelNumber("5"))
        }
    }

    private func names(_ server: AdminServer) throws -> [String] {
        try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels.map(\.name)
    }

    @Test func channelsAreMovedAndRestored() async throws {
        let guide = try guide()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/lineup?name=home").text
            expectText(
                page, contains: ["value=\"move:1:0\" aria-label=\"Move Two up\""],
                lacks: ["value=\"move:0:-1\"", "value=\"move:3:4\""])
            // The other edits of the page are saved, too.
            let moved = try await client.post(
                "/admin/lineup",
                [
                    "name": "home", "action": "move:0:2", "channel": "0", "key0": "one.example", "number0": "9",
                    "groups0": "News",
                ])
            expectResponse(moved, headers: ["location": "/admin/lineup?name=home#c2"])
            expectEqual(try names(server), ["Two", "Harbour Televison", "One HD", "Zzyzx"])
            // The rows of the guide have this order, and not the order of the numbers.
            let rows = try server.read { try $0.stations(inRows: 0..<2) }
            expectEqual(rows.map(\.station.id.rawValue), ["two.example", "one.example"])
            expectEqual(rows[1].channelNumber, ChannelNumber("9"))
            let playlist = try await RawClient.get("/playlist.m3u", port: server.port).text
            expectText(playlist, lacks: ["epg-list-place"])
            for move in ["move:0:9", "move:x:1", "move:9:0"] {
                let response = try await client.post("/admin/lineup", ["name": "home", "action": "\(move)"])
                #expect(move == "move:x:1" ? response.status == 303 : response.status == 409)
            }
            try guide.importPlaylist(Self.playlist, named: "home")
            expectEqual(try names(server), ["Two", "Harbour Televison", "One HD", "Zzyzx"])
            _ = try await client.post("/admin/lineup", ["name": "home", "action": "restore"])
            expectEqual(try names(server), ["One HD", "Two", "Harbour Televison", "Zzyzx"])
            let restored = try #require(try server.read { try $0.lineup(named: "home") }).lineup
            #expect(restored.channels.allSatisfy { $0.attributes.allSatisfy { !Channel.isEdit($0) } })
        }
    }

    @Test func filteredChannelMovesPastTheShownNeighbor() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            // One HD and Harbour Televison are in the group News.
            let page = try await client.get("/admin/lineup?name=home&q=news").text
            expectText(page, contains: ["value=\"move:2:0\""], lacks: ["value=\"move:2:1\""])
        }
    }

    @Test func hiddenChannelLeavesTheRowsOfTheLineup() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let before = try server.read { try $0.stations(inRows: 0..<9) }.map(\.station.id.rawValue)
            expectEqual(before, ["one.example", "two.example", "harbour.example"])
            _ = try await client.post(
                "/admin/lineup",
                [
                    "name": "home", "action": "save", "channel": "0", "key0": "one.example", "number0": "1",
                    "groups0": "News", "hidden0": "1",
                ])
            // Its station follows the stations of the lineup, without a number, as a station of no lineup.
            let after = try server.read { try $0.stations(inRows: 0..<9) }
            expectEqual(after.first?.station.id.rawValue, "two.example")
            expectEqual(after.filter { $0.station.id.rawValue == "one.example" }.map(\.channelNumber), [nil])
            expectResponse(try await RawClient.get("/playlist.m3u", port: server.port), lacks: ["One HD"])
        }
    }

    @Test func selectedChannelsAreHiddenShownAndMoved() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            func channels() throws -> [String] {
                try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels
                    .map { ($0.isHidden ? "(\($0.name))" : $0.name) }
            }
            let before = try channels()
            for (action, expected) in [
                ("hide", ["One HD", "(Two)", "Harbour Televison", "(Zzyzx)"]), ("show", before),
                ("top", ["Two", "Zzyzx", "One HD", "Harbour Televison"]),
            ] {
                let response = try await client.post(
                    "/admin/lineup", ["name": "home", "action": action, "selected": "1", "selected": "3"])
                expectResponse(response, 303, action)
                expectEqual(try channels(), expected, action)
            }
            // Undoing the last change brings back the order.
            expectResponse(try await client.get("/admin/lineup?name=home"), contains: ["Undo: the change of “home”"])
            _ = try await client.post("/admin/undo", ["back": "/admin/lineup?name=home"])
            expectEqual(try channels(), before)
            expectResponse(
                try await client.get("/admin/lineup?name=home"), contains: ["Undone: “home” is as before."])
            for (selected, status) in [("", 422), ("9", 409)] {
                let fields: KeyValuePairs = ["name": "home", "action": "hide", "selected": selected]
                expectEqual(try await client.post("/admin/lineup", fields).status, status)
            }
            expectEqual(try channels(), before)
        }
    }

    @Test func lineupThatSomebodyElseChangedIsNotRestored() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            var other = try await server.loggedIn()
            for (number, selected) in ["0", "1"].enumerated() {
                let fields: KeyValuePairs = ["name": "home", "action": "hide", "selected": selected]
                _ =
                    number == 0
                    ? try await client.post("/admin/lineup", fields) : try await other.post("/admin/lineup", fields)
            }
            expectResponse(try await client.get("/admin/lineup?name=home"), lacks: ["Undo: "])
            _ = try await client.post("/admin/undo", [:])
            expectEqual(
                try server.read { try $0.lineup(named: "home") }?.lineup.channels.map(\.isHidden),
                [true, true, false, false])
        }
    }

    @Test func channelsAreNumberedInOrder() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            _ = try await change(&client)
            _ = try await client.post("/admin/lineup", ["name": "home", "action": "number"])
            let channels = try #require(try server.read { try $0.lineup(named: "home") }).lineup.channels
            // Hidden channels keep their numbers.
            expectEqual(channels.map { $0.number?.description }, ["1", "2", "2", "3"])
        }
    }

    @Test func invalidNumberChangesNothing() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            let response = try await client.post(
                "/admin/lineup",
                ["name": "home", "action": "save", "channel": "0", "key0": "one.example", "number0": "seven"])
            expectResponse(response, 422, contains: ["“seven” is not a channel number"])
            let stale = try await client.post(
                "/admin/lineup", ["name": "home", "action": "save", "channel": "0", "key0": "other", "number0": "9"])
            expectResponse(stale, 409)
            expectEqual(
                try server.read { try $0.lineup(named: "home") }?.lineup.channels.contains { $0.isEdited }, false)
        }
    }

    @Test func lineupIsRemoved() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            expectResponse(try await client.get("/admin/lineups"), contains: ["home"])
            _ = try await client.post("/admin/lineup/remove", ["name": "home"])
            expectEqual(try server.read { try $0.lineups() }, [])
        }
    }

    // MARK: - Sources

    @Test func sourceShowsItsHealthWithProblemsByRule() async throws {
        let guide = try ServedGuide(bytes: ServedGuide.sample("evening.xml"), as: "evening")
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let overview = try await client.get("/admin").text
            expectText(overview, contains: ["failing (3 failures)", "not fetched yet"], lacks: ["secret"])
            let page = try await client.get("/admin/source?name=evening").text
            expectText(page, contains: ["overlapping airings (overlap)", "417"])
            let failing = try await client.get("/admin/source?name=east").text
            expectText(failing, contains: ["https://a.example/?…"], lacks: ["a.example/?key"])
            expectResponse(try await client.get("/admin/source?name=none"), 404)
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
            expectEqual(source.location, "https://a.example/?key=secret")
            expectEqual(source.interval, 43_200)
            expectEqual(source.timeZone, "Europe/Berlin")
            expectEqual(source.shift, -3600)
            expectEqual(source.encoding, "latin1")
            expectEqual(source.stations, ["a*", "b?"])
            for (field, value) in [
                ("zone", "Mars"), ("interval", "soon"), ("shift", "x"), ("encoding", "klingon"),
                ("location", "file:///a"),
            ] {
                let response = try await client.post("/admin/source", ["name": "east", "shift": "0", field: value])
                expectEqual(response.status, field == "shift" ? 303 : 422, "\(field)")
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
                expectEqual(sorted.map(\.name), names)
                expectEqual(Set(sources.map(\.priority)).count, 3)
            }
        }
    }

    @Test func sourceMovesToThePlaceOfAnotherOne() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try guide.write { store in
            for number in 0..<30 { try store.save(Source(name: "s\(number)"), now: ServedGuide.imported) }
        }
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin").text
            // Each name is in the form once.
            expectEqual(page.matches(of: /name="name" value="/).count, 33)
            expectText(page, contains: ["value=\"move:1:0\"", "value=\"move:0:1\""])
            let before = try server.read { try $0.sourceRecords() }.map(\.source)
            let moved = try await client.post(
                "/admin/priorities", ["name": "new", "name": "default", "name": "east", "action": "move:2:0"])
            expectResponse(moved, headers: ["location": "/admin#s0"])
            let sources = try server.read { try $0.sourceRecords() }.map(\.source)
            let sorted = sources.sorted { $0.priority > $1.priority }.map(\.name)
            expectEqual(sorted.filter { ["new", "default", "east"].contains($0) }, ["east", "new", "default"])
            _ = try await client.post("/admin/undo", [:])
            expectEqual(
                Dictionary(
                    uniqueKeysWithValues: try server.read { try $0.sourceRecords() }.map {
                        ($0.source.name, $0.source.priority)
                    }), Dictionary(uniqueKeysWithValues: before.map { ($0.name, $0.priority) }))
            expectResponse(try await client.post("/admin/priorities", ["name": "new", "action": "move:0:1"]), 422)
        }
    }

    @Test func invalidSettingsFileLeavesTheHealthOfSourcesVisible() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await AdminServer.run(guide, settings: "retention: many\n") { server in
            var client = try await server.loggedIn()
            for path in ["/admin", "/admin/source?name=east"] {
                let page = try await client.get(path)
                expectResponse(
                    page, 200, contains: ["The settings cannot be read", "retention", "failing (3 failures)"], "\(path)"
                )
            }
            // A change needs them, because they may define the source.
            expectResponse(try await client.post("/admin/source/remove", ["name": "east"]), 422)
        }
    }

    @Test func fixedPrioritiesStay() {
        let sources = [
            Source(name: "a", priority: 0), Source(name: "b", priority: 5), Source(name: "c", priority: 9),
            Source(name: "derived", priority: -1_000_000_000),
        ]
        let changed = SourceOrder(["a", "b", "c", "derived"]).priorities(of: sources, keeping: ["b"])
        // c moves below b, and a above it.
        expectEqual(changed.map(\.name), ["c", "a"])
        #expect(changed[0].priority < 5 && changed[1].priority > 5)
        #expect(SourceOrder(["c", "b", "a", "derived"]).priorities(of: sources, keeping: []).isEmpty)
        // Derived listings come last wherever they are moved, and no other source moves below them.
        #expect(SourceOrder(["c", "b", "derived", "a"]).priorities(of: sources, keeping: []).isEmpty)
    }

    @Test func sourceOfTheSettingsFileIsNotChanged() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        let settings = "sources:\n  - {name: east, url: 'https://a.example/?key=secret'}\n"
        try await AdminServer.run(guide, settings: settings) { server in
            var client = try await server.loggedIn()
            expectResponse(try await client.get("/admin/source?name=east"), contains: ["defines this source"])
            let before = try server.read { try $0.sourceRecords() }.map(\.source)
            expectResponse(try await client.post("/admin/source", ["name": "east", "shift": "1"]), 409)
            expectResponse(try await client.post("/admin/source/remove", ["name": "east"]), 409)
            _ = try await client.post("/admin/priorities", ["name": "east", "name": "default", "name": "new"])
            let after = try server.read { try $0.sourceRecords() }.map(\.source)
            expectEqual(after.first { $0.name == "east" }, before.first { $0.name == "east" })
        }
    }

    // MARK: - Changes and settings

    @Test func changesOfThePeriodAreListed() async throws {
        let guide = try guide()
        try guide.importGuide(
            ServedGuide.document(Self.programme("two.example").replacing(">T<", with: ">Another title<")),
            at: RunningServer.now.advanced(by: -60))
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/changes?range=week").text
            expectText(
                page, contains: ["Changed schedules", "Two", "/admin/changes?range=week&amp;station=two.example"])
            let station = try await client.get("/admin/changes?range=hour&station=two.example").text
            expectText(
                station, contains: ["Changes of Two", "<td dir=\"auto\">Another title</td>", "Sat 24 Oct 2026, 18:00"])
            expectResponse(try await client.get("/admin/changes?station=none"), 404)
        }
    }

    @Test func settingsAreStoredInTheDatabaseAndOverriddenByTheFile() async throws {
        try await AdminServer.run(try ServedGuide(), settings: "retention: 5 d\n") { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/settings").text
            expectText(page, contains: ["value=\"5 d\"", "epg.yml:1, which takes precedence", "name=\"refresh\""])
            // A browser does not send a disabled field.
            let fields: KeyValuePairs = [
                "refresh": "15 4 * * *", "retention": "9 d", "zone": "", "private-hosts": "NAS.lan, 192.0.2.1",
            ]
            expectResponse(try await client.post("/admin/settings", fields), 303)
            expectEqual(
                try server.read { try $0.storedSettings() },
                ["refresh": ["15 4 * * *"], "private-hosts": ["NAS.lan", "192.0.2.1"]])
            expectEqual(server.operations.current.values.configuration.privateHosts, ["nas.lan", "192.0.2.1"])
            expectEqual(server.operations.current.values.times == nil, false)
            let invalid = try await client.post(
                "/admin/settings", ["refresh": "at midnight", "retention": "9 d", "zone": "Mars"])
            expectResponse(
                invalid, 422,
                contains: ["The cron expression &quot;at midnight&quot; has 2 fields instead of five;", "Mars"],
                lacks: ["database:"])
            expectEqual(try server.read { try $0.storedSettings()["refresh"] }, ["15 4 * * *"])
            _ = try await client.post("/admin/settings", ["refresh": "", "zone": "", "private-hosts": " , "])
            expectEqual(try server.read { try $0.storedSettings() }, [:])
            expectEqual(server.operations.current.values.times, nil)
            expectEqual(try String(contentsOfFile: server.settingsPath, encoding: .utf8), "retention: 5 d\n")
        }
    }

    /// Another version, or another machine with other zones, may have stored it.
    @Test func refusedSettingIsShownAndCanBeChanged() async throws {
        let guide = try ServedGuide()
        try guide.write { try $0.saveSetting("zone", to: ["Nowhere/Y"]) }
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            expectResponse(try await client.get("/admin/settings"), 200, contains: ["value=\"Nowhere/Y\""])
            expectResponse(try await client.post("/admin/settings", ["zone": "Europe/London"]), 303)
            expectEqual(try server.read { try $0.storedSettings() }, ["zone": ["Europe/London"]])
        }
    }

    @Test func timeZoneTakesEffectWithoutARestart() async throws {
        try await AdminServer.run(try ServedGuide(), followsZone: true) { server in
            func zone() async throws -> String {
                let text = try await RawClient.get(
                    "/api/v1/stations/harbour-one.example/schedule?day=2026-10-24", port: server.port
                ).text
                return String(text.firstMatch(of: /"zone": ?"([^"]+)"/)?.1 ?? "\(text.prefix(200))")
            }
            var client = try await server.loggedIn()
            _ = try await client.post("/admin/settings", ["zone": "Europe/London"])
            // The second response is prepared.
            for _ in 1...3 { expectEqual(try await zone(), "Europe/London") }
            _ = try await client.post("/admin/settings", ["zone": "Asia/Kathmandu"])
            expectEqual(try await zone(), "Asia/Kathmandu")
            // Another process changes the setting.
            try GuideDatabase(path: server.guide.path).write(waiting: .always) {
                try $0.saveSetting("zone", to: ["America/New_York"])
            }
            try await expectEventually { try await zone() == "America/New_York" }
        }
    }

    @Test func selectedTokensAreRevoked() async throws {
        try await AdminServer.run(
            try ServedGuide(), tokens: ["first token of a player": [.read], "second token of a player": [.read]]
        ) { server in
            var client = try await server.loggedIn()
            let names = try server.access.records().tokens.map(\.name)
            _ = try await client.post("/admin/access/token/revoke", [:])
            expectResponse(try await client.get("/admin/access"), contains: ["Select at least one token.", names[0]])
            _ = try await client.post("/admin/access/token/revoke", ["name": names[0], "name": names[1]])
            expectResponse(
                try await client.get("/admin/access"), contains: ["2 tokens are revoked.", "There are no tokens."])
            expectEqual(try server.access.records().tokens.count, 0)
        }
    }

    // MARK: - Refreshes

    @Test func selectedSourcesAreRefreshed() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            expectResponse(
                try await client.get("/admin?select=all"),
                contains: ["name=\"source\" value=\"east\" form=\"selection\" checked"],
                lacks: ["value=\"default\" form"])
            _ = try await client.post("/admin/refresh", ["selects": "1"])
            expectResponse(try await client.get("/admin"), contains: ["Select at least one source."])
            expectEqual(server.requests.shown.isRequested, false)
            _ = try await client.post("/admin/refresh", ["selects": "1", "source": "east", "source": "new"])
            expectEqual(
                server.requests.beginRequest(at: RunningServer.now),
                .request(sources: ["east", "new"], isForced: false))
        }
    }

    @Test func refreshIsRequestedAndItsStepsAreShown() async throws {
        let guide = try ServedGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            expectResponse(try await client.post("/admin/refresh", ["name": "east"]), 303)
            expectResponse(try await client.get("/admin/refresh"), contains: ["begins in a moment"])
            expectEqual(
                server.requests.beginRequest(at: RunningServer.now), .request(sources: ["east"], isForced: false))
            server.requests.record(
                RefreshState.Step(source: "east", kind: .fetching, byteCount: 5_000_000, total: 10_000_000))
            let running = try await client.get("/admin/refresh")
            // A header would reload the page with scripts, too.
            expectResponse(
                running, headers: ["refresh": nil],
                contains: [
                    "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>", "downloading, 5000 kB",
                    "value=\"50\"",
                ])
            expectResponse(try await client.post("/admin/refresh/cancel", [:]), 303)
            #expect(server.requests.isCancelled)
            server.requests.record(
                RefreshState.Step(source: "east", kind: .failed, detail: "The server <b>is</b> away."))
            server.requests.end(at: RunningServer.now, failure: nil)
            let ended = try await client.get("/admin/refresh")
            expectResponse(ended, contains: ["The server &lt;b&gt;is&lt;/b&gt; away."], lacks: ["http-equiv"])
        }
    }
}

@Suite struct SourceFieldsTests {
    /// Intervals in seconds; `nil` for invalid ones.
    @Test(
        arguments: [
            ("6h", 21_600), ("1d", 86_400), ("90", 90), ("30m", 1800), ("2w", 1_209_600), ("", nil), ("0", nil),
            ("-1", nil), ("6 h", nil), ("h", nil), ("11y", nil), ("99999999999999999999h", nil), ("400000000", nil),
        ] as [(String, Int64?)])
    func intervalIsThatOfTheCommandLine(text: String, seconds: Int64?) {
        expectEqual(SourceFields.interval(text), seconds)
        if let seconds { expectEqual(SourceFields.interval(SourceFields.text(ofInterval: seconds)), seconds) }
    }
}
