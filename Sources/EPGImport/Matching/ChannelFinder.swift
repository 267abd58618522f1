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
    /// - Complexity: O(channels).
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
        return .none(
            nearest: NearestNames(to: text).nearest(5, among: channels) { channel in
                [channel.name, channel.guideName, channel.guideID].compactMap { $0 }
            })
    }
}
