import EPGImport
package import EPGModel

/// A guide that a rule checks. Each call is a separate read or write.
///
/// The guide is initially empty. A rule uses ``storage`` for several calls in one read or write.
package struct GuideUnderTest: GuideReading {
    package let storage: any GuideStorage
    private let stores: any StoreFactory

    /// Creates an empty guide.
    init(_ stores: any StoreFactory) throws {
        self.stores = stores
        storage = try stores.makeGuide()
    }

    /// Returns another guide of the same kind with airings in the notation of ``Day``.
    func another(_ airings: [String] = []) throws -> GuideUnderTest {
        let guide = try GuideUnderTest(stores)
        if !airings.isEmpty { try guide.importing(airings) }
        return guide
    }

    /// Returns a store of the same kind without a guide.
    func vacantStore() throws -> any GuideStorage { try stores.make() }

    /// Returns a new store for this guide, as another process would open it.
    func reopenedStore() throws -> any GuideStorage { try stores.reopen(storage) }

    // MARK: - Changes

    @discardableResult
    func importing(
        _ airings: [String], as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions(),
        now: Instant = Day.now
    ) throws -> ImportOutcome {
        try importing(text: Day.guide(airings), as: source, options: options, now: now)
    }

    @discardableResult
    func importing(
        text: String, as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions(),
        now: Instant = Day.now
    ) throws -> ImportOutcome {
        try storage.write(waiting: .forOthers) { try $0.importing(text: text, as: source, options: options, now: now) }
    }

    /// Imports airings and updates the search index.
    func importSearchable(_ airings: [String]) throws {
        try importing(airings)
        try refreshSearchIndex()
    }

    /// Begins an import. The body commits or cancels it.
    func withSession<Answer>(
        of source: Source = Source(name: "feed"), now: Instant = Day.now, matcher: (any ChannelMatching)? = nil,
        limits: ImportLimits = ImportLimits(), _ body: (any ImportSession) throws -> Answer
    ) throws -> Answer {
        try storage.write(waiting: .forOthers) { writer in
            try body(writer.beginImport(of: source, now: now, matcher: matcher, safeguard: nil, limits: limits))
        }
    }

    func save(_ source: Source, now: Instant = Day.now) throws {
        try storage.write(waiting: .forOthers) { try $0.save(source, now: now) }
    }

    func removeSource(
        named name: String, matcher: (any ChannelMatching)? = nil, now: Instant = Day.now
    ) throws -> Bool {
        try storage.write(waiting: .forOthers) { try $0.removeSource(named: name, matcher: matcher, now: now) }
    }

    func saveState(_ state: SourceState, ofSource name: String) throws {
        try storage.write(waiting: .forOthers) { try $0.saveState(state, ofSource: name) }
    }

    func discardValidators(recordedAfter instant: Instant) throws {
        try storage.write(waiting: .forOthers) { try $0.discardValidators(recordedAfter: instant) }
    }

    func prune(before instant: Instant, now: Instant = Day.now, limit: PruningLimit = .none) throws -> Int {
        try storage.write(waiting: .forOthers) { try $0.prune(before: instant, now: now, limit: limit) }
    }

    func saveLineup(
        _ lineup: Lineup, matcher: any ChannelMatching = TableMatcher(), now: Instant = Day.now
    ) throws -> LineupOutcome {
        try storage.write(waiting: .forOthers) { try $0.saveLineup(lineup, matcher: matcher, now: now) }
    }

    func removeLineup(named name: String, now: Instant = Day.now) throws -> Bool {
        try storage.write(waiting: .forOthers) { try $0.removeLineup(named: name, now: now) }
    }

    func setMapping(_ key: String, to station: StationID?, matcher: any ChannelMatching = TableMatcher()) throws {
        try storage.write(waiting: .forOthers) { try $0.setMapping(key, to: station, matcher: matcher, now: Day.now) }
    }

    func setFavorite(_ station: String, to place: Int?) throws {
        try storage.write(waiting: .forOthers) { try $0.setFavorite(StationID(station), to: place) }
    }

    func saveWatchRule(_ rule: WatchRule) throws {
        try storage.write(waiting: .forOthers) { try $0.saveWatchRule(rule) }
    }

    func removeWatchRule(named name: String) throws -> Bool {
        try storage.write(waiting: .forOthers) { try $0.removeWatchRule(named: name) }
    }

    func claimReminders(_ reminders: [Reminder]) throws -> [Reminder] {
        try storage.write(waiting: .forOthers) { try $0.claimReminders(reminders) }
    }

    func saveReminders(_ reminders: [Reminder]) throws {
        try storage.write(waiting: .forOthers) { try $0.saveReminders(reminders) }
    }

    func saveProfile(_ profile: Profile) throws -> Profile {
        try storage.write(waiting: .forOthers) { try $0.saveProfile(profile) }
    }

    func removeProfile(named name: String) throws -> Bool {
        try storage.write(waiting: .forOthers) { try $0.removeProfile(named: name) }
    }

    func saveSetting(_ key: String, to values: [String]?) throws {
        try storage.write(waiting: .forOthers) { try $0.saveSetting(key, to: values) }
    }

    func refreshSearchIndex() throws {
        try storage.write(waiting: .forOthers) { try $0.refreshSearchIndex() }
    }

    func check() throws -> StoreCheck { try storage.check() }

    // MARK: - Reads

    package func version() throws -> GuideVersion {
        try storage.read { try $0.version() }
    }

    package func version(of generation: Generation) throws -> GuideVersion? {
        try storage.read { try $0.version(of: generation) }
    }

    package func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try storage.read { try $0.changes(since: start, of: station) }
    }

    package func stationCount() throws -> Int {
        try storage.read { try $0.stationCount() }
    }

    package func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try storage.read { try $0.stations(inRows: rows) }
    }

    package func stations(
        _ filter: StationFilter, offset: Int, limit: Int
    ) throws -> (total: Int, stations: [StationRow]) {
        try storage.read { try $0.stations(filter, offset: offset, limit: limit) }
    }

    package func station(_ id: StationID) throws -> StationRow? {
        try storage.read { try $0.station(id) }
    }

    package func stationGroups() throws -> [NameCount] {
        try storage.read { try $0.stationGroups() }
    }

    package func groups(inLineup lineup: String?) throws -> [Int: String] {
        try storage.read { try $0.groups(inLineup: lineup) }
    }

    package func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try storage.read { try $0.schedules(inRows: rows, during: window) }
    }

    package func outlines(inRows rows: [Int], during window: TimeWindow) throws -> [Int: [AiringOutline]] {
        try storage.read { try $0.outlines(inRows: rows, during: window) }
    }

    package func contents(inRows rows: Range<Int>, during window: TimeWindow) throws -> [Int: [AiringContent]] {
        try storage.read { try $0.contents(inRows: rows, during: window) }
    }

    package func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief] {
        try storage.read { try $0.briefs(ofProgrammes: numbers) }
    }

    package func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule {
        try storage.read { try $0.schedule(of: station, during: window) }
    }

    package func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        try storage.read { try $0.nowAndNext(at: instant, inRows: rows) }
    }

    package func guideSpan() throws -> TimeWindow? {
        try storage.read { try $0.guideSpan() }
    }

    package func isAnythingOn(at instant: Instant) throws -> Bool {
        try storage.read { try $0.isAnythingOn(at: instant) }
    }

    package func airings(_ ids: [AiringID]) throws -> [AiringDetail] {
        try storage.read { try $0.airings(ids) }
    }

    package func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        try storage.read { try $0.showings(of: airing, after: instant, limit: limit) }
    }

    package func search(_ query: SearchQuery) throws -> SearchResults {
        try storage.read { try $0.search(query) }
    }

    package func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        try storage.read { try $0.programmes(meeting: conditions, above: number) }
    }

    package func corrections(of query: SearchQuery) throws -> [String] {
        try storage.read { try $0.corrections(of: query) }
    }

    package func isSearchIndexCurrent() throws -> Bool {
        try storage.read { try $0.isSearchIndexCurrent() }
    }

    package func categories() throws -> [NameCount] {
        try storage.read { try $0.categories() }
    }

    package func channelChanges(ofLineup name: String, limit: Int) throws -> [LoggedChannelChange] {
        try storage.read { try $0.channelChanges(ofLineup: name, limit: limit) }
    }

    package func lineups() throws -> [String] {
        try storage.read { try $0.lineups() }
    }

    package func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])? {
        try storage.read { try $0.lineup(named: name) }
    }

    package func lineups(containing station: StationID) throws -> [Lineup] {
        try storage.read { try $0.lineups(containing: station) }
    }

    package func mappingShifts() throws -> [String: Int] {
        try storage.read { try $0.mappingShifts() }
    }

    package func stationsWithAirings(
        during window: TimeWindow, ofSources names: Set<String>
    ) throws -> Set<StationID> {
        try storage.read { try $0.stationsWithAirings(during: window, ofSources: names) }
    }

    package func mappings() throws -> [String: StationID] {
        try storage.read { try $0.mappings() }
    }

    package func favorites() throws -> [StationID] {
        try storage.read { try $0.favorites() }
    }

    package func watchRules() throws -> [WatchRule] {
        try storage.read { try $0.watchRules() }
    }

    package func reminders() throws -> [Reminder] {
        try storage.read { try $0.reminders() }
    }

    package func profiles() throws -> [Profile] {
        try storage.read { try $0.profiles() }
    }

    package func storedSettings() throws -> [String: [String]] {
        try storage.read { try $0.storedSettings() }
    }

    package func sources() throws -> [SourceSummary] {
        try storage.read { try $0.sources() }
    }

    package func sourceRecords() throws -> [SourceRecord] {
        try storage.read { try $0.sourceRecords() }
    }

    package func end(ofSource name: String) throws -> Instant? {
        try storage.read { try $0.end(ofSource: name) }
    }

    package func quality(ofSource name: String) throws -> ScheduleQuality {
        try storage.read { try $0.quality(ofSource: name) }
    }

    package func imports(ofSource name: String, limit: Int) throws -> [ImportSummary] {
        try storage.read { try $0.imports(ofSource: name, limit: limit) }
    }

    package func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws {
        try storage.read { try $0.diagnostics(ofImport: id, body) }
    }

    package func hasOldAirings(retention: Int64, now: Instant) throws -> Bool {
        try storage.read { try $0.hasOldAirings(retention: retention, now: now) }
    }

    package func catchupHorizons(retention: Int64, now: Instant) throws -> [StationID: Instant] {
        try storage.read { try $0.catchupHorizons(retention: retention, now: now) }
    }

    package func hasRecordedTimes(after instant: Instant) throws -> Bool {
        try storage.read { try $0.hasRecordedTimes(after: instant) }
    }

    package func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        try storage.read { try $0.export(selection, to: &visitor) }
    }
}

extension LockWait {
    /// Waits up to one minute, because another test that starts a process can briefly hold a lock.
    static var forOthers: LockWait {
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        return .until { ContinuousClock.now > end }
    }
}
