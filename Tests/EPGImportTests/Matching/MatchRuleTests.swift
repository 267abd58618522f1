import EPGImport
import EPGModel
import TestSupport
import Testing

/// The rules by which channels are matched with stations.
@Suite struct MatchRuleTests {
    /// `id | names | number` of stations and `name | tvg-id | tvg-name | number` of channels.
    struct Case: Sendable, CustomTestStringConvertible {
        let stations: [Station]
        let channels: [Channel]
        /// `station rule`, or `-`, for each channel.
        let expected: [String]
        let testDescription: String

        init(_ rule: String, stations: [String], channels: [String], _ expected: String...) {
            testDescription = rule
            self.stations = stations.map { text in
                let parts = Self.parts(text, 3)
                let names = parts[1].split(separator: "/").map { LocalizedText(String($0)) }
                return Station(id: StationID(parts[0]), displayNames: names, number: ChannelNumber(parts[2]))
            }
            self.channels = channels.map { text in
                let parts = Self.parts(text, 4)
                return Channel(
                    name: parts[0], number: ChannelNumber(parts[3]), guideID: parts[1].isEmpty ? nil : parts[1],
                    guideName: parts[2].isEmpty ? nil : parts[2], url: "http://e.test/")
            }
            self.expected = expected
        }

        private static func parts(_ text: String, _ count: Int) -> [String] {
            var parts = text.split(separator: "|", omittingEmptySubsequences: false).map {
                String($0.trimmingPrefix(while: { $0 == " " }).reversed().drop { $0 == " " }.reversed())
            }
            while parts.count < count { parts.append("") }
            return parts
        }
    }

    @Test(arguments: [
        Case(
            "exact", stations: ["one.uk", "ONE.UK"], channels: ["x|one.uk", "x|ONE.UK"], "one.uk exactID",
            "ONE.UK exactID"),
        Case("folded", stations: ["One.UK"], channels: ["x|oNE.uk"], "One.UK foldedID"),
        Case("feed of the channel", stations: ["cnn.us"], channels: ["x|CNN.us@SD"], "cnn.us feedlessID"),
        Case("feed of the station", stations: ["CNN.us@East"], channels: ["x|cnn.us"], "CNN.us@East feedlessID"),
        Case("feed of both", stations: ["CNN.us@HD"], channels: ["x|CNN.us@SD"], "CNN.us@HD feedlessID"),
        Case("a feed alone is not an identifier", stations: ["@HD"], channels: ["x|@SD"], "-"),
        Case("display name", stations: ["1|BBC One"], channels: ["bbc-one"], "1 name"),
        Case("any display name", stations: ["1|101/BBC1/BBC One"], channels: ["BBC_1"], "1 name"),
        Case("tvg-name", stations: ["1|BBC One"], channels: ["Something|| B.B.C. one"], "1 name"),
        Case("name is an identifier", stations: ["bbc.one"], channels: ["BBC ONE"], "bbc.one name"),
        Case("tvg-name is an identifier", stations: ["8|VTV Huế", "9|VTV"], channels: ["VTV Huế||8"], "8 name"),
        Case("tvg-name before name", stations: ["1|A", "2|B"], channels: ["A||B"], "2 name"),
        Case("name if tvg-name matches nothing", stations: ["1|A"], channels: ["A||C"], "1 name"),
        Case("accents in two spellings", stations: ["1|Tel\u{E9}"], channels: ["TELE\u{301}"], "1 name"),
        Case(
            "quality", stations: ["1|One"], channels: ["One HD", "One (1080p) [Geo-blocked]"], "1 plainName",
            "1 plainName"),
        Case(
            "country", stations: ["1|PTV News"], channels: ["US: PTV News", "[US] PTV News"], "1 plainName",
            "1 plainName"),
        Case("numerals", stations: ["1|PTV Two"], channels: ["PTV 2", "PTV II"], "1 plainName", "1 plainName"),
        Case("ampersand", stations: ["1|Arts & Crafts"], channels: ["Arts and Crafts"], "1 plainName"),
        Case(
            "topic after a number", stations: ["1|CCTV-1", "5|CCTV5", "6|CCTV-5+ 体育赛事", "4e|CCTV-4 欧洲"],
            channels: ["CCTV-1综合", "CCTV5 体育 HD", "CCTV-5+体育赛事", "CCTV-4 中文国际"], "1 plainName", "5 plainName",
            "6 name", "-"),
        Case(
            "quality joined to the name", stations: ["1|CCTV-1", "2|湖南卫视", "3|RTLHD"],
            channels: ["CCTV1HD", "湖南卫视高清", "CCTV-1综合HD", "RTL"], "1 plainName", "2 plainName", "1 plainName", "-"),
        Case("another number", stations: ["1|Sport 1", "2|Sport 2"], channels: ["Sport 3 HD", "Sport"], "-", "-"),
        Case("another shift", stations: ["1|PTV"], channels: ["PTV +1"], "-"),
        Case("shift", stations: ["1|PTV", "2|PTV +1"], channels: ["US: PTV+1"], "2 plainName"),
        Case("another country", stations: ["PTV.us|PTV"], channels: ["UK: PTV", "FR - PTV"], "-", "-"),
        Case(
            "country of the identifier", stations: ["a.uk|PTV", "a.us|PTV"], channels: ["US: PTV HD"], "a.us plainName"),
        Case("country of equal names", stations: ["a.uk|PTV", "a.us|PTV"], channels: ["PTV|b.us"], "a.us name"),
        Case(
            "stations of two qualities", stations: ["1|One", "2|One HD"],
            channels: ["UK: One", "UK: One FHD", "UK: One SD", "UK: One 4K"], "1 plainName", "2 plainName",
            "1 plainName",
            "-"),
        Case("misspelled", stations: ["1|Harbour Kitchen"], channels: ["Harbour Kichen"], "1 similarName"),
        Case(
            "another word", stations: ["1|Harbour Kitchen"], channels: ["Harbour Kitchen Extra", "Harbour"], "-", "-"),
        Case(
            "a word of the guide is not misspelled", stations: ["1|Harbour Action", "2|Auction"],
            channels: ["Harbour Auction"], "-"),
        Case("plural", stations: ["1|PTV Sport"], channels: ["PTV Sports"], "1 similarName"),
        Case(
            "two similar", stations: ["1|PTV Movies TV", "2|The PTV Movies"], channels: ["PTV Movies Channel"], "-"),
        Case("number", stations: ["a||7", "b||8"], channels: ["x|||7"], "a number"),
        Case("number by value", stations: ["a||007"], channels: ["x|||7"], "a number"),
        Case("another part of the number", stations: ["a||7.1"], channels: ["x|||7"], "-"),
        Case("number of two stations", stations: ["a||7", "b||7"], channels: ["x|||7"], "-"),
        Case("number of two channels", stations: ["a||7"], channels: ["x|||7", "y|||7"], "-", "-"),
        Case("nothing to compare", stations: ["a"], channels: ["-", "x"], "-", "-"),
        Case("no stations", stations: [], channels: ["a|b|c|7"], "-"),
    ])
    func eachRuleMatches(_ expected: Case) { check(expected) }

    @Test(
        .needs(.utf8proc),
        arguments: [
            // Full case folding (Unicode, CaseFolding.txt, status F).
            Case("folded ß", stations: ["Straße.de"], channels: ["x|STRASSE.DE"], "Straße.de foldedID"),
            Case("folded Σ", stations: ["ΣΑΣ.gr"], channels: ["x|σας.gr"], "ΣΑΣ.gr foldedID"),
            // NFKC: full width, ligature, superscript; no-break space and soft hyphen.
            Case("NFKC", stations: ["1|Ｔｖ５ ﬁlm²"], channels: ["TV5 FILM2"], "1 name"),
            Case("diacritics", stations: ["1|Telé Łódź"], channels: ["Tele Lodz"], "1 plainName"),
            Case("superscripts", stations: ["1|PTV"], channels: ["PTV ᴴᴰ"], "1 plainName"),
            Case("white space", stations: ["1|Ra\u{AD}i\u{A0}Uno"], channels: ["rai\u{3000}uno"], "1 name"),
        ])
    func nonASCIICharactersMatch(_ expected: Case) { check(expected) }

    @Test(arguments: [
        Case("exact before folded", stations: ["a.uk", "A.uk"], channels: ["x|a.uk"], "a.uk exactID"),
        Case("exact before name", stations: ["1|Two", "2|One"], channels: ["One|1"], "1 exactID"),
        Case("folded before feedless", stations: ["a.uk", "a.uk@HD"], channels: ["x|A.uk"], "a.uk foldedID"),
        Case("feedless before name", stations: ["a.uk", "b|x"], channels: ["x|a.uk@HD"], "a.uk feedlessID"),
        Case("name before plain name", stations: ["a|One", "b|One HD"], channels: ["One HD"], "b name"),
        Case(
            "plain name before similar name", stations: ["a|Sports", "b|Sport"], channels: ["Sport HD"], "b plainName"),
        Case(
            "similar name before number", stations: ["a|PTV Sport|2", "b|Two|1"], channels: ["PTV Sports|||1"],
            "a similarName"),
        Case("name before number", stations: ["a|One|2", "b|Two|1"], channels: ["One|||1"], "a name"),
    ])
    func strongerRulesTakePrecedence(_ expected: Case) { check(expected) }

    @Test(arguments: [
        Case("folded", stations: ["a.uk", "A.uk", "b|One"], channels: ["One|A.UK"], "-"),
        Case("feedless", stations: ["a.uk@HD", "a.uk@SD", "b|One"], channels: ["One|a.uk||7"], "-"),
        Case("feedless, one station without a feed", stations: ["a.uk@HD", "a.uk"], channels: ["One|a.uk@SD"], "-"),
        Case("name", stations: ["a|One", "b|ONE", "c||7"], channels: ["One|||7"], "-"),
        Case("name and identifier", stations: ["8|VTV", "9|8"], channels: ["x||8"], "-"),
        Case("tvg-name, even if the name matches", stations: ["a|One", "b|ONE", "c|Two"], channels: ["Two||One"], "-"),
        Case("but not one station by equal names", stations: ["one|One/ONE/o-n-e"], channels: ["One"], "one name"),
    ])
    func ambiguityEndsTheSearch(_ expected: Case) { check(expected) }

    @Test func mappingTakesPrecedenceByIdentifierOrName() {
        let stations = [Station(id: StationID("a")), Station(id: StationID("b"))]
        let channels = [
            Channel(name: "One", guideID: "a", url: "x"), Channel(name: "b", url: "x"),
            Channel(name: "One", url: "x"), Channel(name: "b", guideID: "c", url: "x"),
        ]
        let mappings = ["a": StationID("b"), "b": StationID("a"), "c": StationID("not there")]
        let matcher = StationMatcher()
        expectEqual(channels.map(matcher.channelKey), ["a", "b", "One", "c"])
        expectEqual(
            summaries(matcher.matches(of: channels, among: stations, mappings: mappings)),
            [
                "b mapping", "a mapping", "-", "-",
            ])
    }

    @Test func rulesAreTriedInDocumentedOrder() {
        expectEqual(
            ChannelMatchRule.allCases,
            [
                .mapping, .exactID, .foldedID, .feedlessID, .name, .plainName, .similarName, .number, .derived,
            ])
    }

    private func check(_ expected: Case) {
        let matches = StationMatcher().matches(of: expected.channels, among: expected.stations, mappings: [:])
        expectEqual(summaries(matches), expected.expected)
    }

    private func summaries(_ matches: [ChannelMatch?]) -> [String] {
        matches.map { $0.map { "\($0.station) \($0.rule.rawValue)" } ?? "-" }
    }
}

/// Real playlists with their guides. A Python program (unicodedata) counted the matches.
@Suite(.needs(.sharedData()))
struct RealMatchTests {
    @Test(arguments: [
        ("BurningC4", 58, "58 exactID"), ("decovn", 259, "257 name"), ("erandrory", 1, "1 exactID"),
    ])
    func matchesOfAnotherProgramAreFound(_ folder: String, _ count: Int, _ expected: String) throws {
        let (channels, matches) = try matched(folder)
        expectEqual(channels.count, count)
        let rules = matches.compactMap { $0?.rule.rawValue }
        expectEqual(Set(rules).count, 1)
        expectEqual("\(rules.count) \(rules.first ?? "")", expected)
    }

    /// The names must lead to the stations that the identifiers of these playlists name.
    @Test(arguments: [("BurningC4", 0.9), ("decovn", 0.95), ("erandrory", 1)])
    func namesAloneFindStationsOfIdentifiers(_ folder: String, _ recall: Double) throws {
        let playlist = try #require(RealPlaylist.all.first { $0.name.hasPrefix(folder) })
        let channels = try PlaylistReading.lineup(try playlist.text()).channels
        let stations = try playlist.stations()
        let matches = StationMatcher().matches(
            of: channels.map { Channel(name: $0.name, groups: $0.groups, url: $0.url) }, among: stations, mappings: [:])
        // In the list of decovn, `tvg-name` is the identifier.
        func id(_ channel: Channel) -> String { channel.guideID ?? channel.guideName ?? "" }
        // The list of decovn names the same station for different channels without a guide, such as Sky Sports 1 to 5.
        let uses = Dictionary(channels.map { (id($0), 1) }, uniquingKeysWith: +)
        var figures = LabeledNames.Figures()
        for (channel, match) in zip(channels, matches) {
            let id = id(channel)
            guard uses[id] == 1, stations.contains(where: { $0.id.rawValue == id }) else { continue }
            figures.count(match, expected: id, name: channel.name)
        }
        print("\(folder) without identifiers: \(figures)")
        #expect(figures.precision >= 0.995 && figures.recall >= recall, "\(figures)")
    }

    /// These matches were checked manually. In this list, `tvg-name` is the guide's identifier.
    @Test func sampleOfNameMatchesIsCorrect() throws {
        let (channels, matches) = try matched("decovn")
        let named = zip(channels.map(\.name), matches.map { $0?.station.rawValue })
        let stations = Dictionary(named) { first, _ in first }
        expectEqual(stations["VTV Huế"], "8")
        expectEqual(stations["VTV9"], "7")
        expectEqual(stations["VTV Cần Thơ 1"], "9")
        expectEqual(stations["Fox Sports 2"], "89")
        expectEqual(stations["NinhBinhTV"], .some(nil))
        expectEqual(stations["M+ 2"], .some(nil))
    }

    private func matched(_ folder: String) throws -> ([Channel], [ChannelMatch?]) {
        let playlist = try #require(RealPlaylist.all.first { $0.name.hasPrefix(folder) })
        let channels = try PlaylistReading.lineup(try playlist.text()).channels
        return (channels, StationMatcher().matches(of: channels, among: try playlist.stations(), mappings: [:]))
    }
}
