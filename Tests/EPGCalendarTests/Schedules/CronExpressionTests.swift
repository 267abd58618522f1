import EPGModel
import TestSupport
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
        try expectEqual(CronExpression("\(field) * * * *").minutes.numbers, expected)
    }

    @Test(arguments: [
        ("* * * jan *", [1]), ("* * * Feb,DEC *", [2, 12]), ("* * * mar-6 *", [3, 4, 5, 6]),
        ("* * * 1-sep/4 *", [1, 5, 9]), ("* * * */5 *", [1, 6, 11]),
    ])
    func monthsHaveNames(_ text: String, _ expected: [Int]) throws {
        try expectEqual(CronExpression(text).months.numbers, expected)
    }

    @Test(arguments: [
        ("* * * * 0", [0]), ("* * * * 7", [0]), ("* * * * 0-7", [0, 1, 2, 3, 4, 5, 6]), ("* * * * 5-7", [0, 5, 6]),
        ("* * * * MON-fri", [1, 2, 3, 4, 5]), ("* * * * sun", [0]), ("* * * * sun-tue", [0, 1, 2]),
        ("* * * * fri-sun", [0, 5, 6]), ("* * * * Sat-Sun/1", [0, 6]), ("* * * * sun-sun", [0]),
        ("* * * * 5-7/2", [0, 5]), ("* * * * */3", [0, 3, 6]), ("* * * * */7", [0]),
        ("* * * * *", [0, 1, 2, 3, 4, 5, 6]),
    ])
    func sundayIsZeroAndSeven(_ text: String, _ expected: [Int]) throws {
        try expectEqual(CronExpression(text).daysOfWeek.numbers, expected)
    }

    @Test(arguments: [
        ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@weekly", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"), (" @Annually\n", "0 0 1 1 *"),
    ])
    func nicknamesEqualTheirFields(_ nickname: String, _ fields: String) throws {
        let one = try CronExpression(nickname)
        let other = try CronExpression(fields)
        expectEqual(one.minutes, other.minutes)
        expectEqual(one.hours, other.hours)
        expectEqual(one.daysOfMonth, other.daysOfMonth)
        expectEqual(one.months, other.months)
        expectEqual(one.daysOfWeek, other.daysOfWeek)
        expectEqual(one.followsClock, other.followsClock)
    }

    @Test(arguments: [
        ("30 4 * * *", false), ("0,30 0-23 * * *", false), ("* 4 * * *", true), ("*/5 4 * * *", true),
        ("5 * * * *", true), ("5 */12 * * *", true), ("@hourly", true), ("@daily", false),
    ])
    func starInMinuteOrHourFollowsClock(_ text: String, _ expected: Bool) throws {
        try expectEqual(CronExpression(text).followsClock, expected)
    }

    @Test func descriptionIsTheNormalizedText() throws {
        try expectEqual(CronExpression("\t 30  4 *\t* MON-fri \r\n").description, "30 4 * * MON-fri")
        try expectEqual(CronExpression("@daily").description, "@daily")
    }

    @Test func listOfAllMinutesIsShortEnough() throws {
        let all = (0...59).map(String.init).joined(separator: ",")
        try expectEqual(CronExpression("\(all) 0-23 1-31 1-12 0-7").minutes.numbers, Array(0...59))
    }
}

@Suite struct CronErrorTests {
    private func error(_ text: String) -> CronError? {
        do {
            _ = try CronExpression(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("60 * * * *", CronField.minute, "60", CronError.Flaw.outOfRange), ("* 24 * * *", .hour, "24", .outOfRange),
        ("* * 0 * *", .dayOfMonth, "0", .outOfRange), ("* * 1,32 * *", .dayOfMonth, "32", .outOfRange),
        ("* * * 13 *", .month, "13", .outOfRange), ("* * * 0-3 *", .month, "0-3", .outOfRange),
        ("* * * * 8", .dayOfWeek, "8", .outOfRange),
        ("99999999999999999999999 * * * *", .minute, "99999999999999999999999", .outOfRange),
        ("* 22-2 * * *", .hour, "22-2", .reversed), ("* * * nov-feb *", .month, "nov-feb", .reversed),
        ("* * * * 5-1", .dayOfWeek, "5-1", .reversed), ("* * * * 7-1", .dayOfWeek, "7-1", .reversed),
        ("5/15 * * * *", .minute, "5/15", .stepWithoutRange), ("* * * jan/2 *", .month, "jan/2", .stepWithoutRange),
        ("*/0 * * * *", .minute, "*/0", .badStep), ("*/61 * * * *", .minute, "*/61", .badStep),
        ("*/ * * * *", .minute, "*/", .badStep), ("*/5/5 * * * *", .minute, "*/5/5", .badStep),
        ("* */25 * * *", .hour, "*/25", .badStep), ("* * * * */mon", .dayOfWeek, "*/mon", .badStep),
        ("*/-5 * * * *", .minute, "*/-5", .badStep),
        ("1,,2 * * * *", .minute, "1,,2", .missing), (", * * * *", .minute, ",", .missing),
        ("1, * * * *", .minute, "1,", .missing), ("-5 * * * *", .minute, "-5", .unreadable),
        ("5- * * * *", .minute, "5-", .unreadable), ("1-2-3 * * * *", .minute, "1-2-3", .unreadable),
        ("*5 * * * *", .minute, "*5", .unreadable), ("** * * * *", .minute, "**", .unreadable),
        ("*-5 * * * *", .minute, "*-5", .unreadable), ("/5 * * * *", .minute, "/5", .unreadable),
        ("1.5 * * * *", .minute, "1.5", .unreadable), ("+5 * * * *", .minute, "+5", .unreadable),
        ("٥ * * * *", .minute, "٥", .unreadable), ("mon * * * *", .minute, "mon", .unreadable),
        ("* * * * monday", .dayOfWeek, "monday", .unreadable), ("* * * mon *", .month, "mon", .unreadable),
        ("* * * * jan", .dayOfWeek, "jan", .unreadable), ("0\n0 * * * *", .minute, "0\n0", .unreadable),
        ("0 0 ? * 1", .dayOfMonth, "?", .unsupportedSyntax), ("0 0 L * *", .dayOfMonth, "L", .unsupportedSyntax),
        ("0 0 15W * *", .dayOfMonth, "15W", .unsupportedSyntax), ("0 0 LW * *", .dayOfMonth, "LW", .unsupportedSyntax),
        ("0 0 * * 5L", .dayOfWeek, "5L", .unsupportedSyntax),
        ("0 0 * * fri#2", .dayOfWeek, "fri#2", .unsupportedSyntax),
    ])
    func invalidFieldIsNamed(_ text: String, _ field: CronField, _ part: String, _ flaw: CronError.Flaw) {
        expectEqual(error(text), CronError(text: text, problem: .field(field, part: part, flaw: flaw)))
    }

    @Test(arguments: [
        ("", CronError.Problem.empty), (" \t\n", .empty), ("*", .fieldCount(1)), ("* * * *", .fieldCount(4)),
        ("0 * * * * *", .fieldCount(6)), ("0 4 * * * /usr/bin/epg refresh", .fieldCount(7)),
        ("@reboot", .unknownNickname), ("@daily 5", .unknownNickname), ("@", .unknownNickname),
        (String(repeating: "1,", count: 128) + "1 * * * *", .tooLong),
        (String(repeating: " ", count: 100_000), .tooLong),
    ])
    func textWithoutFiveFieldsIsRejected(_ text: String, _ problem: CronError.Problem) {
        expectEqual(error(text)?.problem, problem)
    }

    @Test(arguments: [
        (
            "30 25 * * *",
            #"invalid hour "25" in the cron expression "30 25 * * *": out of range; use a number from 0 to 23"#
        ),
        (
            "0 4 * * monday",
            #"invalid day of the week "monday" in the cron expression "0 4 * * monday": use *, "#
                + "a number from 0 to 7 or a name from sun to sat, a range such as 1-5, or a step such as */2"
        ),
        (
            "0 22-2 * * *",
            #"invalid hour "22-2" in the cron expression "0 22-2 * * *": the range ends before it begins; "#
                + "use 22-23,0-2"
        ),
        (
            "0 0 * * 7-1",
            #"invalid day of the week "7-1" in the cron expression "0 0 * * 7-1": the range ends before it begins; "#
                + "use two ranges separated by a comma"
        ),
        (
            "5/15 * * * *",
            #"invalid minute "5/15" in the cron expression "5/15 * * * *": a step requires a range; "#
                + "use a range such as 0-59/2, or */2"
        ),
        (
            "*/90 * * * *",
            #"invalid minute "*/90" in the cron expression "*/90 * * * *": invalid step; "#
                + "use a step from 1 to 60, such as */2"
        ),
        (
            "4 * * *",
            #"the cron expression "4 * * *" has 4 fields instead of five; use minute, hour, day of the month, month and "#
                + "day of the week, such as 30 4 * * *"
        ),
        (
            "@reboot",
            #"unknown cron expression "@reboot"; use @hourly, @daily, @midnight, @weekly, @monthly, @yearly, "#
                + "@annually or five fields such as 30 4 * * *"
        ),
    ])
    func messageSuggestsACorrection(_ text: String, _ message: String) {
        expectEqual(error(text)?.description, message)
    }

    @Test func suggestedCorrectionsAreValid() throws {
        for (text, part) in [
            ("0 22-2 * * *", "22-23,0-2"), ("0 0 * nov-feb *", "nov-12,1-feb"), ("0 0 * * 5-1", "5-6,0-1"),
        ] {
            expectEqual(error(text)?.description.hasSuffix("use \(part)"), true)
            for field in text.split(separator: " ") where field.contains("-") {
                _ = try CronExpression(text.replacing(field, with: part))
            }
        }
    }

    @Test func randomTextsNeverTrap() {
        var state: UInt64 = 88_172_645_463_325_252
        func random(below bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let pieces = Array("0123456789*/,-  @jansufr?#LWé\u{0}\n").map(String.init)
        var validCount = 0
        for _ in 0..<20_000 {
            let text = (0..<random(below: 24)).map { _ in pieces[random(below: pieces.count)] }.joined()
            let padded = text + String(repeating: " *", count: random(below: 6))
            if error(padded) == nil { validCount += 1 }
        }
        #expect(validCount > 100)
    }
}
