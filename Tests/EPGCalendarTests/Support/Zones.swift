import EPGCalendar
import EPGModel

/// 2026-03-28T12:00:00Z, a Saturday. In Europe, clocks go forward the next morning.
let noon = Instant(secondsSince1970: 1_774_699_200)

func zone(_ name: String) throws -> Zone { try Zone(named: name) }

func date(_ year: Int64, _ month: Int, _ day: Int) throws -> CivilDate {
    guard let date = CivilDate(year: year, month: month, day: day) else { throw InvalidTestValue() }
    return date
}

func local(_ year: Int64, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int = 0) throws
    -> LocalDateTime
{
    guard let local = LocalDateTime(date: try date(year, month, day), hour: hour, minute: minute, second: second) else {
        throw InvalidTestValue()
    }
    return local
}

/// A test used an invalid date or time.
struct InvalidTestValue: Error {}
