import EPGImport
import EPGModel
import TestSupport
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
        expectEqual(lineup.name, "list")
        expectEqual(
            lineup.attributes.map { "\($0.name)=\($0.value)" },
            [
                "x-tvg-url=http://example.test/guide.xml.gz", "tvg-shift=+2", "Own=a b",
            ])
        expectEqual(
            lineup.channels,
            [
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
        try expectEmpty(PlaylistReading.findings(Self.complete))
    }

    /// A list, its channels, and the findings.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let channels: [Channel]
        /// The findings; `nil` for any.
        let findings: [String]?

        init(_ rule: String, _ text: String, _ channels: [Channel], findings: [String]? = nil) {
            (testDescription, self.text, self.channels, self.findings) = (rule, text, channels, findings)
        }
    }

    static let rows: [Row] = [
        Row(
            "missing header is accepted", "#EXTINF:-1 tvg-id=\"a\",A\nhttp://e.test/1\n",
            [Channel(name: "A", guideID: "a", url: "http://e.test/1")]),
        Row(
            "entry with only a URL is read", "http://e.test/1\n#EXTINF:-1,B\nb.mp4\nrtp://e.test/2",
            [
                Channel(name: "http://e.test/1", url: "http://e.test/1"), Channel(name: "B", url: "b.mp4"),
                Channel(name: "rtp://e.test/2", url: "rtp://e.test/2"),
            ]),
        Row(
            "name and quote contain no password",
            "#EXTM3U\n#EXTINF:-1,\nhttp://u:secret@e.test:80/live/viewer/secret/1.ts?token=secret\nwords http://u:secret@e.test/secret x\n",
            [
                Channel(
                    name: "http://e.test:80/…/1.ts",
                    url: "http://u:secret@e.test:80/live/viewer/secret/1.ts?token=secret")
            ], findings: ["4 notvalid skipped"]),
        Row(
            "inner byte order marks and no-break spaces are ignored",
            "\u{FEFF}#EXTM3U\n#EXTINF:-1,A\n\u{A0}\nhttp://e.test/1\n\u{FEFF}#EXTM3U\n#EXTINF:-1,B\nhttp://e.test/2",
            twoChannels),
        Row(
            "directive before an entry applies to it",
            "#EXTM3U\n#EXTGRP:G\n#EXTVLCOPT:a=1\n#EXTINF:-1,A\nhttp://e.test/1\n#EXTINF:-1,B\nhttp://e.test/2",
            [
                Channel(name: "A", groups: ["G"], url: "http://e.test/1", directives: ["#EXTVLCOPT:a=1"]),
                twoChannels[1],
            ]),
        Row(
            "entry without a URL is skipped with a diagnostic",
            "#EXTM3U\n#EXTINF:-1,A\n#EXTVLCOPT:a=1\n#EXTINF:-1,B\nhttp://e.test/2\n#EXTINF:-1,C\n", [twoChannels[1]],
            findings: ["2 notvalid skipped", "6 notvalid skipped"]),
        Row(
            "text without a description is not a URL", "#EXTM3U\nsome words\n#EXTINF:-1,A\nhttp://e.test/1",
            [twoChannels[0]], findings: ["2 notvalid skipped"]),
        Row(
            "control characters become spaces",
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"a\u{0}b\",A\u{1B}[31mB\u{2028}C\nhttp://e.test/1",
            [Channel(name: "A [31mB C", guideID: "a b", url: "http://e.test/1")]),
    ]
    static let twoChannels = [
        Channel(name: "A", url: "http://e.test/1"), Channel(name: "B", url: "http://e.test/2"),
    ]

    @Test(arguments: rows) func unusualListIsRead(_ row: Row) throws {
        try expectEqual(PlaylistReading.lineup(row.text).channels, row.channels)
        if let findings = row.findings { try expectEqual(PlaylistReading.findings(row.text), findings) }
    }

    @Test func concatenatedListsAreRead() throws {
        let lineup = try PlaylistReading.lineup(
            "#EXTM3U url-tvg=a\n#EXTINF:-1,A\nhttp://e.test/1\n#EXTM3U url-tvg='b' tvg-shift=1\n#EXTINF:-1,B\nhttp://e.test/2"
        )
        expectEqual(lineup.channels.map(\.name), ["A", "B"])
        expectEqual(lineup.attributes.map(\.value), ["a", "1"])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func anyLineTerminatorIsAccepted(_ end: String) throws {
        let text = Self.complete.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
        try expectEqual(PlaylistReading.lineup(text), PlaylistReading.lineup(Self.complete))
        try expectEqual(PlaylistReading.lineup(text + end), PlaylistReading.lineup(Self.complete))
        try expectEqual(PlaylistReading.lineup("\u{FEFF}" + text), PlaylistReading.lineup(Self.complete))
        // Each line is counted once.
        let gap = ["#EXTM3U", "", "#EXTINF:-1,A", "#EXTINF:-1,B", "http://e.test/2"].joined(separator: end)
        try expectEqual(PlaylistReading.findings(gap), ["3 notvalid skipped"])
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
        try expectEqual(reader.readLineup(named: "list"), PlaylistReading.lineup(bytes))
    }

    @Test func invalidUTF8LineIsReadAsWindows1252() throws {
        // “Cinéma – €” in windows-1252, then in UTF-8.
        let name: [UInt8] = [0x43, 0x69, 0x6E, 0xE9, 0x6D, 0x61, 0x20, 0x96, 0x20, 0x80]
        let bytes =
            Array("#EXTM3U\n#EXTINF:-1,".utf8) + name
            + Array("\nhttp://e.test/1\n#EXTINF:-1,Cinéma – €\nhttp://e.test/2".utf8)
        try expectEqual(PlaylistReading.lineup(bytes).channels.map(\.name), ["Cinéma – €", "Cinéma – €"])
        try expectEqual(PlaylistReading.findings(bytes), ["2 badutf8 kept"])
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
        try expectEqual(reader.readLineup(named: "list").channels.map(\.name), ["Россия Культура"])
        expectEqual(reader.findings.diagnostics.map(\.keyword), [.badutf8])
    }

}
