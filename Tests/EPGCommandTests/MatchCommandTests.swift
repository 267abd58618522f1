import Foundation
import TestSupport
import Testing

/// Tests of `epg match --suggest` and `--accept-above`.
@Suite struct MatchCommandTests {
    /// A guide, and a playlist with one similar name, one name of two stations, and one name of another country.
    private static func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
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
        #expect(try sandbox.epg("import", guide, playlist).status == 0)
        return sandbox
    }

    private static let orchard = "UK: Orchard House and Home Improvements Extra"

    @Test func nameWithQualityFindsStationWithoutIdentifier() throws {
        let run = try Self.sandbox().epg("match", "PTV News (1080p)")
        #expect(run.output.contains("ptv.us (PTV News), by name, any quality"))
        #expect(run.output.contains("same words: ptv news; different qualities"))
    }

    @Test func suggestionsListOnlyChannelsWithoutStation() throws {
        let sandbox = try Self.sandbox()
        let run = try sandbox.epg("match", "--suggest", environment: ["COLUMNS": "250"])
        #expect(run.status == 0)
        #expect(run.output.contains("1 of 5 channels show a station: 1 by name, any quality."))
        #expect(run.output.contains("orchard.uk (Orchard House and Home Improvement)"))
        #expect(run.output.contains("Nothing Alike"))
        #expect(!run.output.contains("PTV News (1080p)") && !run.output.contains("same words"))
        let explained = try sandbox.epg("match", "--suggest", "--explain", environment: ["COLUMNS": "250"]).output
        #expect(explained.contains("only in the channel: extra"))
        #expect(explained.contains("different countries: de, not fr"))
        #expect(!explained.contains("PTV News (1080p)"))
        #expect(try sandbox.epg("match", "--suggest", "Nothing Alike").output.contains("Nothing Alike"))
    }

    @Test func suggestionsHaveScoresAndEvidenceInJSON() throws {
        let reports = try Self.sandbox().epg("match", "--suggest", "--json").json(as: [[String: Any]].self)
        let channels = try #require(reports.first?["channels"] as? [[String: Any]])
        #expect(channels.count == 4)
        let orchard = try #require((channels[0]["suggestions"] as? [[String: Any]])?.first)
        #expect(Set(orchard.keys) == ["station", "name", "score", "contradicted", "evidence"])
        #expect(orchard["station"] as? String == "orchard.uk")
        #expect(orchard["contradicted"] as? Bool == false)
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
        #expect(accepted.first?["key"] as? String == Self.orchard)
        #expect(accepted.first?["entries"] as? Int == 1)
        #expect(run["unmatched"] as? Int == 3)
        #expect(try sandbox.epg("match", Self.orchard).output.contains("by your mapping"))
        #expect(try sandbox.epg("match", "--remove", Self.orchard).status == 0)
        #expect(try sandbox.epg("match", "--accept-above", "0.7", "--explain").output.contains("Mapped 1 channel:"))
    }

    @Test func suggestionsBelowScoreAreNotAccepted() throws {
        let sandbox = try Self.sandbox()
        let run = try sandbox.epg("match", "--accept-above", "1")
        #expect(run.status == 0)
        #expect(
            run.output.contains("No channel without a station has a clear suggestion with a score of at least 1.0."))
        #expect(run.output.contains("4 channels have no station"))
    }

    @Test func mappingToMissingStationIsNotReplaced() throws {
        let sandbox = try Self.sandbox()
        let other = try sandbox.write("<tv><channel id=\"later\"/></tv>", to: "other.xml")
        #expect(try sandbox.epg("import", other, "--source", "other").status == 0)
        #expect(try sandbox.epg("match", Self.orchard, "later").status == 0)
        #expect(try sandbox.epg("source", "remove", "other").status == 0)
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
        #expect(run.status == 64)
    }
}
