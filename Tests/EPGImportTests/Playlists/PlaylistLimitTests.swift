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
        #expect(PlaylistReading.error(text)?.reason == .streamPlaylist)
    }

    @Test func streamTagsInAListOfChannelsAreSkipped() throws {
        let text =
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"a\",A\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:1\nhttp://e.test/1"
        let lineup = try PlaylistReading.lineup(text)
        #expect(lineup.channels.map(\.directives) == [["#EXT-X-PLAYLIST-TYPE:VOD"]])
        #expect(try PlaylistReading.findings(text) == ["4 notvalid skipped"])
    }

    @Test(arguments: [
        ("<!DOCTYPE html>\n<html>", PlaylistError.Reason.htmlPage), ("\n  <HTML><body>", .htmlPage),
        ("<?xml version=\"1.0\"?>\n<tv></tv>", .notPlaylist), ("{\"a\": \"http://e.test\"}", .notPlaylist),
        ("some text\nhttp://e.test/1", .notPlaylist), ("", .noChannels), ("#EXTM3U\n\n# nothing\n", .noChannels),
        ("#EXTM3U\n#EXTINF:-1,A\n", .noChannels), ("# only\n# comments", .noChannels),
    ])
    func fileThatIsNotAChannelListIsRejected(_ text: String, _ reason: PlaylistError.Reason) {
        #expect(PlaylistReading.error(text)?.reason == reason)
    }

    @Test func errorHasLineAndAdvice() throws {
        let error = try #require(PlaylistReading.error("\n\n<html>"))
        #expect(
            error.description
                == "line 3: this is an HTML page, not a playlist; its URL may require a login or be out of date")
    }

    @Test func lineAboveLimitIsSkippedWithItsURL() throws {
        var limits = PlaylistLimits()
        limits.lineLength = 100
        let fits = "#EXTINF:-1," + String(repeating: "n", count: 100 - 11)
        let text = "#EXTM3U\n\(fits)\nhttp://e.test/1\n\(fits)n\nhttp://e.test/2\n#EXTINF:-1,C\nhttp://e.test/3\n"
        #expect(
            try PlaylistReading.lineup(text, limits: limits).channels.map(\.url) == [
                "http://e.test/1", "http://e.test/3",
            ])
        #expect(
            try PlaylistReading.findings(text, limits: limits) == ["4 notvalid skipped", "5 notvalid skipped"])
    }

    @Test func entryAfterOversizedEntryIsRead() throws {
        var limits = PlaylistLimits()
        limits.lineLength = 30
        let long = "#EXTINF:-1," + String(repeating: "n", count: 30)
        let text = "#EXTM3U\n\(long)\n#EXTVLCOPT:a=1\n#EXTINF:-1,B\nhttp://e.test/2\n"
        #expect(
            try PlaylistReading.lineup(text, limits: limits).channels == [
                Channel(name: "B", url: "http://e.test/2")
            ])
    }

    @Test func oversizedURLSkipsItsEntry() throws {
        var limits = PlaylistLimits()
        limits.lineLength = 30
        let text = "#EXTM3U\n#EXTINF:-1,A\nhttp://e.test/1234567890123456789012345678901234567890\nhttp://e.test/2\n"
        #expect(try PlaylistReading.lineup(text, limits: limits).channels.map(\.name) == ["http://e.test/2"])
    }

    @Test func linesOfAnEntryShareOneLimit() throws {
        var limits = PlaylistLimits()
        limits.lineLength = 50
        let option = "#EXTVLCOPT:123456789"
        let text = "#EXTINF:-1,A\n\(option)\n\(option)\nhttp://e.test/1"
        #expect(try PlaylistReading.lineup(text, limits: limits).channels.map(\.directives) == [[option]])
        #expect(try PlaylistReading.findings(text, limits: limits) == ["3 notvalid skipped"])
    }

    @Test func moreEntriesThanAllowedAreAnError() {
        var limits = PlaylistLimits()
        limits.entries = 2
        let entry = "#EXTINF:-1,A\nhttp://e.test/1\n"
        #expect(PlaylistReading.error(entry + entry, limits: limits) == nil)
        #expect(PlaylistReading.error(entry + entry + entry, limits: limits)?.reason == .tooManyEntries(2))
    }

    @Test func longerFileThanAllowedIsAnError() {
        var limits = PlaylistLimits()
        limits.fileLength = 40
        #expect(PlaylistReading.error("#EXTINF:-1,A\nhttp://e.test/1\n", limits: limits) == nil)
        #expect(
            PlaylistReading.error("#EXTINF:-1,A\nhttp://e.test/1\n#\n#\n#\n#\n#\n#\n", limits: limits)?.reason
                == .tooLong(40))
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
        #expect(lineup.attributes.count == 3)
        #expect([channel.attributes.count, channel.groups.count, channel.directives.count] == [3, 3, 3])
        // Two lines with too many attributes, and six directives too many.
        #expect(reader.findings.counts == [.notvalid: 8])
        #expect(reader.findings.diagnostics.count == 2)
    }

    /// Lines for which a naive scanner would repeatedly rescan the rest of the line.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "a=\"", "a=\"b ", "a='b \"", "a=\"\" ", "\" ", "' a=", "a=\"b c=", "a = ", "a=b c ", ", a=\"", ",", "=",
            "\"=\"",
            "$", "x=\"'", " \"", "a:", "  ",
        ])
    func hostileLinesTakeLinearTime(_ piece: String) throws {
        let count = (1 << 16) / piece.utf8.count
        for end in ["", ",Name", "\""] {
            let line = "#EXTINF:-1 " + String(repeating: piece, count: count) + end
            let lineup = try PlaylistReading.lineup(line + "\nhttp://e.test/1")
            #expect(lineup.channels.count == 1)
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
        for _ in 0..<TestScope.cases(2000) {
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
