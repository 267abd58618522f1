import EPGModel

/// Which stations of the guide a response has, in the order of the guide: the parameters `lineup`, `group` and, unless the
/// response comes in pages only, `rows`.
struct StationSelection: Sendable {
    /// `nil` for all rows.
    private let rows: RowRanges?
    /// `nil` for all stations.
    private let filter: StationFilter?

    init(_ parameters: inout ParameterReader, hasRows: Bool = true) throws(Problem) {
        rows = hasRows ? try parameters.rows() : nil
        let (lineup, group) = (try parameters.text("lineup"), try parameters.text("group"))
        filter = lineup == nil && group == nil ? nil : StationFilter(group: group, lineup: lineup)
    }

    /// Whether the request names rows.
    var hasRows: Bool { rows != nil }

    /// The rows of a guide whose stations need not be read; `nil` for a lineup or a group.
    ///
    /// - Parameter count: The number of stations.
    func rows(ofStationCount count: Int) -> RowRanges? {
        filter == nil ? rows?.clamped(toCount: count) ?? RowRanges(upTo: count) : nil
    }

    /// The rows that belong to the lineup and the group, whether or not the request names them.
    ///
    /// - Throws: ``Problem`` with status 404 for a missing lineup; an error of the store.
    func listed(in guide: any GuideReading) throws -> RowRanges {
        let count = try guide.stationCount()
        guard let filter else { return RowRanges(upTo: count) }
        if let lineup = filter.lineup, try !guide.lineups().contains(lineup) {
            throw Problem.notFound("There is no lineup “\(lineup)”. /api/v1/lineups lists all of them.")
        }
        return RowRanges(ascending: try guide.stations(filter, offset: 0, limit: count).stations.map(\.row))
    }

    /// Those of the listed rows that the request names.
    func named(in listed: RowRanges) -> RowRanges { rows.map(listed.intersection) ?? listed }
}
