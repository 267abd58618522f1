import EPGModel
import Foundation

/// A playlist as it is published, with the guide that belongs to it.
struct RealPlaylist: Sendable, CustomStringConvertible {
    /// Below the folder of real guides.
    let name: String
    let guide: String?

    var description: String { name }

    static let all =
        RealGuide.isThere
        ? [
            RealPlaylist(
                name: "BurningC4_Chinese-IPTV/TV-IPV4.m3u", guide: "BurningC4_Chinese-IPTV/guide.xml.gz"),
            RealPlaylist(name: "decovn_Viet-Simpletv/playlist.m3u", guide: "decovn_Viet-Simpletv/xmltv.xml"),
            RealPlaylist(name: "erandrory_droryIptv/keshet.m3u8", guide: "erandrory_droryIptv/xmltv.xml"),
            RealPlaylist(name: "xteve-project_xTeVe/src/internal/m3u-parser/test_list_1.m3u", guide: nil),
        ] : []

    func text() throws -> String {
        try String(contentsOf: RealGuide.folder.appending(path: name), encoding: .utf8)
    }

    /// The stations of its guide, told by a pattern instead of our reader.
    func stations() throws -> [Station] {
        guard let guide else { return [] }
        let text = String(decoding: try RealGuide.bytes(of: guide), as: UTF8.self)
        return text.matches(of: /<channel id="([^"]*)">\s*<display-name[^>]*>([^<]*)</).map { match in
            Station(id: StationID(String(match.1)), displayNames: [LocalizedText(String(match.2))])
        }
    }
}
