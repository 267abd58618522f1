public import EPGModel

// Test doubles of a stored guide. Each forwards every call to a real guide. Subclasses override some of the calls.

/// A guide reader that forwards to another reader.
open class ForwardingReading: GuideReading, @unchecked Sendable {
    public let reading: any GuideReading

    public init(_ reading: any GuideReading) {
        self.reading = reading
    }

    open func version() throws -> GuideVersion {
        try reading.version()
    }

    open func version(of generation: Generation) throws -> GuideVersion? {
        try reading.version(of: generation)
    }

    open func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try reading.changes(since: start, of: station)
    }

    open func stationCount() throws -> Int {
        try reading.stationCount()
    }

    open func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try reading.stations(inRows: rows)
    }

    open func stations(
        _ filter: StationFilter, offset: Int, limit: Int
    ) throws -> (total: Int, stations: [StationRow]) {
        try reading.stations(filter, offset: offset, limit: limit)
    }

    open func station(_ id: StationID) throws -> StationRow? {
        try reading.station(id)
    }

    open func stationGroups() throws -> [NameCount] {
        try reading.stationGroups()
    }

    open func groups(inLineup lineup: String?) throws -> [Int: String] {
        try reading.groups(inLineup: lineup)
    }

    open func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try reading.schedules(inRows: rows, during: window)
    }

    open func outlines(inRows rows: [Int], during window: TimeWindow) throws -> [Int: [AiringOutline]] {
        try reading.outlines(inRows: rows, during: window)
    }

    open func contents(inRows rows: Range<Int>, during window: TimeWindow) throws -> [Int: [AiringContent]] {
        try reading.contents(inRows: rows, during: window)
    }

    open func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief] {
        try reading.briefs(ofProgrammes: numbers)
    }

    open func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule {
        try reading.schedule(of: station, during: window)
    }

    open func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        try reading.nowAndNext(at: instant, inRows: rows)
    }

    open func guideSpan() throws -> TimeWindow? {
        try reading.guideSpan()
    }

    open func isAnythingOn(at instant: Instant) throws -> Bool {
        try reading.isAnythingOn(at: instant)
    }

    open func airings(_ ids: [AiringID]) throws -> [AiringDetail] {
        try reading.airings(ids)
    }

    open func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        try reading.showings(of: airing, after: instant, limit: limit)
    }

    open func search(_ query: SearchQuery) throws -> SearchResults {
        try reading.search(query)
    }

    open func corrections(of query: SearchQuery) throws -> [String] {
        try reading.corrections(of: query)
    }

    open func isSearchIndexCurrent() throws -> Bool {
        try reading.isSearchIndexCurrent()
    }

    open func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        try reading.programmes(meeting: conditions, above: number)
    }

    open func categories() throws -> [NameCount] {
        try reading.categories()
    }

    open func channelChanges(ofLineup name: String, limit: Int) throws -> [LoggedChannelChange] {
        try reading.channelChanges(ofLineup: name, limit: limit)
    }

    open func lineups() throws -> [String] {
        try reading.lineups()
    }

    open func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])? {
        try reading.lineup(named: name)
    }

    open func lineups(containing station: StationID) throws -> [Lineup] {
        try reading.lineups(containing: station)
    }

    open func mappingShifts() throws -> [String: Int] {
        try reading.mappingShifts()
    }

    open func stationsWithAirings(
        during window: TimeWindow, ofSources names: Set<String>
    ) throws -> Set<StationID> {
        try reading.stationsWithAirings(during: window, ofSources: names)
    }

    open func mappings() throws -> [String: StationID] {
        try reading.mappings()
    }

    open func favorites() throws -> [StationID] {
        try reading.favorites()
    }

    open func watchRules() throws -> [WatchRule] {
        try reading.watchRules()
    }

    open func reminders() throws -> [Reminder] {
        try reading.reminders()
    }

    open func profiles() throws -> [Profile] {
        try reading.profiles()
    }

    open func storedSettings() throws -> [String: [String]] {
        try reading.storedSettings()
    }

    open func sources() throws -> [SourceSummary] {
        try reading.sources()
    }

    open func sourceRecords() throws -> [SourceRecord] {
        try reading.sourceRecords()
    }

    open func end(ofSource name: String) throws -> Instant? {
        try reading.end(ofSource: name)
    }

    open func quality(ofSource name: String) throws -> ScheduleQuality {
        try reading.quality(ofSource: name)
    }

    open func imports(ofSource name: String, limit: Int) throws -> [ImportSummary] {
        try reading.imports(ofSource: name, limit: limit)
    }
    open func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws {
        try reading.diagnostics(ofImport: id, body)
    }

    open func hasOldAirings(retention: Int64, now: Instant) throws -> Bool {
        try reading.hasOldAirings(retention: retention, now: now)
    }

    open func catchupHorizons(retention: Int64, now: Instant) throws -> [StationID: Instant] {
        try reading.catchupHorizons(retention: retention, now: now)
    }

    open func hasRecordedTimes(after instant: Instant) throws -> Bool {
        try reading.hasRecordedTimes(after: instant)
    }

    open func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        try reading.export(selection, to: &visitor)
    }
}

/// A guide writer that forwards to another writer.
open class ForwardingWriting: ForwardingReading, GuideWriting, @unchecked Sendable {
    public let writing: any GuideWriting

    public init(writing: any GuideWriting) {
        self.writing = writing
        super.init(writing)
    }

    open func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        try writing.beginImport(of: source, now: now, matcher: matcher, safeguard: safeguard, limits: limits)
    }

    open func save(_ source: Source, now: Instant) throws {
        try writing.save(source, now: now)
    }

    open func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        try writing.removeSource(named: name, matcher: matcher, now: now)
    }

    open func saveState(_ state: SourceState, ofSource name: String) throws {
        try writing.saveState(state, ofSource: name)
    }

    open func discardValidators(recordedAfter instant: Instant) throws {
        try writing.discardValidators(recordedAfter: instant)
    }

    open func removeOldAirings(retention: Int64, now: Instant, limit: PruningLimit) throws -> Int {
        try writing.removeOldAirings(retention: retention, now: now, limit: limit)
    }

    open func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try writing.prune(before: instant, now: now, limit: limit)
    }

    open func replaceLineup(
        _ lineup: Lineup, from refresh: LineupRefresh?, matcher: any ChannelMatching, now: Instant
    ) throws -> LineupOutcome {
        try writing.replaceLineup(lineup, from: refresh, matcher: matcher, now: now)
    }

    open func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        try writing.saveLineup(lineup, matcher: matcher, now: now)
    }

    open func removeLineup(named name: String, now: Instant) throws -> Bool {
        try writing.removeLineup(named: name, now: now)
    }

    open func setMappings(_ mappings: [String: StationID?], matcher: any ChannelMatching, now: Instant) throws {
        try writing.setMappings(mappings, matcher: matcher, now: now)
    }

    open func setShift(
        ofMapping key: String, to shift: Int?, matcher: any ChannelMatching, now: Instant
    ) throws {
        try writing.setShift(ofMapping: key, to: shift, matcher: matcher, now: now)
    }

    open func removeStations(
        _ stations: [StationID], ofSource name: String, matcher: any ChannelMatching, now: Instant
    ) throws -> Bool {
        try writing.removeStations(stations, ofSource: name, matcher: matcher, now: now)
    }

    open func removeAirings(ofSource name: String, outside window: TimeWindow, now: Instant) throws -> Int {
        try writing.removeAirings(ofSource: name, outside: window, now: now)
    }

    open func setFavorite(_ station: StationID, to place: Int?) throws {
        try writing.setFavorite(station, to: place)
    }

    open func saveWatchRule(_ rule: WatchRule) throws {
        try writing.saveWatchRule(rule)
    }

    open func removeWatchRule(named name: String) throws -> Bool {
        try writing.removeWatchRule(named: name)
    }

    open func claimReminders(_ reminders: [Reminder]) throws -> [Reminder] {
        try writing.claimReminders(reminders)
    }

    open func saveReminders(_ reminders: [Reminder]) throws {
        try writing.saveReminders(reminders)
    }

    open func saveProfile(_ profile: Profile) throws -> Profile {
        try writing.saveProfile(profile)
    }

    open func removeProfile(named name: String) throws -> Bool {
        try writing.removeProfile(named: name)
    }

    open func saveSetting(_ key: String, to values: [String]?) throws {
        try writing.saveSetting(key, to: values)
    }

    open func refreshSearchIndex() throws {
        try writing.refreshSearchIndex()
    }
}

/// A store that forwards to another store.
///
/// Subclasses override ``substitute(for:)-(GuideReading)`` or ``substitute(for:)-(GuideWriting)`` to replace the reader or the
/// writer.
open class ForwardingStorage: GuideStorage, @unchecked Sendable {
    public let storage: any GuideStorage

    public init(_ storage: any GuideStorage) {
        self.storage = storage
    }

    /// Returns the reader that the body of a read gets instead of `guide`.
    open func substitute(for guide: any GuideReading) -> any GuideReading { guide }

    /// Returns the writer that the body of a write gets instead of `guide`.
    open func substitute(for guide: any GuideWriting) -> any GuideWriting { guide }

    open var location: String { storage.location }

    open var companionPath: String { storage.companionPath }

    open var exists: Bool { storage.exists }

    open func read<Answer>(
        until limit: ReadingLimit, _ body: (any GuideReading) throws -> Answer
    ) throws -> Answer {
        try storage.read(until: limit) { try body(substitute(for: $0)) }
    }

    open func write<Answer>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Answer) throws -> Answer {
        try storage.write(waiting: wait) { try body(substitute(for: $0)) }
    }

    open func withRefreshLock<Answer>(waiting wait: LockWait, _ body: () throws -> Answer) throws -> Answer {
        try storage.withRefreshLock(waiting: wait, body)
    }

    open func withReminderLock<Answer>(_ body: () throws -> Answer) throws -> Answer? {
        try storage.withReminderLock(body)
    }

    open func migrate(waiting wait: LockWait) throws -> (found: Int, current: Int) {
        try storage.migrate(waiting: wait)
    }

    open func check() throws -> StoreCheck { try storage.check() }

    open func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        try storage.backUp(to: path, target: target)
    }

    open func restore(from backup: String, now: Instant, waiting wait: LockWait) throws -> RestoreReport {
        try storage.restore(from: backup, now: now, waiting: wait)
    }

    open func owns(file path: String) -> Bool { storage.owns(file: path) }

    open func server() throws -> DatabaseServer? { try storage.server() }

    open func prepareSearches() throws { try storage.prepareSearches() }
}

/// An import session that forwards to another session.
open class ForwardingSession: ImportSession {
    public let session: any ImportSession

    public init(_ session: any ImportSession) {
        self.session = session
    }

    open var contentKey: ContentHash { session.contentKey }

    open func loadContentIndex() throws -> StoredContents {
        try session.loadContentIndex()
    }

    open func append(_ batch: ContentBatch) throws {
        try session.append(batch)
    }

    open func replaceSchedule(of station: StationID, with listings: NormalizedListings) throws {
        try session.replaceSchedule(of: station, with: listings)
    }

    open func release(_ programmes: [Int64]) throws {
        try session.release(programmes)
    }

    open func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws {
        try session.setStations(stations)
    }

    open func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome {
        try session.commit(report, state: state)
    }

    open func cancel() {
        session.cancel()
    }
}
