package import EPGModel

/// The stations of a guide that are one station in several qualities, such as Quill and Quill HD: what a grid can fold into one row.
///
/// Two stations are the same if their names differ only in quality and notes (the rule “name, any quality” of
/// `Documentation/playlists.md`), and if their listings agree: where both have any, airings begin at the same times with the same
/// titles. A station without listings belongs to one with them, unless several with different listings have its name.
package struct DuplicateStations: Sendable {
    /// The rows of each such station, by each of its rows. The first one is shown: the first row with listings.
    private let groups: [Int: [Int]]

    /// No station is a duplicate.
    package static let none = DuplicateStations(groups: [:])

    private init(groups: [Int: [Int]]) {
        self.groups = groups
    }

    /// Finds the duplicates.
    ///
    /// - Parameter window: The time in which listings are compared, such as a day.
    /// - Throws: An error of the store.
    /// - Complexity: O(stations), and one read of the airings of stations with equal names.
    package init(in guide: any GuideReading, during window: TimeWindow) throws {
        var rowsByName: [Name: [(row: Int, countries: Set<String>)]] = [:]
        for row in try guide.stations(inRows: 0..<guide.stationCount()) {
            let name = ChannelName(row.station.name)
            guard !name.key.isEmpty, !name.isNumber else { continue }
            let ofID = ChannelName.country(ofID: row.station.id.rawValue).map { Set([$0]) } ?? []
            rowsByName[Name(key: name.key, shift: name.shift), default: []].append(
                (row.row, name.countries.isEmpty ? ofID : name.countries))
        }
        let similar = rowsByName.values.filter { $0.count > 1 }.flatMap { Self.byCountry($0) }.filter { $0.count > 1 }
        let listings = try Listings(ofRows: similar.flatMap(\.self), in: guide, during: window)
        var groups: [Int: [Int]] = [:]
        for rows in similar {
            for group in listings.groups(of: rows) where group.count > 1 {
                for row in group { groups[row] = group }
            }
        }
        self.groups = groups
    }

    /// The rows that other rows stand for.
    package var folded: Set<Int> { Set(groups.filter { $1[0] != $0 }.keys) }

    /// Returns the rows that a station folds into, or that fold into it, without its own.
    package func others(ofRow row: Int) -> [Int] { (groups[row] ?? []).filter { $0 != row } }

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

    /// Groups rows with the same listings. Rows without any join the first group.
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
        let common =
            max(
                first.start, otherFirst.start)...max(
                max(first.start, otherFirst.start), min(last.start, otherLast.start))
        let shared = one.filter { common.contains($0.start) }
        return !shared.isEmpty && shared == two.filter { common.contains($0.start) }
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

    /// Returns the other channels of a station, and the channels of its duplicates.
    ///
    /// - Throws: An error of the store.
    /// - Complexity: One seek for each channel.
    package static func alternatives(
        to station: StationRow, in guide: any GuideReading, _ duplicates: DuplicateStations
    ) throws -> [StationAlternative] {
        let others = try duplicates.others(ofRow: station.row).flatMap { try guide.stations(inRows: $0..<$0 + 1) }
        let own = try channels(of: station, in: guide).dropFirst()
        return try own
            + others.flatMap { other in
                let channels = try channels(of: other, in: guide)
                return channels.isEmpty
                    ? [
                        StationAlternative(
                            station: other.station.id, name: other.station.name, number: other.station.number,
                            lineup: nil)
                    ] : channels
            }
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
