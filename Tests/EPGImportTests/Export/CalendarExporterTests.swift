import EPGImport
import EPGModel
import TestSupport
import Testing

/// Tests of the rules of RFC 5545.
@Suite struct CalendarExporterTests {

    private func lines(_ airings: ExportedAiring...) throws -> [String] {
        let stations = [("one.test", [ContentNode.text("display-name", "One; \"1\"")])]
        return try WrittenGuide(stations: stations, airings: airings).calendar()
            .split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the lines after unfolding (RFC 5545, 3.1).
    private func unfolded(_ airings: ExportedAiring...) throws -> [String] {
        let stations = [("one.test", [ContentNode.text("display-name", "One; \"1\"")])]
        let text = try WrittenGuide(stations: stations, airings: airings).calendar()
        return text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
    }

    @Test func singleAiringIsWrittenAsDocumented() throws {
        let airing = ExportedAiring.evening(
            .text("title", "News, and \\ more; much"), .text("sub-title", "Late"), .text("desc", "One\nTwo"),
            .text("category", "News"), .text("category", "Talk, live"))
        try expectEqual(
            lines(airing),
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//swift-epg/1//TV guide//EN", "CALSCALE:GREGORIAN",
                "METHOD:PUBLISH", "X-WR-CALNAME:TV\\, mine", "BEGIN:VEVENT",
                "UID:20261025T180000Z-one.test@swift-epg", "DTSTAMP:20260328T180000Z", "DTSTART:20261025T180000Z",
                "DTEND:20261025T190000Z", "TRANSP:TRANSPARENT", "SUMMARY:News\\, and \\\\ more\\; much",
                "LOCATION:One\\; \"1\"", "DESCRIPTION:Late\\nOne\\nTwo", "CATEGORIES:News,Talk\\, live", "END:VEVENT",
                "END:VCALENDAR", "",
            ])
    }

    @Test(arguments: ["a", "é", "新", "🎬"])
    func linesHaveAtMost75OctetsAndCompleteCharacters(character: String) throws {
        let title = String(repeating: character, count: 200)
        for line in try lines(.evening(.text("title", title))) { #expect(line.utf8.count <= 75) }
        try expectContains(unfolded(.evening(.text("title", title))), "SUMMARY:" + title)
        #expect(!(try lines(.evening(.text("title", title)))).contains { $0.contains("\u{FFFD}") })
    }

    @Test(arguments: 60...80)
    func foldingAroundLimitPreservesText(length: Int) throws {
        let title = String(repeating: "x", count: length)
        try expectContains(unfolded(.evening(.text("title", title))), "SUMMARY:" + title)
    }

    @Test func controlCharactersCannotBreakALine() throws {
        let output = try unfolded(.evening(.text("title", "a\r\nEND:VEVENT\rb\u{1}c\u{7F}d\u{9B}é")))
        expectContains(output, "SUMMARY:a\\nEND:VEVENT\\nb c d é")
    }

    @Test func clumpPartsHaveDistinctIdentifiers() throws {
        let output = try unfolded(
            .evening(clump: Clump(index: 0, count: 2)), .evening(clump: Clump(index: 1, count: 2)))
        let identifiers = output.filter { $0.hasPrefix("UID:") }
        expectEqual(Set(identifiers).count, 2)
    }

    @Test func timesAreThoseShownByTheGuide() throws {
        let published = PublishedTimes(start: .six.advanced(by: -60), stop: nil)
        let output = try unfolded(.evening(published: published, isStopInferred: true))
        expectContains(output, "DTSTART:20261025T180000Z")
        expectContains(output, "DTEND:20261025T190000Z")
    }

    @Test func calendarWithoutEventsHasATimeZone() throws {
        // RFC 5545, 3.6: at least one component.
        let output = try unfolded()
        expectEqual(output.filter { $0.hasPrefix("BEGIN:") }, ["BEGIN:VCALENDAR", "BEGIN:VTIMEZONE", "BEGIN:STANDARD"])
        #expect(try !unfolded(.evening()).contains("BEGIN:VTIMEZONE"))
    }

    /// Python's module icalendar reads the same events.
    @Test(.needs(.pythonModule("icalendar")))
    func outputIsReadByAnotherProgram() throws {
        var feed = RandomFeed(seed: 3)
        let guide = feed.guide(stations: 5, airings: 100)
        let text = try guide.calendar()
        let script = """
            import sys, icalendar
            calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
            for airing in calendar.walk('VEVENT'):
                assert airing['UID'] and airing['DTSTAMP'].dt.tzinfo
                print(airing['DTSTART'].dt.isoformat(), airing['DTEND'].dt.isoformat(), repr(str(airing['SUMMARY'])))
            """
        let run = try Validator.run(TestProgram.python, ["-c", script], input: text)
        expectEqual(run.status, 0, "\(run.text)")
        let read = run.text.split(separator: "\n")
        expectEqual(read.count, 100)
        #expect(read.allSatisfy { $0.hasPrefix("2026-10-25T18:00:00+00:00 2026-10-25T19:00:00+00:00") })
    }
}
