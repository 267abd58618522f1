import EPGImport
import EPGModel
import Testing

/// Rules 1 to 4 and 13 of facts/xmltv, section 3; every expected value was reckoned by hand.
@Suite struct NormaliserStopTests {
    static let cases: [NormaliserCase] = [
        NormaliserCase(
            "what is clean stays as it is, gaps and all",
            ["A 20:00-21:00", "B 21:00-21:30", "C 22:00-23:00"],
            gives: ["A 20:00-21:00", "B 21:00-21:30", "C 22:00-23:00"]),
        NormaliserCase(
            "1: a missing stop is the next start",
            ["A 20:00-?", "B 21:00-22:00"],
            gives: ["A 20:00-21:00 ?", "B 21:00-22:00"], repairs: ["missingstop inferredStop A 20:00 by B"]),
        NormaliserCase(
            "1: it is the next start that is strictly later, and those with an equal start share it",
            ["A 20:00-? 0/2", "B 20:00-? 1/2", "C 21:00-22:00"],
            gives: ["A 20:00-21:00 ? 0/2", "B 20:00-21:00 ? 1/2", "C 21:00-22:00"],
            repairs: ["missingstop inferredStop A 20:00 by C", "missingstop inferredStop B 20:00 by C"]),
        NormaliserCase(
            "1: with an equal start the stop of the one that has it is borrowed, though the next start is later",
            ["A 20:00-? 0/2", "B 20:00-20:40 1/2", "C 21:00-22:00"],
            gives: ["A 20:00-20:40 ? 0/2", "B 20:00-20:40 1/2", "C 21:00-22:00"],
            repairs: ["missingstop inferredStop A 20:00"]),
        NormaliserCase(
            "1: the last one gets the assumed hour",
            ["A 20:00-?"], gives: ["A 20:00-21:00 ?"], repairs: ["missingstop inferredStop A 20:00"]),
        NormaliserCase(
            "1 and 13: a next start three days later is no stop: the cap is",
            ["A 20:00-?", "B 92:00-93:00"],
            gives: ["A 20:00-44:00 ?", "B 92:00-93:00"], repairs: ["missingstop inferredStop A 20:00"]),
        NormaliserCase(
            "1: of several stops at an equal start the earliest is borrowed",
            ["A 20:00-? +30", "B 20:00-20:30", "C 20:00-21:00"],
            gives: ["A 20:00-20:30 ?"],
            repairs: [
                "missingstop inferredStop A 20:00", "overlap dropped B 20:00 by A", "overlap dropped C 20:00 by A",
            ]),
        NormaliserCase(
            "1: an absurd stop isn't borrowed",
            ["A 20:00-? +20", "B 20:00-2000:00"],
            gives: ["A 20:00-21:00 ?"],
            repairs: ["missingstop inferredStop A 20:00", "overlap dropped B 20:00 by A"]),
        NormaliserCase(
            "2: zero length heads the next airing and isn't one",
            ["M 20:00-20:00", "A 20:00-21:00"],
            gives: ["A 20:00-21:00"], repairs: ["zerolength dropped M 20:00 by A"]),
        NormaliserCase(
            "2: a marker in the middle trims nothing, and one after the last airing heads nothing",
            ["A 20:00-21:00", "M 20:30-20:30", "B 21:30-22:00", "N 23:00-23:00"],
            gives: ["A 20:00-21:00", "B 21:30-22:00"],
            repairs: ["zerolength dropped M 20:30 by B", "zerolength dropped N 23:00"]),
        NormaliserCase(
            "2: a marker ends one without a stop, and none is borrowed from it",
            ["A 20:00-?", "M 20:00-20:00", "N 20:30-20:30", "B 21:00-22:00"],
            gives: ["A 20:00-20:30 ?", "B 21:00-22:00"],
            repairs: [
                "zerolength dropped M 20:00 by A", "missingstop inferredStop A 20:00",
                "zerolength dropped N 20:30 by B",
            ]),
        NormaliserCase(
            "3: a stop before the start counts as missing (a day too early, at midnight)",
            ["A 23:30-00:00", "B 24:00-24:30"],
            gives: ["A 23:30-24:00 ?", "B 24:00-24:30"], repairs: ["badstop inferredStop A 23:30 by B"]),
        NormaliserCase(
            "4: the same window and title is one airing, the richer one",
            ["A1 20:00-21:00 +10", "A2 20:00-21:00 +30", "A3 20:00-21:00 +20"],
            gives: ["A2 20:00-21:00"],
            repairs: ["duplicate merged A3 20:00 by A2", "duplicate merged A1 20:00 by A2"]),
        NormaliserCase(
            "4: of two that are equally rich the one with a stop stands, then the lesser content key",
            ["A1 20:00-?", "A3 20:00-21:00", "A2 20:00-21:00"],
            gives: ["A2 20:00-21:00"],
            repairs: ["duplicate merged A3 20:00 by A2", "duplicate merged A1 20:00 by A2"]),
        NormaliserCase(
            "13: two days are cut at the cap",
            ["A 20:00-68:00"], gives: ["A 20:00-44:00"], repairs: ["toolong trimmedStop A 20:00"]),
        NormaliserCase(
            "13: two days are cut at the next start, however rich they are",
            ["A 20:00-68:00 +900", "B 22:00-23:00"],
            gives: ["A 20:00-22:00", "B 22:00-23:00"], repairs: ["toolong trimmedStop A 20:00 by B"]),
        NormaliserCase(
            "13: two days don't displace what is within them, not even of the same title",
            ["A1 20:00-68:00 +900", "A2 22:00-23:00"],
            gives: ["A1 20:00-22:00", "A2 22:00-23:00"], repairs: ["toolong trimmedStop A1 20:00 by A2"]),
        NormaliserCase(
            "13: 24 hours are not too long", ["A 20:00-44:00"], gives: ["A 20:00-44:00"]),
    ]

    @Test(arguments: cases) func stopsAndLengthsFollowTheRules(_ row: NormaliserCase) {
        let result = row.result
        #expect(result.airings.map(NormaliserNotation.text) == row.airings)
        #expect(result.repairs.map(NormaliserNotation.text).sorted() == row.repairs.sorted())
    }

    @Test func publishedTimesAreKeptWhereTheWindowDiffersAndOnlyThere() {
        let result = Normaliser().normalise(
            NormaliserNotation.listings(["A 20:00-21:05", "B 21:00-22:00", "C 22:00-?", "D 23:00-22:30"]))
        #expect(
            result.airings.map(\.published) == [
                PublishedTimes(start: NormaliserNotation.instant("20:00"), stop: NormaliserNotation.instant("21:05")),
                nil,
                PublishedTimes(start: NormaliserNotation.instant("22:00"), stop: nil),
                PublishedTimes(start: NormaliserNotation.instant("23:00"), stop: NormaliserNotation.instant("22:30")),
            ])
    }

    @Test(arguments: [
        (["A 20:00-21:00", "B 22:00-23:00"], "20:00-23:00"),
        (["A 20:00-21:00", "B 22:00-?"], "20:00-22:00:01"),
        (["A 20:00-?"], "20:00-20:00:01"),
        (["A 20:00-21:00", "B 22:00-100000:00"], "20:00-22:00:01"),
        (["A 20:00-100000:00", "B 22:00-23:00"], "20:00-23:00"),
        (["A 20:00-? 1/2", "B 20:00-20:40 0/2"], "20:00-20:40"),
    ])
    func coverageLeavesOutWhatIsInferredOrAbsurd(listings: [String], coverage: String) {
        #expect(
            Normaliser().normalise(NormaliserNotation.listings(listings)).coverage.map(NormaliserNotation.text)
                == coverage)
    }

    @Test func nothingIsCoveredWhereNoAiringIsLeft() {
        #expect(Normaliser().normalise([]) == NormalisedListings())
        let result = Normaliser().normalise(NormaliserNotation.listings(["M 20:00-20:00"]))
        #expect(result.airings.isEmpty && result.coverage == nil && result.repairs.count == 1)
    }

    @Test func thePolicySetsTheCapAndTheAssumedLength() {
        let normaliser = Normaliser(NormalisationPolicy(longestAiringSeconds: 7200, assumedSeconds: 600))
        let result = normaliser.normalise(NormaliserNotation.listings(["A 10:00-?", "B 14:00-17:00", "C 20:00-?"]))
        #expect(result.airings.map(NormaliserNotation.text) == ["A 10:00-12:00 ?", "B 14:00-16:00", "C 20:00-20:10 ?"])
        #expect(result.repairs.map(\.keyword) == [.missingstop, .toolong, .missingstop])
    }

    @Test func aPolicyOutOfRangeIsBroughtIntoIt() {
        let policy = NormalisationPolicy(longestAiringSeconds: .min, assumedSeconds: .max, longestProgrammeSeconds: 0)
        #expect(policy.longestAiringSeconds == 1 && policy.assumedSeconds == 1 && policy.longestProgrammeSeconds == 1)
    }
}
