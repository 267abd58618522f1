import EPGImport
import EPGModel
import TestSupport
import Testing
import XMLTV

/// Tests of rejected playlists and size limits.
@Suite struct PlaylistLimitTests {
    @Test(arguments: [
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:5\n#EXTINF:10,\n5.ts\n",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1280000\nhttp://e.test/low.m3u8\n",
        "#EXTM3U\n#EXTINF:10.0,\n5.ts\n#EXT-X-ENDLIST\n",
    ])
    func playlistOfSingleStreamIsRejected(_ text: String) {
        expectEqual(PlaylistReading.error(text)?.reason, .streamPlaylist)
    }

    @Test func streamTagsInAListOfChannelsAreSkipped() throws {
        let text =
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"a\",A\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:1\nhttp://e.test/1"
        let lineup = try PlaylistReading.lineup(text)
        expectEqual(lineup.channels.map(\.directives), [["#EXT-X-PLAYLIST-TYPE:VOD"]])
        try expectEqual(PlaylistReading.findings(text), ["4 notvalid skipped"])
    }

    @Test(arguments: [
        ("<!DOCTYPE html>\n<html>", PlaylistError.Reason.htmlPage), ("\n  <HTML><body>", .htmlPage),
        ("<?xml version=\"1.0\"?>\n<tv></tv>", .notPlaylist), ("{\"a\": \"http://e.test\"}", .notPlaylist),
        ("some text\nhttp://e.test/1", .notPlaylist), ("", .noChannels), ("#EXTM3U\n\n# nothing\n", .noChannels),
        ("#EXTM3U\n#EXTINF:-1,A\n", .noChannels), ("# only\n# comments", .noChannels),
    ])
    func fileThatIsNotAChannelListIsRejected(_ text: String, _ reason: PlaylistError.Reason) {
        expectEqual(PlaylistReading.error(text)?.reason, reason)
    }

    @Test func errorHasLineAndAdvice() throws {
        let error = try #require(PlaylistReading.error("\n\n<html>"))
        expectEqual(
            error.description,
            "line 3: this is an HTML page, not a playlist; its URL may require a login or be out of date")
    }

    /// The maximum length of a line, a list, its channels, and the findings.
    struct LineRow: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let lineLength: Int
        let text: String
        let channels: [Channel]
        var findings: [String]?
    }

    private static let fits = "#EXTINF:-1," + String(repeating: "n", count: 100 - 11)
    private static let long = "#EXTINF:-1," + String(repeating: "n", count: 30)
    private static let option = "#EXTVLCOPT:123456789"

    static let lineRows: [LineRow] = [
        LineRow(
            testDescription: "line above the limit is skipped with its URL", lineLength: 100,
            text: "#EXTM3U\n\(fits)\nhttp://e.test/1\n\(fits)n\nhttp://e.test/2\n#EXTINF:-1,C\nhttp://e.test/3\n",
            channels: [
                Channel(name: String(fits.dropFirst(11)), url: "http://e.test/1"),
                Channel(name: "C", url: "http://e.test/3"),
            ], findings: ["4 notvalid skipped", "5 notvalid skipped"]),
        LineRow(
            testDescription: "entry after an oversized entry is read", lineLength: 30,
            text: "#EXTM3U\n\(long)\n#EXTVLCOPT:a=1\n#EXTINF:-1,B\nhttp://e.test/2\n",
            channels: [Channel(name: "B", url: "http://e.test/2")]),
        LineRow(
            testDescription: "oversized URL skips its entry", lineLength: 30,
            text: "#EXTM3U\n#EXTINF:-1,A\nhttp://e.test/1234567890123456789012345678901234567890\nhttp://e.test/2\n",
            channels: [Channel(name: "http://e.test/2", url: "http://e.test/2")]),
        LineRow(
            testDescription: "lines of an entry share one limit", lineLength: 50,
            text: "#EXTINF:-1,A\n\(option)\n\(option)\nhttp://e.test/1",
            channels: [Channel(name: "A", url: "http://e.test/1", directives: [option])],
            findings: ["3 notvalid skipped"]),
    ]

    @Test(arguments: lineRows) func lengthOfLinesIsLimited(_ row: LineRow) throws {
        var limits = PlaylistLimits()
        limits.lineLength = row.lineLength
        try expectEqual(PlaylistReading.lineup(row.text, limits: limits).channels, row.channels)
        if let findings = row.findings {
            try expectEqual(PlaylistReading.findings(row.text, limits: limits), findings)
        }
    }

    @Test func numberOfEntriesAndLengthOfFileAreLimited() {
        let entry = "#EXTINF:-1,A\nhttp://e.test/1\n"
        var limits = PlaylistLimits()
        limits.entries = 2
        expectEqual(PlaylistReading.error(entry + entry, limits: limits)?.reason, nil)
        expectEqual(PlaylistReading.error(entry + entry + entry, limits: limits)?.reason, .tooManyEntries(2))
        limits = PlaylistLimits()
        limits.fileLength = 40
        expectEqual(PlaylistReading.error(entry, limits: limits)?.reason, nil)
        expectEqual(PlaylistReading.error(entry + "#\n#\n#\n#\n#\n#\n", limits: limits)?.reason, .tooLong(40))
    }

    @Test func partsOfAnEntryAndDiagnosticsAreBounded() throws {
        var limits = PlaylistLimits()
        limits.partsPerEntry = 3
        limits.diagnostics = 2
        let attributes = (1...9).map { "a\($0)=\"\($0)\"" }.joined(separator: " ")
        let groups = (1...9).map { "g\($0)" }.joined(separator: ";")
        let options = (1...9).map { "#EXTVLCOPT:\($0)\n" }.joined()
        let text = "#EXTM3U \(attributes)\n#EXTINF:-1 \(attributes),A\n#EXTGRP:\(groups)\n\(options)http://e.test/1"
        var reader = PlaylistReader(ChunkSource(Array(text.utf8)), limits: limits)
        let lineup = try reader.readLineup(named: "list")
        let channel = try #require(lineup.channels.first)
        expectEqual(lineup.attributes.count, 3)
        expectEqual([channel.attributes.count, channel.groups.count, channel.directives.count], [3, 3, 3])
        // Two lines with too many attributes, and six directives too many.
        expectEqual(reader.findings.counts, [.notvalid: 8])
        expectEqual(reader.findings.diagnostics.count, 2)
    }

    /// Lines for which a naive scanner would repeatedly rescan the rest of the line.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "a=\"", "a=\"b ", "a='b \"", "a=\"\" ", "\" ", "' a=", "a=\"b c=", "a = ", "a=b c ", ", a=\"", ",", "=",
            "\"=\"", "$", "x=\"'", " \"", "a:", "  ",
        ])
    func hostileLinesTakeLinearTime(_ piece: String) throws {
        let length = TestScope.current >= .integration ? 1 << 16 : 1 << 14
        for end in ["", ",Name", "\""] {
            func seconds(_ length: Int) throws -> Double {
                let line = "#EXTINF:-1 " + String(repeating: piece, count: length / piece.utf8.count) + end
                return try ProcessorTime.seconds {
                    try expectEqual(PlaylistReading.lineup(line + "\nhttp://e.test/1").channels.count, 1)
                }
            }
            // For sixteen times the length, linear work takes sixteen times as long and quadratic work 256 times.
            let (part, whole) = (try seconds(length / 16), try seconds(length))
            #expect(whole < 100 * max(part, 0.001), "before \(end): \(part) s")
        }
    }

    @Test func anyBytesGiveChannelsOrAnError() {
        var generator = SplitMix(state: 11)
        let pieces: [[UInt8]] =
            [
                "#EXTM3U", "#EXTINF:-1 ", "tvg-id=", "\"", "'", ",", "\n", "\r", "http://e.test/", "#EXTGRP:", " ", "=",
                "a", "é",
                "#EXT-X-", ";", "tvg-chno=\"", "1.", "\u{FEFF}", "#KODIPROP:x",
            ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x00], [0x80]]
        for _ in 0..<(TestScope.current >= .integration ? TestScope.cases(2000) : 60) {
            var bytes = Array("#EXTINF:-1,A\nhttp://e.test/0\n".utf8)
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                bytes += pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
            do {
                #expect(try !PlaylistReading.lineup(bytes).channels.isEmpty)
            } catch {
                #expect(error is PlaylistError)
            }
        }
    }
}

/// Pseudorandom numbers that are the same in every run (Steele, Lea, Flood: SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
