import EPGModel
import Testing

@testable import EPGCalendar

@Suite struct CronExpressionTests {
    @Test(arguments: [
        ("5", [5]), ("05", [5]), ("0,59", [0, 59]), ("10-13", [10, 11, 12, 13]), ("10-40/10", [10, 20, 30, 40]),
        ("10-39/10", [10, 20, 30]), ("*/20", [0, 20, 40]), ("*/60", [0]), ("7-7/3", [7]),
        ("50,1-2,*/30", [0, 1, 2, 30, 50]),
        ("1,1,1", [1]),
    ])
    func minutesAreNumbersRangesStepsAndLists(_ field: String, _ expected: [Int]) throws {
        #expect(try CronExpression("\(field) * * * *").minutes.numbers == expected)
    }

    @Test(arguments: [
        ("* * * jan *", [1]), ("* * * Feb,DEC *", [2, 12]), ("* * * mar-6 *", [3, 4, 5, 6]),
        ("* * * 1-sep/4 *", [1, 5, 9]), ("* * * */5 *", [1, 6, 11]),
    ])
    func monthsHaveNames(_ text: String, _ expected: [Int]) throws {
        #expect(try CronExpression(text).months.numbers == expected)
    }

    @Test(arguments: [
        ("* * * * 0", [0]), ("* * * * 7", [0]), ("* * * * 0-7", [0, 1, 2, 3, 4, 5, 6]), ("* * * * 5-7", [0, 5, 6]),
        ("* * * * MON-fri", [1, 2, 3, 4, 5]), ("* * * * sun", [0]), ("* * * * sun-tue", [0, 1, 2]),
        ("* * * * fri-sun", [0, 5, 6]), ("* * * * Sat-Sun/1", [0, 6]), ("* * * * sun-sun", [0]),
        ("* * * * 5-7/2", [0, 5]), ("* * * * */3", [0, 3, 6]), ("* * * * */7", [0]),
        ("* * * * *", [0, 1, 2, 3, 4, 5, 6]),
    ])
    func sundayIsZeroAndSeven(_ text: String, _ expected: [Int]) throws {
        #expect(try CronExpression(text).daysOfWeek.numbers == expected)
    }

    @Test(arguments: [
        ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@weekly", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"), (" @Annually\n", "0 0 1 1 *"),
    ])
    func nicknamesStandForFields(_ nickname: String, _ fields: String) throws {
        let one = try CronExpression(nickname)
        let other = try CronExpression(fields)
        #expect(one.minutes == other.minutes)
        #expect(one.hours == other.hours)
        #expect(one.daysOfMonth == other.daysOfMonth)
        #expect(one.months == other.months)
        #expect(one.daysOfWeek == other.daysOfWeek)
        #expect(one.followsTheClock == other.followsTheClock)
    }

    @Test(arguments: [
        ("30 4 * * *", false), ("0,30 0-23 * * *", false), ("* 4 * * *", true), ("*/5 4 * * *", true),
        ("5 * * * *", true), ("5 */12 * * *", true), ("@hourly", true), ("@daily", false),
    ])
    func starInMinuteOrHourFollowsTheClock(_ text: String, _ expected: Bool) throws {
        #expect(try CronExpression(text).followsTheClock == expected)
    }

    @Test func itIsWrittenAsItWasRead() throws {
        #expect(try CronExpression("\t 30  4 *\t* MON-fri \r\n").description == "30 4 * * MON-fri")
        #expect(try CronExpression("@daily").description == "@daily")
    }

    @Test func listOfAllMinutesIsShortEnough() throws {
        let all = (0...59).map(String.init).joined(separator: ",")
        #expect(try CronExpression("\(all) 0-23 1-31 1-12 0-7").minutes.numbers == Array(0...59))
    }
}
