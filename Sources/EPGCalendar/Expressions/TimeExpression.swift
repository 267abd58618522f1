public import EPGModel

/// The times that people write on a command line or in an address.
///
///     now                                 +2h  -30m  +1h30m              @UNIXSECONDS
///     20:00  20:00:30  8pm  8:30pm        today                          2026-03-29
///     today 20:00                         tomorrow 8pm                   yesterday 20:00
///     sat  saturday 20:00                 2026-03-29T20:00               2026-03-29 20:00:00
///     2026-03-29T20:00Z                   2026-03-29T20:00:00.5+01:00
public enum TimeExpression {
    /// The instant that a person means.
    ///
    /// Upper and lower case are the same. A time of day alone is today's; a day alone is its first instant; a weekday
    /// is today or the next one of that name. A time without an offset is in the person's zone; where the clocks skip
    /// or repeat it, ``Zone/instant(of:)`` says which instant is meant. `24:00` is the midnight that ends the day.
    /// Fractions of a second are dropped.
    ///
    /// - Parameters:
    ///   - text: White space around it doesn't matter.
    ///   - now: What `now` is, and what hours and minutes are added to.
    ///   - zone: The person's zone; it tells which day is today.
    public static func parse(
        _ text: String, now: Instant, zone: Zone
    ) throws(TimeExpressionError) -> Instant {
        var reader = TimeExpressionReader(text: text, now: now, zone: zone)
        do throws(TimeExpressionError.Problem) {
            let instant = try reader.read()
            // 0000-01-01T00:00:00Z up to 9999-12-31T23:59:59Z.
            guard (-62_167_219_200...253_402_300_799).contains(instant.secondsSince1970) else {
                throw .outOfRange
            }
            return instant
        } catch {
            throw TimeExpressionError(text: text, problem: error)
        }
    }
}
