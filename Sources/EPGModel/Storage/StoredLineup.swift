/// A lineup of a store, with the stations of its channels.
package struct StoredLineup: Sendable {
    /// The number of the lineup in the store.
    package let id: Int64
    /// The channels and their attributes.
    package let lineup: Lineup
    /// One element for each channel; `nil` for a channel without a station.
    package let matches: [ChannelMatch?]

    /// Creates the lineup that a store has read.
    package init(id: Int64, lineup: Lineup, matches: [ChannelMatch?]) {
        self.id = id
        self.lineup = lineup
        self.matches = matches
    }
}

/// The matching of stored lineups with the stations of a guide.
package struct LineupMatching {
    /// A channel whose station or rule differs from the stored one.
    package struct Change {
        /// The index of the channel in its lineup.
        package let ordinal: Int
        /// The number of the station in the store; `nil` if none matches.
        package let station: Int64?
        /// The rule that found the station; `nil` if none matches.
        package let rule: ChannelMatchRule?
    }

    private let matcher: any ChannelMatching
    /// The stations that a feed has listed.
    private let listed: [Station]
    private let derived: DerivedStations
    private let keys: [StationID: Int64]
    private let mappings: [String: StationID]
    private let shifts: [String: Int]
    /// The patterns of the groups to which stations are limited.
    private let groups: [StationID: [WildcardPattern]]

    /// Creates the matching with the stations of a guide.
    ///
    /// - Parameters:
    ///   - stations: All stations in the order of their numbers in the store, which is the order of insertion.
    ///   - mappings: The user's choices by the key of the channel.
    ///   - shifts: The shifts of these choices in seconds.
    ///   - groups: The patterns of the groups to which all sources of a station are limited (``Source/groups``).
    package init(
        _ matcher: any ChannelMatching, _ stations: [(key: Int64, station: Station)], mappings: [String: StationID],
        shifts: [String: Int], groups: [StationID: [String]] = [:]
    ) {
        self.matcher = matcher
        let all = stations.map(\.station)
        keys = Dictionary(stations.map { ($0.station.id, $0.key) }) { first, _ in first }
        derived = DerivedStations(all)
        listed = derived.isEmpty ? all : all.filter { $0.derivation == nil }
        self.mappings = mappings
        self.shifts = shifts
        self.groups = groups.mapValues { $0.map { WildcardPattern($0) } }
    }

    /// Matches the channels of a lineup again.
    package func changes(of stored: StoredLineup) -> [Change] {
        var matches = matches(of: stored.lineup.channels)
        derived.complete(&matches, of: stored.lineup, mappingShifts: shifts)
        return stored.matches.enumerated().compactMap { ordinal, old in
            // Ignore unknown stations, and tolerate a matcher that returns too few results.
            let match = ordinal < matches.count ? matches[ordinal].flatMap { keys[$0.station] == nil ? nil : $0 } : nil
            guard match != old else { return nil }
            return Change(ordinal: ordinal, station: match.flatMap { keys[$0.station] }, rule: match?.rule)
        }
    }

    /// Matches channels with the stations that they may show. Channels that may show the same stations are matched together.
    private func matches(of channels: [Channel]) -> [ChannelMatch?] {
        guard !groups.isEmpty else { return matcher.matches(of: channels, among: listed, mappings: mappings) }
        // The user's choice takes precedence.
        let chosen = Set(mappings.values)
        let limits = Set(groups.filter { !chosen.contains($0.key) }.values)
        var members: [Set<[WildcardPattern]>: [Int]] = [:]
        var limitsOfGroups: [[String]: Set<[WildcardPattern]>] = [:]
        for (index, channel) in channels.enumerated() {
            let met =
                limitsOfGroups[channel.groups]
                ?? limits.filter { $0.contains { channel.groups.contains(where: $0.matches) } }
            limitsOfGroups[channel.groups] = met
            members[met, default: []].append(index)
        }
        var matches = [ChannelMatch?](repeating: nil, count: channels.count)
        for (met, indices) in members {
            let stations = listed.filter { station in
                groups[station.id].map { met.contains($0) || chosen.contains(station.id) } ?? true
            }
            let found = matcher.matches(of: indices.map { channels[$0] }, among: stations, mappings: mappings)
            for (index, match) in zip(indices, found) { matches[index] = match }
        }
        return matches
    }
}
