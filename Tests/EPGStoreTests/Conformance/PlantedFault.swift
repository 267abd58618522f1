import EPGModel
import StoreConformance
import Synchronization
import Testing

/// A store with one fault, and the rule that must detect it.
struct PlantedFault: Sendable, CustomTestStringConvertible {
    /// A description of the fault.
    let name: String
    /// The name of the rule.
    let rule: String
    /// Returns a faulty double of a store.
    let plant: @Sendable (any GuideStorage) -> any GuideStorage

    var testDescription: String { name }

    private init(
        _ name: String, caughtBy rule: String, plant: @escaping @Sendable (any GuideStorage) -> any GuideStorage
    ) {
        self.name = name
        self.rule = rule
        self.plant = plant
    }

    private init(
        _ name: String, caughtBy rule: String, reading: @escaping @Sendable (any GuideReading) -> any GuideReading
    ) {
        self.init(name, caughtBy: rule) { FaultyStorage($0, reading: reading) }
    }

    private init(
        _ name: String, caughtBy rule: String, writing: @escaping @Sendable (any GuideWriting) -> any GuideWriting
    ) {
        self.init(name, caughtBy: rule) { FaultyStorage($0, writing: writing) }
    }

    private init(
        _ name: String, caughtBy rule: String, session: @escaping @Sendable (any ImportSession) -> any ImportSession
    ) {
        self.init(name, caughtBy: rule, writing: { FaultyImports($0) { _, begun in session(begun) } })
    }

    static let all = [
        PlantedFault(
            "A window omits an airing that began before it",
            caughtBy: "A window includes an airing that began before it", reading: WindowsWithoutEarlierAirings.init),
        PlantedFault("Windows are closed", caughtBy: "Windows are half-open", reading: ClosedWindows.init),
        PlantedFault(
            "Now is the airing that ended at the instant",
            caughtBy: "Now is the airing at the instant, and next is the first airing that starts after it",
            reading: LateNowAndNext.init),
        PlantedFault(
            "A nonce repeats", caughtBy: "Each generation has a unique nonce", reading: RepeatedNonces.init),
        PlantedFault(
            "Changes omit removed airings",
            caughtBy: "Changes report each inserted, removed, moved and changed airing",
            reading: ChangesWithoutRemovals.init),
        PlantedFault(
            "Changes of one station are not filtered", caughtBy: "Changes can be limited to one station",
            reading: UnfilteredChanges.init),
        PlantedFault(
            "A search finds airings with the first word",
            caughtBy: "A search finds words, prefixes and phrases in every script", reading: SingleWordSearches.init),
        PlantedFault(
            "A ranked search counts only its page", caughtBy: "Pages of a ranked search are slices of all results",
            reading: PagesWithoutTotal.init),
        PlantedFault(
            "A hidden airing is missing",
            caughtBy: "Details of an airing include its source and whether it is shown",
            reading: ShownAiringsOnly.init),
        PlantedFault(
            "An export ignores its window", caughtBy: "An export of a window contains complete airings that overlap it",
            reading: UnboundedExports.init),
        PlantedFault(
            "The import log returns the previous import",
            caughtBy: "The import log contains dropped listings with their titles",
            reading: EarlierDiagnostics.init),
        PlantedFault(
            "A read sees concurrent writes", caughtBy: "All results of one read belong to one generation"
        ) { storage in FaultyStorage(storage, reading: { InconsistentReading($0, storage) }) },
        PlantedFault(
            "Canceling commits", caughtBy: "A canceled import session leaves the guide unchanged",
            session: CommittingCancel.init),
        PlantedFault(
            "An import is visible before its commit",
            caughtBy: "A reader sees the old guide during an import and the new one after it"
        ) { UncommittedReads($0) },
        PlantedFault(
            "An import does not save the state of its source",
            caughtBy: "The state of the source is committed with the import", session: StatelessCommit.init),
        PlantedFault(
            "An unchanged import raises the generation",
            caughtBy: "Importing an unchanged guide keeps the generation and all contents",
            writing: { FaultyImports($0) { RaisingCommit($1, writer: $0) } }),
        PlantedFault(
            "An import ignores its safeguard", caughtBy: "A safeguard rejects fewer stations than its share",
            writing: UnguardedImports.init),
        PlantedFault(
            "An import ignores its limits", caughtBy: "An import that exceeds a limit of the store changes nothing",
            writing: UnlimitedImports.init),
        PlantedFault(
            "Pruning removes an airing that is still on", caughtBy: "Pruning keeps airings that are still on",
            writing: EagerPruning.init),
        PlantedFault(
            "Pruning removes more than half", caughtBy: "Pruning refuses to remove more than half",
            writing: UnlimitedPruning.init),
        PlantedFault(
            "A mapping cannot be removed", caughtBy: "A mapping applies to a station that is imported later",
            writing: PermanentMappings.init),
        PlantedFault(
            "Favorites are sorted", caughtBy: "Favorites are returned in the user's order",
            reading: SortedFavorites.init),
        PlantedFault(
            "A favorite keeps its place", caughtBy: "A favorite that is set again moves to its new place",
            writing: FixedFavorites.init),
        PlantedFault(
            "A favorite raises the generation",
            caughtBy: "Changing favorites leaves the generation and all contents unchanged",
            writing: RaisingFavorites.init),
        PlantedFault(
            "Favorites are removed with their source", caughtBy: "Imports, pruning and removals keep favorites",
            writing: SourceBoundFavorites.init),
        PlantedFault(
            "A replaced watch rule has a new identifier",
            caughtBy: "A watch rule with the name of another rule replaces it and keeps the identifier",
            writing: RenumberedRules.init),
        PlantedFault(
            "A renamed watch rule is a new rule",
            caughtBy: "A watch rule with another name keeps its identifier and reminders", writing: CopiedRules.init),
        PlantedFault(
            "Patterns find nothing",
            caughtBy: "Alternatives, exclusions and patterns are searched in title, subtitle and description",
            reading: UnsearchedPatterns.init),
        PlantedFault(
            "A sent reminder is claimed again",
            caughtBy: "A claimed reminder is returned until it is sent", writing: ForgottenReminders.init),
        PlantedFault(
            "Watch rules are removed with their source", caughtBy: "Imports, pruning and removals keep watch rules",
            writing: SourceBoundRules.init),
        PlantedFault(
            "A profile ignores its version", caughtBy: "A change of a profile needs its version and raises it",
            writing: UnversionedProfiles.init),
        PlantedFault(
            "Reminders have no lock", caughtBy: "One process sends reminders, and others go on",
            plant: { UnlockedReminders($0) }),
        PlantedFault(
            "A removed source remains", caughtBy: "Removing a source removes its listings and stations",
            writing: PermanentSources.init),
        PlantedFault(
            "Forgetting bodies does nothing",
            caughtBy: "Forgetting bodies clears only tags, hashes and future times",
            writing: PermanentValidators.init),
        PlantedFault(
            "Two writers run at once", caughtBy: "A second writer that does not wait is rejected immediately"
        ) { SharedWriter($0) },
        PlantedFault(
            "Two refreshes run at once", caughtBy: "A second refresh that does not wait is rejected immediately"
        ) { UnlockedRefresh($0) },
        PlantedFault("A backup lacks the lineups", caughtBy: "A backup contains all data of the guide") {
            BackupWithoutLineups($0)
        },
        PlantedFault("A check counts an airing twice", caughtBy: "A check counts the contents of an intact guide") {
            DoubleCount($0)
        },
        PlantedFault(
            "A migration creates a missing guide",
            caughtBy: "Migrating a missing guide is an error and creates no guide"
        ) { CreatingMigration($0) },
    ]
}

/// A factory that adds a fault to every store of another factory. Without a fault, its stores only forward.
struct FaultyFactory: StoreFactory {
    let stores: any StoreFactory
    let fault: PlantedFault?

    func make() throws -> any GuideStorage { addingFault(to: try stores.make()) }

    func reopen(_ store: any GuideStorage) throws -> any GuideStorage { addingFault(to: try stores.reopen(store)) }

    private func addingFault(to store: any GuideStorage) -> any GuideStorage {
        fault.map { $0.plant(store) } ?? ForwardingStorage(store)
    }
}

// MARK: - Readers

/// A store with faulty readers or writers.
private final class FaultyStorage: ForwardingStorage, @unchecked Sendable {
    private let reading: @Sendable (any GuideReading) -> any GuideReading
    private let writing: @Sendable (any GuideWriting) -> any GuideWriting

    init(
        _ storage: any GuideStorage, reading: @escaping @Sendable (any GuideReading) -> any GuideReading = { $0 },
        writing: @escaping @Sendable (any GuideWriting) -> any GuideWriting = { $0 }
    ) {
        self.reading = reading
        self.writing = writing
        super.init(storage)
    }

    override func substitute(for guide: any GuideReading) -> any GuideReading { reading(guide) }

    override func substitute(for guide: any GuideWriting) -> any GuideWriting { writing(guide) }
}

private final class WindowsWithoutEarlierAirings: ForwardingReading, @unchecked Sendable {
    override func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try super.schedules(inRows: rows, during: window).map { row in
            let airings = row.schedule.airings.filter { $0.window.start >= window.start }
            return RowSchedule(
                row: row.row, stationName: row.stationName,
                schedule: Schedule(station: row.schedule.station, airings: airings))
        }
    }
}

private final class ClosedWindows: ForwardingReading, @unchecked Sendable {
    override func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try super.schedules(
            inRows: rows,
            during: TimeWindow(start: window.start.advanced(by: -1), end: window.end.advanced(by: 1)))
    }
}

private final class LateNowAndNext: ForwardingReading, @unchecked Sendable {
    override func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        try super.nowAndNext(at: instant.advanced(by: -1), inRows: rows)
    }
}

private final class RepeatedNonces: ForwardingReading, @unchecked Sendable {
    override func version() throws -> GuideVersion {
        var version = try super.version()
        version.nonce = 7
        return version
    }

    override func version(of generation: Generation) throws -> GuideVersion? {
        var version = try super.version(of: generation)
        version?.nonce = 7
        return version
    }
}

private final class ChangesWithoutRemovals: ForwardingReading, @unchecked Sendable {
    override func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        guard var changes = try super.changes(since: start, of: station) else { return nil }
        changes.stations = changes.stations.map { station in
            guard case .airings(let airings) = station.extent else { return station }
            var station = station
            station.extent = .airings(airings.filter { $0.kind != .removed })
            return station
        }
        return changes
    }
}

private final class UnfilteredChanges: ForwardingReading, @unchecked Sendable {
    override func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try super.changes(since: start, of: nil)
    }
}

private final class UnsearchedPatterns: ForwardingReading, @unchecked Sendable {
    override func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        try zip(conditions, super.programmes(meeting: conditions, above: number)).map { condition, result in
            guard case .pattern = condition else { return result }
            return result.map { ProgrammeMatches(numbers: [], examined: $0.examined, isComplete: true) }
        }
    }
}

private final class SingleWordSearches: ForwardingReading, @unchecked Sendable {
    override func search(_ query: SearchQuery) throws -> SearchResults {
        var query = query
        query.words = query.words.split(separator: " ").first.map(String.init) ?? query.words
        return try super.search(query)
    }
}

private final class PagesWithoutTotal: ForwardingReading, @unchecked Sendable {
    override func search(_ query: SearchQuery) throws -> SearchResults {
        var results = try super.search(query)
        results.total = results.matches.count
        return results
    }
}

private final class ShownAiringsOnly: ForwardingReading, @unchecked Sendable {
    override func airings(_ ids: [AiringID]) throws -> [AiringDetail] {
        try super.airings(ids).filter(\.isShown)
    }
}

private final class UnboundedExports: ForwardingReading, @unchecked Sendable {
    override func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        var selection = selection
        selection.window = nil
        try super.export(selection, to: &visitor)
    }
}

private final class EarlierDiagnostics: ForwardingReading, @unchecked Sendable {
    override func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws {
        try super.diagnostics(ofImport: id - 1, body)
    }
}

private final class InconsistentReading: ForwardingReading, @unchecked Sendable {
    private let storage: any GuideStorage

    init(_ reading: any GuideReading, _ storage: any GuideStorage) {
        self.storage = storage
        super.init(reading)
    }

    override func stationCount() throws -> Int { try storage.read { try $0.stationCount() } }
}

private final class SortedFavorites: ForwardingReading, @unchecked Sendable {
    override func favorites() throws -> [StationID] { try super.favorites().sorted() }
}

// MARK: - Imports

/// A writer whose import sessions are faulty.
private final class FaultyImports: ForwardingWriting, @unchecked Sendable {
    private let session: @Sendable (any GuideWriting, any ImportSession) -> any ImportSession

    init(
        _ writing: any GuideWriting,
        session: @escaping @Sendable (any GuideWriting, any ImportSession) -> any ImportSession
    ) {
        self.session = session
        super.init(writing: writing)
    }

    override func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        let begun = try super.beginImport(of: source, now: now, matcher: matcher, safeguard: safeguard, limits: limits)
        return session(writing, begun)
    }
}

private final class CommittingCancel: ForwardingSession {
    override func cancel() {
        if case .failure = Result(catching: { try super.commit(ImportReport(), state: nil) }) { super.cancel() }
    }
}

private final class StatelessCommit: ForwardingSession {
    override func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
        try super.commit(report, state: nil)
    }
}

private final class RaisingCommit: ForwardingSession {
    private let writer: any GuideWriting

    init(_ session: any ImportSession, writer: any GuideWriting) {
        self.writer = writer
        super.init(session)
    }

    override func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
        let outcome = try super.commit(report, state: state)
        if !outcome.changedGuide {
            _ = try writer.saveLineup(Lineup("fault", ["one 1"]), matcher: TableMatcher())
            _ = try writer.removeLineup(named: "fault")
        }
        return outcome
    }
}

private final class UnguardedImports: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        try super.beginImport(of: source, now: now, matcher: matcher, safeguard: nil, limits: limits)
    }
}

private final class UnlimitedImports: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        try super.beginImport(
            of: source, now: now, matcher: matcher, safeguard: safeguard, limits: ImportLimits())
    }
}

// MARK: - Other writes

private final class EagerPruning: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try super.prune(before: instant.advanced(by: 1800), now: now, limit: limit)
    }
}

private final class UnlimitedPruning: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try super.prune(before: instant, now: now, limit: .none)
    }
}

private final class PermanentMappings: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func setMappings(_ mappings: [String: StationID?], matcher: any ChannelMatching, now: Instant) throws {
        try super.setMappings(mappings.filter { $0.value != nil }, matcher: matcher, now: now)
    }
}

private final class RenumberedRules: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func saveWatchRule(_ rule: WatchRule) throws {
        _ = try removeWatchRule(named: rule.name)
        try super.saveWatchRule(rule)
    }
}

private final class CopiedRules: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func saveWatchRule(_ rule: WatchRule) throws {
        try super.saveWatchRule(WatchRule(name: rule.name, profile: rule.profile, rule.conditions))
    }
}

private final class ForgottenReminders: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func claimReminders(_ reminders: [Reminder]) throws -> [Reminder] {
        _ = try super.claimReminders(reminders)
        return reminders
    }
}

private final class SourceBoundRules: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        for rule in try watchRules() { _ = try removeWatchRule(named: rule.name) }
        return try super.removeSource(named: name, matcher: matcher, now: now)
    }
}

private final class UnversionedProfiles: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func saveProfile(_ profile: Profile) throws -> Profile {
        let stored = try profiles().first { $0.name == profile.name }
        return try super.saveProfile(profile.with(version: stored?.version ?? 0))
    }
}

private final class UnlockedReminders: ForwardingStorage, @unchecked Sendable {
    override func withReminderLock<Answer>(_ body: () throws -> Answer) throws -> Answer? { try body() }
}

private final class FixedFavorites: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func setFavorite(_ station: StationID, to place: Int?) throws {
        if try place == nil || !favorites().contains(station) { try super.setFavorite(station, to: place) }
    }
}

private final class RaisingFavorites: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func setFavorite(_ station: StationID, to place: Int?) throws {
        try super.setFavorite(station, to: place)
        _ = try saveLineup(Lineup("fault", ["one 1"]), matcher: TableMatcher())
        _ = try removeLineup(named: "fault")
    }
}

private final class SourceBoundFavorites: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        for station in try favorites() where try self.station(station) != nil {
            try setFavorite(station, to: nil)
        }
        return try super.removeSource(named: name, matcher: matcher, now: now)
    }
}

private final class PermanentSources: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        try sourceRecords().contains { $0.source.name == name }
    }
}

private final class PermanentValidators: ForwardingWriting, @unchecked Sendable {
    init(_ writing: any GuideWriting) { super.init(writing: writing) }

    override func discardValidators(recordedAfter instant: Instant) throws {}
}

// MARK: - Storage

/// A store that shares its active writer with a second writer.
private final class SharedWriter: ForwardingStorage, @unchecked Sendable {
    /// The active writers of all stores by location, as if processes shared them.
    private static let writers = Mutex<[String: any GuideWriting]>([:])

    override func write<Answer>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        do {
            return try super.write(waiting: wait) { writer in
                Self.writers.withLock { $0[location] = writer }
                defer { Self.writers.withLock { $0[location] = nil } }
                return try body(writer)
            }
        } catch StoreError.busy {
            return try body(#require(Self.writers.withLock { $0[location] }))
        }
    }
}

/// A store that shows the stations of an import to readers before the commit.
private final class UncommittedReads: ForwardingStorage, @unchecked Sendable {
    /// The number of uncommitted stations by location.
    private static let stations = Mutex<[String: Int]>([:])

    private final class Reader: ForwardingReading, @unchecked Sendable {
        private let uncommitted: Int

        init(_ reading: any GuideReading, uncommitted: Int) {
            self.uncommitted = uncommitted
            super.init(reading)
        }

        override func stationCount() throws -> Int { try super.stationCount() + uncommitted }
    }

    private final class Session: ForwardingSession {
        private let location: String

        init(_ session: any ImportSession, location: String) {
            self.location = location
            super.init(session)
        }

        override func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws {
            try super.setStations(stations)
            UncommittedReads.stations.withLock { $0[location] = stations.count }
        }

        override func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
            UncommittedReads.stations.withLock { $0[location] = nil }
            return try super.commit(report, state: state)
        }

        override func cancel() {
            UncommittedReads.stations.withLock { $0[location] = nil }
            super.cancel()
        }
    }

    override func substitute(for guide: any GuideReading) -> any GuideReading {
        Reader(guide, uncommitted: Self.stations.withLock { $0[location] ?? 0 })
    }

    override func substitute(for guide: any GuideWriting) -> any GuideWriting {
        FaultyImports(guide) { [location] in Session($1, location: location) }
    }
}

private final class UnlockedRefresh: ForwardingStorage, @unchecked Sendable {
    override func withRefreshLock<Answer>(waiting wait: LockWait, _ body: () throws -> Answer) throws -> Answer {
        try body()
    }
}

private final class BackupWithoutLineups: ForwardingStorage, @unchecked Sendable {
    override func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        let lineups = try read { guide in try guide.lineups().compactMap { try guide.lineup(named: $0)?.lineup } }
        try write { writer in for lineup in lineups { _ = try writer.removeLineup(named: lineup.name) } }
        let check = try super.backUp(to: path, target: target)
        try write { writer in
            for lineup in lineups { _ = try writer.saveLineup(lineup, matcher: TableMatcher()) }
        }
        return check
    }
}

private final class DoubleCount: ForwardingStorage, @unchecked Sendable {
    override func check() throws -> StoreCheck {
        var check = try super.check()
        check.airings += 1
        return check
    }
}

private final class CreatingMigration: ForwardingStorage, @unchecked Sendable {
    override func migrate(waiting wait: LockWait) throws -> (found: Int, current: Int) {
        try write { _ in }
        return try super.migrate(waiting: wait)
    }
}
