import EPGModel

/// A search for stations with names similar to a channel's.
///
/// An index of words and an index of trigrams find the candidates. A candidate is compared in full only if the words that it
/// shares with the channel allow it to win.
struct SimilarStations: Sendable {
    /// The minimum score of a match.
    static let threshold = 0.85
    /// The minimum difference between the scores of a match and of the next station.
    static let margin = 0.05
    /// The minimum score of a suggestion.
    private static let minimumScore = 0.35
    /// The maximum number of names with the rarest word of a channel; more are not compared.
    private static let longestList = 250
    /// The maximum number of index entries to examine for one suggestion, rarest trigrams first.
    private static let budget = 20_000
    /// The maximum number of names that share trigrams to consider for suggestions.
    private static let comparisons = 64
    /// The maximum number of names to compare in full for one match.
    private static let fullComparisons = 32

    private let stations: [Station]
    private let entries: [NameIndex.Entry]
    private let vocabulary: StationVocabulary
    /// The first words of each name, as numbers of the vocabulary.
    private let words: [[Int32]]
    /// The trigrams of names, and the names that contain each trigram; empty unless there are suggestions.
    private var trigrams: [[UInt64]] = []
    private var index: [UInt64: [Int32]] = [:]
    /// The indices of the names of each station, like ``trigrams``.
    private var ranges: [StationID: Range<Int>] = [:]

    /// - Parameter suggests: Whether to index trigrams, which only ``suggestions(for:limit:)`` needs.
    /// - Complexity: O(names of all stations).
    init(_ stations: [Station], _ names: NameIndex, suggests: Bool) {
        self.stations = stations
        entries = names.entries
        let vocabulary = StationVocabulary(names.entries.map(\.name))
        self.vocabulary = vocabulary
        words = names.entries.map { entry in
            entry.name.words.prefix(NameComparer.longestName).compactMap { vocabulary.numbers[$0.text] }
        }
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
        // A longer name is never complete.
        let queries = names.filter { $0.words.count <= NameComparer.longestName }.map { NameQuery($0, vocabulary) }
        var possible: [Candidate] = []
        for (place, query) in queries.enumerated() {
            for number in candidates(of: query) {
                let candidate = candidate(number, for: query, at: place, similarity: 1)
                // A lower score neither matches nor ties with a match.
                if candidate.bound > Self.threshold - Self.margin { possible.append(candidate) }
            }
        }
        guard possible.contains(where: \.canBeComplete) else { return [] }
        possible.sort { one, other in
            one.canBeComplete == other.canBeComplete ? one.precedes(other) : one.canBeComplete
        }
        var found: [Int: NameComparison] = [:]
        for candidate in possible.prefix(Self.fullComparisons) {
            compare(queries[candidate.query], candidate.number, in: &found)
        }
        found = found.filter { !$1.isContradicted }
        guard let best = found.filter({ $1.isComplete }).map(\.value.score).max(), best >= Self.threshold else {
            return []
        }
        return found.filter { $1.score > best - Self.margin }.keys.sorted()
    }

    /// Returns the names with the rarest word of a name, or a spelling of it.
    private func candidates(of query: NameQuery) -> [Int32] {
        var rarest: (count: Int, numbers: [Int32])?
        for (index, word) in query.words.enumerated() where !word.isFiller {
            let numbers = query.spellings(of: index)
            let count = numbers.reduce(0) { $0 + vocabulary.postings[Int($1)].count }
            if count == 0 { return [] }
            if count < rarest?.count ?? .max { rarest = (count, numbers) }
        }
        guard let rarest, rarest.count <= Self.longestList else { return [] }
        return rarest.numbers.flatMap { vocabulary.postings[Int($0)] }
    }

    /// A name of a station, and what its words allow.
    private struct Candidate {
        /// The index of the channel's name.
        let query: Int
        let number: Int32
        /// The maximum score.
        let bound: Double
        /// Whether all words of both names may have a counterpart, apart from fillers.
        let canBeComplete: Bool

        func precedes(_ other: Candidate) -> Bool {
            if bound != other.bound { return bound > other.bound }
            return number == other.number ? query < other.query : number < other.number
        }
    }

    /// Returns a candidate.
    ///
    /// - Parameter similarity: The maximum similarity of the trigrams.
    private func candidate(
        _ number: Int32, for query: NameQuery, at place: Int, similarity: Double
    ) -> Candidate {
        var (shared, total, hits) = (0.0, query.weight, UInt32(0))
        var hasAll = entries[Int(number)].name.words.count <= NameComparer.longestName
        for word in words[Int(number)] {
            let weight = vocabulary.weights[Int(word)]
            total += weight
            let places = query.places(of: word)
            if places != 0 {
                shared += weight
                hits |= places
            } else if !vocabulary.isFiller(word) {
                hasAll = false
            }
        }
        for (index, weight) in query.weights.enumerated() where hits & 1 << UInt32(index) != 0 { shared += weight }
        return Candidate(
            query: place, number: number, bound: NameComparer.score(shared: shared, total: total, trigrams: similarity),
            canBeComplete: hasAll && hits & query.required == query.required)
    }

    /// Compares a name in full, and keeps the best comparison of its station.
    private func compare(_ query: NameQuery, _ number: Int32, in found: inout [Int: NameComparison]) {
        let entry = entries[Int(number)]
        let comparison = NameComparer.compare(query, entry.name, similarity(query, number), vocabulary)
        if let old = found[entry.place],
            (old.isContradicted ? 0 : 1, old.score) >= (comparison.isContradicted ? 0 : 1, comparison.score)
        {
            return
        }
        found[entry.place] = comparison
    }

    /// Returns the similarity of the trigrams.
    private func similarity(_ query: NameQuery, _ number: Int32) -> Double {
        let entry = entries[Int(number)]
        if entry.name.key == query.name.key { return 1 }
        return NameTrigrams.similarity(
            of: query.trigrams, and: trigrams.isEmpty ? NameTrigrams.trigrams(of: entry.name) : trigrams[Int(number)])
    }

    // MARK: - Suggestions

    /// Returns the stations nearest to a channel, nearest first.
    ///
    /// - Complexity: Bounded, regardless of the number of similar stations.
    func suggestions(for names: [ChannelName], limit: Int) -> [MatchExplanation.Suggestion] {
        let queries = names.map { NameQuery($0, vocabulary) }
        var possible: [Candidate] = []
        for (place, query) in queries.enumerated() {
            let numbers = nearest(to: query.trigrams) + candidates(of: query).prefix(Self.comparisons)
            for number in Set(numbers) {
                let candidate = candidate(
                    number, for: query, at: place, similarity: similarity(query, number))
                if candidate.bound >= Self.minimumScore { possible.append(candidate) }
            }
        }
        possible.sort { $0.precedes($1) }
        var found: [Int: NameComparison] = [:]
        for candidate in possible {
            // Those that follow can't be among the nearest.
            if found.count >= limit {
                let scores = found.values.map(\.score).sorted(by: >)
                if scores[limit - 1] > candidate.bound { break }
            }
            compare(queries[candidate.query], candidate.number, in: &found)
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
            let query = NameQuery(name, vocabulary)
            for number in range { compare(query, Int32(number), in: &found) }
        }
        return found.first.map { suggestion(stations[$0.key], $0.value) }
    }

    /// Returns the comparison of a channel with a station if all names of the station contradict the channel's: other numbers or
    /// another time shift, or a number that the channel has only as its quality (`Rai 4K`).
    func contradiction(of names: [ChannelName], to station: StationID) -> MatchExplanation.Suggestion? {
        guard let range = ranges[station], let name = names.first, !name.words.isEmpty,
            let nearest = comparison(of: names, with: station)
        else { return nil }
        let isQuality = { (other: ChannelName) in
            names.allSatisfy { $0.numbers.isEmpty && $0.quality == .ultra } && !other.numbers.isEmpty
        }
        let isDoubtful = nearest.evidence.contains { evidence in
            switch evidence {
            case .differentNumbers, .differentShifts: true
            default: false
            }
        }
        return isDoubtful || range.allSatisfy({ isQuality(entries[$0].name) }) ? nearest : nil
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

/// The words of all names of stations.
struct StationVocabulary: Sendable {
    /// The number of each word.
    private(set) var numbers: [String: Int32] = [:]
    /// The names that contain each word.
    private(set) var postings: [[Int32]] = []
    /// The weight of each word: more if fewer stations have it.
    private(set) var weights: [Double] = []
    private var texts: [String] = []
    /// The words by their forms with a letter less, by form.
    private var forms: [(form: UInt64, word: Int32)] = []
    /// The number of names.
    private let count: Int

    /// - Complexity: O(words × log(words)).
    init(_ names: [ChannelName]) {
        count = names.count
        for (name, number) in zip(names, Int32(0)...) {
            for word in name.words {
                if let known = numbers[word.text] {
                    if postings[Int(known)].last != number { postings[Int(known)].append(number) }
                } else {
                    numbers[word.text] = Int32(texts.count)
                    texts.append(word.text)
                    postings.append([number])
                }
            }
        }
        weights = texts.indices.map { Self.weight(texts[$0], frequency: postings[$0].count, among: names.count) }
        for (text, number) in zip(texts, Int32(0)...) {
            for form in Misspelling.forms(of: text) { forms.append((form, number)) }
        }
        forms.sort { $0.form < $1.form }
    }

    func isFiller(_ word: Int32) -> Bool { weights[Int(word)] == Self.fillerWeight }

    /// The weight of a word, which may be none of a station's.
    func weight(_ word: ChannelName.Word) -> Double {
        numbers[word.text].map { weights[Int($0)] } ?? Self.weight(word.text, frequency: 0, among: count)
    }

    private static let fillerWeight = 0.12

    private static func weight(_ word: String, frequency: Int, among count: Int) -> Double {
        NameVocabulary.fillers.contains(word)
            ? fillerWeight : 1 + 1 / (1 + Double(frequency) * 100 / Double(max(count, 100)))
    }

    /// Returns other spellings of a word among the names, and how similar they are, from 0 to 1.
    ///
    /// - Complexity: O(length of the word), apart from the words that differ by a letter.
    func alternatives(to word: ChannelName.Word) -> [(word: Int32, similarity: Double)] {
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
        var numbers = Set(variants.compactMap { self.numbers[$0] })
        // A word that the guide knows is not misspelled.
        if self.numbers[word.text] == nil {
            for form in Misspelling.forms(of: word.text) {
                for entry in forms[forms.partitioningIndex { $0.form >= form }...].prefix(Self.maximumSpellings) {
                    guard entry.form == form else { break }
                    numbers.insert(entry.word)
                }
            }
        }
        let isKnown = self.numbers[word.text] != nil
        return numbers.sorted().compactMap { number in
            let text = texts[Int(number)]
            guard text != word.text, !ChannelName.Word(text: text, spelling: text).isNumber else { return nil }
            let similarity = NameComparer.similarity(word.text, text, isKnown: isKnown)
            return similarity > 0 ? (number, similarity) : nil
        }
    }

    /// The maximum number of words with one form to compare with a misspelled one.
    private static let maximumSpellings = 64
}

/// A channel's name, prepared for comparisons with many names.
struct NameQuery: Sendable {
    let name: ChannelName
    /// The first words.
    let words: [ChannelName.Word]
    /// The weight of each word, and of all.
    let weights: [Double]
    let weight: Double
    /// The set of words, as bits, that are no fillers.
    let required: UInt32
    let trigrams: [UInt64]
    /// The number of each word in the vocabulary, and the numbers of its other spellings with their similarity.
    private let numbers: [Int32?]
    private let alternatives: [[(word: Int32, similarity: Double)]]
    /// The words of the vocabulary that are a spelling of a word, by number, and the set of these, as bits.
    private let spellings: [(word: Int32, places: UInt32)]

    init(_ name: ChannelName, _ vocabulary: StationVocabulary) {
        self.name = name
        words = Array(name.words.prefix(NameComparer.longestName))
        weights = words.map(vocabulary.weight)
        weight = weights.reduce(0, +)
        numbers = words.map { vocabulary.numbers[$0.text] }
        alternatives = words.map(vocabulary.alternatives)
        trigrams = NameTrigrams.trigrams(of: name)
        var required: UInt32 = 0
        var places: [Int32: UInt32] = [:]
        for (index, word) in words.enumerated() {
            let bit = UInt32(1) << UInt32(index)
            if !word.isFiller { required |= bit }
            if let number = numbers[index] { places[number, default: 0] |= bit }
            for (number, _) in alternatives[index] { places[number, default: 0] |= bit }
        }
        self.required = required
        spellings = places.map { ($0, $1) }.sorted { $0.0 < $1.0 }
    }

    /// Returns the words that a word of the vocabulary may stand for, as bits.
    func places(of word: Int32) -> UInt32 {
        let place = spellings.partitioningIndex { $0.word >= word }
        return place < spellings.count && spellings[place].word == word ? spellings[place].places : 0
    }

    /// Returns the words of the vocabulary that are a spelling of a word.
    func spellings(of index: Int) -> [Int32] { (numbers[index].map { [$0] } ?? []) + alternatives[index].map(\.word) }

    /// Returns whether the vocabulary has other spellings of a word.
    func hasAlternatives(to index: Int) -> Bool { !alternatives[index].isEmpty }

    /// Returns how similar a word is to a different one of the vocabulary, from 0 to 1.
    func similarity(of index: Int, to word: Int32) -> Double {
        alternatives[index].first { $0.word == word }?.similarity ?? 0
    }
}

/// The forms of a word without one of its letters. Words that differ by a letter, or by two that are swapped, have one in common.
private enum Misspelling {
    /// The minimum and the maximum number of letters of a word that may be misspelled.
    private static let lengths = 5...64

    /// Returns hashes of the word, and of the word without each of its letters between the first and the last.
    ///
    /// - Complexity: O(length).
    static func forms(of word: String) -> [UInt64] {
        let letters = word.unicodeScalars.map { UInt64($0.value) }
        guard lengths.contains(letters.count) else { return [] }
        let base: UInt64 = 0x9E37_79B9_7F4A_7C15
        // The hash of a text is the sum of its letters, each times a power of the base: one more for each letter after it.
        var (tails, powers) = ([UInt64(0)], [UInt64(1)])
        for letter in letters.reversed() {
            tails.append(tails[tails.count - 1] &+ letter &* powers[powers.count - 1])
            powers.append(powers[powers.count - 1] &* base)
        }
        var forms = [tails[letters.count]]
        var head: UInt64 = 0
        for (index, letter) in letters.enumerated().dropLast() {
            let following = letters.count - 1 - index
            if index > 0 { forms.append(head &* powers[following] &+ tails[following]) }
            head = head &* base &+ letter
        }
        return Set(forms).sorted()
    }
}

/// The trigrams of names.
enum NameTrigrams {
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
