import EPGModel
import TestSupport
import Testing

@testable import EPGCalendar

/// Offsets at instants, from Python 3.11's `zoneinfo` with tzdata 2025b.
struct Observation: CustomTestStringConvertible, Sendable {
    let zone: String
    let second: Int64
    let offset: Int64
    let abbreviation: String
    let isDaylightSaving: Bool

    init(_ zone: String, _ second: Int64, _ offset: Int64, _ abbreviation: String, _ isDaylightSaving: Bool) {
        self.zone = zone
        self.second = second
        self.offset = offset
        self.abbreviation = abbreviation
        self.isDaylightSaving = isDaylightSaving
    }

    var testDescription: String { "\(zone) at \(second)" }

    static let all = [
        Observation("Europe/London", 1_774_745_999, 0, "GMT", false),
        Observation("Europe/London", 1_774_746_000, 3600, "BST", true),
        Observation("Europe/London", 1_792_889_999, 3600, "BST", true),
        Observation("Europe/London", 1_792_890_000, 0, "GMT", false),
        Observation("Europe/London", 13_089_600, 3600, "BST", false),
        Observation("Europe/London", -804_772_800, 7200, "BDST", true),
        Observation("Europe/London", -3_852_705_600, -75, "LMT", false),
        Observation("Europe/London", 2_540_246_400, 3600, "BST", true),
        Observation("Europe/London", 13_585_190_400, 3600, "BST", true),
        Observation("Europe/London", 253_402_214_400, 0, "GMT", false),
        Observation("Europe/Dublin", 1_767_225_600, 0, "GMT", true),
        Observation("Europe/Dublin", 1_782_864_000, 3600, "IST", false),
        Observation("Europe/Dublin", 4_938_537_600, 3600, "IST", false),
        Observation("Australia/Lord_Howe", 1_775_314_799, 39_600, "+11", true),
        Observation("Australia/Lord_Howe", 1_775_314_800, 37_800, "+1030", false),
        Observation("Australia/Lord_Howe", 1_791_041_399, 37_800, "+1030", false),
        Observation("Australia/Lord_Howe", 1_791_041_400, 39_600, "+11", true),
        Observation("Asia/Kathmandu", 1_767_225_600, 20_700, "+0545", false),
        Observation("Asia/Kathmandu", 504_901_799, 19_800, "+0530", false),
        Observation("Pacific/Apia", 1_325_239_199, -36_000, "-10", true),
        Observation("Pacific/Apia", 1_325_239_200, 50_400, "+14", true),
        Observation("America/St_Johns", 1_289_097_059, -9000, "NDT", true),
        Observation("America/St_Johns", 1_289_097_060, -12_600, "NST", false),
        Observation("America/St_Johns", 1_782_864_000, -9000, "NDT", true),
        Observation("Pacific/Chatham", 1_767_225_600, 49_500, "+1345", true),
        Observation("Antarctica/Troll", 1_782_864_000, 7200, "+02", true),
        Observation("America/New_York", 1_173_596_400, -14_400, "EDT", true),
        Observation("America/New_York", 4_329_442_800, -14_400, "EDT", true),
        Observation("Asia/Kolkata", 1_767_225_600, 19_800, "IST", false),
        Observation("Asia/Tehran", 1_663_788_599, 16_200, "+0430", true),
        Observation("Africa/Monrovia", 62_985_600, -2670, "MMT", false),
        Observation("Asia/Tokyo", -612_835_200, 36_000, "JDT", true),
        Observation("America/Sao_Paulo", 1_541_300_400, -7200, "-02", true),
        Observation("Etc/GMT+5", 1_782_864_000, -18_000, "-05", false),
    ]
}

@Suite struct ZoneOffsetTests {
    @Test(arguments: Observation.all)
    func offsetMatchesZoneDatabase(_ expected: Observation) throws {
        let offset = try zone(expected.zone).offset(at: Instant(secondsSince1970: expected.second))
        expectEqual(offset.seconds, expected.offset)
        expectEqual(offset.abbreviation, expected.abbreviation)
        expectEqual(offset.isDaylightSaving, expected.isDaylightSaving)
    }

    @Test(arguments: [Int64.min, -1 << 60, -1, 0, 1 << 60, .max])
    func everyInstantHasAnOffsetAndAPeriod(_ second: Int64) throws {
        let instant = Instant(secondsSince1970: second)
        for name in ["UTC", "Europe/London", "Asia/Kathmandu"] {
            let zone = try zone(name)
            let period = zone.period(containing: instant)
            expectEqual(period.offset, zone.offset(at: instant))
            #expect(period.window.start <= instant)
            #expect(instant < period.window.end || second == .max)
        }
    }

    /// The rule also applies long after the last change of the table, because the calendar repeats every 400 years.
    @Test func rulesRepeatEvery400Years() throws {
        let london = try zone("Europe/London")
        let change = Instant(secondsSince1970: 1_774_746_000).advanced(by: 12_622_780_800 * 1000)
        expectEqual(london.offset(at: change.advanced(by: -1)).abbreviation, "GMT")
        expectEqual(london.offset(at: change).abbreviation, "BST")
        expectEqual(london.period(containing: change).window.start, change)
    }

    @Test func periodExtendsBetweenChanges() throws {
        let window = try zone("Europe/London").period(containing: Instant(secondsSince1970: 1_780_000_000)).window
        expectEqual(window.start.secondsSince1970, 1_774_746_000)
        expectEqual(window.end.secondsSince1970, 1_792_890_000)
    }

    @Test(arguments: [
        ("Asia/Kathmandu", 1_767_225_600, "+05:45"), ("America/St_Johns", 1_782_864_000, "-02:30"),
        ("UTC", 0, "+00:00"), ("Europe/London", -3_852_705_600, "-00:01:15"),
    ])
    func offsetIsFormattedAsISO8601(_ name: String, _ second: Int64, _ expected: String) throws {
        expectEqual("\(try zone(name).offset(at: Instant(secondsSince1970: second)))", expected)
    }
}

@Suite struct ZoneRuleTests {
    /// 2026-01-01T00:00Z, a second before and at 2026-03-29T01:00Z, 2026-07-01T00:00Z, a second before and at
    /// 2026-10-25T01:00Z, and an instant of June 2100.
    static let seconds: [Int64] = [
        1_767_225_600, 1_774_745_999, 1_774_746_000, 1_782_864_000, 1_792_889_999, 1_792_890_000, 4_118_000_000,
    ]

    /// Values are from glibc, `TZ=… date -d @… +%Z`, except the last from RFC 8536, 3.3.1, which glibc gets wrong.
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
    func ruleMatchesTheCLibrary(_ text: String, _ expected: [String]) throws {
        let rule = try #require(ZoneRule(posix: text))
        let found = Self.seconds.map { rule.period(containing: Instant(secondsSince1970: $0)).offset.abbreviation }
        expectEqual(found, expected)
    }

    /// POSIX 8.3: `J60` is 1 March in every year; day 59, counted from zero, is 29 February in a leap year.
    @Test(arguments: [
        ("XXX0YYY,J60/0,J300", 1_803_859_200), ("XXX0YYY,J60/0,J300", 1_835_481_600),
        ("XXX0YYY,59/0,300", 1_803_859_200), ("XXX0YYY,59/0,300", 1_835_395_200),
        ("XXX0YYY,J59/0,J300", 1_835_308_800),
    ])
    func daysAreCountedWithAndWithoutLeapDay(_ text: String, _ start: Int64) throws {
        let rule = try #require(ZoneRule(posix: text))
        expectEqual(rule.period(containing: Instant(secondsSince1970: start)).window.start.secondsSince1970, start)
        expectEqual(rule.period(containing: Instant(secondsSince1970: start)).offset.abbreviation, "YYY")
    }

    @Test(arguments: [("XXX+4:30:15", -16_215), ("<+0545>-5:45", 20_700), ("UTC0", 0), ("ABC-25:59:59", 93_599)])
    func offsetSignIsInverted(_ text: String, _ seconds: Int64) throws {
        try expectEqual(#require(ZoneRule(posix: text)).standard.seconds, seconds)
    }

    @Test(arguments: [
        "", "A", "AB1", "GMT", "GMT0BST,", "GMT0BST,M3.5.0", "GMT0BST,M13.1.0,M1.1.0", "GMT0BST,M3.6.0,M1.1.0",
        "GMT0BST,M3.5.7,M1.1.0", "GMT0BST,J0,J3", "GMT0BST,366,3", "GMT0BST,M3.5.0/168,M10.5.0", "<AB", "<ABC0",
        "<A C>0",
        "ABC26", "ABC-27", "GMT0BST,M3.5.0,M10.5.0x", "GMT0 BST", "ABC99999999999999999999", "ABC0:60",
        "GMT0BST,M3.5.0,M10.5.0,", "<\u{1B}[31m>0", "Überzeit0",
    ])
    func invalidTextIsRejected(_ text: String) {
        expectEqual(ZoneRule(posix: text), nil)
    }

    @Test func overlongTextIsRejected() {
        expectEqual(ZoneRule(posix: "ABC0" + String(repeating: "0", count: 100_000)), nil)
    }

    /// Periods are adjacent for every rule, including those with changes outside their year.
    @Test(arguments: [
        "GMT0BST,M3.5.0/1,M10.5.0", "AEST-10AEDT,M10.1.0,M4.1.0/3", "EST5EDT,0/0,J365/25", "XXX0YYY,0/-167,0/-166",
        "XXX0YYY,365/167,J365/166", "XXX-25YYY24,J1,J1", "XXX0YYY,J60,59",
    ])
    func periodsAreAdjacent(_ text: String) throws {
        let rule = try #require(ZoneRule(posix: text))
        var instant = Instant(secondsSince1970: 0)
        for _ in 0..<1700 {
            let period = rule.period(containing: instant)
            try #require(period.window.start <= instant && instant < period.window.end)
            let last = period.window.end.advanced(by: -1)
            expectEqual(rule.period(containing: last).offset, period.offset)
            instant = period.window.end
        }
    }
}
