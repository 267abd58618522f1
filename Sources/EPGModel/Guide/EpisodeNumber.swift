/// The number of an episode in one of many systems.
public struct EpisodeNumber: Hashable, Sendable {
    /// As the feed writes it.
    public var value: String
    /// `xmltv_ns`, `onscreen` (the DTD's default), `dd_progid`, `SxxExx` …
    public var system: String

    public init(value: String, system: String = "onscreen") {
        self.value = value
        self.system = system
    }

    /// Season, episode and part, where the system is `xmltv_ns` or `SxxExx` and the value is valid.
    public var position: EpisodePosition? {
        switch system {
        case "xmltv_ns": EpisodePosition(xmltvNS: value)
        case "SxxExx": EpisodePosition(seasonAndEpisode: value)
        default: nil
        }
    }
}

/// The place of an episode in its series; all numbers count from one, unlike those of `xmltv_ns`.
public struct EpisodePosition: Hashable, Sendable {
    /// A number and a total, as far as they are known.
    public struct Count: Hashable, Sendable {
        public var number: Int?
        public var total: Int?
    }

    public var season: Count
    public var episode: Count
    /// Of an episode that is shown in several parts.
    public var part: Count

    /// Reads `season/total . episode/total . part/total`.
    ///
    /// Indices count from zero in the text, totals don't. Blanks may be anywhere, every field may be empty, and fields at
    /// the end may be missing (facts, rule 10). `0 . 12/13 . 0/3` is season 1, episode 13 of 13, part 1 of 3.
    /// `nil` where a field is no number, an index is negative or above 999,999, or all fields are empty.
    public init?(xmltvNS text: String) {
        let fields = text.filter { !$0.isWhitespace }.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...3).contains(fields.count) else { return nil }
        var counts = [Count](repeating: Count(), count: 3)
        for (index, field) in fields.enumerated() {
            guard let count = Count(xmltvNS: field) else { return nil }
            counts[index] = count
        }
        guard counts.contains(where: { $0 != Count() }) else { return nil }
        (season, episode, part) = (counts[0], counts[1], counts[2])
    }

    /// Reads `S01E02`, in any case; both numbers count from one. `nil` for other forms.
    public init?(seasonAndEpisode text: String) {
        let upper = text.filter { !$0.isWhitespace }.uppercased()
        let halves = upper.dropFirst().split(separator: "E", maxSplits: 1, omittingEmptySubsequences: false)
        guard upper.hasPrefix("S"), halves.count == 2, let season = Int(digits: halves[0]),
            let episode = Int(digits: halves[1])
        else { return nil }
        (self.season, self.episode, part) = (Count(number: season), Count(number: episode), Count())
    }

    /// `S1 E13 (1/3)`, for people; `nil` where no number is known.
    public var label: String? {
        var words: [String] = []
        if let number = season.number { words.append("S\(number)") }
        if let number = episode.number { words.append("E\(number)") }
        if let number = part.number, let total = part.total, total > 1 { words.append("(\(number)/\(total))") }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}

extension EpisodePosition.Count {
    /// Reads `index/total`, either of which may be missing.
    fileprivate init?(xmltvNS field: Substring) {
        self.init()
        let halves = field.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if let index = halves.first, !index.isEmpty {
            guard let value = Int(digits: index) else { return nil }
            number = value + 1
        }
        if halves.count == 2, !halves[1].isEmpty {
            guard let value = Int(digits: halves[1]) else { return nil }
            total = value
        }
    }
}

extension Int {
    /// Reads a number up to 999,999 of ASCII digits alone.
    init?(digits: some StringProtocol) {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits), value <= 999_999
        else { return nil }
        self = value
    }
}
