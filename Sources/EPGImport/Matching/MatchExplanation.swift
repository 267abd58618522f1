package import EPGModel

/// What one rule says of a channel.
package enum MatchAnswer: Hashable, Sendable {
    /// The channel has nothing that the rule compares.
    case silent
    /// No station.
    case none
    case one(StationID)
    /// More than one station, or more than one channel with the same number: the first stations, how many there are, and
    /// the number of channels.
    case several([StationID], count: Int, channels: Int)
    /// The user named a station that the guide doesn't have.
    case missing(StationID)

    /// Of several stations at most so many are told.
    package static let longestList = 5
}

/// What becomes of a channel.
package enum MatchOutcome: Hashable, Sendable {
    case matched(ChannelMatch)
    /// The first rule that found anything found several.
    case ambiguous(ChannelMatchRule)
    /// The user named a station that the guide doesn't have.
    case missing(StationID)
    case unmatched

    package var match: ChannelMatch? {
        if case .matched(let match) = self { match } else { nil }
    }
}

/// Why a channel shows its station, or none.
package struct MatchExplanation: Hashable, Sendable {
    /// A station whose name resembles the channel's.
    package struct Suggestion: Hashable, Sendable {
        package let station: StationID
        package let name: String
        /// How much it resembles: from 0 to 1, which is the same but for words of quality and country.
        package let score: Double
    }

    /// What a rule says by itself, whether or not an earlier one decided.
    package struct Verdict: Hashable, Sendable {
        package let rule: ChannelMatchRule
        package let answer: MatchAnswer
    }

    package let channel: Channel
    /// What a mapping calls the channel.
    package let key: String
    package let outcome: MatchOutcome
    /// Of all rules, in their order.
    package let verdicts: [Verdict]
    /// The nearest first, at most five; none where there is a match.
    package let suggestions: [Suggestion]
}

/// Explains the matches of a list's channels.
package struct MatchExplainer: Sendable {
    private let rules: MatchRules
    private let nearest: NearestStations

    /// - Complexity: O(names of all stations + channels).
    package init(channels: [Channel], stations: [Station], mappings: [String: StationID]) {
        let index = StationIndex(stations)
        rules = MatchRules(channels: channels, stations: index, mappings: mappings)
        nearest = NearestStations(stations)
    }

    /// What matched, by which rule, what the other rules would have said, and what nearly matched.
    ///
    /// - Complexity: Bounded for each channel, however many stations resemble it.
    package func explain(_ channel: Channel) -> MatchExplanation {
        let outcome = rules.outcome(of: channel)
        return MatchExplanation(
            channel: channel, key: MatchRules.key(of: channel), outcome: outcome,
            verdicts: ChannelMatchRule.allCases.map {
                MatchExplanation.Verdict(rule: $0, answer: rules.answer(of: $0, for: channel))
            },
            suggestions: outcome.match == nil ? nearest.suggestions(for: channel, limit: 5) : [])
    }
}
