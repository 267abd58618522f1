/// Queries of a stored guide. Every answer comes from one read transaction, so it belongs to one generation.
///
/// Stations are in rows, from 0, in the order of the guide: first those of the lineups, by the lineup's name and in it by
/// the channel's number, then by its place; then the others by the feed's number, then by their order in the source.
///
/// Where several sources know a station, its schedule is made of all of them by the rule of ``Source/priority``. Identifiers
/// and rows that the guide doesn't have are left out of lists.
public protocol GuideReading: Sendable {
    // MARK: - Versions and changes

    /// The current generation, with its nonce and its beginning: two seeks, whatever the guide's size.
    func version() throws -> GuideVersion

    /// A generation with its nonce, if it was one of this guide within the last week. A client that knows another nonce of
    /// that number knows another guide.
    func version(of generation: Generation) throws -> GuideVersion?

    /// The changes since a generation or an instant, as far as the log reaches back.
    ///
    /// - Parameter station: The station whose changes are wanted; `nil` for all.
    /// - Returns: `nil` for a generation to which the guide has not come. Generations of two databases cannot be told apart.
    /// - Complexity: O(changes): every later generation's changes are read, and sorted by row and start.
    func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges?

    // MARK: - Stations

    /// The number of stations, which is the number of rows.
    func stationCount() throws -> Int

    func stations(inRows rows: Range<Int>) throws -> [StationRow]

    /// A page of the stations that match a filter, in the order of the rows.
    ///
    /// - Parameters:
    ///   - offset: The number of matches to skip; below 0 counts as 0.
    ///   - limit: The maximum number of stations; below 0 counts as 0.
    /// - Returns: The number of matches on all pages, and the stations of this one.
    func stations(_ filter: StationFilter, offset: Int, limit: Int) throws -> (total: Int, stations: [StationRow])

    func station(_ id: StationID) throws -> StationRow?

    /// The groups (`group-title`) of the channels of all lineups that show a station, with the number of their stations, in
    /// the order in which the lineups first name them.
    func stationGroups() throws -> [NameCount]

    // MARK: - Schedules

    /// The airings in some rows that overlap a window: the core query.
    ///
    /// - Complexity: One seek for each visible station and step for each visible airing, whatever the guide's size.
    func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule]

    /// The airings in a row that overlap a window, with the number of each programme instead of its texts.
    ///
    /// - Complexity: One seek and a step for each airing, whatever the guide's size.
    func outlines(inRow row: Int, during window: TimeWindow) throws -> [AiringOutline]

    /// What a grid shows of some programmes, in no particular order: one seek for each.
    func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief]

    /// The airings of one station that overlap a window.
    func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule

    /// For each station in some rows, what is on at an instant and what starts next.
    func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext]

    /// From the first start to the last stop of all sources; `nil` for an empty guide. O(stations).
    func guideSpan() throws -> TimeWindow?

    /// Whether anything is on at an instant: a seek for each station and source.
    func isAnythingOn(at instant: Instant) throws -> Bool

    // MARK: - Airings and searches

    /// An airing with everything that is known of it; also one that is not shown.
    func airing(_ id: AiringID) throws -> AiringDetail?

    /// Other airings of the same programme that stop after an instant, in order of start.
    func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch]

    /// The airings whose programme has all words.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    func search(_ query: SearchQuery) throws -> SearchResults

    /// Whether searches cover the whole guide: the search index is updated after an import, without a new generation, and an
    /// import that was killed after its commit leaves it behind.
    func isSearchIndexCurrent() throws -> Bool

    /// The first categories of all programmes with the number of programmes, the most frequent first, then by name; at most
    /// 500. O(programmes).
    func categories() throws -> [NameCount]

    // MARK: - Lineups

    /// The names of the lineups, in their order.
    func lineups() throws -> [String]

    /// A lineup as it was imported, and the station of each of its channels.
    func lineup(named name: String) throws -> (lineup: Lineup, matches: [ChannelMatch?])?

    /// The lineups with a channel that shows a station, by name, each with only those channels, in their order.
    ///
    /// - Complexity: One seek for each such channel, however many others the lineups have.
    func lineups(showing station: StationID) throws -> [Lineup]

    /// The stations that the user chose, by the key of the channel. The guide may not have such a station.
    func mappings() throws -> [String: StationID]

    // MARK: - Favorites

    /// The user's favorite stations, in the user's order. The guide may not have such a station.
    ///
    /// They don't belong to a generation: a reader learns of a change only by reading them again.
    func favorites() throws -> [StationID]

    // MARK: - Sources and imports

    /// The sources, by name.
    func sources() throws -> [SourceSummary]

    /// The sources, by name, without a count of their contents.
    func sourceRecords() throws -> [SourceRecord]

    /// The end of the last airing of a source: a seek for each of its stations.
    func end(ofSource name: String) throws -> Instant?

    /// Visits the diagnostics of an import, with titles, in their order, until `body` returns `false`. Imports in a row with
    /// the same diagnostics share them.
    func diagnostics(ofImport id: Int64, _ body: (Diagnostic) throws -> Bool) throws

    /// Whether any airing stopped at or before an instant: a seek for each station and source.
    func hasAirings(stoppedBy instant: Instant) throws -> Bool

    /// Whether a refresh or pruning has a time after an instant: if that is in the future, a clock was ahead.
    func wasKeptUp(after instant: Instant) throws -> Bool

    // MARK: - Export

    /// Shows a visitor the header, then the stations, then the airings of each station in the same order, then the end.
    ///
    /// - Complexity: Memory for the keys of all stations and for one airing; for the times of one station where several
    ///   sources know it.
    /// - Throws: ``UnknownSource``, errors of the visitor, and errors of the store.
    func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws
}

extension GuideReading {
    public func generation() throws -> Generation { try version().generation }

    /// All changes since a generation; `nil` where the reader has to read everything again.
    public func changes(since generation: Generation) throws -> GuideChanges? {
        // Avoids reading a week of changes if the log starts later.
        guard try version(of: Generation(generation.rawValue &+ 1)) != nil || generation == self.generation() else {
            return nil
        }
        return try changes(since: .generation(generation), of: nil).flatMap { $0.isComplete ? $0 : nil }
    }
}

/// A station and its row.
public struct StationRow: Hashable, Sendable {
    /// From 0.
    public var row: Int
    public var station: Station
    /// The number of the first channel that shows it, by the lineup's name and the place in it; ``Station/number`` is the
    /// feed's.
    public var channelNumber: ChannelNumber?

    public init(row: Int, station: Station, channelNumber: ChannelNumber? = nil) {
        self.row = row
        self.station = station
        self.channelNumber = channelNumber
    }
}

/// The part of a station's schedule that overlaps a window.
public struct RowSchedule: Hashable, Sendable {
    /// From 0.
    public var row: Int
    /// As ``Station/name``.
    public var stationName: String
    /// The airings that overlap the window, with their whole times.
    public var schedule: Schedule

    public init(row: Int, stationName: String, schedule: Schedule) {
        self.row = row
        self.stationName = stationName
        self.schedule = schedule
    }
}

/// What is on, and what comes next.
public struct NowAndNext: Hashable, Sendable {
    /// From 0.
    public var row: Int
    public var station: StationID
    /// As ``Station/name``.
    public var stationName: String
    /// Several airings where they share a window, none in a gap.
    public var now: [Airing]
    /// The first airing that starts later; `nil` at the end of the schedule.
    public var next: Airing?

    public init(row: Int, station: StationID, stationName: String, now: [Airing], next: Airing?) {
        self.row = row
        self.station = station
        self.stationName = stationName
        self.now = now
        self.next = next
    }
}

/// A choice of stations; all by default.
public struct StationFilter: Hashable, Sendable {
    /// Words separated by white space. Each occurs somewhere, even within a word, in a name, the identifier, or a number of the
    /// feed or of a lineup.
    ///
    /// Case, accents of Latin letters, and characters other than letters and digits don't matter. Without a word every
    /// station matches.
    public var text: String?
    /// The name of a group (`group-title`), byte for byte: the stations that its channels show.
    public var group: String?
    /// The name of a lineup: the stations that its channels show, or those of its channels in ``group``.
    public var lineup: String?

    public init(text: String? = nil, group: String? = nil, lineup: String? = nil) {
        self.text = text
        self.group = group
        self.lineup = lineup
    }
}

/// An airing without texts: small enough to keep millions in memory.
public struct AiringOutline: Hashable, Sendable {
    public let id: AiringID
    public let window: TimeWindow
    /// The programme's number, which means the same content for as long as the database lives.
    public let programme: Int64
    public let isStopInferred: Bool
    /// Whether it shares its window with others.
    public let isInClump: Bool

    public init(id: AiringID, window: TimeWindow, programme: Int64, isStopInferred: Bool, isInClump: Bool) {
        self.id = id
        self.window = window
        self.programme = programme
        self.isStopInferred = isStopInferred
        self.isInClump = isInClump
    }
}

/// What a grid shows of a programme: the first title, sub-title and category of the feed.
public struct ProgrammeBrief: Hashable, Sendable {
    /// As ``AiringOutline/programme``.
    public let number: Int64
    /// Empty where there is none.
    public let title: String
    public let subtitle: String?
    public let category: String?
    public let marks: AiringMarks

    public init(number: Int64, title: String, subtitle: String?, category: String?, marks: AiringMarks) {
        self.number = number
        self.title = title
        self.subtitle = subtitle
        self.category = category
        self.marks = marks
    }
}

/// A group of channels with the number of its stations, or a category with the number of its programmes.
public struct NameCount: Hashable, Sendable {
    public var name: String
    public var count: Int

    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}
