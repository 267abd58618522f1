import Testing

@testable import EPGModel

@Suite struct RatingTests {
    @Test(arguments: [
        ("3 / 5", 0.6), ("0 / 5", 0), ("5/5", 1), ("7.5 / 10", 0.75), (" 1 /4 ", 0.25), ("4 / 4", 1),
    ])
    func aStarRatingIsAShareOfItsMaximum(text: String, share: Double) {
        #expect(Programme.Rating(value: text).share == share)
    }

    @Test(arguments: [
        "", "3", "3/", "/5", "6 / 5", "-1 / 5", "0 / 0", "5 / 0", "a / b", "3 / 5 / 7", "nan / 5", "3 / nan",
        "inf / inf", "1 / inf", "***",
    ])
    func whatIsNoShareIsNil(text: String) {
        #expect(Programme.Rating(value: text).share == nil)
    }

    @Test(
        arguments: [
            ("90", "seconds", 90), ("22", "minutes", 1320), ("2", "hours", 7200), ("0", "minutes", 0),
        ] as [(String, String, Int64)])
    func aLengthIsInItsUnit(value: String, units: String, seconds: Int64) {
        #expect(Programme.Length(value: value, units: units).seconds == seconds)
    }

    @Test(
        arguments: [
            ("90", nil), ("90", "days"), ("", "minutes"), ("-5", "minutes"), ("1.5", "hours"), ("ninety", "minutes"),
            // Ten years and more are no length of a programme.
            ("315360001", "seconds"), ("5256001", "minutes"), ("87601", "hours"), ("9223372036854775807", "hours"),
        ] as [(String, String?)])
    func whatIsNoLengthIsNil(value: String, units: String?) {
        #expect(Programme.Length(value: value, units: units).seconds == nil)
    }
}
