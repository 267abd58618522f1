import EPGModel

/// Finds the stations whose names resemble a channel's most: by the groups of three characters that they share.
///
/// The score is Dice's coefficient of the two sets of groups, over names without words of quality and country (see
/// ``ResemblingName``).
struct NearestStations: Sendable {
    private struct Name: Sendable {
        let place: Int
        let trigrams: [UInt64]
    }

    /// Resemblance below this says nothing.
    private static let leastScore = 0.35
    /// How many entries of the index are looked at for one name, the rarest groups first, and how many names are compared.
    private static let budget = 20_000
    private static let comparisons = 64
    /// Names of one station that are compared.
    private static let namesOfStation = 8

    private let stations: [Station]
    private var names: [Name] = []
    private var index: [UInt64: [Int32]] = [:]

    /// - Complexity: O(names of all stations).
    init(_ stations: [Station]) {
        self.stations = stations
        for (place, station) in stations.enumerated() {
            add(ResemblingName.trigrams(ofID: station.id.rawValue), place)
            for name in station.displayNames.prefix(Self.namesOfStation) {
                add(ResemblingName.trigrams(of: name.text), place)
            }
        }
    }

    private mutating func add(_ trigrams: [UInt64], _ place: Int) {
        guard !trigrams.isEmpty, let number = Int32(exactly: names.count) else { return }
        if let last = names.last, last.place == place, last.trigrams == trigrams { return }
        for trigram in trigrams { index[trigram, default: []].append(number) }
        names.append(Name(place: place, trigrams: trigrams))
    }

    /// The stations nearest to a channel's `tvg-name`, name and identifier, the nearest first.
    func suggestions(for channel: Channel, limit: Int) -> [MatchExplanation.Suggestion] {
        var scores: [Int: Double] = [:]
        var wanted = [ResemblingName.trigrams(of: channel.name)]
        if let name = channel.guideName { wanted.append(ResemblingName.trigrams(of: name)) }
        if let id = channel.guideID { wanted.append(ResemblingName.trigrams(ofID: id)) }
        for trigrams in Set(wanted) {
            for (place, score) in nearest(to: trigrams) { scores[place] = max(scores[place] ?? 0, score) }
        }
        return scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map { place, score in
            let station = stations[place]
            return MatchExplanation.Suggestion(station: station.id, name: station.name, score: score)
        }
    }

    private func nearest(to trigrams: [UInt64]) -> [(place: Int, score: Double)] {
        promising(trigrams).compactMap { number in
            let name = names[Int(number)]
            let score = ResemblingName.resemblance(of: trigrams, and: name.trigrams)
            return score >= Self.leastScore ? (name.place, score) : nil
        }
    }

    /// The names that share the most groups, as far as the budget goes; of those that share as many, the first ones.
    private func promising(_ trigrams: [UInt64]) -> [Int32] {
        var shared = [UInt8](repeating: 0, count: names.count)
        // The names that share at least so many groups; each moves up with every group.
        var sharing: [[Int32]] = Array(repeating: [], count: trigrams.count + 1)
        var left = Self.budget
        for list in trigrams.compactMap({ index[$0] }).sorted(by: { $0.count < $1.count }) where left > 0 {
            for number in list.prefix(left) {
                shared[Int(number)] += 1
                sharing[Int(shared[Int(number)])].append(number)
            }
            left -= list.count
        }
        var promising: [Int32] = []
        for count in sharing.indices.reversed() where promising.count < Self.comparisons {
            let exactly = sharing[count].filter { shared[Int($0)] == UInt8(count) }
            promising += exactly.sorted().prefix(Self.comparisons - promising.count)
        }
        return promising
    }
}

/// A name as it is compared with others that only resemble it.
enum ResemblingName {
    /// The characters that are looked at.
    private static let longest = 64

    /// The groups of three characters of a name, in order of value, each once.
    static func trigrams(of name: String) -> [UInt64] { trigrams(words: words(of: name)) }

    /// The same of an identifier such as `BBCOne.uk@HD`: without its feed and the country at its end.
    static func trigrams(ofID id: String) -> [UInt64] {
        var words = words(of: NameFolding.feedless(id) ?? "")
        if words.count > 1, let last = words.last, last.unicodeScalars.count == 2 { words.removeLast() }
        return trigrams(words: words)
    }

    /// Dice's coefficient of two sets, each in order: twice what they share, divided by what they have.
    static func resemblance(of one: [UInt64], and other: [UInt64]) -> Double {
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
        guard name.utf8.count <= NameFolding.longest else { return [] }
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
        let telling = words.filter { !qualities.contains($0) }
        guard telling.count > 1, let last = telling.last, countries.contains(last) else {
            return telling.isEmpty ? words : telling
        }
        return telling.dropLast()
    }

    private static func trigrams(words: [String]) -> [UInt64] {
        let letters = words.joined().unicodeScalars.prefix(longest).map { UInt64($0.value) }
        guard !letters.isEmpty else { return [] }
        // Two blanks before and one behind, so that the beginning weighs more and short names have groups, too.
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
        "no",
        "dk", "fi", "pl", "cz", "sk", "hu", "ro", "bg", "gr", "tr", "ru", "ua", "il", "in", "br", "mx", "ar", "cn",
        "jp",
        "kr", "vn", "th", "id",
    ]
}
