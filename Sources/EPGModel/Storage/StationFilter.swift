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
