/// Questions to a stored guide that a service asks for people and programs who look through it.
package protocol GuideBrowsing: ScheduleReading, GuideExporting {
    /// The current generation, with its nonce and when it came.
    ///
    /// - Complexity: Two seeks, whatever the guide's size.
    func version() throws -> GuideVersion

    /// A generation with its nonce, if this guide came out of it within the last week; `nil` otherwise.
    ///
    /// A client that knows another nonce of that number knows another guide.
    func version(of generation: Generation) throws -> GuideVersion?

    /// From the first start to the last stop of all that any source speaks for; `nil` for an empty guide.
    ///
    /// - Complexity: O(stations).
    func guideSpan() throws -> TimeWindow?

    /// What is on in chosen rows during a window, in the order in which they are named; rows that aren't there are left
    /// out.
    ///
    /// - Complexity: That of ``ScheduleReading/schedules(inRows:during:)``; rows that follow on each other are read at once.
    func schedules(inRows rows: [Int], during window: TimeWindow) throws -> [RowSchedule]

    /// What is on in some rows during a window, in outline: ``ScheduleReading/schedules(inRows:during:)`` with the number of
    /// each programme in the place of what is said of it.
    ///
    /// - Complexity: One seek for each row and step for each airing, whatever the guide's size.
    func outlines(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowOutline]

    /// What a grid shows of some programmes, in no particular order; those that aren't there are left out.
    ///
    /// - Complexity: One seek for each.
    func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief]

    /// Some stations, in the order in which they are named; those that aren't there are left out.
    func stations(_ ids: [StationID]) throws -> [StationRow]

    /// A page of the stations that a filter lets through, in the order of the rows.
    ///
    /// - Parameters:
    ///   - offset: How many of them to pass over; below 0 counts as 0.
    ///   - limit: How many to give; below 0 counts as 0.
    func stations(_ filter: StationFilter, offset: Int, limit: Int) throws -> StationPage

    /// The rows of all stations that a filter lets through, ascending.
    func stationRows(_ filter: StationFilter) throws -> [Int]

    /// The groups of the channels of all lineups that show a station, in the order in which the lineups name them first.
    func stationGroups() throws -> [StationGroup]

    /// The first categories of programmes, the most frequent first, of equal ones by name; at most 500.
    ///
    /// - Complexity: O(programmes): all of them are read.
    func categories() throws -> [CategoryCount]

    /// The airings whose programme has all the words, ranked.
    ///
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    /// - Complexity: See ``RankedQuery``.
    func search(_ query: RankedQuery) throws -> RankedResults

    /// Other airings of the programme of an airing that stop after an instant, in order of start; none where there is no
    /// such airing.
    ///
    func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch]

    /// Whether the index for searches knows of all that is in the guide: it is brought up to date after an import, without a
    /// new generation. What ``search(_:)`` finds before is not all there is.
    func isSearchIndexCurrent() throws -> Bool

    /// The last import of each source that was ever imported, by the source's name.
    func importSummaries() throws -> [ImportSummary]
}
