package import EPGModel

/// Lineups as a playlist for players that take their guide from the same store.
///
/// It differs from the lineups that were imported so that a player shows what the guide shows:
/// * A channel that shows a station has that station's identifier, and its first icon, percent-encoded, if it has no logo.
/// * `tvg-shift` counts from the station's row in the guide. Players add it to the times of the guide, and the grid shows
///   those times on the row of the first channel that shows the station (by the lineup's name and the place in it). So
///   that channel gets no shift, and another one (a "+1" channel) gets the difference to it. A shift in a header is
///   moved to the channels.
package struct PlayerPlaylist: Sendable {
    private var merged = Lineup(name: "")
    private var matches: [ChannelMatch?] = []

    /// - Parameter names: Those of the lineups, in the order in which they are written; names that aren't there are passed
    ///   over.
    package init(of names: [String], in guide: some GuideReading) throws {
        /// In seconds, of the first channel of each station.
        var shifts: [StationID: Int] = [:]
        var found: [String: (lineup: Lineup, matches: [ChannelMatch?])] = [:]
        for name in try guide.lineups() {
            guard let (lineup, matches) = try guide.lineup(named: name) else { continue }
            for (channel, match) in zip(lineup.channels, matches) {
                guard let station = match?.station, shifts[station] == nil else { continue }
                shifts[station] = channel.shift(in: lineup)
            }
            if names.contains(name) { found[name] = (lineup, matches) }
        }
        let wanted = Set(found.values.flatMap { $0.matches.compactMap { $0?.station } }).sorted()
        var icons: [StationID: String] = [:]
        for row in try wanted.compactMap({ try guide.station($0) }) { icons[row.station.id] = row.station.playerIcon }
        for name in names {
            guard let (lineup, matches) = found[name] else { continue }
            if names.count == 1 {
                merged.attributes = lineup.attributes.filter { $0.name != PlaylistAttribute.shift }
            }
            for (index, channel) in lineup.channels.enumerated() {
                let match = index < matches.count ? matches[index] : nil
                var channel = channel
                let own = channel.shift(in: lineup)
                Self.set(&channel, shift: own - (match.flatMap { shifts[$0.station] } ?? 0))
                channel.logo = channel.logo ?? match.flatMap { icons[$0.station] }
                merged.channels.append(channel)
                self.matches.append(match)
            }
        }
    }

    /// Writes the playlist in pieces of a few dozen kilobytes.
    ///
    /// - Parameters:
    ///   - guideAddress: The URL of the guide; `nil` leaves what the only lineup says.
    ///   - send: Takes the next piece.
    package func write(guideAddress: String? = nil, to send: ([UInt8]) throws -> Void) rethrows {
        try PlaylistWriter.write(merged, matches: matches, guideAddress: guideAddress, to: send)
    }

    /// Replaces the shift of a channel.
    private static func set(_ channel: inout Channel, shift: Int) {
        channel.attributes.removeAll { $0.name == PlaylistAttribute.shift }
        guard shift != 0 else { return }
        let hours = shift % 3600 == 0 ? "\(shift / 3600)" : "\(Double(shift) / 3600)"
        channel.attributes.append(
            ContentAttribute(name: PlaylistAttribute.shift, value: shift > 0 ? "+" + hours : hours))
    }
}

extension Station {
    /// The first icon with a URL, percent-encoded.
    fileprivate var playerIcon: String? { icons.lazy.map(\.source.percentEncodedURL).first { !$0.isEmpty } }
}
