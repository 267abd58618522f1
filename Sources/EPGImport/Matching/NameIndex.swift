import EPGModel

/// An index of the names of stations by their normal forms (see ``ChannelName``).
struct NameIndex: Sendable {
    /// A name of a station.
    struct Entry: Sendable {
        /// The index of the station.
        let place: Int
        let name: ChannelName
    }

    /// The maximum number of display names of a station to index.
    private static let namesOfStation = 8
    /// The maximum number of stations of equal names to compare; more are ambiguous.
    private static let longestList = 256

    private(set) var entries: [Entry] = []
    private var byKey: [String: [Int32]] = [:]

    /// - Complexity: O(names of all stations).
    init(_ stations: [Station]) {
        for (place, station) in stations.enumerated() {
            var described: Set<String> = []
            let country = ChannelName.country(ofID: station.id.rawValue).map { Set([$0]) } ?? []
            for (index, text) in station.displayNames.prefix(Self.namesOfStation).enumerated() {
                var name = ChannelName(text.text)
                // Further display names are often channel numbers.
                if index > 0, name.isNumber { continue }
                if !country.isEmpty { name.countries = country }
                add(name, place)
                described.formUnion(name.words.map(\.text))
            }
            // An identifier that abbreviates a display name is not a name: `HarbourArts.uk` for Harbour Arts & Culture.
            if let ofID = ChannelName(id: station.id.rawValue), !ofID.isNumber,
                !ofID.words.allSatisfy({ described.contains($0.text) })
            {
                add(ofID, place)
            }
        }
    }

    private mutating func add(_ name: ChannelName, _ place: Int) {
        guard !name.key.isEmpty, let number = Int32(exactly: entries.count) else { return }
        for entry in entries.reversed() {
            guard entry.place == place else { break }
            if entry.name.spelledKey == name.spelledKey, entry.name.shift == name.shift,
                entry.name.countryWord == name.countryWord, entry.name.quality == name.quality
            {
                return
            }
        }
        entries.append(Entry(place: place, name: name))
        byKey[name.key, default: []].append(number)
        if name.spelledKey != name.key { byKey[name.spelledKey, default: []].append(number) }
    }

    /// Returns the stations with a name of the same normal form, except those that another country or time shift excludes.
    ///
    /// If there are several, those in the same country, of the same quality, and with the same spelling take precedence, in
    /// this order.
    func places(equalTo name: ChannelName) -> [Int] {
        guard !name.key.isEmpty else { return [] }
        var numbers = byKey[name.key] ?? []
        if name.spelledKey != name.key { numbers += byKey[name.spelledKey] ?? [] }
        guard numbers.count <= Self.longestList else { return Self.places(numbers.map { entries[Int($0)] }) }
        var found = numbers.map { entries[Int($0)] }.filter {
            $0.name.shift == name.shift && MatchEvidence.isCountryPossible(name, $0.name)
        }
        let preferences: [(ChannelName) -> Bool] = [
            { !$0.countries.isDisjoint(with: name.countries) },
            { $0.quality == name.quality },
            { $0.spelledKey == name.spelledKey },
            { $0.countryWord == name.countryWord },
        ]
        for isPreferred in preferences where Self.places(found).count > 1 {
            let preferred = found.filter { isPreferred($0.name) }
            if !preferred.isEmpty { found = preferred }
        }
        return Self.places(found)
    }

    private static func places(_ entries: [Entry]) -> [Int] { Set(entries.map(\.place)).sorted() }
}

extension Channel {
    /// The names of the channel in the order in which they are matched, with the country that the channel states anywhere.
    var parsedNames: [ChannelName] {
        var names = writtenNames
        if let id = guideID.flatMap({ ChannelName(id: $0) }), !id.isNumber { names.append(id) }
        let countries = statedCountries(in: names)
        for index in names.indices where names[index].countries.isEmpty { names[index].countries = countries }
        return names.filter { !$0.key.isEmpty }
    }

    /// The names of the channel without the one in its identifier.
    var writtenNames: [ChannelName] {
        let guideNames = [guideName].compactMap { $0 }.filter { !$0.isEmpty && $0 != name }
        return (guideNames + [name]).map { ChannelName($0) }
    }

    /// Returns the countries of the first name with any, else the country of the identifier, else the countries of a group.
    private func statedCountries(in names: [ChannelName]) -> Set<String> {
        if let name = names.first(where: { !$0.countries.isEmpty }) { return name.countries }
        if let guideID, let country = ChannelName.country(ofID: guideID) { return [country] }
        return groups.lazy.map { ChannelName.countries(ofGroup: $0) }.first { !$0.isEmpty } ?? []
    }
}
