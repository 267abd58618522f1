package import EPGCalendar
package import EPGModel

/// The stations of a guide whose names differ only in quality and notes (the rule “name, any quality” of
/// `Documentation/playlists.md`), such as Quill and Quill HD: what a grid can fold into one row if their listings agree.
///
/// Listings agree if airings begin at the same times with the same titles, where both stations list any. A station without listings
/// belongs to one with them, unless several with different listings have its name.
package struct DuplicateStations: Sendable {
    /// The rows of stations with equal names, at least two, by each of these rows.
    private let similar: [Int: [Int]]

    /// Compares the names of all stations.
    ///
    /// - Throws: An error of the store.
    /// - Complexity: O(stations), about 10 µs for each.
    package init(in guide: any GuideReading) throws {
        var rowsByName: [Name: [(row: Int, countries: Set<String>)]] = [:]
        for row in try guide.stations(inRows: 0..<guide.stationCount()) {
            let name = ChannelName(row.station.name)
            guard !name.key.isEmpty, !name.isNumber else { continue }
            let ofID = ChannelName.country(ofID: row.station.id.rawValue).map { Set([$0]) } ?? []
            rowsByName[Name(key: name.key, shift: name.shift), default: []].append(
                (row.row, name.countries.isEmpty ? ofID : name.countries))
        }
        var similar: [Int: [Int]] = [:]
        for rows in rowsByName.values where rows.count > 1 {
            for group in Self.byCountry(rows) where group.count > 1 {
                for row in group { similar[row] = group }
            }
        }
        self.similar = similar
    }

    /// Returns the stations with the same listings in a window, such as a day: the rows of each, at least two. The first row is shown:
    /// the first one with listings.
    ///
    /// - Throws: An error of the store.
    /// - Complexity: One read of the airings of stations with equal names.
    package func groups(in guide: any GuideReading, during window: TimeWindow) throws -> [[Int]] {
        let listings = try Listings(ofRows: Array(similar.keys), in: guide, during: window)
        return similar.filter { $1[0] == $0 }.values.flatMap { listings.groups(of: $0) }.filter { $0.count > 1 }
            .sorted { $0[0] < $1[0] }
    }

    /// Returns the rows that are left out if the rows of each station become one.
    ///
    /// - Throws: An error of the store.
    package func folded(in guide: any GuideReading, during window: TimeWindow) throws -> Set<Int> {
        Set(try groups(in: guide, during: window).flatMap { $0.dropFirst() })
    }

    /// Returns the other rows of a station in a window.
    ///
    /// - Throws: An error of the store.
    /// - Complexity: One seek for each row with an equal name.
    package func others(ofRow row: Int, in guide: any GuideReading, during window: TimeWindow) throws -> [Int] {
        guard let rows = similar[row] else { return [] }
        let groups = try Listings(ofRows: rows, in: guide, during: window).groups(of: rows)
        return groups.first { $0.contains(row) }?.filter { $0 != row } ?? []
    }

    /// A name without quality and country.
    private struct Name: Hashable {
        let key: String
        /// The hours by which a "+1" station is delayed.
        let shift: Int
    }

    /// Separates stations of different countries. Stations of unknown countries belong to the only country, if there is only one.
    private static func byCountry(_ rows: [(row: Int, countries: Set<String>)]) -> [[Int]] {
        var groups: [(rows: [Int], countries: Set<String>)] = []
        for (row, countries) in rows where !countries.isEmpty {
            if let index = groups.firstIndex(where: { !$0.countries.isDisjoint(with: countries) }) {
                groups[index].rows.append(row)
                groups[index].countries.formUnion(countries)
            } else {
                groups.append(([row], countries))
            }
        }
        let unknown = rows.filter(\.countries.isEmpty).map(\.row)
        guard groups.count == 1 else { return groups.map(\.rows) + [unknown] }
        return [(groups[0].rows + unknown).sorted()]
    }
}

/// The starts and titles of airings by row.
private struct Listings {
    private struct Airing: Equatable {
        let start: Instant
        let title: String
    }

    private var airings: [Int: [Airing]] = [:]

    init(ofRows rows: [Int], in guide: any GuideReading, during window: TimeWindow) throws {
        let outlines = try guide.outlines(inRows: rows.sorted(), during: window)
        let programmes = Set(outlines.values.joined().map(\.programme))
        let titles = Dictionary(
            try guide.briefs(ofProgrammes: programmes.sorted()).map { ($0.number, NameFolding.normalized($0.title)) }
        ) { first, _ in first }
        for (row, outlines) in outlines {
            airings[row] = outlines.map { Airing(start: $0.window.start, title: (titles[$0.programme] ?? nil) ?? "") }
        }
    }

    /// Groups rows with the same listings. Rows without any join the only group, if there is only one.
    func groups(of rows: [Int]) -> [[Int]] {
        var groups: [[Int]] = []
        for row in rows where airings[row]?.isEmpty == false {
            if let index = groups.firstIndex(where: { agree($0[0], row) }) {
                groups[index].append(row)
            } else {
                groups.append([row])
            }
        }
        let empty = rows.filter { airings[$0]?.isEmpty != false }
        if groups.isEmpty { return [empty] }
        if groups.count == 1 { groups[0] += empty }
        return groups
    }

    /// Returns whether both rows list the same airings in the time that both cover, at least one.
    private func agree(_ row: Int, _ other: Int) -> Bool {
        let (one, two) = (airings[row] ?? [], airings[other] ?? [])
        guard let first = one.first, let last = one.last, let otherFirst = two.first, let otherLast = two.last else {
            return false
        }
        let (start, end) = (max(first.start, otherFirst.start), min(last.start, otherLast.start))
        guard start <= end else { return false }
        let shared = one.filter { (start...end).contains($0.start) }
        return !shared.isEmpty && shared == two.filter { (start...end).contains($0.start) }
    }
}

/// A channel or a station that shows the same as a station.
package struct StationAlternative: Hashable, Sendable {
    package let station: StationID
    /// The name of the channel, or of the station if it has no channel.
    package let name: String
    package let number: ChannelNumber?
    /// The name of the channel's lineup; `nil` for a station without channels.
    package let lineup: String?

    /// The number and the name: `107 Quill HD`.
    package var label: String { number.map { "\($0) \(name)" } ?? name }

    /// Returns the other channels of an airing's station, and the channels of its duplicates on that day; each name once.
    ///
    /// - Throws: An error of the store.
    /// - Complexity: One seek for each channel, and for each station with an equal name.
    package static func alternatives(
        to airing: Airing, in guide: any GuideReading, zone: Zone, _ duplicates: DuplicateStations
    ) throws -> [StationAlternative] {
        guard let station = try guide.station(airing.station) else { return [] }
        let day = zone.window(of: zone.date(at: airing.window.start))
        let others = try duplicates.others(ofRow: station.row, in: guide.unlimited, during: day)
            .flatMap { try guide.stations(inRows: $0..<$0 + 1) }
        let found =
            try channels(of: station, in: guide).dropFirst()
            + others.flatMap { other in
                let channels = try channels(of: other, in: guide)
                return channels.isEmpty
                    ? [
                        StationAlternative(
                            station: other.station.id, name: other.station.name, number: other.station.number,
                            lineup: nil)
                    ] : channels
            }
        var labels: Set = [station.station.name]
        return found.filter { labels.insert($0.label).inserted }
    }

    private static func channels(of station: StationRow, in guide: any GuideReading) throws -> [StationAlternative] {
        try guide.lineups(containing: station.station.id).flatMap { lineup in
            lineup.channels.map {
                StationAlternative(
                    station: station.station.id, name: $0.name, number: $0.number, lineup: lineup.name)
            }
        }
    }
}
