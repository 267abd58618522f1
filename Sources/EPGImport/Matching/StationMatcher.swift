package import EPGModel

/// A matcher that finds the stations of channels by the rules of ``ChannelMatchRule``, in order.
///
/// The first rule that matches any station decides: one station is the match. Several are ambiguous, and then the
/// channel has no match, because a weaker rule must not choose if a stronger one can't. Mappings of the user take
/// precedence, even if they name a station that the guide doesn't have (yet): then the channel has no match.
///
/// The rules for names try `tvg-name` before the channel's own name, because it is meant for the guide. Each is compared
/// with all display names and identifiers of the stations. Similar names match only if nothing but the spelling differs;
/// ``MatchExplainer`` lists the others.
package struct StationMatcher: ChannelMatching {
    /// Creates a matcher.
    package init() {}

    /// Returns the match of each channel, in order; `nil` for a channel without one, or one that the user hides.
    ///
    /// - Complexity: O(names of all stations + channels).
    package func matches(
        of channels: [Channel], among stations: [Station], mappings: [String: StationID]
    ) -> [ChannelMatch?] {
        let rules = MatchRules(
            channels: channels, stations: StationIndex(stations), mappings: mappings, suggests: false)
        return channels.map { $0.isHidden ? nil : rules.outcome(of: $0).match }
    }

    /// Returns the key of a channel in mappings: its `tvg-id`, or else its name.
    package func channelKey(_ channel: Channel) -> String { MatchRules.key(of: channel) }
}

/// The matching rules, applied to the channels of one playlist.
struct MatchRules: Sendable {
    let stations: StationIndex
    let mappings: [String: StationID]
    /// The number of channels with each number.
    private var channelsOfNumber: [ChannelNumber: Int] = [:]
    /// The names of stations, and the search for similar ones; `nil` if no channel needs them.
    private var names: NameIndex?
    private(set) var similar: SimilarStations?

    /// - Parameter suggests: Whether to prepare suggestions for channels without a match.
    init(channels: [Channel], stations: StationIndex, mappings: [String: StationID], suggests: Bool) {
        self.stations = stations
        self.mappings = mappings
        for channel in channels {
            if let number = channel.number { channelsOfNumber[number, default: 0] += 1 }
        }
        let cheapRules = ChannelMatchRule.allCases.prefix { $0 != .plainName }
        let needsNames = channels.contains { channel in
            let names = LazyNames(channel)
            return cheapRules.allSatisfy { [.notApplicable, .none].contains(result(of: $0, for: names)) }
        }
        guard suggests || needsNames else { return }
        let names = NameIndex(stations.stations)
        self.names = names
        similar = SimilarStations(stations.stations, names, suggests: suggests)
    }

    /// Returns the key of a channel in mappings: its `tvg-id`, or else its name.
    static func key(of channel: Channel) -> String {
        channel.key
    }

    /// Matches a channel.
    ///
    /// - Complexity: O(length of its names).
    func outcome(of channel: Channel) -> MatchOutcome {
        let names = LazyNames(channel)
        return Self.outcome(of: ChannelMatchRule.allCases.lazy.map { (rule: $0, result: result(of: $0, for: names)) })
    }

    /// Returns the result of the first rule that matches any station.
    static func outcome(of results: some Sequence<(rule: ChannelMatchRule, result: RuleResult)>) -> MatchOutcome {
        for (rule, result) in results {
            switch result {
            case .notApplicable, .none: continue
            case .one(let station): return .matched(ChannelMatch(station: station, rule: rule))
            case .several: return .ambiguous(rule)
            case .missing(let station): return .missing(station)
            }
        }
        return .unmatched
    }

    /// Returns the result of one rule by itself.
    func result(of rule: ChannelMatchRule, for names: LazyNames) -> RuleResult {
        let channel = names.channel
        switch rule {
        case .mapping:
            guard let station = mappings[Self.key(of: channel)] else { return .notApplicable }
            return stations.station(station) == nil ? .missing(station) : .one(station)
        case .exactID: return result(channel.guideID) { stations.places(ofID: $0) }
        case .foldedID: return result(channel.guideID) { stations.places(ofFoldedID: $0) }
        case .feedlessID: return result(channel.guideID) { stations.places(ofFeedlessID: $0) }
        case .name:
            let byGuideName = result(channel.guideName) { places(ofName: $0, for: names) }
            switch byGuideName {
            case .notApplicable, .none: return result(channel.name) { places(ofName: $0, for: names) }
            default: return byGuideName
            }
        case .plainName:
            guard let index = self.names else { return .none }
            guard !names.parsed.isEmpty else { return .notApplicable }
            return result(names.parsed.lazy.map { index.places(equalTo: $0) }.first { !$0.isEmpty } ?? [])
        case .similarName:
            guard let similar else { return .none }
            guard !names.parsed.isEmpty else { return .notApplicable }
            return result(similar.match(for: names.parsed))
        case .number:
            guard let number = channel.number else { return .notApplicable }
            let result = result(stations.places(ofNumber: number))
            guard case .one(let station) = result, let count = channelsOfNumber[number], count > 1 else {
                return result
            }
            return .several([station], count: 1, channels: count)
        case .derived: return .notApplicable
        }
    }

    /// Returns the stations with a name; if there are several, those in the country that the channel states, if any are.
    private func places(ofName name: String, for names: LazyNames) -> [Int] {
        let places = stations.places(ofName: name)
        guard places.count > 1, let countries = names.parsed.first?.countries, !countries.isEmpty else {
            return places
        }
        let inCountry = places.filter { place in
            ChannelName.country(ofID: stations.stations[place].id.rawValue).map { countries.contains($0) } ?? false
        }
        return inCountry.isEmpty ? places : inCountry
    }

    private func result(_ text: String?, _ places: (String) -> [Int]) -> RuleResult {
        guard let text, !text.isEmpty else { return .notApplicable }
        return result(places(text))
    }

    private func result(_ places: [Int]) -> RuleResult {
        guard let first = places.first else { return .none }
        if places.count == 1 { return .one(stations.stations[first].id) }
        return .several(
            places.prefix(RuleResult.longestList).map { stations.stations[$0].id }, count: places.count, channels: 1)
    }
}

/// A channel, and its names, which are parsed when a rule first needs them.
final class LazyNames {
    let channel: Channel
    private(set) lazy var parsed = channel.parsedNames

    init(_ channel: Channel) {
        self.channel = channel
    }
}

/// The result of one rule for a channel.
package enum RuleResult: Hashable, Sendable {
    /// The channel has no value for the rule to compare.
    case notApplicable
    /// No station matches.
    case none
    /// One station matches.
    case one(StationID)
    /// Several stations match, or several channels have the same number: the first stations, their number, and the
    /// number of channels.
    case several([StationID], count: Int, channels: Int)
    /// The user mapped the channel to a station that the guide doesn't have.
    case missing(StationID)

    /// The maximum number of stations in ``several(_:count:channels:)``.
    package static let longestList = 5
}

/// The result of matching a channel.
package enum MatchOutcome: Hashable, Sendable {
    /// The channel shows a station.
    case matched(ChannelMatch)
    /// The first rule that matched anything matched several stations.
    case ambiguous(ChannelMatchRule)
    /// The user mapped the channel to a station that the guide doesn't have.
    case missing(StationID)
    /// No rule matched any station.
    case unmatched

    /// The match, if there is one.
    package var match: ChannelMatch? {
        if case .matched(let match) = self { match } else { nil }
    }
}

/// An explanation of which station a channel shows, if any.
package struct MatchExplanation: Hashable, Sendable {
    /// A station with a name similar to the channel's, and the reasons.
    package struct Suggestion: Hashable, Sendable {
        /// The identifier of the station.
        package let station: StationID
        /// The main name of the station.
        package let name: String
        /// The similarity from 0 to 1, where 1 means equal except for words of quality and country.
        package let score: Double
        /// The reasons for and against the station.
        package let evidence: [MatchEvidence]

        /// Whether the evidence forbids the station.
        package var isContradicted: Bool { evidence.contains(where: \.isContradiction) }
    }

    /// The result of one rule by itself, whether or not an earlier rule decided.
    package struct Verdict: Hashable, Sendable {
        /// The rule.
        package let rule: ChannelMatchRule
        /// Its result.
        package let result: RuleResult
    }

    /// The channel.
    package let channel: Channel
    /// The key of the channel in mappings.
    package let key: String
    /// The result of all rules together.
    package let outcome: MatchOutcome
    /// The results of all rules, in order.
    package let verdicts: [Verdict]
    /// The comparison with the matched station, if a rule for names found it, or if it is doubtful.
    package let basis: Suggestion?
    /// Whether the match by an identifier is doubtful, because the names of the channel and the station contradict each other.
    package let isDoubtful: Bool
    /// At most five suggestions, nearest first; none if there is a match.
    package let suggestions: [Suggestion]

    /// The first suggestion, if its score is at least a minimum, nothing contradicts it, and no other possible suggestion has
    /// nearly the same score.
    package func suggestion(above minimum: Double) -> Suggestion? {
        let possible = suggestions.filter { !$0.isContradicted }
        guard let first = possible.first, first.score >= minimum else { return nil }
        guard possible.count == 1 || possible[1].score <= first.score - SimilarStations.margin else { return nil }
        return first
    }
}

/// An explainer of the matches of a playlist's channels.
package struct MatchExplainer: Sendable {
    private let rules: MatchRules
    /// - Complexity: O(names of all stations + channels).
    package init(channels: [Channel], stations: [Station], mappings: [String: StationID]) {
        let index = StationIndex(stations)
        rules = MatchRules(channels: channels, stations: index, mappings: mappings, suggests: true)
    }

    /// Returns what matched by which rule, the results of the other rules, and similar stations.
    ///
    /// - Complexity: Bounded for each channel, regardless of the number of similar stations.
    package func explain(_ channel: Channel) -> MatchExplanation {
        let names = LazyNames(channel)
        let results = ChannelMatchRule.allCases.map { (rule: $0, result: rules.result(of: $0, for: names)) }
        let outcome = MatchRules.outcome(of: results)
        let doubt = doubt(about: outcome, names)
        let basis = outcome.match.flatMap { match in
            [.plainName, .similarName].contains(match.rule)
                ? rules.similar?.comparison(of: names.parsed, with: match.station) : doubt
        }
        return MatchExplanation(
            channel: channel, key: MatchRules.key(of: channel), outcome: outcome,
            verdicts: results.map { MatchExplanation.Verdict(rule: $0.rule, result: $0.result) },
            basis: basis, isDoubtful: doubt != nil,
            suggestions: outcome.match == nil ? rules.similar?.suggestions(for: names.parsed, limit: 5) ?? [] : [])
    }

    /// Returns whether a channel shows a station by its identifier although the names contradict each other.
    package func isDoubtful(_ channel: Channel) -> Bool {
        let names = LazyNames(channel)
        return doubt(about: rules.outcome(of: channel), names) != nil
    }

    /// Returns the comparison with the station that the identifier of the channel names, if their names contradict each other.
    private func doubt(about outcome: MatchOutcome, _ names: LazyNames) -> MatchExplanation.Suggestion? {
        guard let match = outcome.match, [.exactID, .foldedID, .feedlessID].contains(match.rule) else { return nil }
        return rules.similar?.contradiction(of: names.channel.writtenNames, to: match.station)
    }
}

/// An index of stations by everything that channels are matched by.
struct StationIndex: Sendable {
    let stations: [Station]
    private var byID: [StationID: Int] = [:]
    private var byFoldedID: [String: [Int]] = [:]
    private var byFeedlessID: [String: [Int]] = [:]
    private var byName: [String: [Int]] = [:]
    private var byNumber: [ChannelNumber: [Int]] = [:]

    /// - Complexity: O(names of all stations).
    init(_ stations: [Station]) {
        self.stations = stations
        byID.reserveCapacity(stations.count)
        for (place, station) in stations.enumerated() where byID.updateValue(place, forKey: station.id) == nil {
            let id = station.id.rawValue
            Self.add(place, NameFolding.folded(id), to: &byFoldedID)
            Self.add(place, NameFolding.feedless(id), to: &byFeedlessID)
            Self.add(place, NameFolding.normalized(id), to: &byName)
            for name in station.displayNames { Self.add(place, NameFolding.normalized(name.text), to: &byName) }
            Self.add(place, station.number, to: &byNumber)
        }
    }

    /// Adds a station to a key, once. Stations are added in order of their indices.
    private static func add<Key>(_ place: Int, _ key: Key?, to places: inout [Key: [Int]]) {
        guard let key, places[key]?.last != place else { return }
        places[key, default: []].append(place)
    }

    // MARK: - Lookup

    func station(_ id: StationID) -> Station? { byID[id].map { stations[$0] } }

    func places(ofID id: String) -> [Int] { byID[StationID(id)].map { [$0] } ?? [] }

    func places(ofFoldedID id: String) -> [Int] { NameFolding.folded(id).flatMap { byFoldedID[$0] } ?? [] }

    func places(ofFeedlessID id: String) -> [Int] { NameFolding.feedless(id).flatMap { byFeedlessID[$0] } ?? [] }

    /// Returns the stations whose identifier or one of whose display names is a given name.
    func places(ofName name: String) -> [Int] { NameFolding.normalized(name).flatMap { byName[$0] } ?? [] }

    func places(ofNumber number: ChannelNumber) -> [Int] { byNumber[number] ?? [] }
}
