/// The minutes at which something is to be done, written as cron writes them: `30 4 * * mon-fri`.
///
/// Five fields with blanks between them: minute, hour, day of the month, month, day of the week. Each is `*`, a number,
/// a range `10-40`, or several of these with commas between them; behind `*` and ranges may stand a step, `*/5` or
/// `10-40/10`. Months and days of the week have names too, in upper or lower case, also in ranges: `jan-mar`,
/// `fri-sun`. 0 and 7 are both Sunday. `@hourly`, `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly` and
/// `@annually` stand for five fields each.
///
/// As in cron (crontab(5)), where both day fields are restricted, a day that either of them names is meant:
/// `0 4 1 * mon` is every first of a month and every Monday. A field that begins with `*` isn't restricted in this
/// sense, so `0 4 */2 * mon` is every Monday with an odd day of the month.
///
/// What cron takes without a word though it hardly means what was written is refused: steps beyond a field's numbers,
/// and signs behind `*`.
///
/// Two expressions are equal when they are written alike.
public struct CronExpression: Hashable, Sendable {
    /// The most bytes of a text; one that names each minute by itself fits in, beside short other fields.
    public static let maximumLength = 256

    /// The texts that stand for five fields.
    public static let nicknames = fieldsByNickname.map(\.nickname)

    private static let fieldsByNickname: [(nickname: String, fields: String)] = [
        ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@weekly", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"),
    ]

    /// What was written, with single blanks between the fields.
    private let text: String
    let minutes: CronValues
    let hours: CronValues
    let daysOfMonth: CronValues
    let months: CronValues
    let daysOfWeek: CronValues

    /// Reads an expression; white space around it doesn't matter.
    ///
    /// - Throws: What is wrong, in which field, and what may be written there.
    public init(_ text: String) throws(CronError) {
        do throws(CronError.Problem) {
            // White space around it may be more than the limit, but not without end.
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

    /// Whether minute or hour begins with `*`: such a job goes by the clocks as they run, any other by the time that it
    /// names, once a day. See ``Timetable``.
    public var followsTheClock: Bool { minutes.beginsWithStar || hours.beginsWithStar }
}

extension CronExpression: CustomStringConvertible {
    /// What was written, with single blanks between the fields.
    public var description: String { text }
}
