/// Modifications of a stored guide. Only one process writes at a time.
///
/// Generations and identifiers of airings start at 1, and identifiers are never reused.
///
/// Every change of the guide is recorded with the instant `now` in the log for ``GuideReading/changes(since:)``, in the same
/// transaction. Entries that are more than a week older are removed from the log. The states of sources, favorites, watch rules,
/// reminders and profiles are not part of the guide.
public protocol GuideWriting: GuideReading {
    /// Begins an import: one transaction, whose changes become visible when it is committed.
    ///
    /// - Parameters:
    ///   - source: The origin of the listings; a new source is created.
    ///   - now: The instant for the logs.
    ///   - matcher: Matches the channels of lineups again in the same transaction if stations changed; `nil` to skip that.
    ///   - safeguard: The condition under which ``ImportSession/commit(_:state:)`` rejects the listings; `nil` for none.
    ///   - limits: The limits for the contents of the source after the import.
    func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession

    /// Adds or changes a source. A new priority changes the guide if it changes the shown airings.
    func save(_ source: Source, now: Instant) throws

    /// Removes a source with its listings, its lineup, and the guides that its playlist names; returns `false` if it does not exist.
    ///
    /// - Parameter matcher: Matches the channels of lineups again in the same transaction; `nil` leaves the channels of removed
    ///   stations unmatched.
    func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool

    /// Stores the result of a refresh without changing the guide and its generation.
    func saveState(_ state: SourceState, ofSource name: String) throws

    /// Discards the validators of every source, so that the next refresh fetches it unconditionally, and all times after an
    /// instant, which a fast clock has recorded.
    func discardValidators(recordedAfter instant: Instant) throws

    /// Removes the airings that stopped at or before an instant, and returns their number. Also removes the reminders of such
    /// airings; reminders of rules that count a repeat once, after ``Reminder/episodeRetention``.
    ///
    /// If that instant is in the future, also discards the validators of sources, so that the next refresh restores the
    /// airings.
    /// - Throws: ``RefusedPruning`` if that exceeds the limit, which counts only airings of feeds; then nothing is removed.
    func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int

    /// Removes the airings that stopped longer ago than the retention, as ``prune(before:now:limit:)`` does, but keeps airings that
    /// can be watched: airings of stations whose channels have catch-up stay for its days and one more, so that they are complete for
    /// channels that transmit later.
    ///
    /// - Parameter retention: Seconds to keep airings after their stop.
    /// - Throws: ``RefusedPruning``.
    func removeOldAirings(retention: Int64, now: Instant, limit: PruningLimit) throws -> Int

    /// Adds a playlist as a lineup, or replaces the lineup with its name and keeps the changes of the user to its channels, in one
    /// transaction; see ``LineupUpdate``. Writes nothing of the guide if the playlist is unchanged.
    ///
    /// Mappings follow channels whose key changed, unless a mapping of the new key exists.
    ///
    /// - Parameter refresh: The source of the playlist, with its new state; `nil` for a playlist that the user imports. The next refresh
    ///   of the lineup's source then fetches its playlist again.
    /// - Throws: ``RefusedImport`` if the playlist has fewer channels than the refresh requires.
    func replaceLineup(
        _ lineup: Lineup, from refresh: LineupRefresh?, matcher: any ChannelMatching, now: Instant
    ) throws -> LineupOutcome

    /// Stores the user's changes to a lineup, or a new lineup, matches its channels, and sorts the rows. Writes nothing if the lineup
    /// is unchanged. Without any change of the user, forgets the changes to channels that the playlist no longer contains.
    func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome

    /// Removes a lineup and sorts the rows; returns `false` if it does not exist. Mappings stay.
    func removeLineup(named name: String, now: Instant) throws -> Bool

    /// Stores or removes the user's choices of stations for channels, and matches the channels of all lineups again.
    ///
    /// - Parameter mappings: The stations by the `tvg-id` of the channel, or its name. A station may be missing in the guide;
    ///   `nil` removes the choice.
    func setMappings(_ mappings: [String: StationID?], matcher: any ChannelMatching, now: Instant) throws

    /// Sets the shift of an existing mapping, and matches the channels of all lineups again.
    ///
    /// - Parameters:
    ///   - key: The key of the channel.
    ///   - shift: The seconds by which the channel transmits later than the station; `nil` for the channel's `tvg-shift`.
    func setShift(ofMapping key: String, to shift: Int?, matcher: any ChannelMatching, now: Instant) throws

    /// Removes the listings that a source has of some stations, and those stations that have no other source.
    ///
    /// - Parameter matcher: Matches the channels of lineups again in the same transaction.
    /// - Returns: `false` if the source neither describes nor covers any of the stations. Then nothing is written.
    func removeStations(
        _ stations: [StationID], ofSource name: String, matcher: any ChannelMatching, now: Instant
    ) throws -> Bool

    /// Removes the airings of a source that stop before a window or start after it, and returns their number.
    func removeAirings(ofSource name: String, outside window: TimeWindow, now: Instant) throws -> Int

    /// Adds a favorite, moves it, or removes it.
    ///
    /// The generation stays the same, because schedules and stations do not depend on favorites. Imports, pruning, and the
    /// removal of sources and lineups keep favorites.
    /// - Parameters:
    ///   - station: The station, which may be missing in the guide.
    ///   - place: The 0-based index among the favorites, clamped to the valid range; `nil` to remove the favorite.
    /// - Complexity: O(favorites).
    func setFavorite(_ station: StationID, to place: Int?) throws

    /// Adds a watch rule, or replaces the rule with its identifier, which may have another name, or else the rule with its name. The
    /// identifier and the time of creation of a replaced rule stay.
    ///
    /// The generation stays the same. Imports, pruning, and the removal of sources keep rules.
    /// - Throws: ``WatchRuleError/tooMany``; ``WatchRuleError/nameInUse(_:)`` if a rule gets the name of another rule.
    func saveWatchRule(_ rule: WatchRule) throws

    /// Removes a watch rule and its reminders; returns `false` if it does not exist.
    func removeWatchRule(named name: String) throws -> Bool

    /// Records reminders before they are sent, and returns those that are still to be sent, as they are stored.
    ///
    /// A reminder that is already stored keeps its values, and its state becomes ``Reminder/State/sending`` again; one of another
    /// airing is replaced. Omits reminders that were sent, and reminders of rules that no longer exist.
    func claimReminders(_ reminders: [Reminder]) throws -> [Reminder]

    /// Stores the states of recorded reminders. Ignores those that no longer exist.
    func saveReminders(_ reminders: [Reminder]) throws

    /// Adds a profile with version 0, or replaces the stored one with its version, and returns it with the next version.
    ///
    /// The generation stays the same. Imports, pruning, and the removal of sources keep profiles.
    /// - Throws: ``ProfileError/stale`` if the stored profile has another version or does not exist, and
    ///   ``ProfileError/tooMany``.
    func saveProfile(_ profile: Profile) throws -> Profile

    /// Removes a profile and keeps its watch rules; returns `false` if it does not exist.
    func removeProfile(named name: String) throws -> Bool

    /// Stores the values of a setting; `nil` removes it.
    ///
    /// The generation stays the same. Imports, pruning, and the removal of sources keep settings.
    /// - Precondition: There is at least one value, and none contains a line feed.
    func saveSetting(_ key: String, to values: [String]?) throws

    /// Updates the search index if it is outdated.
    func refreshSearchIndex() throws
}

extension GuideWriting {
    /// Stores or removes the user's choice of a station for one channel; see ``setMappings(_:matcher:now:)``.
    package func setMapping(
        _ key: String, to station: StationID?, matcher: any ChannelMatching, now: Instant
    ) throws {
        try setMappings([key: station], matcher: matcher, now: now)
    }
}

/// A running import, which adds contents, then schedules that reference them, then stations, and ends.
///
/// Use a session from one thread at a time. Releasing it without ``commit(_:state:)`` leaves the guide unchanged.
public protocol ImportSession: AnyObject {
    /// The key for the content hashes of this store.
    var contentKey: ContentHash { get }

    /// Returns the stored contents, once.
    func loadContentIndex() throws -> StoredContents

    /// Adds contents and diagnostics. A background thread writes them; a later call throws the errors of an earlier batch.
    func append(_ batch: ContentBatch) throws

    /// Replaces the listings of a station within the coverage of the new ones, once in an import.
    func replaceSchedule(of station: StationID, with listings: NormalizedListings) throws

    /// Releases programmes of this import that have no airing.
    func release(_ programmes: [Int64]) throws

    /// Sets the stations of the source with their positions and descriptions. Creates new stations.
    func setStations(_ stations: [(place: Int, id: StationID, nodes: [ContentNode])]) throws

    /// Ends the import: all changes become visible at once.
    ///
    /// - Parameter state: The new state of the source; `nil` to keep the current one.
    /// - Throws: ``RefusedImport`` if the safeguard rejects the import, and ``ExceededImportLimit`` if the source would exceed
    ///   its limits; cancel the session then.
    func commit(_ report: ImportReport, state: SourceState?) throws -> ImportOutcome

    /// Abandons the import and leaves the guide unchanged.
    func cancel()
}

/// An algorithm that finds the stations of channels.
public protocol ChannelMatching: Sendable {
    /// Returns the station of each channel; `nil` if none or more than one matches.
    ///
    /// - Parameter mappings: The user's choices, by the key of the channel: its `tvg-id`, or its name.
    func matches(of channels: [Channel], among stations: [Station], mappings: [String: StationID]) -> [ChannelMatch?]
}

/// The contents of a store at the start of an import.
public struct StoredContents: Sendable {
    package var programmes = ProgrammeIndex()
    /// The numbers of the attributes of transmissions.
    package var transmissions: [ContentHash: Int64] = [:]
    /// The number for the next new programme, larger than all former ones.
    package var nextProgramme: Int64 = 1
    /// The number for the next new attributes.
    package var nextTransmission: Int64 = 1

    package init() {}
}

/// The refresh of a source that is a playlist.
public struct LineupRefresh: Sendable {
    /// The source, which the store knows.
    public let source: String
    /// Minimum share of the stored channels in percent that the new playlist must have; `nil` for no minimum.
    public let minimumShare: Int?
    /// The findings in the playlist.
    public let diagnostics: [Diagnostic]
    /// The new state of the source.
    public let state: SourceState

    /// Creates the refresh of a source.
    public init(source: String, minimumShare: Int?, diagnostics: [Diagnostic] = [], state: SourceState) {
        self.source = source
        self.minimumShare = minimumShare
        self.diagnostics = diagnostics
        self.state = state
    }
}

/// The result of storing a lineup.
public struct LineupOutcome: Hashable, Sendable {
    public var channels: Int
    /// The added, removed and renamed channels; empty for a new lineup.
    public var changes: [ChannelChange] = []
    /// The numbers of channels with a station, by the rule that found it.
    public var matched: [ChannelMatchRule: Int]
    /// Whether anything was written.
    public var changedGuide: Bool

    /// Creates the outcome from the matches of all channels.
    ///
    /// - Parameters:
    ///   - matches: One element for each channel; `nil` for a channel without a station.
    ///   - changedGuide: Whether anything was written.
    public init(matches: [ChannelMatch?], changedGuide: Bool) {
        channels = matches.count
        matched = [:]
        for case let match? in matches { matched[match.rule, default: 0] += 1 }
        self.changedGuide = changedGuide
    }

    /// The number of channels without a station.
    public var unmatched: Int { channels - matched.values.reduce(0, +) }
}

/// The limit of a pruning.
public enum PruningLimit: Hashable, Sendable {
    /// Rejects the removal of more than half of all airings, so that a fast clock cannot empty the guide.
    case half
    /// Removes at most the oldest half of all airings; the next pruning removes the rest. For a trustworthy clock.
    case oldestHalf
    case none

    /// Returns the error for removing `count` of `total` airings; `nil` if it is allowed.
    public func refusal(ofRemoving count: Int, of total: Int, before instant: Instant) -> RefusedPruning? {
        // Avoid rounding half of an odd total: 2 of 3 are more than half.
        self == .half && count > total - count ? RefusedPruning(count: count, total: total, before: instant) : nil
    }
}

/// The number of old airings exceeds the ``PruningLimit``; no airing was removed.
public struct RefusedPruning: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of airings that stopped at or before the instant.
    public let count: Int
    /// The number of all airings of feeds.
    public let total: Int
    public let before: Instant

    public var description: String {
        "\(count) of \(total) airings ended by \(before), which is more than half of the guide; no airing was removed"
    }
}

/// Limits on the size of a guide, to protect memory, disk and time. The defaults are several times the size of the largest
/// known guides. ``ExceededImportLimit`` rejects a larger guide entirely.
public struct ImportLimits: Hashable, Sendable {
    /// Maximum number of imported programmes of a guide, and of airings of a source in the store.
    ///
    /// Programmes outside the selected stations and days do not count.
    public var programmes = 3_000_000
    /// Maximum number of programmes of a station in a guide. Sorting includes up to 2 KB per programme.
    public var programmesPerStation = 50_000
    /// Maximum number of stations of a guide, and of a source in the store.
    public var stations = 100_000
    /// Maximum number of bytes for listings, descriptions of stations, and the index of new contents during an import. Buffers,
    /// SQLite's cache and the index of the stored contents are not included.
    public var memory = 256 << 20

    /// Creates the default limits.
    public init() {}

    /// Maximum number of diagnostics of a guide: twice the programmes.
    public var findings: Int { programmes.multipliedReportingOverflow(by: 2).overflow ? .max : programmes * 2 }
}

/// A guide that exceeds one of the ``ImportLimits``.
public struct ExceededImportLimit: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of limits: the limits of ``ImportLimits`` for one import, and for all contents of a source.
    public enum Limit: Hashable, Sendable {
        case programmes
        case programmesPerStation(StationID)
        case stations
        case memory
        case findings
        case storedAirings
        case storedStations
    }

    /// The limit that was exceeded.
    public let limit: Limit
    /// The maximum, in bytes for ``Limit/memory`` and otherwise a number.
    public let value: Int

    /// Creates an error for a limit that was exceeded.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - value: Its maximum, in bytes for ``Limit/memory`` and otherwise a number.
    public init(_ limit: Limit, value: Int) {
        self.limit = limit
        self.value = value
    }

    public var description: String {
        switch limit {
        case .programmes: "the guide has more than \(value) programmes"
        case .programmesPerStation(let station):
            "the guide has more than \(value) programmes of the station “\(String(station.rawValue.prefix(64)))”"
        case .stations: "the guide has more than \(value) stations"
        case .memory: "the import needs more than \(value >> 20) MiB of memory"
        case .findings: "the guide has more than \(value) problems"
        case .storedAirings: "the source would have more than \(value) airings"
        case .storedStations: "the source would have more than \(value) stations"
        }
    }

    /// The key of the limit among the settings of imports.
    public var key: String {
        switch limit {
        case .programmes, .findings, .storedAirings: "programmes"
        case .programmesPerStation: "programmes-per-station"
        case .stations, .storedStations: "stations"
        case .memory: "memory"
        }
    }
}

/// The minimum content of an unattended import.
///
/// ``RefusedImport`` rejects new listings without airings, or with fewer stations or airings than a share of the stored ones
/// of the same source *in the same range*. The guide then stays unchanged.
///
/// The range is the future coverage of the new listings: for their stations, from the start of the first airing to the stop of
/// the last (``NormalizedListings/coverage``); for other stations, from the first start to the last stop of all. The comparison
/// counts airings in the range that stop after now, and stations with such an airing. Stored airings outside the range stay.
public struct ImportSafeguard: Sendable {
    /// The default of ``minimumShare``: 50%.
    public static let standardShare = 50

    /// The minimum percentage of the stored stations and airings, from 0 to 100; 0 disables the comparison.
    public let minimumShare: Int
    /// Returns whether to compare a station. Stations that the user no longer selects do not count as missing.
    public let includes: @Sendable (StationID) -> Bool

    /// - Parameter minimumShare: Clamped to 0…100.
    public init(minimumShare: Int, includes: @escaping @Sendable (StationID) -> Bool = { _ in true }) {
        self.minimumShare = min(max(minimumShare, 0), 100)
        self.includes = includes
    }

    /// Returns the error for replacing the stored listings with the new ones; `nil` if it is allowed.
    public func refusal(
        found: (stations: Int, airings: Int), stored: (stations: Int, airings: Int)
    ) -> RefusedImport? {
        if found.stations * 100 < stored.stations * minimumShare {
            .fewStations(found: found.stations, stored: stored.stations, share: minimumShare)
        } else if found.airings * 100 < stored.airings * minimumShare {
            .fewAirings(found: found.airings, stored: stored.airings, share: minimumShare)
        } else {
            nil
        }
    }
}

/// An import that the ``ImportSafeguard`` rejected.
public enum RefusedImport: Error, Hashable, Sendable, CustomStringConvertible {
    /// No programme became an airing.
    case empty(programmesRead: Int)
    /// The numbers of stations with an airing in the same range, and the minimum percentage.
    case fewStations(found: Int, stored: Int, share: Int)
    case fewAirings(found: Int, stored: Int, share: Int)
    /// The numbers of channels of the new playlist and of the stored one, and the minimum percentage.
    case fewChannels(found: Int, stored: Int, share: Int)

    public var description: String {
        switch self {
        case .empty(0): "the guide contains no programmes"
        case .empty(let programmes):
            "none of the \(programmes) programmes in the guide can be imported: they are in the past, on stations that are not "
                + "selected, or without a valid time"
        case .fewStations(let found, let stored, let share):
            "the new guide has \(found) station\(found == 1 ? "" : "s"); the stored guide has \(stored) for the same time "
                + "(minimum: \(share)%)"
        case .fewAirings(let found, let stored, let share):
            "the new guide has \(found) airing\(found == 1 ? "" : "s"); the stored guide has \(stored) for the same time "
                + "(minimum: \(share)%)"
        case .fewChannels(let found, let stored, let share):
            "the new playlist has \(found) channel\(found == 1 ? "" : "s"); the stored one has \(stored) (minimum: \(share)%)"
        }
    }
}
