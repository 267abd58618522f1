import EPGImport
import EPGModel
import TestSupport
import Testing

/// Tests that the reader returns what the writer wrote, except for the replacements that ``PlaylistWriter`` documents.
@Suite struct PlaylistWriterTests {
    @Test func everythingOfAnEntryIsWritten() {
        let lineup = Lineup(
            name: "list",
            attributes: [
                ContentAttribute(name: "url-tvg", value: "http://e.test/g.xml"),
                ContentAttribute(name: "tvg-shift", value: "+2"),
            ],
            channels: [
                Channel(
                    name: "Say \"One\", first", number: ChannelNumber("7-1"), guideID: "one.test", guideName: "One",
                    logo: "http://e.test/1.png", groups: ["News", "A;B"], url: "http://e.test/1",
                    attributes: [
                        ContentAttribute(name: "catchup", value: "default"),
                        ContentAttribute(name: "bad name", value: "x"),
                    ], directives: ["#EXTVLCOPT:a=1", "no directive", "#EXTINF:-1,Evil"]),
                Channel(name: "Two\r\n#EXTINF:-1,Evil\nhttp://evil.test", url: "#http://e.test/2\nx"),
                Channel(name: "No address", url: " "),
            ])
        expectEqual(
            Self.text(of: lineup),
            """
            #EXTM3U x-tvg-url="http://e.test/g.xml" url-tvg="http://e.test/g.xml" tvg-shift="+2"
            #EXTINF:-1 tvg-id="one.test" tvg-name="One" tvg-logo="http://e.test/1.png" tvg-chno="7.1" \
            group-title="News;A,B" catchup="default",Say 'One', first
            #EXTVLCOPT:a=1
            http://e.test/1
            #EXTINF:-1 tvg-id="",Two  #EXTINF:-1,Evil http://evil.test
            %23http://e.test/2%0Ax

            """)
    }

    @Test func matchedStationsReplaceIdentifiersOfTheList() throws {
        let lineup = Lineup(
            name: "list",
            channels: [
                Channel(name: "A", guideID: "a", url: "http://e.test/1"),
                Channel(name: "B", guideID: "b", url: "http://e.test/2"),
                Channel(name: "C", url: "http://e.test/3"),
            ])
        let matches = [ChannelMatch(station: StationID("one\"two"), rule: .name), nil]
        let text = Self.text(of: lineup, matches: matches, guideURL: "http://e.test/new.xml")
        try expectEqual(PlaylistReading.lineup(text).channels.map(\.guideID), ["one'two", "b", nil])
        expectPrefix(text, "#EXTM3U x-tvg-url=\"http://e.test/new.xml\" url-tvg=\"http://e.test/new.xml\"\n")
    }

    @Test func completePlaylistRoundTrips() throws {
        try expectRoundTrip(of: PlaylistReaderTests.complete)
    }

    @Test(.needs(.sharedData()), arguments: RealPlaylist.all)
    func realPlaylistRoundTrips(_ playlist: RealPlaylist) throws {
        try expectRoundTrip(of: playlist.text())
    }

    private func expectRoundTrip(of text: String) throws {
        let lineup = try PlaylistReading.lineup(text)
        let back = try PlaylistReading.lineup(Self.text(of: lineup))
        expectEqual(back.channels, lineup.channels)
        expectEqual(lineup.attributes.filter { !back.attributes.contains($0) }, [])
        // The writer writes the guide's URL to both attributes.
        let added = back.attributes.filter { !lineup.attributes.contains($0) }
        expectEqual(Set(added.map(\.name)).subtracting(["x-tvg-url", "url-tvg"]), [])
    }

    @Test func hostileTextsRoundTripExceptReplacements() throws {
        var generator = SplitMix(state: 5)
        for _ in 0..<TestScope.cases(400) {
            let lineup = HostileLineup.make(using: &generator)
            let text = Self.text(of: lineup)
            let back = try PlaylistReading.lineup(text)
            let expected = lineup.channels.compactMap(HostileLineup.readBack)
            expectEqual(back.channels, expected)
            // A second round trip changes only the quotes of a name that came from the URL.
            let again = try PlaylistReading.lineup(Self.text(of: back))
            expectEqual(again.channels, back.channels.compactMap(HostileLineup.readBack))
            try expectEmpty(PlaylistReading.findings(text))
        }
    }

    /// pvr.iptvsimple searches for the name after the last quote, and for `tvg-id="` up to the next quote.
    @Test func playerThatSearchesForQuotesReadsTheSame() throws {
        var generator = SplitMix(state: 6)
        for _ in 0..<200 {
            let lineup = HostileLineup.make(using: &generator)
            let text = Self.text(of: lineup)
            let expected = lineup.channels.compactMap(HostileLineup.readBack)
            let entries = text.unicodeScalars.split(separator: "\n").map { String($0) }.filter {
                $0.hasPrefix("#EXTINF:")
            }
            expectEqual(entries.count, expected.count)
            for (entry, channel) in zip(entries, expected) {
                let parts = entry.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map {
                    String($0)
                }
                expectEqual(parts.last?.first, ",")
                if channel.name != channel.guideName, channel.name != channel.guideID,
                    channel.name != StreamURL.shortened(channel.url)
                {
                    expectEqual(parts.last, ",\(channel.name)")
                }
                expectEqual(parts.first, "#EXTINF:-1 tvg-id=")
                expectEqual(parts.dropFirst().first, channel.guideID ?? "")
            }
        }
    }

    static func text(of lineup: Lineup, matches: [ChannelMatch?] = [], guideURL: String? = nil) -> String {
        var bytes: [UInt8] = []
        PlaylistWriter.write(lineup, matches: matches, guideURL: guideURL) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Random lineups with texts that break naive writers.
enum HostileLineup {
    private static let pieces = [
        "a", "B", "é", "新", " ", "  ", "\"", "'", ",", ";", "=", "\r", "\n", "\r\n", "\t", "\u{0}", "\u{7F}", "\u{85}",
        "\u{2028}",
        "\u{FEFF}", "\u{A0}", "#", "#EXTINF:-1,", "#EXTM3U", "#EXT-X-ENDLIST", "x=\"", "x='", " x=", "tvg-id=\"", "\\",
        "|",
        "http://e.test/", "</a>", "%", "e\u{301}", "🇫🇷", "\u{200F}", "\u{202E}", "-1",
    ]

    private static func text(_ generator: inout SplitMix) -> String {
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        }.joined()
    }

    static func make(using generator: inout SplitMix) -> Lineup {
        let channels = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            Channel(
                name: text(&generator), number: Bool.random(using: &generator) ? ChannelNumber("7.2") : nil,
                guideID: Bool.random(using: &generator) ? text(&generator) : nil,
                guideName: Bool.random(using: &generator) ? text(&generator) : nil,
                logo: Bool.random(using: &generator) ? text(&generator) : nil,
                groups: (0..<Int.random(in: 0...2, using: &generator)).map { _ in text(&generator) },
                url: "http://e.test/" + text(&generator),
                attributes: (0..<Int.random(in: 0...2, using: &generator)).map {
                    ContentAttribute(name: "catchup-\($0)", value: text(&generator))
                }, directives: Bool.random(using: &generator) ? ["#EXTVLCOPT:\(text(&generator))"] : [])
        }
        return Lineup(name: "list", channels: channels)
    }

    /// Returns the channel that the reader must return, by the documentation.
    static func readBack(_ channel: Channel) -> Channel? {
        var back = channel
        back.url = encoded(trimmed(channel.url))
        back.guideID = nonEmpty(replaced(channel.guideID))
        back.guideName = nonEmpty(replaced(channel.guideName))
        back.logo = nonEmpty(replaced(channel.logo))
        back.name =
            nonEmpty(replaced(channel.name)) ?? back.guideName ?? back.guideID
            ?? StreamURL.shortened(back.url)
        back.groups = []
        // A group may end with white space before the semicolon, which a group that was read from a list can't.
        for group in channel.groups.map({ replaced(String($0.unicodeScalars.map { $0 == ";" ? "," : Character($0) })) })
        {
            if let group = nonEmpty(group), !back.groups.contains(group) { back.groups.append(group) }
        }
        back.attributes = channel.attributes.map { ContentAttribute(name: $0.name, value: replaced($0.value) ?? "") }
        back.directives = channel.directives.map { blanked(trimmed(withoutDirection($0))) }
        return back
    }

    private static func nonEmpty(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }

    private static func replaced(_ text: String?) -> String? {
        text.map {
            String(
                String.UnicodeScalarView(
                    blanked(trimmed(withoutDirection($0))).unicodeScalars.map { $0 == "\"" ? "'" : $0 }))
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// Returns whether a character has the property Bidi_Control (Unicode, PropList.txt).
    private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func withoutDirection(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isDirection($0) }))
    }

    private static func trimmed(_ text: String) -> String {
        let isOuter = { (scalar: Unicode.Scalar) in
            isBreak(scalar) || scalar == " " || scalar == "\u{A0}" || scalar == "\u{FEFF}"
        }
        let front = text.unicodeScalars.drop(while: isOuter)
        return String(String.UnicodeScalarView(front.reversed().drop(while: isOuter).reversed()))
    }

    private static func blanked(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isBreak($0) ? " " : $0 }))
    }

    private static func encoded(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            guard isBreak(scalar) || isDirection(scalar) else { return String(scalar) }
            return String(scalar).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
                .joined()
        }.joined()
    }
}
