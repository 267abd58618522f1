import EPGCalendar
import EPGModel
import Foundation
import TestSupport
import Testing

/// A local time and its instants, from Python 3.11's `zoneinfo` with folds 0 and 1.
struct LocalCase: CustomTestStringConvertible, Sendable {
    let zone: String
    let fields: [Int]
    let instants: [Int64]
    let resolved: Int64

    init(_ zone: String, _ text: String, _ instants: [Int64], _ resolved: Int64) {
        self.zone = zone
        fields = text.split { !$0.isNumber }.compactMap { Int($0) }
        self.instants = instants
        self.resolved = resolved
    }

    var testDescription: String { "\(zone) \(fields)" }

    static let all = [
        LocalCase("Europe/London", "2026-03-29T00:59:59", [1_774_745_999], 1_774_745_999),
        LocalCase("Europe/London", "2026-03-29T01:00:00", [], 1_774_746_000),
        LocalCase("Europe/London", "2026-03-29T01:30:00", [], 1_774_747_800),
        LocalCase("Europe/London", "2026-03-29T02:00:00", [1_774_746_000], 1_774_746_000),
        LocalCase("Europe/London", "2026-10-25T00:59:59", [1_792_886_399], 1_792_886_399),
        LocalCase("Europe/London", "2026-10-25T01:00:00", [1_792_886_400, 1_792_890_000], 1_792_886_400),
        LocalCase("Europe/London", "2026-10-25T01:59:59", [1_792_889_999, 1_792_893_599], 1_792_889_999),
        LocalCase("Europe/London", "2026-10-25T02:00:00", [1_792_893_600], 1_792_893_600),
        LocalCase("Europe/London", "2150-07-01T20:00:00", [5_695_988_400], 5_695_988_400),
        LocalCase("Australia/Lord_Howe", "2026-10-04T02:15:00", [], 1_791_042_300),
        LocalCase("Australia/Lord_Howe", "2026-04-05T01:30:00", [1_775_313_000, 1_775_314_800], 1_775_313_000),
        LocalCase("Pacific/Apia", "2011-12-30T12:00:00", [], 1_325_282_400),
        LocalCase("Pacific/Apia", "2011-12-31T00:00:00", [1_325_239_200], 1_325_239_200),
        LocalCase("America/St_Johns", "2010-11-06T23:30:00", [1_289_095_200, 1_289_098_800], 1_289_095_200),
        LocalCase("America/St_Johns", "2010-11-07T00:00:30", [1_289_097_030, 1_289_100_630], 1_289_097_030),
        LocalCase("America/Sao_Paulo", "2018-11-04T00:00:00", [], 1_541_300_400),
        LocalCase("America/Havana", "2026-11-01T00:30:00", [1_793_507_400, 1_793_511_000], 1_793_507_400),
        LocalCase("Asia/Kathmandu", "2026-06-01T20:15:00", [1_780_324_200], 1_780_324_200),
        LocalCase("Asia/Manila", "1844-12-31T12:00:00", [], -3_944_577_832),
        LocalCase("Pacific/Kwajalein", "1969-09-30T12:00:00", [-8_031_600, -7_948_800], -8_031_600),
        LocalCase("America/New_York", "2110-03-09T02:30:00", [], 4_423_793_400),
        LocalCase("America/New_York", "2110-11-02T01:30:00", [4_444_349_400, 4_444_353_000], 4_444_349_400),
    ]
}

@Suite struct LocalTimeTests {
    @Test(arguments: LocalCase.all)
    func localTimesAreMissingUniqueOrRepeated(_ expected: LocalCase) throws {
        let fields = expected.fields
        let local = try local(Int64(fields[0]), fields[1], fields[2], fields[3], fields[4], fields[5])
        let zone = try zone(expected.zone)
        expectEqual(zone.instants(of: local).map(\.secondsSince1970), expected.instants)
        expectEqual(zone.instant(of: local).secondsSince1970, expected.resolved)
    }

    @Test func localTimeOfInstantHasThatInstant() throws {
        for name in DateProgramTests.zones {
            let zone = try zone(name)
            for step in 0..<400 {
                let instant = Instant(secondsSince1970: -2_000_000_000 + Int64(step) * 15_000_007)
                #expect(zone.instants(of: zone.localDateTime(at: instant)).contains(instant))
            }
        }
    }

    @Test(arguments: [
        ("UTC", 1_774_744_200, "2026-03-29T00:30:00Z"), ("Europe/London", 1_774_744_200, "2026-03-29T00:30:00+00:00"),
        ("Europe/London", 1_774_747_800, "2026-03-29T02:30:00+01:00"),
        ("Asia/Kathmandu", 0, "1970-01-01T05:30:00+05:30"),
        ("Asia/Kathmandu", 1_774_747_800, "2026-03-29T07:15:00+05:45"),
        ("America/St_Johns", 1_774_747_800, "2026-03-28T23:00:00-02:30"),
    ])
    func instantIsFormattedAsISO8601(_ name: String, _ second: Int64, _ expected: String) throws {
        try expectEqual(zone(name).iso8601(Instant(secondsSince1970: second)), expected)
    }

    @Test(arguments: [(24, 0, 0), (-1, 0, 0), (0, 60, 0), (0, 0, 60), (0, -1, 0)])
    func invalidTimeOfDayIsRejected(_ hour: Int, _ minute: Int, _ second: Int) throws {
        expectEqual(LocalDateTime(date: try date(2026, 3, 29), hour: hour, minute: minute, second: second), nil)
    }

    @Test(arguments: [Int64.min, .min + 1, -31_500_000_000_001, 31_500_000_000_000, .max - 1, .max])
    func extremeTimesSaturate(_ second: Int64) throws {
        let instant = Instant(secondsSince1970: second)
        for name in ["UTC", "Europe/London", "Pacific/Apia"] {
            let zone = try zone(name)
            let local = zone.localDateTime(at: instant)
            #expect((second < 0) == (local.date.year < 0))
            #expect((second < 0) == (zone.instant(ofLocalSeconds: second).secondsSince1970 < 0))
            let day = zone.window(of: CivilDate(daysSince1970: second / 86_400))
            #expect((second < 0) == (day.start.secondsSince1970 < 0))
            #expect(day.seconds <= 90_000)
        }
    }

    /// 2026-03-28 is a Saturday, 2000-02-29 a Tuesday, 1969-12-31 a Wednesday (any printed calendar).
    @Test func weekdayMatchesTheCalendar() throws {
        try expectEqual(date(2026, 3, 28).weekday, .saturday)
        try expectEqual(date(2000, 2, 29).weekday, .tuesday)
        try expectEqual(date(1969, 12, 31).weekday, .wednesday)
        try expectEqual(date(2026, 3, 28).label, "Sat 28 Mar")
        try expectEqual(date(2026, 3, 28).label(seenFrom: date(2026, 12, 31)), "Sat 28 Mar")
        try expectEqual(date(2026, 3, 28).label(seenFrom: date(2025, 3, 28)), "Sat 28 Mar 2026")
        try expectEqual(date(2026, 2, 28).advanced(byDays: 1), date(2026, 3, 1))
    }
}

@Suite struct LocalDayTests {
    /// Lengths in hours, counted manually.
    @Test(arguments: [
        ("Europe/London", 2026, 3, 28, 24.0), ("Europe/London", 2026, 3, 29, 23), ("Europe/London", 2026, 10, 25, 25),
        ("Australia/Lord_Howe", 2026, 4, 5, 24.5), ("Australia/Lord_Howe", 2026, 10, 4, 23.5),
        ("Asia/Kathmandu", 2026, 3, 29, 24), ("Asia/Kathmandu", 1986, 1, 1, 23.75),
        ("Pacific/Apia", 2011, 12, 29, 24), ("Pacific/Apia", 2011, 12, 30, 0), ("Pacific/Apia", 2011, 12, 31, 24),
        ("America/Sao_Paulo", 2018, 11, 4, 23), ("America/Havana", 2026, 11, 1, 25),
        ("America/St_Johns", 2010, 11, 6, 24), ("America/St_Johns", 2010, 11, 7, 25),
        ("Pacific/Kwajalein", 1969, 9, 30, 47), ("Europe/London", 2150, 3, 29, 23),
    ])
    func dayHasItsNumberOfHours(
        _ name: String, _ year: Int64, _ month: Int, _ day: Int, _ hours: Double
    ) throws {
        let window = try zone(name).window(of: try date(year, month, day))
        expectEqual(window.seconds, Int64(hours * 3600))
    }

    /// São Paulo skipped 00:00. In Toronto in 1919, 23:30 became 00:30, so the day began at the end of the gap.
    @Test(arguments: [
        ("America/Sao_Paulo", 2018, 11, 4, "2018-11-04T01:00:00-02:00"),
        ("America/Toronto", 1919, 3, 31, "1919-03-31T00:30:00-04:00"),
        ("Pacific/Apia", 2011, 12, 30, "2011-12-31T00:00:00+14:00"),
        ("America/St_Johns", 2010, 11, 7, "2010-11-07T00:00:00-02:30"),
        ("Europe/London", 2026, 3, 29, "2026-03-29T00:00:00+00:00"),
    ])
    func dayBeginsAtItsFirstInstant(
        _ name: String, _ year: Int64, _ month: Int, _ day: Int, _ expected: String
    ) throws {
        let zone = try zone(name)
        expectEqual(zone.iso8601(zone.start(of: try date(year, month, day))), expected)
    }

    @Test(arguments: DateProgramTests.zones)
    func daysAreAdjacent(_ name: String) throws {
        let zone = try zone(name)
        var day = try date(2011, 1, 1)
        for _ in 0..<800 {
            let next = day.advanced(byDays: 1)
            expectEqual(zone.window(of: day).end, zone.window(of: next).start)
            day = next
        }
    }
}

/// Compares with the system's `date`.
@Suite struct DateProgramTests {
    static let zones = [
        "Europe/London", "Europe/Dublin", "Europe/Moscow", "Australia/Lord_Howe", "Australia/Sydney", "Asia/Kathmandu",
        "Asia/Tehran", "Pacific/Apia", "Pacific/Chatham", "America/St_Johns", "America/New_York", "America/Sao_Paulo",
        "America/Havana", "Africa/Casablanca", "Antarctica/Troll", "America/Argentina/Buenos_Aires",
    ]

    @Test(.enabled("GNU date is not installed") { isGNUDateInstalled() }, arguments: zones)
    func localTimeMatchesDateProgram(_ name: String) throws {
        // From 1920 to 2099, with a deterministic generator, so that failures are reproducible.
        var state = name.utf8.reduce(UInt64(88_172_645_463_325_252)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let seconds = (0..<200).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return -1_577_923_200 + Int64(state % 5_680_000_000)
        }
        let zone = try zone(name)
        // `date` writes a zero offset whose name begins with a minus as -00:00.
        let expected = try runDate(
            zone: name, input: seconds.map { "@\($0)\n" }.joined(), format: "+%Y-%m-%dT%H:%M:%S %::z %Z"
        ).map { $0.replacingOccurrences(of: "-00:00:00 -00", with: "+00:00:00 -00") }
        let found = seconds.map { second in
            let instant = Instant(secondsSince1970: second)
            let offset = zone.offset(at: instant)
            let digits = "\(offset)".count == 6 ? "\(offset):00" : "\(offset)"
            return "\(zone.localDateTime(at: instant)) \(digits) \(offset.abbreviation)"
        }
        expectEqual(found.count, expected.count)
        for (found, expected) in zip(found, expected) { expectEqual(found, expected) }
    }
}

private func isGNUDateInstalled() -> Bool {
    do {
        return try runDate(zone: "UTC", input: "@0\n", format: "+%s") == ["0"]
    } catch {
        return false
    }
}

/// Returns the output of `date` for the lines of its input.
private func runDate(zone: String, input: String, format: String) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("dates-\(UUID().uuidString)")
    try input.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/date")
    process.arguments = ["--file=\(file.path)", format]
    process.environment = ["TZ": zone, "LC_ALL": "C"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}
