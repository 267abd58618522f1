/// Changes of a stored guide. Only one process writes at a time.
///
/// Generations and the identifiers of airings count from 1, and no identifier is ever given to another airing.
///
/// What changes the guide is noted in the log behind ``GuideReading/changes(since:)`` in the same transaction, at the
/// instant `now`; what is older than a week before it is dropped from the log.
public protocol GuideWriting: GuideReading {
    /// Begins an import: one transaction that nobody sees before it is committed.
    ///
    /// - Parameters:
    ///   - source: Where the listings come from; a source of this name that is not known yet is made.
    ///   - now: The instant that the logs get.
    ///   - matcher: Finds the stations of the lineups' channels anew in the same transaction, where stations changed; `nil`
    ///     leaves them.
    ///   - safeguard: When ``ImportSession/commit(_:state:)`` refuses what was read; `nil` for never.
    ///   - limits: How much the source may have in the store when the import ends.
    func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession

    /// Adds a source, or changes how one is to be read. A change of the priority is one of the guide where something else is
    /// shown after it.
    func save(_ source: Source, now: Instant) throws

    /// Removes a source and its listings; `false` where there is none of that name.
    ///
    /// - Parameter matcher: Finds the stations of the lineups' channels anew in the same transaction; `nil` leaves those
    ///   that showed a station which is gone without one.
    func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool

    /// Notes what a refresh found; the guide and its generation stay.
    func saveState(_ state: SourceState, ofSource name: String) throws

    /// Forgets which guides were imported last, of all sources, so that the next refresh asks for them as if it never had; and
    /// all times that lie after an instant, which a clock noted that ran ahead.
    func forgetBodies(notedAfter instant: Instant) throws

    /// Removes the airings that stopped at or before an instant; returns how many.
    ///
    /// Where that instant is still to come, the guides that were imported last are forgotten, so that the next refresh
    /// brings back what they say.
    /// - Throws: ``RefusedPruning`` where that is more than the limit; then nothing is removed.
    func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int

    /// Stores a lineup in the place of the one of that name, finds its stations, and arranges the rows.
    ///
    /// A lineup that stands already as it is writes nothing.
    func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome

    /// Removes a lineup and arranges the rows; `false` where there is none of that name. Mappings stay.
    func removeLineup(named name: String, now: Instant) throws -> Bool

    /// Stores what the user says of a channel, or forgets it, and finds the stations of all lineups anew.
    ///
    /// - Parameters:
    ///   - key: What ``ChannelMatching/channelKey(_:)`` gives for the channel.
    ///   - station: It may be one that isn't there yet; `nil` forgets what was said.
    func setMapping(_ key: String, to station: StationID?, matcher: any ChannelMatching, now: Instant) throws

    /// Finds the stations of all lineups anew; writes nothing where nothing changes.
    func rematch(_ matcher: any ChannelMatching, now: Instant) throws

    /// Brings the search index up to date with the guide; does nothing where it is.
    func refreshSearchIndex() throws
}

extension GuideWriting {
    /// Removes a source and its listings, and leaves the lineups as they are.
    public func removeSource(named name: String, now: Instant) throws -> Bool {
        try removeSource(named: name, matcher: nil, now: now)
    }

    /// Begins an import that is refused nothing; without a matcher it leaves the lineups as they are.
    public func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)? = nil
    ) throws -> any ImportSession {
        try beginImport(of: source, now: now, matcher: matcher, safeguard: nil, limits: ImportLimits())
    }
}

/// An import on its way: contents, then the schedules that point to them, the stations, and the end.
///
/// A session is used from one thread at a time. Dropping it without ``commit(_:state:)`` leaves the guide as it was.
public protocol ImportSession: AnyObject {
    /// The key that content hashes of this store are made with.
    var contentKey: ContentHash { get }

    /// Takes the index of the contents that are stored: programmes and transmissions, by hash.
    func takeContentIndex() throws -> StoredContents

    /// Hands over contents and diagnostics. They are written while the caller reads on; an error of an earlier batch is
    /// thrown by a later call.
    func append(_ batch: ContentBatch) throws

    /// Shows the listings of a station that may be complete, so that they are written while the caller reads on.
    ///
    /// Either ``settleSchedule(of:)`` follows, or ``replaceSchedule(of:with:)`` with other listings.
    func offerSchedule(of station: StationID, _ listings: NormalisedListings) throws

    /// Says that what was offered of a station was complete.
    func settleSchedule(of station: StationID) throws

    /// Replaces what the source said of a station within the coverage of the new listings.
    func replaceSchedule(of station: StationID, with listings: NormalisedListings) throws

    /// Says that programmes that were handed over have no airing after all, as far as these listings go.
    func release(_ programmes: [Int64]) throws

    /// The stations of the source, each with its place in it. Those that the store doesn't know are made.
    func setStations(_ stations: [StationRow]) throws

    /// Ends the import: everything becomes visible at once, or nothing where nothing changed.
    ///
    /// - Parameter state: What to remember of the source; `nil` leaves it.
    /// - Throws: ``RefusedImport`` where the safeguard speaks against it, and ``ExceededImportLimit`` where the source would
    ///   have too much in the store; the session is to be cancelled then.
    func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome

    /// Gives the import up: the guide stays as it was.
    func cancel()
}

/// Finds the stations of channels; the import's matcher stands behind it, so that the store can ask without knowing how.
public protocol ChannelMatching: Sendable {
    /// The station of each channel, or `nil` where none matches or more than one does.
    ///
    /// - Parameter mappings: What the user said, by the key of the channel (see ``channelKey(_:)``).
    func matches(
        of channels: [Channel], among stations: [Station], mappings: [String: StationID]
    ) -> [ChannelMatch?]

    /// What a user's mapping calls a channel, so that it survives every import: its `tvg-id`, else its name.
    func channelKey(_ channel: Channel) -> String
}

/// The contents that a store holds at the beginning of an import.
public struct StoredContents: Sendable {
    /// The programmes, by content and by bytes.
    package var programmes: ProgrammeIndex
    /// The attributes of transmissions, by content.
    package var transmissions: ContentIndex
    /// The number that the next new programme gets; larger than that of any that ever stood.
    package var nextProgramme: Int64
    /// The number that the next new attributes get.
    package var nextTransmission: Int64

    package init(
        programmes: ProgrammeIndex, transmissions: ContentIndex, nextProgramme: Int64, nextTransmission: Int64
    ) {
        self.programmes = programmes
        self.transmissions = transmissions
        self.nextProgramme = nextProgramme
        self.nextTransmission = nextTransmission
    }
}

/// What storing a lineup did.
public struct LineupOutcome: Hashable, Sendable {
    /// The entries of the lineup.
    public var channels: Int
    /// How many of them show a station, by the rule that found it.
    public var matched: [ChannelMatchRule: Int]
    /// Whether anything was written.
    public var changedGuide: Bool

    /// Counts channels by the rules that found their stations.
    public init(matches: [ChannelMatch?], changedGuide: Bool) {
        channels = matches.count
        matched = [:]
        for case let match? in matches { matched[match.rule, default: 0] += 1 }
        self.changedGuide = changedGuide
    }

    /// How many show no station.
    public var unmatched: Int { channels - matched.values.reduce(0, +) }
}

/// How much may be removed at once because it is old.
public enum PruningLimit: Hashable, Sendable {
    /// At most half of all airings: what a clock that runs far ahead calls old stays.
    case half
    /// At most half of all airings, those that stopped first: the next time the rest goes. For a clock that can be trusted.
    case oldestHalf
    /// Whatever is old.
    case none

    /// Why some of all airings may not be removed; `nil` where they may.
    public func refusal(of aged: AgedAirings, before instant: Instant) -> RefusedPruning? {
        // An odd number is no reason to count halves: 2 of 3 are more than half.
        self == .half && aged.count > aged.total - aged.count ? RefusedPruning(aged: aged, before: instant) : nil
    }
}

/// How many airings stopped at or before an instant.
public struct AgedAirings: Hashable, Sendable {
    public var count: Int
    /// All airings of all sources.
    public var total: Int

    public init(count: Int, total: Int) {
        self.count = count
        self.total = total
    }
}

/// Airings that stopped long ago by the clock, and are too many to be removed unasked; nothing was.
public struct RefusedPruning: Error, Hashable, Sendable, CustomStringConvertible {
    public let aged: AgedAirings
    /// Airings that stopped at or before it would have gone.
    public let before: Instant

    public init(aged: AgedAirings, before: Instant) {
        self.aged = aged
        self.before = before
    }

    /// One sentence, with both numbers.
    public var description: String {
        "\(aged.count) of \(aged.total) airings stopped by \(before), more than half of the guide, so none was removed"
    }
}
