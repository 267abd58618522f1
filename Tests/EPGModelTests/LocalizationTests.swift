import TestSupport
import Testing

@testable import EPGModel

@Suite struct LocalizationTests {
    @Test func stationNameIsInFirstAvailableLanguage() {
        let station = Station(
            id: StationID("one"),
            displayNames: [LocalizedText("One", language: "en"), LocalizedText("Un", language: "fr")])
        expectEqual(station.localized(in: ["de", "fr"]).name, "Un")
        expectEqual(station.localized(in: ["fr"]).displayNames.map(\.text), ["Un", "One"])
        expectEqual(station.localized(in: ["de"]), station)
        expectEqual(station.localized(in: []), station)
    }

    @Test func localizedTextsHaveNoHighlights() {
        let airing = Airing(
            id: AiringID(7), station: StationID("one"),
            window: TimeWindow(
                start: Instant(secondsSince1970: 1_792_865_700), end: Instant(secondsSince1970: 1_792_869_300)),
            title: "News", subtitle: "Late")
        let match = SearchMatch(
            airing: airing, stationName: "One", row: 0, highlights: [.title: [0..<4], .subtitle: [0..<4]])
        var programme = Programme()
        programme.titles = [LocalizedText("News"), LocalizedText("Nachrichten", language: "de")]
        let localized = match.localized(airing.localized(by: programme, in: ["de"]))
        expectEqual(localized.airing.title, "Nachrichten")
        expectEqual(localized.airing.subtitle, "Late")
        expectEqual(localized.highlights, [.subtitle: [0..<4]])
    }
}
