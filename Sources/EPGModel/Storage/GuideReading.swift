/// Queries of a stored guide. All results belong to one read transaction, and thus to one generation.
///
/// Stations have 0-based rows in the order of the guide: first the stations of lineups, sorted by the lineup's name, the
/// channel's number, and its position; then the others, sorted by the feed's number and their order in the source.
///
/// If several sources have a station, its schedule combines them according to ``Source/priority``. Lists omit identifiers
/// and rows that do not exist.
public protocol GuideReading: Sendable {
    // MARK: - Versions and changes

    /// Returns the current generation with its nonce and its start: two seeks, regardless of the guide's size.
    func version() throws -> GuideVersion

    /// Returns a generation with its nonce if it belonged to this guide within the last week. A client with another nonce for
    /// that number has another guide.
    func version(of generation: Generation) throws -> GuideVersion?

    /// Returns the changes since a generation or an instant, within the range of the log.
    ///
    /// - Parameter station: The station of the changes; `nil` for all.
    /// - Returns: `nil` for a future generation. Generations of different databases are indistinguishable.
    /// - Complexity: O(changes): reads the changes of all later generations and sorts them by row and start.
    func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges?

    // MARK: - Stations

    /// Returns the number of stations, which equals the number of rows.
    func stationCount() throws -> Int

    /// Returns the stations in rows, sorted by row.
    func stations(inRows rows: Range<Int>) throws -> [StationRow]

    /// Returns a page of the stations that match a filter, sorted by row.
    ///
    /// - Parameters:
    ///   - offset: The number of matches to skip; negative values count as 0.
    ///   - limit: The maximum number of stations; negative values count as 0.
    /// - Returns: The number of matches on all pages, and the stations of this page.
    func stations(_ filter: StationFilter, offset: Int, limit: Int) throws -> (total: Int, stations: [StationRow])

    /// Returns a station with its row; `nil` if the guide does not have it.
    func station(_ id: StationID) throws -> StationRow?

    /// Returns the groups (`group-title`) of all channels with a station, with the number of their stations, in order of first
    /// occurrence.
    func stationGroups() throws -> [NameCount]

    /// Returns the group of each station by its row: the first group of its first channel with groups.
    ///
    /// - Parameter lineup: The name of a lineup; `nil` for all, in the order of their names.
    func groups(inLineup lineup: String?) throws -> [Int: String]

    // MARK: - Schedules

    /// Returns the airings in rows that overlap a window: the core query.
    ///
    /// - Complexity: One seek per visible station and one step per visible airing, regardless of the guide's size.
    func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule]

    /// Returns the airings in rows that overlap a window, by row, with programme numbers instead of texts.
    ///
    /// - Complexity: One seek per row and one step per airing, regardless of the guide's size.
    func outlines(inRows rows: [Int], during window: TimeWindow) throws -> [Int: [AiringOutline]]

    /// Returns the airings in rows that overlap a window, by row, as hashes of their contents.
    ///
    /// - Complexity: One seek per row, one step per airing, and one read for each 1,000 or so programmes, regardless of the guide's
    ///   size. Decodes nothing.
    func contents(inRows rows: Range<Int>, during window: TimeWindow) throws -> [Int: [AiringContent]]

    /// Returns the data that a grid shows of programmes, in no particular order: one seek per programme.
    func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief]

    /// Returns the airings of a station that overlap a window.
    func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule

    /// Returns the current airings at an instant and the next airing of each station in rows.
    func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext]

    /// Returns the range from the first start to the last stop of all sources; `nil` for an empty guide.
    /// - Complexity: O(stations).
    func guideSpan() throws -> TimeWindow?

    /// Returns whether any airing of a feed is on at an instant: one seek per station and source. Derived airings do not count.
    func isAnythingOn(at instant: Instant) throws -> Bool

    // MARK: - Airings and searches

    /// Returns airings with all details, whether or not they are shown, in no particular order.
    func airings(_ ids: [AiringID]) throws -> [AiringDetail]

    /// Returns other airings of the same programme that stop after an instant, sorted by start.
    func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch]

    /// Returns the airings whose programme matches all terms.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    func search(_ query: SearchQuery) throws -> SearchResults

    /// Returns corrections of a search: texts in which similar words of titles replace the words that no programme has. They differ
    /// from the search in as few letters as possible; the most frequent words come first. There are none if the programmes have all
    /// words, or if no word is similar. A correction need not match any airing; see ``suggestions(for:)``.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    func corrections(of query: SearchQuery) throws -> [String]

    /// Returns whether the search index covers all programmes of the guide. An import updates the search index after its commit
    /// without a new generation, so an import that is killed in between leaves it outdated.
    func isSearchIndexCurrent() throws -> Bool

    /// Returns the programmes above a number that meet each condition.
    ///
    /// - Returns: A result for each condition; ``SearchExpressionError`` or ``SearchIndexMissing`` for words that cannot be
    ///   searched, and ``TextPatternError`` for a pattern that takes too many steps.
    /// - Complexity: One search for each condition with words, and one pass over these programmes for all others.
    func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>]

    /// The guide without a parental limit: this one by default.
    var unlimited: any GuideReading { get }

    /// Returns whether a parental limit hides the content of an airing; `false` by default.
    func isLocked(_ airing: AiringID) throws -> Bool

    /// Returns the first categories of programmes with the number of programmes, sorted by frequency and name; at most 500.
    /// - Complexity: O(programmes).
    func categories() throws -> [NameCount]

    // MARK: - Lineups

    /// Returns the last changes of a lineup's channels by new versions of its playlist, the newest first; the log covers a week.
    func channelChanges(ofLineup name: String, limit: Int) throws -> [LoggedChannelChange]

    /// Returns the names of the lineups in their order.
    func lineups() throws -> [String]

    /// Returns an imported lineup and the stations of its channels.
    func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])?

    /// Returns the lineups that contain a station, sorted by name, each with the channels of that station only.
    ///
    /// - Complexity: One seek per such channel, regardless of the size of the lineups.
    func lineups(containing station: StationID) throws -> [Lineup]

    /// Returns the user's choices of stations by the key of the channel. A station may be missing in the guide.
    func mappings() throws -> [String: StationID]

    /// Returns the seconds by which channels transmit later than their stations, by the key of the channel, for mappings that
    /// replace `tvg-shift`.
    func mappingShifts() throws -> [String: Int]

    /// Returns the stations for which sources have airings that overlap a window, shown or not.
    ///
    /// - Complexity: One seek per station and source.
    func stationsWithAirings(during window: TimeWindow, ofSources names: Set<String>) throws -> Set<StationID>

    // MARK: - Favorites

    /// Returns the user's favorite stations in the user's order. A station may be missing in the guide.
    ///
    /// Favorites do not belong to a generation, so a reader must read them again to detect a change.
    func favorites() throws -> [StationID]

    // MARK: - Watchlist

    /// Returns the watch rules, sorted by profile and name. They do not belong to a generation.
    func watchRules() throws -> [WatchRule]

    /// Returns the recorded reminders of all rules, sorted by start, key and target. They do not belong to a generation.
    func reminders() throws -> [Reminder]

    // MARK: - Profiles

    /// Returns the profiles, sorted by name. They do not belong to a generation.
    func profiles() throws -> [Profile]

    // MARK: - Settings

    /// Returns the values of settings that were changed in the browser or by `epg config set`, by key. They do not belong to a
    /// generation.
    func storedSettings() throws -> [String: [String]]

    // MARK: - Sources and imports

    /// Returns the sources, sorted by name.
    func sources() throws -> [SourceSummary]

    /// Returns the sources without counts of their contents, sorted by name.
    func sourceRecords() throws -> [SourceRecord]

    /// Returns the end of the last airing of a source: one seek per station of the source.
    func end(ofSource name: String) throws -> Instant?

    /// Returns how much of its time a source shows as published; nothing for an unknown source.
    ///
    /// - Complexity: O(airings of the source).
    func quality(ofSource name: String) throws -> ScheduleQuality

    /// Returns the last imports of a source, newest first; none for an unknown source. The log has at most 100.
    func imports(ofSource name: String, limit: Int) throws -> [ImportSummary]

    /// Visits the diagnostics of an import with titles, in order, until `body` returns `false`. Consecutive imports with the
    /// same diagnostics share them.
    func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws

    /// Returns whether any airing is older than the retention of its station: one seek per station and source. See
    /// ``GuideWriting/removeOldAirings(retention:now:limit:)``.
    func hasOldAirings(retention: Int64, now: Instant) throws -> Bool

    /// Returns the instants before which airings of stations with catch-up are old, of those that are earlier than the retention.
    func catchupHorizons(retention: Int64, now: Instant) throws -> [StationID: Instant]

    /// Returns whether a recorded time of a refresh or pruning is after an instant. If the instant is now, a clock was ahead.
    func hasRecordedTimes(after instant: Instant) throws -> Bool

    // MARK: - Export

    /// Visits the header, then all stations, then the airings of each station in the same order, then the end.
    ///
    /// - Complexity: Memory for the keys of all stations and for one airing, and for the times of one station that several
    ///   sources have.
    /// - Throws: ``UnknownSource``, errors of the visitor, and errors of the store.
    func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws
}

extension GuideReading {
    public var unlimited: any GuideReading { self }

    public func isLocked(_ airing: AiringID) throws -> Bool { false }

    /// Returns the airings in a row that overlap a window.
    public func outlines(inRow row: Int, during window: TimeWindow) throws -> [AiringOutline] {
        try outlines(inRows: [row], during: window)[row] ?? []
    }

    /// Returns an airing with all details, whether or not it is shown; `nil` if the guide does not have it.
    public func airing(_ id: AiringID) throws -> AiringDetail? { try airings([id]).first }

    /// Returns what is on at an instant, by index of `rows`; of a clump, the airing whose share contains the instant.
    ///
    /// - Parameter rows: Rows in any order.
    /// - Complexity: One query for each run of consecutive rows, and one seek for each airing.
    package func details(at instant: Instant, inRows rows: [Int]) throws -> [Int: AiringDetail] {
        var details: [Int: AiringDetail] = [:]
        var index = 0
        while index < rows.count {
            let start = index
            repeat { index += 1 } while index < rows.count && rows[index] == rows[index - 1] + 1
            for station in try nowAndNext(at: instant, inRows: rows[start]..<rows[start] + index - start) {
                let current = station.now.enumerated().first { index, airing in
                    airing.window.share(index, of: station.now.count).contains(instant)
                }
                details[start + station.row - rows[start]] = try current.flatMap { try airing($0.element.id) }
            }
        }
        return details
    }

    /// Returns the current generation.
    public func generation() throws -> Generation { try version().generation }

    /// Returns all changes since a generation; `nil` if the log is incomplete, so that the caller must read everything.
    public func changes(since generation: Generation) throws -> GuideChanges? {
        // Avoid reading a week of changes if the log starts later.
        guard try version(of: Generation(generation.rawValue &+ 1)) != nil || generation == self.generation() else {
            return nil
        }
        return try changes(since: .generation(generation), of: nil).flatMap { $0.isComplete ? $0 : nil }
    }
}

/// A station and its row.
public struct StationRow: Hashable, Sendable {
    /// The 0-based row.
    public var row: Int
    public var station: Station
    /// The number of the station's first channel, by the lineup's name and the position in it. ``Station/number`` is the
    /// number of the feed.
    public var channelNumber: ChannelNumber?
    /// The logo (`tvg-logo`) of the first of the station's channels that has one, in the same order.
    public var channelLogo: String?

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - row: The 0-based row.
    ///   - station: The station.
    ///   - channelNumber: The number of its first channel; `nil` (the default) if no channel shows it.
    ///   - channelLogo: The first logo of its channels; `nil` (the default) if there is none.
    public init(row: Int, station: Station, channelNumber: ChannelNumber? = nil, channelLogo: String? = nil) {
        self.row = row
        self.station = station
        self.channelNumber = channelNumber
        self.channelLogo = channelLogo
    }
}

/// The part of a station's schedule that overlaps a window.
public struct RowSchedule: Hashable, Sendable {
    /// The 0-based row.
    public var row: Int
    /// See ``Station/name``.
    public var stationName: String
    /// The airings that overlap the window, with their full times.
    public var schedule: Schedule

    /// Creates a part of a schedule.
    ///
    /// - Parameters:
    ///   - row: The 0-based row.
    ///   - stationName: The name of the station.
    ///   - schedule: The airings that overlap the window.
    public init(row: Int, stationName: String, schedule: Schedule) {
        self.row = row
        self.stationName = stationName
        self.schedule = schedule
    }
}

/// The current and the next airing of a station.
public struct NowAndNext: Hashable, Sendable {
    /// The 0-based row.
    public var row: Int
    public var station: StationID
    /// See ``Station/name``.
    public var stationName: String
    /// The current airings: several if they share a window, none in a gap.
    public var now: [Airing]
    /// The first airing that starts later; `nil` at the end of the schedule.
    public var next: Airing?

    /// Creates the current and the next airing.
    ///
    /// - Parameters:
    ///   - row: The 0-based row.
    ///   - station: The station.
    ///   - stationName: The name of the station.
    ///   - now: The current airings; empty in a gap.
    ///   - next: The first airing that starts later; `nil` at the end of the schedule.
    public init(row: Int, station: StationID, stationName: String, now: [Airing], next: Airing?) {
        self.row = row
        self.station = station
        self.stationName = stationName
        self.now = now
        self.next = next
    }
}

/// A filter of stations; matches all by default.
public struct StationFilter: Hashable, Sendable {
    /// Words separated by white space. Each must occur as a substring of a name, the identifier, or a number of the feed or a
    /// lineup.
    ///
    /// Ignores case, accents of Latin letters, and characters other than letters and digits. Without words, every station
    /// matches.
    public var text: String?
    /// The exact name of a group (`group-title`), to select the stations of its channels.
    public var group: String?
    /// The name of a lineup, to select the stations of its channels (in ``group``, if given).
    public var lineup: String?

    /// Creates a filter. A station must satisfy all conditions that are given.
    ///
    /// - Parameters:
    ///   - text: Words that must all occur in a name, the identifier or a number; `nil` (the default) for no condition.
    ///   - group: The exact name of a group; `nil` (the default) for no condition.
    ///   - lineup: The name of a lineup; `nil` (the default) for no condition.
    public init(text: String? = nil, group: String? = nil, lineup: String? = nil) {
        self.text = text
        self.group = group
        self.lineup = lineup
    }
}

/// An airing without texts, small enough to keep millions in memory.
public struct AiringOutline: Hashable, Sendable {
    public let id: AiringID
    public let window: TimeWindow
    /// The programme's number, which identifies the same content for the lifetime of the database.
    public let programme: Int64
    public let isStopInferred: Bool
    /// Whether the airing shares its window with others.
    public let isInClump: Bool
    /// See ``Airing/isContinuation``.
    public let isContinuation: Bool

    /// Creates an outline with the values of an airing.
    ///
    /// - Parameter isContinuation: See ``Airing/isContinuation``; `false` by default.
    public init(
        id: AiringID, window: TimeWindow, programme: Int64, isStopInferred: Bool, isInClump: Bool,
        isContinuation: Bool = false
    ) {
        self.id = id
        self.window = window
        self.programme = programme
        self.isStopInferred = isStopInferred
        self.isInClump = isInClump
        self.isContinuation = isContinuation
    }
}

/// The content of an airing as a hash, to find out whether it changed.
public struct AiringContent: Hashable, Sendable {
    public let id: AiringID
    public let window: TimeWindow
    /// A hash of the whole programme, of the times in the feed, and of the place in a clump. It is the same in all copies of a guide.
    public let hash: ContentHash

    /// Creates the content of an airing.
    public init(id: AiringID, window: TimeWindow, hash: ContentHash) {
        self.id = id
        self.window = window
        self.hash = hash
    }
}

/// The data of a programme in a grid: the first title, subtitle and category of the feed, and the genre by all categories.
public struct ProgrammeBrief: Hashable, Sendable {
    /// See ``AiringOutline/programme``.
    public let number: Int64
    /// The title; empty if there is none.
    public let title: String
    public let subtitle: String?
    public let category: String?
    public let marks: AiringMarks
    public let genre: ProgrammeGenre

    /// Creates the data of a programme.
    ///
    /// - Parameters:
    ///   - number: The programme's number in the database.
    ///   - title: The title; empty if there is none.
    ///   - subtitle: The first subtitle, if there is one.
    ///   - category: The first category, if there is one.
    ///   - marks: The marks of the programme.
    ///   - genre: The genre by all categories; none by default.
    public init(
        number: Int64, title: String, subtitle: String?, category: String?, marks: AiringMarks,
        genre: ProgrammeGenre = .none
    ) {
        self.number = number
        self.title = title
        self.subtitle = subtitle
        self.category = category
        self.marks = marks
        self.genre = genre
    }
}

/// A group of channels with the number of its stations, or a category with the number of its programmes.
public struct NameCount: Hashable, Sendable {
    public var name: String
    public var count: Int

    /// Creates a count for a name.
    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// Counts the stations of groups, in the order in which channels name them first. Stations are the numbers of a store.
package struct GroupCounter {
    private var names: [String] = []
    private var stations: [String: Set<Int64>] = [:]

    /// Creates a counter without groups.
    package init() {}

    /// Adds a station to the groups of one of its channels.
    package mutating func add(_ station: Int64, to groups: [String]) {
        for group in groups {
            if stations[group] == nil { names.append(group) }
            stations[group, default: []].insert(station)
        }
    }

    /// The groups with their numbers of different stations.
    package var counts: [NameCount] { names.map { NameCount(name: $0, count: stations[$0]?.count ?? 0) } }
}

/// A receiver of the contents of a guide.
public protocol GuideVisitor {
    /// Begins the export, with the attributes of `<tv>` if there is only one source.
    mutating func begin(header: [ContentAttribute]) throws

    /// Visits a station. All stations precede the first airing.
    ///
    /// - Parameter nodes: The stored description in the order of the feed; empty if no feed declares the station.
    mutating func station(_ station: StationRow, nodes: [ContentNode]) throws

    /// Visits an airing. The airings of a station are consecutive, sorted by start and part.
    mutating func airing(_ airing: ExportedAiring) throws

    /// Ends the export.
    mutating func end() throws
}

/// A selection of stations and airings for an export; by default all that are shown.
public struct ExportSelection: Sendable {
    /// The window that selects airings, which keep their full times; `nil` for all.
    public var window: TimeWindow?
    /// The name of a source, to select all of its airings (shown or not) and all of its stations; `nil` for the shown guide.
    public var source: String?
    /// A filter of stations; `nil` for all.
    public var stations: (@Sendable (Station) -> Bool)?
    /// Whether stations are sorted by row; otherwise by the source that describes them and their position in it.
    public var inRows = false

    /// Creates a selection of all shown airings and their stations.
    public init() {}
}

/// The sources and the times that an ``ExportSelection`` selects in a store.
package struct ExportScope: Sendable {
    /// The number of the selected source; `nil` for the shown guide.
    package let source: Int64?
    /// The names of all sources by number.
    package let sourceNames: [Int64: String]
    package let window: TimeWindow

    /// Looks up the sources of a selection.
    ///
    /// - Parameter sources: The numbers and names of all sources of the store.
    /// - Throws: ``UnknownSource``.
    package init(of selection: ExportSelection, in sources: [(Int64, String)]) throws(UnknownSource) {
        sourceNames = Dictionary(sources) { first, _ in first }
        if let name = selection.source {
            guard let source = sources.first(where: { $0.1 == name }) else { throw UnknownSource(name: name) }
            self.source = source.0
        } else {
            source = nil
        }
        let (first, last) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
        window = selection.window ?? TimeWindow(start: first, end: last)
    }

    /// The source whose attributes of `<tv>` describe the export: the selected source, or the only source besides the source of
    /// derived listings; `nil` if there are several.
    package var describingSource: Int64? {
        let feeds = sourceNames.filter { $0.value != Derivation.source.name }
        return source ?? (feeds.count == 1 ? feeds.keys.first : nil)
    }
}

/// An airing with all data of its programme; see ``Airing``.
public struct ExportedAiring: Sendable {
    public var station: StationID
    /// The shown time; see ``Airing/isCut``.
    public var window: TimeWindow
    public var published: PublishedTimes?
    public var isStopInferred = false
    /// See ``Airing/isContinuation``.
    public var isContinuation = false
    public var clump: Clump?
    /// The attributes of the transmission (`showview`, `catchup-id`, …) in the order of the feed.
    public var transmission: [ContentAttribute] = []
    public var programme: StoredProgramme
    /// The name of the source.
    public var source: String

    /// Creates an airing that has the published times and does not share its window.
    public init(station: StationID, window: TimeWindow, programme: StoredProgramme, source: String) {
        self.station = station
        self.window = window
        self.programme = programme
        self.source = source
    }
}

/// The source of an export does not exist.
public struct UnknownSource: Error, Hashable, Sendable, CustomStringConvertible {
    public let name: String

    /// Creates an error for a source that does not exist.
    ///
    /// - Parameter name: The requested name.
    public init(name: String) {
        self.name = name
    }

    public var description: String { "There is no source \(name)." }
}

/// Whether a guide has current listings.
package enum ListingsState: Hashable, Sendable {
    /// The guide has no listings.
    case empty
    /// The last airing ended at an instant.
    case over(Instant)
    /// The first airing begins at an instant.
    case future(Instant)
    case current

    /// - Parameter span: The range of the listings; `nil` for a guide without any.
    package init(_ span: TimeWindow?, at now: Instant) {
        guard let span, !span.isEmpty else {
            self = .empty
            return
        }
        self = now >= span.end ? .over(span.end) : now < span.start ? .future(span.start) : .current
    }
}
