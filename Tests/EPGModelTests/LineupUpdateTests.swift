import TestSupport
import Testing

@testable import EPGModel

@Suite struct LineupUpdateTests {
    /// Channels as `id|name|groups|URL`; the partners of the new channels by their places in the old list, or `-`.
    @Test(arguments: [
        ("nothing changed", "a|A|g|u1 b|B|g|u2", "a|A|g|u1 b|B|g|u2", "0 1"),
        ("reordered, with new tokens", "a|A|g|u1?t=1 b|B|g|u2?t=1", "b|B|g|u2?t=2 a|A|g|u1?t=2", "1 0"),
        ("other user in the URL", "|A|g|http://x:y@h/1", "|A1|g|http://z:y@h/1", "0"),
        ("renamed, same identifier", "a|A|g|u1", "a|Alpha|h|u9", "0"),
        ("identifier of several variants", "a|A_HD|g|u1 a|A_SD|g|u2", "a|A_SD|h|u8 a|A-HD|h|u9", "1 0"),
        ("identifier of several renamed variants", "a|A|g|u1 a|B|g|u2", "a|C|g|u3 a|D|g|u4", "- -"),
        ("other identifier, same name and groups", "a|A|g|u1", "b|A|g|u2", "0"),
        ("other identifier and similar name", "a|UK:_A_HD|g|u1", "b|uk-a-hd|g|u2", "0"),
        ("other identifier and groups", "a|A|g|u1", "b|A|h|u2", "-"),
        ("identifier is new", "|A|g|u1", "b|A|h|u2", "0"),
        ("duplicates in the order of the list", "a|A|g|u1 a|A|g|u2", "a|A|g|u3 a|A|g|u4 a|A|g|u5", "0 1 -"),
        ("duplicates by their streams", "a|A|g|u1 a|A|g|u2", "a|A|g|u2 a|A|g|u1", "1 0"),
        ("same name twice", "|A|g|u1 |A|h|u2", "|A|h|u3 |A|k|u4", "1 0"),
        ("renamed without an identifier", "|A|g|u1?t=1", "|Z|g|u1?t=2", "0"),
        ("another channel", "a|A|g|u1", "b|B|g|u2", "-"),
        (
            "common placeholder identifier", "0|A|g|u1 0|B|g|u2 0|D|g|u4 0|E|g|u5 0|F|g|u6",
            "0|C|g|u3 0|B|g|u2 0|D|g|u4 0|E|g|u5 0|F|g|u6", "- 1 2 3 4"
        ),
    ])
    func channelIsRecognized(rule: String, old: String, new: String, partners: String) {
        let found = ChannelPairs(of: channels(new), with: channels(old)).partners
        #expect(found.map { $0.map(String.init) ?? "-" }.joined(separator: " ") == partners, "\(rule)")
    }

    private func channels(_ text: String) -> [Channel] {
        text.split(separator: " ").map { word in
            let parts = word.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            return Channel(
                name: parts[1].replacing("_", with: " "), guideID: parts[0].isEmpty ? nil : parts[0],
                groups: [parts[2]], url: parts[3])
        }
    }

    @Test func returningChannelKeepsChangesForAYear() {
        var hidden = Channel(name: "B", guideID: "b", url: "u2")
        hidden.setHidden(true)
        let stored = Lineup(name: "tv", channels: [Channel(name: "A", url: "u1"), hidden])
        let short = Lineup(name: "tv", channels: [Channel(name: "A", url: "u1")])
        let day: Int64 = 86_400
        let now = Instant(secondsSince1970: 1_774_753_200)
        let dropped = LineupUpdate(of: short, replacing: stored, now: now)
        #expect(dropped.former == [FormerChannel(channel: hidden, place: nil, removed: now)])
        #expect(dropped.changes == [ChannelChange(from: "B", to: nil)])
        let later = now.advanced(by: 366 * day)
        let kept = LineupUpdate(of: short, replacing: dropped.lineup, former: dropped.former, now: later)
        #expect(kept.former == dropped.former)
        let list = Lineup(
            name: "tv", channels: [Channel(name: "B", guideID: "b", url: "u5"), Channel(name: "A", url: "u1")])
        let returned = LineupUpdate(of: list, replacing: kept.lineup, former: kept.former, now: later)
        #expect((returned.lineup.channels.map(\.isHidden), returned.former) == ([true, false], []))
        // In an order of the user's, a channel returns to its place.
        var ordered = Lineup(name: "tv", channels: ["A", "B", "C"].map { Channel(name: $0, url: $0) })
        ordered.sort(by: [1, 0, 2])
        let two = Lineup(name: "tv", channels: ["A", "C"].map { Channel(name: $0, url: $0) })
        let three = Lineup(name: "tv", channels: ["A", "B", "C"].map { Channel(name: $0, url: $0) })
        let gone = LineupUpdate(of: two, replacing: ordered, now: now)
        let back = LineupUpdate(of: three, replacing: gone.lineup, former: gone.former, now: now)
        #expect(back.lineup.channels.map(\.name) == ["B", "A", "C"])
        let tooLate = LineupUpdate(of: short, replacing: kept.lineup, former: kept.former, now: later.advanced(by: 1))
        #expect(tooLate.former.isEmpty)
    }

    @Test(
        arguments: [
            ("http://a.test/x.xml", ["http://a.test/x.xml"]),
            (
                "http://a.test/x.xml,https://b.test/y?z=1,2 http://a.test/x.xml",
                ["http://a.test/x.xml", "https://b.test/y?z=1,2"]
            ),
            ("file:///etc/passwd", []), ("", []), ("ftp://a.test/x, http://c.test/", ["http://c.test/"]),
        ] as [(String, [String])])
    func playlistNamesGuides(attribute: String, urls: [String]) {
        let lineup = Lineup(name: "tv", attributes: [ContentAttribute(name: "x-tvg-url", value: attribute)])
        #expect(lineup.guideURLs == urls)
    }
}
