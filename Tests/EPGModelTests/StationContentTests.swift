import EPGModel
import TestSupport
import Testing

/// Tests of reading stations from nodes.
@Suite struct StationContentTests {
    private func element(_ name: String, _ text: String, _ attributes: [(String, String)] = []) -> ContentNode {
        .element(
            ContentElement(
                name: name, attributes: attributes.map { ContentAttribute(name: $0.0, value: $0.1) },
                children: text.isEmpty ? [] : [.text(text)]))
    }

    private let id = StationID("one.test")

    @Test func everyStationElementHasProperty() {
        let station = Station(
            id: id,
            nodes: [
                element("display-name", "One", [("lang", "en")]), element("display-name", "Eins", [("lang", "de")]),
                element("icon", "", [("src", "one.png"), ("width", "40")]),
                element("url", "https://one.test", [("system", "web")]), element("lcn", "7.1"),
                element("x-group", "odd"),
            ])
        expectEqual(station.displayNames.map(\.text), ["One", "Eins"])
        expectEqual(station.displayNames.map(\.language), ["en", "de"])
        expectEqual(station.name, "One")
        expectEqual(station.icons, [Icon(source: "one.png", width: "40")])
        #expect(station.urls == [WebLink(url: "https://one.test", system: "web")])
        expectEqual(station.number, ChannelNumber("7.1"))
        expectEqual(station.extras, [element("x-group", "odd")])
    }

    @Test func stationWithoutNameUsesIdentifier() {
        expectEqual(Station(id: id).name, "one.test")
    }

    static let numberings: [(texts: [String], number: String?)] = [
        ([], nil), (["7"], "7"), (["007"], "7"), (["7-1"], "7.1"), (["x"], nil), (["7", "8"], "7"), (["x", "7"], "7"),
        (["007", "8"], "7"), (["7", "007"], "7"), (["x", "y"], nil),
    ]

    @Test(arguments: numberings.indices) func nonCanonicalNumberIsKeptAsExtra(index: Int) {
        let (texts, number) = Self.numberings[index]
        let nodes =
            [element("display-name", "One", [("x-kind", "short")]), element("icon", "no source")]
            + texts.map { element("lcn", $0) } + [element("@x-region", "quay"), .text("loose")]
        let station = Station(id: id, nodes: nodes)
        expectEqual(station.number?.description, number)
        for text in texts {
            #expect(station.number?.description == text || station.extras.contains(element("lcn", text)))
        }
    }
}

@Suite struct ChannelNumberTests {
    @Test func channelNumbersSortByParts() throws {
        // Parts are compared as numbers: 7.2 precedes 7.10.
        let texts = ["2", "7", "7.1", "7.2", "7.10", "7.10.1", "8", "10", "100"]
        let numbers = try texts.map { try #require(ChannelNumber($0)) }
        expectEqual(numbers.reversed().sorted(), numbers)
        for (first, second) in zip(numbers, numbers.dropFirst()) {
            #expect(first < second)
            #expect(!(second < first))
        }
    }

    @Test(
        arguments: [
            ("7", "7"), ("7.1", "7.1"), ("7-1", "7.1"), ("007", "7"), ("0", "0"), ("1.2.3.4", "1.2.3.4"),
            ("999999", "999999"),
            // Invalid numbers are rejected.
            ("", nil), (".", nil), ("7.", nil), (".7", nil), ("7..1", nil), ("-7", nil), ("+7", nil), ("7a", nil),
            ("7 ", nil), (" 7", nil), ("seven", nil), ("٧", nil), ("７", nil), ("1.2.3.4.5", nil), ("1000000", nil),
            ("99999999999999999999999", nil), ("7,1", nil), ("7.-1", nil),
        ] as [(String, String?)])
    func channelNumbersRoundTrip(text: String, written: String?) {
        expectEqual(ChannelNumber(text)?.description, written)
    }
}
