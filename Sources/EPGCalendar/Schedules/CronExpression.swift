import EPGModel

/// A set of minutes in cron's notation: `30 4 * * mon-fri`.
///
/// Five fields separated by blanks: minute, hour, day of the month, month, day of the week. Each is `*`, a number, a
/// range `10-40`, or a comma-separated list of these. A step can follow `*` and ranges: `*/5` or `10-40/10`. Months and
/// days of the week also have names, in any capitalization, also in ranges: `jan-mar`, `fri-sun`. 0 and 7 both mean
/// Sunday. `@hourly`, `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly` and `@annually` are abbreviations for
/// five fields.
///
/// As in cron (crontab(5)), if both day fields are restricted, a day matches if either field does: `0 4 1 * mon` is
/// every first day of a month and every Monday. A field that begins with `*` counts as unrestricted, so `0 4 */2 * mon`
/// is every Monday with an odd day of the month.
///
/// Some expressions that cron accepts are invalid here, because they are rarely intended: steps larger than a field's
/// range, and text after `*`.
///
/// Two expressions are equal if their texts are.
public struct CronExpression: Hashable, Sendable {
    /// Maximum length in bytes: 256. A list of all minutes fits if the other fields are short.
    public static let maximumLength = 256

    /// The abbreviations for five fields.
    public static let nicknames = fieldsByNickname.map(\.nickname)

    private static let fieldsByNickname: [(nickname: String, fields: String)] = [
        ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@weekly", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"),
    ]

    /// The text, with single blanks between the fields.
    private let text: String
    let minutes: CronValues
    let hours: CronValues
    let daysOfMonth: CronValues
    let months: CronValues
    let daysOfWeek: CronValues

    /// Parses an expression. Ignores surrounding white space.
    ///
    /// - Throws: ``CronError`` with the problem, the field, and what to write instead.
    public init(_ text: String) throws(CronError) {
        do throws(CronError.Problem) {
            // Allow more white space than the limit, but not an unlimited amount.
            guard text.utf8.count <= 16 * CronExpression.maximumLength else { throw .tooLong }
            try self.init(bytes: CronExpression.trimmed(text))
        } catch {
            throw CronError(text: text, problem: error)
        }
    }

    private init(bytes: ArraySlice<UInt8>) throws(CronError.Problem) {
        guard let first = bytes.first else { throw .empty }
        guard bytes.count <= CronExpression.maximumLength else { throw .tooLong }
        var fields = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        text = fields.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        if first == UInt8(ascii: "@") {
            let nickname = text.lowercased()
            guard let found = CronExpression.fieldsByNickname.first(where: { $0.nickname == nickname }) else {
                throw .unknownNickname
            }
            fields = Array(found.fields.utf8).split(separator: UInt8(ascii: " "))
        }
        guard fields.count == CronField.allCases.count else { throw .fieldCount(fields.count) }
        minutes = try CronFieldReader.values(of: fields[0], in: .minute)
        hours = try CronFieldReader.values(of: fields[1], in: .hour)
        daysOfMonth = try CronFieldReader.values(of: fields[2], in: .dayOfMonth)
        months = try CronFieldReader.values(of: fields[3], in: .month)
        daysOfWeek = try CronFieldReader.values(of: fields[4], in: .dayOfWeek)
    }

    private static func trimmed(_ text: String) -> ArraySlice<UInt8> {
        let blanks = Array(" \t\r\n".utf8)
        var bytes = Array(text.utf8).drop { blanks.contains($0) }
        while let last = bytes.last, blanks.contains(last) { bytes.removeLast() }
        return bytes
    }

    /// Whether minute or hour begins with `*`. Such an expression follows the running clock; others run once at the
    /// time that they name. See ``CronSchedule``.
    public var followsClock: Bool { minutes.beginsWithStar || hours.beginsWithStar }
}

extension CronExpression: CustomStringConvertible {
    /// The text, with single blanks between the fields.
    public var description: String { text }
}

// MARK: - Matching

extension CronExpression {
    /// Whether the expression ever matches a date. `0 4 31 4 *` does not, because April has 30 days.
    public var isSatisfiable: Bool {
        // Every month has every day of the week, and 29 February falls on each of them within 40 years.
        if areDaysAlternatives { return true }
        let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard let first = daysOfMonth.first(from: 1) else { return false }
        return months.numbers.contains { first <= longest[$0 - 1] }
    }

    /// Whether both day fields are restricted, so that a day matches if either field does.
    private var areDaysAlternatives: Bool { !daysOfMonth.beginsWithStar && !daysOfWeek.beginsWithStar }

    /// Returns the first matching minute in a range of local times.
    ///
    /// - Parameters:
    ///   - start: The beginning in seconds since 1970-01-01T00:00:00 local time, within
    ///     ``LocalDateTime/supportedSeconds``.
    ///   - end: The end of the range, which is not part of it.
    /// - Complexity: O(*n*) for *n* months between `start` and the result, or `end`. Does not allocate.
    func firstMinute(from start: Int64, before end: Int64) -> Int64? {
        guard start < end else { return nil }
        let (minute, second) = start.quotientAndRemainderFloored(dividingBy: 60)
        let (day, minuteOfDay) = (second == 0 ? minute : minute + 1).quotientAndRemainderFloored(dividingBy: 1440)
        let today = CivilDate(daysSince1970: day)
        let found: (day: Int64, minute: Int)
        if matches(today), let minute = firstMinuteOfDay(from: Int(minuteOfDay)) {
            found = (day, minute)
        } else {
            let last = CivilDate(daysSince1970: end.quotientAndRemainderFloored(dividingBy: 86_400).quotient)
            guard let date = firstDate(from: today.advanced(byDays: 1), through: last),
                let minute = firstMinuteOfDay(from: 0)
            else { return nil }
            found = (date.daysSince1970, minute)
        }
        let seconds = found.day * 86_400 + Int64(found.minute) * 60
        return seconds < end ? seconds : nil
    }

    private func firstMinuteOfDay(from minuteOfDay: Int) -> Int? {
        let (hour, minute) = minuteOfDay.quotientAndRemainder(dividingBy: 60)
        if hours.contains(hour), let minute = minutes.first(from: minute) { return hour * 60 + minute }
        guard let hour = hours.first(from: hour + 1), let minute = minutes.first(from: 0) else { return nil }
        return hour * 60 + minute
    }

    private func matches(_ date: CivilDate) -> Bool {
        months.contains(date.month) && days(inMonth: date.month, ofYear: date.year).contains(date.day)
    }

    private func firstDate(from first: CivilDate, through last: CivilDate) -> CivilDate? {
        var (year, month, day) = (first.year, first.month, first.day)
        while (year, month) <= (last.year, last.month) {
            if months.contains(month), let found = days(inMonth: month, ofYear: year).first(from: day) {
                return CivilDate(year: year, month: month, day: found)
            }
            day = 1
            if let next = months.first(from: month + 1) {
                month = next
            } else {
                year += 1
                month = 1
            }
        }
        return nil
    }

    /// Returns the days of a month that match the combination of both day fields.
    private func days(inMonth month: Int, ofYear year: Int64) -> CronValues {
        var days = CronValues()
        guard let first = CivilDate(year: year, month: month, day: 1) else { return days }
        for day in 1...CivilDate.days(inMonth: month, ofYear: year) {
            let matchesDay = daysOfMonth.contains(day)
            // Sunday is 7 in ISO 8601, and 0 here.
            let matchesWeekday = daysOfWeek.contains((first.weekday.rawValue + day - 1) % 7)
            if areDaysAlternatives ? matchesDay || matchesWeekday : matchesDay && matchesWeekday { days.insert(day) }
        }
        return days
    }
}

/// A field of a ``CronExpression``. The cases are in the order of the expression.
public enum CronField: String, Hashable, Sendable, CaseIterable {
    case minute
    case hour
    case dayOfMonth = "day of the month"
    case month
    case dayOfWeek = "day of the week"

    /// The valid numbers. For days of the week, 0 and 7 both mean Sunday.
    public var numbers: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// The meaning of `*`: all numbers, with Sunday once.
    var all: ClosedRange<Int> { self == .dayOfWeek ? 0...6 : numbers }

    /// The lowercase names of the numbers, from the first; empty if they have none.
    public var names: [String] {
        switch self {
        case .minute, .hour, .dayOfMonth: []
        case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        case .dayOfWeek: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        }
    }
}

/// Parses a field of a ``CronExpression``.
///
///     field:  part { "," part }
///     part:   ( "*" | value [ "-" value ] ) [ "/" step ]
///     value:  digits | name
private struct CronFieldReader {
    private typealias Bytes = ArraySlice<UInt8>

    private let field: CronField

    /// Returns the numbers of a field.
    ///
    /// - Complexity: O(*n*) for *n* bytes; each part has at most 60 numbers.
    static func values(of bytes: ArraySlice<UInt8>, in field: CronField) throws(CronError.Problem) -> CronValues {
        let reader = CronFieldReader(field: field)
        var values = CronValues()
        values.beginsWithStar = bytes.first == UInt8(ascii: "*")
        for part in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            do throws(FieldError) {
                for number in try reader.readPart(part) {
                    values.insert(field == .dayOfWeek ? number % 7 : number)
                }
            } catch {
                // Show the neighbors of an empty part.
                let shown = part.isEmpty ? bytes : part
                throw .field(field, part: String(decoding: shown, as: UTF8.self), flaw: error.flaw)
            }
        }
        return values
    }

    private struct FieldError: Error {
        let flaw: CronError.Flaw
    }

    private func readPart(_ part: Bytes) throws(FieldError) -> StrideThrough<Int> {
        if part.isEmpty { throw FieldError(flaw: .missing) }
        let pieces = part.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        let range = try readRange(pieces[0])
        guard pieces.count == 2 else { return stride(from: range.lowerBound, through: range.upperBound, by: 1) }
        guard pieces[0].first == UInt8(ascii: "*") || pieces[0].contains(UInt8(ascii: "-")) else {
            throw FieldError(flaw: .stepWithoutRange)
        }
        guard let step = readNumber(pieces[1]), (1...field.all.count).contains(step) else {
            throw FieldError(flaw: .badStep)
        }
        return stride(from: range.lowerBound, through: range.upperBound, by: step)
    }

    private func readRange(_ text: Bytes) throws(FieldError) -> ClosedRange<Int> {
        if text.elementsEqual("*".utf8) { return field.all }
        let ends = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count <= 2 else { throw FieldError(flaw: .unreadable) }
        let first = try readValue(ends[0])
        guard ends.count == 2 else { return first...first }
        var last = try readValue(ends[1])
        // In `fri-sun`, Sunday is the day after Saturday.
        if field == .dayOfWeek, last == 0, first > 0, ends[1].first?.isLetter == true { last = 7 }
        guard first <= last else { throw FieldError(flaw: .reversed) }
        return first...last
    }

    private func readValue(_ text: Bytes) throws(FieldError) -> Int {
        let lowercased = text.map { $0.isLetter ? $0 | 0x20 : $0 }
        if let index = field.names.firstIndex(where: { $0.utf8.elementsEqual(lowercased) }) {
            return field.numbers.lowerBound + index
        }
        guard let number = readNumber(text) else {
            throw FieldError(flaw: CronFieldReader.hasUnsupportedSyntax(lowercased) ? .unsupportedSyntax : .unreadable)
        }
        guard field.numbers.contains(number) else { throw FieldError(flaw: .outOfRange) }
        return number
    }

    /// Parses decimal digits. Limits the number to one that is outside of all fields.
    private func readNumber(_ text: Bytes) -> Int? {
        guard !text.isEmpty, text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1000) }
    }

    /// Returns whether a value uses syntax of Quartz and similar programs: `?`, `L`, `15W`, `LW`, `5L`, `fri#2`.
    private static func hasUnsupportedSyntax(_ lowercased: [UInt8]) -> Bool {
        if lowercased.contains(UInt8(ascii: "?")) || lowercased.contains(UInt8(ascii: "#")) { return true }
        let letters = lowercased.drop(while: \.isDigit)
        return ["l", "w", "lw"].contains { $0.utf8.elementsEqual(letters) }
    }
}

/// The numbers of a field of a ``CronExpression``.
struct CronValues: Hashable, Sendable {
    /// Bit *n* represents the number *n*, 0…63.
    private var bits: UInt64 = 0
    /// Whether the text begins with `*`, including `*/2`. As in cron, such a field counts as unrestricted when the day
    /// fields are combined and when the clocks change.
    var beginsWithStar = false

    mutating func insert(_ number: Int) {
        precondition((0...63).contains(number), "every number of a field is one of 0 to 59")
        bits |= 1 << UInt64(number)
    }

    func contains(_ number: Int) -> Bool { first(from: number) == number }

    /// Returns the smallest number at or above a given number; `nil` if there is none.
    func first(from number: Int) -> Int? {
        guard number < 64 else { return nil }
        let rest = bits & (~0 << UInt64(max(number, 0)))
        return rest == 0 ? nil : rest.trailingZeroBitCount
    }

    /// The numbers in ascending order.
    var numbers: [Int] { (0..<64).filter { contains($0) } }
}
