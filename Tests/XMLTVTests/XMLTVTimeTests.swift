import TestSupport
import Testing
import XMLTV

/// Python's `datetime` gives the expected instants.
@Suite struct XMLTVTimeTests {
    /// Times in the DTD's format, including its examples.
    @Test(arguments: [
        ("20260329003000", 1_774_744_200, XMLTVTime.Precision.second), ("202603290030", 1_774_744_200, .minute),
        ("2026032900", 1_774_742_400, .hour), ("20260329", 1_774_742_400, .day), ("202603", 1_772_323_200, .month),
        ("2026", 1_767_225_600, .year), ("20260329003000 +0100", 1_774_740_600, .second),
        ("200007281733 BST", 964_801_980, .minute), ("200209", 1_030_838_400, .month),
        ("19880523083000 +0300", 580_368_600, .second), ("00010101", -62_135_596_800, .day),
        ("00000101000000 +0000", -62_167_219_200, .second), ("99991231235959 +0000", 253_402_300_799, .second),
        ("20000229", 951_782_400, .day), ("20240229120000 +0000", 1_709_208_000, .second),
        ("19000301000000", -2_203_891_200, .second), ("19691231235959 +0000", -1, .second),
    ])
    func timesInTheFormatOfTheDTDAreParsed(_ text: String, _ expected: Int64, _ precision: XMLTVTime.Precision) throws {
        let time = try XMLTVTime(text)
        expectEqual(time.secondsSince1970, expected)
        expectEqual(time.precision, precision)
        expectEqual(time.isAmbiguousZone, false)
    }

    /// All of these mean 00:30 on 2026-03-29, one hour ahead of UTC.
    @Test(arguments: [
        "20260329003000 +0100", "20260329003000 +01:00", "202603290030 BST", "20260329003000+0100",
        "20260329003000 +1:00",
        "20260329003000 +01", "20260329003000 +1", "20260329003000 +100", "20260329003000  +0100",
        "20260329003000\t+0100",
        " 20260329003000 +0100 ", "\n20260329003000 +0100\r\n", "20260329003000 bst", "20260329003000BST",
        "20260329003000 CET", "20260329003000 UTC+1", "20260329003000 GMT+01:00", "20260329003000 GMT +0100",
        "20260329003000.000 +0100", "20260329003000,5 +0100", "202603290030+0100",
        "2026-03-29T00:30:00+01:00", "2026-03-29T00:30:00.123456+01:00", "2026-03-29T00:30+01:00",
        "2026-03-29 00:30:00 +0100",
        "2026-03-29 00:30 +01:00", "2026-03-29t00:30:00 bst", "20260329T003000+0100", "20260329T0030+01",
        "20260329 00:30 +0100",
        "2026-03-28T23:30:00Z", "2026-03-28T23:30:00z", "2026-03-28T23:30:00.9Z", "20260328T2330Z", "20260328T233000Z",
        "20260328233000 Z", "20260328233000Z", "20260328233000 UTC", "20260328233000 GMT", "20260328233000 -0000",
        "20260328233000 utc", "20260328233000", "20260328233000 0", "202603282330 0", "2026-03-28T23:30 0",
    ])
    func lenientFormsAreParsed(_ text: String) throws {
        let time = try XMLTVTime(text)
        expectEqual(time.secondsSince1970, 1_774_740_600)
        expectEqual(time.isAmbiguousZone, false)
    }

    /// 00:30 on 2026-03-29 in other zones.
    private static let offsets: [(zone: String, seconds: Int64)] = [
        ("-0500", 1_774_762_200), ("EST", 1_774_762_200), ("CDT", 1_774_762_200), ("+0545", 1_774_723_500),
        ("+0930", 1_774_710_000), ("ACST", 1_774_710_000), ("-0330", 1_774_756_800), ("NST", 1_774_756_800),
        ("+1559", 1_774_686_660), ("-1559", 1_774_801_740), ("+1000", 1_774_708_200), ("AEST", 1_774_708_200),
        ("NZDT", 1_774_697_400),
    ]

    /// The next midnight, and the next minute: ISO 8601:2004, 4.2.3, and POSIX "Seconds Since the Epoch".
    private static let hours24AndSeconds60: [(text: String, seconds: Int64)] = [
        ("20260329240000 +0000", 1_774_828_800), ("202603292400", 1_774_828_800), ("2026032924", 1_774_828_800),
        ("2026-03-29T24:00:00Z", 1_774_828_800), ("20261231240000", 1_798_761_600), ("20260329003060", 1_774_744_260),
        ("20260329003060 +0000", 1_774_744_260),
    ]

    @Test(arguments: offsets.map { ("20260329003000 \($0.zone)", $0.seconds) } + hours24AndSeconds60)
    func offsetsAndOverflowsAreAppliedToTheTime(_ text: String, _ expected: Int64) throws {
        try expectEqual(XMLTVTime(text).secondsSince1970, expected)
    }

    /// The offsets of names in the time zone database, in hours and minutes. BST is the DTD's.
    private static let zones: [(name: String, offset: Int)] = [
        ("UTC", 0), ("GMT", 0), ("BST", 100), ("WET", 0), ("WEST", 100), ("CET", 100), ("CEST", 200), ("EET", 200),
        ("EEST", 300), ("MSK", 300), ("EST", -500), ("EDT", -400), ("CDT", -500), ("MDT", -600), ("PST", -800),
        ("PDT", -700), ("AKST", -900), ("AKDT", -800), ("HST", -1000), ("AEST", 1000), ("AEDT", 1100), ("ACST", 930),
        ("ACDT", 1030), ("AWST", 800), ("NZST", 1200), ("NZDT", 1300), ("JST", 900), ("KST", 900), ("HKT", 800),
        ("SGT", 800), ("MEST", 200), ("SAST", 200), ("PKT", 500), ("NDT", -230), ("ADT", -300), ("BRT", -300),
    ]

    /// Names with several meanings, and the documented one in seconds.
    private static let ambiguousZones: [(name: String, seconds: Int)] = [
        ("IST", 19_800), ("CST", -21_600), ("MST", -25_200), ("AST", -14_400), ("ist", 19_800),
    ]

    @Test(
        arguments: zones.map { ($0.name, $0.offset / 100 * 3600 + $0.offset % 100 * 60, false) }
            + ambiguousZones.map { ($0.name, $0.seconds, true) })
    func zoneNamesAreParsedAndFlaggedIfAmbiguous(_ name: String, _ seconds: Int, isAmbiguous: Bool) throws {
        let time = try XMLTVTime("20260329003000 \(name)")
        expectEqual(time.utcOffset, seconds)
        expectEqual(time.isAmbiguousZone, isAmbiguous)
    }

    @Test(arguments: [
        "20260329003000", "2026-03-29T00:30:00", "202603290030 ", "2026-03-29 00:30", "20260329003000 -0500",
    ])
    func localSecondsIgnoreTheZone(_ text: String) throws {
        let time = try XMLTVTime(text)
        let isZoned = text.hasSuffix("-0500")
        expectEqual(time.hasZone, isZoned)
        expectEqual(time.utcOffset, isZoned ? -18_000 : nil)
        expectEqual(time.localSeconds, 1_774_744_200)
    }

    @Test(arguments: [
        ("", XMLTVTimeError.empty), (" \t\r\n", .empty),
        ("20260230000000", .noSuchDay), ("20260230000000 +0000", .noSuchDay), ("20261301000000 +0000", .noSuchDay),
        ("20260001", .noSuchDay), ("20260100", .noSuchDay), ("20260132", .noSuchDay), ("20260431", .noSuchDay),
        ("20250229000000 +0100", .noSuchDay), ("19000229", .noSuchDay), ("00000000000000 +0000", .noSuchDay),
        ("2026-02-30T00:00:00Z", .noSuchDay), ("202613", .noSuchDay),
        ("20260329250000 +0000", .noSuchTime), ("20260329006000", .noSuchTime), ("20260329003061", .noSuchTime),
        ("20260329240001", .noSuchTime), ("20260329240100 +0000", .noSuchTime), ("2026-03-29T24:30", .noSuchTime),
        ("2", .notATime), ("202", .notATime), ("20260", .notATime), ("2026032", .notATime), ("202603290", .notATime),
        ("2026032900300", .notATime), ("202603290030000", .notATime), ("abc", .notATime), ("-0100", .notATime),
        ("+20260329", .notATime), ("2026/03/29", .notATime), ("2026-3-29", .badOffset), ("2026-03-2", .notATime),
        ("2026-03-29T00:3", .notATime), ("2026-03-29T00:30:", .notATime), ("20260329003000.", .notATime),
        ("20260329003000. +0100", .notATime), ("20260329 003000", .notATime), ("20260329003000 0100", .notATime),
        ("20260329003000 ?", .notATime), ("２０２６", .notATime), ("2026032900\u{0}000", .notATime),
        ("20260329003000 +", .badOffset), ("20260329003000 -", .badOffset), ("20260329003000 +1600", .badOffset),
        ("20260329003000 -1600", .badOffset), ("20260329003000 +0160", .badOffset),
        ("20260329003000 +9999", .badOffset),
        ("20260329003000 +01000", .badOffset), ("20260329003000 +01:0", .badOffset),
        ("20260329003000 +:00", .badOffset),
        ("20260329003000 +01:", .badOffset), ("20260329003000 +01:00:00", .badOffset),
        ("20260329003000 +01x", .badOffset),
        ("20260329003000 +0100 BST", .badOffset), ("20260329003000 +-100", .badOffset),
        ("20260329003000 UTC+", .badOffset),
        ("20260329003000 XYZ", .unknownZone), ("20260329003000 Europe/London", .unknownZone),
        ("20260329003000 BST+1", .unknownZone), ("20260329003000 Z+0100", .unknownZone),
        ("20260329003000 BS", .unknownZone),
        ("20260329003000 BST BST", .unknownZone), ("20260329003000 GMT1", .unknownZone),
        ("20260329003000 T", .unknownZone),
        ("20260329T", .unknownZone), ("20260329003000 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAUTC", .unknownZone),
        ("##TODAY##003000 +0100", .notATime),
    ])
    func invalidTimesAreRejectedWithReason(_ text: String, _ expected: XMLTVTimeError) {
        #expect(throws: expected) { try XMLTVTime(text) }
    }

    @Test func bytesAreReadWithoutAString() throws {
        let bytes: [UInt8] = Array("<20260329003000 +0100>".utf8)
        try expectEqual(XMLTVTime(parsing: bytes.span.extracting(1..<21)).secondsSince1970, 1_774_740_600)
    }

    /// Times outside of four-digit years are not formatted.
    private static let formats: [(seconds: Int64, text: String?)] = [
        (1_774_740_600, "20260328233000 +0000"), (0, "19700101000000 +0000"), (-1, "19691231235959 +0000"),
        (951_782_400, "20000229000000 +0000"), (-62_167_219_200, "00000101000000 +0000"),
        (-62_135_596_800, "00010101000000 +0000"), (253_402_300_799, "99991231235959 +0000"),
        (-62_167_219_201, nil), (253_402_300_800, nil), (.min, nil), (.max, nil),
    ]

    @Test(arguments: formats)
    func formattedTimesAreInUTC(_ seconds: Int64, _ expected: String?) throws {
        expectEqual(XMLTVTime.format(secondsSince1970: seconds), expected)
    }

    /// Days counted one by one, with the month lengths of any calendar.
    @Test(arguments: [(1896, -2_335_219_200), (1996, 820_454_400), (2096, 3_976_214_400)])
    func consecutiveDaysHaveConsecutiveNumbers(_ firstYear: Int, _ firstSecond: Int64) throws {
        var second = firstSecond
        for year in firstYear..<firstYear + 10 {
            let february = year % 4 == 0 && year != 1900 && year != 2100 ? 29 : 28
            for (index, length) in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in 1...length {
                    let text = "\((year * 100 + index + 1) * 100 + day)000000 +0000"
                    try expectEqual(XMLTVTime(text).secondsSince1970, second)
                    expectEqual(XMLTVTime.format(secondsSince1970: second), text)
                    second += 86_400
                }
                #expect(throws: XMLTVTimeError.noSuchDay) {
                    try XMLTVTime("\((year * 100 + index + 1) * 100 + length + 1)000000 +0000")
                }
            }
        }
    }
}

@Suite struct XMLTVTimeFuzzTests {
    /// The first and the last instant that a time can express: year 0000 at +15:59, and the end of 9999 at −15:59.
    static let bounds: ClosedRange<Int64> = (-62_167_219_200 - 57_540)...(253_402_300_800 + 57_540)

    private func expectPlausible(_ bytes: [UInt8]) {
        do {
            let time = try XMLTVTime(parsing: bytes.span)
            #expect(Self.bounds.contains(time.secondsSince1970), "\(bytes)")
            #expect(abs(time.utcOffset ?? 0) <= 57_540, "\(bytes)")
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    @Test func randomBytesNeverTrap() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            let count = Int.random(in: 0...40, using: &random)
            expectPlausible((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    @Test func randomLettersOfTimesNeverTrap() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789:-+TZ .,BSTUCGMe".utf8)
        for _ in 0..<10_000 {
            expectPlausible(
                (0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 })
        }
    }

    /// If one byte of a valid time changes to any other, the parser returns another time or throws, but never traps.
    @Test(arguments: ["20260329003000 +0100", "2026-03-29T00:30:00.5+01:00", "20260329 00:30 GMT+1"])
    func everyChangedByteIsHandled(_ text: String) {
        let good = Array(text.utf8)
        for index in good.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = good
                bytes[index] = byte
                expectPlausible(bytes)
            }
            expectPlausible(Array(good[..<index]))
        }
    }

    @Test(arguments: ["1", " ", "+", "A", "."])
    func longInputIsHandled(_ filler: String) {
        for head in ["", "20260329003000 ", "20260329003000 +", "20260329003000 UTC", "20260329003000."] {
            expectPlausible(Array((head + String(repeating: filler, count: 20_000)).utf8))
        }
    }
}
