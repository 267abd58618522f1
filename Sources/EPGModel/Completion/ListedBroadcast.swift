/// A listing of a broadcast, as far as it is compared with another source's listing of the same station (Rules.md, rule 22).
package struct ListedBroadcast: Hashable, Sendable {
    package var window: TimeWindow
    package var title: String
    package var subtitle: String?
    package var description: String?
    /// The numbers of the episode in all systems of the feed.
    package var episodes: [EpisodeNumber]
    /// The date of completion in the feed's format.
    package var date: String?
    /// The names of the directors.
    package var directors: [String]

    /// Creates a listing, by default without an episode and credits.
    package init(
        window: TimeWindow, title: String, subtitle: String? = nil, description: String? = nil,
        episodes: [EpisodeNumber] = [], date: String? = nil, directors: [String] = []
    ) {
        self.window = window
        self.title = title
        self.subtitle = subtitle
        self.description = description
        self.episodes = episodes
        self.date = date
        self.directors = directors
    }

    /// The longest broadcast that is compared, in seconds. Longer listings are blocks without individual programmes.
    package static let longest: Int64 = 6 * 3600
    /// The maximum difference of two starts, in seconds.
    package static let farthest: Int64 = 15 * 60

    /// Returns whether both listings describe the same broadcast.
    package func isSame(as other: ListedBroadcast) -> Bool {
        mayBeSame(as: other).map { isConfirmed(by: other, $0) } ?? false
    }

    /// Returns whether two windows allow that both are the same broadcast. At most one of several windows that do not overlap does so.
    package static func agree(_ window: TimeWindow, _ other: TimeWindow) -> Bool {
        abs(window.start.seconds(to: other.start)) <= farthest && window.start.seconds(to: window.end) <= longest
            && other.start.seconds(to: other.end) <= longest && overlap(of: window, with: other) >= 0.6
    }

    /// Returns the shared part of both windows: their intersection in relation to their union.
    private static func overlap(of window: TimeWindow, with other: TimeWindow) -> Double {
        let (start, stop) = (max(window.start, other.start), min(window.end, other.end))
        guard start < stop else { return 0 }
        let union = min(window.start, other.start).seconds(to: max(window.end, other.end))
        return Double(start.seconds(to: stop)) / Double(union)
    }

    /// Returns the relation of the titles if windows, titles and descriptions allow that both are the same broadcast, whatever the
    /// episode; `nil` otherwise.
    package func mayBeSame(as other: ListedBroadcast) -> TitleRelation? {
        guard Self.agree(window, other.window) else { return nil }
        let titles = ComparedTitle.relation(of: self, to: other)
        switch titles {
        case .equal, .joined, .similar: return titles
        // Some feeds put the episode into the title, and the series nowhere.
        case .different: return distance(to: other) <= 600 && descriptions(other) == .same ? titles : nil
        case .contradicting: return nil
        }
    }

    /// Returns whether nothing contradicts, and enough confirms, that two listings are the same broadcast.
    ///
    /// - Parameter titles: The result of ``mayBeSame(as:)``.
    package func isConfirmed(by other: ListedBroadcast, _ titles: TitleRelation) -> Bool {
        let episode = EpisodeNumber.relation(of: episodes, to: other.episodes)
        let subtitle = subtitles(other)
        if episode == .different || episode != .equal && subtitle == .different { return false }
        if let year = Self.year(date), let other = Self.year(other.date), abs(year - other) > 1 { return false }
        if !directors.isEmpty, !other.directors.isEmpty,
            !directors.contains(where: { name in other.directors.contains { ComparedText.isSamePerson(name, $0) } })
        {
            return false
        }
        let (overlap, distance) = (Self.overlap(of: window, with: other.window), distance(to: other))
        switch titles {
        case .contradicting: return false
        case .joined, .different: return true
        case .equal:
            if episode == .equal || subtitle == .equal { return true }
            return switch descriptions(other) {
            case .same, .equal: true
            case .different: false
            case .unknown: distance <= 300 || distance <= 600 && overlap >= 0.8
            }
        case .similar:
            if episode == .equal || subtitle == .equal && ComparedText.words(self.subtitle ?? "").count > 1 {
                return true
            }
            return switch descriptions(other) {
            case .same, .equal: true
            case .different: false
            case .unknown: distance <= 60 && overlap >= 0.95
            }
        }
    }

    /// The seconds between both starts.
    private func distance(to other: ListedBroadcast) -> Int64 { abs(window.start.seconds(to: other.window.start)) }

    private func subtitles(_ other: ListedBroadcast) -> DetailRelation {
        guard let subtitle, let otherSubtitle = other.subtitle else { return .unknown }
        return ComparedText.relation(of: subtitle, to: otherSubtitle, titles: [title, other.title])
    }

    private func descriptions(_ other: ListedBroadcast) -> DescriptionRelation {
        guard let description, let otherDescription = other.description else { return .unknown }
        return ComparedText.relation(of: description, to: otherDescription)
    }

    /// Returns the year of a date of completion; `nil` if it does not begin with one, and for the start of Unix time, which feeds
    /// write for an unknown date.
    private static func year(_ date: String?) -> Int? {
        guard let date, !date.hasPrefix("19700101"), date.utf8.count >= 4, let year = Int(digits: date.prefix(4)),
            year > 1800
        else { return nil }
        return year
    }
}

/// What a detail says about two listings.
enum DetailRelation {
    case equal, different, unknown
}

extension EpisodeNumber {
    /// Compares the numbers of two listings.
    ///
    /// Positions (`xmltv_ns`, `SxxExx`) take precedence, and an unknown season or part is no difference. Then numbers in the same
    /// system are compared by their digits, because feeds write `S3 E5` and `3/5` alike.
    fileprivate static func relation(of numbers: [EpisodeNumber], to others: [EpisodeNumber]) -> DetailRelation {
        guard !numbers.isEmpty, !others.isEmpty else { return .unknown }
        if let position = numbers.position, let other = others.position {
            func differs(_ left: Int?, _ right: Int?) -> Bool {
                if let left, let right { left != right } else { false }
            }
            if differs(position.episode.number, other.episode.number)
                || differs(position.season.number, other.season.number)
                || differs(position.part.number, other.part.number)
            {
                return .different
            }
            if position.episode.number != nil, other.episode.number != nil { return .equal }
        }
        var relation = DetailRelation.unknown
        for system in Set(numbers.map(\.system)).intersection(others.map(\.system)) where !isForeign(system) {
            let values = numbers.filter { $0.system == system }.map(\.value)
            let otherValues = others.filter { $0.system == system }.map(\.value)
            if values.contains(where: otherValues.contains) {
                relation = .equal
            } else if let isEqual = values[0].sharesNumbers(with: otherValues[0]) {
                if !isEqual { return .different }
                relation = .equal
            }
        }
        return relation
    }

    /// Whether a system says nothing about the episode: dates of transmission, and numbers of a service's own.
    private static func isForeign(_ system: String) -> Bool { ["original-air-date", "pluto"].contains(system) }
}

extension [EpisodeNumber] {
    /// The first valid position.
    fileprivate var position: EpisodePosition? {
        lazy.compactMap { $0.position ?? EpisodePosition(seasonAndEpisode: $0.value) }.first
    }
}

extension String {
    /// Returns whether two texts have the same numbers, as far as both have them: `S3 E5 (2/8)` and `S3 E5` share the first ones,
    /// `S3 E5` and `E5` the last ones; `nil` if a text has none.
    fileprivate func sharesNumbers(with other: String) -> Bool? {
        let (left, right) = (numbers, other.numbers)
        let count = Swift.min(left.count, right.count)
        guard count > 0 else { return nil }
        return left.prefix(count) == right.prefix(count) || left.suffix(count) == right.suffix(count)
    }

    private var numbers: [Int] { split { !("0"..."9").contains($0) }.compactMap { Int($0.suffix(9)) } }
}
