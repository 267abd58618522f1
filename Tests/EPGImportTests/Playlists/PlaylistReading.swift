import EPGImport
import EPGModel
import XMLTV

/// Reads playlists for tests.
enum PlaylistReading {
    /// A playlist in UTF-8.
    static func lineup(_ text: String, limits: PlaylistLimits = .standard) throws -> Lineup {
        try lineup(Array(text.utf8), limits: limits)
    }

    static func lineup(_ bytes: [UInt8], limits: PlaylistLimits = .standard) throws -> Lineup {
        var reader = PlaylistReader(ChunkSource(bytes), limits: limits)
        return try reader.readLineup(named: "list")
    }

    /// The only channel of a list that has this `#EXTINF` line and an address.
    static func channel(_ line: String) throws -> Channel? {
        let lineup = try lineup("#EXTM3U\n\(line)\nhttp://example.test/1\n")
        return lineup.channels.count == 1 ? lineup.channels.first : nil
    }

    /// Line, keyword and action of what is found: `2 notvalid skipped`.
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
