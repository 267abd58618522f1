/// What a reader who knows a guide as it was at one generation has to read again to know it as it is.
///
/// Airings that are gone because they stopped long ago aren't told (see ``ScheduleReading/changes(since:)``).
public struct GuideChanges: Hashable, Sendable {
    /// The generation that the reader knows.
    public var since: Generation
    /// The generation that stands now.
    public var generation: Generation
    /// Whether stations came, went, or are described, numbered or ordered otherwise: rows are others then.
    public var changesStations: Bool
    /// The stations whose schedules changed, in the order of their rows; those that are gone aren't among them.
    public var stations: [StationChanges]

    public init(
        since: Generation, generation: Generation, changesStations: Bool = false, stations: [StationChanges] = []
    ) {
        self.since = since
        self.generation = generation
        self.changesStations = changesStations
        self.stations = stations
    }
}

/// What changed of a station's schedule.
public struct StationChanges: Hashable, Sendable {
    /// How much of a schedule changed.
    public enum Extent: Hashable, Sendable {
        /// Any of it may be another.
        case whole
        /// These airings, each once, by the start that they have (or had, where they are gone); all others are as they were.
        case airings([AiringChange])
    }

    /// The row in which the station stands now, from 0.
    public var row: Int
    /// Whose schedule changed.
    public var station: StationID
    /// What of the schedule has to be read again.
    public var extent: Extent

    public init(row: Int, station: StationID, extent: Extent) {
        self.row = row
        self.station = station
        self.extent = extent
    }
}
