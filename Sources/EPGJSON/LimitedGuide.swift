package import EPGModel

/// A guide in which the airings beyond a parental limit are locked.
///
/// A locked airing keeps its identifier, its station and its times. Its only text is the title ``lockedTitle``, and its programme
/// has nothing else, so that it has no marks, no categories, no pictures and no other showings. Searches do not find it. Watch
/// rules, reminders, sources and diagnostics are the guide's.
///
/// Every airing costs a seek for its programme. A limit is for the few who need it, so nothing is stored for it.
package struct LimitedGuide: GuideReading {
    /// The title of locked airings.
    package static let lockedTitle = "Locked"
    /// The number of the programme of locked airings in outlines; stores count from 1.
    private static let lockedProgramme: Int64 = 0
    /// The number of matches of a search that are read at once, and the number that are read for a total.
    private static let matchesAtOnce = 500
    private static let maximumMatchCount = 4000

    private let guide: any GuideReading
    private let limit: ParentalLimit

    /// Creates a guide with a limit.
    package init(_ guide: any GuideReading, _ limit: ParentalLimit) {
        self.guide = guide
        self.limit = limit
    }

    // MARK: - Locking

    package var unlimited: any GuideReading { guide.unlimited }

    package func isLocked(_ id: AiringID) throws -> Bool {
        try guide.airing(id).map { limit.locks($0.programme) } ?? true
    }

    private func limited(_ airing: Airing) throws -> Airing { try isLocked(airing.id) ? Self.locked(airing) : airing }

    private func limited(_ schedule: Schedule) throws -> Schedule {
        try Schedule(station: schedule.station, airings: schedule.airings.map(limited))
    }

    private static func locked(_ airing: Airing) -> Airing {
        Airing(
            id: airing.id, station: airing.station, window: airing.window, clump: airing.clump,
            published: airing.published, isStopInferred: airing.isStopInferred, isContinuation: airing.isContinuation,
            isCut: airing.isCut, title: lockedTitle)
    }

    // MARK: - Schedules

    package func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try guide.schedules(inRows: rows, during: window).map { row in
            RowSchedule(row: row.row, stationName: row.stationName, schedule: try limited(row.schedule))
        }
    }

    package func outlines(inRows rows: [Int], during window: TimeWindow) throws -> [Int: [AiringOutline]] {
        try guide.outlines(inRows: rows, during: window).mapValues { outlines in
            try outlines.map { outline in
                guard try isLocked(outline.id) else { return outline }
                return AiringOutline(
                    id: outline.id, window: outline.window, programme: Self.lockedProgramme,
                    isStopInferred: outline.isStopInferred, isInClump: outline.isInClump,
                    isContinuation: outline.isContinuation)
            }
        }
    }

    package func contents(inRows rows: Range<Int>, during window: TimeWindow) throws -> [Int: [AiringContent]] {
        try guide.contents(inRows: rows, during: window).mapValues { contents in
            try contents.map { content in
                guard try isLocked(content.id) else { return content }
                return AiringContent(
                    id: content.id, window: content.window, hash: ContentHasher.fixed.hash(Array("locked".utf8).span))
            }
        }
    }

    /// The numbers must come from ``outlines(inRows:during:)``, because a number does not say whether a programme is locked.
    package func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief] {
        var briefs = try guide.briefs(ofProgrammes: numbers.filter { $0 != Self.lockedProgramme })
        if numbers.contains(Self.lockedProgramme) {
            briefs.append(
                ProgrammeBrief(
                    number: Self.lockedProgramme, title: Self.lockedTitle, subtitle: nil, category: nil, marks: []))
        }
        return briefs
    }

    package func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule {
        try limited(guide.schedule(of: station, during: window))
    }

    package func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        try guide.nowAndNext(at: instant, inRows: rows).map { entry in
            var entry = entry
            entry.now = try entry.now.map(limited)
            entry.next = try entry.next.map(limited)
            return entry
        }
    }

    // MARK: - Airings and searches

    package func airings(_ ids: [AiringID]) throws -> [AiringDetail] { try guide.airings(ids).map(limited) }

    private func limited(_ detail: AiringDetail) -> AiringDetail {
        guard limit.locks(detail.programme) else { return detail }
        var programme = Programme()
        programme.titles = [LocalizedText(Self.lockedTitle)]
        return AiringDetail(
            airing: Self.locked(detail.airing), stationName: detail.stationName, programme: programme,
            transmission: [], source: detail.source, isShown: detail.isShown)
    }

    package func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        try isLocked(airing) ? [] : guide.showings(of: airing, after: instant, limit: limit)
    }

    /// The total is exact up to 4,000 matches of the guide; if some in any order suffice, only if they are all.
    package func search(_ query: SearchQuery) throws -> SearchResults {
        if query.order == .any { return try searchSome(query) }
        let (first, wanted) = (max(0, query.offset), max(1, query.limit))
        var source = query
        (source.offset, source.limit) = (0, Self.matchesAtOnce)
        var results = SearchResults()
        while true {
            let page = try guide.search(source)
            for match in page.matches where try !isLocked(match.airing.id) {
                if results.total >= first, results.matches.count < wanted { results.matches.append(match) }
                results.total += 1
            }
            source.offset += page.matches.count
            if !page.isTotalExact { results.isTotalExact = false }
            guard page.matches.count == Self.matchesAtOnce else { return results }
            guard results.matches.count < wanted || source.offset < Self.maximumMatchCount else {
                results.isTotalExact = false
                return results
            }
        }
    }

    /// Returns some matches, and reads no further programmes.
    private func searchSome(_ query: SearchQuery) throws -> SearchResults {
        let (first, wanted) = (max(0, query.offset), max(1, query.limit))
        var source = query
        (source.offset, source.limit) = (0, first + wanted)
        while true {
            let page = try guide.search(source)
            var found: [SearchMatch] = []
            for match in page.matches where found.count < first + wanted {
                if try !isLocked(match.airing.id) { found.append(match) }
            }
            let isWhole = page.matches.count < source.limit
            // The order of matches depends on their number, so the next ones cannot be read alone.
            guard found.count < first + wanted, !isWhole, source.limit < Self.maximumMatchCount else {
                return SearchResults(
                    total: found.count,
                    isTotalExact: isWhole && page.isTotalExact && found.count < first + wanted,
                    matches: Array(found.dropFirst(first)))
            }
            source.limit = min(source.limit * 4, Self.maximumMatchCount)
        }
    }

    /// Counts the programmes of the shown airings only.
    /// - Complexity: O(airings).
    package func categories() throws -> [NameCount] {
        var visitor = CategoryVisitor(limit: limit)
        try guide.export(ExportSelection(), to: &visitor)
        let counts = Dictionary(grouping: visitor.programmes.values.compactMap(\.self)) { $0 }
        return counts.map { NameCount(name: $0.key, count: $0.value.count) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(500).map(\.self)
    }

    private struct CategoryVisitor: GuideVisitor {
        let limit: ParentalLimit
        /// The first category of programmes by their hash; `nil` for those that are locked or have none.
        var programmes: [Int: String?] = [:]

        mutating func begin(header: [ContentAttribute]) {}

        mutating func station(_ station: StationRow, nodes: [ContentNode]) {}

        mutating func airing(_ airing: ExportedAiring) throws {
            let key = airing.programme.hashValue
            guard programmes[key] == nil else { return }
            let programme = Programme(nodes: try airing.programme.nodes())
            let category = airing.programme.category.flatMap { $0.isEmpty ? nil : $0 }
            programmes[key] = .some(limit.locks(programme) ? nil : category)
        }

        mutating func end() {}
    }

    // MARK: - Export

    package func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        var limited = LimitedVisitor(visitor: visitor, limit: limit)
        defer { visitor = limited.visitor }
        try guide.export(selection, to: &limited)
    }

    private struct LimitedVisitor<Visitor: GuideVisitor>: GuideVisitor {
        var visitor: Visitor
        let limit: ParentalLimit

        mutating func begin(header: [ContentAttribute]) throws { try visitor.begin(header: header) }

        mutating func station(_ station: StationRow, nodes: [ContentNode]) throws {
            try visitor.station(station, nodes: nodes)
        }

        mutating func airing(_ airing: ExportedAiring) throws {
            guard limit.locks(Programme(nodes: try airing.programme.nodes())) else { return try visitor.airing(airing) }
            var airing = airing
            airing.transmission = []
            airing.programme = StoredProgramme(title: LimitedGuide.lockedTitle)
            try visitor.airing(airing)
        }

        mutating func end() throws { try visitor.end() }
    }

    // MARK: - Unlimited parts

    package func version() throws -> GuideVersion { try guide.version() }

    package func version(of generation: Generation) throws -> GuideVersion? { try guide.version(of: generation) }

    package func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try guide.changes(since: start, of: station)
    }

    package func stationCount() throws -> Int { try guide.stationCount() }

    package func stations(inRows rows: Range<Int>) throws -> [StationRow] { try guide.stations(inRows: rows) }

    package func stations(
        _ filter: StationFilter, offset: Int, limit: Int
    ) throws -> (total: Int, stations: [StationRow]) {
        try guide.stations(filter, offset: offset, limit: limit)
    }

    package func station(_ id: StationID) throws -> StationRow? { try guide.station(id) }

    package func stationGroups() throws -> [NameCount] { try guide.stationGroups() }

    package func groups(inLineup lineup: String?) throws -> [Int: String] { try guide.groups(inLineup: lineup) }

    package func guideSpan() throws -> TimeWindow? { try guide.guideSpan() }

    package func isAnythingOn(at instant: Instant) throws -> Bool { try guide.isAnythingOn(at: instant) }

    /// Includes words of titles that are locked. A search for them finds nothing, so they are no suggestions.
    package func corrections(of query: SearchQuery) throws -> [String] { try guide.corrections(of: query) }

    package func isSearchIndexCurrent() throws -> Bool { try guide.isSearchIndexCurrent() }

    /// Includes programmes that are locked, because a number does not say whether one is.
    package func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        try guide.programmes(meeting: conditions, above: number)
    }

    package func lineups() throws -> [String] { try guide.lineups() }

    package func channelChanges(ofLineup name: String, limit: Int) throws -> [LoggedChannelChange] {
        try guide.channelChanges(ofLineup: name, limit: limit)
    }

    package func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])? {
        try guide.lineup(named: name)
    }

    package func lineups(containing station: StationID) throws -> [Lineup] { try guide.lineups(containing: station) }

    package func mappings() throws -> [String: StationID] { try guide.mappings() }

    package func mappingShifts() throws -> [String: Int] { try guide.mappingShifts() }

    package func stationsWithAirings(during window: TimeWindow, ofSources names: Set<String>) throws -> Set<StationID> {
        try guide.stationsWithAirings(during: window, ofSources: names)
    }

    package func favorites() throws -> [StationID] { try guide.favorites() }

    package func watchRules() throws -> [WatchRule] { try guide.watchRules() }

    package func reminders() throws -> [Reminder] { try guide.reminders() }

    package func profiles() throws -> [Profile] { try guide.profiles() }

    package func storedSettings() throws -> [String: [String]] { try guide.storedSettings() }

    package func sources() throws -> [SourceSummary] { try guide.sources() }

    package func sourceRecords() throws -> [SourceRecord] { try guide.sourceRecords() }

    package func end(ofSource name: String) throws -> Instant? { try guide.end(ofSource: name) }

    package func quality(ofSource name: String) throws -> ScheduleQuality { try guide.quality(ofSource: name) }

    package func imports(ofSource name: String, limit: Int) throws -> [ImportSummary] {
        try guide.imports(ofSource: name, limit: limit)
    }

    package func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws {
        try guide.diagnostics(ofImport: id, body)
    }

    package func hasOldAirings(retention: Int64, now: Instant) throws -> Bool {
        try guide.hasOldAirings(retention: retention, now: now)
    }

    package func catchupHorizons(retention: Int64, now: Instant) throws -> [StationID: Instant] {
        try guide.catchupHorizons(retention: retention, now: now)
    }

    package func hasRecordedTimes(after instant: Instant) throws -> Bool {
        try guide.hasRecordedTimes(after: instant)
    }
}
