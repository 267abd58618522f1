import EPGModel
import Testing

/// Rule 5 of facts/xmltv, section 3; the first two are the XMLTV project's `clump.xml` and `clump_extract_1.xml`.
@Suite struct NormaliserClumpTests {
    static let cases: [NormaliserCase] = [
        NormaliserCase(
            "parts share their window in the order of index",
            ["B 17:25-18:00 1/2", "A 17:25-18:00 0/2"],
            gives: ["A 17:25-18:00 0/2", "B 17:25-18:00 1/2"]),
        NormaliserCase(
            "parts of one title are no duplicates",
            ["A 23:59:58-23:59:59 0/3", "N 23:59:58-23:59:59 1/3", "N 23:59:58-23:59:59 2/3"],
            gives: ["A 23:59:58-23:59:59 0/3", "N 23:59:58-23:59:59 1/3", "N 23:59:58-23:59:59 2/3"]),
        NormaliserCase(
            "a part without a stop borrows that of its clump, not an earlier one of another",
            ["A 20:00-20:30 0/3", "B 20:00-21:00 0/2 +90", "C 20:00-? 1/2"],
            gives: ["B 20:00-21:00 0/2", "C 20:00-21:00 ? 1/2"],
            repairs: ["overlap dropped A 20:00 by B", "missingstop inferredStop C 20:00"]),
        NormaliserCase(
            "a clump that came twice is one",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "A 20:00-21:00 0/2", "B 20:00-21:00 1/2"],
            gives: ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2"],
            repairs: ["duplicate merged A 20:00 by A", "duplicate merged B 20:00 by B"]),
        NormaliserCase(
            "a clump is trimmed as a whole",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "C 20:50-21:30"],
            gives: ["A 20:00-20:50 0/2", "B 20:00-20:50 1/2", "C 20:50-21:30"],
            repairs: ["overlap trimmedStop A 20:00 by C", "overlap trimmedStop B 20:00 by C"]),
        NormaliserCase(
            "missing parts: what is there stays",
            ["A 20:00-21:00 0/3", "C 20:00-21:00 2/3"],
            gives: ["A 20:00-21:00 0/3", "C 20:00-21:00 2/3"], repairs: ["badclump kept A 20:00"]),
        NormaliserCase(
            "a part that is alone has the window for itself",
            ["A 20:00-21:00 0/2", "B 21:00-22:00"],
            gives: ["A 20:00-21:00", "B 21:00-22:00"], repairs: ["badclump kept A 20:00"]),
        NormaliserCase(
            "duplicate indexes: the richer one stands",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "C 20:00-21:00 1/2 +30"],
            gives: ["A 20:00-21:00 0/2", "C 20:00-21:00 1/2"], repairs: ["badclump dropped B 20:00 by C"]),
        NormaliserCase(
            "differing counts are different clumps: the richer one stands",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "C 20:00-21:00 1/3 +15"],
            gives: ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2"], repairs: ["overlap dropped C 20:00 by A"]),
        NormaliserCase(
            "differing stops: the richer part stands",
            ["A 20:00-20:30 0/2 +30", "B 20:00-21:00 1/2"],
            gives: ["A 20:00-20:30"], repairs: ["badclump dropped B 20:00 by A", "badclump kept A 20:00"]),
        NormaliserCase(
            "differing starts: each has its own window",
            ["A 20:00-21:00 0/2", "B 20:30-21:00 1/2"],
            gives: ["A 20:00-20:30", "B 20:30-21:00"],
            repairs: ["overlap trimmedStop A 20:00 by B", "badclump kept A 20:00", "badclump kept B 20:30"]),
    ]

    @Test(arguments: cases) func clumpsShareAWindowAndBrokenOnesAreMended(_ row: NormaliserCase) {
        let result = row.result
        #expect(result.airings.map(NormaliserNotation.text) == row.airings)
        #expect(result.repairs.map(NormaliserNotation.text).sorted() == row.repairs.sorted())
    }

    @Test func aWholeClumpHasNothingToReport() {
        #expect(Self.cases[0].result.repairs.isEmpty)
        #expect(Self.cases[0].result.airings.allSatisfy { $0.published == nil })
    }
}
