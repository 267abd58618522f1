/// A number that grows with every change of the stored guide, and only then; it keys caches and ETags.
public struct Generation: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0 for a guide that was never filled.
    public let rawValue: Int64

    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (lhs: Generation, rhs: Generation) -> Bool { lhs.rawValue < rhs.rawValue }

    public var description: String { String(rawValue) }
}

/// The name of one state of a guide: it differs from that of every other state, of this and of other databases.
///
/// The number alone would repeat where a backup is restored or a failover loses a commit.
public struct GuideVersion: Hashable, Sendable {
    /// Grows with every change of the guide.
    public var generation: Generation
    /// A random number that the generation was given; 0 for a guide that was never filled.
    public var nonce: Int64
    /// When the generation came; `nil` for a guide that was never filled.
    public var since: Instant?

    public init(generation: Generation, nonce: Int64, since: Instant?) {
        self.generation = generation
        self.nonce = nonce
        self.since = since
    }
}

/// What a reader who knows a guide as it was at one generation has to read again to know it as it is.
///
/// Airings that are gone because they stopped long ago aren't told (see ``GuideReading/changes(since:)``).
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

/// What became of an airing between two generations of a guide.
///
/// An airing is known by its identifier, which it keeps where its start moves and its programme stays.
public struct AiringChange: Hashable, Sendable, Identifiable {
    /// The four things that can become of an airing.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It wasn't there before.
        case inserted
        /// It is there no more.
        case removed
        /// It starts at another time; its stop and what is said of it may be others, too.
        case moved
        /// It starts when it did; its stop or what is said of it is another.
        case changed
    }

    /// The airing that it is about.
    public let id: AiringID
    /// What became of it.
    public let kind: Kind
    /// When it was on; `nil` for one that was inserted.
    public let before: TimeWindow?
    /// When it is on; `nil` for one that was removed.
    public let after: TimeWindow?

    /// A change from one window to another, whose ``kind`` follows from the two; `nil` where there is neither.
    public init?(_ id: AiringID, from before: TimeWindow?, to after: TimeWindow?) {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, _?): kind = .inserted
        case (_?, nil): kind = .removed
        case (let old?, let new?): kind = old.start == new.start ? .changed : .moved
        }
        self.id = id
        self.before = before
        self.after = after
    }

    /// This change and a later one of the same airing as one; `nil` where nothing is left of both.
    ///
    /// What was inserted and removed was never there. What was moved and moved back counts as changed, because something
    /// else may have changed on the way.
    public func followed(by next: AiringChange) -> AiringChange? {
        AiringChange(id, from: before, to: next.after)
    }
}

/// What happened to a guide since a generation or an instant, told with names and titles for people.
public struct ChangeReview: Hashable, Sendable {
    /// From where on a guide is reviewed.
    public enum Start: Hashable, Sendable {
        /// What came after this generation.
        case generation(Generation)
        /// What came after this instant.
        case instant(Instant)
    }

    /// What came after this generation is told.
    public var since: Generation
    /// The generation that stands.
    public var generation: Generation
    /// When the first told generation came; `nil` where there is none.
    public var from: Instant?
    /// Whether all is told that was asked for; the log reaches back a week.
    public var isComplete: Bool
    /// Whether stations came, went, or are described, numbered or ordered otherwise.
    public var changesStations: Bool
    /// In the order of their rows; those that are gone aren't among them.
    public var stations: [StationReview]

    public init(
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
public struct StationReview: Hashable, Sendable {
    /// From 0.
    public var row: Int
    public var station: StationID
    /// As ``Station/name``.
    public var name: String
    /// In order of start; `nil` where any of the schedule may be another.
    public var airings: [AiringReview]?

    public init(row: Int, station: StationID, name: String, airings: [AiringReview]?) {
        self.row = row
        self.station = station
        self.name = name
        self.airings = airings
    }
}

/// A change of an airing, and what is on.
public struct AiringReview: Hashable, Sendable {
    public var change: AiringChange
    /// The title that it has now; `nil` for one that is gone.
    public var title: String?

    public init(change: AiringChange, title: String?) {
        self.change = change
        self.title = title
    }
}
