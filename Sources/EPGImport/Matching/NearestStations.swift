import EPGModel

/// A search for stations with names similar to a channel's, by the trigrams that they share.
///
/// The score is the Dice coefficient of the two sets of trigrams, over names without words of quality and country (see
/// ``NameTrigrams``).
struct NearestStations: Sendable {
    private struct Name: Sendable {
        let place: Int
        let trigrams: [UInt64]
    }

    /// The minimum score of a suggestion.
    private static let minimumScore = 0.35
    /// The maximum number of index entries to examine for one name, rarest trigrams first.
    private static let budget = 20_000
    /// The maximum number of names to compare with one name.
    private static let comparisons = 64
    /// The maximum number of names to index per station.
    private static let namesOfStation = 8

    private let stations: [Station]
    private var names: [Name] = []
    private var index: [UInt64: [Int32]] = [:]

    /// - Complexity: O(names of all stations).
    init(_ stations: [Station]) {
        self.stations = stations
        for (place, station) in stations.enumerated() {
            add(NameTrigrams.trigrams(ofID: station.id.rawValue), place)
            for name in station.displayNames.prefix(Self.namesOfStation) {
                add(NameTrigrams.trigrams(of: name.text), place)
            }
        }
    }

    private mutating func add(_ trigrams: [UInt64], _ place: Int) {
        guard !trigrams.isEmpty, let number = Int32(exactly: names.count) else { return }
        if let last = names.last, last.place == place, last.trigrams == trigrams { return }
        for trigram in trigrams { index[trigram, default: []].append(number) }
        names.append(Name(place: place, trigrams: trigrams))
    }

    /// Returns the stations nearest to a channel's `tvg-name`, name, and identifier, nearest first.
    func suggestions(for channel: Channel, limit: Int) -> [MatchExplanation.Suggestion] {
        var scores: [Int: Double] = [:]
        var wanted = [NameTrigrams.trigrams(of: channel.name)]
        if let name = channel.guideName { wanted.append(NameTrigrams.trigrams(of: name)) }
        if let id = channel.guideID { wanted.append(NameTrigrams.trigrams(ofID: id)) }
        for trigrams in Set(wanted) {
            for (place, score) in nearest(to: trigrams) { scores[place] = max(scores[place] ?? 0, score) }
        }
        return scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map { place, score in
            let station = stations[place]
            return MatchExplanation.Suggestion(station: station.id, name: station.name, score: score)
        }
    }

    private func nearest(to trigrams: [UInt64]) -> [(place: Int, score: Double)] {
        candidates(trigrams).compactMap { number in
            let name = names[Int(number)]
            let score = NameTrigrams.similarity(of: trigrams, and: name.trigrams)
            return score >= Self.minimumScore ? (name.place, score) : nil
        }
    }

    /// Returns the names that share the most trigrams, within the budget. Earlier names win ties.
    private func candidates(_ trigrams: [UInt64]) -> [Int32] {
        var shared = [UInt8](repeating: 0, count: names.count)
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

/// Normalization of names for similarity comparisons.
private enum NameTrigrams {
    /// The maximum number of characters to compare.
    private static let maximumLength = 64

    /// Returns the distinct trigrams of a name in ascending order.
    static func trigrams(of name: String) -> [UInt64] { trigrams(words: words(of: name)) }

    /// Returns the trigrams of an identifier such as `BBCOne.uk@HD`, without its feed and country suffix.
    static func trigrams(ofID id: String) -> [UInt64] {
        var words = words(of: NameFolding.feedless(id) ?? "")
        if words.count > 1, let last = words.last, last.unicodeScalars.count == 2 { words.removeLast() }
        return trigrams(words: words)
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

    private static func words(of name: String) -> [String] {
        guard name.utf8.count <= NameFolding.maximumLength else { return [] }
        let folded = CaseFolding.folded(name, .compatible)
        var scalars = Substring(folded).unicodeScalars
        // `UK: BBC One`, `US| CNN`
        if let sign = scalars.prefix(5).firstIndex(where: { $0 == ":" || $0 == "|" }) {
            let rest = scalars[scalars.index(after: sign)...]
            if rest.contains(where: { $0.properties.isAlphabetic }) { scalars = rest }
        }
        let words = scalars.split { scalar in
            !scalar.properties.isAlphabetic && scalar.properties.numericType == nil && scalar != "+"
        }.map { String($0) }
        let significant = words.filter { !qualities.contains($0) }
        guard significant.count > 1, let last = significant.last, countries.contains(last) else {
            return significant.isEmpty ? words : significant
        }
        return significant.dropLast()
    }

    private static func trigrams(words: [String]) -> [UInt64] {
        let letters = words.joined().unicodeScalars.prefix(maximumLength).map { UInt64($0.value) }
        guard !letters.isEmpty else { return [] }
        // Two spaces before and one after, so that the start weighs more and short names have trigrams, too.
        let padded = [32, 32] + letters + [32]
        let groups = (0..<padded.count - 2).map { padded[$0] << 42 | padded[$0 + 1] << 21 | padded[$0 + 2] }
        return Set(groups).sorted()
    }

    private static let qualities: Set<String> = [
        "hd", "fhd", "uhd", "sd", "hq", "lq", "4k", "8k", "hevc", "h264", "h265", "raw", "vip", "backup", "tv", "1080p",
        "1080i", "720p", "576p", "576i", "540p", "480p", "360p", "50fps", "60fps",
    ]

    private static let countries: Set<String> = [
        "uk", "gb", "us", "usa", "ca", "au", "nz", "ie", "fr", "de", "at", "ch", "it", "es", "pt", "nl", "be", "se",
        "no", "dk", "fi", "pl", "cz", "sk", "hu", "ro", "bg", "gr", "tr", "ru", "ua", "il", "in", "br", "mx", "ar",
        "cn", "jp", "kr", "vn", "th", "id",
    ]
}
