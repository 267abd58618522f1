/// Questions to a stored guide. Every answer comes from one read transaction, so it belongs to one generation.
///
/// Stations stand in rows, from 0, in the order of the guide: first those of the lineups, by the lineup's name and in it by
/// the channel's number, else by its place; then the others by the feed's number, else by their order in the source.
///
/// Where several sources know a station, its schedule is made of all of them by the rule of ``Source/priority``.
public protocol ScheduleReading: Sendable {
    /// The generation of the guide.
    func generation() throws -> Generation

    /// What changed since a generation, as one step from it to the one that stands; `nil` where that can't be told, so
    /// that all has to be read anew: the log, which reaches back a week, doesn't reach that far, or the guide hasn't come
    /// to that generation.
    ///
    /// Airings that were pruned because they stopped long ago aren't told: a reader forgets what is over by itself, and an
    /// airing that is told as inserted may be gone already. Generations of two databases can't be told apart.
    /// - Complexity: O(what changed): every later generation's changes are read, and sorted by row and start.
    func changes(since generation: Generation) throws -> GuideChanges?

    /// The number of stations, which is the number of rows.
    func stationCount() throws -> Int

    /// The stations in some rows; rows beyond the last are left out.
    func stations(inRows rows: Range<Int>) throws -> [StationRow]

    /// The station of that identifier, or `nil`.
    func station(_ id: StationID) throws -> StationRow?

    /// What is on in some rows during a window: the core question.
    ///
    /// An airing belongs to the answer when it overlaps the window, so also when it began before.
    /// - Complexity: One seek for each visible station and step for each visible airing, whatever the guide's size.
    func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule]

    /// The airings of one station that overlap a window.
    func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule

    /// For each station in some rows, what is on at an instant and what starts next after it.
    func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext]

    /// The airings whose programme has all the words, those that are yet to come (or still on) first.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    func search(_ query: SearchQuery) throws -> [SearchMatch]

    /// An airing with everything that is known of it, or `nil`; also one that isn't shown.
    func airing(_ id: AiringID) throws -> AiringDetail?

    /// The sources, by name.
    func sources() throws -> [SourceSummary]

    /// Identifiers of stations whose identifier or name looks most like a text, the nearest first.
    func stationSuggestions(for text: String, limit: Int) throws -> [StationID]

    /// The names of the lineups, in their order.
    func lineups() throws -> [String]

    /// A lineup as it was imported, or `nil`.
    func lineup(named name: String) throws -> Lineup?

    /// The station of each channel of a lineup, in the order of the channels; nothing where there is no such lineup.
    func channelMatches(ofLineup name: String) throws -> [ChannelMatch?]

    /// What the user said of channels, by the key of the channel; the station may be one that isn't there.
    func mappings() throws -> [String: StationID]
}

/// A station and its row.
public struct StationRow: Hashable, Sendable {
    /// From 0.
    public var row: Int
    /// As its feed describes it.
    public var station: Station
    /// The number that a lineup gives it: that of the first channel that shows it, by the lineup's name and the place in
    /// it. Where that has none, or no lineup lists the station, `nil`; ``Station/number`` is the feed's.
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
    /// What overlaps the window, with whole times.
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
    /// Whose schedule it is.
    public var station: StationID
    /// As ``Station/name``.
    public var stationName: String
    /// What is on; more than one where they share a window, none in a gap.
    public var now: [Airing]
    /// The first airing that starts later, or `nil` at the end of the schedule.
    public var next: Airing?

    public init(row: Int, station: StationID, stationName: String, now: [Airing], next: Airing?) {
        self.row = row
        self.station = station
        self.stationName = stationName
        self.now = now
        self.next = next
    }
}

/// A search for words.
public struct SearchQuery: Hashable, Sendable {
    /// Words that must all occur in title, sub-title or description; see ``SearchExpression``.
    /// Case and, in Latin letters, accents don't matter.
    public var words: String
    /// Airings that stop after it come first, in order of start; the others follow, the latest first.
    public var now: Instant
    /// At least 1.
    public var limit: Int

    public init(words: String, now: Instant, limit: Int = 50) {
        self.words = words
        self.now = now
        self.limit = limit
    }
}

/// An airing that a search found.
public struct SearchMatch: Hashable, Sendable {
    /// What a grid shows of it.
    public var airing: Airing
    /// As ``Station/name``.
    public var stationName: String

    public init(airing: Airing, stationName: String) {
        self.airing = airing
        self.stationName = stationName
    }
}
