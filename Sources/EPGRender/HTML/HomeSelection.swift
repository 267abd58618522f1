import EPGModel

/// Chooses from the airings of an evening those that the home page tells of.
struct HomeSelection {
    private let cards: [HomeCard]
    private let now: Instant

    init(_ cards: [HomeCard], now: Instant) {
        self.cards = cards
        self.now = now
    }

    /// Films, premieres and sport, the most telling ones, in order of start; of a title the first.
    var highlights: [HomeCard] {
        var titles: Set<String> = []
        let eligible = cards.filter { card in
            guard card.window.end > now, card.genre == .film || card.genre == .sport || card.badge == .premiere else {
                return false
            }
            return titles.insert(card.title).inserted
        }
        return best(HomePage.highlightLimit, of: eligible)
    }

    /// What there is of each genre, in order of start; genres that people look for in the evening come first.
    var byGenre: [(HomeGenre, [HomeCard])] {
        let groups = Dictionary(grouping: cards) { HomeGenre($0.genre) }
        return HomeGenre.inOrder.compactMap { genre in
            groups[genre].map { (genre, best(HomePage.genreLimit, of: $0)) }
        }
    }

    /// So many of the highest weight, of the same weight the first; in order of start, then as they came.
    private func best(_ limit: Int, of cards: [HomeCard]) -> [HomeCard] {
        let weighed = cards.enumerated().sorted { left, right in
            (-weight(left.element), left.element.window.start, left.offset)
                < (-weight(right.element), right.element.window.start, right.offset)
        }
        return weighed.prefix(limit).sorted { left, right in
            (left.element.window.start, left.offset) < (right.element.window.start, right.offset)
        }
        .map(\.element)
    }

    /// How telling an airing is: what is first shown or live, films, prime time, pictures.
    private func weight(_ card: HomeCard) -> Int {
        var weight = 0
        switch card.badge {
        case .live, .premiere: weight += 4
        case .new: weight += 1
        case nil: break
        }
        if card.genre == .film { weight += 2 }
        if card.picture != nil { weight += 1 }
        if card.stars != nil { weight += 1 }
        return weight
    }
}

/// A genre, or none of those that are known.
package enum HomeGenre: Hashable, Sendable {
    case known(Genre)
    case other

    init(_ genre: Genre?) {
        self = genre.map { .known($0) } ?? .other
    }

    /// What people look for in the evening comes first.
    static let inOrder: [HomeGenre] =
        [.film, .series, .sport, .entertainment, .documentary, .music, .news, .children].map { .known($0) } + [.other]

    package var genre: Genre? {
        if case .known(let genre) = self { genre } else { nil }
    }

    /// `Film`
    package var heading: String { genre?.name ?? "More" }
}
