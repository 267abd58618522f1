import EPGImport
import EPGModel

/// A lineup on its way out, with the stations that its channels show.
struct LineupExport {
    private let playlist: PlayerPlaylist

    /// - Parameters:
    ///   - name: The lineup's name; `nil` for the only one.
    ///   - guide: The guide that holds it.
    init(_ name: String?, in guide: any GuideReading) throws {
        let names = try guide.lineups()
        guard let chosen = name ?? names.first else {
            throw CommandFailure(
                .noInput, "There is no lineup to write. Import a playlist first: “epg import channels.m3u”.")
        }
        let known = names.map { "“\($0)”" }.joined(separator: ", ")
        guard name != nil || names.count == 1 else {
            throw CommandFailure(.usage, "There are several lineups: \(known). Name one with --lineup.")
        }
        guard names.contains(chosen) else {
            throw CommandFailure(
                .noInput,
                "There is no lineup “\(chosen)”. " + (names.isEmpty ? "None was imported." : "There are: \(known)."))
        }
        playlist = try PlayerPlaylist(of: [chosen], in: guide)
    }

    /// Writes the lineup as a playlist for players, see ``PlayerPlaylist``.
    func write(to sink: ExportSink) throws {
        try playlist.write(to: sink)
    }
}
