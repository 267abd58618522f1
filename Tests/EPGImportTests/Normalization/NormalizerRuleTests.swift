import EPGImport
import EPGModel
import TestSupport
import Testing

/// The tables of the rules: the argument is a case of one of them.
@Suite struct NormalizerTableTests {
    @Test(
        arguments: NormalizerStopTests.cases + NormalizerClumpTests.cases + NormalizerOverlapTests.cases
            + NormalizerContinuationTests.cases + NormalizerSharedStartTests.cases)
    func resultFollowsTheRules(_ row: NormalizerCase) {
        let result = row.result
        expectEqual(result.airings.map(NormalizerNotation.text), row.airings)
        expectEqual(result.repairs.map(NormalizerNotation.text).sorted(), row.repairs.sorted())
    }
}

/// Rules.md, rules 1 to 4, 13 and 14. Every expected value was calculated by hand.
@Suite struct NormalizerStopTests {
    static let cases: [NormalizerCase] = [
        NormalizerCase(
            "valid listings and gaps are unchanged",
            ["A 20:00-21:00", "B 21:00-21:30", "C 22:00-23:00"],
            gives: ["A 20:00-21:00", "B 21:00-21:30", "C 22:00-23:00"]),
        NormalizerCase(
            "1: a missing stop becomes the next start",
            ["A 20:00-?", "B 21:00-22:00"],
            gives: ["A 20:00-21:00 ?", "B 21:00-22:00"], repairs: ["missingstop inferredStop A 20:00 by B"]),
        NormalizerCase(
            "1: a missing stop becomes the next later start, which listings with an equal start share",
            ["A 20:00-? 0/2", "B 20:00-? 1/2", "C 21:00-22:00"],
            gives: ["A 20:00-21:00 ? 0/2", "B 20:00-21:00 ? 1/2", "C 21:00-22:00"],
            repairs: ["missingstop inferredStop A 20:00 by C", "missingstop inferredStop B 20:00 by C"]),
        NormalizerCase(
            "1: the stop of a listing with an equal start takes precedence over the next start",
            ["A 20:00-? 0/2", "B 20:00-20:40 1/2", "C 21:00-22:00"],
            gives: ["A 20:00-20:40 ? 0/2", "B 20:00-20:40 1/2", "C 21:00-22:00"],
            repairs: ["missingstop inferredStop A 20:00"]),
        NormalizerCase(
            "1: the last listing gets one hour",
            ["A 20:00-?"], gives: ["A 20:00-21:00 ?"], repairs: ["missingstop inferredStop A 20:00"]),
        NormalizerCase(
            "1 and 13: if the next start is beyond the cap, the stop is the cap",
            ["A 20:00-?", "B 92:00-93:00"],
            gives: ["A 20:00-44:00 ?", "B 92:00-93:00"], repairs: ["missingstop inferredStop A 20:00"]),
        NormalizerCase(
            "1: of several stops with an equal start, the earliest is used",
            ["A 20:00-? +30", "B 20:00-20:30", "C 20:00-21:00"],
            gives: ["A 20:00-20:30 ?", "C 20:30-21:00"],
            repairs: [
                "missingstop inferredStop A 20:00", "overlap dropped B 20:00 by A", "overlap continued C 20:00 by A",
            ]),
        NormalizerCase(
            "1: an implausible stop is not used for another listing",
            ["A 20:00-? +20", "B 20:00-2000:00"],
            gives: ["A 20:00-21:00 ?"],
            repairs: ["missingstop inferredStop A 20:00", "overlap dropped B 20:00 by A"]),
        NormalizerCase(
            "2: a zero-length listing that another listing covers is a heading and is dropped",
            ["M 20:00-20:00", "A 20:00-21:00"],
            gives: ["A 20:00-21:00"], repairs: ["zerolength dropped M 20:00 by A"]),
        NormalizerCase(
            "2: a heading trims no airing",
            ["A 20:00-21:00", "M 20:30-20:30", "B 21:30-22:00"],
            gives: ["A 20:00-21:00", "B 21:30-22:00"], repairs: ["zerolength dropped M 20:30 by B"]),
        NormalizerCase(
            "2: a zero-length listing that nothing covers lasts until the next start, or an hour at the end",
            ["A 20:00-21:00", "B 21:00-21:00", "C 21:40-22:00", "D 22:00-22:00", "E 22:10-22:10"],
            gives: ["A 20:00-21:00", "B 21:00-21:40 ?", "C 21:40-22:00", "D 22:00-22:10 ?", "E 22:10-23:10 ?"],
            repairs: [
                "zerolength inferredStop B 21:00 by C", "zerolength inferredStop D 22:00 by E",
                "zerolength inferredStop E 22:10",
            ]),
        NormalizerCase(
            "2: a zero-length listing that only an implausibly long one covers is no heading",
            ["T 00:00-99:00", "A 20:00-20:00", "B 21:00-22:00"],
            gives: ["T 00:00-20:00", "A 20:00-21:00 ?", "B 21:00-22:00"],
            repairs: ["toolong trimmedStop T 00:00 by A", "zerolength inferredStop A 20:00 by B"]),
        NormalizerCase(
            "2: a zero-length listing without a title is a heading",
            ["A 20:00-?", "_ 20:30-20:30", "B 21:00-22:00"],
            gives: ["A 20:00-20:30 ?", "B 21:00-22:00"],
            repairs: ["missingstop inferredStop A 20:00", "zerolength dropped _ 20:30 by B"]),
        NormalizerCase(
            "2: a zero-length listing ends a listing without a stop, but one with an equal start does not",
            ["A 20:00-?", "M 20:00-20:00", "N 20:30-20:30", "B 21:00-22:00"],
            gives: ["A 20:00-20:30 ?", "N 20:30-21:00 ?", "B 21:00-22:00"],
            repairs: [
                "zerolength dropped M 20:00 by A", "missingstop inferredStop A 20:00 by N",
                "zerolength inferredStop N 20:30 by B",
            ]),
        NormalizerCase(
            "3: a stop before the start that is plausible a day later is that",
            ["A 23:30-00:12", "B 24:30-25:00"],
            gives: ["A 23:30-24:12 ?", "B 24:30-25:00"], repairs: ["badstop inferredStop A 23:30"]),
        NormalizerCase(
            "3: a stop of the next day is trimmed like any other",
            ["A 23:30-00:30", "B 24:20-25:00"],
            gives: ["A 23:30-24:20 ?", "B 24:20-25:00"], repairs: ["badstop inferredStop A 23:30 by B"]),
        NormalizerCase(
            "3: a stop before the start counts as missing if a day later it is more than twelve hours after the start",
            ["A 20:00-08:01", "B 20:45-21:00"],
            gives: ["A 20:00-20:45 ?", "B 20:45-21:00"], repairs: ["badstop inferredStop A 20:00 by B"]),
        NormalizerCase(
            "3: a stop before the start counts as missing if a later listing is within that time",
            ["A 23:30-01:00", "B 24:00-24:30"],
            gives: ["A 23:30-24:00 ?", "B 24:00-24:30"], repairs: ["badstop inferredStop A 23:30 by B"]),
        NormalizerCase(
            "4: of listings with the same window and title, the richest one stays",
            ["A1 20:00-21:00 +10", "A2 20:00-21:00 +30", "A3 20:00-21:00 +20"],
            gives: ["A2 20:00-21:00"],
            repairs: ["duplicate merged A3 20:00 by A2", "duplicate merged A1 20:00 by A2"]),
        NormalizerCase(
            "4: of equally rich listings, the one with a stop wins, then the smaller content key",
            ["A1 20:00-?", "A3 20:00-21:00", "A2 20:00-21:00"],
            gives: ["A2 20:00-21:00"],
            repairs: ["duplicate merged A3 20:00 by A2", "duplicate merged A1 20:00 by A2"]),
        NormalizerCase(
            "14: episodes with different numbers in one window are a double bill, in their order",
            ["A2 20:00-21:00 #38", "A1 20:00-21:00 #37"],
            gives: ["A1 20:00-21:00 0/2", "A2 20:00-21:00 1/2"], repairs: ["doublebill kept A1 20:00 by A2"]),
        NormalizerCase(
            "14: episodes with different subtitles are a double bill unless their numbers are equal",
            ["A1 20:00-20:30 ~1", "A2 20:00-20:30 ~2", "B1 21:00-21:30 ~1 #4 +9", "B2 21:00-21:30 ~2 #4"],
            gives: ["A1 20:00-20:30 0/2", "A2 20:00-20:30 1/2", "B2 21:00-21:30"],
            repairs: ["doublebill kept A1 20:00 by A2", "duplicate merged B1 21:00 by B2"]),
        NormalizerCase(
            "14: a listing without episode is a duplicate of any episode",
            ["A1 20:00-20:30 #1", "A2 20:00-20:30", "A3 20:00-20:30 #2"],
            gives: ["A1 20:00-20:30 0/2", "A3 20:00-20:30 1/2"],
            repairs: ["doublebill kept A1 20:00 by A3", "duplicate merged A2 20:00 by A1"]),
        NormalizerCase(
            "13: a listing of two days is trimmed at the cap",
            ["A 20:00-68:00"], gives: ["A 20:00-44:00"], repairs: ["toolong trimmedStop A 20:00"]),
        NormalizerCase(
            "13: a listing of two days is trimmed at the next start, however rich it is",
            ["A 20:00-68:00 +900", "B 22:00-23:00"],
            gives: ["A 20:00-22:00", "B 22:00-23:00"], repairs: ["toolong trimmedStop A 20:00 by B"]),
        NormalizerCase(
            "13: a listing of two days displaces no listing within it, even with the same title",
            ["A1 20:00-68:00 +900", "A2 22:00-23:00"],
            gives: ["A1 20:00-22:00", "A2 22:00-23:00"], repairs: ["toolong trimmedStop A1 20:00 by A2"]),
        NormalizerCase(
            "13: 24 hours are not too long", ["A 20:00-44:00"], gives: ["A 20:00-44:00"]),
    ]

    @Test func publishedTimesAreKeptOnlyIfWindowDiffers() {
        let result = Normalizer().normalize(
            NormalizerNotation.listings(["A 20:00-21:05", "B 21:00-22:00", "C 22:00-?", "D 23:00-22:30"]))
        expectEqual(
            result.airings.map(\.published),
            [
                PublishedTimes(start: NormalizerNotation.instant("20:00"), stop: NormalizerNotation.instant("21:05")),
                nil,
                PublishedTimes(start: NormalizerNotation.instant("22:00"), stop: nil),
                PublishedTimes(start: NormalizerNotation.instant("23:00"), stop: NormalizerNotation.instant("22:30")),
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
    func coverageExcludesInferredAndImplausibleStops(listings: [String], coverage: String) {
        expectEqual(
            Normalizer().normalize(NormalizerNotation.listings(listings)).coverage.map(NormalizerNotation.text),
            coverage)
    }

    @Test func noAiringsMeansNoCoverage() {
        expectEqual(Normalizer().normalize([]), NormalizedListings())
        let result = Normalizer().normalize(NormalizerNotation.listings(["_ 20:00-20:00"]))
        expectEmpty(result.airings)
        expectEqual(result.coverage, nil)
        expectEqual(result.repairs.count, 1)
    }

    @Test func policySetsCapAndAssumedLength() {
        let normalizer = Normalizer(NormalizationPolicy(longestAiringSeconds: 7200, assumedSeconds: 600))
        let result = normalizer.normalize(NormalizerNotation.listings(["A 10:00-?", "B 14:00-17:00", "C 20:00-?"]))
        expectEqual(
            result.airings.map(NormalizerNotation.text), ["A 10:00-12:00 ?", "B 14:00-16:00", "C 20:00-20:10 ?"])
        expectEqual(result.repairs.map(\.keyword), [.missingstop, .toolong, .missingstop])
    }

    @Test func policyIsClampedToItsRange() {
        let policy = NormalizationPolicy(longestAiringSeconds: .min, assumedSeconds: .max, longestProgrammeSeconds: 0)
        expectEqual(policy.longestAiringSeconds, 1)
        expectEqual(policy.assumedSeconds, 1)
        expectEqual(policy.longestProgrammeSeconds, 1)
    }
}

/// Rules.md, rule 5. The first two cases are the XMLTV project's `clump.xml` and `clump_extract_1.xml`.
@Suite struct NormalizerClumpTests {
    static let cases: [NormalizerCase] = [
        NormalizerCase(
            "parts share their window in the order of their indexes",
            ["B 17:25-18:00 1/2", "A 17:25-18:00 0/2"],
            gives: ["A 17:25-18:00 0/2", "B 17:25-18:00 1/2"]),
        NormalizerCase(
            "parts with the same title are not duplicates",
            ["A 23:59:58-23:59:59 0/3", "N 23:59:58-23:59:59 1/3", "N 23:59:58-23:59:59 2/3"],
            gives: ["A 23:59:58-23:59:59 0/3", "N 23:59:58-23:59:59 1/3", "N 23:59:58-23:59:59 2/3"]),
        NormalizerCase(
            "a part without a stop uses the stop of its clump, not an earlier stop of another clump",
            ["A 20:00-20:30 0/3", "B 20:00-21:00 0/2 +90", "C 20:00-? 1/2"],
            gives: ["B 20:00-21:00 0/2", "C 20:00-21:00 ? 1/2"],
            repairs: ["overlap dropped A 20:00 by B", "missingstop inferredStop C 20:00"]),
        NormalizerCase(
            "a repeated clump is merged",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "A 20:00-21:00 0/2", "B 20:00-21:00 1/2"],
            gives: ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2"],
            repairs: ["duplicate merged A 20:00 by A", "duplicate merged B 20:00 by B"]),
        NormalizerCase(
            "all parts of a clump are trimmed",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "C 20:50-21:30"],
            gives: ["A 20:00-20:50 0/2", "B 20:00-20:50 1/2", "C 20:50-21:30"],
            repairs: ["overlap trimmedStop A 20:00 by C", "overlap trimmedStop B 20:00 by C"]),
        NormalizerCase(
            "missing parts: existing parts stay",
            ["A 20:00-21:00 0/3", "C 20:00-21:00 2/3"],
            gives: ["A 20:00-21:00 0/3", "C 20:00-21:00 2/3"], repairs: ["badclump kept A 20:00"]),
        NormalizerCase(
            "a single part has the entire window",
            ["A 20:00-21:00 0/2", "B 21:00-22:00"],
            gives: ["A 20:00-21:00", "B 21:00-22:00"], repairs: ["badclump kept A 20:00"]),
        NormalizerCase(
            "duplicate indexes: the richer one wins",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "C 20:00-21:00 1/2 +30"],
            gives: ["A 20:00-21:00 0/2", "C 20:00-21:00 1/2"], repairs: ["badclump dropped B 20:00 by C"]),
        NormalizerCase(
            "differing counts are different clumps: the richer one wins",
            ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2", "C 20:00-21:00 1/3 +15"],
            gives: ["A 20:00-21:00 0/2", "B 20:00-21:00 1/2"], repairs: ["overlap dropped C 20:00 by A"]),
        NormalizerCase(
            "differing stops: the richer part wins",
            ["A 20:00-20:30 0/2 +30", "B 20:00-21:00 1/2"],
            gives: ["A 20:00-20:30"], repairs: ["badclump dropped B 20:00 by A", "badclump kept A 20:00"]),
        NormalizerCase(
            "differing starts: each part has its own window",
            ["A 20:00-21:00 0/2", "B 20:30-21:00 1/2"],
            gives: ["A 20:00-20:30", "B 20:30-21:00"],
            repairs: ["overlap trimmedStop A 20:00 by B", "badclump kept A 20:00", "badclump kept B 20:30"]),
    ]

    @Test func completeClumpHasNoRepairs() {
        expectEmpty(Self.cases[0].result.repairs)
        #expect(Self.cases[0].result.airings.allSatisfy { $0.published == nil })
    }
}

/// Rules.md, rule 6, as documented by `Normalizer`. Every expected value was calculated by hand.
@Suite struct NormalizerOverlapTests {
    static let cases: [NormalizerCase] = [
        NormalizerCase(
            "a later start trims the earlier listing, however rich that is",
            ["A 20:00-21:05 +900", "B 21:00-22:00 +1"],
            gives: ["A 20:00-21:00", "B 21:00-22:00"], repairs: ["overlap trimmedStop A 20:00 by B"]),
        NormalizerCase(
            "an overlap of one second is trimmed, also repeatedly",
            ["A 20:00-20:30:01", "B 20:30-21:00:01", "C 21:00-21:30"],
            gives: ["A 20:00-20:30", "B 20:30-21:00", "C 21:00-21:30"],
            repairs: ["overlap trimmedStop A 20:00 by B", "overlap trimmedStop B 20:30 by C"]),
        NormalizerCase(
            "equal windows: the richer one wins",
            ["A 20:00-21:00 +10", "B 20:00-21:00 +11"],
            gives: ["B 20:00-21:00"], repairs: ["overlap dropped A 20:00 by B"]),
        NormalizerCase(
            "equal windows and equally rich: the one with a published stop wins",
            ["A 20:00-?", "B 20:00-21:00"],
            gives: ["B 20:00-21:00"], repairs: ["overlap dropped A 20:00 by B"]),
        NormalizerCase(
            "equal starts: the richer one wins, and the longer one continues after it",
            ["A 20:00-21:00 +10", "B 20:00-20:30 +11"],
            gives: ["B 20:00-20:30", "A 20:30-21:00"], repairs: ["overlap continued A 20:00 by B"]),
        NormalizerCase(
            "equal starts: the station's own name wins against no title, however rich it is",
            ["S 20:00-21:00 +900", "A 20:00-21:00", "S 22:00-22:30 +900", "B 22:00-23:00"],
            gives: ["A 20:00-21:00", "B 22:00-23:00"],
            repairs: ["overlap dropped S 20:00 by A", "overlap dropped S 22:00 by B"]),
        NormalizerCase(
            "a listing with the station's own name, or without a title, displaces none within it",
            ["S 10:00-12:00 +900", "A 10:30-11:00", "_ 14:00-16:00 +900", "B 14:00-15:00"],
            gives: ["S 10:00-10:30", "A 10:30-11:00", "S 11:00-12:00", "B 14:00-15:00", "_ 15:00-16:00"],
            repairs: [
                "overlap trimmedStop S 10:00 by A", "overlap continued S 10:00 by A", "overlap continued _ 14:00 by B",
            ]),
        NormalizerCase(
            "equal starts and equally rich: the longer one wins, and the next start trims it",
            ["A 20:00-20:30", "B 20:00-21:10", "C 21:00-22:00"],
            gives: ["B 20:00-21:00", "C 21:00-22:00"],
            repairs: ["overlap dropped A 20:00 by B", "overlap trimmedStop B 20:00 by C"]),
        NormalizerCase(
            "a listing within a clearly richer one is dropped",
            ["A 19:30-22:30 +600", "B 20:00-20:30 +100"],
            gives: ["A 19:30-22:30"], repairs: ["overlap dropped B 20:00 by A"]),
        NormalizerCase(
            "a listing within another that isn't clearly richer trims it",
            ["A 19:30-22:30 +36", "B 20:00-20:30 +30"],
            gives: ["A 19:30-20:00", "B 20:00-20:30", "A 20:30-22:30"],
            repairs: ["overlap trimmedStop A 19:30 by B", "overlap continued A 19:30 by B"]),
        NormalizerCase(
            "a listing that ends with a richer one trims it",
            ["A 21:45-22:15 +600", "B 22:10-22:15"],
            gives: ["A 21:45-22:10", "B 22:10-22:15"], repairs: ["overlap trimmedStop A 21:45 by B"]),
        NormalizerCase(
            "a listing within another with the same title is dropped",
            ["A1 11:00-12:25", "A2 11:35-12:25"],
            gives: ["A1 11:00-12:25"], repairs: ["overlap dropped A2 11:35 by A1"]),
        NormalizerCase(
            "a listing within another with the same title stays if it is clearly richer",
            ["A1 11:00-12:25 +20", "A2 11:35-12:25 +40"],
            gives: ["A1 11:00-11:35", "A2 11:35-12:25"], repairs: ["overlap trimmedStop A1 11:00 by A2"]),
        NormalizerCase(
            "an all-day placeholder is trimmed at the first listing within it",
            ["T 00:00-24:00 +900", "A 06:00-07:00", "B 07:00-08:00", "C 20:00-21:00"],
            gives: [
                "T 00:00-06:00", "A 06:00-07:00", "B 07:00-08:00", "T 08:00-20:00", "C 20:00-21:00", "T 21:00-24:00",
            ],
            repairs: [
                "overlap trimmedStop T 00:00 by A", "overlap continued T 00:00 by B", "overlap continued T 00:00 by C",
            ]),
        NormalizerCase(
            "a long placeholder displaces no single listing, even with an equal start",
            ["T 00:00-24:00 +900", "A 06:00-07:00", "T 24:00-48:00 +900", "B 24:00-25:00"],
            gives: ["T 00:00-06:00", "A 06:00-07:00", "T 07:00-24:00", "B 24:00-25:00", "T 25:00-48:00"],
            repairs: [
                "overlap trimmedStop T 00:00 by A", "overlap continued T 00:00 by A", "overlap continued T 24:00 by B",
            ]),
        NormalizerCase(
            "a short container of two listings is also a placeholder",
            ["T 20:00-22:00 +900", "A 20:00-21:00", "B 21:00-22:00"],
            gives: ["A 20:00-21:00", "B 21:00-22:00"], repairs: ["overlap dropped T 20:00 by A"]),
        NormalizerCase(
            "a marathon is replaced by its parts",
            ["A1 12:00-15:00", "A2 12:00-13:00", "A3 13:00-14:00", "A4 14:00-15:00"],
            gives: ["A2 12:00-13:00", "A3 13:00-14:00", "A4 14:00-15:00"],
            repairs: ["overlap dropped A1 12:00 by A2"]),
        NormalizerCase(
            "a long rerun displaces half an hour with the same title",
            ["A1 22:00-28:00", "A2 22:00-22:30"],
            gives: ["A1 22:00-28:00"], repairs: ["overlap dropped A2 22:00 by A1"]),
        NormalizerCase(
            "a live broadcast of more than four hours wins against a short listing with the same start that leaves a gap",
            ["A 22:30-26:45", "B 22:30-23:00 +15", "C 26:45-27:30"],
            gives: ["A 22:30-26:45", "C 26:45-27:30"], repairs: ["overlap dropped B 22:30 by A"]),
        NormalizerCase(
            "without a gap, it does not",
            ["A 22:30-26:45", "B 22:30-23:00", "C 23:00-24:00", "D 24:00-27:30"],
            gives: ["B 22:30-23:00", "C 23:00-24:00", "D 24:00-27:30"], repairs: ["overlap dropped A 22:30 by B"]),
        NormalizerCase(
            "without a gap, it does if several listings agree on it and it is as rich",
            ["A1 22:30-26:45", "A2 22:30-26:45", "B 22:30-23:00", "C 26:30-27:30"],
            gives: ["A1 22:30-26:30", "C 26:30-27:30"],
            repairs: [
                "duplicate merged A2 22:30 by A1", "overlap dropped B 22:30 by A1", "overlap trimmedStop A1 22:30 by C",
            ]),
        NormalizerCase(
            "a listing that stops before it starts cuts no good listing",
            ["A 20:00-20:46", "B 20:05-19:50", "C 20:50-21:30"],
            gives: ["A 20:00-20:46", "C 20:50-21:30"], repairs: ["overlap dropped B 20:05 by A"]),
        NormalizerCase(
            "a listing that stops before it starts may cut the end of a listing",
            ["A 20:00-21:05", "B 21:00-20:30", "C 22:00-22:30"],
            gives: ["A 20:00-21:00", "B 21:00-22:00 ?", "C 22:00-22:30"],
            repairs: ["overlap trimmedStop A 20:00 by B", "badstop inferredStop B 21:00 by C"]),
        NormalizerCase(
            "with an equal start, an intact listing wins against a richer one that stops before it starts",
            ["A 20:00-20:46", "B 20:00-19:00 +90"],
            gives: ["A 20:00-20:46"], repairs: ["overlap dropped B 20:00 by A"]),
        NormalizerCase(
            "adjacent listings don't overlap",
            ["A 20:00-21:00 +1", "B 21:00-22:00 +900"], gives: ["A 20:00-21:00", "B 21:00-22:00"]),
    ]

    @Test(arguments: cases) func repairNamesRemainingWindow(_ row: NormalizerCase) {
        let result = row.result
        for repair in result.repairs {
            guard let window = repair.window else {
                #expect([.dropped, .merged].contains(repair.action))
                continue
            }
            let airings = result.airings.filter { $0.programme == repair.listing.programme && $0.published != nil }
            #expect(airings.contains { $0.window == window })
        }
    }
}

/// Rules.md, rule 16. Every expected value was calculated by hand.
@Suite struct NormalizerContinuationTests {
    static let cases: [NormalizerCase] = [
        NormalizerCase(
            "an airing continues after one within it",
            ["A 15:00-23:00", "B 18:00-22:00 +30"],
            gives: ["A 15:00-18:00", "B 18:00-22:00", "A 22:00-23:00"],
            repairs: ["overlap trimmedStop A 15:00 by B", "overlap continued A 15:00 by B"]),
        NormalizerCase(
            "the airing that began last continues first",
            ["A 10:00-14:00", "B 11:00-13:00", "C 12:00-12:30"],
            gives: ["A 10:00-11:00", "B 11:00-12:00", "C 12:00-12:30", "B 12:30-13:00", "A 13:00-14:00"],
            repairs: [
                "overlap trimmedStop A 10:00 by B", "overlap trimmedStop B 11:00 by C",
                "overlap continued B 11:00 by C",
                "overlap continued A 10:00 by C",
            ]),
        NormalizerCase(
            "a listing that lost against one with its start continues after it",
            ["A 15:00-16:00", "B 15:00-17:00", "C 16:00-16:30", "D 17:00-18:00"],
            gives: ["A 15:00-16:00", "C 16:00-16:30", "B 16:30-17:00", "D 17:00-18:00"],
            repairs: ["overlap continued B 15:00 by C"]),
        NormalizerCase(
            "of several listings that lost against one with their start, the first to stop continues first",
            ["A 15:00-15:30 +90", "B 15:00-16:00", "C 15:00-17:00", "D 18:00-19:00"],
            gives: ["A 15:00-15:30", "B 15:30-16:00", "C 16:00-17:00", "D 18:00-19:00"],
            repairs: ["overlap continued B 15:00 by A", "overlap continued C 15:00 by A"]),
        NormalizerCase(
            "a listing that lost against one with its start is dropped if less than five minutes are left",
            ["A 15:00-16:00 +20", "B 15:00-16:04"],
            gives: ["A 15:00-16:00"], repairs: ["overlap dropped B 15:00 by A"]),
        NormalizerCase(
            "a rest of less than five minutes stays a gap",
            ["A 20:00-21:04:59", "B 20:30-21:00", "C 22:00-23:00", "D 22:15-22:55"],
            gives: ["A 20:00-20:30", "B 20:30-21:00", "C 22:00-22:15", "D 22:15-22:55", "C 22:55-23:00"],
            repairs: [
                "overlap trimmedStop A 20:00 by B", "overlap trimmedStop C 22:00 by D",
                "overlap continued C 22:00 by D",
            ]),
        NormalizerCase(
            "neither an implausibly long airing nor one with an inferred stop continues",
            ["A 00:00-30:00", "B 10:00-11:00", "C 32:00-31:00", "D 33:00-33:30"],
            gives: ["A 00:00-10:00", "B 10:00-11:00", "C 32:00-33:00 ?", "D 33:00-33:30"],
            repairs: ["toolong trimmedStop A 00:00 by B", "badstop inferredStop C 32:00 by D"]),
    ]

    @Test func continuationKeepsPublishedTimesAndExtendsCoverage() {
        let result = Normalizer().normalize(NormalizerNotation.listings(["A 15:00-23:00", "B 18:00-22:00"]))
        expectEqual(result.airings.map(\.isContinuation), [false, false, true])
        expectEqual(result.airings[2].published, NormalizerNotation.listing("A 15:00-23:00").published)
        expectEqual(result.coverage.map(NormalizerNotation.text), "15:00-23:00")
    }
}

/// Rules.md, rule 20. Every expected value was calculated by hand.
@Suite struct NormalizerSharedStartTests {
    /// Half hours whose times were rounded down to hours: the first one has no length, the second one an hour.
    private static let half = (6..<12).flatMap { ["B\($0) \($0):00-\($0):00", "C\($0) \($0):00-\($0 + 1):00"] }

    static let cases: [NormalizerCase] = [
        NormalizerCase(
            "programmes whose starts were rounded down share the time until the next one, in the order of the feed",
            half + ["A 12:00-?", "B 12:00-?", "D 14:00-15:00"],
            gives: (6..<12).flatMap {
                ["B\($0) \(two($0)):00-\(two($0 + 1)):00 ? 0/2", "C\($0) \(two($0)):00-\(two($0 + 1)):00 1/2"]
            }
                + ["A 12:00-14:00 ? 0/2", "B 12:00-14:00 ? 1/2", "D 14:00-15:00"],
            repairs: (6..<12).flatMap {
                [
                    "sharedstart kept B\($0) \(two($0)):00 by C\($0)",
                    "zerolength inferredStop B\($0) \(two($0)):00 by " + next(after: $0),
                ]
            } + [
                "sharedstart kept A 12:00 by B", "missingstop inferredStop A 12:00 by D",
                "missingstop inferredStop B 12:00 by D",
            ]),
        NormalizerCase(
            "a single listing of zero length at the start of another listing is a heading",
            ["B 06:00-06:00", "C 06:00-07:00", "D 07:00-08:00"],
            gives: ["C 06:00-07:00", "D 07:00-08:00"], repairs: ["zerolength dropped B 06:00 by C"]),
        NormalizerCase(
            "releases at one moment share the time of the longest one",
            ["A 12:00-12:30 *", "B1 12:00-13:00 #1 *", "B2 12:00-13:00 #2 *", "C 18:00-18:20 *"],
            gives: ["A 12:00-13:00 ? 0/3", "B1 12:00-13:00 1/3", "B2 12:00-13:00 2/3", "C 18:00-18:20"],
            repairs: [
                "doublebill kept B1 12:00 by B2", "sharedstart kept A 12:00 by B1",
                "sharedstart inferredStop A 12:00",
            ]),
    ]

    private static func two(_ hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }

    /// The listing that starts at the end of an hour.
    private static func next(after hour: Int) -> String { hour == 11 ? "A" : "B\(hour + 1)" }
}

/// Rules.md, rule 17.
@Suite struct NormalizerTwoScheduleTests {
    /// A schedule of hours from 6:00 to 24:00, and one of 45 minutes from 6:15 to 23:30.
    private static let hours = (6..<24).map { "A\($0) \($0):00-\($0 + 1):00" }
    private static let others = (0..<23).map { index in
        let minutes = 375 + 45 * index
        return "\(Character(Unicode.Scalar(UInt8(98 + index)))) "
            + NormalizerNotation.text(
                TimeWindow(
                    start: NormalizerNotation.instant("\(minutes / 60):\(minutes % 60)"),
                    end: NormalizerNotation.instant("\((minutes + 45) / 60):\((minutes + 45) % 60)")))
    }

    @Test func scheduleThatFillsMoreTimeIsKeptWhole() {
        let result = Normalizer().normalize(NormalizerNotation.listings(Self.hours + Self.others).shuffled())
        expectEqual(
            result.airings.map(NormalizerNotation.text),
            NormalizerNotation.listings(Self.hours).map {
                NormalizerNotation.text($0)
            })
        #expect(result.airings.allSatisfy { $0.published == nil })
        expectEqual(result.repairs.count { $0.keyword == .overlap && $0.action == .dropped }, Self.others.count)
        expectEqual(result.repairs.filter { $0.keyword == .twoschedules }.map(\.action), [.kept])
    }

    /// The second schedule fills more time. Half an hour in its middle is the same in both; the richer copy is in the first one.
    @Test func listingOfBothSchedulesBelongsToBoth() {
        let first =
            (6..<9).map { "A\($0) \($0):15-\($0):55" } + ["Z 9:00-9:30 +20"]
            + (9..<12).map { "A\($0) \($0):45-\($0 + 1):25" }
        let second =
            (6..<9).map { "B\($0) \($0):00-\($0 + 1):00" } + ["Z 9:00-9:30"]
            + (9..<12).map { "B\($0) \($0):30-\($0 + 1):30" }
        let result = Normalizer().normalize(NormalizerNotation.listings(first + second))
        expectEqual(
            result.airings.map(NormalizerNotation.text),
            NormalizerNotation.listings(second).map { NormalizerNotation.text($0) })
    }

    /// Two feeds of one schedule, one of which is five minutes late: the chain fills all the time.
    @Test func shiftedSchedulesWithEqualTitlesAreNotCutToPieces() {
        let listings = (0..<8).flatMap { index -> [String] in
            let start = 320 + 30 * index
            return [start, start + 5].map { minute in
                "A\(minute) \(minute / 60):\(minute % 60)-\((minute + 30) / 60):\((minute + 30) % 60)"
            }
        }
        let result = Normalizer().normalize(NormalizerNotation.listings(listings).shuffled())
        expectEqual(result.airings.count, 8)
        #expect(result.airings.allSatisfy { $0.published == nil && $0.window.seconds == 1800 })
        expectEqual(result.repairs.count { $0.action == .dropped }, 8)
    }

    @Test func fewConflictsAreTrimmed() {
        let result = Normalizer().normalize(
            NormalizerNotation.listings(Self.hours + ["b 12:15-13:15", "c 18:15-19:15"]))
        #expect(!result.repairs.contains { $0.keyword == .twoschedules })
        expectEqual(result.repairs.count { $0.action == .trimmedStop }, 4)
    }

    @Test func listingsThatAllRunOverAreOneSchedule() {
        let late = (6..<24).map { "\(Character(Unicode.Scalar(UInt8(91 + $0)))) \($0):00-\($0 + 1):08" }
        let result = Normalizer().normalize(NormalizerNotation.listings(late))
        expectEqual(result.airings.count, late.count)
        #expect(result.repairs.allSatisfy { $0.action == .trimmedStop })
    }
}
