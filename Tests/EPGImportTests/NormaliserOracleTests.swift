import EPGImport
import EPGModel
import Testing

/// The times that `tv_sort --by-channel` of the XMLTV project gives (its `t/data/tv_sort_by_channel_*.expected`).
///
/// It fills missing stops in by rule 1, leaves the last one open, and mends no overlaps; so each airing must be one of
/// its lines, and each of its starts must be there.
@Suite struct NormaliserOracleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The file, and the station in it.
        var testDescription: String
        var listings: [String]
        /// `?` where it leaves the stop open; markers of zero length left out.
        var sorted: [String]
    }

    static let rows: [Row] = [
        Row(
            testDescription: "sort.xml, 2",
            listings: ["A 03:35-?", "B 04:06-05:06"],
            sorted: ["03:35-04:06", "04:06-05:06"]),
        Row(
            testDescription: "sort1.xml, 1",
            listings: ["A 00:00-02:00", "B 03:00-?", "C 03:00-?", "D 00:00-?", "E 00:00-?", "F 00:00-01:00"],
            sorted: ["00:00-01:00", "00:00-02:00", "03:00-?"]),
        Row(
            testDescription: "sort2.xml, 2",
            listings: ["A 00:00-?", "B 00:00-01:00", "C 00:00-?"],
            sorted: ["00:00-01:00"]),
        Row(
            testDescription: "test_sort_by_channel.xml, 0",
            listings: ["A 00:00-?", "B 00:30-00:30", "C 00:00-00:10"],
            sorted: ["00:00-00:10"]),
        Row(
            testDescription: "dups.xml, 1",
            listings: ["A 11:31-?", "B 11:31:01-?", "A 11:31-?", "D 11:31:02-?", "B 11:31:01-11:31:02"],
            sorted: ["11:31-11:31:01", "11:31:01-11:31:02", "11:31:02-?"]),
        Row(
            testDescription: "dups.xml, c",
            listings: ["T 01:02-?", "T 01:02-?"],
            sorted: ["01:02-?"]),
        Row(
            testDescription: "overlap.xml, 1",
            listings: [
                "A 11:31-?", "B 11:31:01-?", "C 11:31-?", "D 11:31:01-?", "E 11:31:01-? +12", "F 11:31:01-?",
            ],
            sorted: ["11:31-11:31:01", "11:31:01-?"]),
        Row(
            testDescription: "overlap.xml, a",
            listings: ["Z 00:00-00:00", "H 00:00-01:00", "Y 00:30-00:30"],
            sorted: ["00:00-01:00"]),
        Row(
            testDescription: "clump_extract.xml",
            listings: ["K 08:00-09:00 0/2", "B 08:00-09:00 1/2"],
            sorted: ["08:00-09:00"]),
    ]

    @Test(arguments: rows) func missingStopsAreThoseOfTvSort(_ row: Row) {
        let result = Normaliser().normalise(NormaliserNotation.listings(row.listings))
        let sorted = row.sorted.map { NormaliserNotation.listing("X " + $0) }
        for airing in result.airings {
            let isOpen = sorted.contains { $0.start == airing.window.start && $0.stop == nil }
            #expect(
                isOpen
                    ? airing.isStopInferred
                    : sorted.contains { $0.start == airing.window.start && $0.stop == airing.window.end })
        }
        #expect(Set(result.airings.map(\.window.start)) == Set(sorted.map(\.start)))
    }

    /// `tv_remove_some_overlapping` drops a container that others tile; where it keeps both of a pair, one stands here.
    @Test func containersThatOthersTileGoAsWithTvRemoveSomeOverlapping() {
        let result = Normaliser().normalise(
            NormaliserNotation.listings([
                "Ca 07:00-07:45", "A0 07:00-07:05", "A1 07:05-07:15", "A2 07:15-07:45",
                "B0 08:00-08:05", "Cb 08:00-08:15", "B1 08:05-08:15",
            ]))
        #expect(
            result.airings.map(NormaliserNotation.text) == [
                "A0 07:00-07:05", "A1 07:05-07:15", "A2 07:15-07:45", "B0 08:00-08:05", "B1 08:05-08:15",
            ])
    }
}
