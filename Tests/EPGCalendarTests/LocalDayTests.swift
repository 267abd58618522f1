import EPGCalendar
import EPGModel
import Testing

@Suite struct LocalDayTests {
    /// Hours by the rules of the places, counted by hand.
    @Test(arguments: [
        ("Europe/London", 2026, 3, 28, 24.0), ("Europe/London", 2026, 3, 29, 23), ("Europe/London", 2026, 10, 25, 25),
        ("Australia/Lord_Howe", 2026, 4, 5, 24.5), ("Australia/Lord_Howe", 2026, 10, 4, 23.5),
        ("Asia/Kathmandu", 2026, 3, 29, 24), ("Asia/Kathmandu", 1986, 1, 1, 23.75),
        ("Pacific/Apia", 2011, 12, 29, 24), ("Pacific/Apia", 2011, 12, 30, 0), ("Pacific/Apia", 2011, 12, 31, 24),
        ("America/Sao_Paulo", 2018, 11, 4, 23), ("America/Havana", 2026, 11, 1, 25),
        ("America/St_Johns", 2010, 11, 6, 24), ("America/St_Johns", 2010, 11, 7, 25),
        ("Pacific/Kwajalein", 1969, 9, 30, 47), ("Europe/London", 2150, 3, 29, 23),
    ])
    func aDayHasAsManyHoursAsTheClocksMakeIt(
        _ name: String, _ year: Int64, _ month: Int, _ day: Int, _ hours: Double
    ) throws {
        let window = try zone(name).window(of: try date(year, month, day))
        #expect(window.seconds == Int64(hours * 3600))
    }

    /// 00:00 is skipped in São Paulo; in Toronto 1919 23:30 became 00:30, so the day began with the end of the gap.
    @Test(arguments: [
        ("America/Sao_Paulo", 2018, 11, 4, "2018-11-04T01:00:00-02:00"),
        ("America/Toronto", 1919, 3, 31, "1919-03-31T00:30:00-04:00"),
        ("Pacific/Apia", 2011, 12, 30, "2011-12-31T00:00:00+14:00"),
        ("America/St_Johns", 2010, 11, 7, "2010-11-07T00:00:00-02:30"),
        ("Europe/London", 2026, 3, 29, "2026-03-29T00:00:00+00:00"),
    ])
    func aDayBeginsWithItsFirstInstant(
        _ name: String, _ year: Int64, _ month: Int, _ day: Int, _ expected: String
    ) throws {
        let zone = try zone(name)
        #expect(zone.iso8601(zone.start(of: try date(year, month, day))) == expected)
    }

    @Test(arguments: DateProgramTests.zones)
    func daysTouchEachOther(_ name: String) throws {
        let zone = try zone(name)
        var day = try date(2011, 1, 1)
        for _ in 0..<800 {
            let next = day.advanced(byDays: 1)
            #expect(zone.window(of: day).end == zone.window(of: next).start)
            day = next
        }
    }
}
