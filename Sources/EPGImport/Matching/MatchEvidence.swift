/// A reason for or against the match of a channel and a station.
package enum MatchEvidence: Hashable, Sendable {
    /// Words that both names contain.
    case sameWords([String])
    /// Words that differ in spelling.
    case similarWords(channel: String, station: String)
    /// Words that only the name of the channel contains.
    case onlyInChannel([String])
    /// Words that only the name of the station contains.
    case onlyInStation([String])
    /// The same words in another order.
    case otherOrder
    case sameCountry([String])
    case differentCountries(channel: [String], station: [String])
    case differentNumbers(channel: [String], station: [String])
    /// The time shifts in hours.
    case differentShifts(channel: Int, station: Int)
    case differentQualities

    /// Whether the evidence forbids the match.
    package var isContradiction: Bool {
        switch self {
        case .differentCountries, .differentNumbers, .differentShifts: true
        default: false
        }
    }

    /// Returns whether the countries of two names can be the same. A name with a word of language may be in the countries of
    /// that language.
    static func isCountryPossible(_ one: ChannelName, _ other: ChannelName) -> Bool {
        guard !one.countries.isEmpty, !other.countries.isEmpty else { return true }
        return !one.countries.isDisjoint(with: other.countries)
            || !one.countries.isDisjoint(with: other.countriesOfLanguage)
            || !other.countries.isDisjoint(with: one.countriesOfLanguage)
    }
}

/// The comparison of a channel's name with a station's.
struct NameComparison: Sendable {
    let score: Double
    let evidence: [MatchEvidence]
    /// Whether the names have the same words in the same order, apart from fillers and spelling, and nothing contradicts.
    let isComplete: Bool

    var isContradicted: Bool { evidence.contains(where: \.isContradiction) }
}

/// A comparison of names by their words, weighted by rarity, and their trigrams.
///
/// The score is from 0 to 1: 65% is the weight of the words that both names contain, as a part of all, and 35% the Dice
/// coefficient of the trigrams. A contradiction limits it to 0.5.
enum NameComparer {
    /// The maximum number of words to compare.
    static let longestName = 16

    /// Returns the score of names.
    ///
    /// - Parameters:
    ///   - shared: The weight of the words that both have.
    ///   - total: The weight of all words.
    ///   - trigrams: The similarity of the trigrams, from 0 to 1.
    static func score(shared: Double, total: Double, trigrams: Double) -> Double {
        total > 0 ? 0.65 * shared / total + 0.35 * trigrams : 0
    }

    /// Compares two names.
    ///
    /// - Complexity: O(words of one × words of the other).
    static func compare(
        _ query: NameQuery, _ station: ChannelName, _ trigrams: Double, _ vocabulary: StationVocabulary
    ) -> NameComparison {
        let channel = query.name
        let (left, right) = (query.words, station.words.prefix(longestName))
        var partners = [Int?](repeating: nil, count: left.count)
        var similarities = [Double](repeating: 0, count: left.count)
        var isTaken = [Bool](repeating: false, count: right.count)
        for (index, word) in left.enumerated() {
            guard let found = right.indices.first(where: { !isTaken[$0] && right[$0].text == word.text }) else {
                continue
            }
            (partners[index], similarities[index], isTaken[found]) = (found, 1, true)
        }
        for index in left.indices where partners[index] == nil && query.hasAlternatives(to: index) {
            var best = (place: 0, similarity: 0.0)
            for place in right.indices where !isTaken[place] {
                let similarity = vocabulary.numbers[right[place].text].map { query.similarity(of: index, to: $0) } ?? 0
                if similarity > best.similarity { best = (place, similarity) }
            }
            guard best.similarity > 0 else { continue }
            (partners[index], similarities[index], isTaken[best.place]) = (best.place, best.similarity, true)
        }
        var (shared, total) = (0.0, 0.0)
        for (index, weight) in query.weights.enumerated() {
            total += weight
            guard let partner = partners[index] else { continue }
            shared += similarities[index] * (weight + vocabulary.weight(right[partner]))
        }
        for word in right { total += vocabulary.weight(word) }

        var evidence: [MatchEvidence] = []
        let same = left.indices.filter { similarities[$0] == 1 }.map { left[$0].spelling }
        if !same.isEmpty { evidence.append(.sameWords(same)) }
        for index in left.indices where similarities[index] > 0 && similarities[index] < 1 {
            evidence.append(.similarWords(channel: left[index].spelling, station: right[partners[index] ?? 0].spelling))
        }
        let onlyLeft = left.indices.filter { partners[$0] == nil }.map { left[$0] }
        let onlyRight = right.indices.filter { !isTaken[$0] }.map { right[$0] }
        if !onlyLeft.isEmpty { evidence.append(.onlyInChannel(onlyLeft.map(\.spelling))) }
        if !onlyRight.isEmpty { evidence.append(.onlyInStation(onlyRight.map(\.spelling))) }
        let order = partners.compactMap { $0 }
        let isInOrder = zip(order, order.dropFirst()).allSatisfy { $0 < $1 }
        if !isInOrder { evidence.append(.otherOrder) }
        append(to: &evidence, channel, station)

        let isContradicted = evidence.contains(where: \.isContradiction)
        var score = score(shared: shared, total: total, trigrams: trigrams)
        if !isInOrder { score *= 0.95 }
        if isContradicted { score = min(score, 0.5) }
        let isMisspelledBrand =
            right.count { !$0.isFiller } == 1 && similarities.contains { $0 == typo }
            && (left.first { !$0.isFiller }?.text.unicodeScalars.count ?? 0) < 8
        let isComplete =
            !isContradicted && isInOrder && max(channel.words.count, station.words.count) <= longestName
            && onlyLeft.allSatisfy(\.isFiller) && onlyRight.allSatisfy(\.isFiller)
            && zip(left, similarities).contains { !$0.isFiller && $1 > 0 } && !isMisspelledBrand
        return NameComparison(score: score, evidence: evidence, isComplete: isComplete)
    }

    private static func append(to evidence: inout [MatchEvidence], _ channel: ChannelName, _ station: ChannelName) {
        let numbers = (channel.numbers, station.numbers)
        if !numbers.0.isEmpty, !numbers.1.isEmpty, numbers.0.sorted() != numbers.1.sorted() {
            evidence.append(.differentNumbers(channel: numbers.0, station: numbers.1))
        }
        if channel.shift != station.shift {
            evidence.append(.differentShifts(channel: channel.shift, station: station.shift))
        }
        let shared = channel.countries.intersection(station.countries)
        if !shared.isEmpty {
            evidence.append(.sameCountry(shared.sorted()))
        } else if !MatchEvidence.isCountryPossible(channel, station) {
            evidence.append(
                .differentCountries(channel: channel.countries.sorted(), station: station.countries.sorted()))
        }
        if channel.quality != station.quality { evidence.append(.differentQualities) }
    }

    // MARK: - Words

    private static let typo = 0.9

    /// Returns how similar two different words are, from 0 to 1.
    ///
    /// - Parameter isKnown: Whether the guide has the channel's word, which then is not misspelled.
    static func similarity(_ channel: String, _ station: String, isKnown: Bool) -> Double {
        if isPlural(channel, of: station) || isPlural(station, of: channel) { return 0.97 }
        if expanded(channel) == expanded(station) { return 0.95 }
        return !isKnown && isMisspelled(channel, station) ? typo : 0
    }

    static func expanded(_ word: String) -> String { NameVocabulary.abbreviations[word] ?? word }

    private static func isPlural(_ one: String, of other: String) -> Bool {
        if one.hasSuffix("ies"), other.hasSuffix("y") {
            return one.utf8.count > 5 && one.dropLast(3) == other.dropLast()
        }
        return one.utf8.count == other.utf8.count + 1 && other.utf8.count >= 3 && one.hasSuffix("s")
            && one.hasPrefix(other)
    }

    /// Returns whether two words of at least six letters differ by one letter more or less, or two letters swapped, or one
    /// letter, between the first and the last.
    static func isMisspelled(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        guard min(one.count, other.count) >= 5, max(one.count, other.count) >= 6, abs(one.count - other.count) <= 1,
            one.first == other.first, one.last == other.last
        else { return false }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count
        if one.count != other.count { return start + end >= min(one.count, other.count) }
        if start + end >= one.count - 1 { return one.count >= 7 }
        return start + end == one.count - 2 && one[start] == other[start + 1] && one[start + 1] == other[start]
    }
}
