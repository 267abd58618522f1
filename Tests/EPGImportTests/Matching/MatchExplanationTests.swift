import EPGImport
import EPGModel
import TestSupport
import Testing

/// Explanations of matches and near misses.
@Suite struct MatchExplanationTests {
    private static let stations = [
        station("bbcone.uk", "BBC One"), station("bbctwo.uk", "BBC Two"), station("bbcnews.uk", "BBC News"),
        station("Discovery.us@East", "Discovery Channel"), station("Discovery.us@West", "Discovery Channel West"),
        station("rai1.it", "Rai 1"), station("cctv5plus", "CCTV-5+ 体育赛事"),
    ]

    private static func station(_ id: String, _ name: String) -> Station {
        Station(id: StationID(id), displayNames: [LocalizedText(name)])
    }

    private func explain(_ channel: Channel, mappings: [String: StationID] = [:]) -> MatchExplanation {
        MatchExplainer(channels: [channel], stations: Self.stations, mappings: mappings).explain(channel)
    }

    @Test func everyRuleHasAVerdict() {
        let channel = Channel(name: "BBC Two", guideID: "BBCOne.uk", url: "x")
        let explanation = explain(channel)
        expectEqual(explanation.outcome, .matched(ChannelMatch(station: StationID("bbcone.uk"), rule: .foldedID)))
        expectEqual(
            explanation.verdicts.map { $0.result },
            [
                .notApplicable, .none, .one(StationID("bbcone.uk")), .one(StationID("bbcone.uk")),
                .one(StationID("bbctwo.uk")), .one(StationID("bbctwo.uk")),
                // The name and the identifier are similar to different stations.
                .several([StationID("bbcone.uk"), StationID("bbctwo.uk")], count: 2, channels: 1), .notApplicable,
                .notApplicable,
            ])
        expectEqual(explanation.key, "BBCOne.uk")
        expectEmpty(explanation.suggestions)
    }

    @Test(
        arguments: [
            ("BBC Two", "bbcone.uk", true), ("Rai 4K", "rai1.it", true), ("Rai 1 4K", "rai1.it", false),
            ("UK: BBC One FHD", "bbcone.uk", false), ("CCTV5+", "cctv5plus", false), ("News 24", "bbcnews.uk", false),
        ] as [(String, String, Bool)])
    func identifierThatContradictsTheNameIsDoubtful(name: String, id: String, isDoubtful: Bool) {
        let explanation = explain(Channel(name: name, guideID: id, url: "x"))
        expectEqual(explanation.outcome.match?.rule, .exactID)
        expectEqual(explanation.isDoubtful, isDoubtful)
        expectEqual(explanation.basis != nil, isDoubtful)
    }

    /// For eight times the channels and stations, quadratic work takes 64 times as long.
    @Test func longNamesAreMatchedInNearlyLinearTime() {
        func seconds(_ count: Int) -> Double {
            var random = SeededGenerator(seed: 15)
            let names = (0..<2 * count).map { _ in
                (0..<20).map { _ in "word\(Int.random(in: 0..<400, using: &random))x" }.joined(separator: " ")
            }
            let stations = names.prefix(count).enumerated().map { Self.station("s\($0)", $1) }
            let channels = names.suffix(count).map { Channel(name: $0, url: "x") }
            return ProcessorTime.seconds {
                _ = StationMatcher().matches(of: channels, among: stations, mappings: [:])
            }
        }
        let (few, many) = (seconds(125), seconds(1000))
        #expect(many < 24 * max(few, 0.001))
    }

    @Test func ambiguousResultNamesStations() {
        let explanation = explain(Channel(name: "x", guideID: "discovery.us", url: "x"))
        let both = [StationID("Discovery.us@East"), StationID("Discovery.us@West")]
        expectEqual(explanation.outcome, .ambiguous(.feedlessID))
        expectEqual(explanation.verdicts[3].result, .several(both, count: 2, channels: 1))
        expectEqual(explanation.suggestions.prefix(2).map(\.station), both)
    }

    @Test func mappingToMissingStationIsReported() {
        let explanation = explain(
            Channel(name: "BBC One", url: "x"), mappings: ["BBC One": StationID("gone")])
        expectEqual(explanation.outcome, .missing(StationID("gone")))
    }

    @Test func numberSharedByChannelsIsReported() {
        let channels = (0..<3).map { _ in Channel(name: "x", number: ChannelNumber("7"), url: "x") }
        let stations = [Station(id: StationID("a"), number: ChannelNumber("7"))]
        let explanation = MatchExplainer(channels: channels, stations: stations, mappings: [:]).explain(channels[0])
        expectEqual(explanation.outcome, .ambiguous(.number))
        expectEqual(explanation.verdicts[7].result, .several([StationID("a")], count: 1, channels: 3))
    }

    @Test(arguments: [
        ("BBC Oen", "bbcone.uk"), ("UK: BBC Two Wales FHD", "bbctwo.uk"), ("Rai HD [IT]", "rai1.it"),
        ("CCTV5+ 星光", "cctv5plus"),
    ])
    func nearestComesFirstRegardlessOfQualityAndCountry(_ name: String, _ nearest: String) {
        let explanation = explain(Channel(name: name, url: "x"))
        expectEqual(explanation.outcome, .unmatched)
        expectEqual(explanation.suggestions.first?.station, StationID(nearest))
    }

    @Test(arguments: [
        ("BBC 1 HD", "bbcone.uk"), ("UK: BBC One FHD", "bbcone.uk"), ("Rai 1 HD [IT]", "rai1.it"),
        ("UK | bbc-one 4K HEVC", "bbcone.uk"),
    ])
    func scoreIsOneIfOnlyQualityAndCountryDiffer(_ name: String, _ station: String) {
        let explanation = explain(Channel(name: name, url: "x"))
        expectEqual(explanation.outcome, .matched(ChannelMatch(station: StationID(station), rule: .plainName)))
        expectEqual(explanation.basis?.score, 1)
    }

    @Test func evidenceNamesWordsCountriesNumbersAndShifts() {
        let suggestion = explain(Channel(name: "US: BBC Two +1", url: "x")).suggestions.first
        expectEqual(suggestion?.station, StationID("bbctwo.uk"))
        expectEqual(
            suggestion?.evidence,
            [
                .sameWords(["bbc", "two"]), .differentShifts(channel: 1, station: 0),
                .differentCountries(channel: ["us"], station: ["uk"]),
            ])
        expectEqual(suggestion?.isContradicted, true)
        let numbers = explain(Channel(name: "IT: Rai 2", url: "x")).suggestions.first
        expectEqual(
            numbers?.evidence,
            [
                .sameWords(["rai"]), .onlyInChannel(["2"]), .onlyInStation(["1"]),
                .differentNumbers(channel: ["2"], station: ["1"]), .sameCountry(["it"]),
            ])
        #expect((numbers?.score ?? 1) <= 0.5)
    }

    @Test func onlyClearSuggestionsAreAccepted() {
        let clear = explain(Channel(name: "UK: BBC Two Wales", url: "x"))
        expectEqual(clear.suggestion(above: 0.5)?.station, StationID("bbctwo.uk"))
        expectEqual(clear.suggestion(above: 0.99), nil)
        // Several stations have the same score, or a number contradicts.
        expectEqual(explain(Channel(name: "BBC", url: "x")).suggestion(above: 0.1), nil)
        expectEqual(explain(Channel(name: "Rai 2", url: "x")).suggestion(above: 0.1), nil)
    }

    @Test func unmatchedChannelHasAtMostFiveSuggestions() {
        let stations = (0..<50).map { Self.station("s\($0)", "Sport HD") }
        let channel = Channel(name: "Sport", url: "x")
        let explanation = MatchExplainer(channels: [channel], stations: stations, mappings: [:]).explain(channel)
        expectEqual(explanation.outcome, .ambiguous(.plainName))
        expectEqual(explanation.suggestions.map(\.station.rawValue), ["s0", "s1", "s2", "s3", "s4"])
        // A dissimilar name has none.
        expectEmpty(explain(Channel(name: "Zyxwvu", url: "x")).suggestions)
    }

    /// If many stations have the same name, the matcher must not examine all of them for each channel.
    @Test(.timeLimit(.minutes(1))) func manyEqualNamesAreMatchedInBoundedTime() {
        let stations = (0..<5000).map { Self.station("s\($0)", "Sport") }
        let channels = (0..<2000).map { Channel(name: "Sport \($0)", url: "x") }
        let matches = StationMatcher().matches(of: channels, among: stations, mappings: [:])
        #expect(matches.allSatisfy { $0 == nil })
        let explainer = MatchExplainer(channels: channels, stations: stations, mappings: [:])
        for channel in channels.prefix(20) { expectEqual(explainer.explain(channel).suggestions.count, 5) }
    }

    @Test(.timeLimit(.minutes(1))) func thousandsOfNamesAreMatchedInBoundedTime() {
        let kinds = ["News", "Sport", "Movies", "Kids"]
        let stations = (0..<4000).map {
            Self.station("s\($0)", "Network\($0 / 40) \(kinds[$0 % 4]) \($0 % 40 / 4 + 1)")
        }
        let channels = stations.reversed().map {
            Channel(name: "UK: \($0.name.replacing("News", with: "Newsx")) FHD", url: "x")
        }
        let matches = StationMatcher().matches(of: channels, among: stations, mappings: [:])
        for (station, match) in zip(stations.reversed(), matches) {
            expectEqual(match?.station, station.name.contains("News") ? nil : station.id)
        }
    }

    /// Unicode libraries sort long runs of accents in quadratic time.
    @Test(.timeLimit(.minutes(1))) func hugeNamesAreNotCompared() {
        let name = "a" + String(repeating: "\u{301}\u{323}", count: 200_000)
        let channel = Channel(name: name, guideID: name + "b", url: "x")
        let stations = [Self.station(name, name), Self.station("a", "a")]
        expectEqual(StationMatcher().matches(of: [channel], among: stations, mappings: [:]), [nil])
        expectEmpty(MatchExplainer(channels: [channel], stations: stations, mappings: [:]).explain(channel).suggestions)
    }
}
