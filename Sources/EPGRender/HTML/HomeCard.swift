package import EPGModel

/// An airing as the home page tells of it.
package struct HomeCard: Hashable, Sendable {
    package let id: AiringID
    package let station: StationID
    package let stationName: String
    /// The address of the station's logo, as the feed gives it.
    package let logo: String?
    package let title: String
    /// The sub-title, else the description.
    package let text: String?
    package let episode: String?
    package let genre: Genre?
    package let badge: AiringBadge?
    package let window: TimeWindow
    package let isStopInferred: Bool
    /// The address of a picture of the programme, as the feed gives it.
    package let picture: String?
    /// When it was made, as people read it, such as `1951`.
    package let year: String?
    /// The first star rating as the feed writes it, such as `4/5`.
    package let stars: String?
    /// What follows on the station.
    package let next: Next?

    /// An airing that follows.
    package struct Next: Hashable, Sendable {
        package let title: String
        package let start: Instant
    }

    /// - Parameter detail: Everything that is known of the airing; without it there is no badge, picture, year or rating.
    package init(
        _ airing: Airing, station: StationRow, detail: AiringDetail?, next: Airing? = nil, languages: [String] = []
    ) {
        let programme = detail?.programme
        id = airing.id
        self.station = airing.station
        stationName = station.station.name
        logo = station.station.icons.first?.source
        title = programme?.titles.text(preferring: languages) ?? airing.title
        text =
            programme?.subtitles.text(preferring: languages) ?? airing.subtitle
            ?? programme?.descriptions.text(preferring: languages) ?? airing.description
        episode = airing.episode
        genre = Genre(categories: airing.categories)
        badge = programme.flatMap { AiringBadge($0) }
        window = airing.window
        isStopInferred = airing.isStopInferred
        picture = programme?.pictures.first { $0.isWide }?.address ?? programme?.pictures.first?.address
        year = programme?.date.map { String($0.prefix(4)) }
        stars = programme?.starRatings.first?.value
        self.next = next.map { Next(title: $0.title, start: $0.window.start) }
    }

    /// How far it is at an instant, from 0 to 1.
    package func progress(at now: Instant) -> Double { window.progress(at: now) }
}

extension TimeWindow {
    /// The part of it that is over at an instant, from 0 to 1.
    func progress(at now: Instant) -> Double {
        guard now > start, seconds > 0 else { return 0 }
        return min(1, Double(start.seconds(to: now)) / Double(seconds))
    }
}
