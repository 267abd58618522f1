import EPGImport
import EPGModel
import Testing

/// The stations that a person may have meant.
@Suite struct StationSuggestionsTests {
    @Test(arguments: [
        ("bbcnoe.test", ["bbcone.test"]), ("ITB", ["itv.test"]), ("beeb", ["bbcone.test"]),
        ("completely different", []), ("", []),
    ])
    func suggestionsAreTheStationsThatLookMostLikeAText(text: String, expected: [String]) {
        let stations = [("bbcone.test", "Beeb One"), ("itv.test", "ITV")].enumerated().map { row, station in
            StationRow(
                row: row, station: Station(id: StationID(station.0), displayNames: [LocalizedText(station.1)]))
        }
        #expect(StationSuggestions(for: text).nearest(among: stations).map(\.station.id.rawValue) == expected)
    }
}
