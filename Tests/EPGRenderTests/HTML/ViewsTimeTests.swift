import EPGCalendar
import EPGModel
import TestSupport
import Testing

@testable import EPGRender

/// Tests of days and evenings in a time zone.
@Suite struct ViewsTimeTests {
    /// The clocks go back on October 25 and forward on March 29, each at 01:00 UTC.
    @Test(arguments: [
        ("2026-10-24T12:00:00Z", "2026-10-24T17:00:00Z", "2026-10-25T04:00:00Z"),
        ("2026-10-24T19:15:00Z", "2026-10-24T19:15:00Z", "2026-10-25T04:00:00Z"),
        ("2026-10-25T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T04:00:00Z"),
        ("2026-10-25T03:59:00Z", "2026-10-25T03:59:00Z", "2026-10-25T04:00:00Z"),
        ("2026-10-25T04:00:00Z", "2026-10-25T18:00:00Z", "2026-10-26T04:00:00Z"),
        ("2026-03-28T23:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T03:00:00Z"),
    ])
    func eveningIsFrom18To4(_ now: String, _ start: String, _ end: String) throws {
        let evening = HomePage.evening(at: try ViewsSample.at(now), in: try ViewsSample.london())
        expectEqual(evening.start.iso8601, start)
        expectEqual(evening.end.iso8601, end)
    }

    private func day(
        _ year: Int64, _ month: Int, _ day: Int, _ airings: [Airing], now: String, zone: String = "Europe/London"
    ) throws -> DayPage {
        DayPage(
            station: ViewsSample.station(0, "Harbour"),
            date: try #require(CivilDate(year: year, month: month, day: day)),
            schedule: Schedule(station: StationID("harbour.example"), airings: airings), now: try ViewsSample.at(now),
            zone: try Zone(named: zone), span: nil)
    }

    private func markup(_ page: DayPage) -> String {
        String(decoding: DayHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self)
    }

    private func hourly(_ start: String, _ count: Int64) throws -> [Airing] {
        let start = try ViewsSample.at(start)
        return (0..<count).map {
            ViewsSample.airing(
                $0 + 1, "Hour \($0)", on: ViewsSample.station(0, "Harbour"), from: start, minutes: ($0 * 60, 60))
        }
    }

    @Test func dayOf25HoursLabelsRepeatedHour() throws {
        let page = try day(2026, 10, 25, try hourly("2026-10-24T23:00:00Z", 25), now: "2026-10-25T12:30:00Z")
        expectEqual(page.parts.flatMap(\.rows).count, 25)
        expectEqual(page.oddHours, "25")
        let html = markup(page)
        expectText(
            html,
            contains: [
                "The clocks change: this day has 25 hours.",
                #"<time datetime="2026-10-25T00:00:00Z">01:00 BST</time>"#,
                #"<time datetime="2026-10-25T01:00:00Z">01:00 GMT</time>"#,
            ])
        // From 00:00 BST to 12:00 GMT, 13 hours pass.
        expectEqual(html.count(of: " v-past\""), 13)
        expectEqual(html.count(of: " v-current\""), 1)
        expectEqual(html.count(of: " v-coming\""), 11)
        // Half of the hour has passed.
        #expect(html.contains(#"style="--part:0.5""#))
    }

    @Test func dayOf23HoursOmitsSkippedHour() throws {
        let page = try day(2026, 3, 29, try hourly("2026-03-29T00:00:00Z", 23), now: "2026-03-29T12:30:00Z")
        expectEqual(page.parts.flatMap(\.rows).count, 23)
        expectEqual(page.oddHours, "23")
        let html = markup(page)
        expectText(
            html,
            contains: [
                "this day has 23 hours.",
                #"<time datetime="2026-03-29T01:00:00Z">02:00</time>"#,
            ], lacks: [">01:00</time>"])
    }

    /// In Lord Howe, the clocks go back and forward by half an hour.
    @Test(arguments: [(4, 5, "24.5"), (10, 4, "23.5")] as [(Int, Int, String)])
    func dayWithAChangeOfHalfAnHourNamesItsLength(_ month: Int, _ day: Int, _ hours: String) throws {
        let page = try self.day(2026, month, day, [], now: "2026-08-01T12:00:00Z", zone: "Australia/Lord_Howe")
        expectText(markup(page), contains: ["this day has \(hours) hours."])
    }

    /// On 25 October, 18:00 is 19 hours after midnight.
    @Test func dayPageOpensTheGuideAt18OnADayOf25Hours() throws {
        let evening = try ViewsSample.at("2026-10-25T18:00:00Z")
        let page = try day(2026, 10, 25, [], now: "2026-10-20T12:00:00Z")
        expectText(markup(page), contains: ["/?from=\(evening.secondsSince1970)"])
    }

    @Test(
        arguments: [
            (20, "1 min left"), (60, "1 min left"), (61, "2 min left"), (3600, "1 h left"), (3601, "1 h 1 min left"),
        ] as [(Int64, String)])
    func timeLeftIsRoundedUpToMinutes(_ seconds: Int64, _ text: String) throws {
        let now = try ViewsSample.at("2026-10-24T19:00:00Z")
        let film = ViewsSample.airing(
            1, "Low Water", on: ViewsSample.station(0, "Harbour"), from: now, minutes: (-60, 0))
        var detail = ViewsSample.detail(film, "Harbour")
        detail.airing.window = TimeWindow(start: film.window.start, end: now.advanced(by: seconds))
        let page = AiringPage(
            detail: detail, station: nil, showings: [], now: now, zone: try ViewsSample.london())
        expectText(
            String(decoding: AiringHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self),
            contains: [" · on now, \(text)<"])
    }

    @Test func dayWithoutAiringsIsOneGapAndOffersOtherDays() throws {
        let page = try day(2026, 10, 25, [], now: "2026-10-20T12:00:00Z")
        let rows = page.parts.flatMap(\.rows)
        expectEqual(rows.map(\.window.seconds), [90_000])
        expectText(markup(page), contains: ["There are no listings of this station for this day."], lacks: ["v-row"])
    }

    @Test func gapsBeforeBetweenAndAfterAiringsAreShown() throws {
        let start = try ViewsSample.at("2026-06-10T05:00:00Z")
        let harbour = ViewsSample.station(0, "Harbour")
        let page = try day(
            2026, 6, 10,
            [
                ViewsSample.airing(1, "One", on: harbour, from: start, minutes: (0, 60)),
                ViewsSample.airing(2, "Two", on: harbour, from: start, minutes: (120, 60)),
            ], now: "2026-06-10T12:00:00Z")
        // 00:00, 06:00, 07:00, 08:00, 09:00 in London.
        let starts = page.parts.flatMap(\.rows).map(\.window.start)
        expectEqual(starts.map { start.seconds(to: $0) / 3600 }, [-6, 0, 1, 2, 3])
        expectEqual(page.parts.map(\.name), [.night, .morning])
    }

    /// The film began on Saturday, half an hour before the page's day, and ends an hour after midnight.
    @Test func dayPageNamesDayOfAiringFromAnotherDay() throws {
        let html = markup(try ViewsSample.day())
        expectText(
            html,
            contains: [
                #"<span>Sat <time datetime="2026-10-24T22:30:00Z">23:30</time></span>"#,
                #"<span><time datetime="2026-10-25T00:00:00Z">01:00 BST</time></span>"#,
            ])
    }

    /// October 24, 2026 is a Saturday.
    @Test(
        arguments: [
            ("2026-10-24T19:00:00Z", 45, "20:00–20:45"), ("2026-10-24T19:00:00Z", 6 * 60, "20:00–01:00 GMT"),
            ("2026-10-23T22:30:00Z", 60, "Fri 23:30–00:30"), ("2026-10-23T09:56:00Z", 24 * 60, "Fri 10:56–Sat 10:56"),
            ("2026-10-18T19:00:00Z", 9 * 24 * 60, "Sun 20:00–Tue 19:00"),
            ("2026-10-17T19:00:00Z", 9 * 24 * 60, "Sat 17 Oct 20:00–Mon 19:00"),
            ("2026-10-25T20:00:00Z", 60, "Sun 20:00–21:00"),
        ] as [(String, Int64, String)])
    func rangeNamesDayOfStartOnAnotherDayAndOfEndAfter24Hours(_ start: String, minutes: Int64, label: String) throws {
        let start = try ViewsSample.at(start)
        let date = try #require(CivilDate(year: 2026, month: 10, day: 24))
        let clock = GuideClock(zone: try ViewsSample.london())
        expectEqual(clock.range(TimeWindow(start: start, end: start.advanced(by: minutes * 60)), seenFrom: date), label)
    }

    /// At 20:15 on Saturday, one film is on since Friday, and the next one begins on Sunday.
    @Test func homeNamesDayOfAiringFromAnotherDay() throws {
        let now = try ViewsSample.at("2026-10-24T19:15:00Z")
        let station = ViewsSample.station(0, "Harbour")
        let film = ViewsSample.airing(1, "Long", on: station, from: now, minutes: (-24 * 60, 30 * 60), category: "Film")
        let next = ViewsSample.airing(2, "Next", on: station, from: now, minutes: (6 * 60, 60))
        let page = HomePage(
            now: now, zone: try ViewsSample.london(), stationCount: 1, stations: [station],
            onNow: [
                NowAndNext(row: 0, station: station.station.id, stationName: "Harbour", now: [film], next: next)
            ],
            schedules: [
                RowSchedule(
                    row: 0, stationName: "Harbour", schedule: Schedule(station: station.station.id, airings: [film]))
            ], details: [:])
        let html = String(decoding: HomeHTML(page, frame: ViewsSample.frame).bytes, as: UTF8.self)
        let range =
            #"Fri <time datetime="2026-10-23T19:15:00Z">20:15</time>–"#
            + #"Sun <time datetime="2026-10-25T01:15:00Z">01:15 GMT</time>"#
        // In the highlights and among the current airings.
        expectEqual(html.count(of: range), 2)
        #expect(html.contains(#"Then Sun <time datetime="2026-10-25T01:15:00Z">01:15 GMT</time>"#))
    }

    /// Samoa crossed the date line and had no December 30, 2011.
    @Test func skippedDayHasNoRows() throws {
        let page = DayPage(
            station: ViewsSample.station(0, "Harbour"), date: try #require(CivilDate(year: 2011, month: 12, day: 30)),
            schedule: Schedule(station: StationID("harbour.example"), airings: []),
            now: try ViewsSample.at("2011-12-29T12:00:00Z"), zone: try Zone(named: "Pacific/Apia"), span: nil)
        #expect(page.parts.isEmpty)
        #expect(markup(page).contains("The calendar of this time zone skipped this day."))
    }

    @Test(arguments: [
        (1, 15, 1, 15), (15, 15, 8, 22), (28, 15, 16, 30), (30, 15, 16, 30), (40, 15, 26, 40),
    ])
    func selectableDaysSurroundChosenDay(_ chosen: Int64, _ count: Int, _ first: Int64, _ last: Int64) throws {
        // The guide has 30 days from June 1 on. The arguments are days since May 31.
        let start = try ViewsSample.at("2026-05-31T23:00:00Z")
        let date = CivilDate(
            daysSince1970: try #require(CivilDate(year: 2026, month: 5, day: 31)).daysSince1970 + chosen)
        let page = DayPage(
            station: ViewsSample.station(0, "Harbour"), date: date,
            schedule: Schedule(station: StationID("harbour.example"), airings: []), now: start,
            zone: try ViewsSample.london(), span: TimeWindow(start: start, end: start.advanced(by: 30 * 86_400)))
        let origin = try #require(CivilDate(year: 2026, month: 5, day: 31)).daysSince1970
        expectEqual(page.days.count, count)
        expectEqual(page.days.first.map { $0.daysSince1970 - origin }, first)
        expectEqual(page.days.last.map { $0.daysSince1970 - origin }, last)
    }

    @Test(arguments: [
        (30, "30 s"), (60, "1 min"), (89, "1 min"), (5400, "1 h 30 min"), (7200, "2 h"), (90_000, "25 h"),
    ])
    func lengthsAreAbbreviated(_ seconds: Int64, _ text: String) {
        expectEqual(Wording.duration(seconds), text)
    }
}

extension String {
    fileprivate func count(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
