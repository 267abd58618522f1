/// The stations of a store during an import, and the rule by which a source describes them.
///
/// If several sources describe a station, the highest priority takes precedence, then the source that was imported first. A
/// source that only references a station in programmes does not remove its description.
package struct StationRegistry: Sendable {
    /// A station of the store.
    package struct Stored: Hashable, Sendable {
        package let id: StationID
        /// The number of the station in the store; 0 for a description that ``update(_:)`` has not placed yet.
        package fileprivate(set) var key: Int64
        package let name: String
        package let number: String?
        package let document: [UInt8]
        /// The source of the description.
        package fileprivate(set) var describedBy: Int64?
        /// The place in that source.
        package let ordinal: Int64

        package init(
            id: StationID, key: Int64, name: String, number: String?, document: [UInt8], describedBy: Int64?,
            ordinal: Int64
        ) {
            self.id = id
            self.key = key
            self.name = name
            self.number = number
            self.document = document
            self.describedBy = describedBy
            self.ordinal = ordinal
        }

        /// Creates a source's description of a station.
        ///
        /// - Parameters:
        ///   - place: The index of the station in its source.
        ///   - document: The JSON of all elements of the station.
        package init(_ station: Station, at place: Int, document: [UInt8]) {
            self.init(
                id: station.id, key: 0, name: station.name, number: station.number?.description, document: document,
                describedBy: nil, ordinal: Int64(place))
        }

        /// Whether a feed describes the station.
        fileprivate var isDescribed: Bool { document != Array("{}".utf8) }
    }

    private let source: Int64
    private var known: [StationID: Stored]
    private var keys: [StationID: Int64]
    private var nextKey: Int64
    /// The priorities by the number of the source.
    private let priorities: [Int64: Int64]
    package private(set) var inserted = 0
    package private(set) var changed = 0
    /// The number of changed stations whose description changed; others only have another index in their source.
    package private(set) var redescribed = 0

    /// Creates a registry for an import.
    ///
    /// - Parameters:
    ///   - stations: All stations of the store.
    ///   - source: The number of the imported source.
    ///   - priorities: The priorities of all sources.
    package init(_ stations: [Stored], source: Int64, priorities: [Int64: Int64]) {
        self.source = source
        known = Dictionary(stations.map { ($0.id, $0) }) { first, _ in first }
        keys = known.mapValues(\.key)
        nextKey = (keys.values.max() ?? 0) + 1
        self.priorities = priorities
    }

    /// Returns the number of a station. An unknown station gets the next number.
    package mutating func key(of station: StationID) -> Int64 {
        if let key = keys[station] { return key }
        defer { nextKey += 1 }
        keys[station] = nextKey
        return nextKey
    }

    /// Returns the stations to write: unknown ones, and those with a new description.
    package mutating func update(_ descriptions: [Stored]) -> [Stored] {
        var written: [Stored] = []
        for station in descriptions {
            var wanted = station
            (wanted.key, wanted.describedBy) = (key(of: station.id), source)
            if let current = known[station.id] {
                guard counts(wanted, over: current), wanted != current else { continue }
                changed += 1
                let isSame = (wanted.name, wanted.number) == (current.name, current.number)
                if !isSame || wanted.document != current.document { redescribed += 1 }
            } else {
                inserted += 1
            }
            written.append(wanted)
            known[station.id] = wanted
        }
        return written
    }

    /// Returns the number of stations that a source describes.
    package func count(ofSource source: Int64) -> Int { known.values.count { $0.describedBy == source } }

    /// Returns whether this source's description takes precedence over the stored one.
    private func counts(_ wanted: Stored, over current: Stored) -> Bool {
        guard let other = current.describedBy, other != source else {
            return wanted.isDescribed || !current.isDescribed
        }
        guard wanted.isDescribed else { return false }
        return !current.isDescribed || (priorities[source] ?? 0) > (priorities[other] ?? 0)
    }
}

/// The place of a station in the rows of a guide (schema.sql, `station.position`).
package struct RowPlace: Sendable {
    /// A channel with a station, in the order of the names of lineups and of their channels.
    package struct Channel: Sendable {
        let station: Int64
        let lineup: Int64
        let number: ChannelNumber?
        let ordinal: Int64

        /// - Parameter number: The number in the lineup; `nil` also in a lineup with an order of the user
        ///   (``Lineup/isReordered``).
        package init(station: Int64, lineup: Int64, number: ChannelNumber?, ordinal: Int64) {
            self.station = station
            self.lineup = lineup
            self.number = number
            self.ordinal = ordinal
        }
    }

    private let station: Int64
    /// The rank of the station's lineup by name; the last rank for stations without a lineup.
    private var lineup = Int.max
    /// The number in the lineup, else in the feed.
    private var number: ChannelNumber?
    /// The source; 0 in a lineup.
    private var source: Int64
    private var ordinal: Int64
    /// The current row.
    private let position: Int

    /// Creates the place of a station.
    ///
    /// - Parameters:
    ///   - number: The number in the feed.
    ///   - source: The source of its description.
    ///   - ordinal: Its place in that source.
    ///   - position: Its current row.
    package init(station: Int64, number: ChannelNumber?, source: Int64?, ordinal: Int64, position: Int) {
        self.station = station
        self.number = number
        self.source = source ?? .max
        self.ordinal = ordinal
        self.position = position
    }

    /// Returns the stations whose rows change, with their new rows.
    ///
    /// - Complexity: O(n log n) for n stations and channels.
    package static func moves(
        of places: [RowPlace], channels: [Channel]
    ) -> [(station: Int64, position: Int)] {
        var first: [Int64: (rank: Int, channel: Channel)] = [:]
        var (rank, last) = (-1, Int64.min)
        for channel in channels {
            if channel.lineup != last { (rank, last) = (rank + 1, channel.lineup) }
            if first[channel.station] == nil { first[channel.station] = (rank, channel) }
        }
        let sorted = places.map { place in
            guard let (rank, channel) = first[place.station] else { return place }
            var place = place
            (place.lineup, place.number, place.source, place.ordinal) = (rank, channel.number, 0, channel.ordinal)
            return place
        }.sorted(by: precedes)
        return sorted.enumerated().filter { $0.offset != $0.element.position }.map { ($0.element.station, $0.offset) }
    }

    private static func precedes(_ left: RowPlace, _ right: RowPlace) -> Bool {
        if left.lineup != right.lineup { return left.lineup < right.lineup }
        if left.number != right.number {
            guard let first = left.number, let second = right.number else { return left.number != nil }
            return first < second
        }
        return (left.source, left.ordinal, left.station) < (right.source, right.ordinal, right.station)
    }
}
