package import EPGModel

/// Finds the entry of a list that a person named: by its `tvg-id`, its name or its number.
package struct ChannelFinder: Sendable {
    package enum Answer: Sendable {
        /// The key of it for mappings, and the entries that share the key.
        case found(key: String, [Channel])
        /// Entries with several keys.
        case ambiguous([Channel])
        /// The entries that resemble it, the nearest first.
        case none(nearest: [Channel])
    }

    private let channels: [Channel]

    package init(_ channels: [Channel]) {
        self.channels = channels
    }

    /// Tries, in this order: the `tvg-id`, the name, both whatever the case and the separators, the number. The first that
    /// finds any entry decides.
    ///
    /// - Complexity: O(channels).
    package func find(_ text: String) -> Answer {
        let normalised = NameFolding.normalised(text)
        let number = ChannelNumber(text)
        let ways: [(Channel) -> Bool] = [
            { $0.guideID == text },
            { $0.name == text },
            { channel in
                guard let normalised else { return false }
                return channel.guideID.flatMap(NameFolding.normalised) == normalised
                    || NameFolding.normalised(channel.name) == normalised
            },
            { number != nil && $0.number == number },
        ]
        for way in ways {
            let found = channels.filter(way)
            guard let first = found.first else { continue }
            let key = MatchRules.key(of: first)
            guard found.allSatisfy({ MatchRules.key(of: $0) == key }) else { return .ambiguous(found) }
            return .found(key: key, channels.filter { MatchRules.key(of: $0) == key })
        }
        return .none(nearest: nearest(to: text))
    }

    /// The entries that resemble a text, by the measure by which stations are suggested.
    private func nearest(to text: String) -> [Channel] {
        let entries = channels.enumerated().map { place, channel in
            let names = [channel.name, channel.guideName, channel.guideID].compactMap { $0 }.map { LocalizedText($0) }
            return Station(id: StationID(String(place)), displayNames: names)
        }
        return NearestStations(entries).suggestions(for: Channel(name: text, address: ""), limit: 5)
            .compactMap { Int($0.station.rawValue) }.map { channels[$0] }
    }
}
