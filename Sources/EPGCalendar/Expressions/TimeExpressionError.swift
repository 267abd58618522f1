/// Why a text that a person wrote is no time.
public struct TimeExpressionError: Error, Hashable, Sendable {
    /// What is wrong with the text.
    public enum Problem: Error, Hashable, Sendable {
        /// There is nothing in it.
        case empty
        /// It is written like none of the forms.
        case unknownForm
        /// The calendar has no such day.
        case noSuchDay
        /// The clock has no such time.
        case noSuchTime
        /// The offset from UTC is beyond ±15:59 or isn't written like one.
        case badOffset
        /// The instant lies outside the years 0000 to 9999.
        case outOfRange
    }

    /// What was written.
    public let text: String
    public let problem: Problem

    init(text: String, problem: Problem) {
        self.text = text
        self.problem = problem
    }
}

extension TimeExpressionError: CustomStringConvertible {
    /// The forms that are understood, for messages and help.
    public static let forms =
        "now, 20:00, 8:30pm, today, tomorrow 20:00, sat 20:00, 2026-03-29, 2026-03-29T20:00, "
        + "2026-03-29T20:00:00+01:00, +2h, -30m, +1h30m or @1774728000"

    /// What is wrong, and what to write instead, in English.
    public var description: String {
        switch problem {
        case .empty: "the time is empty; write \(TimeExpressionError.forms)"
        case .unknownForm: "\(quoted: text) is not a time; write \(TimeExpressionError.forms)"
        case .noSuchDay: "there is no such day as in \(quoted: text); write a date of the calendar as 2026-03-29"
        case .noSuchTime: "there is no such time of day as in \(quoted: text); write one from 00:00 to 24:00"
        case .badOffset: "the offset from UTC in \(quoted: text) can't be read; write Z or +01:00, at most 15:59"
        case .outOfRange: "\(quoted: text) lies outside the years 0000 to 9999; write a nearer time"
        }
    }
}
