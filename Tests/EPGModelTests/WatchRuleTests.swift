import EPGModel
import TestSupport
import Testing

/// Tests of watch rules, times of day, and the identity of episodes.
@Suite struct WatchRuleTests {
    @Test(
        arguments: [
            ("20:00-23:00", 1200, 1380), ("22:00–1:30", 1320, 90), (" 0:00 - 24:00 ", 0, 1440),
            ("23:00-0:00", 1380, 1440),
            // Invalid texts are rejected.
            ("", nil, nil), ("20:00", nil, nil), ("20-23", nil, nil), ("20:00-20:00", nil, nil),
            ("20:60-21:00", nil, nil), ("24:01-25:00", nil, nil), ("24:00-1:00", nil, nil), ("-1:00-2:00", nil, nil),
            ("20:00-21:00-22:00", nil, nil), ("2:0-3:00", nil, nil),
        ] as [(String, Int?, Int?)]) func timesOfDayAreParsed(text: String, start: Int?, end: Int?)
    {
        let times = TimesOfDay(text)
        expectEqual(times?.start, start)
        expectEqual(times?.end, end)
        expectEqual(times.flatMap { TimesOfDay($0.description) }, times)
    }

    @Test func timesOfDayAreHalfOpenAndMayExtendOverMidnight() throws {
        let evening = try #require(TimesOfDay("20:00-23:00")), night = try #require(TimesOfDay("23:00-1:00"))
        expectEqual([1199, 1200, 1379, 1380].map(evening.contains), [false, true, true, false])
        expectEqual([1379, 1380, 1439, 0, 59, 60].map(night.contains), [false, true, true, true, true, false])
    }

    @Test func ruleNeedsAConditionThatSelectsProgrammes() {
        #expect(throws: WatchRuleError.matchesEverything) { try WatchRule(name: "all", WatchConditions()) }
        #expect(throws: WatchRuleError.matchesEverything) {
            try WatchRule(
                name: "all",
                WatchConditions(excludedWords: ["news"], times: TimesOfDay("20:00-21:00"), isNew: true))
        }
    }

    @Test func numberAndLengthOfTextsAreLimited() throws {
        let texts = (0...20).map { "word \($0)" }
        _ = try WatchRule(name: "a", WatchConditions(anyWords: Array(texts.dropLast())))
        for (conditions, error) in [
            (WatchConditions(anyWords: texts), WatchRuleError.tooManyTexts(.any)),
            (WatchConditions(title: "a", excludedWords: texts), .tooManyTexts(.without)),
            (WatchConditions(anyWords: ["a", " "]), .invalid(.any)),
            (WatchConditions(title: "a", excludedWords: [String(repeating: "a", count: 1001)]), .invalid(.without)),
        ] {
            #expect(throws: error) { try WatchRule(name: "a", conditions) }
        }
    }

    @Test(arguments: [".", ".."]) func namesThatURLsCannotContainAreRejected(name: String) {
        #expect(throws: WatchRuleError.relativeName) { try WatchRule(name: name, WatchConditions(title: "a")) }
        #expect(throws: WatchRuleError.relativeName) {
            try WatchRule(name: "a", profile: name, WatchConditions(title: "a"))
        }
    }

    @Test(
        arguments: [
            ("", "default", "title", 5, WatchRuleError.Field.name), ("a\nb", "default", "title", 5, .name),
            (String(repeating: "n", count: 201), "default", "title", 5, .name), ("a", " ", "title", 5, .profile),
            ("a", "default", " ", 5, .title), ("a", "default", "a\u{7}", 5, .title),
            ("a", "default", String(repeating: "t", count: 1001), 5, .title),
            ("a", "default", "title", -1, .minutesBefore),
            ("a", "default", "title", 10_081, .minutesBefore),
        ] as [(String, String, String, Int, WatchRuleError.Field)])
    func invalidValuesAreRejected(
        name: String, profile: String, title: String, minutes: Int, field: WatchRuleError.Field
    ) {
        #expect(throws: WatchRuleError.invalid(field)) {
            try WatchRule(name: name, profile: profile, WatchConditions(title: title), minutesBefore: minutes)
        }
    }

    private func programme(
        _ title: String, _ subtitle: String? = nil, _ description: String? = nil, numbers: [EpisodeNumber] = []
    ) -> Programme {
        var programme = Programme()
        programme.titles = [LocalizedText(title)]
        programme.subtitles = [subtitle].compactMap { $0.map { LocalizedText($0) } }
        programme.descriptions = [description].compactMap { $0.map { LocalizedText($0) } }
        programme.episodeNumbers = numbers
        return programme
    }

    @Test func episodesWithEqualNumbersAreOneEpisode() {
        let first = programme("Harbor", "One", "A", numbers: [EpisodeNumber(value: "0.4.", system: "xmltv_ns")])
        let repeated = programme("HARBOR", "1", nil, numbers: [EpisodeNumber(value: "S01E05", system: "SxxExx")])
        let next = programme("Harbor", "One", "A", numbers: [EpisodeNumber(value: "0.5.", system: "xmltv_ns")])
        let other = programme("Tide", "One", "A", numbers: [EpisodeNumber(value: "0.4.", system: "xmltv_ns")])
        #expect(EpisodeIdentity(first) != nil)
        expectEqual(EpisodeIdentity(first), EpisodeIdentity(repeated))
        #expect(EpisodeIdentity(first) != EpisodeIdentity(next))
        #expect(EpisodeIdentity(first) != EpisodeIdentity(other))
    }

    @Test func identifierOfTheProgrammeCountsWithoutANumber() {
        let numbers = ["EP01234567.0012", "EP012345670012", "EP01234567.0013"].map {
            EpisodeIdentity(programme("A", "\($0)", numbers: [EpisodeNumber(value: $0, system: "dd_progid")]))
        }
        expectEqual(numbers[0], numbers[1])
        #expect(numbers[0] != numbers[2])
        // All episodes have the identifier of the show.
        let shows = ["One", "Two"].map {
            EpisodeIdentity(programme("A", $0, numbers: [EpisodeNumber(value: "SH01234567.0000", system: "dd_progid")]))
        }
        #expect(shows[0] != shows[1])
    }

    @Test func textsCountWithoutANumberAndAnIdentifier() {
        expectEqual(EpisodeIdentity(programme("A", "B", "C")), EpisodeIdentity(programme("a", "B", "C")))
        #expect(EpisodeIdentity(programme("A", "B", "C")) != EpisodeIdentity(programme("A", "B", "D")))
        #expect(EpisodeIdentity(programme("A", "B")) != EpisodeIdentity(programme("A", nil, "B")))
        expectEqual(EpisodeIdentity(programme("News")), nil)
    }
}
