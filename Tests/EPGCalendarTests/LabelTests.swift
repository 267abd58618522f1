import EPGModel
import TestSupport
import Testing

@testable import EPGCalendar

@Suite struct LabelTests {
    @Test(arguments: [(2026, 3, 29, 23), (2026, 10, 25, 25), (2026, 6, 1, 24)])
    func dayHasOneMarkPerHour(_ year: Int64, _ month: Int, _ day: Int, _ count: Int) throws {
        let london = try zone("Europe/London")
        let marks = london.hourMarks(in: london.window(of: try date(year, month, day)), every: .hour)
        expectEqual(marks.count, count)
        #expect(zip(marks, marks.dropFirst()).allSatisfy { $0.instant.seconds(to: $1.instant) == 3600 })
        #expect(marks.allSatisfy { $0.kind == .hour })
    }

    @Test func skippedHourHasNoMarkAndRepeatedHourItsAbbreviation() throws {
        // A skipped hour has no mark.
        let london = try zone("Europe/London")
        let labels = london.hourMarks(in: london.window(of: try date(2026, 3, 29)), every: .hour).map(\.label)
        expectEqual(labels.prefix(3), ["00:00", "02:00", "03:00"])
        // A repeated hour has its abbreviation, also outside the window.
        let day = london.window(of: try date(2026, 10, 25))
        expectEqual(
            london.hourMarks(in: day).map(\.label).prefix(7),
            ["00:00", "00:30", "01:00 BST", "01:30 BST", "01:00 GMT", "01:30 GMT", "02:00"])
        expectEqual(
            london.hourMarks(in: day, every: .hour, clock: .twelveHours).map(\.label).prefix(4),
            ["12:00 AM", "1:00 AM BST", "1:00 AM GMT", "2:00 AM"])
        let second = Instant(secondsSince1970: 1_792_890_000)
        expectEqual(
            london.hourMarks(in: TimeWindow(start: second, end: second.advanced(by: 1))).map(\.label), ["01:00 GMT"])
    }

    @Test func equalAbbreviationsAreReplacedByOffsets() throws {
        let rule = "<ABC>0<ABC>-1,M3.5.0/1,M10.5.0"
        let zone = Zone(name: rule, rule: try #require(ZoneRule(posix: rule)))
        expectEqual(zone.timeLabel(at: Instant(secondsSince1970: 1_792_886_400)), "01:00 +01:00")
        expectEqual(zone.timeLabel(at: Instant(secondsSince1970: 1_792_890_000)), "01:00 +00:00")
    }

    @Test func marksAreAtFullHoursOfLocalTime() throws {
        let nepal = try zone("Asia/Kathmandu")
        let marks = nepal.hourMarks(in: TimeWindow(start: noon, end: noon.advanced(by: 7200)))
        expectEqual(marks.map { $0.instant.iso8601.dropFirst(11).prefix(5) }, ["12:15", "12:45", "13:15", "13:45"])
        expectEqual(marks.map(\.label), ["18:00", "18:30", "19:00", "19:30"])
        expectEqual(marks.map(\.kind), [.hour, .halfHour, .hour, .halfHour])
    }

    @Test func marksFollowLocalTimeAfterHalfHourChange() throws {
        let island = try zone("Australia/Lord_Howe")
        let forward = island.hourMarks(in: island.window(of: try date(2026, 10, 4))).map(\.label)
        expectEqual(forward.prefix(6), ["00:00", "00:30", "01:00", "01:30", "02:30", "03:00"])
        let back = island.hourMarks(in: island.window(of: try date(2026, 4, 5))).map(\.label)
        expectEqual(back.prefix(6), ["00:00", "00:30", "01:00", "01:30 +11", "01:30 +1030", "02:00"])
    }

    @Test func windowIncludesMarkAtStartButNotAtEnd() {
        let window = TimeWindow(start: noon, end: noon.advanced(by: 3600))
        expectEqual(Zone.utc.hourMarks(in: window).map(\.label), ["12:00", "12:30"])
        #expect(Zone.utc.hourMarks(in: TimeWindow(start: noon, end: noon)).isEmpty)
    }

    @Test(arguments: [
        (0, "12:00 AM"), (1, "1:00 AM"), (11, "11:00 AM"), (12, "12:00 PM"), (13, "1:00 PM"), (23, "11:00 PM"),
    ])
    func twelveHourClockHasNoHourZero(_ hour: Int, _ expected: String) throws {
        expectEqual(ClockStyle.twelveHours.text(of: try local(2026, 3, 29, hour, 0)), expected)
    }

    @Test func daysAreMarkedAtTheirFirstInstantUnlessSkipped() throws {
        do {
            let brazil = try zone("America/Sao_Paulo")
            let start = brazil.start(of: try date(2018, 11, 3))
            let marks = brazil.dayMarks(in: TimeWindow(start: start, end: start.advanced(by: 2 * 86_400)))
            expectEqual(marks.map(\.label), ["Sat 3 Nov", "Sun 4 Nov", "Mon 5 Nov"])
            expectEqual(
                marks.map { brazil.iso8601($0.instant).dropFirst(11) },
                ["00:00:00-03:00", "01:00:00-02:00", "00:00:00-02:00"])
            #expect(marks.allSatisfy { $0.kind == .day })
        }
        // A skipped day has no mark.
        do {
            let samoa = try zone("Pacific/Apia")
            let start = samoa.start(of: try date(2011, 12, 29))
            let marks = samoa.dayMarks(in: TimeWindow(start: start, end: start.advanced(by: 2 * 86_400)))
            expectEqual(marks.map(\.label), ["Thu 29 Dec", "Sat 31 Dec"])
            let later = start.advanced(by: 366 * 86_400)
            let seenLater = samoa.dayMarks(in: TimeWindow(start: start, end: start.advanced(by: 1)), seenFrom: later)
            expectEqual(seenLater.map(\.label), ["Thu 29 Dec 2011"])
        }
    }

    @Test func numberOfMarksIsLimited() throws {
        let allTime = TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max))
        try expectEqual(zone("Europe/London").hourMarks(in: allTime).count, Zone.maximumMarkCount)
        let end = TimeWindow(start: Instant(secondsSince1970: .max - 10), end: Instant(secondsSince1970: .max))
        #expect(try zone("Europe/London").hourMarks(in: end).isEmpty)
        #expect(try zone("Europe/London").dayMarks(in: end).isEmpty)
    }
}
