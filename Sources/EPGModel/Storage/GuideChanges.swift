/// A number that increases with every change of the stored guide, and only then. It keys caches and ETags.
public struct Generation: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number; 0 for a new guide.
    public let rawValue: Int64

    /// Creates a generation from its number, at least 0. The guide need not have reached it.
    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (lhs: Generation, rhs: Generation) -> Bool { lhs.rawValue < rhs.rawValue }

    public var description: String { String(rawValue) }
}

/// The identity of one state of a guide, unique among all states of all databases.
///
/// The number alone would repeat after a backup is restored or a failover loses a commit.
public struct GuideVersion: Hashable, Sendable {
    public var generation: Generation
    /// A random number of the generation; 0 for a new guide.
    public var nonce: Int64
    /// The start of the generation; `nil` for a new guide.
    public var since: Instant?

    /// Creates a version.
    ///
    /// - Parameters:
    ///   - generation: The number of the state.
    ///   - nonce: A random number of the generation; 0 for a new guide.
    ///   - since: The start of the generation; `nil` for a new guide.
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
    /// The start of the first generation of the changes; `nil` if there is none.
    public var from: Instant?
    /// Whether the log, which keeps a week, contains all changes since the start.
    public var isComplete: Bool
    /// Whether stations, their descriptions, numbers or rows changed.
    public var changesStations = false
    /// The stations with changed schedules, sorted by row; without removed stations.
    public var stations: [StationChanges] = []

    /// Returns the stations with at most a number of airings. The schedules of further stations count as entirely changed.
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

    /// Creates changes between two generations without stations.
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
        /// These airings without duplicates, sorted by start (of removed ones, the former start).
        case airings([AiringChange])
    }

    /// The current 0-based row of the station.
    public var row: Int
    public var station: StationID
    public var extent: Extent

    /// Creates the changes of a station.
    ///
    /// - Parameters:
    ///   - row: The current 0-based row.
    ///   - station: The station.
    ///   - extent: The part of its schedule that changed.
    public init(row: Int, station: StationID, extent: Extent) {
        self.row = row
        self.station = station
        self.extent = extent
    }
}

/// The change of an airing between two generations of a guide.
///
/// An airing keeps its identifier if its start moves and its programme stays the same.
public struct AiringChange: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case inserted, removed
        /// The start differs, and possibly the stop and the content.
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

    /// Creates a change whose ``kind`` follows from its windows; `nil` if both are `nil`.
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

    /// Returns the combination of this change and a later one of the same airing; `nil` if it was inserted and removed.
    ///
    /// An airing that was moved and moved back counts as changed, because its content may have changed in between.
    public func followed(by next: AiringChange) -> AiringChange? {
        AiringChange(id, from: before, to: next.after)
    }
}

/// A collector of the changes that an import makes to schedules.
package struct ChangeCollector {
    /// Maximum number of changes of a station that are kept individually, in a generation or in several together.
    package static let limit = 2000

    /// The changes by the number of the station.
    package private(set) var stations: [Int64: StationChanges.Extent] = [:]
    /// The number of further changes to keep; afterwards, stations count as entirely changed.
    private var room: Int

    /// - Parameter room: Maximum number of changes of all stations together; each takes 64 bytes.
    package init(room: Int = 250_000) {
        self.room = room
    }

    /// Marks the whole schedule of a station as changed.
    package mutating func setWhole(_ station: Int64) { stations[station] = .whole }

    /// Adds the changes of a station, whose inserted airings already have identifiers.
    package mutating func add(_ difference: ScheduleDifference, of station: Int64) {
        let kept = difference.changed + difference.shifted
        let count = kept.count + difference.inserted.count + difference.removed.count
        guard count > 0 else { return }
        guard stations[station] == nil, count <= min(room, Self.limit) else { return setWhole(station) }
        room -= count
        stations[station] = .airings(
            kept.compactMap { AiringChange(AiringID($0.new.id), from: $0.old.window, to: $0.new.window) }
                + difference.inserted.compactMap { AiringChange(AiringID($0.id), from: nil, to: $0.window) }
                + difference.removed.compactMap { AiringChange(AiringID($0.id), from: $0.window, to: nil) })
    }
}

/// The combined changes of a station's schedule over several generations.
package struct FoldedChanges {
    /// The changes by airing; `nil` if the whole schedule may have changed.
    private var changes: [AiringID: AiringChange]? = [:]

    /// Creates a combination of no changes.
    package init() {}

    /// Marks the whole schedule as changed.
    package mutating func setWhole() { changes = nil }

    /// Adds a change of a later generation.
    package mutating func add(_ change: AiringChange) {
        let earlier = changes?[change.id]
        changes?[change.id] = earlier.map { $0.followed(by: change) } ?? change
        // Limits the memory.
        if let count = changes?.count, count > ChangeCollector.limit { changes = nil }
    }

    /// The combined changes, sorted by start; `nil` if there are none.
    package var extent: StationChanges.Extent? {
        guard let changes else { return .whole }
        let starts = changes.values.compactMap { change in (change.after ?? change.before).map { ($0.start, change) } }
        let sorted = starts.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
        return sorted.isEmpty ? nil : .airings(sorted)
    }
}

/// The name of a generation of the guide: `42`, or `42.k3f9` in full.
///
/// Every database counts from 1, so a number alone may refer to different guides. The full name includes a hash of the
/// generation's nonce (``GuideVersion``) and of the edition of derived data, so that it permanently identifies one state of
/// one guide.
package struct GenerationName: Hashable, Sendable {
    package let generation: Generation
    /// Digits and lowercase letters that distinguish generations and editions; `nil` for a number alone.
    package let key: String?

    /// Creates the full name of a version of the guide.
    ///
    /// - Parameter edition: Everything besides the guide that determines the derived data.
    package init(_ version: GuideVersion, edition: String) {
        generation = version.generation
        let hasher = ContentHasher(
            key: ContentHash(high: 0x9E37_79B9_7F4A_7C15, low: UInt64(bitPattern: version.nonce)))
        key = String(hasher.hash(Array(edition.utf8).span).high, radix: 36)
    }

    /// Parses a name; `nil` for other text.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first.flatMap({ String($0) }), number.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let generation = Int64(number)
        else { return nil }
        self.generation = Generation(generation)
        guard parts.count > 1 else {
            key = nil
            return
        }
        let isKey = parts[1].allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }
        guard isKey, (1...13).contains(parts[1].count) else { return nil }
        key = String(parts[1])
    }

    /// Returns whether the name refers to the generation with a full name.
    package func refers(to full: GenerationName) -> Bool {
        generation == full.generation && (key == nil || key == full.key)
    }
}

extension GenerationName: CustomStringConvertible {
    package var description: String { key.map { "\(generation).\($0)" } ?? "\(generation)" }
}

/// The log of changes in a store.
package protocol ChangeLogTable {
    /// Returns the current generation.
    func generation() throws -> Generation

    /// Returns the start of a generation; `nil` if the log does not have it.
    func start(of generation: Generation) throws -> Instant?

    /// Returns the first generation of the log, and its start.
    func firstLogged() throws -> (generation: Int64, start: Instant)?

    /// Returns the first generation that started after an instant.
    func firstLogged(after instant: Instant) throws -> Int64?

    /// Returns the number of generations in the log that follow `generation`, and whether one of these changed stations.
    func logged(after generation: Generation) throws -> (count: Int64, changesStations: Bool)

    /// Returns the stations whose whole schedules later generations changed.
    func entirelyChanged(after generation: Generation) throws -> Set<Int64>

    /// Calls a closure with the changed airings of later generations in ascending order of the generations.
    func visitChanges(after generation: Generation, _ body: (_ station: Int64, AiringChange?) throws -> Void) throws

    /// Returns the rows and identifiers of the stations that exist, in any order.
    func rows(ofStations stations: [Int64]) throws -> [(key: Int64, row: Int, id: StationID)]
}

extension ChangeLogTable {
    /// Returns the changes since a generation or an instant; see ``GuideReading/changes(since:of:)``.
    package func loggedChanges(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        let current = try generation()
        guard let (since, isComplete) = try reach(of: start, to: current) else { return nil }
        var changes = GuideChanges(since: since, generation: current, isComplete: isComplete)
        guard since < current else { return changes }
        let (count, changesStations) = try logged(after: since)
        guard count == current.rawValue - since.rawValue else {
            // The log has a gap, which ``GuideStorage/check()`` reports.
            changes.isComplete = false
            return changes
        }
        changes.from = try self.start(of: Generation(since.rawValue + 1))
        changes.changesStations = changesStations
        changes.stations = try stations(changedAfter: since).filter { station == nil || $0.station == station }
        return changes
    }

    private func stations(changedAfter generation: Generation) throws -> [StationChanges] {
        var folded: [Int64: FoldedChanges] = [:]
        for station in try entirelyChanged(after: generation) {
            folded[station, default: FoldedChanges()].setWhole()
        }
        try visitChanges(after: generation) { station, change in
            if let change { folded[station, default: FoldedChanges()].add(change) }
        }
        let extents = folded.compactMapValues(\.extent)
        return try rows(ofStations: extents.keys.sorted()).compactMap { station in
            extents[station.key].map { StationChanges(row: station.row, station: station.id, extent: $0) }
        }.sorted { $0.row < $1.row }
    }

    /// Returns the generation after which the log has the requested changes, and whether they are complete.
    private func reach(
        of start: GuideChanges.Start, to current: Generation
    ) throws -> (since: Generation, isComplete: Bool)? {
        let first = try firstLogged()
        // Changes before the first entry are no longer known.
        let floor = first.map { max($0.generation, 1) - 1 } ?? current.rawValue
        switch start {
        case .generation(let generation):
            guard (0...current.rawValue).contains(generation.rawValue) else { return nil }
            return (Generation(max(generation.rawValue, floor)), generation.rawValue >= floor)
        case .instant(let instant):
            let later = try firstLogged(after: instant)
            let reachesBack = first.map { $0.start <= instant } ?? true
            return (later.map { Generation(max($0, 1) - 1) } ?? current, reachesBack || floor == 0)
        }
    }
}
