import EPGCalendar
import EPGModel
import TestSupport
import Testing

/// The current time is 2026-03-28T12:00:00Z, a Saturday, in London, where the clocks go forward the next morning at
/// 01:00.
@Suite struct TimeExpressionTests {
    @Test(arguments: [
        ("now", "2026-03-28T12:00:00Z"), (" NOW ", "2026-03-28T12:00:00Z"),
        ("20:00", "2026-03-28T20:00:00Z"), ("8pm", "2026-03-28T20:00:00Z"), ("8:30 PM", "2026-03-28T20:30:00Z"),
        ("12am", "2026-03-28T00:00:00Z"), ("12pm", "2026-03-28T12:00:00Z"), ("9:05", "2026-03-28T09:05:00Z"),
        ("20:00:30", "2026-03-28T20:00:30Z"), ("24:00", "2026-03-29T00:00:00Z"),
        ("today", "2026-03-28T00:00:00Z"), ("tomorrow", "2026-03-29T00:00:00Z"),
        ("today 20:00", "2026-03-28T20:00:00Z"),
        ("tomorrow 20:00", "2026-03-29T19:00:00Z"), ("Tomorrow  8pm", "2026-03-29T19:00:00Z"),
        ("tomorrow 24:00", "2026-03-29T23:00:00Z"), ("yesterday 20:00", "2026-03-27T20:00:00Z"),
        ("sat", "2026-03-28T00:00:00Z"), ("saturday 20:00", "2026-03-28T20:00:00Z"),
        ("sun 20:00", "2026-03-29T19:00:00Z"),
        ("friday", "2026-04-02T23:00:00Z"),
        ("2026-03-29", "2026-03-29T00:00:00Z"), ("2026-03-30", "2026-03-29T23:00:00Z"),
        ("2026-03-29T20:00", "2026-03-29T19:00:00Z"), ("2026-03-29 20:00", "2026-03-29T19:00:00Z"),
        ("2026-03-29t20:00:15", "2026-03-29T19:00:15Z"), ("2026-03-29T20:00Z", "2026-03-29T20:00:00Z"),
        ("2026-03-29T00:30:00+01:00", "2026-03-28T23:30:00Z"), ("2026-03-29T00:30:00.75-0530", "2026-03-29T06:00:00Z"),
        ("2026-03-29 00:30 +01", "2026-03-28T23:30:00Z"), ("2026-03-29T24:00", "2026-03-29T23:00:00Z"),
        ("2026-03-29T01:30", "2026-03-29T01:30:00Z"), ("2026-10-25T01:30", "2026-10-25T00:30:00Z"),
        ("+2h", "2026-03-28T14:00:00Z"), ("-30m", "2026-03-28T11:30:00Z"), ("+1h30m", "2026-03-28T13:30:00Z"),
        ("+1d", "2026-03-29T12:00:00Z"), ("-45s", "2026-03-28T11:59:15Z"),
        ("@0", "1970-01-01T00:00:00Z"), ("@1774728000", "2026-03-28T20:00:00Z"), ("@-1", "1969-12-31T23:59:59Z"),
    ])
    func textIsParsed(_ text: String, _ expected: String) throws {
        try expectEqual(TimeExpression.parse(text, now: noon, zone: try zone("Europe/London")).iso8601, expected)
    }

    /// The evening in London is the next morning in Auckland, 2026-03-29, where it is 01:00 at +13.
    @Test func todayIsTheDateInTheZone() throws {
        let auckland = try zone("Pacific/Auckland")
        try expectEqual(TimeExpression.parse("20:00", now: noon, zone: auckland).iso8601, "2026-03-29T07:00:00Z")
    }

    typealias Problem = TimeExpressionError.Problem

    @Test(arguments: [
        ("", Problem.empty), ("  ", .empty), ("soon", .unknownForm), ("20", .unknownForm), ("2000", .unknownForm),
        ("20:0", .unknownForm), ("20:00x", .unknownForm), ("tomorrow20:00", .unknownForm), ("now 20:00", .unknownForm),
        ("2026-3-29", .unknownForm), ("2026-03-29T", .unknownForm), ("2026-03-29T20:00 BST", .unknownForm),
        ("2026-03-29T20:00.5", .unknownForm), ("20:00Z", .unknownForm), ("+2", .unknownForm), ("+h", .unknownForm),
        ("+", .unknownForm), ("-", .unknownForm), ("@", .unknownForm), ("@1x", .unknownForm), ("@+1", .unknownForm),
        ("@1-1", .unknownForm), ("2h", .unknownForm), ("٢٠:٠٠", .unknownForm), ("20\0:00", .unknownForm),
        ("2026-02-30", .noSuchDay), ("2026-13-01", .noSuchDay), ("0000-00-00", .noSuchDay),
        ("25:00", .noSuchTime), ("24:01", .noSuchTime), ("20:60", .noSuchTime), ("20:00:60", .noSuchTime),
        ("13pm", .noSuchTime), ("0am", .noSuchTime), ("today 24:00:01", .noSuchTime),
        ("2026-03-29T20:00+16:00", .badOffset), ("2026-03-29T20:00+1", .badOffset),
        ("2026-03-29T20:00+01:60", .badOffset),
        ("@99999999999999999999", .outOfRange), ("@9999999999999", .outOfRange), ("@-9223372036854775808", .outOfRange),
        ("+9999999d9999999d", .outOfRange), ("9999-12-31T23:59:59-15:59", .outOfRange),
    ])
    func invalidTextIsRejectedWithReason(_ text: String, _ problem: Problem) throws {
        let london = try zone("Europe/London")
        let error = #expect(throws: TimeExpressionError.self) {
            try TimeExpression.parse(text, now: noon, zone: london)
        }
        expectEqual(error?.problem, problem)
        expectEqual(error?.text, text)
    }

    @Test func messageContainsTextAndFormats() throws {
        let error = #expect(throws: TimeExpressionError.self) {
            try TimeExpression.parse("so\u{1B}on", now: noon, zone: .utc)
        }
        let message = try #require(error?.description)
        #expect(message.contains("\"soon\"") && message.contains("tomorrow 20:00"))
    }

    /// Every format in messages and help is valid.
    @Test func formatsOfTheMessageAreValid() throws {
        let forms = TimeExpressionError.forms.split(separator: ",").flatMap { $0.split(separator: " or ") }
        expectEqual(forms.count, 13)
        for form in forms { _ = try TimeExpression.parse(String(form), now: noon, zone: .utc) }
    }

    @Test func randomTextsNeverTrap() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("0123456789:-+TtZ @.,hmdapsnowtue\u{1B}é")
        for _ in 0..<5000 {
            let count = Int.random(in: 0...30, using: &random)
            let text = String((0..<count).map { _ in letters.randomElement(using: &random) ?? "x" })
            do {
                let instant = try TimeExpression.parse(text, now: noon, zone: .utc)
                #expect((-62_167_219_200...253_402_300_799).contains(instant.secondsSince1970), "\(text)")
            } catch {
                expectEqual(error.text, text)
            }
        }
    }
}
