import EPGCalendar
import EPGLayout
import EPGModel
import TestSupport
import Testing

@testable import EPGRender

/// Tests of the texts that all outputs share.
@Suite struct SharedTextTests {
    /// October 25, 2026 has 25 hours in London. With tick and blank, `01:00` has 7 columns, `01:00 BST` 11 and `01 BST` 8.
    @Test(
        arguments: [
            (24, 3, ["00:00", "00:30", "01:00 BST", "01:30 BST", "01:00 GMT", "01:30 GMT"]),
            (12, 4, ["00:00", "01:00 BST", "01:00 GMT", "02:00"]), (8, 4, ["00:00", "01 BST", "01 GMT", "02:00"]),
            (7, 4, ["00:00", "01 BST", "02:00"]), (4, 8, ["00:00", "02:00", "04:00", "06:00"]),
            (1, 25, ["00:00", "12:00"]),
            // A day has 4.8 columns, so every second midnight has a label.
            (0.2, 24 * 6, ["00:00", "00:00", "00:00"]),
        ] as [(Double, Int64, [String])])
    func labelsOfHoursHaveRoom(columnsPerHour: Double, hours: Int64, labels: [String]) throws {
        let midnight = Instant(secondsSince1970: 1_792_882_800)
        let clock = GuideClock(zone: try Zone(named: "Europe/London"))
        let marks = TimeLabels(clock: clock, pointsPerHour: columnsPerHour, length: TextGrid.length(of:))
            .marks(in: TimeWindow(start: midnight, end: midnight.advanced(by: hours * 3600)), now: nil)
        expectEqual(marks.hours.filter { $0.instant >= midnight }.map(\.label), labels)
    }

    /// The airing lasts from 20:00 to 20:45 on Saturday, October 24, 2026.
    @Test(
        arguments: [
            (nil, AiringMarks(), false, "20:00–20:45"), (nil, .derived, true, "~20:00–20:45?"),
            (24, .new, true, "20:00–20:45?"), (25, .derived, false, "~Sat 20:00–20:45"),
        ] as [(Int?, AiringMarks, Bool, String)])
    func timesHaveTheirMarks(seenFrom day: Int?, marks: AiringMarks, isStopInferred: Bool, times: String) throws {
        let start = Instant(secondsSince1970: 1_792_868_400)
        var airing = Airing(
            id: AiringID(1), station: StationID("one"),
            window: TimeWindow(start: start, end: start.advanced(by: 45 * 60)), title: "News")
        airing.marks = marks
        airing.isStopInferred = isStopInferred
        let clock = GuideClock(zone: try Zone(named: "Europe/London"))
        let date = day.flatMap { CivilDate(year: 2026, month: 10, day: $0) }
        expectEqual(AiringText(airing).times(clock, seenFrom: date), times)
    }

    /// A derived number is marked, and not repeated beside the text that states it.
    @Test(
        arguments: [
            (nil, "Late", "S1 E2 · Late"), (nil, nil, "S1 E2"), (.description, "Late", "~S1 E2 · Late"),
            (.description, nil, "~S1 E2"), (.title, "Late", "Late"), (.title, nil, nil),
            (.subtitle, "S1 E2 Late", "S1 E2 Late"),
        ] as [(EpisodeText.Field?, String?, String?)])
    func derivedEpisodeIsMarked(source: EpisodeText.Field?, subtitle: String?, line: String?) {
        let start = Instant(secondsSince1970: 1_792_868_400)
        var airing = Airing(
            id: AiringID(1), station: StationID("one"), window: TimeWindow(start: start, end: start.advanced(by: 60)),
            title: "News", subtitle: subtitle, episode: "S1 E2")
        airing.episodeSource = source
        expectEqual(AiringText(airing).secondLine, line)
        expectEqual(AiringText(airing).episode, source == nil ? "S1 E2" : "~S1 E2")
    }
}
