import EPGModel
import Testing

@testable import EPGCalendar

@Suite struct ZoneRuleTests {
    /// 2026-01-01T00:00Z, a second before and at 2026-03-29T01:00Z, 2026-07-01T00:00Z, a second before and at
    /// 2026-10-25T01:00Z, and an instant of June 2100.
    static let seconds: [Int64] = [
        1_767_225_600, 1_774_745_999, 1_774_746_000, 1_782_864_000, 1_792_889_999, 1_792_890_000, 4_118_000_000,
    ]

    /// The values come from glibc, `TZ=… date -d @… +%Z`; the last from RFC 8536, 3.3.1, where glibc errs.
    @Test(arguments: [
        ("GMT0BST,M3.5.0/1,M10.5.0", ["GMT", "GMT", "BST", "BST", "BST", "GMT", "BST"]),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", ["GMT", "GMT", "IST", "IST", "IST", "GMT", "IST"]),
        ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", ["-03", "-03", "-02", "-02", "-02", "-03", "-02"]),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", ["AEDT", "AEDT", "AEDT", "AEST", "AEDT", "AEDT", "AEST"]),
        ("NZST-12NZDT,J274/2,89/3", ["NZDT", "NZDT", "NZDT", "NZST", "NZDT", "NZDT", "NZST"]),
        ("EST5EDT", ["EST", "EDT", "EDT", "EDT", "EDT", "EDT", "EDT"]),
        ("EET-2EEST,M3.4.4/50,M10.4.4/50", ["EET", "EEST", "EEST", "EEST", "EET", "EET", "EEST"]),
        ("EST5EDT,0/0,J365/25", ["EDT", "EDT", "EDT", "EDT", "EDT", "EDT", "EDT"]),
    ])
    func ruleGivesWhatTheCLibraryGives(_ text: String, _ expected: [String]) throws {
        let rule = try #require(ZoneRule(posix: text))
        let found = Self.seconds.map { rule.period(containing: Instant(secondsSince1970: $0)).offset.abbreviation }
        #expect(found == expected)
    }

    /// POSIX 8.3: `J60` is 1 March in every year; day 59, counted from zero, is 29 February in a leap year.
    @Test(arguments: [
        ("XXX0YYY,J60/0,J300", 1_803_859_200), ("XXX0YYY,J60/0,J300", 1_835_481_600),
        ("XXX0YYY,59/0,300", 1_803_859_200), ("XXX0YYY,59/0,300", 1_835_395_200),
        ("XXX0YYY,J59/0,J300", 1_835_308_800),
    ])
    func daysAreCountedWithAndWithoutTheLeapDay(_ text: String, _ start: Int64) throws {
        let rule = try #require(ZoneRule(posix: text))
        #expect(rule.period(containing: Instant(secondsSince1970: start)).window.start.secondsSince1970 == start)
        #expect(rule.period(containing: Instant(secondsSince1970: start)).offset.abbreviation == "YYY")
    }

    @Test(arguments: [("XXX+4:30:15", -16_215), ("<+0545>-5:45", 20_700), ("UTC0", 0), ("ABC-25:59:59", 93_599)])
    func offsetIsTurnedRound(_ text: String, _ seconds: Int64) throws {
        #expect(try #require(ZoneRule(posix: text)).standard.seconds == seconds)
    }

    @Test(arguments: [
        "", "A", "AB1", "GMT", "GMT0BST,", "GMT0BST,M3.5.0", "GMT0BST,M13.1.0,M1.1.0", "GMT0BST,M3.6.0,M1.1.0",
        "GMT0BST,M3.5.7,M1.1.0", "GMT0BST,J0,J3", "GMT0BST,366,3", "GMT0BST,M3.5.0/168,M10.5.0", "<AB", "<ABC0",
        "<A C>0",
        "ABC26", "ABC-27", "GMT0BST,M3.5.0,M10.5.0x", "GMT0 BST", "ABC99999999999999999999", "ABC0:60",
        "GMT0BST,M3.5.0,M10.5.0,", "<\u{1B}[31m>0", "Überzeit0",
    ])
    func otherTextsAreNoRules(_ text: String) {
        #expect(ZoneRule(posix: text) == nil)
    }

    @Test func anOverlongTextIsNoRule() {
        #expect(ZoneRule(posix: "ABC0" + String(repeating: "0", count: 100_000)) == nil)
    }

    /// Periods follow each other without a gap, whatever the rule; among them changes outside their year.
    @Test(arguments: [
        "GMT0BST,M3.5.0/1,M10.5.0", "AEST-10AEDT,M10.1.0,M4.1.0/3", "EST5EDT,0/0,J365/25", "XXX0YYY,0/-167,0/-166",
        "XXX0YYY,365/167,J365/166", "XXX-25YYY24,J1,J1", "XXX0YYY,J60,59",
    ])
    func periodsFollowEachOther(_ text: String) throws {
        let rule = try #require(ZoneRule(posix: text))
        var instant = Instant(secondsSince1970: 0)
        for _ in 0..<1700 {
            let period = rule.period(containing: instant)
            try #require(period.window.start <= instant && instant < period.window.end)
            let last = period.window.end.advanced(by: -1)
            #expect(rule.period(containing: last).offset == period.offset)
            instant = period.window.end
        }
    }
}
