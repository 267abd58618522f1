package import EPGModel

/// A matcher that uses the mappings of the user, then identifiers, compared byte for byte.
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
    /// Creates a lineup from lines such as `one 7.1`: the identifier of a station and an optional number.
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
