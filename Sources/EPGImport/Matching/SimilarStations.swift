import EPGModel

/// A search for stations with names similar to a channel's.
struct SimilarStations: Sendable {
    /// The minimum score of a match.
    static let threshold = 0.85
    /// The minimum difference between the scores of a match and of the next station.
    static let margin = 0.05
    /// The minimum score of a suggestion.
    private static let minimumScore = 0.35
    /// The maximum number of names with the rarest word of a channel, and of words that it may misspell; more are not compared.
    private static let longestList = 250
    /// The maximum number of index entries to examine for one suggestion, rarest trigrams first.
    private static let budget = 20_000
    /// The maximum number of names to compare with one name for suggestions.
    private static let comparisons = 64

    private let stations: [Station]
    private let entries: [NameIndex.Entry]
    private let comparer: NameComparer
    /// The names that contain each word.
    private let postings: [String: [Int32]]
    /// The words by the first and last letter, to find misspelled words.
    private let words: [WordFrame: [String]]
    /// The trigrams of names, and the names that contain each trigram; empty unless there are suggestions.
    private var trigrams: [[UInt64]] = []
    private var index: [UInt64: [Int32]] = [:]
    /// The indices of the names of each station, like ``trigrams``.
    private var ranges: [StationID: Range<Int>] = [:]

    private struct WordFrame: Hashable {
        let first: Unicode.Scalar
        let last: Unicode.Scalar

        init?(_ word: String) {
            guard let first = word.unicodeScalars.first, let last = word.unicodeScalars.last else { return nil }
            (self.first, self.last) = (first, last)
        }
    }

    /// - Parameter suggests: Whether to index trigrams, which only ``suggestions(for:limit:)`` needs.
    /// - Complexity: O(names of all stations).
    init(_ stations: [Station], _ names: NameIndex, suggests: Bool) {
        self.stations = stations
        entries = names.entries
        var postings: [String: [Int32]] = [:]
        for (number, entry) in names.entries.enumerated() {
            for word in entry.name.words where postings[word.text]?.last != Int32(number) {
                postings[word.text, default: []].append(Int32(number))
            }
        }
        self.postings = postings
        var words: [WordFrame: [String]] = [:]
        for word in postings.keys where word.utf8.count >= 5 {
            if let frame = WordFrame(word) { words[frame, default: []].append(word) }
        }
        self.words = words
        comparer = NameComparer(frequencies: postings.mapValues(\.count), count: names.entries.count)
        guard suggests else { return }
        trigrams = names.entries.map { NameTrigrams.trigrams(of: $0.name) }
        for (number, entry) in entries.enumerated() {
            let station = stations[entry.place].id
            ranges[station] = (ranges[station]?.lowerBound ?? number)..<number + 1
        }
        for (number, trigrams) in trigrams.enumerated() {
            for trigram in trigrams { index[trigram, default: []].append(Int32(number)) }
        }
    }

    // MARK: - Matching

    /// Returns the only station whose name is certainly a spelling of the channel's, or the stations that tie.
    ///
    /// Every word of both names must have a counterpart, apart from fillers such as `TV`. Countries, numbers and time shifts must
    /// not contradict. The score must be at least ``threshold``, and exceed the next by ``margin``.
    ///
    /// - Complexity: Bounded, regardless of the number of similar stations.
    func match(for names: [ChannelName]) -> [Int] {
        var found: [Int: NameComparison] = [:]
        for name in names {
            let numbers = candidates(of: name)
            let trigrams = numbers.isEmpty ? [] : NameTrigrams.trigrams(of: name)
            for number in numbers {
                keep(compare(name, trigrams, number), of: entries[Int(number)].place, in: &found)
            }
        }
        let possible = found.filter { !$1.isContradicted }
        guard let best = possible.filter({ $1.isComplete }).map(\.value.score).max(), best >= Self.threshold else {
            return []
        }
        return possible.filter { $1.score > best - Self.margin }.keys.sorted()
    }

    /// Returns the names with the rarest word of a name, or a spelling of it.
    private func candidates(of name: ChannelName) -> [Int32] {
        var rarest: [Int32]?
        for word in name.words.prefix(16) where !word.isFiller {
            var numbers = postings[word.text] ?? []
            for variant in variants(of: word) { numbers += postings[variant] ?? [] }
            if numbers.isEmpty { return [] }
            if numbers.count < rarest?.count ?? .max { rarest = numbers }
        }
        guard let rarest, rarest.count <= Self.longestList else { return [] }
        return rarest
    }

    /// Returns other spellings of a word among the names.
    private func variants(of word: ChannelName.Word) -> [String] {
        guard !word.isNumber else { return [] }
        var variants = [word.text + "s"]
        if word.text.hasSuffix("s") { variants.append(String(word.text.dropLast())) }
        if word.text.hasSuffix("ies") { variants.append(word.text.dropLast(3) + "y") }
        if word.text.hasSuffix("y") { variants.append(word.text.dropLast() + "ies") }
        let expanded = NameComparer.expanded(word.text)
        if expanded != word.text { variants.append(expanded) }
        for (short, long) in NameVocabulary.abbreviations where long == expanded && short != word.text {
            variants.append(short)
        }
        if postings[word.text] == nil, let frame = WordFrame(word.text), let similar = words[frame],
            similar.count <= Self.longestList
        {
            variants += similar.filter { NameComparer.isMisspelled(word.text, $0) }
        }
        return variants
    }

    /// - Parameter nameTrigrams: The trigrams of the name.
    private func compare(_ name: ChannelName, _ nameTrigrams: [UInt64], _ number: Int32) -> NameComparison {
        let entry = entries[Int(number)]
        if entry.name.key == name.key { return comparer.compare(name, entry.name, 1) }
        let similarity = NameTrigrams.similarity(
            of: nameTrigrams, and: trigrams.isEmpty ? NameTrigrams.trigrams(of: entry.name) : trigrams[Int(number)])
        return comparer.compare(name, entry.name, similarity)
    }

    /// Keeps the best comparison of a station.
    private func keep(_ comparison: NameComparison, of place: Int, in found: inout [Int: NameComparison]) {
        if let old = found[place],
            (old.isContradicted ? 0 : 1, old.score) >= (comparison.isContradicted ? 0 : 1, comparison.score)
        {
            return
        }
        found[place] = comparison
    }

    // MARK: - Suggestions

    /// Returns the stations nearest to a channel, nearest first.
    func suggestions(for names: [ChannelName], limit: Int) -> [MatchExplanation.Suggestion] {
        var found: [Int: NameComparison] = [:]
        for name in names {
            let trigrams = NameTrigrams.trigrams(of: name)
            for number in nearest(to: trigrams) + candidates(of: name).prefix(Self.comparisons) {
                keep(compare(name, trigrams, number), of: entries[Int(number)].place, in: &found)
            }
        }
        return found.filter { $1.score >= Self.minimumScore }
            .sorted { ($1.value.score, $0.key) < ($0.value.score, $1.key) }.prefix(limit)
            .map { suggestion(stations[$0], $1) }
    }

    /// Compares a channel with one station.
    func comparison(of names: [ChannelName], with station: StationID) -> MatchExplanation.Suggestion? {
        guard let range = ranges[station] else { return nil }
        var found: [Int: NameComparison] = [:]
        for name in names {
            let trigrams = NameTrigrams.trigrams(of: name)
            for number in range { keep(compare(name, trigrams, Int32(number)), of: entries[number].place, in: &found) }
        }
        return found.first.map { suggestion(stations[$0.key], $0.value) }
    }

    private func suggestion(_ station: Station, _ comparison: NameComparison) -> MatchExplanation.Suggestion {
        MatchExplanation.Suggestion(
            station: station.id, name: station.name, score: min(comparison.score, 1), evidence: comparison.evidence)
    }

    /// Returns the names that share the most trigrams, within the budget. Earlier names win ties.
    private func nearest(to trigrams: [UInt64]) -> [Int32] {
        var shared = [UInt8](repeating: 0, count: entries.count)
        // For each number of trigrams, the names that share at least as many.
        var sharing: [[Int32]] = Array(repeating: [], count: trigrams.count + 1)
        var left = Self.budget
        for list in trigrams.compactMap({ index[$0] }).sorted(by: { $0.count < $1.count }) where left > 0 {
            for number in list.prefix(left) {
                shared[Int(number)] += 1
                sharing[Int(shared[Int(number)])].append(number)
            }
            left -= list.count
        }
        var candidates: [Int32] = []
        for count in sharing.indices.reversed() where candidates.count < Self.comparisons {
            let exactly = sharing[count].filter { shared[Int($0)] == UInt8(count) }
            candidates += exactly.sorted().prefix(Self.comparisons - candidates.count)
        }
        return candidates
    }
}

/// The trigrams of names.
private enum NameTrigrams {
    /// The maximum number of characters to compare.
    private static let maximumLength = 64

    /// Returns the distinct trigrams of a name without fillers and abbreviations, in ascending order.
    static func trigrams(of name: ChannelName) -> [UInt64] {
        var letters: [UInt64] = []
        let words = name.words.contains { !$0.isFiller } ? name.words.filter { !$0.isFiller } : name.words
        for word in words where letters.count < maximumLength {
            letters += NameComparer.expanded(word.spelling).unicodeScalars.prefix(maximumLength - letters.count).map {
                UInt64($0.value)
            }
        }
        guard !letters.isEmpty else { return [] }
        // Two spaces before and one after, so that the start weighs more and short names have trigrams, too.
        let padded: [UInt64] = [32, 32] + letters + [32]
        let groups = (0..<padded.count - 2).map { (index: Int) -> UInt64 in
            let (first, second, third) = (padded[index], padded[index + 1], padded[index + 2])
            return first << 42 | second << 21 | third
        }
        return Set(groups).sorted()
    }

    /// Returns the Dice coefficient of two sorted sets: twice the size of their intersection, divided by the sum of
    /// their sizes.
    static func similarity(of one: [UInt64], and other: [UInt64]) -> Double {
        guard !one.isEmpty, !other.isEmpty else { return 0 }
        var (left, right, shared) = (0, 0, 0)
        while left < one.count, right < other.count {
            if one[left] == other[right] { shared += 1 }
            let isLess = one[left] <= other[right]
            if one[left] >= other[right] { right += 1 }
            if isLess { left += 1 }
        }
        return Double(2 * shared) / Double(one.count + other.count)
    }
}
