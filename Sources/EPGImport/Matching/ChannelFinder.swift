package import EPGModel

/// A search for the playlist entry that a user named: by `tvg-id`, name, or number.
package struct ChannelFinder: Sendable {
    /// The result of a search.
    package enum Outcome: Sendable {
        /// The key for mappings, and the entries that share it.
        case found(key: String, [Channel])
        /// Entries with several keys.
        case ambiguous([Channel])
        /// The entries with similar names, nearest first.
        case none(nearest: [Channel])
    }

    private let channels: [Channel]

    /// Creates a search of the entries of a playlist.
    package init(_ channels: [Channel]) {
        self.channels = channels
    }

    /// Finds an entry. Compares, in order: the `tvg-id`, the name, both ignoring case and separators, and the number.
    /// The first comparison that matches any entry decides.
    ///
    /// - Complexity: O(channels), plus the index of similar names if nothing matches.
    package func find(_ text: String) -> Outcome {
        let normalized = NameFolding.normalized(text)
        let number = ChannelNumber(text)
        let ways: [(Channel) -> Bool] = [
            { $0.guideID == text },
            { $0.name == text },
            { channel in
                guard let normalized else { return false }
                return channel.guideID.flatMap(NameFolding.normalized) == normalized
                    || NameFolding.normalized(channel.name) == normalized
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

    /// Returns the entries with names similar to a text, by the same measure as for station suggestions.
    private func nearest(to text: String) -> [Channel] {
        let entries = channels.enumerated().map { place, channel in
            let names = [channel.name, channel.guideName, channel.guideID].compactMap { $0 }.map { LocalizedText($0) }
            return Station(id: StationID(String(place)), displayNames: names)
        }
        return NearestStations(entries).suggestions(for: Channel(name: text, url: ""), limit: 5)
            .compactMap { Int($0.station.rawValue) }.map { channels[$0] }
    }
}

/// A search for stations whose identifier or name is most similar to a text, for "did you mean" messages.
package struct StationSuggestions {
    private let wanted: [Character]

    /// The maximum edit distance of a suggestion, in characters.
    private var limit: Int { max(2, wanted.count / 2) }

    /// - Parameter text: The name as the user typed it. Only its first 64 characters count, and case doesn't matter.
    package init(for text: String) {
        wanted = Array(text.lowercased().prefix(64))
    }

    /// Returns at most five stations, nearest first. Earlier stations win ties.
    ///
    /// - Complexity: O(names of the stations).
    package func nearest(among stations: [StationRow]) -> [StationRow] {
        let near = stations.compactMap { row -> (row: StationRow, distance: Int)? in
            let distance = min(distance(toName: row.station.id.rawValue), distance(toName: row.station.name))
            return distance <= limit ? (row, distance) : nil
        }
        return near.sorted { $0.distance < $1.distance }.prefix(5).map(\.row)
    }

    /// Returns the distance to a name. A match of a part, such as "lantern" in "lantern.example", counts as slightly
    /// farther.
    private func distance(toName name: String) -> Int {
        let parts: [Substring] = name.split { !$0.isLetter && !$0.isNumber }
        return parts.filter { $0.count >= 4 }.reduce(distance(to: name)) { min($0, distance(to: $1) + 1) }
    }

    /// Returns the edit distance, or 1 if the name contains the text.
    private func distance(to name: some StringProtocol) -> Int {
        let name = name.lowercased()
        let letters = Array(name.prefix(64))
        if letters == wanted { return 0 }
        if wanted.count >= 3, name.contains(String(wanted)) { return 1 }
        return wanted.editDistance(to: letters, limit: limit)
    }
}
