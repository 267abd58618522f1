package import EPGModel

/// What the page of stations shows: a part of those that match a filter.
package struct StationsPage: Sendable {
    /// What a name, an identifier or a number has to hold; empty for all.
    let text: String
    /// The group that is chosen; `nil` for all.
    let group: String?
    let groups: [NameCount]
    /// The place of the first station among those that match, from 0.
    let offset: Int
    /// How many match.
    let total: Int
    let stations: [StationRow]

    /// How many stations a page has.
    static let limit = 120

    /// Reads the page from a guide.
    package init(of guide: any GuideReading, text: String?, group: String?, offset: Int) throws {
        let filter = StationFilter(text: text, group: group)
        let found = try guide.stations(filter, offset: offset, limit: StationsPage.limit)
        self.init(
            text: text ?? "", group: group, groups: try guide.stationGroups(), offset: offset, total: found.total,
            stations: found.stations)
    }

    init(text: String, group: String?, groups: [NameCount], offset: Int, total: Int, stations: [StationRow]) {
        self.text = text
        self.group = group
        self.groups = groups
        self.offset = offset
        self.total = total
        self.stations = stations
    }
}

extension StationRow {
    /// The number that people know it by: that of a lineup, else the feed's.
    var shownNumber: String? { (channelNumber ?? station.number)?.description }
}
