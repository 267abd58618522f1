import Foundation
import TestSupport
import Testing

/// Tests of `epg match --suggest` and `--accept-above`.
@Suite struct MatchCommandTests {
    /// A guide, and a playlist with one similar name, one name of two stations, and one name of another country.
    private static func sandbox() throws -> Sandbox {
        try Sandbox(named: "match", prepare: prepare)
    }

    private static func prepare(_ sandbox: Sandbox) throws {
        let stations = [
            ("ptv.us", "PTV News"), ("orchard.uk", "Orchard House and Home Improvement"),
            ("sport1.uk", "Albion Sport 1"),
            ("sport2.uk", "Albion Sport 2"), ("toons.fr", "Toonland"),
        ]
        let channels = stations.map { "<channel id=\"\($0)\"><display-name>\($1)</display-name></channel>" }
        let guide = try sandbox.write("<tv>\(channels.joined())</tv>", to: "guide.xml")
        let names = [
            "PTV News (1080p)", "UK: Orchard House and Home Improvements Extra", "UK: Albion Sport", "DE: Toonland",
            "Nothing Alike",
        ]
        let entries = names.map { "#EXTINF:-1,\($0)\nhttp://example.test/\n" }
        let playlist = try sandbox.write("#EXTM3U\n" + entries.joined(), to: "list.m3u")
        try sandbox.epg("import", guide, playlist).expect(0)
    }

    private static let orchard = "UK: Orchard House and Home Improvements Extra"

    @Test func nameWithQualityFindsStationWithoutIdentifier() throws {
        let run = try Self.sandbox().epg("match", "PTV News (1080p)")
        run.expect(outputContains: [
            "ptv.us (PTV News), by name, any quality", "same words: ptv news; different qualities",
        ])
    }

    @Test func suggestionsListOnlyChannelsWithoutStation() throws {
        let sandbox = try Self.sandbox()
        let run = try sandbox.epg("match", "--suggest", environment: ["COLUMNS": "250"])
        run.expect(
            0,
            outputContains: [
                "1 of 5 channels show a station: 1 by name, any quality.",
                "orchard.uk (Orchard House and Home Improvement)", "Nothing Alike",
            ], outputOmits: ["PTV News (1080p)", "same words"])
        try sandbox.epg("match", "--suggest", "--explain", environment: ["COLUMNS": "250"])
            .expect(
                outputContains: ["only in the channel: extra", "different countries: de, not fr"],
                outputOmits: ["PTV News (1080p)"])
        try sandbox.epg("match", "--suggest", "Nothing Alike").expect(outputContains: ["Nothing Alike"])
    }

    @Test func suggestionsHaveScoresAndEvidenceInJSON() throws {
        let reports = try Self.sandbox().epg("match", "--suggest", "--json").json(as: [[String: Any]].self)
        let channels = try #require(reports.first?["channels"] as? [[String: Any]])
        #expect(channels.count == 4)
        let orchard = try #require((channels[0]["suggestions"] as? [[String: Any]])?.first)
        #expect(Set(orchard.keys) == ["station", "name", "score", "contradicted", "evidence"])
        expectMembers(orchard, ["station": "orchard.uk", "contradicted": false])
        let evidence = try #require(orchard["evidence"] as? [[String: Any]])
        #expect(
            evidence.compactMap { $0["kind"] as? String } == [
                "sameWords", "similarWords", "onlyInChannel", "sameCountry",
            ])
        let toons = try #require((channels[2]["suggestions"] as? [[String: Any]])?.first)
        #expect(toons["contradicted"] as? Bool == true)
    }

    @Test func acceptedSuggestionsBecomeMappings() throws {
        let sandbox = try Self.sandbox()
        let run = try sandbox.epg("match", "--accept-above", "0.7", "--json").json(as: [String: Any].self)
        let accepted = try #require(run["accepted"] as? [[String: Any]])
        // The two sports stations tie, and Toonland is in another country.
        #expect(accepted.compactMap { $0["station"] as? String } == ["orchard.uk"])
        expectMembers(accepted.first, ["key": Self.orchard, "entries": 1])
        expectMembers(run, ["unmatched": 3])
        try sandbox.epg("match", Self.orchard).expect(outputContains: ["by your mapping"])
        try sandbox.epg("match", "--remove", Self.orchard).expect(0)
        try sandbox.epg("match", "--accept-above", "0.7", "--explain").expect(outputContains: ["Mapped 1 channel:"])
    }

    @Test func suggestionsBelowScoreAreNotAccepted() throws {
        let sandbox = try Self.sandbox()
        let run = try sandbox.epg("match", "--accept-above", "1")
        run.expect(
            0,
            outputContains: [
                "No channel without a station has a clear suggestion with a score of at least 1.0.",
                "4 channels have no station",
            ])
    }

    @Test func mappingToMissingStationIsNotReplaced() throws {
        let sandbox = try Self.sandbox()
        let other = try sandbox.write("<tv><channel id=\"later\"/></tv>", to: "other.xml")
        try sandbox.epg("import", other, "--source", "other").expect(0)
        try sandbox.epg("match", Self.orchard, "later").expect(0)
        try sandbox.epg("source", "remove", "other").expect(0)
        #expect(try sandbox.epg("match", "--accept-above", "0.7").output.hasPrefix("No channel"))
    }

    @Test(arguments: [
        ["--accept-above", "1.5"], ["--accept-above", "-1"], ["--accept-above", "much"],
        ["--accept-above", "0.9", "entry"],
        ["--accept-above", "0.9", "--remove", "entry"], ["--suggest", "--remove", "entry"],
        ["--suggest", "entry", "station"],
    ])
    func contradictoryOptionsAreRejected(arguments: [String]) throws {
        let run = try Sandbox().epg(["match"] + arguments)
        run.expect(64)
    }
}
