import EPGModel

/// Stations by everything that channels are matched by.
struct StationIndex: Sendable {
    let stations: [Station]
    private var byID: [StationID: Int] = [:]
    private var byFoldedID: [String: [Int]] = [:]
    private var byFeedlessID: [String: [Int]] = [:]
    private var byName: [String: [Int]] = [:]
    private var byNumber: [ChannelNumber: [Int]] = [:]

    /// - Complexity: O(names of all stations).
    init(_ stations: [Station]) {
        self.stations = stations
        byID.reserveCapacity(stations.count)
        for (place, station) in stations.enumerated() where byID.updateValue(place, forKey: station.id) == nil {
            let id = station.id.rawValue
            Self.add(place, NameFolding.folded(id), to: &byFoldedID)
            Self.add(place, NameFolding.feedless(id), to: &byFeedlessID)
            Self.add(place, NameFolding.normalised(id), to: &byName)
            for name in station.displayNames { Self.add(place, NameFolding.normalised(name.text), to: &byName) }
            Self.add(place, station.number, to: &byNumber)
        }
    }

    /// Adds a station once to what a key leads to; the stations come in the order of their places.
    private static func add<Key>(_ place: Int, _ key: Key?, to places: inout [Key: [Int]]) {
        guard let key, places[key]?.last != place else { return }
        places[key, default: []].append(place)
    }

    // MARK: - Questions

    func station(_ id: StationID) -> Station? { byID[id].map { stations[$0] } }

    func places(ofID id: String) -> [Int] { byID[StationID(id)].map { [$0] } ?? [] }

    func places(ofFoldedID id: String) -> [Int] { NameFolding.folded(id).flatMap { byFoldedID[$0] } ?? [] }

    func places(ofFeedlessID id: String) -> [Int] { NameFolding.feedless(id).flatMap { byFeedlessID[$0] } ?? [] }

    /// The stations of which a display name or the identifier is that name.
    func places(ofName name: String) -> [Int] { NameFolding.normalised(name).flatMap { byName[$0] } ?? [] }

    func places(ofNumber number: ChannelNumber) -> [Int] { byNumber[number] ?? [] }
}
