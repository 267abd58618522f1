import EPGImport
import EPGModel
import EPGStore

/// A lineup on its way out, with the stations that its channels show.
struct LineupExport {
    private let lineup: Lineup
    private let matches: [ChannelMatch?]

    /// - Parameters:
    ///   - name: The lineup's name; `nil` for the only one.
    ///   - guide: The guide that holds it.
    init(_ name: String?, in guide: GuideStore) throws {
        let names = try guide.lineups()
        guard let chosen = name ?? names.first else {
            throw CommandFailure(
                .noInput, "There is no lineup to write. Import a playlist first: “epg import channels.m3u”.")
        }
        let known = names.map { "“\($0)”" }.joined(separator: ", ")
        guard name != nil || names.count == 1 else {
            throw CommandFailure(.usage, "There are several lineups: \(known). Name one with --lineup.")
        }
        guard let lineup = try guide.lineup(named: chosen) else {
            throw CommandFailure(
                .noInput,
                "There is no lineup “\(chosen)”. " + (names.isEmpty ? "None was imported." : "There are: \(known)."))
        }
        self.lineup = lineup
        matches = try guide.channelMatches(ofLineup: chosen)
    }

    /// Writes the lineup as a playlist; a channel whose station was found gets that station's identifier.
    func write(to sink: ExportSink) throws {
        try PlaylistWriter.write(lineup, matches: matches, to: sink)
    }
}
