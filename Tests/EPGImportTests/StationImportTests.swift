import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing

@Suite struct StationImportTests {
    private let airing =
        "<programme start=\"20260328180000\" stop=\"20260328190000\" channel=\"%\"><title>T</title></programme>"

    private func airing(on station: String) -> String { airing.replacing("%", with: station) }

    @Test func channelRoundTripsCompletely() throws {
        let guide = try ImportedGuide(
            """
            <channel id="one.test" x-group="odd">
              <display-name lang="en">One</display-name><display-name lang="zh">一台</display-name>
              <icon src="one.png" width="40" height="30"/><icon src="dark.png"/>
              <url system="web">https://one.test</url><lcn>7.10</lcn>
              <x-note level="1">kept <b>too</b></x-note>
            </channel>
            """)
        let station = try #require(try guide.store.station(StationID("one.test"))).station
        expectEqual(station.displayNames, [LocalizedText("One", language: "en"), LocalizedText("一台", language: "zh")])
        expectEqual(station.icons, [Icon(source: "one.png", width: "40", height: "30"), Icon(source: "dark.png")])
        expectEqual(station.urls, [WebLink(url: "https://one.test", system: "web")])
        expectEqual(station.number, ChannelNumber("7.10"))
        expectEqual(
            station.extras,
            [
                .element(ContentElement(name: "@x-group", children: [.text("odd")])),
                .element(
                    ContentElement(
                        name: "x-note", attributes: [ContentAttribute(name: "level", value: "1")],
                        children: [.text("kept"), .element(ContentElement(name: "b", children: [.text("too")]))])),
            ])
        try expectEqual(guide.findings(), ["3 channelnoprogramme kept", "0 noprogrammes kept"])
    }

    @Test func stationNamedOnlyByProgrammeIsCreated() throws {
        let guide = try ImportedGuide(airing(on: "shed.test"))
        try expectEqual(guide.store.station(StationID("shed.test"))?.station.name, "shed.test")
        try expectContains(guide.findings(), "3 unknownid createdStation")
    }

    @Test func channelAfterItsProgrammesIsMatched() throws {
        let guide = try ImportedGuide(
            airing(on: "one.test") + "\n<channel id=\"one.test\"><display-name>One</display-name></channel>")
        try expectEqual(guide.store.station(StationID("one.test"))?.station.name, "One")
        try expectEqual(guide.airings(of: "one.test").count, 1)
        #expect(!(try guide.findings().contains { $0.contains("unknownid") }))
    }

    @Test func repeatedChannelDeclarationsAreMerged() throws {
        let guide = try ImportedGuide(
            """
            <channel id="one.test"><display-name>One</display-name><lcn>7</lcn></channel>
            <channel id="one.test"><display-name>One</display-name><display-name>Eins</display-name>
            <icon src="one.png"/><lcn>8</lcn></channel>
            """ + airing(on: "one.test"))
        try expectEqual(guide.store.stationCount(), 1)
        let station = try #require(try guide.store.station(StationID("one.test"))).station
        expectEqual(station.displayNames.map(\.text), ["One", "Eins"])
        expectEqual(station.icons, [Icon(source: "one.png")])
        expectEqual(station.number, ChannelNumber("7"))
        expectEqual(station.extras, [.element(ContentElement(name: "lcn", children: [.text("8")]))])
        try expectContains(guide.findings(), "4 duplicateid merged")
        expectEqual(guide.outcome.report.stationsRead, 2)
    }

    @Test func channelWithoutIdentifierIsSkippedWithItsLine() throws {
        let guide = try ImportedGuide("<channel><display-name>X</display-name></channel>\n<channel id=\"\"/>")
        try expectEqual(guide.store.stationCount(), 0)
        try expectEqual(guide.findings().prefix(2), ["3 invalidid skipped", "4 invalidid skipped"])
    }

    /// The programmes without a channel belong to the only station without an identifier. If there are several, they are skipped.
    @Test func programmesOfTheOnlyStationWithoutIdentifierAreRead() throws {
        let channel = "<channel id=\"\"><display-name>Harbour</display-name><icon src=\"a.png\"/></channel>\n"
        let airings = airing(on: "") + airing(on: "one.test")
        let guide = try ImportedGuide(channel + airings)
        try expectEqual(guide.airings(of: "Harbour").count, 1)
        let station = try #require(try guide.store.station(StationID("Harbour"))?.station)
        expectEqual([station.name, station.icons.first?.source], ["Harbour", "a.png"])
        try expectContains(guide.findings(), "4 invalidid kept")
        expectAddsUp(guide.outcome.report)
        let unclear = try ImportedGuide(channel + channel.replacing("Harbour", with: "Quay") + airings)
        expectEqual(unclear.outcome.report.skipped, [.unknownid: 1])
        try expectEqual(unclear.airings(of: "one.test").count, 1)
    }

    @Test func emptyNameIsLeftOutAndReported() throws {
        let guide = try ImportedGuide("<channel id=\"one.test\"><display-name lang=\"en\"> </display-name></channel>")
        try expectEqual(guide.store.station(StationID("one.test"))?.station, Station(id: StationID("one.test")))
        try expectContains(guide.findings(), "3 emptyelement kept")
    }

    @Test func identifiersAreComparedByteForByte() throws {
        // é as one scalar and as two: Swift treats the strings as equal, but the feed doesn't.
        let guide = try ImportedGuide(
            ["caf\u{E9}", "cafe\u{301}", "CAF\u{C9}"].map { airing(on: $0) }.joined(separator: "\n"))
        try expectEqual(guide.store.stationCount(), 3)
        expectEqual(guide.outcome.report.airingsStored, 3)
    }

    @Test func stationsAreSortedByNumberThenByFileOrder() throws {
        let numbers = [("e", ""), ("d", "10"), ("c", "7.10"), ("b", "7.2"), ("a", ""), ("f", "x")]
        let records = numbers.map { "<channel id=\"\($0.0)\"><lcn>\($0.1)</lcn></channel>" }.joined(separator: "\n")
        let guide = try ImportedGuide(records)
        let rows = try guide.store.stations(inRows: 0..<100)
        expectEqual(rows.map(\.station.id.rawValue), ["b", "c", "d", "e", "a", "f"])
        expectEqual(rows.map(\.row), [0, 1, 2, 3, 4, 5])
        try expectEqual(guide.store.stations(inRows: 2..<4).map(\.station.id.rawValue), ["d", "e"])
        try expectEmpty(guide.store.stations(inRows: 6..<9))
    }

    @Test func manyChannelsWithoutProgrammesAreImported() throws {
        // Rules.md, XMLTV 5: a thousand channels without programmes.
        let guide = try ImportedGuide((0..<1000).map { "<channel id=\"\($0)\"/>" }.joined(separator: "\n"))
        try expectEqual(guide.store.stationCount(), 1000)
        expectEqual(guide.outcome.report.diagnostics[.channelnoprogramme], 1000)
    }

    @Test func identifierAbove1024BytesIsSkipped() throws {
        let longest = String(repeating: "i", count: 1024)
        let channels = "<channel id=\"\(longest)\"/><channel id=\"\(longest)i\"/>"
        let guide = try ImportedGuide(channels + airing(on: longest) + airing(on: longest + "i"))
        try expectEqual(guide.store.stations(inRows: 0..<10).map(\.station.id.rawValue), [longest])
        expectEqual(guide.outcome.report.skipped, [.invalidid: 1])
        try expectEqual(guide.findings().count { $0.contains("invalidid skipped") }, 2)
    }
}

/// Tests that repeated declarations of one station are bounded in time and size, and reported.
@Suite struct RepeatedStationTests {
    @Test func repeatedDeclarationsAreLimitedAndReported() throws {
        let guide = try ImportedGuide(
            (0..<12_000).map { "<channel id=\"a.b\"><display-name>n\($0)</display-name></channel>" }
                .joined(separator: "\n"))
        let station = try #require(try guide.store.station(StationID("a.b"))?.station)
        expectEqual(station.displayNames.count, 10_000)
        expectEqual(station.name, "n0")
        // The line of the first declaration above the limit. Two lines precede the first declaration.
        try expectContains(guide.findings(), "10003 notvalid skipped")
    }

    @Test func repeatedElementsAreKeptOnce() throws {
        let guide = try ImportedGuide(
            """
            <channel id="a.b"><display-name>A</display-name><icon src="i"/></channel>
            <channel id="a.b"><display-name>A</display-name><icon src="j"/></channel>
            """)
        let station = try #require(try guide.store.station(StationID("a.b"))?.station)
        expectEqual(station.displayNames, [LocalizedText("A")])
        expectEqual(station.icons.map(\.source), ["i", "j"])
    }
}
