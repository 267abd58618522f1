/// What happened to a guide since a generation or an instant, told with names and titles for people.
package struct ChangeReview: Hashable, Sendable {
    /// From where on a guide is reviewed.
    package enum Start: Hashable, Sendable {
        /// What came after this generation.
        case generation(Generation)
        /// What came after this instant.
        case instant(Instant)
    }

    /// What came after this generation is told.
    package var since: Generation
    /// The generation that stands.
    package var generation: Generation
    /// When the first told generation came; `nil` where there is none.
    package var from: Instant?
    /// Whether all is told that was asked for; the log reaches back a week.
    package var isComplete: Bool
    /// Whether stations came, went, or are described, numbered or ordered otherwise.
    package var changesStations: Bool
    /// In the order of their rows; those that are gone aren't among them.
    package var stations: [StationReview]

    package init(
        since: Generation, generation: Generation, from: Instant?, isComplete: Bool, changesStations: Bool = false,
        stations: [StationReview] = []
    ) {
        self.since = since
        self.generation = generation
        self.from = from
        self.isComplete = isComplete
        self.changesStations = changesStations
        self.stations = stations
    }
}

/// What changed of the schedule of a station.
package struct StationReview: Hashable, Sendable {
    /// From 0.
    package var row: Int
    package var station: StationID
    /// As ``Station/name``.
    package var name: String
    /// In order of start; `nil` where any of the schedule may be another.
    package var airings: [AiringReview]?

    package init(row: Int, station: StationID, name: String, airings: [AiringReview]?) {
        self.row = row
        self.station = station
        self.name = name
        self.airings = airings
    }
}

/// A change of an airing, and what is on.
package struct AiringReview: Hashable, Sendable {
    package var change: AiringChange
    /// The title that it has now; `nil` for one that is gone.
    package var title: String?

    package init(change: AiringChange, title: String?) {
        self.change = change
        self.title = title
    }
}
