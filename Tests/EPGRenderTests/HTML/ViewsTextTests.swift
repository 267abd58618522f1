import EPGCalendar
import Foundation
import TestSupport
import Testing

@testable import EPGModel
@testable import EPGRender

/// Tests that pages escape all text of the guide and of query parameters.
@Suite struct ViewsTextTests {
    private static let hostile = #""><script>alert(1)</script><img src=x onerror=alert(2)>'`&"#

    private func expectHarmless(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let html = String(decoding: bytes, as: UTF8.self)
        #expect(html.contains("&lt;script&gt;alert(1)"), sourceLocation: sourceLocation)
        #expect(!html.contains("<script"), sourceLocation: sourceLocation)
        #expect(!html.contains("<img src=x"), sourceLocation: sourceLocation)
        #expect(!html.contains("javascript:"), sourceLocation: sourceLocation)
        #expect(!html.contains("\"//"), sourceLocation: sourceLocation)
        #expect(ViewsMarkup(html).isBalanced, sourceLocation: sourceLocation)
    }

    /// Style sheets define the layout; inline styles contain only the progress of airings.
    @Test func markupContainsNoPositions() throws {
        let frame = ViewsSample.frame
        let pages = [
            HomeHTML(try ViewsSample.home(), frame: frame).bytes, DayHTML(try ViewsSample.day(), frame: frame).bytes,
            StationsHTML(try ViewsSample.stations(), frame: frame).bytes,
        ]
        for page in pages {
            let markup = ViewsMarkup(String(decoding: page, as: UTF8.self))
            #expect(markup.isBalanced && markup.styles.allSatisfy { $0.hasPrefix("--part:") })
        }
    }

    private func station() -> StationRow {
        var row = ViewsSample.station(0, Self.hostile, icon: "javascript:alert(3)", number: "1")
        row.station.urls = [WebLink(url: "//evil.example/"), WebLink(url: "javascript:alert(4)")]
        return row
    }

    private func airing(_ now: Instant) -> Airing {
        ViewsSample.airing(
            1, Self.hostile, on: station(), from: now, minutes: (-10, 60), category: Self.hostile,
            subtitle: Self.hostile, description: Self.hostile)
    }

    private func detail(_ now: Instant) -> AiringDetail {
        var detail = ViewsSample.detail(airing(now), Self.hostile) { programme in
            let text = LocalizedText(Self.hostile, language: Self.hostile)
            programme.titles = [text, text]
            programme.subtitles = [text]
            programme.descriptions = [text]
            programme.categories = [text]
            programme.keywords = [text]
            programme.premiere = text
            programme.date = Self.hostile
            programme.images = [Programme.Image(url: "javascript:alert(5)", type: Self.hostile)]
            programme.icons = [Icon(source: "//evil.example/x.png"), Icon(source: "/api/v1/sources")]
            programme.urls = [WebLink(url: "javascript:alert(6)", system: Self.hostile)]
            programme.credits = [Programme.Credit(role: Self.hostile, name: Self.hostile, character: Self.hostile)]
            programme.ratings = [Programme.Rating(system: Self.hostile, value: Self.hostile)]
            programme.starRatings = [Programme.Rating(value: Self.hostile)]
            programme.reviews = [
                Programme.Review(type: "url", source: Self.hostile, content: "data:text/html,<script>"),
                Programme.Review(type: "text", reviewer: Self.hostile, content: Self.hostile),
            ]
            programme.episodeNumbers = [EpisodeNumber(value: Self.hostile, system: Self.hostile)]
        }
        detail.transmission = [ContentAttribute(name: Self.hostile, value: Self.hostile)]
        detail.source = Self.hostile
        return detail
    }

    @Test func pagesEscapeHostileText() throws {
        // The page of current airings.
        do {
            let now = try ViewsSample.at("2026-10-24T19:15:00Z")
            let page = HomePage(
                now: now, zone: try ViewsSample.london(), stationCount: 1, stations: [station()],
                onNow: [
                    NowAndNext(
                        row: 0, station: station().station.id, stationName: Self.hostile, now: [airing(now)],
                        next: airing(now))
                ],
                schedules: [
                    RowSchedule(
                        row: 0, stationName: Self.hostile,
                        schedule: Schedule(station: station().station.id, airings: [airing(now)]))
                ], details: [AiringID(1): detail(now)])
            expectEqual(page.sections.map(\.cards.count), [1, 1])
            expectHarmless(HomeHTML(page, frame: ViewsSample.frame).bytes)
        }
        // Stations.
        do {
            let now = try ViewsSample.at("2026-10-24T19:15:00Z")
            let page = StationsPage(
                text: Self.hostile, group: Self.hostile, groups: [NameCount(name: Self.hostile, count: 1)], offset: 0,
                total: 999, stations: [station()],
                onNow: [
                    NowAndNext(
                        row: 0, station: station().station.id, stationName: Self.hostile, now: [airing(now)],
                        next: airing(now))
                ], now: now, zone: try ViewsSample.london())
            expectHarmless(StationsHTML(page, frame: ViewsSample.frame).bytes)
        }
        // A day.
        do {
            let now = try ViewsSample.at("2026-10-24T19:15:00Z")
            let zone = try ViewsSample.london()
            let page = DayPage(
                station: station(), date: zone.date(at: now),
                schedule: Schedule(station: station().station.id, airings: [airing(now)]), now: now, zone: zone,
                span: nil)
            expectHarmless(DayHTML(page, frame: ViewsSample.frame).bytes)
        }
        // An airing.
        do {
            let now = try ViewsSample.at("2026-10-24T19:15:00Z")
            let page = AiringPage(
                detail: detail(now), station: station(),
                showings: [SearchMatch(airing: airing(now), stationName: Self.hostile, row: 0)], now: now,
                zone: try ViewsSample.london())
            let bytes = AiringHTML(page, frame: ViewsSample.frame).bytes
            expectHarmless(bytes)
            // Icons of the feed must not load paths of this service.
            #expect(!String(decoding: bytes, as: UTF8.self).contains("/api/v1/sources"))
        }
        // Search results.
        do {
            let now = try ViewsSample.at("2026-10-24T19:15:00Z")
            let match = SearchMatch(
                airing: airing(now), stationName: Self.hostile, row: 0,
                highlights: [.title: [2..<10], .description: [0..<2]])
            let page = SearchPage(
                words: Self.hostile, offset: 0, results: SearchResults(total: 999, matches: [match, match]), now: now,
                zone: try ViewsSample.london())
            let nothing = SearchPage(
                words: "x", offset: 0, results: SearchResults(), suggestions: [Self.hostile], now: now,
                zone: try ViewsSample.london())
            expectHarmless(SearchHTML(nothing, frame: ViewsSample.frame).bytes)
            let bytes = SearchHTML(page, frame: ViewsSample.frame).bytes
            #expect(String(decoding: bytes, as: UTF8.self).contains("<mark>&lt;script&gt;</mark>alert(1)"))
            expectHarmless(bytes + Array("&lt;script&gt;alert(1)".utf8))
        }
        // An error.
        do {
            expectHarmless(
                ErrorHTML(status: 400, reason: Self.hostile, detail: Self.hostile, frame: ViewsSample.frame).bytes)
        }
    }

    @Test func airingWithoutTitleIsUntitledOnAllPages() throws {
        let now = try ViewsSample.at("2026-10-24T19:15:00Z")
        let zone = try ViewsSample.london()
        let harbour = ViewsSample.station(0, "Harbour")
        let airing = ViewsSample.airing(1, "", on: harbour, from: now, minutes: (-10, 60))
        var detail = ViewsSample.detail(airing, "Harbour")
        detail.programme.titles = []
        let schedule = Schedule(station: harbour.station.id, airings: [airing])
        let match = SearchMatch(airing: airing, stationName: "Harbour", row: 0)
        let home = HomePage(
            now: now, zone: zone, stationCount: 1, stations: [harbour],
            onNow: [
                NowAndNext(row: 0, station: harbour.station.id, stationName: "Harbour", now: [airing], next: airing)
            ],
            schedules: [], details: [:])
        let pages = [
            HomeHTML(home, frame: ViewsSample.frame).bytes,
            DayHTML(
                DayPage(
                    station: harbour, date: zone.date(at: now), schedule: schedule, now: now, zone: zone, span: nil),
                frame: ViewsSample.frame
            ).bytes,
            AiringHTML(
                AiringPage(detail: detail, station: harbour, showings: [], now: now, zone: zone),
                frame: ViewsSample.frame
            ).bytes,
            SearchHTML(
                SearchPage(
                    words: "x", offset: 0, results: SearchResults(total: 1, matches: [match]), now: now, zone: zone),
                frame: ViewsSample.frame
            ).bytes,
        ]
        expectEqual(
            pages.map { String(decoding: $0, as: UTF8.self).ranges(of: ">Untitled<").count }, [2, 1, 1, 1])
    }

    // MARK: - Marks

    private static let cases: [(String, [Range<Int>], String)] = [
        ("Low Water", [4..<9], "Low [Water]"),
        ("Low Water", [0..<3, 4..<9], "[Low] [Water]"),
        ("新闻联播", [0..<6], "[新闻]联播"),
        ("Café", [0..<5], "[Café]"),
        // Ranges that end within a character or beyond the end, are out of order, or are empty.
        ("Café", [0..<4], "Café"),
        ("Low", [0..<9], "Low"),
        ("Low Water", [4..<9, 0..<3], "Low [Water]"),
        ("Low", [1..<1], "Low"),
        ("", [0..<0], ""),
    ]

    @Test(arguments: cases) func highlightsCoverWholeCharacters(
        _ text: String, _ ranges: [Range<Int>], _ marked: String
    ) {
        let pieces = MarkedText(text, marking: ranges).pieces
        expectEqual(pieces.map { $0.isMarked ? "[\($0.text)]" : $0.text }.joined(), marked)
    }

    @Test func excerptStartsAtWordBeforeFirstHighlight() {
        let text = String(repeating: "word ", count: 40) + "here and after"
        let excerpt = MarkedText(text, marking: [200..<204]).excerpt(before: 12)
        expectEqual(excerpt.pieces.map(\.text), ["… word word ", "here", " and after"])
        let short = MarkedText("right here", marking: [6..<10])
        expectEqual(short.excerpt(before: 12), short)
    }
}
