package import EPGModel

/// The mappings of channels without a station to their best suggestions.
package struct AcceptedSuggestions: Sendable {
    /// A channel and the station that it gets.
    package struct Mapping: Sendable {
        /// The key of the channels.
        package let key: String
        /// The name of the first channel.
        package let name: String
        /// The suggestion with its evidence.
        package let suggestion: MatchExplanation.Suggestion
        /// The number of channels with the key.
        package let count: Int
    }

    /// The minimum score.
    package let minimum: Double
    /// The mappings, best first.
    package let mappings: [Mapping]

    /// Chooses the suggestions with at least a score that no other one is close to. Mappings of the user are not replaced,
    /// even if their station is missing.
    ///
    /// Channels with the same key share a mapping. They get none if their best suggestions differ.
    package init(of explanations: some Sequence<MatchExplanation>, above minimum: Double) {
        var accepted: [String: Mapping] = [:]
        var isUnclear: Set<String> = []
        for explanation in explanations {
            guard explanation.outcome.match == nil else { continue }
            if case .missing = explanation.outcome { continue }
            let known = accepted[explanation.key]
            guard let suggestion = explanation.suggestion(above: minimum),
                known.map({ $0.suggestion.station == suggestion.station }) ?? true
            else {
                isUnclear.insert(explanation.key)
                continue
            }
            accepted[explanation.key] = Mapping(
                key: explanation.key, name: known?.name ?? explanation.channel.name, suggestion: suggestion,
                count: (known?.count ?? 0) + 1)
        }
        self.minimum = minimum
        mappings = accepted.values.filter { !isUnclear.contains($0.key) }.sorted {
            ($1.suggestion.score, $0.key) < ($0.suggestion.score, $1.key)
        }
    }

    /// The stations by the keys of their channels.
    package var stations: [String: StationID?] {
        Dictionary(uniqueKeysWithValues: mappings.map { ($0.key, $0.suggestion.station) })
    }
}

// MARK: - Wording

extension MatchExplanation.Suggestion {
    /// The identifier, and the name if it differs.
    package var stationText: String { name == station.rawValue ? name : "\(station) (\(name))" }

    /// The score in hundredths, rounded down, so that ``MatchExplanation/suggestion(above:)`` accepts it.
    package var scoreText: String {
        let hundredths = Int(score * 100)
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }

    /// The reasons against the station.
    package var contradictionText: String {
        let reasons = evidence.filter { evidence in
            if case .onlyInStation = evidence { true } else { evidence.isContradiction }
        }
        return reasons.map(\.text).joined(separator: "; ")
    }

    /// The reasons for and against the station.
    package var evidenceText: String { evidence.map(\.text).joined(separator: "; ") }
}

extension MatchEvidence {
    /// The evidence as a phrase.
    package var text: String {
        switch self {
        case .sameWords(let words): "same words: \(words.joined(separator: " "))"
        case .similarWords(let channel, let station): "“\(channel)” for “\(station)”"
        case .onlyInChannel(let words): "only in the channel: \(words.joined(separator: " "))"
        case .onlyInStation(let words): "only in the station: \(words.joined(separator: " "))"
        case .otherOrder: "other order of words"
        case .sameCountry(let countries): "same country: \(countries.joined(separator: " "))"
        case .differentCountries(let channel, let station):
            "different countries: \(channel.joined(separator: " ")), not \(station.joined(separator: " "))"
        case .differentNumbers(let channel, let station):
            "different numbers: \(channel.joined(separator: " ")), not \(station.joined(separator: " "))"
        case .differentShifts(let channel, let station): "different time shifts: +\(channel) h, not +\(station) h"
        case .differentQualities: "different qualities"
        }
    }
}

extension ChannelMatchRule {
    /// A label that is at most 20 columns wide.
    package var label: String {
        switch self {
        case .mapping: "your mapping"
        case .exactID: "identifier"
        case .foldedID: "identifier, any case"
        case .feedlessID: "identifier, no @feed"
        case .name: "name"
        case .plainName: "name, any quality"
        case .similarName: "similar name"
        case .number: "number"
        case .derived: "derived listings"
        }
    }
}
