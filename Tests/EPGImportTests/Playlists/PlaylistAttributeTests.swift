import EPGModel
import Testing

/// Scanning of `#EXTINF` lines. There is no standard. The cases are lines that caused problems elsewhere
/// (repository#thread) and the behavior of players.
@Suite struct PlaylistAttributeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let line: String
        let name: String
        var id: String?
        var guideName: String?
        var groups: [String] = []
        var others: [String] = []

        var testDescription: String { line }
    }

    @Test(arguments: [
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
    ])
    func commonLinesAreScanned(_ expected: Case) throws { try check(expected) }

    @Test(arguments: [
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
    ])
    func commasSeparateAttributesAndName(_ expected: Case) throws { try check(expected) }

    @Test(arguments: [
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
    ])
    func quotesDelimitValues(_ expected: Case) throws { try check(expected) }

    @Test(arguments: [
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
    ])
    func brokenLinesAreScannedLeniently(_ expected: Case) throws { try check(expected) }

    @Test(arguments: [
        Case(line: "#EXTINF:-1 tvg-id=\"i\" tvg-name=\"n\",", name: "n", id: "i", guideName: "n"),
        Case(line: "#EXTINF:-1 tvg-id=\"i\"", name: "i", id: "i"),
        Case(line: "#EXTINF:-1,", name: "http://example.test/1"),
        Case(line: "#EXTINF:", name: "http://example.test/1"),
        Case(line: "#EXTINF", name: "http://example.test/1"),
    ])
    func entryWithoutNameGetsGuideNameOrURL(_ expected: Case) throws { try check(expected) }

    @Test func firstNonemptyValueOfAnAttributeWins() throws {
        let channel = try #require(
            try PlaylistReading.channel(
                ##"#EXTINF:-1 tvg-id="" tvg-id="a" tvg-id="b" catchup="x" catchup="y" tvg-logo="",N"##))
        #expect(channel.guideID == "a")
        #expect(channel.logo == nil)
        #expect(channel.attributes == [ContentAttribute(name: "catchup", value: "x")])
    }

    @Test(arguments: [
        (#"tvg-chno="7""#, "7"), (#"channel-number="7.1""#, "7.1"), (#"ch-number="7-2""#, "7.2"),
        (#"TVG-CHNO="012""#, "12"), (#"tvg-chno="" ch-number="5""#, "5"), (#"tvg-chno="x" ch-number="5""#, "5"),
        (#"tvg-chno="7" tvg-chno="8""#, "7"), (#"ch-number="6" tvg-chno="8""#, "6"),
    ])
    func channelNumberIsReadFromThreeAttributes(_ attribute: String, _ number: String) throws {
        let channel = try #require(try PlaylistReading.channel("#EXTINF:-1 \(attribute),N"))
        #expect(channel.number?.description == number)
        #expect(!channel.attributes.contains { $0.name == "tvg-chno" })
    }

    @Test(arguments: ["-1", "1.2.3.4.5", "99999999999999999999", "seven", "1000000"])
    func invalidNumberStaysAnAttribute(_ text: String) throws {
        let channel = try #require(try PlaylistReading.channel("#EXTINF:-1 tvg-chno=\"\(text)\",N"))
        #expect(channel.number == nil)
        #expect(channel.attributes == [ContentAttribute(name: "tvg-chno", value: text)])
        #expect(
            try PlaylistReading.findings("#EXTINF:-1 tvg-chno=\"\(text)\",N\nhttp://e.test/1") == ["1 notvalid kept"])
    }

    private func check(_ expected: Case) throws {
        let channel = try #require(try PlaylistReading.channel(expected.line))
        #expect(channel.name == expected.name)
        #expect(channel.guideID == expected.id)
        #expect(channel.guideName == expected.guideName)
        #expect(channel.groups == expected.groups)
        if !expected.others.isEmpty {
            #expect(channel.attributes.map { "\($0.name)=\($0.value)" } == expected.others)
        }
    }
}
