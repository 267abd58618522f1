import EPGImport
import EPGModel
import Foundation
import TestSupport
import XMLTV

/// Reads playlists for tests.
enum PlaylistReading {
    /// Returns the lineup of a playlist in UTF-8.
    static func lineup(_ text: String, limits: PlaylistLimits = .standard) throws -> Lineup {
        try lineup(Array(text.utf8), limits: limits)
    }

    static func lineup(_ bytes: [UInt8], limits: PlaylistLimits = .standard) throws -> Lineup {
        var reader = PlaylistReader(ChunkSource(bytes), limits: limits)
        return try reader.readLineup(named: "list")
    }

    /// Returns the only channel of a list with this `#EXTINF` line and a URL.
    static func channel(_ line: String) throws -> Channel? {
        let lineup = try lineup("#EXTM3U\n\(line)\nhttp://example.test/1\n")
        return lineup.channels.count == 1 ? lineup.channels.first : nil
    }

    /// Returns the line, keyword, and action of each finding: `2 notvalid skipped`.
    static func findings(_ text: String, limits: PlaylistLimits = .standard) throws -> [String] {
        try findings(Array(text.utf8), limits: limits)
    }

    static func findings(_ bytes: [UInt8], limits: PlaylistLimits = .standard) throws -> [String] {
        var reader = PlaylistReader(ChunkSource(bytes), limits: limits)
        _ = try reader.readLineup(named: "list")
        return reader.findings.diagnostics.map { "\($0.line) \($0.keyword.rawValue) \($0.action.rawValue)" }
    }

    static func error(_ text: String, limits: PlaylistLimits = .standard) -> PlaylistError? {
        do {
            _ = try lineup(text, limits: limits)
            return nil
        } catch {
            return error as? PlaylistError
        }
    }
}

/// A published playlist with its guide.
struct RealPlaylist: Sendable, CustomStringConvertible {
    /// The path within the folder of real guides.
    let name: String
    let guide: String?

    var description: String { name }

    static let all = [
        RealPlaylist(name: "BurningC4_Chinese-IPTV/TV-IPV4.m3u", guide: "BurningC4_Chinese-IPTV/guide.xml.gz"),
        RealPlaylist(name: "decovn_Viet-Simpletv/playlist.m3u", guide: "decovn_Viet-Simpletv/xmltv.xml"),
        RealPlaylist(name: "erandrory_droryIptv/keshet.m3u8", guide: "erandrory_droryIptv/xmltv.xml"),
        RealPlaylist(name: "xteve-project_xTeVe/src/internal/m3u-parser/test_list_1.m3u", guide: nil),
    ]

    func text() throws -> String {
        try String(contentsOf: PackageFiles.sharedData.appending(path: name), encoding: .utf8)
    }

    /// Returns the stations of its guide, found by a regular expression instead of the reader.
    func stations() throws -> [Station] {
        guard let guide else { return [] }
        let text = String(decoding: try RealGuide.bytes(of: guide), as: UTF8.self)
        return text.matches(of: /<channel id="([^"]*)">\s*<display-name[^>]*>([^<]*)</).map { match in
            Station(id: StationID(String(match.1)), displayNames: [LocalizedText(String(match.2))])
        }
    }
}
