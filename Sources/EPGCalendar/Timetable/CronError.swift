/// Why a text is no ``CronExpression``.
public struct CronError: Error, Hashable, Sendable {
    /// What is wrong with the text.
    public enum Problem: Error, Hashable, Sendable {
        /// There is nothing in it.
        case empty
        /// It has more bytes than ``CronExpression/maximumLength``.
        case tooLong
        /// It begins with `@` and is none of ``CronExpression/nicknames``.
        case unknownNickname
        /// It has so many fields in place of five.
        case fieldCount(Int)
        /// A field can't be read, because of this part of it.
        case field(CronField, part: String, flaw: Flaw)
    }

    /// What is wrong with a part of a field.
    public enum Flaw: Hashable, Sendable {
        /// Nothing stands between two commas, or beside one.
        case missing
        /// It is neither a number nor a name nor a range of them.
        case unreadable
        /// It is a sign that only other programs know: `?`, `L`, `W`, `#`.
        case foreign
        /// A number isn't one of the field's.
        case outOfRange
        /// A range ends before it begins.
        case reversed
        /// A step stands behind a single number. (Some programs read `5/15` as `5-59/15`, cron refuses it.)
        case stepWithoutRange
        /// A step isn't a number from 1 to the count of the field's numbers.
        ///
        /// cron takes larger ones, but `*/90` is every hour and not what its writer thought.
        case badStep
    }

    /// What was written.
    public let text: String
    public let problem: Problem

    init(text: String, problem: Problem) {
        self.text = text
        self.problem = problem
    }
}

extension CronError: CustomStringConvertible {
    /// What is wrong, where, and what to write instead, in English.
    public var description: String {
        switch problem {
        case .empty:
            "the timetable is empty; write minute, hour, day of the month, month and day of the week, "
                + "such as 30 4 * * *, or @daily"
        case .tooLong: "the timetable has more than \(CronExpression.maximumLength) bytes; write a shorter one"
        case .unknownNickname:
            "there is no timetable \(quoted: text); write \(CronExpression.nicknames.joined(separator: ", ")) "
                + "or five fields such as 30 4 * * *"
        case .fieldCount(let count):
            "the timetable \(quoted: text) has \(count) \(count == 1 ? "field" : "fields") in place of five; "
                + "write minute, hour, day of the month, month and day of the week, such as 30 4 * * *"
        case .field(let field, let part, let flaw):
            "the \(field.rawValue) \(quoted: part) in the timetable \(quoted: text) "
                + CronError.words(for: flaw, of: part, in: field)
        }
    }

    private static func words(for flaw: Flaw, of part: String, in field: CronField) -> String {
        let numbers = field.numbers
        let names = field.names
        var allowed = "a number from \(numbers.lowerBound) to \(numbers.upperBound)"
        if let first = names.first, let last = names.last { allowed += " or a name from \(first) to \(last)" }
        switch flaw {
        case .missing: return "lacks a value beside a comma; write \(allowed)"
        case .unreadable: return "can't be read; write *, \(allowed), a range such as 1-5, or a step such as */2"
        case .foreign:
            return "has a sign of another program (?, L, W or #); write *, \(allowed), or a range such as 1-5"
        case .outOfRange: return "is out of range; write \(allowed)"
        case .reversed:
            let ends = part.split(separator: "-")
            guard ends.count == 2, !part.contains("/"), ends[0] != "7" else {
                return "ends before it begins; write two ranges with a comma between them"
            }
            return "ends before it begins; write \(ends[0])-\(field.all.upperBound),\(field.all.lowerBound)-\(ends[1])"
        case .stepWithoutRange:
            return "has a step behind a single value; write a range before it, such as "
                + "\(numbers.lowerBound)-\(field.all.upperBound)/2, or */2"
        case .badStep: return "has a step that can't be; write one from 1 to \(field.all.count), such as */2"
        }
    }
}
