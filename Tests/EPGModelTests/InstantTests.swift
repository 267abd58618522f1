import EPGModel
import TestSupport
import Testing

/// Tests of instants with expectations from Python's `datetime`.
@Suite struct InstantTests {
    @Test(
        arguments: [
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (0, "1970-01-01T00:00:00Z"),
            (946_684_799, "1999-12-31T23:59:59Z"), (951_827_696, "2000-02-29T12:34:56Z"),
            (1_774_744_200, "2026-03-29T00:30:00Z"), (2_147_483_648, "2038-01-19T03:14:08Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            // Not from Python: the year 10000 has a sign (ISO 8601, 4.1.2.4).
            (253_402_300_800, "+10000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func instantsAreFormattedAsISO8601(seconds: Int64, text: String) {
        let instant = Instant(secondsSince1970: seconds)
        expectEqual(instant.iso8601, text)
        expectEqual(instant.description, text)
    }

    @Test(arguments: [Int64.min, .min + 1, .max - 1, .max]) func extremeInstantsAreFormatted(seconds: Int64) {
        #expect(Instant(secondsSince1970: seconds).iso8601.hasSuffix("Z"))
    }

    @Test func arithmeticOfInstantsSaturates() {
        let (first, last) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
        expectEqual(last.advanced(by: 1), last)
        expectEqual(first.advanced(by: -1), first)
        expectEqual(first.advanced(by: .max).secondsSince1970, -1)
        expectEqual(Instant(secondsSince1970: 10).advanced(by: -20).secondsSince1970, -10)
        expectEqual(first.seconds(to: last), .max)
        expectEqual(last.seconds(to: first), .min)
        expectEqual(Instant(secondsSince1970: 100).seconds(to: Instant(secondsSince1970: 40)), -60)
    }

    @Test func instantsCompareByTime() {
        #expect(Instant(secondsSince1970: -1) < Instant(secondsSince1970: 0))
        #expect(!(Instant(secondsSince1970: 0) < Instant(secondsSince1970: 0)))
    }
}

/// Tests of half-open windows.
@Suite struct TimeWindowTests {
    private func window(_ start: Int64, _ end: Int64) -> TimeWindow {
        TimeWindow(start: Instant(secondsSince1970: start), end: Instant(secondsSince1970: end))
    }

    @Test func windowsContainTheirStartButNotTheirEnd() {
        let hour = window(0, 3600)
        #expect(hour.contains(Instant(secondsSince1970: 0)))
        #expect(hour.contains(Instant(secondsSince1970: 3599)))
        #expect(!hour.contains(Instant(secondsSince1970: 3600)))
        #expect(!hour.contains(Instant(secondsSince1970: -1)))
        // Adjacent windows do not overlap.
        #expect(!window(0, 10).overlaps(window(10, 20)))
        #expect(!window(10, 20).overlaps(window(0, 10)))
        #expect(window(0, 11).overlaps(window(10, 20)))
        expectEqual(window(0, 10).intersection(window(10, 20)), nil)
        expectEqual(window(0, 12).intersection(window(10, 20)), window(10, 12))
        // An empty window contains and overlaps nothing.
        let empty = window(5, 5)
        #expect(empty.isEmpty)
        #expect(!empty.contains(Instant(secondsSince1970: 5)))
        #expect(!empty.overlaps(window(0, 10)))
        #expect(!window(0, 10).overlaps(empty))
        #expect(!empty.overlaps(empty))
    }

    @Test func overlappingWindowsShareAnInstant() {
        // All pairs of windows within six seconds, compared with the definition.
        let instants = (0..<6).map { Instant(secondsSince1970: $0) }
        let windows = (Int64(0)...5).flatMap { start in (start...5).map { self.window(start, $0) } }
        for first in windows {
            for second in windows {
                let common = instants.filter { first.contains($0) && second.contains($0) }
                expectEqual(first.overlaps(second), !common.isEmpty)
                expectEqual(first.intersection(second)?.start, common.first)
                expectEqual(first.intersection(second)?.seconds ?? 0, Int64(common.count))
            }
        }
    }

    @Test func reversedWindowIsNil() {
        expectEqual(TimeWindow(from: Instant(secondsSince1970: 1), to: Instant(secondsSince1970: 0)), nil)
        expectEqual(TimeWindow(from: Instant(secondsSince1970: 1), to: Instant(secondsSince1970: 1))?.isEmpty, true)
    }

    @Test func longestWindowHasLength() {
        expectEqual(window(.min, .max).seconds, .max)
    }
}

/// Tests of the proleptic Gregorian calendar with expectations from Python's `datetime.date` for the years that it supports.
@Suite struct CivilDateTests {
    struct Day: Sendable, CustomTestStringConvertible {
        var year: Int64
        var month: Int
        var day: Int
        var number: Int64

        init(_ year: Int64, _ month: Int, _ day: Int, is number: Int64) {
            (self.year, self.month, self.day, self.number) = (year, month, day, number)
        }

        var testDescription: String { "\(year)-\(month)-\(day)" }
    }

    static let days = [
        Day(1, 1, 1, is: -719_162), Day(4, 2, 29, is: -718_008), Day(1582, 10, 15, is: -141_427),
        Day(1600, 2, 29, is: -135_081), Day(1899, 12, 31, is: -25_568), Day(1900, 3, 1, is: -25_508),
        Day(1969, 12, 31, is: -1), Day(1970, 1, 1, is: 0), Day(2000, 2, 29, is: 11_016),
        Day(2000, 3, 1, is: 11_017), Day(2024, 2, 29, is: 19_782), Day(2026, 3, 29, is: 20_541),
        Day(2100, 2, 28, is: 47_540), Day(2100, 3, 1, is: 47_541), Day(9999, 12, 31, is: 2_932_896),
        // The day before 0001-01-01, and the leap day of year 0: 1 + 306 days before 0001-01-01.
        Day(0, 12, 31, is: -719_163), Day(0, 2, 29, is: -719_162 - 307),
    ]

    @Test(arguments: days) func datesMatchDaysSince1970(_ row: Day) throws {
        let date = try #require(CivilDate(year: row.year, month: row.month, day: row.day))
        expectEqual(date.daysSince1970, row.number)
        expectEqual(CivilDate(daysSince1970: row.number), date)
    }

    @Test func consecutiveDaysOfEraFollowEachOther() {
        // The calendar repeats every 400 years: 146,097 days.
        var previous = CivilDate(daysSince1970: -1)
        for number in Int64(0)..<146_097 {
            let date = CivilDate(daysSince1970: number)
            let isNext =
                (date.year, date.month) == (previous.year, previous.month) && date.day == previous.day + 1
                || date.day == 1 && previous.day == CivilDate.days(inMonth: previous.month, ofYear: previous.year)
            guard isNext, date > previous, date.daysSince1970 == number else {
                Issue.record("\(date) does not follow \(previous)")
                return
            }
            previous = date
        }
        expectEqual(CivilDate(daysSince1970: 146_097), CivilDate(year: 2370, month: 1, day: 1))
    }

    @Test(
        arguments: [
            (2026, 2, 29), (2100, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
            (2026, 1, 32), (1_000_001, 1, 1), (-1_000_001, 1, 1), (Int64.max, 1, 1), (2026, Int.max, Int.max),
            (2026, 1, Int.min),
        ] as [(Int64, Int, Int)])
    func nonexistentDaysAreRejected(year: Int64, month: Int, day: Int) {
        expectEqual(CivilDate(year: year, month: month, day: day), nil)
    }

    @Test(
        arguments: [
            (2026, "2026-03-29"), (1, "0001-03-29"), (0, "0000-03-29"), (-44, "-0044-03-29"), (10_000, "+10000-03-29"),
        ] as [(Int64, String)])
    func datesAreFormattedAsISO8601(year: Int64, text: String) {
        expectEqual(CivilDate(year: year, month: 3, day: 29)?.description, text)
    }
}
