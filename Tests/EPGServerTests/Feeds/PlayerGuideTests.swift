import EPGModel
import Foundation
import Glibc
import TestSupport
import Testing
import XMLTV

@testable import ServiceTestSupport

/// Tests of the guide that Kodi with pvr.iptvsimple shows for the playlist and the feed, compared with the grid of the
/// service.
@Suite(.serialized) struct PlayerGuideTests {
    /// Returns a guide with missing stops, overlaps and clumps. With an even seed, a second source also has some of the
    /// stations.
    private func guide(seed: UInt64) throws -> ServedGuide {
        var random = SplitMix64(state: seed)
        func listings(_ station: Int, _ source: String) -> String {
            var lines = ""
            var minute = 6 * 60 + random.next(below: 60)
            while minute < 44 * 60 {
                let length = 5 + 5 * random.next(below: 24)
                let start = time(minute)
                let stop =
                    random.next(below: 3) == 0 ? "" : " stop=\"\(time(minute + length + 10 * random.next(below: 2)))\""
                let members = random.next(below: 6) == 0 ? 2 + random.next(below: 3) : 1
                for member in 0..<members {
                    let clump = members > 1 ? " clumpidx=\"\(member)/\(members)\"" : ""
                    lines += """
                        <programme start="\(start)"\(stop)\(clump) channel="s\(station).test">\
                        <title>\(source) \(station) \(minute) \(member)</title></programme>

                        """
                }
                minute += length + (random.next(below: 8) == 0 ? 45 : 0)
            }
            return lines
        }
        func time(_ minute: Int) -> String {
            let text = String(format: "%02d%02d%02d", 24 + minute / 1440, minute / 60 % 24, minute % 60)
            return "202610\(text)00 +0000"
        }
        let icon = "<icon src=\"http://pictures.test/logo 0.png\"/>"
        let channels = (0..<5).map {
            "<channel id=\"s\($0).test\"><display-name>S\($0)</display-name>\($0 == 0 ? icon : "")</channel>"
        }.joined()
        let guide = try ServedGuide(channels + (0..<5).map { listings($0, "a") }.joined())
        if seed % 2 == 0 {
            try guide.importGuide(ServedGuide.document((2..<4).map { listings($0, "b") }.joined()), as: "b")
        }
        return guide
    }

    /// An odd and an even seed at least.
    @Test(arguments: 1...(TestScope.current >= .integration ? 8 : 2))
    func playerShowsTheSameAiringsAndTimesAsTheGrid(seed: UInt64) async throws {
        let guide = try guide(seed: seed)
        let playlist = """
            #EXTM3U tvg-shift="+2"
            #EXTINF:-1 tvg-id="s0.test",S0
            http://127.0.0.1/0
            #EXTINF:-1 tvg-id="s1.test" tvg-shift="-1.5",S1
            http://127.0.0.1/1
            #EXTINF:-1 tvg-id="s1.test" tvg-shift="-0.5",S1 an hour later
            http://127.0.0.1/1later
            #EXTINF:-1 tvg-id="s2.test" tvg-shift="0",S2
            http://127.0.0.1/2
            #EXTINF:-1 tvg-id="s3.test",S3
            http://127.0.0.1/3
            #EXTINF:-1 tvg-id="s4.test" tvg-shift="",S4
            http://127.0.0.1/4
            """
        try guide.importPlaylist(Array(playlist.utf8), named: "room")
        let (list, feed, cells) = try await RunningServer.run(guide) { server in
            let list = try await RawClient.get("/playlist.m3u", port: server.port)
            let feed = try await RawClient.get("/xmltv.xml", port: server.port)
            let grid = try await RawClient.get(
                "/api/v1/grid?from=2026-10-24T00:00:00Z&hours=96&rows=0-9", port: server.port)
            return (list.text, feed.body, grid.body)
        }
        let player = try SimplePlayer(playlist: list, guide: feed)
        let grid = Loose(try JSONSerialization.jsonObject(with: Data(cells)))
        var shown: [String: Set<SimplePlayer.Broadcast>] = [:]
        for element in grid["elements"].list where element["kind"].text == "airing" {
            let start = try #require(element["shownStart"].text ?? element["start"].text)
            let stop = try #require(element["shownStop"].text ?? element["stop"].text)
            shown[try #require(element["station"].text), default: []].insert(
                SimplePlayer.Broadcast(
                    start: try SimplePlayer.seconds(start), stop: try SimplePlayer.seconds(stop),
                    title: try #require(element["title"].text)))
        }
        #expect(shown.values.map(\.count).reduce(0, +) > 150)
        expectEqual(player.channels.map(\.name), ["S0", "S1", "S1 an hour later", "S2", "S3", "S4"])
        for channel in player.channels where channel.name != "S1 an hour later" {
            expectEqual(channel.broadcasts, shown[channel.guideID], "\(channel.name)")
        }
        // The second channel of the station shows everything one hour later than the first one.
        let later = Set(try #require(shown["s1.test"]).map { $0.shifted(by: 3600) })
        expectEqual(player.channels[2].broadcasts, later)
        expectEqual(player.channels.map(\.logo), ["http://pictures.test/logo%200.png", "", "", "", "", ""])
    }

    @Test func logoOfThePlaylistTakesPrecedenceOverTheIconOfTheGuide() async throws {
        let guide = try guide(seed: 1)
        let playlist =
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"s0.test\" tvg-logo=\"http://own.test/1.png\",S0\nhttp://127.0.0.1/0\n"
        try guide.importPlaylist(Array(playlist.utf8), named: "room")
        let response = try await RunningServer.run(guide) { try await RawClient.get("/playlist.m3u", port: $0.port) }
        expectText(response.text, contains: ["tvg-logo=\"http://own.test/1.png\""], lacks: ["pictures.test"])
    }
}

/// A playlist and a guide as Kodi 20 loads them with pvr.iptvsimple (`src/iptvsimple/PlaylistLoader.cpp`, `Epg.cpp`,
/// `data/EpgEntry.cpp`, `data/ChannelEpg.cpp`; Kodi's `pvr/epg/EpgTagsContainer.cpp`).
///
/// * A programme without `start` or without `stop` is skipped.
/// * Of several programmes of a channel with the same start, the last one is kept.
/// * `tvg-shift` of the channel, or else of the header, is added in hours.
/// * A programme that ends no later than its predecessor is deleted; otherwise its start ends the predecessor.
private struct SimplePlayer {
    struct Broadcast: Hashable {
        var start: Int64
        var stop: Int64
        var title: String

        func shifted(by seconds: Int64) -> Broadcast {
            Broadcast(start: start + seconds, stop: stop + seconds, title: title)
        }
    }

    struct Channel {
        let name: String
        let guideID: String
        let logo: String
        let broadcasts: Set<Broadcast>
    }

    private(set) var channels: [Channel] = []

    init(playlist: String, guide: [UInt8]) throws {
        var entries: [String: [Int64: Broadcast]] = [:]
        var reader = XMLTVReader(ChunkSource(guide))
        while let record = try reader.next() {
            let element = reader.element
            guard record == .programme, let start = element[attribute: "start"], let stop = element[attribute: "stop"],
                let channel = element[attribute: "channel"]
            else { continue }
            let begin = try Self.seconds(start)
            entries[channel.lowercased(), default: [:]][begin] = Broadcast(
                start: begin, stop: try Self.seconds(stop), title: element.child("title")?.text ?? "")
        }
        var shared = 0.0
        for line in playlist.split(separator: "\n") {
            if line.hasPrefix("#EXTM3U") { shared = Double(Self.value("tvg-shift", line)) ?? 0 }
            guard line.hasPrefix("#EXTINF:") else { continue }
            let own = Self.value("tvg-shift", line)
            let shift = Int64((own.isEmpty ? shared : Double(own) ?? 0) * 3600)
            let id = Self.value("tvg-id", line)
            let kept = entries[id.lowercased(), default: [:]].values.map { $0.shifted(by: shift) }
            channels.append(
                Channel(
                    name: String(line.split(separator: ",").last ?? ""), guideID: id,
                    logo: Self.value("tvg-logo", line), broadcasts: Set(Self.withoutOverlaps(kept))))
        }
    }

    private static func withoutOverlaps(_ broadcasts: [Broadcast]) -> [Broadcast] {
        var kept: [Broadcast] = []
        for broadcast in broadcasts.sorted(by: { $0.start < $1.start }) {
            if let last = kept.last, last.stop >= broadcast.stop { continue }
            if let last = kept.last, last.stop > broadcast.start { kept[kept.count - 1].stop = broadcast.start }
            kept.append(broadcast)
        }
        return kept
    }

    private static func value(_ name: String, _ line: Substring) -> String {
        guard let start = line.range(of: name + "=\"") else { return "" }
        return String(line[start.upperBound...].prefix { $0 != "\"" })
    }

    /// Parses a time in UTC, such as `20261024180000 +0000` or `2026-10-24T18:00:00Z`.
    static func seconds(_ time: String) throws -> Int64 {
        let digits = time.compactMap(\.wholeNumberValue)
        try #require(time.hasSuffix("Z") || time.hasSuffix(" +0000"), "\(time)")
        try #require(digits.count == 14 || time.hasSuffix(" +0000") && digits.count == 18, "\(time)")
        func number(_ range: Range<Int>) -> Int32 { Int32(digits[range].reduce(0) { 10 * $0 + $1 }) }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (number(0..<4) - 1900, number(4..<6) - 1, number(6..<8))
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (number(8..<10), number(10..<12), number(12..<14))
        let written = fields
        let seconds = timegm(&fields)
        // The function accepts any number and returns the fields of a valid date.
        let isDate = fields.tm_mon == written.tm_mon && fields.tm_mday == written.tm_mday
        let isTime =
            fields.tm_hour == written.tm_hour && fields.tm_min == written.tm_min && fields.tm_sec == written.tm_sec
        try #require(isDate && isTime, "\(time)")
        return Int64(seconds)
    }
}

/// A SplitMix64 random number generator, which returns the same numbers in every run.
private struct SplitMix64 {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
