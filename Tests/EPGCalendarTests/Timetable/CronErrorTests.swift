import EPGModel
import Testing

@testable import EPGCalendar

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
        ("0 0 ? * 1", .dayOfMonth, "?", .foreign), ("0 0 L * *", .dayOfMonth, "L", .foreign),
        ("0 0 15W * *", .dayOfMonth, "15W", .foreign), ("0 0 LW * *", .dayOfMonth, "LW", .foreign),
        ("0 0 * * 5L", .dayOfWeek, "5L", .foreign), ("0 0 * * fri#2", .dayOfWeek, "fri#2", .foreign),
    ])
    func faultyFieldIsNamed(_ text: String, _ field: CronField, _ part: String, _ flaw: CronError.Flaw) {
        #expect(error(text) == CronError(text: text, problem: .field(field, part: part, flaw: flaw)))
    }

    @Test(arguments: [
        ("", CronError.Problem.empty), (" \t\n", .empty), ("*", .fieldCount(1)), ("* * * *", .fieldCount(4)),
        ("0 * * * * *", .fieldCount(6)), ("0 4 * * * /usr/bin/epg refresh", .fieldCount(7)),
        ("@reboot", .unknownNickname), ("@daily 5", .unknownNickname), ("@", .unknownNickname),
        (String(repeating: "1,", count: 128) + "1 * * * *", .tooLong),
        (String(repeating: " ", count: 100_000), .tooLong),
    ])
    func textThatIsNotFiveFieldsIsRefused(_ text: String, _ problem: CronError.Problem) {
        #expect(error(text)?.problem == problem)
    }

    @Test(arguments: [
        (
            "30 25 * * *",
            #"the hour "25" in the timetable "30 25 * * *" is out of range; write a number from 0 to 23"#
        ),
        (
            "0 4 * * monday",
            #"the day of the week "monday" in the timetable "0 4 * * monday" can't be read; write *, "#
                + "a number from 0 to 7 or a name from sun to sat, a range such as 1-5, or a step such as */2"
        ),
        (
            "0 22-2 * * *",
            #"the hour "22-2" in the timetable "0 22-2 * * *" ends before it begins; write 22-23,0-2"#
        ),
        (
            "0 0 * * 7-1",
            #"the day of the week "7-1" in the timetable "0 0 * * 7-1" ends before it begins; "#
                + "write two ranges with a comma between them"
        ),
        (
            "5/15 * * * *",
            #"the minute "5/15" in the timetable "5/15 * * * *" has a step behind a single value; "#
                + "write a range before it, such as 0-59/2, or */2"
        ),
        (
            "*/90 * * * *",
            #"the minute "*/90" in the timetable "*/90 * * * *" has a step that can't be; "#
                + "write one from 1 to 60, such as */2"
        ),
        (
            "4 * * *",
            #"the timetable "4 * * *" has 4 fields in place of five; write minute, hour, day of the month, month and "#
                + "day of the week, such as 30 4 * * *"
        ),
        (
            "@reboot",
            #"there is no timetable "@reboot"; write @hourly, @daily, @midnight, @weekly, @monthly, @yearly, "#
                + "@annually or five fields such as 30 4 * * *"
        ),
    ])
    func messageSaysWhatToWriteInstead(_ text: String, _ message: String) {
        #expect(error(text)?.description == message)
    }

    @Test func correctionsThatMessagesOfferCanBeRead() throws {
        for (text, part) in [
            ("0 22-2 * * *", "22-23,0-2"), ("0 0 * nov-feb *", "nov-12,1-feb"), ("0 0 * * 5-1", "5-6,0-1"),
        ] {
            #expect(error(text)?.description.hasSuffix("write \(part)") == true)
            for field in text.split(separator: " ") where field.contains("-") {
                _ = try CronExpression(text.replacing(field, with: part))
            }
        }
    }

    @Test func randomBytesAreReadOrRefusedAndNeverTrap() {
        var state: UInt64 = 88_172_645_463_325_252
        func random(below bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let pieces = Array("0123456789*/,-  @jansufr?#LWé\u{0}\n").map(String.init)
        var taken = 0
        for _ in 0..<20_000 {
            let text = (0..<random(below: 24)).map { _ in pieces[random(below: pieces.count)] }.joined()
            let padded = text + String(repeating: " *", count: random(below: 6))
            if error(padded) == nil { taken += 1 }
        }
        #expect(taken > 100)
    }
}
