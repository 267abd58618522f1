import EPGModel
import EPGStore
import Testing

/// Filters find stations by what people know of them.
@Suite struct StationFilterTests {
    private static let guide = """
        <tv>
        <channel id="bbc.one.uk"><display-name>BBC One</display-name><display-name>Beeb</display-name></channel>
        <channel id="tele5.de"><display-name>TÉLÉ 5</display-name><lcn>17</lcn></channel>
        <channel id="cctv"><display-name>中央电视台</display-name></channel>
        <channel id="sport"><display-name>Eurosport 2+</display-name><lcn>7</lcn></channel>
        <channel id="rossija"><display-name>Россия</display-name></channel>
        </tv>
        """

    /// The stations in the order of their rows: those of the lineups first.
    private func scratch() throws -> ScratchGuide {
        let scratch = try ScratchGuide()
        try scratch.importing(text: Self.guide)
        func channel(_ id: String, _ number: String?, _ groups: [String]) -> Channel {
            Channel(
                name: id, number: number.flatMap { ChannelNumber($0) }, guideID: id, groups: groups,
                address: "http://stream.test/\(id)")
        }
        let cable = Lineup(
            name: "cable",
            channels: [
                channel("bbc.one.uk", "101.2", ["General", "UK"]), channel("sport", "105", ["Sport"]),
                channel("gone", "106", ["Lost", "Sport"]), channel("sport", "107", ["Sport", "UK"]),
            ])
        let terrestrial = Lineup(name: "antenna", channels: [channel("tele5.de", "3", ["General"])])
        _ = try scratch.store.saveLineup(cable, matcher: TableMatcher())
        _ = try scratch.store.saveLineup(terrestrial, matcher: TableMatcher())
        return scratch
    }

    private func find(_ filter: StationFilter) throws -> [String] {
        let store = try scratch().store
        let page = try store.stations(filter, offset: 0, limit: 100)
        #expect(page.total == page.stations.count)
        #expect(try store.stationRows(filter) == page.stations.map(\.row))
        return page.stations.map(\.station.id.rawValue)
    }

    @Test(
        arguments: [
            ("bbc", ["bbc.one.uk"]), ("BEEB", ["bbc.one.uk"]), ("one bbc", ["bbc.one.uk"]), ("bbc.one", ["bbc.one.uk"]),
            ("tele", ["tele5.de"]), ("Télé", ["tele5.de"]), ("TELE5", ["tele5.de"]), ("央电", ["cctv"]),
            ("россия", ["rossija"]), ("РОСС", ["rossija"]), ("osport", ["sport"]), ("sport 2+", ["sport"]),
            ("+", ["sport"]),
            ("101.2", ["bbc.one.uk"]), ("105", ["sport"]), ("107", ["sport"]), ("17", ["tele5.de"]),
            ("bbc sport", []), ("nothing", []), ("%", []), ("_", []), ("\"", []), ("*", []),
            ("", ["tele5.de", "bbc.one.uk", "sport", "cctv", "rossija"]),
            (" \t\n", ["tele5.de", "bbc.one.uk", "sport", "cctv", "rossija"]),
        ] as [(String, [String])])
    func wordsFindStations(text: String, stations: [String]) throws {
        #expect(Set(try find(StationFilter(text: text))) == Set(stations))
    }

    @Test(
        arguments: [
            (StationFilter(group: "General"), ["tele5.de", "bbc.one.uk"]),
            (StationFilter(group: "UK"), ["bbc.one.uk", "sport"]),
            (StationFilter(group: "Lost"), []), (StationFilter(group: "general"), []), (StationFilter(group: ""), []),
            (StationFilter(lineup: "cable"), ["bbc.one.uk", "sport"]), (StationFilter(lineup: "antenna"), ["tele5.de"]),
            (StationFilter(lineup: "none"), []), (StationFilter(group: "General", lineup: "cable"), ["bbc.one.uk"]),
            (StationFilter(text: "5", group: "General"), ["tele5.de"]),
            (StationFilter(text: "bbc", lineup: "antenna"), []),
        ])
    func groupsAndLineupsNarrow(filter: StationFilter, stations: [String]) throws {
        #expect(try find(filter) == stations)
    }

    @Test func groupsAreToldWithTheirStationsAsTheLineupsNameThem() throws {
        // By the lineup's name, in it by the place; a station that two channels of a group show counts once.
        #expect(
            try scratch().store.stationGroups() == [
                StationGroup(name: "General", count: 2), StationGroup(name: "UK", count: 2),
                StationGroup(name: "Sport", count: 1),
            ])
    }

    @Test(
        arguments: [
            (0, 2, [0, 1]), (2, 2, [2, 3]), (4, 2, [4]), (5, 2, []), (-3, 2, [0, 1]), (0, 0, []), (0, -1, []),
            (.max, .max, []), (1, .max, [1, 2, 3, 4]),
        ] as [(Int, Int, [Int])])
    func pagesAreCutFromTheWhole(offset: Int, limit: Int, rows: [Int]) throws {
        let page = try scratch().store.stations(StationFilter(), offset: offset, limit: limit)
        #expect(page.total == 5)
        #expect(page.stations.map(\.row) == rows)
        // The same with a filter that lets all through: all have a letter t or i or s or 5 … in their identifiers.
        let filtered = try scratch().store.stations(StationFilter(text: "s"), offset: offset, limit: limit)
        let all = try scratch().store.stationRows(StationFilter(text: "s"))
        #expect(filtered.total == all.count)
        #expect(filtered.stations.map(\.row) == Array(all.dropFirst(max(0, offset)).prefix(max(0, limit))))
    }
}
