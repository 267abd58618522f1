package import EPGModel

/// Finds the stations of channels by the rules of ``ChannelMatchRule``, in their order.
///
/// The first rule that finds any station decides: one station is the match; several are ambiguous, and then the channel has
/// no match at all, since a later and weaker rule must not choose where a stronger one can't. What the user said counts
/// before all, also where it names a station that the guide doesn't have (yet): then the channel has no match.
///
/// By name, `tvg-name` is asked before the channel's own name, because it is meant for the guide; each is compared with all
/// display names and the identifiers of the stations. Names that only resemble each other never match; see
/// ``MatchExplainer``.
package struct StationMatcher: ChannelMatching {
    package init() {}

    /// - Complexity: O(names of all stations + channels).
    package func matches(
        of channels: [Channel], among stations: [Station], mappings: [String: StationID]
    ) -> [ChannelMatch?] {
        let rules = MatchRules(channels: channels, stations: StationIndex(stations), mappings: mappings)
        return channels.map { rules.outcome(of: $0).match }
    }

    package func channelKey(_ channel: Channel) -> String { MatchRules.key(of: channel) }
}

/// What the rules say of one list's channels.
struct MatchRules: Sendable {
    let stations: StationIndex
    let mappings: [String: StationID]
    /// How many channels have a number.
    private var channelsOfNumber: [ChannelNumber: Int] = [:]

    init(channels: [Channel], stations: StationIndex, mappings: [String: StationID]) {
        self.stations = stations
        self.mappings = mappings
        for channel in channels {
            if let number = channel.number { channelsOfNumber[number, default: 0] += 1 }
        }
    }

    /// What a mapping calls a channel: its `tvg-id`, else its name.
    static func key(of channel: Channel) -> String {
        if let id = channel.guideID, !id.isEmpty { id } else { channel.name }
    }

    /// What becomes of a channel.
    ///
    /// - Complexity: O(1), apart from the length of its names.
    func outcome(of channel: Channel) -> MatchOutcome {
        for rule in ChannelMatchRule.allCases {
            switch answer(of: rule, for: channel) {
            case .silent, .none: continue
            case .one(let station): return .matched(ChannelMatch(station: station, rule: rule))
            case .several: return .ambiguous(rule)
            case .missing(let station): return .missing(station)
            }
        }
        return .unmatched
    }

    /// What one rule alone says of a channel.
    func answer(of rule: ChannelMatchRule, for channel: Channel) -> MatchAnswer {
        switch rule {
        case .mapping:
            guard let station = mappings[Self.key(of: channel)] else { return .silent }
            return stations.station(station) == nil ? .missing(station) : .one(station)
        case .exactID: return answer(channel.guideID) { stations.places(ofID: $0) }
        case .foldedID: return answer(channel.guideID) { stations.places(ofFoldedID: $0) }
        case .feedlessID: return answer(channel.guideID) { stations.places(ofFeedlessID: $0) }
        case .name:
            let byGuideName = answer(channel.guideName) { stations.places(ofName: $0) }
            switch byGuideName {
            case .silent, .none: return answer(channel.name) { stations.places(ofName: $0) }
            default: return byGuideName
            }
        case .number:
            guard let number = channel.number else { return .silent }
            let answer = answer(stations.places(ofNumber: number))
            guard case .one(let station) = answer, let count = channelsOfNumber[number], count > 1 else {
                return answer
            }
            return .several([station], count: 1, channels: count)
        }
    }

    private func answer(_ text: String?, _ places: (String) -> [Int]) -> MatchAnswer {
        guard let text, !text.isEmpty else { return .silent }
        return answer(places(text))
    }

    private func answer(_ places: [Int]) -> MatchAnswer {
        guard let first = places.first else { return .none }
        if places.count == 1 { return .one(stations.stations[first].id) }
        return .several(
            places.prefix(MatchAnswer.longestList).map { stations.stations[$0].id }, count: places.count, channels: 1)
    }
}
