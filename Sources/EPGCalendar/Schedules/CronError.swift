/// An invalid ``CronExpression``.
public struct CronError: Error, Hashable, Sendable {
    /// The reason that the text is invalid.
    public enum Problem: Error, Hashable, Sendable {
        /// The text is empty.
        case empty
        /// The text is longer than ``CronExpression/maximumLength``.
        case tooLong
        /// The text begins with `@`, but is not one of ``CronExpression/nicknames``.
        case unknownNickname
        /// The number of fields is not five.
        case fieldCount(Int)
        /// A part of a field is invalid.
        case field(CronField, part: String, flaw: Flaw)
    }

    /// The reason that a part of a field is invalid.
    public enum Flaw: Hashable, Sendable {
        /// A value is missing before or after a comma.
        case missing
        /// The part is not a number, a name or a range.
        case unreadable
        /// The part uses syntax of other programs: `?`, `L`, `W`, `#`.
        case unsupportedSyntax
        /// A number is outside the range of the field.
        case outOfRange
        /// The end of a range is before its beginning.
        case reversed
        /// A step follows a single number. Some programs read `5/15` as `5-59/15`; cron rejects it.
        case stepWithoutRange
        /// A step is not a number from 1 to the count of the field's numbers.
        ///
        /// cron accepts larger steps, but `*/90` means every hour, which is rarely intended.
        case badStep
    }

    /// The invalid text.
    public let text: String
    /// The reason that the text is invalid.
    public let problem: Problem

    init(text: String, problem: Problem) {
        self.text = text
        self.problem = problem
    }
}

extension CronError: CustomStringConvertible {
    /// The error message in English: the problem, where it is, and what to write instead.
    public var description: String {
        switch problem {
        case .empty:
            "the cron expression is empty; use minute, hour, day of the month, month and day of the week, "
                + "such as 30 4 * * *, or @daily"
        case .tooLong: "the cron expression exceeds \(CronExpression.maximumLength) bytes; use a shorter one"
        case .unknownNickname:
            "unknown cron expression \(quoted: text); use \(CronExpression.nicknames.joined(separator: ", ")) "
                + "or five fields such as 30 4 * * *"
        case .fieldCount(let count):
            "the cron expression \(quoted: text) has \(count) \(count == 1 ? "field" : "fields") instead of five; "
                + "use minute, hour, day of the month, month and day of the week, such as 30 4 * * *"
        case .field(let field, let part, let flaw):
            "invalid \(field.rawValue) \(quoted: part) in the cron expression \(quoted: text): "
                + CronError.explanation(of: flaw, in: part, of: field)
        }
    }

    private static func explanation(of flaw: Flaw, in part: String, of field: CronField) -> String {
        let numbers = field.numbers
        let names = field.names
        var allowed = "a number from \(numbers.lowerBound) to \(numbers.upperBound)"
        if let first = names.first, let last = names.last { allowed += " or a name from \(first) to \(last)" }
        switch flaw {
        case .missing: return "a value is missing next to a comma; use \(allowed)"
        case .unreadable: return "use *, \(allowed), a range such as 1-5, or a step such as */2"
        case .unsupportedSyntax: return "?, L, W and # are not supported; use *, \(allowed), or a range such as 1-5"
        case .outOfRange: return "out of range; use \(allowed)"
        case .reversed:
            let ends = part.split(separator: "-")
            guard ends.count == 2, !part.contains("/"), ends[0] != "7" else {
                return "the range ends before it begins; use two ranges separated by a comma"
            }
            return "the range ends before it begins; "
                + "use \(ends[0])-\(field.all.upperBound),\(field.all.lowerBound)-\(ends[1])"
        case .stepWithoutRange:
            return "a step requires a range; use a range such as "
                + "\(numbers.lowerBound)-\(field.all.upperBound)/2, or */2"
        case .badStep: return "invalid step; use a step from 1 to \(field.all.count), such as */2"
        }
    }
}
