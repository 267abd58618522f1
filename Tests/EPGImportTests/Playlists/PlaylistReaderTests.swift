import EPGImport
import EPGModel
import Testing
import XMLTV

/// Tests of reading the lines of playlists.
@Suite struct PlaylistReaderTests {
    static let complete = ##"""
        #EXTM3U x-tvg-url="http://example.test/guide.xml.gz" tvg-shift="+2" Own="a b"
        #PLAYLIST:My list
        # a comment
        #EXTINF:-1 tvg-id="one.test" tvg-name="One" tvg-logo="http://example.test/1.png" tvg-chno="7.1" group-title="News;World" catchup="default" catchup-source="http://example.test/?a={utc}" catchup-days="7" tvg-shift="+2",One, the first
        #EXTGRP:Local; News
        #EXTVLCOPT:http-user-agent=Some Player
        #KODIPROP:inputstream=inputstream.adaptive
        #123
        http://example.test/stream/1|User-Agent="Some, Player"

        #EXTINF:-1,Two
        udp://@239.0.0.1:1234
        """##

    @Test func everythingOfAnEntryIsKept() throws {
        let lineup = try PlaylistReading.lineup(Self.complete)
        #expect(lineup.name == "list")
        #expect(
            lineup.attributes.map { "\($0.name)=\($0.value)" } == [
                "x-tvg-url=http://example.test/guide.xml.gz", "tvg-shift=+2", "Own=a b",
            ])
        #expect(
            lineup.channels == [
                Channel(
                    name: "One, the first", number: ChannelNumber("7.1"), guideID: "one.test", guideName: "One",
                    logo: "http://example.test/1.png", groups: ["News", "World", "Local"],
                    url: "http://example.test/stream/1|User-Agent=\"Some, Player\"",
                    attributes: [
                        ContentAttribute(name: "catchup", value: "default"),
                        ContentAttribute(name: "catchup-source", value: "http://example.test/?a={utc}"),
                        ContentAttribute(name: "catchup-days", value: "7"),
                        ContentAttribute(name: "tvg-shift", value: "+2"),
                    ],
                    directives: [
                        "#EXTVLCOPT:http-user-agent=Some Player", "#KODIPROP:inputstream=inputstream.adaptive",
                    ]),
                Channel(name: "Two", url: "udp://@239.0.0.1:1234"),
            ])
        #expect(try PlaylistReading.findings(Self.complete).isEmpty)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func anyLineTerminatorIsAccepted(_ end: String) throws {
        let text = Self.complete.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
        #expect(try PlaylistReading.lineup(text) == PlaylistReading.lineup(Self.complete))
        #expect(try PlaylistReading.lineup(text + end) == PlaylistReading.lineup(Self.complete))
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func chunkBoundariesDoNotMatter(_ size: Int) throws {
        let bytes = Array(Self.complete.split(separator: "\n").joined(separator: "\r\n").utf8)
        var next = 0
        let source = ChunkSource {
            guard next < bytes.count else { return nil }
            defer { next += size }
            return Array(bytes[next..<min(bytes.count, next + size)])
        }
        var reader = PlaylistReader(source)
        #expect(try reader.readLineup(named: "list") == PlaylistReading.lineup(bytes))
    }

    @Test func byteOrderMarkIsRemoved() throws {
        #expect(try PlaylistReading.lineup("\u{FEFF}" + Self.complete) == PlaylistReading.lineup(Self.complete))
    }

    @Test func invalidUTF8LineIsReadAsWindows1252() throws {
        // “Cinéma – €” in windows-1252, then in UTF-8.
        let name: [UInt8] = [0x43, 0x69, 0x6E, 0xE9, 0x6D, 0x61, 0x20, 0x96, 0x20, 0x80]
        let bytes =
            Array("#EXTM3U\n#EXTINF:-1,".utf8) + name
            + Array("\nhttp://e.test/1\n#EXTINF:-1,Cinéma – €\nhttp://e.test/2".utf8)
        #expect(try PlaylistReading.lineup(bytes).channels.map(\.name) == ["Cinéma – €", "Cinéma – €"])
        #expect(try PlaylistReading.findings(bytes) == ["2 badutf8 kept"])
    }

    /// Python gives the bytes: `'Россия Культура'.encode('cp1251')`, and the same in `koi8-r`.
    @Test(
        arguments: [
            [0xD0, 0xEE, 0xF1, 0xF1, 0xE8, 0xFF, 0x20, 0xCA, 0xF3, 0xEB, 0xFC, 0xF2, 0xF3, 0xF0, 0xE0],
            [0xF2, 0xCF, 0xD3, 0xD3, 0xC9, 0xD1, 0x20, 0xEB, 0xD5, 0xCC, 0xD8, 0xD4, 0xD5, 0xD2, 0xC1],
        ] as [[UInt8]], [1, 7, 1000])
    func listWithManyInvalidBytesUsesMostLikelyEncoding(_ name: [UInt8], _ size: Int) throws {
        let bytes = Array("#EXTM3U\n#EXTINF:-1,".utf8) + name + Array("\nhttp://e.test/1\n".utf8)
        var rest = bytes[...]
        let source = ChunkSource {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        var reader = PlaylistReader(source)
        #expect(try reader.readLineup(named: "list").channels.map(\.name) == ["Россия Культура"])
        #expect(reader.findings.diagnostics.map(\.keyword) == [.badutf8])
    }

    @Test func missingHeaderIsAccepted() throws {
        let lineup = try PlaylistReading.lineup("#EXTINF:-1 tvg-id=\"a\",A\nhttp://e.test/1\n")
        #expect(lineup.channels == [Channel(name: "A", guideID: "a", url: "http://e.test/1")])
    }

    @Test func entryWithOnlyURLIsRead() throws {
        let lineup = try PlaylistReading.lineup("http://e.test/1\n#EXTINF:-1,B\nb.mp4\nrtp://e.test/2")
        #expect(lineup.channels.map(\.name) == ["http://e.test/1", "B", "rtp://e.test/2"])
        #expect(lineup.channels.map(\.url) == ["http://e.test/1", "b.mp4", "rtp://e.test/2"])
    }

    @Test func concatenatedListsAreRead() throws {
        let lineup = try PlaylistReading.lineup(
            "#EXTM3U url-tvg=a\n#EXTINF:-1,A\nhttp://e.test/1\n#EXTM3U url-tvg='b' tvg-shift=1\n#EXTINF:-1,B\nhttp://e.test/2"
        )
        #expect(lineup.channels.map(\.name) == ["A", "B"])
        #expect(lineup.attributes.map(\.value) == ["a", "1"])
    }

    @Test func innerByteOrderMarksAndNoBreakSpacesAreIgnored() throws {
        let lineup = try PlaylistReading.lineup(
            "\u{FEFF}#EXTM3U\n#EXTINF:-1,A\n\u{A0}\nhttp://e.test/1\n\u{FEFF}#EXTM3U\n#EXTINF:-1,B\nhttp://e.test/2")
        #expect(lineup.channels.map(\.name) == ["A", "B"])
    }

    @Test func directiveBeforeEntryAppliesToIt() throws {
        let lineup = try PlaylistReading.lineup(
            "#EXTM3U\n#EXTGRP:G\n#EXTVLCOPT:a=1\n#EXTINF:-1,A\nhttp://e.test/1\n#EXTINF:-1,B\nhttp://e.test/2")
        #expect(lineup.channels.map(\.groups) == [["G"], []])
        #expect(lineup.channels.map(\.directives) == [["#EXTVLCOPT:a=1"], []])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func eachLineIsCountedOnce(_ end: String) throws {
        let text = ["#EXTM3U", "", "#EXTINF:-1,A", "#EXTINF:-1,B", "http://e.test/2"].joined(separator: end)
        #expect(try PlaylistReading.findings(text) == ["3 notvalid skipped"])
    }

    @Test func entryWithoutURLIsSkippedWithDiagnostic() throws {
        let text = "#EXTM3U\n#EXTINF:-1,A\n#EXTVLCOPT:a=1\n#EXTINF:-1,B\nhttp://e.test/2\n#EXTINF:-1,C\n"
        #expect(try PlaylistReading.lineup(text).channels == [Channel(name: "B", url: "http://e.test/2")])
        #expect(try PlaylistReading.findings(text) == ["2 notvalid skipped", "6 notvalid skipped"])
    }

    @Test func textWithoutDescriptionIsNotAURL() throws {
        let text = "#EXTM3U\nsome words\n#EXTINF:-1,A\nhttp://e.test/1"
        #expect(try PlaylistReading.lineup(text).channels.map(\.name) == ["A"])
        #expect(try PlaylistReading.findings(text) == ["2 notvalid skipped"])
    }

    @Test func controlCharactersBecomeSpaces() throws {
        let lineup = try PlaylistReading.lineup(
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"a\u{0}b\",A\u{1B}[31mB\u{2028}C\nhttp://e.test/1")
        #expect(lineup.channels.map(\.name) == ["A [31mB C"])
        #expect(lineup.channels.map(\.guideID) == ["a b"])
    }
}
