import EPGModel
import Testing

/// Rule 6 of facts/xmltv, section 3, as `Normaliser` documents it; every expected value was reckoned by hand.
@Suite struct NormaliserOverlapTests {
    static let cases: [NormaliserCase] = [
        NormaliserCase(
            "the later start trims the earlier one, however rich that is",
            ["A 20:00-21:05 +900", "B 21:00-22:00 +1"],
            gives: ["A 20:00-21:00", "B 21:00-22:00"], repairs: ["overlap trimmedStop A 20:00 by B"]),
        NormaliserCase(
            "one second too long is trimmed, also in a row",
            ["A 20:00-20:30:01", "B 20:30-21:00:01", "C 21:00-21:30"],
            gives: ["A 20:00-20:30", "B 20:30-21:00", "C 21:00-21:30"],
            repairs: ["overlap trimmedStop A 20:00 by B", "overlap trimmedStop B 20:30 by C"]),
        NormaliserCase(
            "equal windows: the richer one stands",
            ["A 20:00-21:00 +10", "B 20:00-21:00 +11"],
            gives: ["B 20:00-21:00"], repairs: ["overlap dropped A 20:00 by B"]),
        NormaliserCase(
            "equal windows and equally rich: the one with a stop of its own stands",
            ["A 20:00-?", "B 20:00-21:00"],
            gives: ["B 20:00-21:00"], repairs: ["overlap dropped A 20:00 by B"]),
        NormaliserCase(
            "equal starts: the richer one stands",
            ["A 20:00-21:00 +10", "B 20:00-20:30 +11"],
            gives: ["B 20:00-20:30"], repairs: ["overlap dropped A 20:00 by B"]),
        NormaliserCase(
            "equal starts and equally rich: the longer one stands, and the next start trims it",
            ["A 20:00-20:30", "B 20:00-21:10", "C 21:00-22:00"],
            gives: ["B 20:00-21:00", "C 21:00-22:00"],
            repairs: ["overlap dropped A 20:00 by B", "overlap trimmedStop B 20:00 by C"]),
        NormaliserCase(
            "one within a clearly richer one goes",
            ["A 19:30-22:30 +600", "B 20:00-20:30 +100"],
            gives: ["A 19:30-22:30"], repairs: ["overlap dropped B 20:00 by A"]),
        NormaliserCase(
            "one within another that isn't clearly richer trims it",
            ["A 19:30-22:30 +36", "B 20:00-20:30 +30"],
            gives: ["A 19:30-20:00", "B 20:00-20:30"], repairs: ["overlap trimmedStop A 19:30 by B"]),
        NormaliserCase(
            "one that ends with a richer one trims it: nothing is lost",
            ["A 21:45-22:15 +600", "B 22:10-22:15"],
            gives: ["A 21:45-22:10", "B 22:10-22:15"], repairs: ["overlap trimmedStop A 21:45 by B"]),
        NormaliserCase(
            "one of the same title within another goes",
            ["A1 11:00-12:25", "A2 11:35-12:25"],
            gives: ["A1 11:00-12:25"], repairs: ["overlap dropped A2 11:35 by A1"]),
        NormaliserCase(
            "one of the same title within another stays where it is clearly richer",
            ["A1 11:00-12:25 +20", "A2 11:35-12:25 +40"],
            gives: ["A1 11:00-11:35", "A2 11:35-12:25"], repairs: ["overlap trimmedStop A1 11:00 by A2"]),
        NormaliserCase(
            "a day of 'to be announced' keeps what stands before the first real one",
            ["T 00:00-24:00 +900", "A 06:00-07:00", "B 07:00-08:00", "C 20:00-21:00"],
            gives: ["T 00:00-06:00", "A 06:00-07:00", "B 07:00-08:00", "C 20:00-21:00"],
            repairs: ["overlap trimmedStop T 00:00 by A"]),
        NormaliserCase(
            "a long placeholder doesn't displace even a single one, nor one that starts with it",
            ["T 00:00-24:00 +900", "A 06:00-07:00", "T 24:00-48:00 +900", "B 24:00-25:00"],
            gives: ["T 00:00-06:00", "A 06:00-07:00", "B 24:00-25:00"],
            repairs: ["overlap trimmedStop T 00:00 by A", "overlap dropped T 24:00 by B"]),
        NormaliserCase(
            "a short container with two others within it is a placeholder too",
            ["T 20:00-22:00 +900", "A 20:00-21:00", "B 21:00-22:00"],
            gives: ["A 20:00-21:00", "B 21:00-22:00"], repairs: ["overlap dropped T 20:00 by A"]),
        NormaliserCase(
            "a marathon gives way to its parts",
            ["A1 12:00-15:00", "A2 12:00-13:00", "A3 13:00-14:00", "A4 14:00-15:00"],
            gives: ["A2 12:00-13:00", "A3 13:00-14:00", "A4 14:00-15:00"],
            repairs: ["overlap dropped A1 12:00 by A2"]),
        NormaliserCase(
            "a night rerun stands against half an hour of itself",
            ["A1 22:00-28:00", "A2 22:00-22:30"],
            gives: ["A1 22:00-28:00"], repairs: ["overlap dropped A2 22:00 by A1"]),
        NormaliserCase(
            "two that merely touch don't overlap",
            ["A 20:00-21:00 +1", "B 21:00-22:00 +900"], gives: ["A 20:00-21:00", "B 21:00-22:00"]),
    ]

    @Test(arguments: cases) func overlapsAreDecidedByTheDocumentedRule(_ row: NormaliserCase) {
        let result = row.result
        #expect(result.airings.map(NormaliserNotation.text) == row.airings)
        #expect(result.repairs.map(NormaliserNotation.text).sorted() == row.repairs.sorted())
    }

    @Test(arguments: cases) func aRepairNamesTheWindowThatIsLeft(_ row: NormaliserCase) {
        let result = row.result
        for repair in result.repairs {
            let airing = result.airings.first { $0.programme == repair.listing.programme && $0.published != nil }
            #expect(repair.window == (repair.action == .dropped ? nil : airing?.window))
        }
    }
}
