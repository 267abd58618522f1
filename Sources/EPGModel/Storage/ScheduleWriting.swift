/// Changes of a stored guide. Only one process writes at a time.
///
/// What changes the guide is noted in the log behind ``ScheduleReading/changes(since:)`` in the same transaction, at the
/// instant `now`; what is older than a week before it is dropped from the log.
package protocol ScheduleWriting: UpkeepReading {
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

extension ScheduleWriting {
    /// Removes a source and its listings, and leaves the lineups as they are.
    package func removeSource(named name: String, now: Instant) throws -> Bool {
        try removeSource(named: name, matcher: nil, now: now)
    }

    /// Begins an import that is refused nothing; without a matcher it leaves the lineups as they are.
    package func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)? = nil
    ) throws -> any ImportSession {
        try beginImport(of: source, now: now, matcher: matcher, safeguard: nil, limits: ImportLimits())
    }
}

/// An import on its way: contents, then the schedules that point to them, the stations, and the end.
///
/// A session is used from one thread at a time. Dropping it without ``commit(_:state:)`` leaves the guide as it was.
package protocol ImportSession: AnyObject {
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

/// The contents that a store holds at the beginning of an import.
package struct StoredContents: Sendable {
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
