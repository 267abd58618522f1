import EPGCalendar
import EPGModel
import Testing

/// What a zone shows at an instant; the values come from Python 3.11's `zoneinfo` with tzdata 2025b.
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
    func offsetIsThatOfTheZoneDatabase(_ expected: Observation) throws {
        let offset = try zone(expected.zone).offset(at: Instant(secondsSince1970: expected.second))
        #expect(offset.seconds == expected.offset)
        #expect(offset.abbreviation == expected.abbreviation)
        #expect(offset.isDaylightSaving == expected.isDaylightSaving)
    }

    @Test(arguments: [Int64.min, -1 << 60, -1, 0, 1 << 60, .max])
    func everyInstantHasAnOffsetAndAPeriodThatHoldsIt(_ second: Int64) throws {
        let instant = Instant(secondsSince1970: second)
        for name in ["UTC", "Europe/London", "Asia/Kathmandu"] {
            let zone = try zone(name)
            let period = zone.period(containing: instant)
            #expect(period.offset == zone.offset(at: instant))
            #expect(period.window.start <= instant)
            #expect(instant < period.window.end || second == .max)
        }
    }

    /// Far beyond all tables the rule goes on: the calendar repeats every 400 years.
    @Test func rulesRepeatEvery400Years() throws {
        let london = try zone("Europe/London")
        let change = Instant(secondsSince1970: 1_774_746_000).advanced(by: 12_622_780_800 * 1000)
        #expect(london.offset(at: change.advanced(by: -1)).abbreviation == "GMT")
        #expect(london.offset(at: change).abbreviation == "BST")
        #expect(london.period(containing: change).window.start == change)
    }

    @Test func periodReachesFromOneChangeToTheNext() throws {
        let window = try zone("Europe/London").period(containing: Instant(secondsSince1970: 1_780_000_000)).window
        #expect(window.start.secondsSince1970 == 1_774_746_000)
        #expect(window.end.secondsSince1970 == 1_792_890_000)
    }

    @Test(arguments: [
        ("Asia/Kathmandu", 1_767_225_600, "+05:45"), ("America/St_Johns", 1_782_864_000, "-02:30"),
        ("UTC", 0, "+00:00"), ("Europe/London", -3_852_705_600, "-00:01:15"),
    ])
    func offsetsAreWrittenAsInISO8601(_ name: String, _ second: Int64, _ expected: String) throws {
        #expect("\(try zone(name).offset(at: Instant(secondsSince1970: second)))" == expected)
    }
}
