import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// The list of stations, their descriptions, and filters.
    static let stations: [StoreRule] = [
        StoreRule("A text filter finds stations by name, identifier and number") { guide in
            try guide.importStations()
            for (text, stations) in [
                ("bbc", ["bbc.one.uk"]), ("BEEB", ["bbc.one.uk"]), ("one bbc", ["bbc.one.uk"]),
                ("bbc.one", ["bbc.one.uk"]),
                ("tele", ["tele5.de"]), ("Télé", ["tele5.de"]), ("TELE5", ["tele5.de"]), ("央电", ["cctv"]),
                ("россия", ["rossija"]), ("РОСС", ["rossija"]), ("osport", ["sport"]), ("sport 2+", ["sport"]),
                ("+", ["sport"]),
                ("101.2", ["bbc.one.uk"]), ("105", ["sport"]), ("107", ["sport"]), ("17", ["tele5.de"]),
                ("bbc sport", []), ("nothing", []), ("%", []), ("_", []), ("\"", []), ("*", []),
                ("", ["tele5.de", "bbc.one.uk", "sport", "cctv", "rossija"]),
                (" \t\n", ["tele5.de", "bbc.one.uk", "sport", "cctv", "rossija"]),
            ] as [(String, [String])] {
                expectEqual(Set(try guide.identifiers(StationFilter(text: text))), Set(stations))
            }
        },
        StoreRule("Groups and lineups narrow a filter") { guide in
            try guide.importStations()
            for (filter, stations) in [
                (StationFilter(group: "General"), ["tele5.de", "bbc.one.uk"]),
                (StationFilter(group: "UK"), ["bbc.one.uk", "sport"]),
                (StationFilter(group: "Lost"), []), (StationFilter(group: "general"), []),
                (StationFilter(group: ""), []),
                (StationFilter(lineup: "cable"), ["bbc.one.uk", "sport"]),
                (StationFilter(lineup: "antenna"), ["tele5.de"]),
                (StationFilter(lineup: "none"), []), (StationFilter(group: "General", lineup: "cable"), ["bbc.one.uk"]),
                (StationFilter(text: "5", group: "General"), ["tele5.de"]),
                (StationFilter(text: "bbc", lineup: "antenna"), []),
            ] as [(StationFilter, [String])] {
                try expectEqual(guide.identifiers(filter), stations)
            }
        },
        StoreRule("Groups have station counts and are in lineup order") { guide in
            try guide.importStations()
            // Sorted by lineup name, then by place. A station with two channels in a group counts once.
            try expectEqual(
                guide.stationGroups(),
                [
                    NameCount(name: "General", count: 2), NameCount(name: "UK", count: 2),
                    NameCount(name: "Sport", count: 1),
                ])
        },
        StoreRule("The group of a station is the first group of its first channel") { guide in
            try guide.importStations()
            for (lineup, groups) in [
                (nil, ["tele5.de": "General", "bbc.one.uk": "General", "sport": "Sport"]),
                ("cable", ["bbc.one.uk": "General", "sport": "Sport"]), ("antenna", ["tele5.de": "General"]),
                ("none", [:]),
            ] as [(String?, [String: String])] {
                let named = try guide.groups(inLineup: lineup).map { row, name in
                    (try guide.stations(inRows: row..<row + 1).first?.station.id.rawValue ?? "", name)
                }
                expectEqual(Dictionary(uniqueKeysWithValues: named), groups)
            }
        },
        StoreRule("Pages of stations are slices of the complete list") { guide in
            try guide.importStations()
            for (offset, limit, rows) in [
                (0, 2, [0, 1]), (2, 2, [2, 3]), (4, 2, [4]), (5, 2, []), (-3, 2, [0, 1]), (0, 0, []), (0, -1, []),
                (.max, .max, []), (1, .max, [1, 2, 3, 4]),
            ] as [(Int, Int, [Int])] {
                let page = try guide.stations(StationFilter(), offset: offset, limit: limit)
                expectEqual(page.total, 5)
                expectEqual(page.stations.map(\.row), rows)
                // Pages of filtered stations.
                let filtered = try guide.stations(StationFilter(text: "s"), offset: offset, limit: limit)
                let all = try guide.stations(StationFilter(text: "s"), offset: 0, limit: .max).stations.map(\.row)
                expectEqual(filtered.total, all.count)
                expectEqual(filtered.stations.map(\.row), Array(all.dropFirst(max(0, offset)).prefix(max(0, limit))))
            }
        },
        StoreRule("The source with the highest priority describes a station in any order of imports") { guide in
            for order: [String] in [["low", "high"], ["high", "low"], ["low", "high", "low"]] {
                let guide = try guide.another()
                for source in order {
                    try guide.importing(described(source) + named, as: source == "low" ? low : high)
                }
                try expectEqual(guide.nameOfOne, "high")
                let station = try #require(try guide.station(StationID("one"))).station
                expectEqual(station.icons, [Icon(source: "high.png")])
                try expectEqual(guide.check().problems, [])
            }
        },
        StoreRule("The first of several sources with equal priorities describes a station") { guide in
            let other = Source(name: "other")
            try guide.importing(described("low"), as: low)
            try guide.importing(described("other"), as: other)
            try expectEqual(guide.nameOfOne, "low")
            try expectEqual(guide.importing(described("low"), as: low).changedGuide, false)
            try expectEqual(guide.importing(described("other"), as: other).changedGuide, false)
        },
        StoreRule("A source that only refers to a station keeps its description") { guide in
            try guide.importing(described("low"), as: low)
            try guide.importing(named, as: high)
            try expectEqual(guide.nameOfOne, "low")
            try expectEqual(guide.importing(named, as: high).changedGuide, false)
        },
        StoreRule("A source that only refers to a station does not describe it") { guide in
            try guide.importing(named, as: high)
            try expectEqual(guide.nameOfOne, "one")
            try guide.importing(described("low"), as: low)
            try expectEqual(guide.nameOfOne, "low")
            try expectEqual(guide.importing(named, as: high).changedGuide, false)
            try expectEqual(guide.nameOfOne, "low")
        },
        StoreRule("Sources that only refer to a station keep its row") { guide in
            try guide.importing(["two 20:00-21:00 B"] + named, as: low)
            try guide.importing(named, as: high)
            try expectEqual(guide.importing(["two 20:00-21:00 B"] + named, as: low).changedGuide, false)
            try expectEqual(guide.importing(named, as: high).changedGuide, false)
        },
        StoreRule("A changed priority affects descriptions from the next import on") { guide in
            for (priority, expected) in [(20, "low"), (-1, "high")] as [(Int, String)] {
                let guide = try guide.another()
                try guide.importing(described("low"), as: low)
                try guide.importing(described("high"), as: high)
                try guide.save(Source(name: "low", priority: priority))
                try guide.importing(described("low"), as: low)
                try expectEqual(guide.nameOfOne, expected)
            }
        },
        StoreRule("The description of a removed source stays until another source describes the station") { guide in
            try guide.importing(described("low") + named, as: low)
            try guide.importing(described("high"), as: high)
            try expectEqual(guide.removeSource(named: "high"), true)
            try expectEqual(guide.nameOfOne, "high")
            try guide.importing(described("low") + named, as: low)
            try expectEqual(guide.nameOfOne, "low")
        },
    ]
}

extension GuideUnderTest {
    /// Imports stations and two lineups. The stations of the lineups come first.
    fileprivate func importStations() throws {
        try importing(
            text: """
                <tv>
                <channel id="bbc.one.uk"><display-name>BBC One</display-name><display-name>Beeb</display-name></channel>
                <channel id="tele5.de"><display-name>TÉLÉ 5</display-name><lcn>17</lcn></channel>
                <channel id="cctv"><display-name>中央电视台</display-name></channel>
                <channel id="sport"><display-name>Eurosport 2+</display-name><lcn>7</lcn></channel>
                <channel id="rossija"><display-name>Россия</display-name></channel>
                </tv>
                """)
        func channel(_ id: String, _ number: String?, _ groups: [String]) -> Channel {
            Channel(
                name: id, number: number.flatMap { ChannelNumber($0) }, guideID: id, groups: groups,
                url: "http://stream.test/\(id)")
        }
        _ = try saveLineup(
            Lineup(
                name: "cable",
                channels: [
                    channel("bbc.one.uk", "101.2", ["General", "UK"]), channel("sport", "105", ["Sport"]),
                    channel("gone", "106", ["Lost", "Sport"]), channel("sport", "107", ["Sport", "UK"]),
                ]))
        _ = try saveLineup(Lineup(name: "antenna", channels: [channel("tele5.de", "3", ["General"])]))
    }

    /// Returns the identifiers of the stations that pass a filter, in row order.
    fileprivate func identifiers(_ filter: StationFilter) throws -> [String] {
        let page = try stations(filter, offset: 0, limit: 100)
        expectEqual(page.total, page.stations.count)
        return page.stations.map(\.station.id.rawValue)
    }

    /// The name of the station `one`.
    fileprivate var nameOfOne: String? {
        get throws { try station(StationID("one"))?.station.name }
    }
}

private let low = Source(name: "low")
private let high = Source(name: "high", priority: 10)
private let named = ["one 20:00-21:00 A"]

private func described(_ name: String) -> [String] {
    ["<channel id=\"one\"><display-name>\(name)</display-name><icon src=\"\(name).png\"/></channel>"]
}
