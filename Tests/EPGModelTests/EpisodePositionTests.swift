import EPGModel
import Testing

/// Rule 10 of facts/xmltv, section 3, worked out by hand.
@Suite struct EpisodePositionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        /// Number and total of season, episode and part.
        var counts: [Int?]
        var label: String?

        init(_ text: String, _ counts: [Int?], _ label: String?) {
            (self.text, self.counts, self.label) = (text, counts, label)
        }

        var testDescription: String { text }
    }

    static let rows = [
        Row("0 . 12/13 . 0/3", [1, nil, 13, 13, 1, 3], "S1 E13 (1/3)"),
        Row("0.12/13.0/3", [1, nil, 13, 13, 1, 3], "S1 E13 (1/3)"),
        Row("1 . 4 .", [2, nil, 5, nil, nil, nil], "S2 E5"),
        Row("1.4", [2, nil, 5, nil, nil, nil], "S2 E5"),
        Row(". 4 .", [nil, nil, 5, nil, nil, nil], "E5"),
        Row("..0/1", [nil, nil, nil, nil, 1, 1], nil),
        Row("..1/2", [nil, nil, nil, nil, 2, 2], "(2/2)"),
        Row("2/5 . . ", [3, 5, nil, nil, nil, nil], "S3"),
        Row(" 0 / 2 . 0 / 8 . ", [1, 2, 1, 8, nil, nil], "S1 E1"),
        Row("./13.", [nil, nil, nil, 13, nil, nil], nil),
        Row("2025.0.", [2026, nil, 1, nil, nil, nil], "S2026 E1"),
        Row("999999.0.0", [1_000_000, nil, 1, nil, 1, nil], "S1000000 E1"),
    ]

    @Test(arguments: rows) func indicesCountFromZeroAndTotalsDoNot(_ row: Row) throws {
        let position = try #require(EpisodePosition(xmltvNS: row.text))
        let counts = [position.season, position.episode, position.part].flatMap { [$0.number, $0.total] }
        #expect(counts == row.counts)
        #expect(position.label == row.label)
    }

    @Test(arguments: [
        "", " ", ".", "..", "/", "1.2.3.4", "S01E02", "1.x.", "-1.0.", "0.+1.", "+0.0.", "1/2/3..", "1000000..",
        "99999999999999999999..", "0.1.0/9999999999999999999", "１..", "1.5e3.",
    ])
    func whatIsNoPositionIsNil(text: String) {
        #expect(EpisodePosition(xmltvNS: text) == nil)
    }

    @Test func onlyTheSystemXmltvNsIsAPosition() {
        #expect(EpisodeNumber(value: "0.1.", system: "xmltv_ns").position?.label == "S1 E2")
        #expect(EpisodeNumber(value: "0.1.", system: "onscreen").position == nil)
        // The DTD's default.
        #expect(EpisodeNumber(value: "0.1.").system == "onscreen")
    }
}
