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

/// The name of one state of a guide, unique among all states of this and other databases.
///
/// The number alone would repeat after a backup is restored or a failover loses a commit.
public struct GuideVersion: Hashable, Sendable {
    public var generation: Generation
    /// A random number of the generation; 0 for a guide that was never filled.
    public var nonce: Int64
    /// When the generation began; `nil` for a guide that was never filled.
    public var since: Instant?

    public init(generation: Generation, nonce: Int64, since: Instant?) {
        self.generation = generation
        self.nonce = nonce
        self.since = since
    }
}

/// The changes of a guide since one of its generations, as one step from it to the current one.
///
/// Pruned airings are not included, because readers discard finished airings themselves. An inserted airing may have been
/// pruned since.
public struct GuideChanges: Hashable, Sendable {
    /// The beginning of the changes, exclusive.
    public enum Start: Hashable, Sendable {
        case generation(Generation)
        case instant(Instant)
    }

    /// The last generation before the changes.
    public var since: Generation
    public var generation: Generation
    /// When the first generation of the changes began; `nil` where there is none.
    public var from: Instant?
    /// Whether the log, which reaches back a week, has all changes since the start.
    public var isComplete: Bool
    /// Whether stations, their descriptions, numbers or rows changed.
    public var changesStations = false
    /// The stations whose schedules changed, in the order of their rows; without removed stations.
    public var stations: [StationChanges] = []

    /// The stations with their first airings. Those of further stations count as changed as a whole.
    ///
    /// - Parameter maximum: The maximum number of airings of all stations.
    package func stations(withAirings maximum: Int) -> [StationChanges] {
        var count = 0
        return stations.map { station in
            guard case .airings(let airings) = station.extent else { return station }
            count += airings.count
            guard count > maximum else { return station }
            return StationChanges(row: station.row, station: station.station, extent: .whole)
        }
    }

    /// Changes between two generations, still without stations.
    public init(since: Generation, generation: Generation, isComplete: Bool) {
        self.since = since
        self.generation = generation
        self.isComplete = isComplete
    }
}

/// The changes of a station's schedule.
public struct StationChanges: Hashable, Sendable {
    /// The part of a schedule that changed.
    public enum Extent: Hashable, Sendable {
        /// Any part.
        case whole
        /// These airings, each once, in order of start (of removed ones, the former start).
        case airings([AiringChange])
    }

    /// The current row of the station, from 0.
    public var row: Int
    public var station: StationID
    public var extent: Extent

    public init(row: Int, station: StationID, extent: Extent) {
        self.row = row
        self.station = station
        self.extent = extent
    }
}

/// The change of an airing between two generations of a guide.
///
/// An airing keeps its identifier where its start moves and its programme stays.
public struct AiringChange: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case inserted, removed
        /// The start differs, perhaps the stop and the content too.
        case moved
        /// The stop or the content differs.
        case changed
    }

    public let id: AiringID
    public let kind: Kind
    /// The former window; `nil` for an inserted airing.
    public let before: TimeWindow?
    /// The current window; `nil` for a removed airing.
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

    /// This change and a later one of the same airing as one; `nil` where the airing was inserted and removed.
    ///
    /// An airing that was moved and moved back counts as changed, because its content may have changed on the way.
    public func followed(by next: AiringChange) -> AiringChange? {
        AiringChange(id, from: before, to: next.after)
    }
}
