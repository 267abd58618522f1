import EPGModel
import TestSupport
import Testing

/// Scanning of `#EXTINF` lines. There is no standard. The cases are lines that caused problems elsewhere
/// (repository#thread) and the behavior of players.
@Suite struct PlaylistAttributeTests {
    struct Case: Equatable, Sendable, CustomTestStringConvertible {
        let line: String
        let name: String
        var id: String?
        var guideName: String?
        var groups: [String] = []
        var others: [String] = []

        var testDescription: String { line }
    }

    /// Common lines.
    private static let commonLines: [Case] = [
        Case(
            line: "#EXTINF:-1 tvg-id=\"one\" tvg-name=\"One\",Channel One", name: "Channel One", id: "one",
            guideName: "One"),
        Case(line: "#EXTINF:-1,Channel One", name: "Channel One"),
        Case(line: "#EXTINF:0 , Channel One ", name: "Channel One"),
        Case(line: "#EXTINF:123.5,Channel One", name: "Channel One"),
        Case(line: "#extinf:-1 TVG-ID=\"one\",One", name: "One", id: "one"),
        Case(line: "#EXTINF:-1\ttvg-id=\"one\"\t,One", name: "One", id: "one"),
        Case(line: "#EXTINF:tvg-id=\"one\",One", name: "One", id: "one"),
        Case(line: "#EXTINF:-1tvg-id=\"one\",One", name: "One", id: "one"),
        Case(line: "#EXTINF -1 tvg-id=\"one\",One", name: "One", id: "one"),
    ]

    /// Commas separate attributes and name.
    private static let linesWithCommas: [Case] = [
        // freearhey/iptv-playlist-parser#19
        Case(
            line: #"#EXTINF:-1 tvg-id="" tvg-name="The Good, the Bad" group-title="Movies",The Good, the Bad"#,
            name: "The Good, the Bad", guideName: "The Good, the Bad", groups: ["Movies"]),
        // bebo-dot-dev/m3u-epg-editor#8
        Case(
            line: #"#EXTINF:-1 tvg-id="ABC (WKBW) Buffalo, NY HD" tvg-name="ABC East" group-title="US/CA",ABC East"#,
            name: "ABC East", id: "ABC (WKBW) Buffalo, NY HD", guideName: "ABC East", groups: ["US/CA"]),
        // M3U8Kit/M3U8Parser#40
        Case(line: #"#EXTINF:-1 group-title="(.*),(.*),",Ahla"#, name: "Ahla", groups: ["(.*),(.*),"]),
        // globocom/m3u8#112
        Case(line: "#EXTINF:295,Test 123, part 14", name: "Test 123, part 14"),
        Case(line: "#EXTINF:-1 tvg-id=\"p\",Paris, Texas", name: "Paris, Texas", id: "p"),
        Case(line: "#EXTINF:-1 tvg-id=\"p\",,Paris", name: ",Paris", id: "p"),
        Case(line: "#EXTINF:-1 tvg-id=\"p\",A=B, C", name: "A=B, C", id: "p"),
    ]

    /// Quotes delimit values.
    private static let linesWithQuotes: [Case] = [
        Case(
            line: "#EXTINF:-1 tvg-id='rai-1' tvg-name=RaiUno group-title='Generali',Rai 1", name: "Rai 1", id: "rai-1",
            guideName: "RaiUno", groups: ["Generali"]),
        Case(
            line: "#EXTINF:-1 tvg-name=CNN International tvg-id=cnn,CNN", name: "CNN", id: "cnn",
            guideName: "CNN International"),
        Case(line: "#EXTINF:-1 tvg-id = \"one\" tvg-name= \"One\",One", name: "One", id: "one", guideName: "One"),
        Case(line: "#EXTINF:-1 tvg-id=\"one\"tvg-name=\"One\",One", name: "One", id: "one", guideName: "One"),
        // Dispatcharr/Dispatcharr#594
        Case(
            line: #"#EXTINF:-1 tvg-name="UK: That's 60s" group-title="UK",UK: 80'S - DIRECT"#,
            name: "UK: 80'S - DIRECT",
            guideName: "UK: That's 60s", groups: ["UK"]),
        Case(
            line: "#EXTINF:-1 tvg-name='Kid's TV' group-title='Kids',Kid's TV", name: "Kid's TV", guideName: "Kid's TV",
            groups: ["Kids"]),
        // hoshsadiq/m3ufilter#6
        Case(
            line: #"#EXTINF:-1 tvg-id="" tvg-name="This is "a test"" tvg-logo="http://l/l.jpg",This is "a test""#,
            name: #"This is "a test""#, guideName: #"This is "a test""#),
        Case(
            line: #"#EXTINF:-1 tvg-name="The "Best" One" tvg-id="best",The "Best" One"#, name: #"The "Best" One"#,
            id: "best",
            guideName: #"The "Best" One"#),
        // bylee20/bomi#7
        Case(
            line: ##"#EXTINF:-1, group-title="A" tvg-name="TV_Safina" tvg-logo="",TV Safina"##, name: "TV Safina",
            guideName: "TV_Safina", groups: ["A"]),
        Case(
            line: ##"#EXTINF:-1 tvg-id="x" catchup-source="http://s/?utc={utc}&a=",X"##, name: "X", id: "x",
            others: ["catchup-source=http://s/?utc={utc}&a="]),
        Case(
            line: ##"#EXTINF:-1 $ExtFilter="Document" tvg-logo="..\Channel\l.png" CUID="7",X"##, name: "X",
            others: ["$ExtFilter=Document", "CUID=7"]),
    ]

    /// Broken lines are scanned leniently.
    private static let brokenLines: [Case] = [
        // A missing closing quote.
        Case(
            line: ##"#EXTINF:-1 tvg-id="abc tvg-name="ABC" group-title="G",Name"##, name: "Name", id: "abc",
            guideName: "ABC",
            groups: ["G"]),
        Case(line: ##"#EXTINF:-1 tvg-id="tvg-name="ABC",Name"##, name: "Name", guideName: "ABC"),
        Case(line: ##"#EXTINF:-1 tvg-id="abc,Name"##, name: "Name", id: "abc"),
        // No comma.
        Case(line: ##"#EXTINF:-1 tvg-id="abc" Name of it"##, name: "Name of it", id: "abc"),
        Case(line: "#EXTINF:-1 Name of it", name: "Name of it"),
        Case(line: "#EXTINF:Name of it", name: "Name of it"),
    ]

    /// An entry without a name gets the name in the guide or the URL.
    private static let linesWithoutName: [Case] = [
        Case(line: "#EXTINF:-1 tvg-id=\"i\" tvg-name=\"n\",", name: "n", id: "i", guideName: "n"),
        Case(line: "#EXTINF:-1 tvg-id=\"i\"", name: "i", id: "i"),
        Case(line: "#EXTINF:-1,", name: "http://example.test/1"),
        Case(line: "#EXTINF:", name: "http://example.test/1"),
        Case(line: "#EXTINF", name: "http://example.test/1"),
    ]

    @Test func firstNonemptyValueOfAnAttributeWins() throws {
        let channel = try #require(
            try PlaylistReading.channel(
                ##"#EXTINF:-1 tvg-id="" tvg-id="a" tvg-id="b" catchup="x" catchup="y" tvg-logo="",N"##))
        expectEqual(channel.guideID, "a")
        expectEqual(channel.logo, nil)
        expectEqual(channel.attributes, [ContentAttribute(name: "catchup", value: "x")])
    }

    @Test(arguments: [
        (#"tvg-chno="7""#, "7"), (#"channel-number="7.1""#, "7.1"), (#"ch-number="7-2""#, "7.2"),
        (#"TVG-CHNO="012""#, "12"), (#"tvg-chno="" ch-number="5""#, "5"), (#"tvg-chno="x" ch-number="5""#, "5"),
        (#"tvg-chno="7" tvg-chno="8""#, "7"), (#"ch-number="6" tvg-chno="8""#, "6"),
    ])
    func channelNumberIsReadFromThreeAttributes(_ attribute: String, _ number: String) throws {
        let channel = try #require(try PlaylistReading.channel("#EXTINF:-1 \(attribute),N"))
        expectEqual(channel.number?.description, number)
        #expect(!channel.attributes.contains { $0.name == "tvg-chno" })
    }

    @Test(arguments: ["-1", "1.2.3.4.5", "99999999999999999999", "seven", "1000000"])
    func invalidNumberStaysAnAttribute(_ text: String) throws {
        let channel = try #require(try PlaylistReading.channel("#EXTINF:-1 tvg-chno=\"\(text)\",N"))
        expectEqual(channel.number, nil)
        expectEqual(channel.attributes, [ContentAttribute(name: "tvg-chno", value: text)])
        try expectEqual(
            PlaylistReading.findings("#EXTINF:-1 tvg-chno=\"\(text)\",N\nhttp://e.test/1"), ["1 notvalid kept"])
    }

    @Test(arguments: commonLines + linesWithCommas + linesWithQuotes + brokenLines + linesWithoutName)
    func lineIsScanned(_ expected: Case) throws {
        let channel = try #require(try PlaylistReading.channel(expected.line))
        let others = expected.others.isEmpty ? [] : channel.attributes.map { "\($0.name)=\($0.value)" }
        expectEqual(
            Case(
                line: expected.line, name: channel.name, id: channel.guideID, guideName: channel.guideName,
                groups: channel.groups, others: others), expected)
    }
}
