package import EPGModel

/// Matches as the user said, else by the identifier, byte for byte: enough to test what the store does with matches.
package struct TableMatcher: ChannelMatching {
    package init() {}

    package func matches(
        of channels: [Channel], among stations: [Station], mappings: [String: StationID]
    ) -> [ChannelMatch?] {
        let known = Set(stations.map(\.id))
        return channels.map { channel in
            if let station = mappings[channelKey(channel)] { return ChannelMatch(station: station, rule: .mapping) }
            guard let id = channel.guideID.map({ StationID($0) }), known.contains(id) else { return nil }
            return ChannelMatch(station: id, rule: .exactID)
        }
    }

    private func channelKey(_ channel: Channel) -> String { channel.guideID ?? channel.name }
}

extension Lineup {
    /// A lineup of lines such as `one 7.1`: the station's identifier, and a number or nothing.
    package init(_ name: String, _ lines: [String]) {
        self.init(
            name: name,
            channels: lines.map { line in
                let words = line.split(separator: " ").map(String.init)
                return Channel(
                    name: line, number: words.count > 1 ? ChannelNumber(words[1]) : nil, guideID: words.first,
                    url: "http://stream.test/\(words.first ?? "")")
            })
    }
}
