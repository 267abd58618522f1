import EPGModel
import Testing

/// The proleptic Gregorian calendar; the expected days are those of Python's `datetime.date`, but for the years that it
/// doesn't know.
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
        // The day before 0001-01-01, and the leap day of the year 0: 1 + 306 days before 0001-01-01.
        Day(0, 12, 31, is: -719_163), Day(0, 2, 29, is: -719_162 - 307),
    ]

    @Test(arguments: days) func daysCountFrom1970(_ row: Day) throws {
        let date = try #require(CivilDate(year: row.year, month: row.month, day: row.day))
        #expect(date.daysSince1970 == row.number)
        #expect(CivilDate(daysSince1970: row.number) == date)
    }

    @Test func everyDayOfAnEraFollowsTheOneBefore() {
        // 400 years are the calendar's period: 146,097 days.
        var previous = CivilDate(daysSince1970: -1)
        for number in Int64(0)..<146_097 {
            let date = CivilDate(daysSince1970: number)
            let isNext =
                (date.year, date.month) == (previous.year, previous.month) && date.day == previous.day + 1
                || date.day == 1 && previous.day == CivilDate.days(inMonth: previous.month, ofYear: previous.year)
            guard isNext, date > previous, date.daysSince1970 == number else {
                Issue.record("\(date) doesn't follow \(previous)")
                return
            }
            previous = date
        }
        #expect(CivilDate(daysSince1970: 146_097) == CivilDate(year: 2370, month: 1, day: 1))
    }

    @Test(
        arguments: [
            (2026, 2, 29), (2100, 2, 29), (1900, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0),
            (2026, 1, 32), (1_000_001, 1, 1), (-1_000_001, 1, 1), (Int64.max, 1, 1), (2026, Int.max, Int.max),
            (2026, 1, Int.min),
        ] as [(Int64, Int, Int)])
    func daysThatTheCalendarDoesNotHaveAreNil(year: Int64, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        arguments: [
            (2026, "2026-03-29"), (1, "0001-03-29"), (0, "0000-03-29"), (-44, "-0044-03-29"), (10_000, "+10000-03-29"),
        ] as [(Int64, String)])
    func datesAreWrittenAsISO8601(year: Int64, text: String) {
        #expect(CivilDate(year: year, month: 3, day: 29)?.description == text)
    }
}
