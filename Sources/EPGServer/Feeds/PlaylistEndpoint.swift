import EPGImport
import EPGModel
import HTTPTypes
import NIOCore

/// `/playlist.m3u`: a lineup that was imported, as ``PlayerPlaylist`` writes it, with the URL of this guide.
struct PlaylistEndpoint: Endpoint {
    static let path = "/playlist.m3u"

    private let lineup: String?
    private let host: String?

    init(_ request: inout RequestReader) throws(Problem) {
        lineup = try request.text("lineup")
        host = request.host()
        if let host {
            guard host.utf8.count <= 300, host.utf8.allSatisfy(PlaylistEndpoint.mayBeInHost) else {
                throw Problem(.badRequest, "The field Host isn't the name of a host.")
            }
        }
    }

    func answer(_ guide: GuideView) throws -> Document {
        let lineups = try lineups(of: guide.guide)
        let service = guide.site.publicAddress ?? host.map { "http://" + $0 }
        var bytes = ByteBuffer()
        try PlayerPlaylist(of: lineups, in: guide.guide)
            .write(guideAddress: service.map { $0 + "/xmltv.xml" }) { bytes.writeBytes($0) }
        return Document(MediaType("audio/x-mpegurl; charset=utf-8", isText: true), bytes)
    }

    /// The lineup that was asked for, else all of them, one behind the other.
    private func lineups(of guide: any GuideReading) throws -> [String] {
        let names = try guide.lineups()
        guard let lineup else {
            guard !names.isEmpty else {
                throw Problem.notFound("There is no lineup; import a playlist first.")
            }
            return names
        }
        guard names.contains(lineup) else {
            throw Problem.notFound("There is no lineup “\(lineup)”; /api/v1/lineups lists them.")
        }
        return [lineup]
    }

    /// Letters, digits, and what else names and addresses of hosts and ports are made of.
    private static func mayBeInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._:[]".utf8.contains(byte)
        }
    }
}
