/// Questions to a stored guide. Every answer comes from one read transaction, so it belongs to one generation.
///
/// Stations stand in rows, from 0, in the order of the guide: first those of the lineups, by the lineup's name and in it by
/// the channel's number, else by its place; then the others by the feed's number, else by their order in the source.
///
/// Where several sources know a station, its schedule is made of all of them by the rule of ``Source/priority``.
public protocol GuideReading: Sendable {
    // MARK: - Versions and changes

    /// The generation of the guide.
    func generation() throws -> Generation

    /// The current generation, with its nonce and when it came.
    ///
    /// - Complexity: Two seeks, whatever the guide's size.
    func version() throws -> GuideVersion

    /// A generation with its nonce, if this guide came out of it within the last week; `nil` otherwise.
    ///
    /// A client that knows another nonce of that number knows another guide.
    func version(of generation: Generation) throws -> GuideVersion?

    /// What changed since a generation, as one step from it to the current one; `nil` where the reader has to read everything
    /// again: the log, which reaches back a week, does not reach that far, or the guide has not come to that generation.
    ///
    /// Airings that were pruned because they stopped long ago are not told: a reader forgets by itself what is over, and an
    /// airing that is told as inserted may be gone already. Generations of two databases cannot be told apart.
    /// - Complexity: O(what changed): every later generation's changes are read, and sorted by row and start.
    func changes(since generation: Generation) throws -> GuideChanges?

    /// What happened since a generation or an instant, as far as the log reaches, with names and titles.
    ///
    /// Where the log does not reach that far, what it has is told, as incomplete.
    /// - Parameter station: The station whose changes are told; `nil` for all.
    /// - Returns: `nil` for a generation to which the guide has not come.
    func review(since start: ChangeReview.Start, of station: StationID?) throws -> ChangeReview?

    // MARK: - Stations

    /// The number of stations, which is the number of rows.
    func stationCount() throws -> Int

    /// The stations in some rows; rows beyond the last are left out.
    func stations(inRows rows: Range<Int>) throws -> [StationRow]

    /// Some stations, in the order in which they are named; those that are not there are left out.
    func stations(_ ids: [StationID]) throws -> [StationRow]

    /// A page of the stations that a filter lets through, in the order of the rows.
    ///
    /// - Parameters:
    ///   - offset: How many of them to pass over; below 0 counts as 0.
    ///   - limit: How many to give; below 0 counts as 0.
    func stations(_ filter: StationFilter, offset: Int, limit: Int) throws -> StationPage

    /// The rows of all stations that a filter lets through, ascending.
    func stationRows(_ filter: StationFilter) throws -> [Int]

    /// The station of that identifier, or `nil`.
    func station(_ id: StationID) throws -> StationRow?

    /// The groups of the channels of all lineups that show a station, in the order in which the lineups name them first.
    func stationGroups() throws -> [StationGroup]

    /// Identifiers of stations whose identifier or name looks most like a text, the nearest first.
    func stationSuggestions(for text: String, limit: Int) throws -> [StationID]

    // MARK: - Schedules

    /// What is on in some rows during a window: the core question.
    ///
    /// An airing belongs to the answer when it overlaps the window, so also when it began before.
    /// - Complexity: One seek for each visible station and step for each visible airing, whatever the guide's size.
    func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule]

    /// What is on in chosen rows during a window, in the order in which they are named; rows that are not there are left out.
    ///
    /// - Complexity: That of ``schedules(inRows:during:)-(Range<Int>,_)``; rows that follow on each other are read at once.
    func schedules(inRows rows: [Int], during window: TimeWindow) throws -> [RowSchedule]

    /// What is on in some rows during a window, in outline: with the number of each programme in the place of what is said of
    /// it.
    ///
    /// - Complexity: One seek for each row and step for each airing, whatever the guide's size.
    func outlines(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowOutline]

    /// What a grid shows of some programmes, in no particular order; those that are not there are left out.
    ///
    /// - Complexity: One seek for each.
    func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief]

    /// The airings of one station that overlap a window.
    func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule

    /// For each station in some rows, what is on at an instant and what starts next after it.
    func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext]

    /// From the first start to the last stop of all that any source speaks for; `nil` for an empty guide.
    ///
    /// - Complexity: O(stations).
    func guideSpan() throws -> TimeWindow?

    /// Whether anything is on at an instant.
    ///
    /// - Complexity: A seek for each station and source.
    func isAnythingOn(at instant: Instant) throws -> Bool

    // MARK: - Airings and searches

    /// An airing with everything that is known of it, or `nil`; also one that is not shown.
    func airing(_ id: AiringID) throws -> AiringDetail?

    /// Other airings of the programme of an airing that stop after an instant, in order of start; none where there is no such
    /// airing.
    func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch]

    /// The airings whose programme has all the words, those that are yet to come (or still on) first.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    func search(_ query: SearchQuery) throws -> [SearchMatch]

    /// The airings whose programme has all the words, ranked.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    /// - Complexity: See ``RankedQuery``.
    func search(_ query: RankedQuery) throws -> RankedResults

    /// Whether searches know of all that is in the guide: the index for them is brought up to date after an import, without a
    /// new generation, and an import that was killed behind its commit leaves it behind.
    func isSearchIndexCurrent() throws -> Bool

    /// The first categories of programmes, the most frequent first, of equal ones by name; at most 500.
    ///
    /// - Complexity: O(programmes): all of them are read.
    func categories() throws -> [CategoryCount]

    // MARK: - Lineups

    /// The names of the lineups, in their order.
    func lineups() throws -> [String]

    /// A lineup as it was imported, or `nil`.
    func lineup(named name: String) throws -> Lineup?

    /// The station of each channel of a lineup, in the order of the channels; nothing where there is no such lineup.
    func channelMatches(ofLineup name: String) throws -> [ChannelMatch?]

    /// What the user said of channels, by the key of the channel; the station may be one that is not there.
    func mappings() throws -> [String: StationID]

    // MARK: - Sources and imports

    /// The sources, by name.
    func sources() throws -> [SourceSummary]

    /// The sources, by name, without a count of what they hold.
    func sourceRecords() throws -> [SourceRecord]

    /// When the last airing of a source ends; `nil` where it has none.
    ///
    /// - Complexity: A seek for each of its stations.
    func end(ofSource name: String) throws -> Instant?

    /// The last import of each source that was ever imported, by the source's name.
    func importSummaries() throws -> [ImportSummary]

    /// Goes through what an import found, in the order in which it found it, until `body` returns `false`.
    ///
    /// An import that found the same as the one before has no findings of its own; it is answered with those.
    func diagnostics(ofImport id: Int64, _ body: (LoggedDiagnostic) throws -> Bool) throws

    /// Whether any airing stopped at or before an instant.
    ///
    /// - Complexity: A seek for each station and source.
    func hasAirings(stoppedBy instant: Instant) throws -> Bool

    /// Whether a source was asked, or airings were removed for their age, at a time after an instant: by a clock that ran
    /// ahead, where that instant is still to come.
    func wasKeptUp(after instant: Instant) throws -> Bool

    // MARK: - Export

    /// Shows a visitor the header, then the stations, then the airings of each station in the same order, then the end.
    ///
    /// - Complexity: Memory for the keys of all stations and for one airing; for the times of one station where several
    ///   sources know it.
    /// - Throws: ``UnknownSource``, what the visitor throws, as it is, and the errors of the store.
    func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws
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

/// Which stations are asked for; the filter of all stations has nothing in it.
public struct StationFilter: Hashable, Sendable {
    /// Words, parted by white space, each of which stands somewhere in one of the names, in the identifier, or in a number
    /// of the station, be it in the middle of a word; the feed's number and those of lineups count.
    ///
    /// Case doesn't matter, nor do accents of Latin letters, nor, beside letters and digits, other signs. Without any word (`nil`, blanks) every station fits.
    public var text: String?
    /// The name of a group (`group-title`): the stations that its channels show. Byte for byte.
    public var group: String?
    /// The name of a lineup: the stations that its channels show; together with ``group``, those of its channels in the
    /// group.
    public var lineup: String?

    public init(text: String? = nil, group: String? = nil, lineup: String? = nil) {
        self.text = text
        self.group = group
        self.lineup = lineup
    }
}

/// A page of a list of stations.
public struct StationPage: Hashable, Sendable {
    /// How many stations fit, on all pages.
    public var total: Int
    /// In the order of the rows.
    public var stations: [StationRow]

    public init(total: Int, stations: [StationRow]) {
        self.total = total
        self.stations = stations
    }
}

/// A group of channels (`group-title`), over all lineups.
public struct StationGroup: Hashable, Sendable {
    public var name: String
    /// How many stations its channels show; at least 1.
    public var count: Int

    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// An airing with the number of its programme in the place of what is said of it: what is small enough to be kept by the
/// million.
public struct AiringOutline: Hashable, Sendable {
    public let id: AiringID
    /// As ``Airing/window``.
    public let window: TimeWindow
    /// The programme's number in the store: it means the same content for as long as the database lives.
    public let programme: Int64
    /// As ``Airing/isStopInferred``.
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

/// The part of a row's schedule that overlaps a window, in outline.
public struct RowOutline: Hashable, Sendable {
    /// From 0.
    public let row: Int
    /// In order of start; those of a clump share a window.
    public let airings: [AiringOutline]

    public init(row: Int, airings: [AiringOutline]) {
        self.row = row
        self.airings = airings
    }
}

/// What a grid shows of a programme.
public struct ProgrammeBrief: Hashable, Sendable {
    /// Its number in the store.
    public let number: Int64
    /// The first title of the feed; empty where there is none.
    public let title: String
    /// The first sub-title of the feed, or `nil`.
    public let subtitle: String?
    /// The first category of the feed, or `nil`.
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

/// A category, and how many programmes name it first.
public struct CategoryCount: Hashable, Sendable {
    public var name: String
    /// Programmes, each once, however often it is aired.
    public var count: Int

    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// A diagnostic of the log of imports, with the titles of the listings that it names.
public struct LoggedDiagnostic: Hashable, Sendable {
    public var diagnostic: Diagnostic
    /// The title of the listing, where it has one.
    public var title: String?
    /// The title of the other listing.
    public var otherTitle: String?

    public init(diagnostic: Diagnostic, title: String?, otherTitle: String?) {
        self.diagnostic = diagnostic
        self.title = title
        self.otherTitle = otherTitle
    }
}
