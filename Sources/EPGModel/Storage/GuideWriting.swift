/// Changes of a stored guide. Only one process writes at a time.
///
/// Generations and the identifiers of airings count from 1, and no identifier is ever given to another airing.
///
/// Every change of the guide is noted in the log behind ``GuideReading/changes(since:)`` in the same transaction, at the instant
/// `now`; entries that are a week older are dropped from the log. The states of sources and favorites are not part of the guide.
public protocol GuideWriting: GuideReading {
    /// Begins an import: one transaction that nobody sees before it is committed.
    ///
    /// - Parameters:
    ///   - source: The origin of the listings; a new source is created.
    ///   - now: The instant for the logs.
    ///   - matcher: Matches the channels of lineups again in the same transaction, where stations changed; `nil` leaves them.
    ///   - safeguard: When ``ImportSession/commit(_:state:)`` refuses the listings; `nil` for never.
    ///   - limits: How much the source may have in the store when the import ends.
    func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession

    /// Adds or changes a source. A change of the priority changes the guide where other airings are shown after it.
    func save(_ source: Source, now: Instant) throws

    /// Removes a source and its listings; `false` where there is none of that name.
    ///
    /// - Parameter matcher: Matches the channels of lineups again in the same transaction; `nil` leaves the channels of removed
    ///   stations without one.
    func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool

    /// Stores the result of a refresh; the guide and its generation stay.
    func saveState(_ state: SourceState, ofSource name: String) throws

    /// Forgets the last imported body of every source, so that the next refresh fetches it unconditionally, and all times after
    /// an instant, which a clock noted that was ahead.
    func forgetBodies(notedAfter instant: Instant) throws

    /// Removes the airings that stopped at or before an instant, and returns their number.
    ///
    /// Where that instant is in the future, it also forgets the last imported bodies, so that the next refresh restores the
    /// airings.
    /// - Throws: ``RefusedPruning`` where that is more than the limit; then nothing is removed.
    func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int

    /// Adds or replaces a lineup, matches its channels, and arranges the rows. An equal lineup writes nothing.
    func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome

    /// Removes a lineup and arranges the rows; `false` where there is none of that name. Mappings stay.
    func removeLineup(named name: String, now: Instant) throws -> Bool

    /// Stores or removes the user's choice for a channel, and matches the channels of all lineups again.
    ///
    /// - Parameters:
    ///   - key: The `tvg-id` of the channel, or its name.
    ///   - station: The guide need not have it yet; `nil` removes the choice.
    func setMapping(_ key: String, to station: StationID?, matcher: any ChannelMatching, now: Instant) throws

    /// Adds a favorite, moves it, or removes it.
    ///
    /// The generation stays: no schedule and no station depends on favorites, so cached responses stay valid. Imports, pruning,
    /// and the removal of sources and lineups keep favorites.
    /// - Parameters:
    ///   - station: The guide need not have it yet.
    ///   - place: Its index among the favorites afterwards, from 0. An index beyond the end counts as the end, one below 0 as
    ///     0; `nil` removes the favorite.
    /// - Complexity: O(favorites).
    func setFavorite(_ station: StationID, to place: Int?) throws

    /// Updates the search index if it is behind the guide.
    func refreshSearchIndex() throws
}

/// A running import: contents, then the schedules that refer to them, then the stations, then the end.
///
/// A session is used from one thread at a time. Dropping it without ``commit(_:state:)`` leaves the guide as it was.
public protocol ImportSession: AnyObject {
    /// The key for the content hashes of this store.
    var contentKey: ContentHash { get }

    /// Returns the stored contents, once.
    func takeContentIndex() throws -> StoredContents

    /// Adds contents and diagnostics. They are written while the caller reads on; a later call throws errors of an earlier
    /// batch.
    func append(_ batch: ContentBatch) throws

    /// Offers the listings of a station that may be complete, to be written while the caller reads on.
    ///
    /// Either ``settleSchedule(of:)`` follows, or ``replaceSchedule(of:with:)`` with other listings.
    func offerSchedule(of station: StationID, _ listings: NormalisedListings) throws

    /// Confirms that the offered listings of a station were complete.
    func settleSchedule(of station: StationID) throws

    /// Replaces the listings of a station within the coverage of the new ones.
    func replaceSchedule(of station: StationID, with listings: NormalisedListings) throws

    /// Releases programmes of this import that have no airing after all.
    func release(_ programmes: [Int64]) throws

    /// Sets the stations of the source, each with its place in it and its description; new ones are created.
    func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws

    /// Ends the import: all changes become visible at once.
    ///
    /// - Parameter state: The new state of the source; `nil` leaves it.
    /// - Throws: ``RefusedImport`` where the safeguard refuses it, and ``ExceededImportLimit`` where the source would have too
    ///   much in the store; cancel the session then.
    func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome

    /// Abandons the import: the guide stays as it was.
    func cancel()
}

/// Finds the stations of channels; a store need not know how.
public protocol ChannelMatching: Sendable {
    /// The station of each channel; `nil` where none matches or more than one does.
    ///
    /// - Parameter mappings: The user's choices, by the key of the channel: its `tvg-id`, or its name.
    func matches(of channels: [Channel], among stations: [Station], mappings: [String: StationID]) -> [ChannelMatch?]
}

/// The contents of a store at the beginning of an import.
public struct StoredContents: Sendable {
    package var programmes = ProgrammeIndex()
    /// The numbers of the attributes of transmissions.
    package var transmissions: [ContentHash: Int64] = [:]
    /// The number for the next new programme, larger than that of any former one.
    package var nextProgramme: Int64 = 1
    /// The number for the next new attributes.
    package var nextTransmission: Int64 = 1

    package init() {}
}

/// The result of storing a lineup.
public struct LineupOutcome: Hashable, Sendable {
    public var channels: Int
    /// The numbers of channels with a station, by the rule that found it.
    public var matched: [ChannelMatchRule: Int]
    /// Whether anything was written.
    public var changedGuide: Bool

    public init(matches: [ChannelMatch?], changedGuide: Bool) {
        channels = matches.count
        matched = [:]
        for case let match? in matches { matched[match.rule, default: 0] += 1 }
        self.changedGuide = changedGuide
    }

    public var unmatched: Int { channels - matched.values.reduce(0, +) }
}

/// How many old airings may be removed at once.
public enum PruningLimit: Hashable, Sendable {
    /// At most half of all airings, or none: a clock that is far ahead must not empty the guide.
    case half
    /// The half of all airings that stopped first; the next pruning removes the rest. For a trustworthy clock.
    case oldestHalf
    case none

    /// Why `count` of all `total` airings may not be removed; `nil` where they may.
    public func refusal(ofRemoving count: Int, of total: Int, before instant: Instant) -> RefusedPruning? {
        // Halving an odd total would round: 2 of 3 are more than half.
        self == .half && count > total - count ? RefusedPruning(count: count, total: total, before: instant) : nil
    }
}

/// The old airings are more than the ``PruningLimit``; none was removed.
public struct RefusedPruning: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of airings that stopped at or before the instant.
    public let count: Int
    /// The number of all airings of all sources.
    public let total: Int
    public let before: Instant

    public var description: String {
        "\(count) of \(total) airings stopped by \(before), more than half of the guide, so none was removed"
    }
}
