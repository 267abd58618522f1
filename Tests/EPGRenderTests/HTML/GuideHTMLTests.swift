import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel
import Foundation
import TestSupport
import Testing

@testable import EPGRender

/// Tests of the HTML of the guide page.
@Suite struct GuideHTMLTests {
    @Test func guidePageEqualsGolden() throws {
        try GoldenPage.expect(page(), equals: "guide.html")
    }

    @Test func frameEqualsGolden() throws {
        var frame = frame
        frame.words = "\"><script>"
        frame.shared = [("zone", "Europe/London"), ("lang", "de,en")]
        frame.direction = .rightToLeft
        try GoldenPage.expect(frame.html { $0.element("p", text: "Content") }, equals: "frame.html")
    }

    /// An hour is 240 points. The page starts at 18:00; the film starts an hour earlier and lasts two and a half hours.
    @Test func cellPositionMatchesItsTime() throws {
        let page = try String(decoding: page(), as: UTF8.self)
        expectText(
            page,
            contains: [
                #"style="--x:-240px;--w:600px;--done:420px" aria-colindex="37" aria-colspan="5""#,
                #"class="nowline" aria-hidden="true" style="--x:180px""#,
            ])
    }

    @Test func cellsHaveClassesOfTheirTimeAndWidth() throws {
        // Past, current and future cells.
        do {
            let page = try String(decoding: page(now: 19.75), as: UTF8.self)
            expectText(
                page,
                contains: [
                    #"class="cell g6 past""#,
                    #"class="cell g1 on""#,
                    #"class="cell g7""#,
                ])
        }
        // Short cells.
        // An hour is 240 points, so 15 minutes are 60 points and 10 minutes are 40.
        do {
            #expect(try String(decoding: page(), as: UTF8.self).contains(#"class="cell g1""#))
            let page = try String(decoding: page(newsMinutes: 15), as: UTF8.self)
            #expect(page.contains(#"class="cell g1 short""#))
            #expect(try String(decoding: self.page(newsMinutes: 10), as: UTF8.self).contains(#"class="cell g1 thin""#))
        }
    }

    @Test func accessibleNameSaysThatAnAiringIsDerived() {
        let names = [AiringMarks(), .derived].map { marks in
            CellText.label(
                of: harbour(marks: marks), titled: harbour().title, range: "20:00–20:45", station: "One", .english)
        }
        #expect(names[0].hasPrefix("20:00–20:45, One, ") && names[1] == names[0] + ", derived")
    }

    @Test(
        arguments: [
            (.new, " · NEW"), (.premiere, " · PREMIERE"), ([.live, .new], " · LIVE"), ([], ""),
            ([.new, .repeated], " · NEW"), (.repeated, " · REPEAT"),
        ] as [(AiringMarks, String)])
    func secondLineHasMostImportantMarkAfterTimes(marks: AiringMarks, end: String) {
        let line = CellText.line(of: harbour(marks: marks), range: "20:00–20:45", .leftToRight, .english)
        expectEqual(line.joined(separator: " · "), "20:00–20:45?" + end)
    }

    /// U+2066 and U+2069 isolate the text between them (UAX #9).
    @Test func timeRangeIsIsolatedInRightToLeftText() {
        let text = CellText.line(of: harbour(subtitle: "חלק 2"), range: "20:00–20:45", .leftToRight, .english)
        expectEqual(text, ["\u{2066}20:00–20:45\u{2069}?", "חלק 2"])
        expectEqual(
            CellText.line(of: harbour(), range: "20:00–20:45", .rightToLeft, .english), ["\u{2066}20:00–20:45\u{2069}?"]
        )
    }

    @Test(
        arguments: [
            ("The Map Room", "The Map Room", false), ("Wild Isles!", "WILD ISLES", false), ("晚间新闻", "晚间新闻。", false),
            ("News", "News at Ten", true), ("Part 2", "Part 3", true), ("?", "!", true), ("Quay", "", false),
        ] as [(String, String, Bool)])
    func subtitleThatRepeatsTheTitleIsLeftOut(title: String, subtitle: String, isShown: Bool) {
        expectEqual(AiringText.subtitle(subtitle, of: title), isShown ? subtitle : nil)
    }

    /// The page has 240 points for an hour. Its style sheet moves 18:45 to 15% of the width.
    @Test func pageThatOpensAtNowNamesThePlaceOfNow() throws {
        let now = try String(decoding: page(opensAtNow: true), as: UTF8.self)
        expectText(now, contains: [#"style="--width:960px;--now-x:180px""#, #"data-start="now""#])
        expectText(
            try String(decoding: page(), as: UTF8.self), contains: [#"style="--width:960px""#], lacks: ["data-start"])
    }

    /// Nothing is on from 20:00 to 21:00.
    @Test func gapsSayThatTheyHaveNoInformation() throws {
        let page = try String(decoding: page(), as: UTF8.self)
        expectText(page, contains: [#"<a><b>No information</b></a>"#], lacks: ["No listings"])
    }

    /// The row names the station, and the cell the title and the times.
    @Test func onlyNarrowCellsHaveAnAccessibleNameOfTheirOwn() throws {
        expectText(
            try String(decoding: page(), as: UTF8.self), contains: ["<b>News</b><small><i>19:30–20:00</i></small>"],
            lacks: ["aria-label=\"19:30"])
        expectText(
            try String(decoding: page(newsMinutes: 10), as: UTF8.self),
            contains: [#"aria-label="19:30–19:40, Alpha One, News""#])
    }

    @Test func guideTextIsEscaped() throws {
        let hostile = #""><script>alert(1)</script>"#
        let page = try String(decoding: page(title: hostile, name: hostile), as: UTF8.self)
        expectText(
            page, contains: ["&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"], lacks: ["<script>"])
    }

    @Test func onlyHTTPPicturesAreShown() throws {
        #expect(
            try String(decoding: page(icon: "https://tv.example/a.png"), as: UTF8.self).contains("<img src=\"https:"))
        let page = try String(decoding: page(icon: "javascript:alert(1)"), as: UTF8.self)
        expectText(
            page, contains: ["<i>AO</i>"], lacks: ["javascript"])
    }

    @Test func linksLeadToOtherTimesAndStations() throws {
        let page = try String(decoding: page(), as: UTF8.self)
        // Links go four hours earlier and later, and to the next 24 stations from the second one on.
        expectText(
            page,
            contains: [
                "href=\"/?from=\(14 * 3600)\">Earlier",
                "href=\"/?from=\(22 * 3600 - 3600 * 2)\">Later",
                "href=\"/?from=\(18 * 3600)&amp;row=1\">Stations below",
            ])
    }

    /// 20:00 is 19:00 UTC on Saturday, and 20:00 UTC on Sunday, when the clocks have gone back.
    @Test func dayLinksKeepTheLocalTimeWhenTheClocksChange() throws {
        let clock = GuideClock(zone: try ViewsSample.london())
        let saturday = try ViewsSample.at("2026-10-24T19:00:00Z")
        let sunday = try ViewsSample.at("2026-10-25T20:00:00Z")
        let whole = TimeWindow(
            start: try ViewsSample.at("2026-10-24T00:00:00Z"), end: try ViewsSample.at("2026-10-27T00:00:00Z"))
        let window = TimeWindow(start: saturday, end: saturday.advanced(by: 14_400))
        let page = try GuideHTML(
            layout: GuideLayout(metrics: GuideHTML.metrics(pointsPerHour: 240), window: whole, rowCount: 1),
            content: GuideContent(
                schedules: [], coverage: window, marks: GuideMarks(in: whole, clock: clock, now: nil), now: saturday),
            stations: [], window: window, rows: 0..<1, clock: clock, generation: "1", frame: frame
        ).page()
        expectText(
            String(decoding: page, as: UTF8.self),
            contains: [
                #"href="/?from=\#(saturday.secondsSince1970)" aria-current="date">Sat 24 Oct"#,
                #"href="/?from=\#(sunday.secondsSince1970)">Sun 25 Oct"#,
            ])
    }

    @Test(
        arguments: [
            ("BBC One", "BO"), ("CCTV-1 综合", "C1"), ("CCTV-10 科教", "C10"), ("CCTV-17", "C17"), ("CCTV-5+ 体育赛事", "C5+"),
            ("10", "10"), ("TF1", "T1"), ("3sat", "3S"), ("第一财经", "第"), ("Channel 123456", "C1234"), ("—", ""),
            ("Sky Sport 1", "SS1"), ("Sky Sport 2 HD", "SS2"), ("Sky Sport Top 10+ HD", "SS10+"),
            ("US: PTV News (1080p)", "UP"),
            ("Alpha Beta 1080", "AB"), ("Alpha Beta 4K 7", "AB7"),
        ] as [(String, String)])
    func initialsContainCompleteNumbers(_ name: String, _ initials: String) {
        expectEqual(name.initials, initials)
    }

    @Test func logoReplacesInitials() {
        let logos = ["/art/1" as String?, nil].map { url in
            var html = HTMLWriter()
            html.logo(url, name: "Harbour One")
            return html.markup
        }
        expectText(logos[0], contains: [#"src="/art/1""#, #"data-instead="HO""#], lacks: [">HO<"])
        expectText(logos[1], contains: [">HO<"])
    }

    // MARK: - Samples

    private var frame: PageFrame {
        PageFrame(
            title: "TV guide", site: "TV guide",
            files: .init(
                styles: ["/assets/1/guide.css"], firstScripts: ["/assets/1/page.js"],
                scripts: ["/assets/1/guide.js"], imports: ["/assets/1/base.js"], icon: "/assets/1/icon.svg"),
            place: .guide)
    }

    /// Returns an airing with an inferred stop.
    private func harbour(subtitle: String? = nil, marks: AiringMarks = []) -> Airing {
        Airing(
            id: AiringID(1), station: StationID("alpha.example"),
            window: TimeWindow(start: Instant(secondsSince1970: 0), end: Instant(secondsSince1970: 2700)),
            isStopInferred: true, title: subtitle == nil ? "Harbour" : "נמל", subtitle: subtitle, marks: marks)
    }

    /// Returns the page of the first of 30 stations on 1970-01-01 from 18:00 to 22:00, by default at 18:45.
    private func page(
        title: String = "The Last Ferry", name: String = "Alpha One", icon: String? = nil, now: Double = 18.75,
        newsMinutes: Double = 30, opensAtNow: Bool = false
    ) throws -> [UInt8] {
        let station = StationID("alpha.example")
        func instant(_ hours: Double) -> Instant { Instant(secondsSince1970: Int64(hours * 3600)) }
        func airing(_ id: Int64, _ start: Double, _ end: Double, _ title: String, _ category: String) -> Airing {
            Airing(
                id: AiringID(id), station: station, window: TimeWindow(start: instant(start), end: instant(end)),
                title: title, subtitle: id == 3 ? "Part 2" : nil, categories: [category],
                genre: ProgrammeGenre(category: category))
        }
        let schedule = RowSchedule(
            row: 0, stationName: name,
            schedule: Schedule(
                station: station,
                airings: [
                    airing(1, 17, 19.5, title, "Film"), airing(2, 19.5, 19.5 + newsMinutes / 60, "News", "News"),
                    airing(3, 21, 23, "Harbour Lane", "Series"),
                ]))
        let window = TimeWindow(start: instant(18), end: instant(22))
        let fullDay = TimeWindow(start: instant(0), end: instant(24))
        let layout = try GuideLayout(metrics: GuideHTML.metrics(pointsPerHour: 240), window: fullDay, rowCount: 30)
        let content = GuideContent(
            schedules: [schedule], coverage: window,
            marks: GuideMarks(in: fullDay, clock: GuideClock(zone: .utc), now: nil),
            now: instant(now))
        let row = StationRow(
            row: 0,
            station: Station(
                id: station, displayNames: [LocalizedText(name)], icons: icon.map { [Icon(source: $0)] } ?? [],
                number: ChannelNumber("7.1")))
        return try GuideHTML(
            layout: layout, content: content, stations: [row], window: window, opensAtNow: opensAtNow, rows: 0..<1,
            clock: GuideClock(zone: .utc), generation: "42.k3f9", frame: frame
        ).page()
    }
}

/// Reviewed golden files of pages.
enum GoldenPage {
    /// Compares a page with its golden file.
    static func expect(_ page: [UInt8], equals name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = PackageFiles.root.appending(path: "Tests/EPGRenderTests/HTML/Goldens/\(name)")
        // One element per line makes differences readable.
        let text = String(decoding: page, as: UTF8.self).replacing("><", with: ">\n<")
        try Golden.expect(text, equals: file, sourceLocation: sourceLocation)
    }
}
